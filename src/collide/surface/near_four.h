// One triangle against four others at a time: which of their features may touch at all. The tests leave out only what
// surely does not, with room for rounding; what they keep is looked at again one by one.
#pragma once

#include "collide/surface/triangle_tests.h"
#include "geometry/triangle_pack.h"

namespace rattleback
{

/// What may touch of a triangle and one of four others.
struct NearPair
{
    bool corners = false;    ///< a corner of ours their face
    bool faces = false;      ///< a corner of theirs our face
    bool may_cross = false;  ///< both reach through the other's plane
    unsigned edges = 0;      ///< bit 3 i + k: our edge i their edge k
    bool any() const { return corners || faces || may_cross || edges != 0; }
};

/// One edge a + s u beside four edges b + t v: s and t from 0 to 1.
class EdgesFour
{
public:
    /// `way` is a - b; `first_third` and `second_third` lead from a and b to the third corners of the edges' triangles.
    EdgesFour(const Vector3<Pack4>& u, const Vector3<Pack4>& v, const Vector3<Pack4>& way, const Pack4& uu,
              const Pack4& vv, const Vector3<Pack4>& first_third, const Vector3<Pack4>& second_third)
        : u_(u),
          v_(v),
          way_(way),
          first_third_(first_third),
          second_third_(second_third),
          uu_(uu),
          vv_(vv),
          uv_(dot(u, v)),
          c_(dot(u, way)),
          f_(dot(v, way))
    {
        const Pack4 product = uu * vv, denominator = product - uv_ * uv_;
        const Mask4 is_line = denominator > Pack4(1e-12) * product;
        const Pack4 divisor = select(is_line, denominator, Pack4(1));
        is_skew_ = denominator > Pack4(0.9e-6) * product;
        s_ = select(is_line, (uv_ * f_ - c_ * vv) / divisor, Pack4(0));
        t_ = (uu * f_ - c_ * uv_) / divisor;
    }

    /// Lanes whose lines may pass each other within both edges, as EdgePair::is_crossing(), in front within the reach
    /// (`once` lanes) or behind (these and the `crossing` lanes), and towards no third corner: there the faces lie.
    unsigned find_passing(unsigned once, unsigned crossing, double reach) const
    {
        const Mask4 inside_first = both(s_ > Pack4(-kSpare), s_ < Pack4(1 + kSpare));
        const Mask4 inside_second = both(t_ > Pack4(-kSpare), t_ < Pack4(1 + kSpare));
        const unsigned passing = bits(both(both(inside_first, inside_second), is_skew_));
        if ((passing & (once | crossing)) == 0) return 0;
        const Vector3<Pack4> normal = cross(u_, v_);
        const Pack4 square = dot(normal, normal), length = sqrt(square), along = dot(normal, way_);
        constexpr double kSine = 1.01 * kLeaningSine;
        const Pack4 ours = dot(normal, first_third_), theirs = dot(normal, second_third_);
        const Pack4 slack_ours = Pack4(kSine * kSine) * square * dot(first_third_, first_third_);
        const Pack4 slack_theirs = Pack4(kSine * kSine) * square * dot(second_third_, second_third_);
        const Mask4 hardly_ours = ours * ours <= slack_ours, hardly_theirs = theirs * theirs <= slack_theirs;
        const Pack4 zero(0);
        // The normal from theirs to ours is `normal` or its opposite.
        const unsigned plus = bits(both(either(theirs <= zero, hardly_theirs), either(ours >= zero, hardly_ours)));
        const unsigned minus = bits(both(either(theirs >= zero, hardly_theirs), either(ours <= zero, hardly_ours)));
        const Pack4 near = Pack4(reach * (1 + kSpare)) * length, touching = Pack4(kSpare) * length * sqrt(uu_ + vv_);
        const auto within = [&](const Pack4& distance)
        { return (once & bits(distance < near)) | (crossing & bits(distance < touching)); };
        return passing & ((plus & within(along)) | (minus & within(-along)));
    }

