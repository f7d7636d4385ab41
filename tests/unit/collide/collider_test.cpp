// Contacts against closed forms, and candidate pairs against brute force.
#include <rattleback/builder.h>
#include <rattleback/query.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rattleback
{

namespace
{

constexpr double kTiny = 1e-12;

void expect_near(const Vec3& a, const Vec3& b) { EXPECT_LT(norm(a - b), kTiny) << a.x << " " << a.y << " " << a.z; }

/// A tilted plane through (0, 0, 1) on the world, and one shape on a free body.
struct Scene
{
    Model model;
    State state;
    Vec3 normal, origin{0, 0, 1};
};

Scene make_scene(const Shape& shape, const Pose& pose)
{
    ModelBuilder builder;
    const Quat tilt = from_axis_angle({1, 2, 0.5}, 0.7);
    builder.add_shape(kWorld, Plane{}, {.position = {0, 0, 1}, .rotation = tilt, .margin = 0.01});
    const BodyId body = builder.add_body({.position = pose.position, .rotation = pose.rotation});
    builder.add_shape(body, shape, {.margin = 0.02, .gap = 0.005});
    Scene scene{builder.build().value(), {}, rotate(tilt, Vec3{0, 0, 1})};
    scene.state = State(scene.model);
    return scene;
}

Contacts find_contacts(Scene& scene, double margin = 0)
{
    ColliderMemory memory;
    return Collider(scene.model).find_contacts(scene.state.world(), margin, memory);
}

}  // namespace

TEST(Collider, a_sphere_on_a_tilted_plane_touches_at_its_lowest_point)
{
    Scene scene = make_scene(Sphere{.radius = 0.3}, {});
    const double depth = 0.02;
    scene.state.body_pose[1].position = scene.origin + (0.3 - depth) * scene.normal;
    const Contacts contacts = find_contacts(scene);
    ASSERT_EQ(contacts.count(), 1);
    const Contact& contact = contacts.items[0];
    EXPECT_NEAR(contact.distance, -depth, kTiny);
    expect_near(contact.normal(), scene.normal);
    expect_near(contact.point, scene.origin - 0.5 * depth * scene.normal);
    EXPECT_EQ(contact.first_body, kWorld);
    EXPECT_EQ(contact.second_body, BodyId{1});
    EXPECT_NEAR(contact.margin, 0.03, kTiny) << "the margins add up";
}

TEST(Collider, contacts_exist_below_margins_and_gaps_and_what_was_asked)
{
    Scene scene = make_scene(Sphere{.radius = 0.3}, {});
    const auto count_at = [&](double distance, double margin)
    {
        scene.state.body_pose[1].position = scene.origin + (0.3 + distance) * scene.normal;
        return find_contacts(scene, margin).count();
    };
    EXPECT_EQ(count_at(0.0349, 0), 1);
    EXPECT_EQ(count_at(0.0351, 0), 0);
    EXPECT_EQ(count_at(0.1349, 0.1), 1);
    EXPECT_EQ(count_at(0.1351, 0.1), 0);
}

TEST(Collider, two_spheres_touch_between_their_centres)
{
    ModelBuilder builder;
    builder.add_shape(builder.add_body({.position = {1, 2, 3}}), Sphere{.radius = 0.5});
    builder.add_shape(builder.add_body({.position = {1, 2.6, 3.8}}), Sphere{.radius = 0.75});
    const Model model = builder.build().value();
    State state(model);
    ColliderMemory memory;
    Collider collider(model);
    const Contacts& contacts = collider.find_contacts(state.world(), 0, memory);
    ASSERT_EQ(contacts.count(), 1);
    EXPECT_NEAR(contacts.items[0].distance, -0.25, kTiny);
    expect_near(contacts.items[0].normal(), {0, 0.6, 0.8});
    expect_near(contacts.items[0].point, Vec3{1, 2, 3} + 0.375 * Vec3{0, 0.6, 0.8});
}

TEST(Collider, a_capsule_touches_with_its_two_ends)
{
    const Quat turn = from_axis_angle({0.3, 1, 0}, 1.1);
    Scene scene = make_scene(Capsule{.radius = 0.1, .half_length = 0.4}, {{0.2, 0.1, 0.9}, turn});
    const Contacts contacts = find_contacts(scene, 5);
    ASSERT_EQ(contacts.count(), 2);
    for (int end = 0; end < 2; ++end)
    {
        const Vec3 center = Vec3{0.2, 0.1, 0.9} + rotate(turn, Vec3{0, 0, end == 0 ? -0.4 : 0.4});
        const Contact& contact = contacts.items[static_cast<std::size_t>(end)];
        EXPECT_NEAR(contact.distance, dot(scene.normal, center - scene.origin) - 0.1, kTiny);
    }
    EXPECT_LT(contacts.items[0].feature, contacts.items[1].feature);
}

TEST(Collider, a_box_touches_with_its_four_deepest_corners)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> real(-1, 1);
    for (int i = 0; i < 200; ++i)
    {
        const Quat turn = from_axis_angle({real(random), real(random), 1.5}, 3 * real(random));
        const Vec3 position{real(random), real(random), real(random)};
        Scene scene = make_scene(Box{.half_extents = {0.3, 0.2, 0.5}}, {position, turn});
        std::vector<double> distances;
        for (int corner = 0; corner < 8; ++corner)
        {
            const Vec3 local{corner % 2 ? 0.3 : -0.3, corner / 2 % 2 ? 0.2 : -0.2, corner / 4 ? 0.5 : -0.5};
            const double distance = dot(scene.normal, position + rotate(turn, local) - scene.origin);
            if (distance < 0.035) distances.push_back(distance);
        }
        std::sort(distances.begin(), distances.end());
        distances.resize(std::min<std::size_t>(distances.size(), 4));
        const Contacts contacts = find_contacts(scene);
        std::vector<double> found;
        for (const Contact& contact : contacts.items)
        {
            found.push_back(contact.distance);
            EXPECT_NEAR(dot(scene.normal, contact.point - scene.origin), 0.5 * contact.distance, kTiny);
        }
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found.size(), distances.size());
        for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], distances[k], kTiny);
    }
}

