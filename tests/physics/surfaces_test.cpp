// Laws of shapes on triangles: a plane cut into triangles is a plane, a bowl holds, terrain carries.
#include "lab/scenes/eared.h"
#include "physics/contact_laws.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace rattleback
{
namespace
{

constexpr double kSlideStart = 0.1 - 1e-4;  ///< height of the riders' middles, of half height 0.1 [m]

enum class Rider
{
    box,
    sphere,
    capsule,
};

/// The ground as one plane (no cells), or as a square of cells x cells x 2 triangles turned about z.
Model make_slide(Rider rider, int cells, double turn, const Vec3& velocity)
{
    ModelBuilder builder("slide");
    if (cells == 0)
    {
        builder.add_ground();
    }
    else
    {
        MeshOptions mesh{.name = "ground", .vertices = {}, .triangles = {}};
        const double half = 5, size = 2 * half / cells;
        for (int row = 0; row <= cells; ++row)
        {
            for (int column = 0; column <= cells; ++column)
            {
                const double x = -half + size * column, y = -half + size * row;
                mesh.vertices.push_back(
                    {std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y, 0});
            }
        }
        for (int row = 0; row < cells; ++row)
        {
            for (int column = 0; column < cells; ++column)
            {
                const int here = row * (cells + 1) + column, above = here + cells + 1;
                mesh.triangles.push_back({here, here + 1, above + 1});
                mesh.triangles.push_back({here, above + 1, above});
            }
        }
        builder.add_shape(kWorld, Surface{builder.add_mesh(std::move(mesh))}, {.name = "ground"});
    }
    // A little sunk in: at a distance of zero rounding would say whether the first step has a contact.
    const BodyId body = builder.add_body({.position = {0, 0, kSlideStart}, .linear_velocity = velocity});
    switch (rider)
    {
        case Rider::box:
            builder.add_shape(body, Box{{0.15, 0.1, 0.1}});
            break;
        case Rider::sphere:
            builder.add_shape(body, Sphere{0.1});
            break;
        case Rider::capsule:
            builder.add_shape(body, Capsule{0.1, 0.15}, {.rotation = from_axis_angle({0, 1, 0}, kPi / 2)});
            break;
    }
    return builder.build().value();
}

/// How far a rider on triangles ends from one on the plane, over the way it went.
double find_deviation(const char* solver, Rider rider, int cells, double turn, const Vec3& velocity)
{
    const auto run = [&](int cut)
    {
        // Recycled points of the plane are up to 0.1 % of the box's size old: they would be compared with fresh ones.
        const Parameters parameters = std::string(solver) == "avbd" ? Parameters{{"recycling", false}} : Parameters{};
        Simulation simulation = Simulation::make(make_slide(rider, cut, turn, velocity),
                                                 {.solver = solver, .dt = 0.004, .parameters = parameters})
                                    .value();
        simulation.run_for(0.6);
        return simulation.state().position(BodyId{1});
    };
    const Vec3 expected = run(0), found = run(cells);
    return norm(found - expected) / norm(expected - Vec3{0, 0, kSlideStart});
}

double find_worst_slide(const char* solver, Rider rider, int angles, std::uint64_t seed)
{
    Random random(seed);
    double worst = 0;
    for (int k = 0; k < angles; ++k)
    {
        const double angle = random.uniform(0, 2 * kPi), turn = random.uniform(0, 2 * kPi);
        const int cells = std::array{2, 5, 20, 50, 100}[static_cast<std::size_t>(k) % 5];
        worst =
            std::max(worst, find_deviation(solver, rider, cells, turn, {2 * std::cos(angle), 2 * std::sin(angle), 0}));
    }
    return worst;
}

std::string name_slide(const testing::TestParamInfo<std::tuple<const char*, Rider>>& info)
{
    constexpr std::array kRiders = {"box", "sphere", "capsule"};
    return std::string(std::get<0>(info.param)) + "_" + kRiders[static_cast<std::size_t>(std::get<1>(info.param))];
}

class Slide : public testing::TestWithParam<std::tuple<const char*, Rider>>
{
};

// Rounding of the triangles' planes (1e-16 of the size) grows by sliding and rolling on for 150 steps: measured 1e-13.
constexpr double kOfThePath = 1e-9;

TEST_P(Slide, over_triangles_is_as_over_the_plane)
{
    const auto& [solver, rider] = GetParam();
    EXPECT_LT(find_worst_slide(solver, rider, 10, 1), kOfThePath);
}

TEST_P(Slide, long_over_triangles_is_as_over_the_plane_for_a_thousand_angles)
{
    const auto& [solver, rider] = GetParam();
    const double worst = find_worst_slide(solver, rider, 1000, 2);
    std::printf("%s: worst deviation %.2g of the path\n", name_slide({GetParam(), 0}).c_str(), worst);
    EXPECT_LT(worst, kOfThePath);
}

INSTANTIATE_TEST_SUITE_P(solvers, Slide,
                         testing::Combine(testing::Values("convex", "avbd"),
                                          testing::Values(Rider::box, Rider::sphere, Rider::capsule)),
                         name_slide);

class OnTriangles : public testing::TestWithParam<const char*>
{
};

TEST_P(OnTriangles, balls_boxes_and_capsules_stay_in_a_bowl)
{
    ModelBuilder builder("bowl");
    const MeshId mesh = builder.add_mesh(lab::make_bowl(1, 0.1, 24, 8));
    builder.add_shape(kWorld, Mesh{.mesh = mesh, .collide = MeshCollide::exact}, {.name = "bowl"});
    Random random(3);
    for (int i = 0; i < 12; ++i)
    {
        const BodyId body =
            builder.add_body({.position = {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.2 + 0.25 * i},
                              .rotation = random.rotation()});
        if (i % 3 == 0) builder.add_shape(body, Sphere{0.1});
        if (i % 3 == 1) builder.add_shape(body, Box{{0.1, 0.08, 0.06}});
        if (i % 3 == 2) builder.add_shape(body, Capsule{0.06, 0.08});
    }
    Simulation simulation = Simulation::make(builder.build().value(), {.solver = GetParam(), .dt = 0.004}).value();
    EXPECT_EQ(simulation.run_for(3).status, StepStatus::ok);
    for (int i = 1; i <= 12; ++i)
    {
        const Vec3 p = simulation.state().position(BodyId{i});
        // in the bowl, or on top of what is in it: above the inner side less the flatness of its 24 x 8 faces (1 %)
        EXPECT_GT(p.z, -1) << i;
        EXPECT_LT(std::sqrt(p.x * p.x + p.y * p.y), 1) << i << ": it left the bowl";
    }
}

TEST_P(OnTriangles, a_mesh_stands_on_a_mesh_at_its_height)
{
    // A cube of triangles on a table of triangles.
    const auto make_block = [](const Vec3& half)
    {
        MeshOptions mesh{.name = "block", .vertices = {}, .triangles = {}};
        for (int i = 0; i < 8; ++i)
            mesh.vertices.push_back(
                {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
        mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
        return mesh;
    };
    ModelBuilder builder("meshes");
    MeshOptions table = make_block({1, 1, 0.1});
    table.name = "table";
    const MeshId table_mesh = builder.add_mesh(table), block = builder.add_mesh(make_block({0.1, 0.1, 0.1}));
    builder.add_shape(kWorld, Mesh{.mesh = table_mesh, .collide = MeshCollide::exact});
    for (int i = 0; i < 3; ++i)
    {
        const BodyId body = builder.add_body(
            {.position = {0.2, 0.1, 0.21 + 0.21 * i}, .rotation = from_axis_angle({0, 0, 1}, 0.3 * i)});
        builder.add_shape(body, Mesh{.mesh = block, .collide = MeshCollide::exact});
    }
    Simulation simulation = Simulation::make(builder.build().value(), {.solver = GetParam(), .dt = 0.004}).value();
    EXPECT_EQ(simulation.run_for(2).status, StepStatus::ok);
    for (int i = 0; i < 3; ++i)
    {
        const Vec3 p = simulation.state().position(BodyId{i + 1});
        // rests where boxes would: soft contacts give way by less than a millimetre
        EXPECT_NEAR(p.z, 0.2 + 0.2 * i, 2e-3) << i;
        EXPECT_NEAR(p.x, 0.2, 5e-3) << i;
        EXPECT_NEAR(p.y, 0.1, 5e-3) << i;
        EXPECT_LT(norm(simulation.state().velocity(BodyId{i + 1}).angular), 1e-3) << i << ": it jitters";
    }
}

INSTANTIATE_TEST_SUITE_P(solvers, OnTriangles, testing::Values("convex", "avbd"),
                         [](const auto& made) { return std::string(made.param); });

}  // namespace
}  // namespace rattleback
