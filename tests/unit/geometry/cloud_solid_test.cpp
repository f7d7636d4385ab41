// Solids from clouds of points, all around and from one side, with noise, against closed forms.
#include "geometry/packing/cloud_solid.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

/// One point of a surface and its outer normal.
struct SurfacePoint
{
    Vec3 place, normal;
};

SurfacePoint draw_on_box(Random& random, const Vec3& half)
{
    const double areas[] = {half.y * half.z, half.x * half.z, half.x * half.y};
    const double choice = random.uniform(0, areas[0] + areas[1] + areas[2]);
    const int axis = choice < areas[0] ? 0 : choice < areas[0] + areas[1] ? 1 : 2;
    SurfacePoint point;
    for (int k = 0; k < 3; ++k) point.place[k] = random.uniform(-half[k], half[k]);
    const double sign = random.chance(0.5) ? 1 : -1;
    point.place[axis] = sign * half[axis];
    point.normal[axis] = sign;
    return point;
}

SurfacePoint draw_on_ball(Random& random, double radius)
{
    const double z = random.uniform(-1, 1), turn = random.uniform(0, 2 * kPi), aside = std::sqrt(1 - z * z);
    const Vec3 normal{aside * std::cos(turn), aside * std::sin(turn), z};
    return {radius * normal, normal};
}

SurfacePoint draw_on_cylinder(Random& random, double radius, double half)
{
    const double wall = 4 * kPi * radius * half, cap = kPi * radius * radius, turn = random.uniform(0, 2 * kPi);
    const Vec3 way{std::cos(turn), std::sin(turn), 0};
    const double choice = random.uniform(0, wall + 2 * cap);
    if (choice < wall) return {radius * way + Vec3{0, 0, random.uniform(-half, half)}, way};
    const double side = choice < wall + cap ? 1 : -1;
    return {radius * std::sqrt(random.uniform(0, 1)) * way + Vec3{0, 0, side * half}, {0, 0, side}};
}

struct Body
{
    std::string name;
    SurfacePoint (*draw)(Random&);
    MassProperties solid;
};

std::vector<Body> make_bodies()
{
    const auto make = [](const char* name, SurfacePoint (*draw)(Random&), ShapeType type, const Vec3& size)
    { return Body{name, draw, compute_mass(type, size, nullptr, MeshMass::exact, 1000).value()}; };
    return {make("box", [](Random& r) { return draw_on_box(r, {0.1, 0.08, 0.06}); }, ShapeType::box, {0.1, 0.08, 0.06}),
            make("ball", [](Random& r) { return draw_on_ball(r, 0.1); }, ShapeType::sphere, {0.1, 0, 0}),
            make("cylinder", [](Random& r) { return draw_on_cylinder(r, 0.06, 0.1); }, ShapeType::cylinder,
                 {0.06, 0.1, 0})};
}

/// Points with normal noise (a sum of twelve uniform numbers), turned and moved; only those that the eye sees, if any.
std::vector<Vec3> sample(const Body& body, std::uint64_t seed, double noise, const Pose& pose, std::optional<Vec3> view)
{
    Random random(seed);
    std::vector<Vec3> points;
    while (points.size() < 20000)
    {
        const SurfacePoint drawn = body.draw(random);
        if (view && dot(rotate(pose.rotation, drawn.normal), *view) <= 0) continue;
        Vec3 off;
        for (int k = 0; k < 3; ++k)
            for (int n = 0; n < 12; ++n) off[k] += random.uniform(-0.5, 0.5);
        points.push_back(pose.position + rotate(pose.rotation, drawn.place) + noise * off);
    }
    return points;
}

void expect_within(const CloudSolid& found, const MassProperties& wanted, const Pose& pose, double most,
                   const std::string& what)
{
    const Mat3 r = to_matrix(pose.rotation);
    const Mat3 inertia = r * wanted.inertia * transpose(r);
    EXPECT_LT(std::abs(found.mass.mass - wanted.mass), found.error.mass) << what;
    EXPECT_LT(norm(found.mass.center - pose.position), found.error.center) << what;
    for (int k = 0; k < 9; ++k) EXPECT_LT(std::abs(found.mass.inertia.m[k] - inertia.m[k]), found.error.moment) << what;
    // An error that says nothing would pass the above.
    EXPECT_LT(found.error.mass, most * wanted.mass) << what;
    EXPECT_LT(found.error.moment, 2 * most * inertia(0, 0)) << what;
    const MassProperties points = point_mass_properties(found.spheres);
    EXPECT_NEAR(points.mass / found.mass.mass, 1, 1e-9) << what;
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(points.inertia.m[k], found.mass.inertia.m[k], 1e-9) << what;
}

const Pose kPoses[] = {{{0, 0, 0}, {}}, {{0.3, -0.2, 0.5}, from_axis_angle({0.6, 0, 0.8}, 0.7)}};

TEST(CloudSolid, of_a_whole_noisy_surface_is_within_the_error_it_states)
{
    for (const Body& body : make_bodies())
        for (const double noise : {0.0, 0.001})
            for (const Pose& pose : kPoses)
            {
                const std::string what = body.name + ", noise " + std::to_string(noise);
                const auto found = measure_cloud(sample(body, 7, noise, pose, std::nullopt));
                ASSERT_TRUE(found.ok()) << what << to_text(found.errors());
                expect_within(found.value(), body.solid, pose, noise > 0 ? 0.1 : 0.06, what);
            }
}

TEST(CloudSolid, of_one_side_is_within_the_error_it_states_where_the_body_is_its_own_mirror_image)
{
    const Vec3 view = (1 / std::sqrt(3.0)) * Vec3{1, 1, 1};
    for (const Body& body : make_bodies())
        for (const double noise : {0.0, 0.001})
            for (const Pose& pose : kPoses)
            {
                const std::string what = body.name + " from one side, noise " + std::to_string(noise);
                const auto found = measure_cloud(sample(body, 11, noise, pose, view), {.view = view});
                ASSERT_TRUE(found.ok()) << what << to_text(found.errors());
                expect_within(found.value(), body.solid, pose, 0.2, what);
            }
}

TEST(CloudSolid, points_that_enclose_nothing_are_an_error_that_says_what_to_do)
{
    const Body ball = make_bodies()[1];
    const auto half = measure_cloud(sample(ball, 3, 0, {}, Vec3{0, 0, 1}));
    ASSERT_FALSE(half.ok());
    EXPECT_NE(to_text(half.errors()).find("from where they were seen"), std::string::npos) << to_text(half.errors());
    EXPECT_FALSE(measure_cloud(std::vector<Vec3>(50)).ok());
    std::vector<Vec3> bad = sample(ball, 3, 0, {}, std::nullopt);
    bad[5].x = std::nan("");
    EXPECT_FALSE(measure_cloud(bad).ok());
    EXPECT_FALSE(measure_cloud(sample(ball, 3, 0, {}, std::nullopt), {.view = Vec3{}}).ok());
}

}  // namespace
}  // namespace rattleback
