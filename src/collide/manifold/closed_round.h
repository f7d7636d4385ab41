// Closed forms of round shapes: one point where two surfaces are nearest, two where capsules lie side by side.
#pragma once

#include "base/apart.h"
#include "collide/manifold/closed_points.h"
#include "geometry/distance/nearest.h"
#include "geometry/distance/segments.h"

namespace rattleback
{

// Shapes without flat faces touch in a point; only capsules side by side touch along a line, which two points at its
// ends stand for. Features of such points are ends of capsules: they stay while the capsules slide along each other.

/// What all of them share.
template <int N>
struct Round
{
    static constexpr int kPointCount = N;
    static constexpr bool kSharesFrame = N == 1;

    template <class Shape>
    RB_HD static Vector3<ScalarOf<Shape>> find_tangent(const Shape&)
    {
        return {};
    }

protected:
    /// The point of the shortest way. Rounding may leave out the normal of shapes within reach, or stretch it where
    /// they all but touch.
    template <class T>
    RB_HD static TouchPoint<T> make_point(const MaskOf<T>& where, const T& distance, const Vector3<T>& on_first,
                                          const Vector3<T>& normal, double reach)
    {
        const Vector3<T> on_second = on_first + distance * normal;
        const T square = dot(normal, normal);
        const MaskOf<T> touches = both(where, both(distance < T(reach), square >= T(0.5)));
        // One step of Newton for 1 / sqrt.
        const Vector3<T> unit = (T(1.5) - T(0.5) * square) * normal;
        return {touches, distance, T(0.0), T(0.5) * (on_first + on_second), unit};
    }
};

struct SphereSphere : Round<1>
{
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& first, const Shape& second, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        const T zero(0.0), one(1.0);
        const Vector3<T> between = second.position - first.position;
        const T length = norm(between), distance = length - T(first.size.x + second.size.x);
        // Concentric: every direction is as good, so always the same.
        const Vector3<T> normal =
            select(length > T(kShortestIn<T>), (one / length) * between, Vector3<T>{one, zero, zero});
        add(0, make_point(make_mask<T>(true), distance, first.position + T(first.size.x) * normal, normal, reach));
    }
};

/// A ball and a shape for which Nearest::find(size, point) knows the nearest point of its surface.
template <class Nearest>
struct BallAnd : Round<1>
{
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& sphere, const Shape& other, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        // Nearest point of the other surface to the ball's centre.
        const NearestPoint<T> surface =
            Nearest::find(other.size, transpose_times(other.rotation, sphere.position - other.position));
        const T radius = T(sphere.size.x), distance = surface.distance - radius;
        const MaskOf<T> touches = distance < T(reach);
        if (!any(touches)) return;
        // The normal of a contact points from the first shape to the second: out of the ball.
        const Vector3<T> normal = -(other.rotation * surface.normal);
        add(0,
            TouchPoint<T>{touches, distance, T(0.0), sphere.position + (radius + T(0.5) * distance) * normal, normal});
    }
};
struct NearestOnCapsule
{
    template <class T>
    RB_HD static NearestPoint<T> find(const Vec3& size, const Vector3<T>& p)
    {
        return find_nearest_to_capsule(size, p);
    }
};
struct NearestOnBox
{
    template <class T>
    RB_HD static NearestPoint<T> find(const Vec3& size, const Vector3<T>& p)
    {
        return find_nearest_to_box(size, p);
    }
};
struct NearestOnCylinder
{
    template <class T>
    RB_HD static NearestPoint<T> find(const Vec3& size, const Vector3<T>& p)
    {
        return find_nearest_to_cylinder(size, p);
    }
};
using SphereCapsule = BallAnd<NearestOnCapsule>;
using SphereBox = BallAnd<NearestOnBox>;
using SphereCylinder = BallAnd<NearestOnCylinder>;

struct CapsuleCapsule : Round<2>
{
    template <class Shape, class Add>
    RB_HD static void touch(const Shape& first, const Shape& second, double reach, const Add& add)
    {
        using T = ScalarOf<Shape>;
        constexpr double kParallel = 1e-6;  // sine squared
        const SegmentPair<T> segments = make_segments(first, second);
        const Vector3<T> across = cross(segments.first_axis, segments.second_axis);
        const MaskOf<T> is_angled = dot(across, across) > T(kParallel);
        MaskOf<T> meets = is_angled, is_parallel = without(make_mask<T>(true), is_angled);
        // Axes at an angle touch in one point.
        if (any(is_angled))
            meets = without(is_angled, touch_clear(first, second, segments, across, is_angled, reach, add));
        if (any(either(is_parallel, meets))) touch_rare(first, second, is_parallel, meets, reach, add);
    }

private:
    template <class Shape>
    RB_HD static SegmentPair<ScalarOf<Shape>> make_segments(const Shape& first, const Shape& second)
    {
        return {first.rotation.column(2), second.rotation.column(2), second.position - first.position, first.size.y,
                second.size.y};
    }

    /// What few pairs are. Takes copies, and makes the segments anew: nothing of the common way must lie in memory.
    template <class Shape, class Mask, class Add>
    RB_APART RB_HD static void touch_rare(const Shape& first, const Shape& second, Mask is_parallel, Mask meets,
                                          double reach, Add add)
    {
        const auto segments = make_segments(first, second);
        // Parallel ones along a line, or in one point where they have no stretch in common.
        if (any(is_parallel)) meets = either(meets, touch_parallel(first, second, segments, is_parallel, reach, add));
        // Axes that nearly meet.
        if (any(meets)) touch_meeting(first, second, segments, meets, reach, add);
    }