    /// Lanes whose nearest points are within the reach, and no nearer to a third corner: as EdgePair::find_nearest().
    unsigned find_ends(double reach) const
    {
        Pack4 s = clamp(s_, 0, 1);
        const Pack4 free = (uv_ * s + f_) / vv_, t = clamp(free, 0, 1);
        const Pack4 again = clamp((uv_ * t - c_) / uu_, 0, 1);
        s = select(either(free<Pack4(0), free> Pack4(1)), again, s);
        const Vector3<Pack4> between = way_ + s * u_ - t * v_;
        const Pack4 square = dot(between, between);
        const unsigned near = bits(square <= Pack4(reach * reach * (1 + kSpare)));
        if (near == 0) return 0;
        // Nearly parallel edges have many nearest points, and touching ones no direction.
        const Mask4 is_sure = both(is_skew_, square > Pack4(1e-14) * (uu_ + vv_));
        const auto leads_away = [&](const Vector3<Pack4>& to_third, const Vector3<Pack4>& from_other)
        {
            const Pack4 along = dot(from_other, to_third);
            constexpr double kSine = 1e-5;  // ten times the slack of ends
            return both(along > Pack4(0), along * along > Pack4(kSine * kSine) * square * dot(to_third, to_third));
        };
        const Mask4 misses =
            either(leads_away(second_third_ - t * v_, between), leads_away(first_third_ - s * u_, -between));
        return near & ~bits(both(is_sure, misses));
    }

private:
    static unsigned bits(const Mask4& mask) { return static_cast<unsigned>(to_bits(mask)); }
    static constexpr double kSpare = 1e-9;

    Vector3<Pack4> u_, v_, way_, first_third_, second_third_;
    Pack4 uu_, vv_, uv_, c_, f_, s_, t_;
    Mask4 is_skew_;
};

class NearFour
{
public:
    /// `once`: bit i, edge i of ours is looked at from this triangle; an edge belongs to two.
    NearFour(const SurfaceTriangle& ours, unsigned once, double reach)
        : ours_(ours), reach_(reach), normal_(spread(ours.normal)), once_(once)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            corner_[i] = spread(ours.corner[i]);
            const Vec3 side = ours.corner[(i + 1) % 3] - ours.corner[i];
            side_[i] = spread(side);
            inward_[i] = spread(find_inward(ours.normal, side));
            square_[i] = Pack4(dot(side, side));
        }
    }

    /// Looks at four. `their_once` and `their_corners`: bit 4 k + lane, edge or corner k of theirs is looked at from
    /// that triangle.
    void look(const FacetFour& theirs, unsigned their_once, unsigned their_corners,
              std::array<NearPair, 4>& pairs) const
    {
        for (NearPair& pair : pairs) pair = {};
        const Pack4 reach(reach_), zero(0);
        std::array<Pack4, 3> above, below;
        const Pack4 offset = dot(theirs.normal, theirs.corner[0]), our_offset = dot(normal_, corner_[0]);
        for (std::size_t i = 0; i < 3; ++i)
        {
            above[i] = dot(theirs.normal, corner_[i]) - offset;
            below[i] = dot(normal_, theirs.corner[i]) - our_offset;
        }
        // One wholly in front of the other: too far away for any contact.
        const Pack4 lowest = minimum(minimum(above[0], above[1]), above[2]);
        const Pack4 their_lowest = minimum(minimum(below[0], below[1]), below[2]);
        const unsigned near = bits(both(lowest < reach, their_lowest < reach));
        if (near == 0) return;
        const Pack4 highest = maximum(maximum(above[0], above[1]), above[2]);
        const Pack4 their_highest = maximum(maximum(below[0], below[1]), below[2]);
        const unsigned crossing =
            near & bits(both(both(lowest < zero, highest >= zero), both(their_lowest < zero, their_highest >= zero)));
        const unsigned corners = near & find_corners(theirs, above),
                       faces = near & find_faces(theirs, their_corners, below);
        for (unsigned lane = 0; lane < 4; ++lane)
        {
            NearPair& pair = pairs[lane];
            pair.corners = (corners >> lane & 1U) != 0;
            pair.faces = (faces >> lane & 1U) != 0;
            pair.may_cross = (crossing >> lane & 1U) != 0;
        }
        for (std::size_t k = 0; k < 3; ++k)
        {
            const unsigned their = their_once >> (4 * k) & near;
            if ((their | crossing) != 0) find_edges(theirs, k, their, crossing, pairs);
        }
    }

