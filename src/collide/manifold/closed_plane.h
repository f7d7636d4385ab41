// Closed forms of shapes on planes: the parts that look down, as they are.
#pragma once

#include "collide/manifold/closed_points.h"
#include "math/broadcast.h"

#include <algorithm>

namespace rattleback
{

// A plane has no features: the contacts are the points of the shape that reach lowest. Which of them are shown must not
// flicker while a body rests, so that levels within a tolerance count as equal and the choice is by number.

/// What all of them share.
template <int N>
struct OnPlane
{
    static constexpr int kPointCount = N;
    static constexpr bool kSharesFrame = true;

    template <class Shape>
    RB_HD static Vector3<ScalarOf<Shape>> find_tangent(const Shape&)
    {
        return {};
    }

protected:
    /// A ball against a plane through `plane.position` with normal +z of its frame.
    template <class Shape, class T>
    RB_HD static TouchPoint<T> touch_ball(const Shape& plane, const Vector3<T>& center, double radius, double reach,
                                          double feature)
    {
        const Vector3<T> normal = plane.rotation.column(2);
        const T distance = dot(normal, center - plane.position) - T(radius);
        // Half-way between the ball's lowest point and the plane.
        return {distance < T(reach), distance, T(feature), center - (T(radius) + T(0.5) * distance) * normal, normal};
    }
};

struct PlaneSphere : OnPlane<1>
{
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& plane, const Shape& sphere, double reach, const Add& add)
    {
        add(0, touch_ball(plane, sphere.position, sphere.size.x, reach, 0));
    }
};

struct PlaneCapsule : OnPlane<2>
{
    /// Both end balls; a capsule that lies flat has two points, a standing one one.
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& plane, const Shape& capsule, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        const Vector3<T> half = T(capsule.size.y) * capsule.rotation.column(2);
        add(0, touch_ball(plane, capsule.position - half, capsule.size.x, reach, 0));
        add(1, touch_ball(plane, capsule.position + half, capsule.size.x, reach, 1));
    }
    /// The axis, so that the friction directions turn with the capsule and not with the world.
    template <class Shape>
    RB_HD static Vector3<ScalarOf<Shape>> find_tangent(const Shape& capsule)
    {
        return capsule.rotation.column(2);
    }
};

struct PlaneBox : OnPlane<4>
{
    /// The lower end of each of the four diagonals; bits 0, 1, 2 of a corner's number are the signs of x, y, z.
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& plane, const Shape& box, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        const Vector3<T> normal = plane.rotation.column(2), size = broadcast<T>(box.size);
        const T height = dot(normal, box.position - plane.position);
        const Vector3<T> local = transpose_times(box.rotation, normal);
        // Height of the corners over the centre: signed sums of three numbers.
        const T x = size.x * local.x, y = size.y * local.y, z = size.z * local.z;
        const MaskOf<T> is_near = height - absolute(x) - absolute(y) - absolute(z) < T(reach);
        if (!any(is_near)) return;
        // Of corners i and 7 - i (signs 1 and -1) the first unless the second is clearly lower: a box that lies flat
        // keeps its four lower corners while rounding makes it rock.
        const T level = T(find_level(box.size));
        const auto add_corner = [&](std::size_t place, const T& number, const T& sign, const T& sx, const T& sy)
        {
            const T distance = height + sign * (sx * x + sy * y - z);
            const MaskOf<T> touches = both(is_near, distance < T(reach));
            if (!any(touches)) return;
            const Vector3<T> corner{sign * sx * size.x, sign * sy * size.y, -sign * size.z};
            add(place, TouchPoint<T>{touches, distance, number,
                                     box.position + box.rotation * corner - (T(0.5) * distance) * normal, normal});
        };
        const auto find_rise = [&](int i)
        { return T((i & 1) != 0 ? 1.0 : -1.0) * x + T((i & 2) != 0 ? 1.0 : -1.0) * y - z; };
        if constexpr (kLaneCount<T> == 1)
            ask_corners(find_rise, level, add_corner);
        else
            sort_corners(find_rise, level, add_corner);
    }

