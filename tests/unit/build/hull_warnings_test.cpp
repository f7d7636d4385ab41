// Meshes that collide as something larger than they are say so, with the volume gained.
#include <rattleback/builder.h>

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

/// A prism along y, from 0 to 1, over a polygon in x and z given counter-clockwise as seen from -y (x right, z up).
MeshOptions make_prism(const std::string& name, const std::vector<std::array<double, 2>>& outline,
                       const std::vector<std::array<int, 3>>& cap)
{
    MeshOptions mesh{.name = name};
    const int n = static_cast<int>(outline.size());
    for (const double y : {0.0, 1.0})
    {
        for (const auto& [x, z] : outline) mesh.vertices.push_back({x, y, z});
    }
    for (const auto& [a, b, c] : cap)
    {
        mesh.triangles.push_back({a, b, c});              // faces -y
        mesh.triangles.push_back({a + n, c + n, b + n});  // faces +y
    }
    for (int i = 0; i < n; ++i)
    {
        const int j = (i + 1) % n;
        mesh.triangles.push_back({i, i + n, j});
        mesh.triangles.push_back({j, i + n, j + n});
    }
    return mesh;
}

/// A trough: a square of 3 by 3 with a slot of 1 by 2 cut from above. Its hull has 9 / 7 of its volume.
MeshOptions make_trough(const std::string& name = "trough")
{
    return make_prism(name, {{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}},
                      {{0, 5, 7}, {5, 6, 7}, {0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}});
}

MeshOptions make_brick() { return make_prism("brick", {{0, 0}, {3, 0}, {3, 3}, {0, 3}}, {{0, 1, 2}, {0, 2, 3}}); }

std::vector<Error> find_warnings(const std::vector<MeshOptions>& meshes, const ShapeOptions& options = {},
                                 MeshCollide collide = MeshCollide::hull)
{
    ModelBuilder builder;
    for (const MeshOptions& mesh : meshes)
    {
        const BodyId body = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
        builder.add_shape(body, Mesh{.mesh = builder.add_mesh(mesh), .collide = collide, .mass = MeshMass::convex},
                          options);
    }
    return find_hull_warnings(builder.build().value());
}

}  // namespace

TEST(HullWarnings, a_hollow_mesh_is_named_with_the_volume_of_its_hull)
{
    const std::vector<Error> warnings = find_warnings({make_trough(), make_brick()});
    ASSERT_EQ(warnings.size(), 1U) << "a brick is its own hull";
    EXPECT_EQ(warnings[0].where, "mesh 'trough'");
    EXPECT_NE(warnings[0].message.find("convex hull, 1.3 times its volume"), std::string::npos) << warnings[0].text();
}

TEST(HullWarnings, shapes_that_touch_nothing_or_collide_exactly_or_are_hulls_by_choice_are_passed_over)
{
    EXPECT_TRUE(find_warnings({make_trough()}, {.category = 0, .mask = 0}).empty());
    EXPECT_TRUE(find_warnings({make_trough()}, {}, MeshCollide::exact).empty());
    ModelBuilder builder;
    const BodyId body = builder.add_body({});
    builder.add_shape(body, Hull{builder.add_mesh(make_trough())});
    EXPECT_TRUE(find_hull_warnings(builder.build().value()).empty());
}

TEST(HullWarnings, an_open_bowl_is_named_too)
{
    MeshOptions open = make_trough("bowl");
    open.triangles.pop_back();
    const std::vector<Error> warnings = find_warnings({open});
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].message.find("leaves open"), std::string::npos) << warnings[0].text();
    MeshOptions box = make_brick();
    box.triangles.pop_back();
    EXPECT_TRUE(find_warnings({box}).empty()) << "open, yet nothing of it lies inside its hull";
}

TEST(HullWarnings, many_meshes_make_few_lines)
{
    std::vector<MeshOptions> meshes;
    for (int i = 0; i < 20; ++i) meshes.push_back(make_trough("part " + std::to_string(i)));
    const std::vector<Error> warnings = find_warnings(meshes);
    ASSERT_EQ(warnings.size(), 6U);
    EXPECT_EQ(warnings.back().where, "15 more meshes");
}

}  // namespace rattleback
