// Tests of triangles: closed, turned outward, as large as the shape they stand for.
#include "lab/render/triangulate.h"

#include "lab/scenes/parts.h"
#include "made_scene.h"

#include <gtest/gtest.h>

#include <numeric>

namespace rattleback::lab
{

namespace
{

/// Triangles with their corners in place.
std::vector<std::array<Vec3, 3>> place(const Form& form)
{
    std::vector<std::array<Vec3, 3>> triangles;
    const Drawing& drawing = *form.drawing;
    for (std::size_t i = 0; i < drawing.indices.size(); i += 3)
    {
        std::array<Vec3, 3> triangle;
        for (std::size_t k = 0; k < 3; ++k) triangle[k] = form.to_local(drawing.vertices[drawing.indices[i + k]]);
        triangles.push_back(triangle);
    }
    return triangles;
}

double find_volume(const std::vector<std::array<Vec3, 3>>& triangles)
{
    double volume = 0;
    for (const auto& [a, b, c] : triangles) volume += dot(a, cross(b, c)) / 6;
    return volume;
}

/// Edges that do not have exactly one partner in the other direction; corners are the same when every bit is.
int count_open_edges(const std::vector<std::array<Vec3, 3>>& triangles)
{
    using Point = std::array<double, 3>;
    std::map<std::pair<Point, Point>, int> edges;
    const auto point = [](const Vec3& v) { return Point{v.x + 0.0, v.y + 0.0, v.z + 0.0}; };  // -0 is 0
    for (const auto& triangle : triangles)
    {
        for (std::size_t k = 0; k < 3; ++k) ++edges[{point(triangle[k]), point(triangle[(k + 1) % 3])}];
    }
    int open = 0;
    for (const auto& [edge, count] : edges)
    {
        const auto partner = edges.find({edge.second, edge.first});
        if (count != 1 || partner == edges.end() || partner->second != 1) ++open;
    }
    return open;
}

TEST(Triangulate, every_solid_is_closed_and_turned_outward)
{
    const RecordedModel model = make_parade();
    Forms forms(model);
    for (const RecordedShape& shape : model.shapes)
    {
        if (shape.type == ShapeType::plane) continue;
        for (int level = 0; level < kLevelCount; ++level)
        {
            const Form form = forms.find(shape, level);
            const auto triangles = place(form);
            EXPECT_EQ(count_open_edges(triangles), 0) << to_string(shape.type) << " level " << level;
            EXPECT_GT(find_volume(triangles), 0) << to_string(shape.type);
            for (std::size_t i = 0; i < triangles.size(); ++i)
            {
                const auto& [a, b, c] = triangles[i];
                const Vec3 flat = cross(b - a, c - a);
                for (std::size_t k = 0; k < 3; ++k)
                {
                    const Vec3 normal = form.to_local_normal(form.drawing->normals[form.drawing->indices[3 * i + k]]);
                    ASSERT_GT(dot(normal, flat), 0) << to_string(shape.type);
                }
            }
        }
    }
}

TEST(Triangulate, markers_are_closed)
{
    const RecordedModel model;
    Forms forms(model);
    EXPECT_EQ(count_open_edges(place(forms.find_cone())), 0);
    EXPECT_EQ(count_open_edges(place(forms.find_sphere(0))), 0);
    EXPECT_EQ(count_open_edges(place(forms.find_cylinder(0))), 0);
    EXPECT_NEAR(find_volume(place(forms.find_cone())), kPi / 3, 0.02);
}

TEST(Triangulate, volumes_of_round_shapes_are_within_the_squared_angle_of_a_corner)
{
    const RecordedModel model;
    Forms forms(model);
    struct Case
    {
        RecordedShape shape;
        double volume;
    };
    const Case cases[] = {
        {{.type = ShapeType::sphere, .size = {0.7, 0, 0}}, 4.0 / 3 * kPi * 0.343},
        {{.type = ShapeType::capsule, .size = {0.3, 0.8, 0}}, kPi * 0.09 * 1.6 + 4.0 / 3 * kPi * 0.027},
        {{.type = ShapeType::cylinder, .size = {0.3, 0.8, 0}}, kPi * 0.09 * 1.6},
        {{.type = ShapeType::ellipsoid, .size = {0.3, 0.5, 0.8}}, 4.0 / 3 * kPi * 0.12},
    };
    for (const Case& c : cases)
    {
        for (int level = 0; level < kLevelCount; ++level)
        {
            // To first order in the squared angle, n corners in a circle lack 1/6 of it, and a ball turned from chords
            // instead of arcs another 1/4.
            const double angle = 2 * kPi / corners_of_level(level),
                         volume = find_volume(place(forms.find(c.shape, level)));
            EXPECT_LT(volume, c.volume) << "corners are on the surface";
            EXPECT_GT(volume, c.volume * (1 - angle * angle * 5 / 12)) << to_string(c.shape.type) << " level " << level;
        }
    }
    const Form box = forms.find({.type = ShapeType::box, .size = {0.1, 0.2, 0.3}}, 0);
    EXPECT_NEAR(find_volume(place(box)), 8 * 0.006, 1e-15);
}

TEST(Triangulate, a_height_field_has_the_volume_under_its_triangles)
{
    HeightFieldOptions field{.rows = 5, .columns = 7, .half_x = 0.6, .half_y = 0.4, .base = 0.2};
    Random random(3);
    for (int i = 0; i < 35; ++i) field.heights.push_back(random.uniform(0, 1));
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 3>> indices;
    build_solid(field, vertices, indices);
    std::vector<std::array<Vec3, 3>> triangles;
    for (const auto& [a, b, c] : indices)
        triangles.push_back({vertices[static_cast<std::size_t>(a)], vertices[static_cast<std::size_t>(b)],
                             vertices[static_cast<std::size_t>(c)]});
    double expected = 0.2 * 1.2 * 0.8;
    const double half_cell = 0.5 * (1.2 / 6) * (0.8 / 4);
    for (std::size_t r = 0; r < 4; ++r)
    {
        for (std::size_t c = 0; c < 6; ++c)
        {
            const auto h = [&](std::size_t dr, std::size_t dc) { return field.heights[(r + dr) * 7 + c + dc]; };
            expected += half_cell * (2 * h(0, 0) + h(0, 1) + 2 * h(1, 1) + h(1, 0)) / 3;
        }
    }
    EXPECT_NEAR(find_volume(triangles), expected, 1e-12);
    EXPECT_EQ(count_open_edges(triangles), 0);
}

TEST(Triangulate, normals_of_round_shapes_are_exact)
{
    const RecordedModel model;
    Forms forms(model);
    const Vec3 radii{0.3, 0.5, 0.8};
    const Form form = forms.find({.type = ShapeType::ellipsoid, .size = radii}, 3);
    for (std::size_t i = 0; i < form.drawing->vertices.size(); ++i)
    {
        const Vec3 p = form.to_local(form.drawing->vertices[i]), n = form.to_local_normal(form.drawing->normals[i]);
        const Vec3 gradient{p.x / (radii.x * radii.x), p.y / (radii.y * radii.y), p.z / (radii.z * radii.z)};
        EXPECT_LT(norm(cross(n, gradient)), 1e-12 * norm(n) * norm(gradient));
    }
}

TEST(Triangulate, meshes_are_smooth_where_they_bend_little_and_sharp_where_they_bend_much)
{
    const RecordedModel model;
    Forms forms(model);
    // A sphere and a box given as meshes that share no vertices: they are joined by place.
    const auto as_mesh = [](const Form& form)
    {
        std::vector<Vec3> vertices;
        std::vector<std::array<int, 3>> triangles;
        for (const auto& triangle : place(form))
        {
            const auto first = static_cast<int>(vertices.size());
            vertices.insert(vertices.end(), triangle.begin(), triangle.end());
            triangles.push_back({first, first + 1, first + 2});
        }
        return smooth(vertices, triangles);
    };
    const Drawing sphere = as_mesh(forms.find_sphere(5));
    for (std::size_t i = 0; i < sphere.vertices.size(); ++i)
        EXPECT_GT(dot(sphere.normals[i], sphere.vertices[i]), 0.9995) << "within two degrees of the radius";
    const Drawing box = as_mesh(forms.find({.type = ShapeType::box, .size = {1, 2, 3}}, 0));
    for (const Vec3& n : box.normals) EXPECT_EQ(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1);
}

TEST(Triangulate, a_level_is_fine_enough_for_a_fifth_of_a_pixel)
{
    for (const double radius : {0.5, 5.0, 20.0, 100.0, 300.0})
    {
        const int corners = corners_of_level(find_level(radius));
        EXPECT_LE(radius * (1 - std::cos(kPi / corners)), 0.2) << radius;
    }
    EXPECT_LT(find_level(5), find_level(50));
}

}  // namespace

}  // namespace rattleback::lab
