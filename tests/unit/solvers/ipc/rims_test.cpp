// Tests of rims in solver `ipc`: corners beyond the outline of a flat side.
#include "solvers/ipc/rims.h"
#include "math/random.h"
#include "math/rotation.h"
#include "solvers/ipc/potential.h"
#include "unit/solvers/ipc/value_difference.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

Settings make_settings(const Model& model, Parameters overrides = {})
{
    overrides["dhat"] = 1e-3;
    return Settings(make_parameters(*find_solver("ipc").value(), model, overrides).value());
}

/// A fixed cube and an equal one half a millimetre above it, shifted sideways and turned.
Model make_equal_cubes(const Vec3& shift, const Vec3& turn)
{
    ModelBuilder builder;
    builder.add_shape(kWorld, Box{.half_extents = {0.5, 0.5, 0.5}});
    const BodyId cube = builder.add_body({.position = Vec3{0, 0, 1.0005} + shift, .rotation = exponential(turn)});
    builder.add_shape(cube, Box{.half_extents = {0.5, 0.5, 0.5}}, {.density = 1000});
    return builder.build().value();
}

struct EqualCubes
{
    Model model;
    Settings settings = make_settings(model);
    std::shared_ptr<const Layout> layout = build_layout(model, settings).value();
    Potential potential{model, *layout, settings};
    State state{model};
    Control control{model};
    std::vector<Body> bodies;
    std::vector<Placement> placements;

    explicit EqualCubes(const Vec3& shift, const Vec3& turn = {}) : model(make_equal_cubes(shift, turn))
    {
        StepInput input;
        input.control = control.world();
        input.dt = 0.01;
        load_bodies(model, *layout, input, state.world(), {}, bodies);
        for (const Body& body : bodies) placements.push_back(body.start);
        potential.begin(input.dt, input.dt, 9.81, 1);
        const std::vector<double> skins(bodies.size(), 1e-2);
        potential.candidates().find(placements, {skins, {}, {}}, {}, std::vector<Rest>{Rest::fixed, Rest::none});
        potential.evaluate(bodies, placements);
    }

    Vector6 find_gradient()
    {
        std::vector<Vector6> gradient(1);
        BlockCholesky hessian;
        potential.set_tangents(bodies, placements);
        potential.assemble(bodies, placements, gradient, hessian);
        return gradient[0];
    }
};

std::size_t count_rims(const Piece& piece, const Vec3& vertex)
{
    for (std::size_t v = 0; v < piece.vertices.size() && !piece.rims.empty(); ++v)
        if (norm(piece.vertices[v] - vertex) < 1e-12)
            return static_cast<std::size_t>(piece.rim_begin[v + 1] - piece.rim_begin[v]);
    return 0;
}

std::shared_ptr<const Layout> lay_out(const Shape& shape, const Parameters& parameters = {})
{
    ModelBuilder builder;
    builder.add_shape(kWorld, shape);
    const Model model = builder.build().value();
    return build_layout(model, make_settings(model, parameters)).value();
}

/// A stair of two steps of 1 m, a metre wide: its inner edge is hollow.
MeshOptions make_stair(bool inside_out)
{
    const std::array<std::array<double, 2>, 6> outline{{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}};
    MeshOptions mesh;
    for (const double y : {0.0, 1.0})
        for (const auto& [x, z] : outline) mesh.vertices.push_back({x, y, z});
    for (int i = 0; i < 6; ++i)
    {
        const int j = (i + 1) % 6;
        mesh.triangles.push_back({i, j, j + 6});
        mesh.triangles.push_back({i, j + 6, i + 6});
    }
    for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}})
    {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a + 6, b + 6, c + 6});
    }
    if (inside_out)
        for (auto& face : mesh.triangles) std::swap(face[1], face[2]);
    return mesh;
}

}  // namespace

TEST(IpcRims, the_distance_over_a_rim_is_the_height_then_the_distance_and_smooth_between)
{
    EXPECT_EQ(find_rim_distance(2, std::hypot(2, 0.49)).value, 2);
    EXPECT_EQ(find_rim_distance(2, std::hypot(2, 1.61)).value, std::hypot(2, 1.61));
    EXPECT_EQ(find_rim_distance(0, 1).value, 1) << "beside the side";
    EXPECT_EQ(find_rim_distance(-1, 1.5).value, 1.5) << "behind it";
    for (double x = 0; x < 1; x += 1e-3)
    {
        const double d = std::hypot(2, 2 * x), h = 1e-7;
        const RimDistance rim = find_rim_distance(2, d);
        // never more than the distance, nor so much less that candidates would miss it
        EXPECT_LE(rim.value, d);
        EXPECT_GE(rim.value * kRimRoom, d);
        // Slopes are those of its values, also across both seams: the second derivative is 20 over a metre at most.
        const auto value = [](double height, double distance) { return find_rim_distance(height, distance).value; };
        if (d - h <= 2) continue;
        EXPECT_NEAR(rim.by_distance, (value(2, d + h) - value(2, d - h)) / (2 * h), 1e-5) << x;
        EXPECT_NEAR(rim.by_height, (value(2 + h, d) - value(2 - h, d)) / (2 * h), 1e-5) << x;
    }
}

