// Shapes at rest on supports, for tests of contact points.
#pragma once

#include "collide/manifold.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace rattleback::resting
{

using Random = std::mt19937_64;

double random_number(Random& random, double low, double high);
Vec3 random_direction(Random& random);
Quat random_rotation(Random& random);
Pose random_pose(Random& random, double distance);

/// A shape in its own frame; keeps its polyhedron alive.
struct Solid
{
    std::string name;
    ShapeType type = ShapeType::sphere;
    Vec3 size;
    std::shared_ptr<const Polyhedron> hull = nullptr;

    PlacedShape place(const Pose& pose) const;
};

Solid make_sphere(double radius);
Solid make_capsule(double radius, double half_length);
Solid make_box(const Vec3& half);
Solid make_cylinder(double radius, double half_length);
Solid make_ellipsoid(const Vec3& radii);
Solid make_hull(const std::string& name, const std::vector<Vec3>& points);
Solid make_box_hull(const Vec3& half);
Solid make_prism(int sides, double radius, double half_length);  ///< about z
Solid make_random_hull(Random& random, int points, const Vec3& radii);
Solid make_plane();

/// One solid on another, touching, with what should be found.
struct Rest
{
    std::string name;
    Solid support, body;
    Pose support_pose, body_pose;
    int count = 0;
};

/// Every way of resting of every shape on a plane, a box and a hull; and shapes stacked flush.
std::vector<Rest> list_rests();

/// The points with the lower type first.
Manifold find_manifold(const PlacedShape& first, const PlacedShape& second, double reach);
Manifold find_manifold(const Rest& rest, const Pose& support_pose, const Pose& body_pose, double reach);

/// Lowest point of a solid turned so, along -z [m].
double find_bottom(const Solid& solid, const Quat& rotation);

}  // namespace rattleback::resting
