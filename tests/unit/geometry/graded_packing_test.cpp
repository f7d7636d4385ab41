// Graded packings: every cell in one cube, fine at the surface; grids drawn in; points of support.
#include "geometry/packing/packing.h"
#include "lab/scenes/rabbit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

TEST(GradedPacking, every_cell_inside_is_in_one_cube_and_cubes_keep_their_distance_from_outside)
{
    // A ball of cells with a hole off its middle.
    constexpr int kSide = 27;
    CellGrid grid{{kSide, kSide, kSide}, std::vector<char>(kSide * kSide * kSide, 0)};
    const auto is_inside = [&](int i, int j, int k)
    {
        if (std::min({i, j, k}) < 0 || std::max({i, j, k}) >= kSide) return false;
        const double x = i - 13, y = j - 13, z = k - 13;
        return x * x + y * y + z * z < 170 && (x - 4) * (x - 4) + y * y + z * z > 6;
    };
    int wanted = 0;
    for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j)
            for (int k = 0; k < kSide; ++k)
            {
                grid.inside[grid.index(i, j, k)] = is_inside(i, j, k) ? 1 : 0;
                wanted += is_inside(i, j, k) ? 1 : 0;
            }
    std::vector<int> covered(grid.inside.size(), 0);
    const std::vector<MergedCells> cubes = merge_cells(grid);
    int largest = 0;
    for (const MergedCells& cube : cubes)
    {
        const int width = 1 << cube.level, away = cube.level == 0 ? 0 : 1 << (cube.level - 1);
        largest = std::max(largest, cube.level);
        for (int i = -away; i < width + away; ++i)
            for (int j = -away; j < width + away; ++j)
                for (int k = -away; k < width + away; ++k)
                {
                    const int x = cube.first[0] + i, y = cube.first[1] + j, z = cube.first[2] + k;
                    ASSERT_TRUE(is_inside(x, y, z)) << "nothing outside within " << away;
                    const bool own = std::min({i, j, k}) >= 0 && std::max({i, j, k}) < width;
                    if (own) ++covered[grid.index(x, y, z)];
                }
    }
    int once = 0;
    for (const int n : covered)
    {
        ASSERT_LE(n, 1);
        once += n;
    }
    EXPECT_EQ(once, wanted);
    EXPECT_GE(largest, 2);
    EXPECT_LT(static_cast<int>(cubes.size()), 6 * wanted / 10);
}

TEST(GradedPacking, has_the_same_surface_and_exactly_the_solids_moments)
{
    const MeshOptions rabbit = lab::make_rabbit();
    const PackedShape shapes[] = {{.type = ShapeType::box, .size = {0.1, 0.12, 0.2}},
                                  {.type = ShapeType::ellipsoid, .size = {0.1, 0.12, 0.2}},
                                  {.type = ShapeType::mesh, .mesh = &rabbit}};
    for (const PackedShape& shape : shapes)
    {
        const auto even = pack_shape(shape, {.across = 16}).value();
        auto graded = pack_shape(shape, {.across = 16, .graded = true}).value();
        EXPECT_LT(graded.size(), even.size()) << to_string(shape.type);
        const double fine = even[0].radius;
        double share = 0;
        std::size_t same = 0, finest = 0;
        for (const PackedSphere& s : graded)
        {
            share += s.mass;
            if (s.radius > 1.5 * fine) continue;
            ++finest;
            for (const PackedSphere& e : even) same += norm(e.center - s.center) < 1e-12 ? 1 : 0;
        }
        EXPECT_EQ(same, finest) << "fine spheres are those of the even packing";
        EXPECT_NEAR(share, static_cast<double>(even.size()), 1e-9) << "each counts for the cells it stands for";
        // What an even packing touches, the graded one touches: no sphere reaches further out.
        const Vec3 ways[] = {{1, 0, 0}, {0, 0, -1}, {0.6, 0.64, 0.48}, {-0.36, 0.48, -0.8}};
        for (const Vec3& way : ways)
        {
            const auto reach = [&](const std::vector<PackedSphere>& spheres)
            {
                double furthest = -1;
                for (const PackedSphere& s : spheres) furthest = std::max(furthest, dot(way, s.center) + s.radius);
                return furthest;
            };
            EXPECT_NEAR(reach(graded), reach(even), 1e-12) << to_string(shape.type);
        }
        const MassProperties wanted = compute_mass(shape.type, shape.size, shape.mesh, MeshMass::exact, 1000).value();
        ASSERT_TRUE(weigh_exactly(wanted, graded).ok());
        const MassProperties has = point_mass_properties(graded);
        EXPECT_NEAR(has.mass / wanted.mass, 1, 1e-12);
        EXPECT_LT(norm(has.center - wanted.center), 1e-12);
        for (int k = 0; k < 9; ++k) EXPECT_NEAR(has.inertia.m[k], wanted.inertia.m[k], 1e-12);
    }
}

