// Where two flat parts lie over each other, seen along the contact normal.
#pragma once

#include "collide/manifold.h"
#include "collide/manifold/flat_part.h"

#include <algorithm>
#include <limits>

namespace rattleback
{

struct OverlapPoint
{
    double u, v;               ///< across the normal [m]
    double first_h, second_h;  ///< height of the two parts there, along the normal [m]
    std::uint64_t feature;

    double gap() const { return second_h - first_h; }
};

/// Corners of the region that the two parts share.
struct Overlap
{
    static constexpr int kMaxPoints = 4 * FlatPart::kMaxCorners;

    Overlap() = default;  // the array is filled up to `count` only

    int count = 0;
    std::array<OverlapPoint, kMaxPoints> points;

    void add(const OverlapPoint& point)
    {
        if (count < kMaxPoints) points[static_cast<std::size_t>(count++)] = point;
    }
    double find_deepest() const
    {
        double deepest = std::numeric_limits<double>::infinity();
        for (int i = 0; i < count; ++i) deepest = std::min(deepest, points[static_cast<std::size_t>(i)].gap());
        return deepest;
    }
    void drop_above(double reach)
    {
        const auto begin = points.begin();
        const auto is_above = [&](const OverlapPoint& p) { return p.gap() >= reach; };
        count = static_cast<int>(std::remove_if(begin, begin + count, is_above) - begin);
    }
    /// Is there a point within twice the tolerance [m] of this place?
    bool has_point_near(double u, double v, double tolerance) const
    {
        for (int i = 0; i < count; ++i)
        {
            const OverlapPoint& p = points[static_cast<std::size_t>(i)];
            const double du = p.u - u, dv = p.v - v;
            if (du * du + dv * dv <= 4 * tolerance * tolerance) return true;
        }
        return false;
    }
};

/// The corners of the common region of two parts. What differs by less than `tolerance` [m] counts as equal, so that
/// parts which lie flush show the same corners however they are jostled: corners of the second part that are inside the
/// first, then corners of the first inside the second that are not at a corner found already, then crossings of sides
/// that clearly cross. Segments are as wide as `lateral` [m] to each side where something lies along them.
void find_overlap(const FlatPart& first, const FlatPart& second, double tolerance, double lateral, Overlap& overlap);

/// Four corners, no disc and nothing beside it.
inline bool is_plain_quad(const FlatPart& part)
{
    return part.count == 4 && part.disc_radius == 0 && part.loose_count == 0;
}
/// The same for two of these.
void find_quad_overlap(const FlatPart& first, const FlatPart& second, double tolerance, Overlap& overlap);

/// Keeps at most `limit` (4 to 8) points: the deepest, the furthest from it and those that add most area; of nearly
/// equal ones that with the lowest feature, depths within `tolerance` [m] being equal.
void reduce_overlap(Overlap& overlap, int limit, double tolerance);

/// Adds the points to a manifold, in the order of their features.
void add_overlap(const Overlap& overlap, const NormalFrame& frame, Manifold& manifold);

}  // namespace rattleback
