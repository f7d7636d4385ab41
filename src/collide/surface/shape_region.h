// Where a convex shape can be touched at all: cheap tests that leave out planes, triangles and edges before contacts
// are looked for. They leave out only what surely has none: lengths are compared with a part in 10^9 to spare.
#pragma once

#include "collide/manifold/flat_part.h"
#include "collide/surface/edge_pair.h"
#include "collide/surface/triangle_tests.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

class ShapeRegion
{
public:
    /// `shape` in the frame of the surface; contacts nearer than `reach` [m] count.
    ShapeRegion(const PlacedShape& shape, double reach) : shape_(shape), reach_(reach)
    {
        if (shape.type == ShapeType::sphere || shape.type == ShapeType::capsule) radius_ = shape.size.x;
        slack_ = kSpare * (radius_ + reach);
        if (shape.type == ShapeType::sphere) return;
        if (shape.type == ShapeType::capsule) half_ = shape.size.y * shape.rotation.column(2);
        for (int axis = 0; axis < 3; ++axis)
        {
            const Vec3 along = shape.rotation.column(axis);
            upper_[axis] = find_extent(shape, along);
            lower_[axis] = shape.hull == nullptr ? -upper_[axis] : -find_extent(shape, -along);
            slack_ += kSpare * (upper_[axis] - lower_[axis]);
        }
    }

    /// A box around the shape in the surface's axes, wider by the reach.
    Aabb find_box() const
    {
        const auto reach = [&](const Vec3& direction) { return find_reach(direction) + reach_; };
        const Vec3 upper{reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})};
        if (shape_.hull == nullptr) return {shape_.position - upper, shape_.position + upper};
        const Vec3 lower{reach({-1, 0, 0}), reach({0, -1, 0}), reach({0, 0, -1})};
        return {shape_.position - lower, shape_.position + upper};
    }

    /// Signed distance of the shape above a plane [m].
    double find_gap(const Vec3& origin, const Vec3& normal) const
    {
        return dot(normal, shape_.position - origin) - find_reach(-normal);
    }
    /// True when the whole shape is behind a plane, further than the reach. `gap` is that of find_gap().
    bool is_behind(const Vec3& origin, const Vec3& normal, double gap) const
    {
        // Most shapes reach as far to one side as to the other.
        const double offset = dot(normal, shape_.position - origin);
        const double reach = shape_.hull == nullptr ? offset - gap : find_reach(normal);
        return offset + reach < -reach_ - slack_;
    }

    /// True for triangles further away than the reach, of balls only.
    bool is_far(const std::array<Vec3, 3>& corner) const
    {
        if (shape_.type != ShapeType::sphere) return false;
        const Vec3 way = shape_.position - find_nearest_on_triangle(corner, shape_.position);
        return dot(way, way) > limit() * limit();
    }

    /// False when no point that the shape shows the plane of a triangle has its foot on it. `gap` [m] is the shape's
    /// distance above that plane: a point's foot is no further from it than the reach, or than the shape is deep.
    bool may_lie_over(const std::array<Vec3, 3>& corner, double gap) const
    {
        if (shape_.type == ShapeType::sphere) return true;  // is_far() has said it
        const double margin = std::max(reach_, -gap) + slack_;
        const Vec3 a = to_shape(corner[0]), b = to_shape(corner[1]), c = to_shape(corner[2]);
        for (int axis = 0; axis < 3; ++axis)
        {
            if (std::min({a[axis], b[axis], c[axis]}) > upper_[axis] + margin ||
                std::max({a[axis], b[axis], c[axis]}) < lower_[axis] - margin)
                return false;
        }
        return true;
    }

    /// False when edge i between the corners of a triangle surely has no contact: it is too far away, or what lies
    /// nearest to it lies nearer to the triangle's face or another of its edges.
    bool is_near_edge(const std::array<Vec3, 3>& corner, const Vec3& normal, std::size_t i) const
    {
        const Vec3 &from = corner[i], &to = corner[(i + 1) % 3];
        if (radius_ > 0)
        {
            const RoundEdge seen = see_round(from, to);
            return !seen.is_far && (seen.is_open || !is_beside(seen, to - from, normal, corner[(i + 2) % 3] - from));
        }
        const Vec3 a = to_shape(from), b = to_shape(to);
        const double margin = reach_ + slack_;
        for (int axis = 0; axis < 3; ++axis)
        {
            if (std::min(a[axis], b[axis]) > upper_[axis] + margin ||
                std::max(a[axis], b[axis]) < lower_[axis] - margin)
                return false;
        }
        return true;
    }

    /// The same by what lies beyond the edge, and around its ends.
    template <class Surface>
    bool may_touch_edge(const Surface& surface, int number, const std::array<Vec3, 3>& corner, std::size_t i) const
    {
        const std::size_t next = (i + 1) % 3;
        const Vec3 &from = corner[i], &to = corner[next];
        const bool is_joined = surface.kind(number, i) != EdgeKind::border;
        const Vec3 beyond = is_joined ? Vec3(surface.beyond(number, i)) : Vec3{};
        if (is_joined && find_gap(from, beyond) >= reach_ + slack_) return false;
        if (radius_ > 0)
        {
            const RoundEdge seen = see_round(from, to);
            if (seen.is_open) return true;
            if (seen.place > kEnd && seen.place < 1 - kEnd)
                return !is_joined || !is_further(seen, find_inward(beyond, from - to), dot(to - from, to - from));
            if (seen.place > 0 && seen.place < 1) return true;
            const int end = surface.numbers(number)[seen.place <= 0 ? i : next];
            return surface.is_extreme(end, (1 / std::sqrt(seen.square)) * seen.away, 2 * find_sine());
        }
        if (shape_.type != ShapeType::box) return true;
        const std::array<int, 3> vertex = surface.numbers(number);
        return may_touch_box(surface, vertex[i], vertex[next], to_shape(from), to_shape(to));
    }

    /// Whether edges inside a ball count that it touches elsewhere: it does unless told.
    void keep_sunk(bool keeps) { keeps_sunk_ = keeps; }

    /// Of balls and capsules, else zero [m].
    double radius() const { return radius_; }
    /// How near to a ball's centre something must come [m].
    double limit() const { return radius_ + reach_ + slack_; }

