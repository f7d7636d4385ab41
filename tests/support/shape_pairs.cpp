// Random shapes and the five ways to place two of them.
#include "support/shape_pairs.h"

#include "geometry/hull.h"
#include "geometry/polyhedron.h"
#include "support/brute_distance.h"

#include <algorithm>
#include <array>
#include <limits>

namespace rattleback
{
namespace
{

double draw_length(Random& random) { return std::pow(10, random.uniform(-1, 0)); }

std::unique_ptr<Polyhedron> make_random_hull(const Vec3& radii, int points, Random& random)
{
    std::vector<Vec3> cloud;
    for (int i = 0; i < points; ++i)
    {
        const Vec3 d = random.uniform(0.4, 1) * random.direction();
        cloud.push_back({radii.x * d.x, radii.y * d.y, radii.z * d.z});
    }
    const Result<MeshOptions> hull = compute_hull(cloud);
    RB_CHECK(hull.ok(), "random points are not flat");
    return std::make_unique<Polyhedron>(build_polyhedron(hull.value()));
}

/// How far the two reach towards each other along a direction, from their origins.
double find_contact_offset(const PlacedShape& first, const PlacedShape& second, const Vec3& direction)
{
    PlacedShape a = first, b = second;
    a.position = b.position = {};
    return -find_gap_along(a, b, direction);
}

/// A rotation by quarter turns.
Mat3 draw_aligned(Random& random)
{
    Quat q;
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        q = q * from_axis_angle(axis, 0.5 * kPi * random.integer(0, 3));
    Mat3 m = to_matrix(q);
    for (double& entry : m.m) entry = std::round(entry);
    return m;
}

/// A gap that is zero or of any small size and sign.
double draw_small(double largest, Random& random)
{
    const double size = std::min(std::pow(10, random.uniform(-15, -3)), largest);
    return random.chance(0.3) ? 0 : random.chance(0.5) ? size : -size;
}

void place_touching(ShapePairCase& pair, const Vec3& direction, Random& random)
{
    PlacedShape& second = pair.second.placed;
    const PlacedShape& first = pair.first.placed;
    second.position = first.position + 1.5 * find_contact_offset(first, second, direction) * direction;
    const BruteDistance apart = find_brute_distance(first, second);
    second.position += (draw_small(1e-9, random) - apart.distance) * apart.normal;
}

/// Flat on a face or side of the first shape, which may be shifted sideways.
void place_grazing(ShapePairCase& pair, Random& random)
{
    PlacedShape& second = pair.second.placed;
    const PlacedShape& first = pair.first.placed;
    const bool is_plane = first.type == ShapeType::plane;
    const int axis = is_plane ? 2 : random.integer(0, 2);
    const double side = is_plane || random.chance(0.5) ? 1 : -1;
    second.rotation = first.rotation * draw_aligned(random);
    if (random.chance(0.3))
        second.rotation =
            to_matrix(from_axis_angle(first.rotation.column(axis), random.uniform(0, kPi))) * second.rotation;
    const Vec3 direction = side * first.rotation.column(axis);
    const double offset = find_contact_offset(first, second, direction) + draw_small(1e-3, random);
    second.position = first.position + offset * direction;
    const double shift = random.chance(0.3) ? 0 : random.uniform(-1, 1);
    const double turn = random.chance(0.5) ? 0 : random.uniform(-1, 1);
    second.position += shift * first.rotation.column((axis + 1) % 3) + turn * first.rotation.column((axis + 2) % 3);
}

}  // namespace

const char* to_string(PairPlacement placement)
{
    constexpr std::array<const char*, kPlacementCount> kNames{"apart", "overlapping", "nested", "touching", "grazing"};
    return kNames[static_cast<std::size_t>(placement)];
}

OwnedShape make_random_shape(ShapeType type, Random& random, int hull_points)
{
    OwnedShape shape;
    shape.placed.type = type;
    shape.placed.rotation = to_matrix(random.rotation());
    const Vec3 radii{draw_length(random), draw_length(random), draw_length(random)};
    shape.placed.size = radii;
    if (type == ShapeType::plane) shape.placed.size = {};
    if (type == ShapeType::sphere) shape.placed.size = {radii.x, 0, 0};
    if (type == ShapeType::capsule || type == ShapeType::cylinder) shape.placed.size.z = 0;
    if (type == ShapeType::hull)
    {
        shape.placed.size = {};
        shape.hull = make_random_hull(radii, random.integer(6, hull_points), random);
        shape.placed.hull = shape.hull.get();
    }
    return shape;
}

ShapePairCase make_shape_pair(ShapeType first_type, ShapeType second_type, PairPlacement placement, Random& random)
{
    ShapePairCase pair{make_random_shape(first_type, random), make_random_shape(second_type, random), placement};
    PlacedShape& first = pair.first.placed;
    PlacedShape& second = pair.second.placed;
    if (placement == PairPlacement::nested && random.chance(0.5)) pair.second = scaled(pair.second, 0.2);
    first.position = random.in_box(1);
    const Vec3 direction = first_type == ShapeType::plane ? first.rotation.column(2) : random.direction();
    const double contact = find_contact_offset(first, second, direction);
    switch (placement)
    {
        case PairPlacement::apart:
            second.position = first.position + random.uniform(1.01, 3) * contact * direction;
            break;
        case PairPlacement::overlapping:
            second.position = first.position + random.uniform(0.2, 1) * contact * direction;
            break;
        case PairPlacement::nested:
            second.position = first.position + (random.chance(0.2) ? 0 : random.uniform(0, 0.2) * contact) * direction;
            break;
        case PairPlacement::touching:
            place_touching(pair, direction, random);
            break;
        case PairPlacement::grazing:
            place_grazing(pair, random);
            break;
    }
    if (first_type == ShapeType::plane) second.position += random.uniform(-3, 3) * first.rotation.column(0);
    pair.size = find_radius(first) + find_radius(second);
    return pair;
}

PlacedShape moved(const PlacedShape& shape, const Pose& motion)
{
    PlacedShape result = shape;
    result.position = motion.position + rotate(motion.rotation, shape.position);
    result.rotation = to_matrix(motion.rotation) * shape.rotation;
    return result;
}

OwnedShape scaled(const OwnedShape& shape, double factor)
{
    OwnedShape result;
    result.placed = shape.placed;
    result.placed.size = factor * shape.placed.size;
    result.placed.position = factor * shape.placed.position;
    if (!shape.hull) return result;
    result.hull = std::make_unique<Polyhedron>(*shape.hull);
    for (Vec3& v : result.hull->vertices) v = factor * v;
    for (double& offset : result.hull->face_offset) offset *= factor;
    for (std::vector<double>* coordinates : {&result.hull->x, &result.hull->y, &result.hull->z})
    {
        for (double& value : *coordinates) value *= factor;
    }
    result.hull->center = factor * result.hull->center;
    result.hull->radius *= factor;
    result.placed.hull = result.hull.get();
    return result;
}

}  // namespace rattleback
