// Where two segments are nearest to each other, and two capsules around them.
#pragma once

#include "geometry/distance/local.h"
#include "math/masks.h"

namespace rattleback
{

/// The points c + t u, |t| <= half, of a capsule's axis in the frame of another shape.
struct CapsuleSegment
{
    Vec3 center, axis;
    double half = 0;

    Vec3 find_point(double t) const { return center + t * axis; }
};

/// Two segments, c ± half u each, in one world or a pack of them; `between` leads from the first centre to the second.
template <class T>
struct SegmentPair
{
    Vector3<T> first_axis, second_axis, between;
    double first_half = 0, second_half = 0;

    RB_HD Vector3<T> find_gap(const T& s, const T& t) const { return between + t * second_axis - s * first_axis; }
};

/// std::clamp(x, -half, half), without a branch.
template <class T>
RB_HD T clamp_to(double half, const T& x)
{
    return clamp(x, -half, half);
}

/// The middle of the stretch where two segments on nearly parallel lines run side by side, on the first one; outside it
/// the nearest end.
template <class T>
RB_HD T find_middle(const SegmentPair<T>& segments, const T& direction)
{
    // The second segment projected on the first, and what both have in common.
    const T center = dot(segments.between, segments.first_axis);
    const T half = absolute(direction) * T(segments.second_half);
    const T low = maximum(T(-segments.first_half), center - half);
    const T high = minimum(T(segments.first_half), center + half);
    return clamp_to(segments.first_half, T(0.5) * (low + high));
}

/// Places on the two axes where the segments are nearest: on the lines first, then clamped (Ericson 2005,
/// section 5.1.9, about the middles). `across` is the product of the axes; with it the lines' places keep their digits
/// down to the smallest angles.
template <class T>
RB_HD void find_places(const SegmentPair<T>& segments, const Vector3<T>& across, T& s, T& t)
{
    // Sine 1e-14 (1e-6 in floats): any point of the common stretch is as near, up to rounding.
    constexpr double kParallel = kIsSingle<T> ? 1e-12 : 1e-28;
    const T direction = dot(segments.first_axis, segments.second_axis);
    // Each place as a function of the other: s = d t + (b . u), t = d s - (b . v).
    const T on_first = dot(segments.between, segments.first_axis);
    const T on_second = dot(segments.between, segments.second_axis);
    const T sine_square = dot(across, across);
    const MaskOf<T> is_angled = sine_square > T(kParallel);
    T on_lines(0.0);
    if (any(is_angled))
        on_lines =
            clamp_to(segments.first_half, dot(cross(segments.between, segments.second_axis), across) / sine_square);
    if (any(without(make_mask<T>(true), is_angled)))
        on_lines = select(is_angled, on_lines, find_middle(segments, direction));
    const T beside = direction * on_lines - on_second;
    t = clamp_to(segments.second_half, beside);
    // Where the second place was clamped, the first one follows it.
    const T back = clamp_to(segments.first_half, direction * t + on_first);
    s = select(both(t <= beside, t >= beside), on_lines, back);
}

/// Takes from `v` what leads back over an axis at `place`: all of it inside the segment, at an end what points inwards.
template <class T>
RB_HD Vector3<T> remove_inward(const Vector3<T>& axis, const T& place, double half, const Vector3<T>& v)
{
    if (half == 0) return v;
    const T along = dot(axis, v), zero(0.0);
    const MaskOf<T> is_high = place >= T(half), is_low = without(place <= T(-half), is_high);
    const MaskOf<T> points_out = either(both(is_high, along >= zero), both(is_low, along <= zero));
    return select(points_out, v, v - along * axis);
}

/// Unit direction from the first segment to the second where they are nearest. Where they all but meet the difference
/// of the nearest points is rounding: then the direction across both, or `side` where that has none either.
template <class T>
RB_HD Vector3<T> find_normal(const SegmentPair<T>& segments, const Vector3<T>& across, const T& s, const T& t,
                             const T& noise, const Vector3<T>& side)
{
    constexpr double kNoAngle = kIsSingle<T> ? 1e-3 : 1e-6, kNoDirection = kIsSingle<T> ? 1e-6 : 1e-10;
    const T one(1.0);
    const Vector3<T> gap = segments.find_gap(s, t);
    // Segments that meet: across both axes, whatever is left of the gap.
    const T across_length = norm(across);
    const Vector3<T> upward = (one / across_length) * across;
    const Vector3<T> sideways = select(dot(upward, gap) < T(0.0), -upward, upward);
    const Vector3<T> normal = select(across_length > T(kNoDirection), sideways, side);
    // Elsewhere along the gap; what leads along an axis is rounding, but beyond an end it is part of the way.
    const Vector3<T> from_first = remove_inward(segments.first_axis, s, segments.first_half, gap);
    const Vector3<T> cleaned = remove_inward(-segments.second_axis, t, segments.second_half, from_first);
    const T length = norm(cleaned);
    // Inside both segments the way between them is across both; rounding must not turn it.
    const MaskOf<T> both_inside = both(absolute(s) < T(segments.first_half), absolute(t) < T(segments.second_half));
    const MaskOf<T> is_across = without(both_inside, across_length < T(kNoAngle));
    return select(without(length > noise, is_across), (one / length) * cleaned, normal);
}

/// The shortest way between two capsules: `normal` from the first to the second.
template <class T>
struct CapsuleGap
{
    T distance, s, t;  ///< of the surfaces, and the places on the axes [m]
    Vector3<T> on_first, normal;
};

/// Of capsules around the segments, with centres `length` apart [m]; the shapes have position, rotation and size.
template <class T, class Shape>
RB_HD CapsuleGap<T> find_capsule_gap(const Shape& first, const Shape& second, const SegmentPair<T>& segments,
                                     const T& length)
{
    constexpr double kNoise = kIsSingle<T> ? 1e-6 : 1e-14;
    CapsuleGap<T> found;
    const Vector3<T> across = cross(segments.first_axis, segments.second_axis);
    find_places(segments, across, found.s, found.t);
    const T reaches = length + T(segments.first_half) + T(segments.second_half);
    const T noise = maximum(T(kNoise) * reaches, T(kIsSingle<T> ? 1e-18 : kShortest));
    found.normal = find_normal(segments, across, found.s, found.t, noise, first.rotation.column(0));
    // Along the normal rather than the length of the gap: consistent with it to rounding.
    found.distance = dot(found.normal, segments.find_gap(found.s, found.t)) - T(first.size.x + second.size.x);
    found.on_first = first.position + found.s * segments.first_axis + T(first.size.x) * found.normal;
    return found;
}

}  // namespace rattleback