    /// Where axes are well apart: the balls around the nearest places. Returns the lanes where they are.
    template <class Shape, class T, class Add>
    RB_HD static MaskOf<T> touch_clear(const Shape& first, const Shape& second, const SegmentPair<T>& segments,
                                       const Vector3<T>& across, const MaskOf<T>& where, double reach, const Add& add)
    {
        constexpr double kClear = 1e-6;  // squared: the way between the axes over their lengths
        T s, t;
        find_places(segments, across, s, t);
        const Vector3<T> gap = segments.find_gap(s, t);
        const T square = dot(gap, gap), reaches = T(first.size.y + second.size.y), radius = T(first.size.x);
        // Axes that nearly meet have no direction between them.
        const MaskOf<T> is_clear = both(where, square > T(kClear) * reaches * reaches);
        // Most packs are too far apart in all lanes, with room for the rounding of the root. One world takes the root.
        const double bar = 1.001 * (first.size.x + second.size.x + absolute(reach));
        if (kLaneCount<T> > 1 && !any(both(is_clear, square < T(bar * bar)))) return is_clear;
        const T length = sqrt_of(square), distance = length - radius - T(second.size.x);
        const MaskOf<T> touches = both(is_clear, distance < T(reach));
        if (!any(touches)) return is_clear;
        const Vector3<T> normal = (T(1.0) / length) * gap;
        add(0, TouchPoint<T>{touches, distance, T(0.0),
                             first.position + s * segments.first_axis + (radius + T(0.5) * distance) * normal, normal});
        return is_clear;
    }

    /// Two points, at the ends of the common stretch. Returns the lanes without one, which meet in one point.
    template <class Shape, class T, class Add>
    RB_HD static MaskOf<T> touch_parallel(const Shape& first, const Shape& second, const SegmentPair<T>& segments,
                                          const MaskOf<T>& where, double reach, const Add& add)
    {
        constexpr double kFlush = 1e-4;  // of the radius: ends this near count as one
        // As far apart as the sum of all lengths they cannot touch.
        const double bar = first.size.x + second.size.x + first.size.y + second.size.y + reach;
        const MaskOf<T> is_near = both(where, dot(segments.between, segments.between) < T(bar * bar));
        if (!any(is_near)) return is_near;
        // Where the two stretches lie beside each other.
        const T middle = dot(segments.between, segments.first_axis), half = T(first.size.y), zero(0.0);
        const MaskOf<T> is_same = dot(segments.first_axis, segments.second_axis) > zero;
        const T low = maximum(-half, middle - T(second.size.y)), high = minimum(half, middle + T(second.size.y));
        const T flush = T(kFlush * minimum(first.size.x, second.size.x));
        const T aside = norm(segments.between - middle * segments.first_axis);
        // No common stretch, or one inside the other: one point.
        const MaskOf<T> is_single = both(is_near, either(high - low <= flush, aside <= flush));
        const MaskOf<T> is_double = without(is_near, is_single);
        if (!any(is_double)) return is_single;
        // The common stretch begins at an end of the first capsule, unless the second's is clearly further in.
        // Whose end it is decides the feature, so that it stays while the capsules slide.
        const MaskOf<T> low_is_first = low <= -half + flush, high_is_first = high >= half - flush;
        const T second_low = select(is_same, T(2.0), T(3.0)), second_high = select(is_same, T(3.0), T(2.0));
        const auto find_point = [&](const T& s, const T& feature)
        {
            const T t = clamp_to(second.size.y, select(is_same, s - middle, middle - s));
            TouchPoint<T> point = touch_balls(first, second, segments, s, t, feature, reach);
            point.touches = both(is_double, point.touches);
            return point;
        };
        const TouchPoint<T> one = find_point(select(low_is_first, -half, low), select(low_is_first, zero, second_low));
        const TouchPoint<T> two =
            find_point(select(high_is_first, half, high), select(high_is_first, T(1.0), second_high));
        // In the order of their features.
        const MaskOf<T> is_turned = one.feature > two.feature;
        add(0, select(is_turned, two, one));
        add(1, select(is_turned, one, two));
        return is_single;
    }

    /// The ball of the first capsule at `s` against that of the second at `t`.
    template <class Shape, class T>
    RB_HD static TouchPoint<T> touch_balls(const Shape& first, const Shape& second, const SegmentPair<T>& segments,
                                           const T& s, const T& t, const T& feature, double reach)
    {
        const T radius = T(first.size.x);
        const Vector3<T> center = first.position + s * segments.first_axis;
        const Vector3<T> between = second.position + t * segments.second_axis - center;
        const T length = norm(between), distance = length - radius - T(second.size.x);
        const Vector3<T> normal = (T(1.0) / length) * between;
        return {both(distance<T(reach), length> T(0.0)), distance, feature,
                center + (radius + T(0.5) * distance) * normal, normal};
    }

    /// By the distance of the two capsules, which knows a direction where the axes meet.
    template <class Shape, class T, class Add>
    RB_HD static void touch_meeting(const Shape& first, const Shape& second, const SegmentPair<T>& segments,
                                    const MaskOf<T>& where, double reach, const Add& add)
    {
        const T length = norm(segments.between);
        // Centres further apart than all lengths do not touch.
        const T lower = length - T(first.size.y) - T(second.size.y) - T(first.size.x + second.size.x);
        const CapsuleGap<T> gap = find_capsule_gap(first, second, segments, length);
        const MaskOf<T> is_near = lower <= T(reach);
        add(0, make_point(both(where, is_near), gap.distance, gap.on_first, gap.normal, reach));
    }

    template <class T>
    RB_HD static T sqrt_of(const T& a)
    {
        using std::sqrt;
        return sqrt(a);
    }
};

}  // namespace rattleback
