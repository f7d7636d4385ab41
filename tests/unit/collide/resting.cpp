// Shapes at rest on supports, for tests of contact points.
#include "resting.h"

#include "collide/manifold/flat_part.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"

#include <cmath>

namespace rattleback::resting
{

double random_number(Random& random, double low, double high)
{
    return std::uniform_real_distribution<double>(low, high)(random);
}

Vec3 random_direction(Random& random)
{
    std::normal_distribution<double> normal;
    const Vec3 v{normal(random), normal(random), normal(random)};
    return (1 / norm(v)) * v;
}

Quat random_rotation(Random& random)
{
    std::normal_distribution<double> normal;
    return normalized(Quat{normal(random), normal(random), normal(random), normal(random)});
}

Pose random_pose(Random& random, double distance)
{
    const Vec3 direction = random_direction(random);
    return {random_number(random, 0, distance) * direction, random_rotation(random)};
}

PlacedShape Solid::place(const Pose& pose) const
{
    return {type, pose.position, to_matrix(pose.rotation), size, hull.get()};
}

Solid make_sphere(double radius) { return {"sphere", ShapeType::sphere, {radius, 0, 0}}; }
Solid make_capsule(double radius, double half) { return {"capsule", ShapeType::capsule, {radius, half, 0}}; }
Solid make_box(const Vec3& half) { return {"box", ShapeType::box, half}; }
Solid make_cylinder(double radius, double half) { return {"cylinder", ShapeType::cylinder, {radius, half, 0}}; }
Solid make_ellipsoid(const Vec3& radii) { return {"ellipsoid", ShapeType::ellipsoid, radii}; }
Solid make_plane() { return {"plane", ShapeType::plane, {}}; }

Solid make_hull(const std::string& name, const std::vector<Vec3>& points)
{
    return {name, ShapeType::hull, {}, std::make_shared<Polyhedron>(build_polyhedron(compute_hull(points).value()))};
}

Solid make_box_hull(const Vec3& half)
{
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back(
            {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
    return make_hull("box hull", points);
}

Solid make_prism(int sides, double radius, double half_length)
{
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i)
    {
        const double angle = 2 * kPi * i / sides;
        for (const double z : {-half_length, half_length})
            points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
    return make_hull("prism of " + std::to_string(sides), points);
}

Solid make_random_hull(Random& random, int count, const Vec3& radii)
{
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
    {
        const Vec3 p = random_direction(random);
        points.push_back({radii.x * p.x, radii.y * p.y, radii.z * p.z});
    }
    return make_hull("random hull", points);
}

double find_bottom(const Solid& solid, const Quat& rotation)
{
    return find_extent(solid.place({{}, rotation}), {0, 0, -1});
}

Manifold find_manifold(const PlacedShape& first, const PlacedShape& second, double reach)
{
    Manifold manifold;
    const bool ordered = first.type <= second.type;
    find_manifold_function(first.type, second.type)(ordered ? first : second, ordered ? second : first, reach,
                                                    manifold);
    return manifold;
}

Manifold find_manifold(const Rest& rest, const Pose& support_pose, const Pose& body_pose, double reach)
{
    return find_manifold(rest.support.place(support_pose), rest.body.place(body_pose), reach);
}

namespace
{

constexpr double kSunk = 1e-4;  // [m] below the surface

struct Stand
{
    Solid body;
    Quat rotation;
    int count;
    const char* how;
};

std::vector<Stand> list_stands()
{
    const Quat upright, lying = from_axis_angle({1, 0, 0}, kPi / 2), on_edge = from_axis_angle({1, 0, 0}, kPi / 4);
    const Quat turned = from_axis_angle({0, 0, 1}, 0.3);
    std::vector<Stand> stands = {
        {make_sphere(0.1), turned, 1, ""},
        {make_ellipsoid({0.1, 0.15, 0.08}), turned, 1, "flat"},
        {make_capsule(0.05, 0.2), lying, 2, "lying"},
        {make_capsule(0.05, 0.2), turned, 1, "standing"},
        {make_cylinder(0.1, 0.15), turned, 4, "upright"},
        {make_cylinder(0.1, 0.15), lying, 2, "lying"},
        {make_box({0.1, 0.1, 0.1}), turned, 4, "on a face"},
        {make_box({0.1, 0.2, 0.05}), turned, 4, "on a face"},
        {make_box({0.1, 0.1, 0.1}), turned * on_edge, 2, "on an edge"},
        {make_box_hull({0.1, 0.2, 0.05}), turned, 4, "on a face"},
        {make_box_hull({0.1, 0.1, 0.1}), turned * on_edge, 2, "on an edge"},
        {make_prism(3, 0.1, 0.1), turned, 3, "upright"},
        {make_prism(6, 0.1, 0.1), turned, 4, "upright"},
        {make_prism(6, 0.1, 0.1), from_axis_angle({1, 0, 0}, kPi / 2) * from_axis_angle({0, 0, 1}, kPi / 6), 2,
         "on an edge"},
        {make_prism(6, 0.1, 0.1), lying, 4, "on a side"},
        {make_prism(32, 0.1, 0.1), turned, 4, "upright"},
        {make_prism(300, 0.1, 0.1), turned, 4, "upright"},
    };
    return stands;
}

}  // namespace

std::vector<Rest> list_rests()
{
    std::vector<Rest> rests;
    const Vec3 slab{1, 1.2, 0.2};
    std::vector<std::pair<Solid, double>> supports = {
        {make_plane(), 0}, {make_box(slab), slab.z}, {make_box_hull(slab), slab.z}, {make_prism(7, 1.5, 0.2), 0.2}};
    for (const auto& [support, top] : supports)
    {
        for (const Stand& stand : list_stands())
        {
            const Vec3 place{0.11, -0.07, find_bottom(stand.body, stand.rotation) - kSunk};
            rests.push_back({stand.body.name + " " + stand.how + " on " + support.name,
                             support,
                             stand.body,
                             {{0, 0, -top}, {}},
                             {place, stand.rotation},
                             stand.count});
        }
    }
    const auto stack =
        [&](const char* name, const Solid& lower, const Solid& upper, const Vec3& offset, double turn, int count)
    {
        const double height = find_bottom(lower, {}) + find_bottom(upper, {}) - kSunk;
        rests.push_back(
            {name, lower, upper, {}, {offset + Vec3{0, 0, height}, from_axis_angle({0, 0, 1}, turn)}, count});
    };
    const Solid brick = make_box({0.2, 0.1, 0.05}), hull_brick = make_box_hull({0.2, 0.1, 0.05});
    const Solid drum = make_cylinder(0.1, 0.1), cube = make_box({0.1, 0.1, 0.1});
    stack("equal boxes flush", brick, brick, {}, 0, 4);
    stack("equal hulls flush", hull_brick, hull_brick, {}, 0, 4);
    stack("box flush on hull", hull_brick, brick, {}, 0, 4);
    stack("bricks in a bond", brick, brick, {0.2, 0, 0}, 0, 4);
    stack("hulls in a bond", hull_brick, hull_brick, {0.2, 0, 0}, 0, 4);
    stack("bricks across", brick, brick, {}, kPi / 2, 4);
    stack("cube turned on a cube", cube, cube, {}, kPi / 4, 8);
    stack("cube turned a little on a cube", cube, cube, {}, 0.01, 8);
    stack("bricks sharing a corner region", brick, brick, {0.15, 0.07, 0}, 0, 4);
    stack("equal cylinders flush", drum, drum, {}, 0, 4);
    stack("equal cylinders flush and turned", drum, drum, {}, 0.2, 4);
    stack("cylinders half over", drum, drum, {0.1, 0, 0}, 0.2, 4);
    stack("box on a wide cylinder", make_cylinder(0.5, 0.1), cube, {0.1, 0, 0}, 0.2, 4);
    stack("wide box on a cylinder", drum, make_box({0.5, 0.5, 0.1}), {0.1, 0, 0}, 0.2, 4);
    stack("hull on a wide cylinder", make_cylinder(0.5, 0.1), make_prism(5, 0.1, 0.1), {0.1, 0, 0}, 0.2, 4);
    const Quat lying = from_axis_angle({1, 0, 0}, kPi / 2);
    const auto lie = [&](const char* name, const Solid& lower, const Solid& upper, double along, int count)
    {
        const double height = find_bottom(lower, lying) + find_bottom(upper, lying) - kSunk;
        rests.push_back({name, lower, upper, {{}, lying}, {{0, along, height}, lying}, count});
    };
    const Solid capsule = make_capsule(0.05, 0.2), roller = make_cylinder(0.05, 0.2);
    lie("parallel capsules", capsule, capsule, 0.1, 2);
    lie("parallel capsules, level", capsule, capsule, 0, 2);
    lie("parallel cylinders", roller, roller, 0.1, 2);
    lie("parallel cylinders, level", roller, roller, 0, 2);
    lie("parallel capsule and cylinder", capsule, roller, 0.1, 2);
    return rests;
}

}  // namespace rattleback::resting