private:
    Vec3 to_shape(const Vec3& point) const { return transpose_times(shape_.rotation, point - shape_.position); }

    /// How far the shape goes from its position along a unit direction [m].
    double find_reach(const Vec3& direction) const
    {
        return shape_.type == ShapeType::sphere ? radius_ : find_extent(shape_, direction);
    }

    /// An edge seen from the core of a ball or capsule: a point or a segment.
    struct RoundEdge
    {
        Vec3 away;             ///< from the nearest place of the edge to the core [m]
        double place = 0;      ///< of that place along the edge, 0 to 1
        double square = 0;     ///< of away
        bool is_far = false;   ///< further than the reach
        bool is_open = false;  ///< sunk in, or in more places than one: what it touches is to be found out
    };
    RoundEdge see_round(const Vec3& from, const Vec3& to) const
    {
        RoundEdge seen;
        const Vec3 edge = to - from;
        if (shape_.type == ShapeType::sphere)
        {
            const Vec3 way = shape_.position - from;
            seen.place = std::clamp(dot(way, edge) / dot(edge, edge), 0.0, 1.0);
            seen.away = way - seen.place * edge;
        }
        else
        {
            const EdgeNearest nearest =
                EdgePair(shape_.position - half_, shape_.position + half_, from, to).find_nearest();
            seen.place = nearest.second_place;
            seen.away = nearest.distance * nearest.normal;
            const Vec3 across = cross(half_, edge);
            seen.is_open = dot(across, across) < 1e-4 * dot(half_, half_) * dot(edge, edge);
        }
        seen.square = dot(seen.away, seen.away);
        // On the edge itself there is no direction to judge by.
        const double touching = (keeps_sunk_ ? 1 : 1e-6) * (radius_ + slack_);
        seen.is_far = seen.square > limit() * limit();
        // What has sunk in is kept, wherever it lies: see ConvexOnSurface::leave_edges().
        seen.is_open = seen.is_open || seen.square < touching * touching;
        return seen;
    }

    /// The slack of contacts with edges: see ConvexOnSurface::touch_edge().
    double find_sine() const { return shape_.type == ShapeType::sphere ? 1e-6 : kLeaningSine; }

    /// True when a direction leads clearly towards the shape, by twice the slack (a sine) of contacts with edges;
    /// `square` is its length's.
    bool is_further(const RoundEdge& seen, const Vec3& direction, double square) const
    {
        const double slack = find_sine(), along = dot(seen.away, direction);
        return along > 0 && along * along > 4 * slack * slack * seen.square * square;
    }

    /// True when the shape lies over the face beside an edge, or further along another edge of it; `aside` leads from
    /// the edge's begin to the face's third corner.
    bool is_beside(const RoundEdge& seen, const Vec3& edge, const Vec3& normal, const Vec3& aside) const
    {
        const double square = dot(edge, edge);
        if (seen.place > kEnd && seen.place < 1 - kEnd) return is_further(seen, find_inward(normal, edge), square);
        if (seen.place > 0 && seen.place < 1) return false;
        const Vec3 from_end = seen.place <= 0 ? aside : aside - edge, along = seen.place <= 0 ? edge : -edge;
        return is_further(seen, from_end, dot(from_end, from_end)) || is_further(seen, along, square);
    }

    /// An edge wholly over one face of a box touches by its ends, if at all, and along that face's normal.
    template <class Surface>
    bool may_touch_box(const Surface& surface, int first, int second, const Vec3& a, const Vec3& b) const
    {
        int outside = -1, above = 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            const double low = std::min(a[axis], b[axis]), high = std::max(a[axis], b[axis]);
            if (low > lower_[axis] + slack_ && high < upper_[axis] - slack_) continue;
            const bool over = low > upper_[axis] + slack_, under = high < lower_[axis] - slack_;
            if (outside >= 0 || (!over && !under)) return true;
            outside = axis;
            above = over ? 1 : -1;
        }
        if (outside < 0) return true;
        const Vec3 normal = -above * shape_.rotation.column(outside);
        constexpr double kClear = 1.5 * kLeaningSine;
        return surface.is_extreme(first, normal, kClear) || surface.is_extreme(second, normal, kClear);
    }

    static constexpr double kSpare = 1e-9;
    static constexpr double kEnd = 1e-5;  // of an edge: its ends are told from its middle by less
    const PlacedShape& shape_;
    double reach_;
    Vec3 lower_, upper_;  ///< of the shape in its own axes [m]
    double slack_ = 0;    ///< [m]
    double radius_ = 0;   ///< of balls and capsules [m]
    bool keeps_sunk_ = true;
    Vec3 half_;  ///< from a capsule's middle to its end [m]
};

}  // namespace rattleback
