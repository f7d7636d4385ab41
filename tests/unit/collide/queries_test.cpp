// Rays and distances asked of a whole model.
#include <rattleback/builder.h>
#include <rattleback/query.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

void expect_same(const Vec3& a, const Vec3& b) { EXPECT_LT(norm(a - b), 1e-12) << a.x << " " << a.y << " " << a.z; }

/// The ground, a unit cube as a hull mesh standing on it at x = 0, a ball at x = 3, and a height field.
struct Surroundings
{
    ShapeId ground, cube, ball, terrain;
    Model model;
    State state;
};

Surroundings make_surroundings()
{
    Surroundings scene;
    ModelBuilder builder;
    scene.ground = builder.add_shape(kWorld, Plane{});
    MeshOptions mesh{.name = "cube"};
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.push_back({corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5});
    const MeshId asset = builder.add_mesh(mesh);
    const BodyId body = builder.add_body({.position = {0, 0, 0.5}});
    scene.cube = builder.add_shape(body, Hull{asset});
    const BodyId other = builder.add_body({.position = {3, 0, 2}});
    // Masks that let nothing collide do not hide a shape from questions.
    scene.ball = builder.add_shape(other, Sphere{0.5}, {.position = {0, 0, 1}, .category = 0, .mask = 0});
    const HeightFieldId field = builder.add_height_field({.rows = 2, .columns = 2, .heights = {0, 0, 0, 0}});
    scene.terrain = builder.add_shape(kWorld, HeightField{field}, {.position = {50, 0, 0.5}});
    scene.model = builder.build().value();
    scene.state = State(scene.model);
    return scene;
}

TEST(Queries, a_ray_meets_the_nearest_of_all_shapes)
{
    Surroundings scene = make_surroundings();
    const auto on_cube = cast_ray(scene.model, scene.state.world(), {0.1, 0.2, 9}, {0, 0, -2});
    ASSERT_TRUE(on_cube.has_value());
    EXPECT_EQ(on_cube->shape, scene.cube);
    EXPECT_NEAR(on_cube->distance, 8, 1e-12);
    expect_same(on_cube->point, {0.1, 0.2, 1});
    expect_same(on_cube->normal, {0, 0, 1});
    const auto on_ball = cast_ray(scene.model, scene.state.world(), {3, 0, 9}, {0, 0, -1});
    ASSERT_TRUE(on_ball.has_value());
    EXPECT_EQ(on_ball->shape, scene.ball);
    EXPECT_NEAR(on_ball->distance, 5.5, 1e-12);
    const auto on_ground = cast_ray(scene.model, scene.state.world(), {-7, 0, 9}, {0, 0, -1});
    ASSERT_TRUE(on_ground.has_value());
    EXPECT_EQ(on_ground->shape, scene.ground);
    EXPECT_EQ(on_ground->distance, 9);
}