private:
    static unsigned bits(const Mask4& mask) { return static_cast<unsigned>(to_bits(mask)); }

    /// Lanes over which a corner that this triangle speaks for stands, or behind whose plane it lies: find_over() says
    /// the rest.
    unsigned find_corners(const FacetFour& theirs, const std::array<Pack4, 3>& above) const
    {
        unsigned found = 0;
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (!ours_.owns[i]) continue;
            const unsigned near = bits(above[i] < Pack4(reach_));
            if (near == 0) continue;
            unsigned inside = 0xfU;
            for (std::size_t k = 0; k < 3; ++k)
            {
                const Vector3<Pack4> side = theirs.corner[(k + 1) % 3] - theirs.corner[k];
                const Pack4 inward = dot(cross(theirs.normal, side), corner_[i] - theirs.corner[k]);
                inside &= bits(inward >= Pack4(-kSpare) * dot(side, side));
            }
            found |= near & (inside | bits(above[i] < Pack4(0)));
        }
        return found;
    }
    unsigned find_faces(const FacetFour& theirs, unsigned their_corners, const std::array<Pack4, 3>& below) const
    {
        unsigned found = 0;
        for (std::size_t i = 0; i < 3; ++i)
        {
            const unsigned near = their_corners >> (4 * i) & bits(below[i] < Pack4(reach_));
            if (near == 0) continue;
            unsigned inside = 0xfU;
            for (std::size_t k = 0; k < 3; ++k)
            {
                const Pack4 inward = dot(inward_[k], theirs.corner[i] - corner_[k]);
                inside &= bits(inward >= Pack4(-kSpare) * square_[k]);
            }
            found |= near & (inside | bits(below[i] < Pack4(0)));
        }
        return found;
    }

    /// Their edge k against ours. Edges that speak for themselves (`their` lanes, `once_` edges) touch where they are
    /// nearer than the reach; others (`crossing` lanes) only where they pass each other sunk in.
    void find_edges(const FacetFour& theirs, std::size_t k, unsigned their, unsigned crossing,
                    std::array<NearPair, 4>& pairs) const
    {
        const Vector3<Pack4>& from = theirs.corner[k];
        const Vector3<Pack4> v = theirs.corner[(k + 1) % 3] - from, their_third = theirs.corner[(k + 2) % 3] - from;
        const Pack4 vv = dot(v, v);
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (!sticks_out(ours_.kind[i])) continue;
            const unsigned once = (once_ >> i & 1U) != 0 ? their : 0U;
            // Balls around both, as are_apart().
            const Vector3<Pack4> way = corner_[i] - from, middles = Pack4(2) * way + side_[i] - v;
            const Pack4 limit = Pack4(3 * (1 + kSpare)) * (square_[i] + vv + Pack4(4 * reach_ * reach_));
            const unsigned wanted = (once | crossing) & bits(dot(middles, middles) <= limit);
            if (wanted == 0) continue;
            const EdgesFour edges(side_[i], v, way, square_[i], vv, corner_[(i + 2) % 3] - corner_[i], their_third);
            unsigned found = wanted & edges.find_passing(once, crossing, reach_);
            if ((once & wanted) != 0) found |= once & wanted & edges.find_ends(reach_);
            for (; found != 0; found &= found - 1)
                pairs[static_cast<std::size_t>(__builtin_ctz(found))].edges |= 1U << (3 * i + k);
        }
    }

    static constexpr double kSpare = 2e-9;

    const SurfaceTriangle& ours_;
    double reach_;
    std::array<Vector3<Pack4>, 3> corner_, side_, inward_;
    std::array<Pack4, 3> square_;
    Vector3<Pack4> normal_;
    unsigned once_;
};

}  // namespace rattleback