TEST(Collider, features_stay_with_their_corners_and_memory_changes_nothing)
{
    Scene scene = make_scene(Box{.half_extents = {0.3, 0.2, 0.5}}, {});
    Collider collider(scene.model);
    ColliderMemory memory;
    scene.state.body_pose[1].position = scene.origin;
    const Contacts first = collider.find_contacts(scene.state.world(), 0, memory);
    scene.state.body_pose[1].position += Vec3{0.001, 0, -0.001};
    const Contacts second = collider.find_contacts(scene.state.world(), 0, memory);
    ColliderMemory fresh;
    const Contacts again = Collider(scene.model).find_contacts(scene.state.world(), 0, fresh);
    ASSERT_EQ(first.count(), 4);
    ASSERT_EQ(second.count(), again.count());
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(first.items[i].feature, second.items[i].feature);
        EXPECT_EQ(second.items[i].point, again.items[i].point);
        EXPECT_EQ(second.items[i].feature, again.items[i].feature);
    }
}

TEST(Collider, pairs_are_those_whose_boxes_come_within_the_margin_on_the_way)
{
    ModelBuilder builder;
    builder.add_shape(builder.add_body({.linear_velocity = {2, 0, 0}}), Sphere{.radius = 0.5});
    builder.add_shape(builder.add_body({.position = {1.4, 0.9, 0.9}}), Sphere{.radius = 0.5});
    const Model model = builder.build().value();
    State state(model);
    Collider collider(model);
    const auto found = [&](double margin, double motion)
    { return !collider.find_pairs(state.world(), margin, motion).empty(); };
    // The boxes overlap along y and z (the spheres are further apart) and are 0.4 m apart along x.
    EXPECT_FALSE(found(0.39, 0));
    EXPECT_TRUE(found(0.41, 0));
    EXPECT_FALSE(found(0, 0.19)) << "0.38 m on";
    EXPECT_TRUE(found(0, 0.21)) << "0.42 m on";
    EXPECT_TRUE(found(0.2, 0.11));
    state.body_velocity[1].linear = {-2, 0, 0};
    EXPECT_FALSE(found(0, 0.21)) << "moving away";
}

TEST(Collider, motion_widens_the_pairs_and_not_the_contacts)
{
    ModelBuilder builder;
    const BodyId sphere = builder.add_body({.position = {-0.2, 0, 0}, .linear_velocity = {5, 0, 0}});
    builder.add_shape(sphere, Sphere{.radius = 0.1});
    const BodyId box = builder.add_body({});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    const BodyId wall = builder.add_body({.position = {0.5, 0, 0}});
    builder.add_shape(wall, Box{.half_extents = {0.1, 1, 1}});
    const Model model = builder.build().value();
    State state(model);
    Collider collider(model);
    ColliderMemory memory;
    for (const double motion : {0.0, 0.1})
    {
        Contacts contacts;
        collider.find_contacts(state.world(), 0.01, memory, contacts, motion);
        ASSERT_EQ(contacts.count(), 1);
        EXPECT_EQ(contacts.items[0].first_body, sphere);
        const std::size_t expected = motion == 0 ? 1 : 2;
        EXPECT_EQ(collider.pairs().size(), expected) << "the sphere would reach the wall";
    }
}

TEST(Collider, an_explicit_pair_brings_its_own_surface_and_margin)
{
    ModelBuilder builder;
    const MaterialId ice = builder.add_material({.name = "ice", .friction = 0.03, .dimension = 1});
    const ShapeId a = builder.add_shape(builder.add_body(), Sphere{.radius = 0.5}, {.category = 0, .mask = 0});
    const ShapeId b = builder.add_shape(builder.add_body({.position = {1.2, 0, 0}}), Sphere{.radius = 0.5},
                                        {.category = 0, .mask = 0});
    builder.add_pair(b, a, {.material = ice, .margin = 0.25});
    const Model model = builder.build().value();
    State state(model);
    ColliderMemory memory;
    Collider collider(model);
    const Contacts& contacts = collider.find_contacts(state.world(), 0, memory);
    ASSERT_EQ(contacts.count(), 1);
    EXPECT_NEAR(contacts.items[0].distance, 0.2, kTiny);
    EXPECT_EQ(contacts.items[0].margin, 0.25);
    EXPECT_EQ(contacts.items[0].friction.x, 0.03);
    EXPECT_EQ(contacts.items[0].dimension, 1);
}

}  // namespace rattleback