private:
    /// Heights that differ by less are equal [m]: a part of the width, the second of the three sizes.
    RB_HD static double find_level(const Vec3& size)
    {
        constexpr double kPart = 1e-4;
        const double low = minimum(size.x, size.y), high = maximum(size.x, size.y);
        return kPart * maximum(low, minimum(high, size.z));
    }
    /// One world: every corner in the order of numbers, unless its opposite is the one. Written out, signs are
    /// constants, and nothing is sorted.
    template <class T, class FindRise, class AddCorner>
    RB_HD static void ask_corners(const FindRise& find_rise, const T& level, const AddCorner& add_corner)
    {
        std::size_t place = 0;
        const auto ask = [&](int number)
        {
            const bool is_opposite = number > 3;
            const int i = is_opposite ? 7 - number : number;
            if ((find_rise(i) > level) != is_opposite) return;
            add_corner(place++, T(number), T(is_opposite ? -1.0 : 1.0), T((i & 1) != 0 ? 1.0 : -1.0),
                       T((i & 2) != 0 ? 1.0 : -1.0));
        };
        ask(0), ask(1), ask(2), ask(3), ask(4), ask(5), ask(6), ask(7);
    }
    /// Lanes, each with corners of its own: their numbers, sorted.
    template <class T, class FindRise, class AddCorner>
    RB_HD static void sort_corners(const FindRise& find_rise, const T& level, const AddCorner& add_corner)
    {
        const T zero(0.0), one(1.0);
        T numbers[4];
        for (int i = 0; i < 4; ++i) numbers[i] = select(find_rise(i) > level, T(7.0 - i), T(1.0 * i));
        sort(numbers);
        for (std::size_t i = 0; i < 4; ++i)
        {
            // From the number back to its diagonal, whose corner it is (sign 1) or the one opposite (-1).
            const T sign = select(numbers[i] > T(3.5), -one, one);
            const T diagonal = select(sign < zero, T(7.0) - numbers[i], numbers[i]);
            const T sy = select(diagonal > T(1.5), one, -one);
            const T sx = select(select(sy > zero, diagonal - T(2.0), diagonal) > T(0.5), one, -one);
            add_corner(i, numbers[i], sign, sx, sy);
        }
    }
    /// Four numbers, by a network of five exchanges.
    template <class T>
    RB_HD static void sort(T (&numbers)[4])
    {
        constexpr int kExchanges[5][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
        for (const auto& pair : kExchanges)
        {
            const T a = numbers[pair[0]], b = numbers[pair[1]];
            numbers[pair[0]] = minimum(a, b);
            numbers[pair[1]] = maximum(a, b);
        }
    }
};

struct PlaneCylinder : OnPlane<4>
{
    static constexpr double kRimPoints = 8;  ///< numbers of one rim

    /// Standing: four points of the lower rim, of a cap that lies flat at fixed places of the cylinder, so that they do
    /// not wander, of a tilted one beginning with the lowest. Otherwise the ends of the lowest line of the side.
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& plane, const Shape& cylinder, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        constexpr double kSteepest = 0.70710678118654752, kFlat = 1e-4;
        const Vector3<T> normal = plane.rotation.column(2), axis = cylinder.rotation.column(2);
        const T radius = T(cylinder.size.x), half = T(cylinder.size.y), zero(0.0);
        const T cosine = dot(axis, normal), height = dot(normal, cylinder.position - plane.position);
        // Straight down within the cap: from the axis to the lowest line of the side.
        const Vector3<T> radial = cosine * axis - normal;
        const T sine = norm(radial);
        const MaskOf<T> is_near = height - radius * sine - half * absolute(cosine) < T(reach);
        if (!any(is_near)) return;
        const MaskOf<T> lies = both(is_near, absolute(cosine) <= T(kSteepest));
        const auto add_point =
            [&](std::size_t i, const MaskOf<T>& where, const Vector3<T>& point, const T& distance, const T& feature)
        {
            const MaskOf<T> touches = both(where, distance < T(reach));
            if (any(touches))
                add(i, TouchPoint<T>{touches, distance, feature, point - (T(0.5) * distance) * normal, normal});
        };
        // Lying: the two ends of the lowest line of the side.
        if (any(lies))
        {
            const Vector3<T> low = cylinder.position + (radius / sine) * radial;
            add_point(0, lies, low - half * axis, height - radius * sine - half * cosine, zero);
            add_point(1, lies, low + half * axis, height - radius * sine + half * cosine, T(kRimPoints));
        }
        const MaskOf<T> stands = without(is_near, lies), is_up = cosine > zero;
        if (!any(stands)) return;
        // Which cap looks down.
        const T end = select(is_up, -half, half), first = select(is_up, zero, T(kRimPoints));
        const Vector3<T> center = cylinder.position + end * axis;
        // Standing: four points of the rim, fixed to the cylinder while it is level.
        const Vector3<T> e = select(sine < T(kFlat), cylinder.rotation.column(0), (T(1.0) / sine) * radial);
        const Vector3<T> f = cross(select(is_up, axis, -axis), e);
        // Heights of four points of the rim, a quarter turn apart.
        const T level = height + end * cosine, rise_e = radius * dot(normal, e), rise_f = radius * dot(normal, f);
        add_point(0, stands, center + radius * e, level + rise_e, first);
        add_point(1, stands, center + radius * f, level + rise_f, first + T(2.0));
        add_point(2, stands, center - radius * e, level - rise_e, first + T(4.0));
        add_point(3, stands, center - radius * f, level - rise_f, first + T(6.0));
    }
};

struct PlaneEllipsoid : OnPlane<1>
{
    /// The unit ball stretched by the radii S reaches furthest along d at S normalize(S d).
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& plane, const Shape& ellipsoid, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        const Vector3<T> normal = plane.rotation.column(2), local = -transpose_times(ellipsoid.rotation, normal);
        const Vector3<T> radii = broadcast<T>(ellipsoid.size);
        const Vector3<T> ball{radii.x * local.x, radii.y * local.y, radii.z * local.z};
        const T extent = norm(ball), distance = dot(normal, ellipsoid.position - plane.position) - extent;
        const Vector3<T> lowest = (T(1.0) / extent) * Vector3<T>{radii.x * ball.x, radii.y * ball.y, radii.z * ball.z};
        const Vector3<T> point = ellipsoid.position + ellipsoid.rotation * lowest - (T(0.5) * distance) * normal;
        add(0, TouchPoint<T>{distance < T(reach), distance, T(0.0), point, normal});
    }
};

}  // namespace rattleback
