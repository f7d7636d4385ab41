// Tests of clustered meshes: near the surface they stand for, closed, and as large.
#include "lab/render/simplify.h"

#include "lab/render/triangulate.h"
#include "made_scene.h"

#include <gtest/gtest.h>

namespace rattleback::lab
{

namespace
{

/// For each edge, how often it is walked one way minus how often the other way: zero everywhere on a closed surface.
int count_open_edges(const Drawing& drawing)
{
    using Point = std::array<double, 3>;
    std::map<std::pair<Point, Point>, int> balance;
    for (std::size_t i = 0; i < drawing.indices.size(); i += 3)
    {
        for (std::size_t k = 0; k < 3; ++k)
        {
            const Vec3 &a = drawing.vertices[drawing.indices[i + k]],
                       &b = drawing.vertices[drawing.indices[i + (k + 1) % 3]];
            const Point from{a.x, a.y, a.z}, to{b.x, b.y, b.z};
            balance[from < to ? std::pair(from, to) : std::pair(to, from)] += from < to ? 1 : -1;
        }
    }
    return static_cast<int>(std::ranges::count_if(balance, [](const auto& edge) { return edge.second != 0; }));
}

double find_volume(const Drawing& drawing)
{
    double volume = 0;
    for (std::size_t i = 0; i < drawing.indices.size(); i += 3)
    {
        const auto corner = [&](std::size_t k) { return drawing.vertices[drawing.indices[i + k]]; };
        volume += dot(corner(0), cross(corner(1), corner(2))) / 6;
    }
    return volume;
}

}  // namespace

TEST(Simplify, a_clustered_sphere_stays_closed_round_and_smooth_with_far_fewer_triangles)
{
    const RecordedModel model = make_parade();
    Forms forms(model);
    const Drawing fine = *forms.find_sphere(kLevelCount - 1).drawing;
    constexpr double kCell = 0.1;
    const Drawing coarse = cluster(fine, kCell);
    EXPECT_LT(coarse.indices.size(), fine.indices.size() / 4);
    EXPECT_EQ(count_open_edges(coarse), 0);
    // A mean of points of the sphere within a cell lies inside by at most the sagitta of the cell's diagonal, d^2 / 8.
    for (std::size_t i = 0; i < coarse.vertices.size(); ++i)
    {
        EXPECT_LE(norm(coarse.vertices[i]), 1 + 1e-12);
        EXPECT_GE(norm(coarse.vertices[i]), 1 - 3 * kCell * kCell / 8);
        EXPECT_GT(dot(coarse.normals[i], coarse.vertices[i]), 0.95) << "normals point outward";
    }
    EXPECT_NEAR(find_volume(coarse), 4 * kPi / 3, 0.03 * 4 * kPi / 3)
        << "inscribed: edges of up to 2 cells lose 3 x^2 / 8";
}

TEST(Simplify, cells_finer_than_the_mesh_change_nothing_but_the_order)
{
    const RecordedModel model = make_parade();
    Forms forms(model);
    const Drawing fine = *forms.find_cylinder(3).drawing;
    const Drawing same = cluster(fine, 1e-5);
    EXPECT_EQ(same.indices.size(), fine.indices.size());
    EXPECT_NEAR(find_volume(same), find_volume(fine), 1e-12);
}

TEST(Simplify, a_large_mesh_is_drawn_as_fine_as_the_picture_needs)
{
    RecordedModel model = make_parade();
    const RecordedModel& shared = model;
    MeshOptions ball;
    {
        Forms forms(shared);
        const Drawing sphere = *forms.find_sphere(kLevelCount - 1).drawing;
        ball.vertices = sphere.vertices;
        for (std::size_t i = 0; i < sphere.indices.size(); i += 3)
            ball.triangles.push_back({static_cast<int>(sphere.indices[i]), static_cast<int>(sphere.indices[i + 1]),
                                      static_cast<int>(sphere.indices[i + 2])});
    }
    model.meshes.push_back(ball);
    const RecordedShape shape{.type = ShapeType::mesh, .asset = static_cast<int>(model.meshes.size()) - 1};
    Forms forms(model);
    const auto count = [&](double cells) { return forms.find(shape, 0, cells).drawing->indices.size() / 3; };
    const std::size_t all = ball.triangles.size();
    EXPECT_EQ(count(std::numeric_limits<double>::infinity()), all);
    EXPECT_LT(count(0), all / 2);
    EXPECT_LE(count(0), count(100));
    EXPECT_LE(count(100), count(1000));
}

TEST(Simplify, an_empty_drawing_stays_empty)
{
    EXPECT_TRUE(cluster({}, 0.1).indices.empty());
    EXPECT_EQ(find_diagonal({}), 0);
}

}  // namespace rattleback::lab
