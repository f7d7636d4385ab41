// The triangles of height fields: a surface that covers the grid once, cut along MuJoCo's diagonal.
#include "geometry/height_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace rattleback
{

TEST(HeightField, every_cell_is_cut_from_its_first_corner_to_the_opposite_one)
{
    constexpr int kRows = 3, kColumns = 5;
    std::map<std::pair<int, int>, int> edges;
    for (const std::array<int, 3>& triangle : cut_grid(kRows, kColumns))
    {
        for (std::size_t i = 0; i < 3; ++i) ++edges[std::minmax(triangle[i], triangle[(i + 1) % 3])];
    }
    for (int row = 0; row + 1 < kRows; ++row)
    {
        for (int column = 0; column + 1 < kColumns; ++column)
        {
            const int here = row * kColumns + column, above = here + kColumns;
            EXPECT_EQ(edges.count({here, above + 1}), 1U) << "(r, c) to (r + 1, c + 1)";
            EXPECT_EQ(edges.count({here + 1, above}), 0U) << "and not the other diagonal";
        }
    }
}

TEST(HeightField, the_triangles_look_up_and_cover_the_rectangle)
{
    const HeightFieldOptions field{
        .rows = 3, .columns = 4, .half_x = 2, .half_y = 1, .heights = {0, 1, 0, 2, 3, 0, 1, 1, 0, 0, 2, 0}};
    const std::vector<Vec3> points = find_grid_points(field);
    ASSERT_EQ(points.size(), field.heights.size());
    EXPECT_EQ(points.front(), (Vec3{-2, -1, 0}));
    EXPECT_EQ(points.back(), (Vec3{2, 1, 0}));
    EXPECT_EQ(points[5], (Vec3{2 * (2.0 / 3 - 1), 0, 0})) << "rows run along y, columns along x";
    double area = 0;
    for (const auto& [a, b, c] : cut_grid(field.rows, field.columns))
    {
        const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };
        const double twice = cross(at(b) - at(a), at(c) - at(a)).z;
        EXPECT_GT(twice, 0);
        area += 0.5 * twice;
    }
    EXPECT_NEAR(area, 4.0 * 2 * 1, 1e-14);  // seen from above: the rectangle, once
}

}  // namespace rattleback