TEST(GradedPacking, grids_of_round_shapes_touch_the_surface_from_inside)
{
    const PackedShape shapes[] = {{.type = ShapeType::sphere, .size = {0.1, 0, 0}},
                                  {.type = ShapeType::capsule, .size = {0.05, 0.2, 0}},
                                  {.type = ShapeType::cylinder, .size = {0.05, 0.2, 0}}};
    for (const PackedShape& shape : shapes)
    {
        for (const int across : {2, 4, 7})
        {
            const auto spheres = pack_shape(shape, {.across = across, .grids = true}).value();
            double nearest = 1;
            for (const PackedSphere& s : spheres)
            {
                // Distance to the surface from inside: aside for a cylinder's wall, and its flat ends.
                const double along = shape.type == ShapeType::sphere ? 0 : shape.size.y;
                const double aside = std::sqrt(s.center.x * s.center.x + s.center.y * s.center.y);
                const double beyond = std::max(0.0, std::abs(s.center.z) - along);
                double depth = shape.size.x - std::sqrt(aside * aside + beyond * beyond);
                if (shape.type == ShapeType::cylinder)
                    depth = std::min(shape.size.x - aside, along - std::abs(s.center.z));
                EXPECT_GT(depth, s.radius - 1e-12) << to_string(shape.type) << " " << across;
                nearest = std::min(nearest, depth - s.radius);
            }
            EXPECT_NEAR(nearest, 0, 1e-12) << to_string(shape.type);
            const Vec3 moments = find_principal_axes(point_mass_properties(spheres).inertia).moments;
            EXPECT_GT(moments.z, 0.01 * moments.x) << "they do not lie on a line";
        }
    }
}

TEST(GradedPacking, points_of_support_are_corners_and_rims)
{
    const auto corners = find_support_points({.type = ShapeType::box, .size = {1, 2, 3}});
    ASSERT_EQ(corners.size(), 8U);
    for (const Vec3& c : corners) EXPECT_EQ((Vec3{std::abs(c.x), std::abs(c.y), std::abs(c.z)}), (Vec3{1, 2, 3}));
    const auto rims = find_support_points({.type = ShapeType::cylinder, .size = {0.5, 2, 0}});
    ASSERT_EQ(rims.size(), 32U);
    for (int way = 0; way < 64; ++way)
    {
        // Between two of sixteen points the support is lower by cos(pi / 16) at most.
        const double a = 2 * kPi * way / 64;
        double furthest = 0;
        for (const Vec3& p : rims)
        {
            EXPECT_NEAR(p.x * p.x + p.y * p.y, 0.25, 1e-15);
            furthest = std::max(furthest, std::cos(a) * p.x + std::sin(a) * p.y);
        }
        EXPECT_GT(furthest, 0.5 * std::cos(kPi / 16) - 1e-12);
    }
    EXPECT_TRUE(find_support_points({.type = ShapeType::sphere, .size = {1, 0, 0}}).empty());
}

}  // namespace
}  // namespace rattleback
