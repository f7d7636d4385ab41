// What is found out about the corners of a pair of surfaces, once: the nearest places of the other surface, and which
// were followed. Small tables, in which later corners take the places of earlier ones.
#pragma once

#include "geometry/triangle_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rattleback
{

/// Corners are numbered 2 vertex + (0 or 1 for the two shapes).
class KnownCorners
{
public:
    /// At the begin of a pair.
    void forget()
    {
        ++pair_;
        last_ = {};
    }

    /// As find_nearest(surface, point, reach) for the corner of that number; -1: a point that is asked about once.
    template <class Surface>
    NearestOnSurface find_nearest_to(const Surface& surface, int corner, const Vec3& point, double reach)
    {
        if (corner < 0) return look(surface, 0, point, reach);
        Entry& entry = entries_[static_cast<std::size_t>(corner) % entries_.size()];
        const bool is_known = entry.pair == pair_ && entry.corner == corner;
        // What was found is the nearest, however far one looks; what was not found may lie further away.
        if (!is_known || (entry.nearest.triangle < 0 && entry.reach < reach))
            entry = {pair_, corner, reach, look(surface, static_cast<std::size_t>(corner % 2), point, reach)};
        return std::abs(entry.nearest.distance) <= reach ? entry.nearest : NearestOnSurface{};
    }

    /// True when a corner was followed in (nearly) this direction before in this pair; it is from then on.
    bool was_followed(int corner, const Vec3& direction)
    {
        Followed& entry = followed_[static_cast<std::size_t>(corner) % followed_.size()];
        constexpr double kSame = 0.95;  // cosine: what leads on down an edge hardly depends on less
        if (entry.pair == pair_ && entry.corner == corner && dot(entry.direction, direction) > kSame) return true;
        entry = {pair_, corner, direction};
        return false;
    }

private:
    /// Points of one pair lie near each other: the triangle nearest to the last one says how far to look at most.
    template <class Surface>
    NearestOnSurface look(const Surface& surface, std::size_t side, const Vec3& point, double reach)
    {
        Last& last = last_[side];
        if (last.surface == &surface)
        {
            const Vec3 way = point - find_nearest_on_triangle(surface.corners(last.triangle), point);
            // With room for rounding and for neighbours that are as near.
            reach = std::min(reach, (1 + 1e-9) * norm(way) + 1e-11);
        }
        const NearestOnSurface nearest = find_nearest(surface, point, reach);
        if (nearest.triangle >= 0) last = {&surface, nearest.triangle};
        return nearest;
    }

    struct Last
    {
        const void* surface = nullptr;
        int triangle = -1;
    };
    struct Entry
    {
        std::uint64_t pair = 0;
        int corner = -1;
        double reach = 0;
        NearestOnSurface nearest;
    };
    struct Followed
    {
        std::uint64_t pair = 0;
        int corner = -1;
        Vec3 direction;
    };
    std::array<Entry, 128> entries_;
    std::array<Followed, 128> followed_;
    std::array<Last, 2> last_;
    std::uint64_t pair_ = 0;
};

}  // namespace rattleback
