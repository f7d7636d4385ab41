// Any bytes as two shapes, needles, plates and aligned ones too: distances and rays whose answers prove themselves.
#include "fuzz/bytes.h"
#include "fuzz/fuzz.h"
#include "geometry/distance.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"
#include "geometry/ray.h"
#include "math/finite.h"
#include "support/brute_distance.h"
#include "support/shape_level.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace rattleback
{
namespace
{

struct Placed
{
    PlacedShape shape;
    Polyhedron hull;
};

/// From a tenth down to nearly nothing.
double draw_small(Bytes& bytes) { return std::pow(10, -1 - bytes.draw(16)); }

Mat3 draw_rotation(Bytes& bytes)
{
    const int kind = bytes.draw(4);
    Quat q;
    if (kind == 0)  // quarter turns, exact
    {
        for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
            q = q * from_axis_angle(axis, 0.5 * kPi * bytes.draw(4));
        Mat3 m = to_matrix(q);
        for (double& entry : m.m) entry = std::round(entry);
        return m;
    }
    if (kind == 1)  // nearly none
    {
        const double small = draw_small(bytes);
        const Vec3 turn = small * bytes.vector();
        return to_matrix(normalized(Quat{1, turn.x, turn.y, turn.z}));
    }
    q = {bytes.signed_fraction(), bytes.signed_fraction(), bytes.signed_fraction(), bytes.signed_fraction()};
    return norm(q) > 0 ? to_matrix(normalized(q)) : to_matrix(Quat{});
}

/// Sizes from 1 mm to 1 km, aspects up to 1e5.
Vec3 draw_size(Bytes& bytes)
{
    constexpr double kSmallest = 1e-3;
    const double largest = std::pow(10, -3 + 6 * bytes.fraction());
    Vec3 size;
    for (int i = 0; i < 3; ++i) size[i] = std::max(largest * std::pow(10, -5 * bytes.fraction()), kSmallest);
    return size;
}

bool draw_shape(Bytes& bytes, Placed& placed)
{
    PlacedShape& shape = placed.shape;
    shape.type = static_cast<ShapeType>(bytes.draw(7));
    shape.size = draw_size(bytes);
    shape.rotation = draw_rotation(bytes);
    if (shape.type != ShapeType::hull) return true;
    std::vector<Vec3> cloud;
    const int count = 4 + bytes.draw(16);
    for (int i = 0; i < count; ++i)
    {
        const Vec3 v = bytes.vector();
        cloud.push_back({shape.size.x * v.x, shape.size.y * v.y, shape.size.z * v.z});
    }
    const Result<MeshOptions> mesh = compute_hull(cloud);
    if (!mesh) return false;
    placed.hull = build_polyhedron(mesh.value());
    shape.hull = &placed.hull;
    return true;
}

/// Concentric, in touch along an axis or any direction, or anywhere near; then off by nothing or very little.
void draw_position(Bytes& bytes, const PlacedShape& first, PlacedShape& second)
{
    PlacedShape at_origin = first;
    at_origin.position = {};
    const int kind = bytes.draw(4);
    Vec3 direction = bytes.vector();
    if (kind == 1 || !(norm(direction) > 0)) direction = first.rotation.column(bytes.draw(3));
    if (first.type == ShapeType::plane) direction = first.rotation.column(2);
    if (second.type == ShapeType::plane) direction = -second.rotation.column(2);
    direction = (1 / norm(direction)) * direction;
    const double contact = -find_gap_along(at_origin, second, direction);
    const double factor = kind == 0 ? 0 : kind == 3 ? 3 * bytes.fraction() : 1;
    const double size = find_radius(first) + find_radius(second);
    second.position = first.position + factor * contact * direction;
    // One draw per statement: compilers differ in the order of operands.
    if (bytes.draw(2) == 1)
    {
        const double small = draw_small(bytes);
        second.position += size * small * bytes.vector();
    }
    if (bytes.draw(2) == 1)
    {
        const double shift = size * bytes.signed_fraction();
        second.position += shift * first.rotation.column(bytes.draw(3));
    }
}

/// Witness points bound the distance from above, the gap along the normal from below: apart, the two prove the answer;
/// overlapping, they prove that the translation parts the shapes.
void require_proven(const PlacedShape& first, const PlacedShape& second, const ShapeDistance& found, double scale)
{
    require(std::isfinite(found.distance) && std::isfinite(found.lower), "distances are finite");
    require(is_finite(found.on_first) && is_finite(found.on_second), "witness points are finite");
    require(std::abs(norm(found.normal) - 1) < 1e-9, "normals are unit vectors");
    require(found.lower <= found.distance + 1e-12 * scale, "the lower bound is not above the distance");
    const Vec3 closing = found.on_second - found.on_first - found.distance * found.normal;
    require(norm(closing) <= 1e-9 * scale, "witness points differ by the distance along the normal");
    // The faces of hulls may be bent by 5e-7 of the size.
    const bool is_bent = first.type == ShapeType::hull || second.type == ShapeType::hull;
    const double tolerance = (found.distance > 0 && !is_bent ? 1e-8 : 1e-6) * scale;
    require(std::abs(find_level(first, found.on_first)) <= tolerance, "the first witness is on the first surface");
    require(std::abs(find_level(second, found.on_second)) <= tolerance, "the second witness is on the second surface");
    require(find_gap_along(first, second, found.normal) >= found.distance - tolerance, "the normal parts the shapes");
}

void require_hit(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, double scale)
{
    const std::optional<RayHit> hit = cast_ray(shape, origin, direction, 1e9);
    if (!hit) return;
    require(hit->distance >= 0 && hit->distance <= 1e9, "a hit is on the ray");
    require(std::abs(norm(hit->normal) - 1) < 1e-9, "normals of hits are unit vectors");
    if (hit->distance > 1e3 * scale) return;  // planes met at a grazing angle, too far out to be judged
    const double level = find_level(shape, origin + hit->distance * direction);
    require(std::abs(level) <= 1e-7 * (scale + hit->distance), "a hit is on the surface");
}

}  // namespace
}  // namespace rattleback

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    Bytes bytes(data, size);
    Placed first, second;
    if (!draw_shape(bytes, first) || !draw_shape(bytes, second)) return 0;
    const PlacedShape& a = first.shape;
    PlacedShape& b = second.shape;
    if (!has_distance(a.type, b.type)) return 0;
    first.shape.position = 10 * bytes.vector();
    draw_position(bytes, a, b);

    const double scale = find_radius(a) + find_radius(b) + norm(b.position - a.position) + norm(a.position);
    const ShapeDistance found = find_distance(a, b), swapped = find_distance(b, a);
    require_proven(a, b, found, scale);
    require_proven(b, a, swapped, scale);
    require(std::abs(found.distance - swapped.distance) <= (found.distance > 0 ? 1e-8 : 1e-6) * scale,
            "the distance is the same from either side");
    const ShapeDistance again = find_distance(a, b);
    require(again.distance == found.distance && again.normal == found.normal, "the same question has the same answer");

    Vec3 direction = bytes.vector();
    if (!(norm(direction) > 0)) direction = {0, 0, 1};
    direction = (1 / norm(direction)) * direction;
    require_hit(a, b.position, direction, scale);
    require_hit(b, a.position, direction, scale);
    return 0;
}
