// Where two segments are nearest to each other.
#pragma once

#include "geometry/distance/local.h"

namespace rattleback
{

/// The points c + t u, |t| <= half, of a capsule's axis in the frame of another shape.
struct CapsuleSegment
{
    Vec3 center, axis;
    double half = 0;

    Vec3 find_point(double t) const { return center + t * axis; }
};

/// Two segments, c ± half u each; `between` leads from the first centre to the second.
struct SegmentPair
{
    Vec3 first_axis, second_axis, between;
    double first_half = 0, second_half = 0;

    Vec3 find_gap(double s, double t) const { return between + t * second_axis - s * first_axis; }
};

/// std::clamp(x, -half, half), without a branch.
inline double clamp_to(double half, double x) { return std::min(std::max(x, -half), half); }

/// The middle of the stretch where two segments on nearly parallel lines run side by side, on the first one; outside it
/// the nearest end.
inline double find_middle(const SegmentPair& segments, double direction)
{
    // The second segment projected on the first, and what both have in common.
    const double center = dot(segments.between, segments.first_axis);
    const double half = std::abs(direction) * segments.second_half;
    const double low = std::max(-segments.first_half, center - half);
    const double high = std::min(segments.first_half, center + half);
    return clamp_to(segments.first_half, 0.5 * (low + high));
}

/// Places on the two axes where the segments are nearest: on the lines first, then clamped (Ericson 2005,
/// section 5.1.9, about the middles). `across` is the product of the axes; with it the lines' places keep their digits
/// down to the smallest angles.
inline void find_places(const SegmentPair& segments, const Vec3& across, double& s, double& t)
{
    constexpr double kParallel = 1e-28;  // sine 1e-14: any point of the common stretch is as near, up to rounding
    const double direction = dot(segments.first_axis, segments.second_axis);
    // Each place as a function of the other: s = d t + (b . u), t = d s - (b . v).
    const double on_first = dot(segments.between, segments.first_axis);
    const double on_second = dot(segments.between, segments.second_axis);
    const double sine_square = dot(across, across);
    const double on_lines =
        sine_square > kParallel
            ? clamp_to(segments.first_half, dot(cross(segments.between, segments.second_axis), across) / sine_square)
            : find_middle(segments, direction);
    const double beside = direction * on_lines - on_second;
    t = clamp_to(segments.second_half, beside);
    // Where the second place was clamped, the first one follows it.
    const double back = clamp_to(segments.first_half, direction * t + on_first);
    s = t == beside ? on_lines : back;
}

}  // namespace rattleback
