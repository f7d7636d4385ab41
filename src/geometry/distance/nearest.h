// Where a point is nearest to the surface of a box, a capsule or a cylinder, in the shape's own frame.
#pragma once

#include "geometry/distance/local.h"
#include "math/masks.h"

namespace rattleback
{

/// As SurfacePoint, without the part of the shape: for one world or a pack of them.
template <class T>
struct NearestPoint
{
    T distance;                ///< of the point [m], negative inside
    Vector3<T> point, normal;  ///< on the surface [m], outward and unit; local
};

/// Vectors below this length [m] have no direction in the scalar T.
template <class T>
inline constexpr double kShortestIn = kIsSingle<T> ? 1e-18 : kShortest;

/// The box from -size to size.
template <class T>
RB_HD NearestPoint<T> find_nearest_to_box(const Vec3& size, const Vector3<T>& p)
{
    // Outside: the clamped point.
    const Vector3<T> clamped{clamp(p.x, -size.x, size.x), clamp(p.y, -size.y, size.y), clamp(p.z, -size.z, size.z)};
    const Vector3<T> away = p - clamped;
    const T length = norm(away);
    const MaskOf<T> is_outside = length > T(kShortestIn<T>);
    NearestPoint<T> found{length, clamped, (T(1.0) / length) * away};
    if (!any(without(make_mask<T>(true), is_outside))) return found;
    // Inside: the face that is least far, of equally far ones the first.
    NearestPoint<T> inside;
    T depth = T(HUGE_VAL);
    for (int axis = 0; axis < 3; ++axis)
    {
        const T half = T(size[axis]), to_face = half - absolute(p[axis]);
        // From the middle to the negative side, as in MuJoCo: its two distances are equal when rounded.
        const T side = select(half - p[axis] < half + p[axis], T(1.0), T(-1.0));
        const MaskOf<T> is_nearer = to_face < depth;
        Vector3<T> normal, nearest = clamped;
        normal[axis] = side;
        nearest[axis] = side * half;
        depth = select(is_nearer, to_face, depth);
        inside.normal = select(is_nearer, normal, inside.normal);
        inside.point = select(is_nearer, nearest, inside.point);
    }
    return {select(is_outside, length, -depth), select(is_outside, clamped, inside.point),
            select(is_outside, found.normal, inside.normal)};
}

/// The capsule along z; size: radius, half length of the straight part.
template <class T>
RB_HD NearestPoint<T> find_nearest_to_capsule(const Vec3& size, const Vector3<T>& p)
{
    const T zero(0.0), one(1.0);
    const Vector3<T> on_axis{zero, zero, clamp(p.z, -size.y, size.y)};
    const Vector3<T> away = p - on_axis;
    const T length = norm(away);
    // On the segment the way out is across it, never along it.
    const MaskOf<T> has_way = length > T(kShortestIn<T>);
    const T scale = one / length;
    // Component by component: GCC would send a vector chosen as a whole through memory.
    NearestPoint<T> found{length - T(size.x),
                          on_axis,
                          {select(has_way, scale * away.x, one), select(has_way, scale * away.y, zero),
                           select(has_way, scale * away.z, zero)}};
    found.point += T(size.x) * found.normal;
    return found;
}

/// The cylinder along z; size: radius, half length.
template <class T>
RB_HD NearestPoint<T> find_nearest_to_cylinder(const Vec3& size, const Vector3<T>& p)
{
    const T zero(0.0), one(1.0), radius = T(size.x), half = T(size.y), shortest = T(kShortestIn<T>);
    const T rho = norm(Vector3<T>{p.x, p.y, zero});
    const Vector3<T> outward =
        select(rho > shortest, Vector3<T>{p.x / rho, p.y / rho, zero}, Vector3<T>{one, zero, zero});
    const Vector3<T> up{zero, zero, select(p.z < zero, -one, one)};
    const T beyond_side = rho - radius, beyond_cap = absolute(p.z) - half;
    // Beyond one of the two surfaces or inside both: the one that is less deep.
    const MaskOf<T> is_cap = beyond_cap >= beyond_side;
    NearestPoint<T> found{
        select(is_cap, beyond_cap, beyond_side),
        select(is_cap, Vector3<T>{p.x, p.y, half * up.z}, radius * outward + Vector3<T>{zero, zero, p.z}),
        select(is_cap, up, outward)};
    // Beyond both: the rim, unless the point lies on it.
    MaskOf<T> is_rim = both(beyond_side > zero, beyond_cap > zero);
    if (!any(is_rim)) return found;
    const T length = norm(Vector3<T>{beyond_side, beyond_cap, zero});
    is_rim = both(is_rim, length > shortest);
    const Vector3<T> slanted = (beyond_side / length) * outward + (beyond_cap / length) * up;
    return {select(is_rim, length, found.distance), select(is_rim, radius * outward + half * up, found.point),
            select(is_rim, slanted, found.normal)};
}

inline SurfacePoint find_nearest_on_box(const Vec3& size, const Vec3& p)
{
    const NearestPoint<double> found = find_nearest_to_box(size, p);
    // Outside, the coordinates beyond the box name the part; inside it is the face that the normal belongs to.
    const Vec3 away = found.distance > kShortest ? p - found.point : found.normal;
    const auto side = [](double beyond) { return beyond > 0 ? 1 : beyond < 0 ? -1 : 0; };
    const int sides[3] = {side(away.x), side(away.y), side(away.z)};
    return {found.distance, found.point, found.normal, find_box_feature(sides)};
}

inline SurfacePoint find_nearest_on_capsule(const Vec3& size, const Vec3& p)
{
    const NearestPoint<double> found = find_nearest_to_capsule(size, p);
    return {found.distance, found.point, found.normal, find_capsule_feature(p.z, size.y)};
}

inline SurfacePoint find_nearest_on_cylinder(const Vec3& size, const Vec3& p)
{
    const NearestPoint<double> found = find_nearest_to_cylinder(size, p);
    const int end = p.z < 0 ? 0 : 1;
    // Along both directions the rim, along the axis a cap, across it the side.
    const bool is_across = found.normal.x != 0 || found.normal.y != 0;
    ShapeFeature feature{FeatureKind::face, is_across ? 2 : end};
    if (is_across && found.normal.z != 0) feature = {FeatureKind::edge, end};
    return {found.distance, found.point, found.normal, feature};
}

}  // namespace rattleback