TEST(Queries, a_ray_meets_the_triangles_of_terrain_and_of_an_exact_mesh)
{
    Surroundings scene = make_surroundings();
    const auto on_terrain = cast_ray(scene.model, scene.state.world(), {50.3, 0.2, 4}, {0, 0, -1});
    ASSERT_TRUE(on_terrain.has_value());
    EXPECT_EQ(on_terrain->shape, scene.terrain);
    EXPECT_NEAR(on_terrain->distance, 3.5, 1e-12);

    // The same cube as a hull and as triangles: every ray meets both at one place.
    MeshOptions mesh{.name = "cube"};
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.push_back({corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const auto make = [&](MeshCollide collide)
    {
        ModelBuilder builder;
        builder.add_mesh(mesh);
        builder.add_shape(builder.add_body({.position = {0.1, -0.2, 0.3}, .rotation = from_axis_angle({1, 2, 3}, 1)}),
                          Mesh{.mesh = MeshId{0}, .collide = collide});
        return builder.build().value();
    };
    const Model hull = make(MeshCollide::hull), exact = make(MeshCollide::exact);
    State hull_state(hull), exact_state(exact);
    int met = 0;
    for (int i = 0; i < 500; ++i)
    {
        const double a = 0.7 * i, b = 1.3 * i;  // directions all around, past the cube and through it
        const Vec3 origin{3 * std::cos(a), 3 * std::sin(a), 2 * std::cos(b)};
        const Vec3 way = Vec3{0.7 * std::sin(b), 0.7 * std::cos(3 * b), 0.5 * std::sin(2 * a)} - origin;
        const auto expected = cast_ray(hull, hull_state.world(), origin, way);
        const auto found = cast_ray(exact, exact_state.world(), origin, way);
        ASSERT_EQ(found.has_value(), expected.has_value()) << i;
        if (!found) continue;
        ++met;
        EXPECT_NEAR(found->distance, expected->distance, 1e-12);
        expect_same(found->normal, expected->normal);
    }
    EXPECT_GT(met, 150);
    EXPECT_LT(met, 450);
}

TEST(Queries, a_ray_ends_at_its_reach_and_follows_bodies)
{
    Surroundings scene = make_surroundings();
    EXPECT_FALSE(cast_ray(scene.model, scene.state.world(), {0, 0, 9}, {0, 0, -1}, 7.9).has_value());
    EXPECT_TRUE(cast_ray(scene.model, scene.state.world(), {0, 0, 9}, {0, 0, -1}, 8.1).has_value());
    EXPECT_FALSE(cast_ray(scene.model, scene.state.world(), {0, 0, 9}, {0, 0, 1}).has_value());
    scene.state.body_pose[1].position.x = 20;
    const auto hit = cast_ray(scene.model, scene.state.world(), {0, 0, 9}, {0, 0, -1});
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->shape, scene.ground);
}

TEST(Queries, distances_follow_bodies_and_come_in_either_order)
{
    Surroundings scene = make_surroundings();
    const auto down = find_distance(scene.model, scene.state.world(), scene.ground, scene.ball);
    ASSERT_TRUE(down.has_value());
    EXPECT_NEAR(down->distance, 2.5, 1e-12);
    expect_same(down->normal, {0, 0, 1});
    scene.state.body_pose[2].position = {2, 0, -0.5};
    const auto aside = find_distance(scene.model, scene.state.world(), scene.ball, scene.cube);
    ASSERT_TRUE(aside.has_value());
    EXPECT_NEAR(aside->distance, 1, 1e-9);
    expect_same(aside->on_first, {1.5, 0, 0.5});
    expect_same(aside->on_second, {0.5, 0, 0.5});
    expect_same(aside->normal, {-1, 0, 0});
}

TEST(Queries, terrain_is_as_far_as_its_nearest_edge)
{
    Surroundings scene = make_surroundings();
    const auto gap = find_distance(scene.model, scene.state.world(), scene.terrain, scene.ball);
    ASSERT_TRUE(gap.has_value());
    // Its edge is at x = 49, the ball of radius 0.5 at (3, 0, 3).
    EXPECT_NEAR(gap->distance, std::sqrt(46 * 46 + 2.5 * 2.5) - 0.5, 1e-9);
    expect_same(gap->on_first, {49, 0, 0.5});
}

TEST(Queries, two_planes_have_no_distance)
{
    Surroundings scene = make_surroundings();
    EXPECT_FALSE(find_distance(scene.model, scene.state.world(), scene.ground, scene.ground).has_value());
    EXPECT_FALSE(find_distance(scene.model, scene.state.world(), scene.ground, scene.terrain).has_value());
}

TEST(Queries, a_point_is_inside_where_its_distance_is_negative)
{
    Surroundings scene = make_surroundings();
    const auto in_cube = find_distance(scene.model, scene.state.world(), scene.cube, Vec3{0.4, 0, 0.5});
    ASSERT_TRUE(in_cube.has_value());
    EXPECT_NEAR(in_cube->distance, -0.1, 1e-12);
    expect_same(in_cube->normal, {1, 0, 0});
    const auto below = find_distance(scene.model, scene.state.world(), scene.terrain, Vec3{50.1, 0.2, 0.3});
    ASSERT_TRUE(below.has_value());
    EXPECT_NEAR(below->distance, -0.2, 1e-12);
    expect_same(below->on_first, {50.1, 0.2, 0.5});
    const auto over = find_distance(scene.model, scene.state.world(), scene.ground, Vec3{1, 2, 3});
    ASSERT_TRUE(over.has_value());
    EXPECT_NEAR(over->distance, 3, 1e-12);
}

}  // namespace
}  // namespace rattleback
