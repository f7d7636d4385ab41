// Where two flat parts lie over each other, seen along the contact normal.
#pragma once

#include "collide/manifold.h"
#include "collide/manifold/flat_part.h"

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
};

/// The corners of the common region of two parts. What differs by less than `tolerance` [m] counts as equal, so that
/// parts which lie flush show the same corners however they are jostled: corners of the second part that are inside the
/// first, then corners of the first inside the second that are not at a corner found already, then crossings of sides
/// that clearly cross. Segments are as wide as `lateral` [m] to each side where something lies along them.
void find_overlap(const FlatPart& first, const FlatPart& second, double tolerance, double lateral, Overlap& overlap);

/// Keeps at most `limit` (4 to 8) points: the deepest, the furthest from it and those that add most area; of nearly
/// equal ones that with the lowest feature, depths within `tolerance` [m] being equal.
void reduce_overlap(Overlap& overlap, int limit, double tolerance);

/// Adds the points to a manifold, in the order of their features.
void add_overlap(const Overlap& overlap, const NormalFrame& frame, Manifold& manifold);

}  // namespace rattleback
