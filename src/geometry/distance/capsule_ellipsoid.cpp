// Capsule and ellipsoid: the axis seen end on is a point beside an ellipse; beyond its ends, a point beside the
// ellipsoid.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

// Where the axis passes the ellipsoid, both are seen along the axis: a point and an ellipse, whose distance is the one
// root of Eberly 2013. Where the nearest place is an end it is a point and the ellipsoid; only an axis inside goes to
// the general search.

/// An ellipsoid seen along a direction: an ellipse, in the plane across it.
struct Shadow
{
    Vec3 major, minor;  ///< unit, the ellipse's axes
    double a = 0, b = 0;
};

/// With S the radii, the ellipse has the support function |S n| for normals n across the direction: the matrix of
/// dot(S s, S t) over two axes s, t there has the squared radii as eigenvalues. Their product is |S s x S t|^2.
Shadow find_shadow(const Vec3& radii, const Vec3& along)
{
    const Vec3 w{std::abs(along.x), std::abs(along.y), std::abs(along.z)};
    const Vec3 axis = w.x <= w.y && w.x <= w.z ? Vec3{1, 0, 0} : w.y <= w.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    // Two axes across the direction, any pair will do.
    Vec3 s = cross(along, axis);
    s = (1 / norm(s)) * s;
    const Vec3 t = cross(along, s);
    const Vec3 ss{radii.x * s.x, radii.y * s.y, radii.z * s.z}, st{radii.x * t.x, radii.y * t.y, radii.z * t.z};
    // Eigenvalues of a symmetric 2x2 matrix: mean and spread.
    const double half = 0.5 * (dot(ss, ss) - dot(st, st)), mixed = dot(ss, st);
    const double spread = std::sqrt(half * half + mixed * mixed);
    const double square = 0.5 * (dot(ss, ss) + dot(st, st)) + spread;  // a^2
    // The axis of the larger eigenvalue is (spread + half, mixed), or from the other end (mixed, spread - half).
    double c = half > 0 ? spread + half : mixed, d = half > 0 ? mixed : spread - half;
    const double length = std::sqrt(c * c + d * d);
    if (length > 0)
    {
        c /= length;
        d /= length;
    }
    else
    {
        c = 1;
    }
    // The smaller radius by the product of both: the difference of mean and spread would cancel.
    const Vec3 product{radii.y * radii.z * along.x, radii.x * radii.z * along.y, radii.x * radii.y * along.z};
    const double a = std::sqrt(square);
    return {c * s + d * t, c * t - d * s, a, norm(product) / a};
}

ShapeDistance make_from_axis(const PlacedShape& capsule, const PlacedShape& ellipsoid, double place, double distance,
                             const Vec3& outward)
{
    // From the axis out to the surface of the capsule.
    const Vec3 normal = -(ellipsoid.rotation * outward);
    const Vec3 center = capsule.position + place * capsule.rotation.column(2);
    return make_exact(distance - capsule.size.x, center + capsule.size.x * normal, normal,
                      find_capsule_feature(place, capsule.size.y), {});
}

/// Where the line c + t d enters and leaves an ellipsoid; false if it misses.
bool find_crossing(const Vec3& radii, const Vec3& c, const Vec3& d, double& enter, double& leave)
{
    // In coordinates divided by the radii the ellipsoid is the unit ball.
    const Vec3 p{c.x / radii.x, c.y / radii.y, c.z / radii.z}, q{d.x / radii.x, d.y / radii.y, d.z / radii.z};
    const double qq = dot(q, q), middle = -dot(p, q) / qq;
    const Vec3 nearest = p + middle * q;
    const double rest = 1 - dot(nearest, nearest);
    if (!(rest > 0)) return false;
    const double half = std::sqrt(rest / qq);
    enter = middle - half;
    leave = middle + half;
    return true;
}

}  // namespace

ShapeDistance find_capsule_ellipsoid(const PlacedShape& capsule, const PlacedShape& ellipsoid, double reach)
{
    const Vec3& radii = ellipsoid.size;
    const double half = capsule.size.y;
    const Vec3 c = to_local(ellipsoid, capsule.position);
    const Vec3 along = transpose_times(ellipsoid.rotation, capsule.rotation.column(2));
    // A ball around the ellipsoid answers for most that are far.
    // The place of the axis nearest to the centre.
    const double center_place = std::clamp(-dot(c, along), -half, half);
    const double length = norm(c + center_place * along);
    const double lower = length - std::max({radii.x, radii.y, radii.z}) - capsule.size.x;
    if (lower > reach) return make_beyond(length, lower);

    double place = 0, enter = 0, leave = 0;
    if (find_crossing(radii, c, along, enter, leave))
    {
        // The distance along the line falls until it enters: only an end can be nearest, unless the axis itself is in.
        if (enter <= half && leave >= -half) return find_convex_distance(capsule, ellipsoid, reach);
        place = enter > half ? half : -half;
    }
    else
    {
        // The line misses: in the plane across it the ellipsoid is an ellipse and the axis a point.
        const Shadow shadow = find_shadow(radii, along);
        const Vec3 p{dot(shadow.major, c), dot(shadow.minor, c), 0};
        const SurfacePoint seen = find_nearest_on_ellipsoid({shadow.a, shadow.b, shadow.a}, p);
        const Vec3 n = seen.normal.x * shadow.major + seen.normal.y * shadow.minor;
        // The point of the ellipsoid with that normal, and the place of the axis beside it.
        const Vec3 ball{radii.x * n.x, radii.y * n.y, radii.z * n.z};
        const double scale = 1 / norm(ball);
        place = dot(along, scale * Vec3{radii.x * ball.x, radii.y * ball.y, radii.z * ball.z} - c);
        if (std::abs(place) < half) return make_from_axis(capsule, ellipsoid, place, seen.distance, n);
        place = with_sign(half, place);
    }
    // Beyond an end: a ball at the end.
    const SurfacePoint end = find_nearest_on_ellipsoid(radii, c + place * along);
    return make_from_axis(capsule, ellipsoid, place, end.distance, end.normal);
}

}  // namespace rattleback
