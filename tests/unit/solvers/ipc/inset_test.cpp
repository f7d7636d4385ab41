// Tests of surfaces that lie inside their shapes: every point behind all sides, and close to the shape.
#include "solvers/ipc/inset.h"

#include "base/index.h"
#include "math/random.h"
#include "math/rotation.h"
#include "solvers/ipc/own_insets.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback::ipc::inset_tests
{

namespace
{

Settings make_inset_settings(const Model& model, const Parameters& parameters = {})
{
    return Settings(make_parameters(*find_solver("ipc").value(), model, parameters).value());
}

/// Of a body with one shape.
Model make_shape_model(const Shape& shape, const MeshOptions& mesh = {})
{
    ModelBuilder builder;
    if (!mesh.vertices.empty()) builder.add_mesh(mesh);
    builder.add_shape(builder.add_body({}), shape, {.density = 1000});
    return builder.build().value();
}

/// A box with all edges and corners cut off by `cut` [m], as many points.
MeshOptions make_bevelled_plate(const Vec3& half, double cut, const Quat& turn)
{
    MeshOptions mesh{.name = "plate"};
    for (int i = 0; i < 8; ++i)
    {
        const Vec3 sign{(i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1.0 : -1.0, (i & 4) != 0 ? 1.0 : -1.0};
        for (int axis = 0; axis < 3; ++axis)
        {
            Vec3 corner;
            for (int k = 0; k < 3; ++k) corner[k] = sign[k] * (half[k] - (k == axis ? 0 : cut));
            mesh.vertices.push_back(rotate(turn, corner));
        }
    }
    return mesh;
}

}  // namespace

TEST(IpcInset, a_corner_of_three_sides_moves_to_where_the_sides_inside_meet)
{
    Random random(3);
    for (int trial = 0; trial < 200; ++trial)
    {
        // Three sides in general position, through one point.
        const auto draw = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
        const Vec3 point = 10 * draw();
        const Quat turn = exponential(3 * draw());
        std::vector<Side> sides;
        for (int i = 0; i < 3; ++i)
        {
            Vec3 axis{0.2 * random.uniform(-1, 1), 0.2 * random.uniform(-1, 1), 0.2 * random.uniform(-1, 1)};
            axis[i] = 1;
            const Vec3 normal = rotate(turn, (1 / norm(axis)) * axis);
            sides.push_back({normal, dot(normal, point)});
        }
        const double inset = 1e-3;
        const Vec3 moved = find_inset_point(point, sides, inset);
        for (const Side& side : sides) EXPECT_NEAR(dot(side.normal, moved), side.offset - inset, 1e-8 * inset);
    }
    // Far behind them nothing moves; a needle's tip no further than is said.
    EXPECT_EQ(find_inset_point({}, std::vector<Side>{{{1, 0, 0}, 1}}, 0.5), Vec3{});
    const std::vector<Side> needle{{{std::sqrt(1 - 1e-4), 0.01, 0}, 0}, {{-std::sqrt(1 - 1e-4), 0.01, 0}, 0}};
    EXPECT_NEAR(norm(find_inset_point({}, needle, 1e-3)), kFarthestInset * 1e-3, 1e-12);
}

TEST(IpcInset, hulls_lie_behind_all_of_their_sides_and_lose_no_more_than_that)
{
    // A foot of 24 cm and 1 cm, its edges cut by less than the inset, in any attitude: what scales towards the centre
    // would lose 5 cm of its length.
    const Vec3 half{0.12, 0.04, 0.005};
    for (int i = 0; i < 20; ++i)
    {
        const Quat turn = exponential(Vec3{0.3 * i, 0.7 * i, -0.2 * i});
        const Model model = make_shape_model(Hull{MeshId{0}}, make_bevelled_plate(half, 5e-4, turn));
        for (const double inset : {1e-5, 1e-4, 1e-3, 2e-3})
        {
            const ShapeSurface surface = build_surface(model, 0, 24, inset);
            Vec3 most;
            for (const Vec3& v : surface.vertices)
            {
                const Vec3 own = rotate(conjugate(turn), v);
                for (int k = 0; k < 3; ++k)
                {
                    EXPECT_LE(std::abs(own[k]), half[k] - inset + 1e-8);
                    most[k] = std::max(most[k], std::abs(own[k]));
                }
            }
            for (int k = 0; k < 3; ++k) EXPECT_GE(most[k], half[k] - inset - 1e-8) << inset << ' ' << k;
        }
    }
}

TEST(IpcInset, meshes_thin_out_on_both_sides_of_their_walls)
{
    // A tray: a square plate with a square hollow in it.
    MeshOptions tray{.name = "tray"};
    const auto add_square = [&](double half, double height)
    {
        for (int i = 0; i < 4; ++i)
            tray.vertices.push_back({i == 0 || i == 3 ? -half : half, i < 2 ? -half : half, height});
    };
    add_square(1, 0);
    add_square(1, 1);
    add_square(0.8, 1);
    add_square(0.8, 0.2);
    const auto add_quad = [&](int a, int b, int c, int d)
    {
        tray.triangles.push_back({a, b, c});
        tray.triangles.push_back({a, c, d});
    };
    add_quad(0, 3, 2, 1);
    add_quad(12, 13, 14, 15);
    for (int ring = 0; ring < 3; ++ring)
        for (int i = 0; i < 4; ++i)
            add_quad(4 * ring + i, 4 * ring + (i + 1) % 4, 4 * ring + 4 + (i + 1) % 4, 4 * ring + 4 + i);
    const Model model = make_shape_model(Mesh{.mesh = MeshId{0}, .collide = MeshCollide::exact}, tray);
    const ShapeSurface surface = build_surface(model, 0, 24, 0.01);
    // Outer walls come in, inner ones and the inner floor go away from the hollow; in the frame of the shape, whose
    // origin may be moved to the centre of mass.
    const ShapeSurface whole = build_surface(model, 0, 24, 0);
    ASSERT_EQ(surface.vertices.size(), whole.vertices.size());
    std::array<int, 4> counts{};
    for (std::size_t v = 0; v < whole.vertices.size(); ++v)
    {
        const Vec3 moved = surface.vertices[v] - whole.vertices[v];
        const double x = whole.vertices[v].x > 0 ? moved.x : -moved.x, y = whole.vertices[v].y > 0 ? moved.y : -moved.y;
        const bool is_inner = std::abs(whole.vertices[v].x) < 0.9;
        EXPECT_NEAR(x, is_inner ? 0.01 : -0.01, 1e-9);
        EXPECT_NEAR(y, is_inner ? 0.01 : -0.01, 1e-9);
        ++counts[(is_inner ? 2U : 0U) + (moved.z > 0 ? 1U : 0U)];
        EXPECT_NEAR(std::abs(moved.z), 0.01, 1e-9);
    }
    EXPECT_EQ(counts, (std::array{4, 4, 8, 0})) << "of the outside the bottom rises; all others go down";
}

TEST(IpcInset, limits_follow_the_thickness_of_shapes)
{
    const auto find_limit = [](const Shape& shape, const MeshOptions& mesh = {})
    {
        const Model model = make_shape_model(shape, mesh);
        const auto layout = build_layout(model, make_inset_settings(model)).value();
        return find_overlap_limit(model, layout->pieces[0]);
    };
    EXPECT_DOUBLE_EQ(find_limit(Box{{1, 1, 0.5}}), 0.01);  // a hundredth of a metre
    EXPECT_DOUBLE_EQ(find_limit(Box{{1, 1, 0.05}}), 2.5e-3);
    EXPECT_DOUBLE_EQ(find_limit(Sphere{0.005}), 2.5e-3);  // a quarter of a centimetre
    EXPECT_DOUBLE_EQ(find_limit(Sphere{0.002}), 1e-3);
    EXPECT_DOUBLE_EQ(find_limit(Capsule{0.002, 0.1}), 1e-3);
    const MeshOptions sheet{.name = "sheet", .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}};
    EXPECT_EQ(find_limit(Surface{MeshId{0}}, sheet), 0);
}

TEST(IpcInset, surfaces_are_those_of_the_world_that_was_worn_last)
{
    ModelBuilder builder;
    for (int i = 0; i < 3; ++i) builder.add_shape(builder.add_body({.position = {3.0 * i, 0, 0}}), Sphere{1});
    const Model model = builder.build().value();
    const Settings settings = make_inset_settings(model);
    const auto shared = build_layout(model, settings).value();
    OwnInsets insets(model, settings, shared);
    std::vector<OwnInset> one{{0, 0.01, nullptr}, {2, 0.02, nullptr}}, other{{1, 0.03, nullptr}}, none;
    const auto expect_rounds = [&](double a, double b, double c)
    {
        EXPECT_DOUBLE_EQ(insets.layout().pieces[0].round, a);
        EXPECT_DOUBLE_EQ(insets.layout().pieces[1].round, b);
        EXPECT_DOUBLE_EQ(insets.layout().pieces[2].round, c);
    };
    insets.wear(one);
    expect_rounds(0.99, 1, 0.98);
    insets.wear(other);
    expect_rounds(1, 0.97, 1);
    std::vector<OwnInset> loaded{{1, 0.03, nullptr}};  // the same without a surface
    insets.wear(loaded);
    EXPECT_EQ(loaded[0].surface, other[0].surface);
    insets.wear(one);
    expect_rounds(0.99, 1, 0.98);
    insets.wear(none);
    expect_rounds(1, 1, 1);
    EXPECT_EQ(shared->pieces[0].round, 1);
}

}  // namespace rattleback::ipc::inset_tests
