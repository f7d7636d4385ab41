// The shortest way of a tendon from one point to another around, or through, a sphere or an endless cylinder.
#pragma once

#include "math/elementary.h"

#include <rattleback/model.h>

namespace rattleback
{

/// A path from a first to a second point that may touch a shape in between; without contact it is the straight line.
template <class T>
struct WrappedPath
{
    T length;                            ///< [m]
    T touches;                           ///< 1: the path lies on the shape from first_contact to second_contact; 0
    Vector3<T> first_contact;            ///< without contact: the first point
    Vector3<T> second_contact;           ///< without contact: the first point
    Vector3<T> first_unit, second_unit;  ///< along the path at its two ends; zero where that end has no length
};

namespace wrapping
{

// All of it happens in one plane: across a cylinder, or through a sphere's centre and both ends. There the tendon is a
// tangent, an arc and a tangent. Of the two ways round, the one whose winding angle about the centre is that of a
// polyline by way of the side site is taken; without a side site the shorter.

/// A point of the wrapping plane, the centre of the circle at its origin.
template <class T>
struct Point
{
    T x{}, y{};
};
template <class T>
RB_HD T dot(const Point<T>& a, const Point<T>& b)
{
    return a.x * b.x + a.y * b.y;
}
template <class T>
RB_HD T cross(const Point<T>& a, const Point<T>& b)
{
    return a.x * b.y - a.y * b.x;
}
template <class T, class Mask>
RB_HD Point<T> choose(const Mask& condition, const Point<T>& a, const Point<T>& b)
{
    return {select(condition, a.x, b.x), select(condition, a.y, b.y)};
}

/// Angle that the segment from a to b sweeps about the origin, in (-pi, pi].
template <class T>
RB_HD T angle_between(const Point<T>& a, const Point<T>& b)
{
    // Both arguments of the arc tangent from products: exact for collinear points, and no root.
    const T turn = cross(a, b);
    const T angle = angle_of(absolute(turn), dot(a, b));
    return select(turn < T(0.0), -angle, angle);
}

/// An end of the path as seen from the circle's centre.
template <class T>
struct End
{
    T distance;
    Point<T> unit;
    T cosine, sine;  ///< of the angle from here to the tangent point
    T free;          ///< distance to the tangent point
};

template <class T>
RB_HD End<T> make_end(const Point<T>& point, double radius)
{
    using std::sqrt;
    // The tangent from the point, the radius and the line to the centre are a right triangle.
    const T square = dot(point, point), free = square - T(radius * radius);
    End<T> end;
    end.distance = sqrt(square);
    // A point in the centre has no direction; any will do, as the path is straight then.
    const T inverse = T(1.0) / maximum(end.distance, tiny<T>(1e-100));
    end.unit = {inverse * point.x, inverse * point.y};
    end.free = sqrt(maximum(free, T(0.0)));
    end.cosine = T(radius) * inverse;
    end.sine = end.free * inverse;
    return end;
}

/// The end's direction turned towards its tangent point, `sense` being 1 for anticlockwise and -1.
template <class T>
RB_HD Point<T> turned(const End<T>& end, const T& sense)
{
    // A rotation of the unit vector by the angle to the tangent point.
    const T s = sense * end.sine;
    return {end.cosine * end.unit.x - s * end.unit.y, end.cosine * end.unit.y + s * end.unit.x};
}

/// Where the shortest path by way of the circle's rim is reflected, as a direction; for ends outside the circle whose
/// connection misses it.
template <class T>
RB_HD Point<T> find_reflection(const Point<T>& a, const Point<T>& b, const End<T>& first, const End<T>& second,
                               double radius)
{
    using std::sqrt;
    // The reflected path turns the same way as the segment.
    const T sense = select(cross(a, b) < T(0.0), T(-1.0), T(1.0));
    // The rim must be visible from both ends; there the incidence seen from a grows and that seen from b falls.
    const T cosine = dot(first.unit, second.unit);
    Point<T> low = choose(cosine < second.cosine, turned(second, -sense), first.unit);
    Point<T> high = choose(cosine < first.cosine, turned(first, sense), second.unit);
    Point<T> middle;
    for (int i = 0; i < 54; ++i)  // halves an angle below pi/2 down to rounding
    {
        // The bisector of two unit vectors halves the angle between them without an arc tangent.
        middle = {low.x + high.x, low.y + high.y};
        const T scale = T(1.0) / sqrt(dot(middle, middle));
        middle = {scale * middle.x, scale * middle.y};
        const Point<T> from{a.x - T(radius) * middle.x, a.y - T(radius) * middle.y};
        const Point<T> to{b.x - T(radius) * middle.x, b.y - T(radius) * middle.y};
        // Sines of incidence and of reflection, compared as squares without dividing by the lengths.
        const T in = cross(a, middle), out = cross(middle, b);
        const auto early = in * in * dot(to, to) < out * out * dot(from, from);
        low = choose(early, middle, low);
        high = choose(early, high, middle);
    }
    return middle;
}

/// The path in the plane.
template <class T>
struct PlanePath
{
    T touches, first_length, arc_length, second_length;
    Point<T> first_contact, second_contact;
};

/// Around the circle the way whose angle about the centre is `winding`, or through it.
template <class T, class Mask>
RB_HD PlanePath<T> find_plane_path(const Point<T>& a, const Point<T>& b, const T& winding, const Mask& through,
                                   double radius)
{
    using std::sqrt;
    const T r = T(radius);
    const End<T> first = make_end(a, radius), second = make_end(b, radius);
    // Ends inside the circle cannot have tangents: the path is straight then.
    const auto outside = both(first.distance >= r, second.distance >= r);
    // Angles from both ends to their tangent points: where they overlap the straight line misses the circle.
    const T reach = angle_of(first.sine, first.cosine) + angle_of(second.sine, second.cosine);

    PlanePath<T> path;
    const T sense = select(winding < T(0.0), T(-1.0), T(1.0));
    // What is left of the winding angle lies on the circle.
    const T arc = absolute(winding) - reach;
    const Point<T> leave = turned(first, sense), meet = turned(second, -sense);
    path.touches = select(both(outside, arc > T(0.0)), T(1.0), T(0.0));
    path.first_length = first.free;
    path.second_length = second.free;
    path.arc_length = r * arc;
    path.first_contact = {r * leave.x, r * leave.y};
    path.second_contact = {r * meet.x, r * meet.y};
    if (!any(through)) return path;

    // Through the shape: only a connection that would miss it is pulled to the rim (a pulley from inside).
    const T misses = select(absolute(angle_between(a, b)) < reach, T(1.0), T(0.0));
    const Point<T> rim = find_reflection(a, b, first, second, radius);
    const Point<T> touch{r * rim.x, r * rim.y};
    const Point<T> from{a.x - touch.x, a.y - touch.y}, to{b.x - touch.x, b.y - touch.y};
    path.touches = select(through, select(outside, misses, T(0.0)), path.touches);
    path.first_length = select(through, sqrt(dot(from, from)), path.first_length);
    path.second_length = select(through, sqrt(dot(to, to)), path.second_length);
    path.arc_length = select(through, T(0.0), path.arc_length);
    path.first_contact = choose(through, touch, path.first_contact);
    path.second_contact = choose(through, touch, path.second_contact);
    return path;
}

/// Some direction at right angles to a, the one that MuJoCo takes.
template <class T>
RB_HD Vector3<T> any_normal(const Vector3<T>& a)
{
    // a x (ones where a is not largest), without a branch on values: worlds of a pack choose each for itself.
    const T x = absolute(a.x), y = absolute(a.y), z = absolute(a.z), zero = T(0.0), one = T(1.0);
    const auto x_largest = both(x >= y, x >= z);
    const T not_x = select(x_largest, zero, one);
    const T y_part = select(y >= z, zero, one);
    return cross(a, Vector3<T>{not_x, select(x_largest, one, y_part), select(x_largest, one, one - y_part)});
}

/// Unit vector from a to b, zero where they coincide.
template <class T>
RB_HD Vector3<T> unit_between(const Vector3<T>& a, const Vector3<T>& b)
{
    // Zero where the points coincide, without a division by zero.
    // Used for directions only: where there is no length there is no force.
    const Vector3<T> between = b - a;
    const T distance = norm(between);
    return select(distance > T(1e-12), T(1.0) / distance, T(0.0)) * between;
}

template <class T>
RB_HD Vector3<T> choose(const T& one, const Vector3<T>& a, const Vector3<T>& b)
{
    const auto condition = one > T(0.5);
    return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

}  // namespace wrapping

/// The path from a to b in the frame of a sphere or of a cylinder along z. `side` (if there is one) says which way: of
/// all paths around the shape, the shortest that winds about the centre as a - side - b does; with `side` nearer to the
/// centre than `radius`, the shortest path that passes through the shape. Ends inside the shape: the straight line.
template <class T>
RB_HD WrappedPath<T> find_wrapped_path(bool cylinder, double radius, const Vector3<T>& a, const Vector3<T>& b,
                                       const Vector3<T>* side)
{
    using namespace wrapping;
    using std::sqrt;
    // The plane: across the cylinder, or through the sphere's centre and both ends.
    Vector3<T> x{T(1.0), T(0.0), T(0.0)}, y{T(0.0), T(1.0), T(0.0)};
    if (!cylinder)
    {
        // Two points and the centre on one line have many planes: MuJoCo's choice.
        const Vector3<T> normal = cross(a, b);
        const auto parallel = dot(normal, normal) <= T(1e-24) * (dot(a, a) * dot(b, b));
        const Vector3<T> n = wrapping::choose(select(parallel, T(1.0), T(0.0)), any_normal(a), normal);
        x = T(1.0) / maximum(norm(a), tiny<T>(1e-100)) * a;
        const Vector3<T> up = cross(n, x);
        y = T(1.0) / maximum(norm(up), tiny<T>(1e-100)) * up;
    }
    // Both ends in the plane, the centre of the circle at its origin.
    const Point<T> first{dot(a, x), dot(a, y)}, second{dot(b, x), dot(b, y)};
    T winding = angle_between(first, second);
    auto through = winding > T(10.0);  // never
    if (side)
    {
        const Point<T> by{dot(*side, x), dot(*side, y)};
        winding = angle_between(first, by) + angle_between(by, second);
        through = dot(*side, *side) < T(radius * radius);
    }
    const PlanePath<T> plane = find_plane_path(first, second, winding, through, radius);

    WrappedPath<T> path;
    // On a cylinder a geodesic is straight once it is unrolled: its rise is shared by length along the flat path.
    const T flat = plane.first_length + plane.arc_length + plane.second_length;
    const T rise = cylinder ? b.z - a.z : T(0.0);  // unrolled, the path is straight
    const T slope = rise / select(flat > T(0.0), flat, T(1.0));
    const auto lift = [&](const Point<T>& p, const T& along)
    {
        const Vector3<T> flat_point = p.x * x + p.y * y;
        return cylinder ? Vector3<T>{flat_point.x, flat_point.y, a.z + slope * along} : flat_point;
    };
    // Contact points at their heights along the unrolled path.
    const Vector3<T> leave = lift(plane.first_contact, plane.first_length);
    const Vector3<T> meet = lift(plane.second_contact, plane.first_length + plane.arc_length);
    path.touches = plane.touches;
    // Pythagoras over the unrolled path.
    path.length = select(plane.touches > T(0.5), sqrt(flat * flat + rise * rise), norm(b - a));
    path.first_contact = wrapping::choose(path.touches, leave, a);
    path.second_contact = wrapping::choose(path.touches, meet, a);
    path.first_unit = unit_between(a, wrapping::choose(path.touches, leave, b));
    path.second_unit = unit_between(path.second_contact, b);
    return path;
}

}  // namespace rattleback