TEST(IpcRims, sides_that_all_neighbours_turn_away_from_have_rims)
{
    const Piece box = lay_out(Box{.half_extents = {1, 2, 3}})->pieces[0];
    EXPECT_EQ(box.rims.size(), 24U) << "three at each corner";
    EXPECT_EQ(count_rims(box, {1, 2, 3}), 3U);
    // The caps of a cylinder, not its sides, which turn by 15 degrees each.
    const Piece cylinder = lay_out(Cylinder{.radius = 0.1, .half_length = 0.1})->pieces[0];
    ASSERT_EQ(cylinder.rims.size(), cylinder.vertices.size());
    for (const Vec3& n : cylinder.rims) EXPECT_NEAR(std::abs(n.z), 1, 1e-12);
    // A stair: not the two sides of its hollow edge; nor its flanks, which end there too.
    for (const bool inside_out : {false, true})
    {
        ModelBuilder builder;
        builder.add_shape(kWorld,
                          Mesh{.mesh = builder.add_mesh(make_stair(inside_out)), .collide = MeshCollide::exact});
        const Model model = builder.build().value();
        const Piece stair = build_layout(model, make_settings(model)).value()->pieces[0];
        EXPECT_EQ(count_rims(stair, {0, 0, 0}), 3U) << inside_out;
        EXPECT_EQ(count_rims(stair, {2, 0, 1}), 2U) << "the flank and the front";
        EXPECT_EQ(count_rims(stair, {1, 0, 1}), 1U) << "the flank: its hollow corner is no edge of another side's";
    }
    // Spheres, surfaces, the paper's distances, offset surfaces: none.
    EXPECT_FALSE(lay_out(Sphere{.radius = 0.1})->has_rims);
    EXPECT_FALSE(lay_out(Box{.half_extents = {1, 2, 3}}, {{"hessian", std::string("paper")}})->has_rims);
    EXPECT_FALSE(lay_out(Box{.half_extents = {1, 2, 3}}, {{"dmin", 1e-3}})->has_rims);
}

TEST(IpcRims, equal_cubes_push_each_other_up_alone_while_their_corners_are_near_the_rims)
{
    // Corners by a tenth of the gap beyond rims on two sides: no sideways force. The paper's distances push by e / d.
    const Vector6 near = EqualCubes({5e-5, 5e-5, 0}).find_gradient();
    EXPECT_LT(std::abs(near[0]) + std::abs(near[1]), 1e-9 * std::abs(near[2]));
    // As far as the gap beyond: they are round.
    const Vector6 far = EqualCubes({5e-4, 0, 0}).find_gradient();
    EXPECT_GT(std::abs(far[0]), 0.05 * std::abs(far[2]));
}

TEST(IpcRims, gradient_is_that_of_the_value)
{
    Random random(11);
    std::size_t rims = 0;
    for (int i = 0; i < 40; ++i)
    {
        const double most = i % 2 == 0 ? 1e-4 : 5e-4;
        const Vec3 shift{random.uniform(-most, most), random.uniform(-most, most), random.uniform(-2e-4, 2e-4)};
        EqualCubes cubes(shift,
                         Vec3{random.uniform(-2e-4, 2e-4), random.uniform(-2e-4, 2e-4), random.uniform(-1, 1) * most});
        const auto touches = cubes.potential.touches();
        rims += static_cast<std::size_t>(
            std::count_if(touches.begin(), touches.end(), [](const Touch& t) { return t.rim_of >= 0; }));
        const Vector6 gradient = cubes.find_gradient();
        double size = 0;
        for (const double x : gradient) size = std::max(size, std::abs(x));
        for (std::size_t k = 0; k < 6; ++k)
        {
            // rounding of the value over h, h² over the square of the gap, and the kinks of other pairs
            const double difference =
                find_value_difference(cubes.potential, cubes.bodies, cubes.placements, 1, k, 1e-9);
            EXPECT_NEAR(gradient[k], difference, 1e-4 * size) << i << ' ' << k;
        }
    }
    EXPECT_GT(rims, 400U);
}

}  // namespace rattleback::ipc
