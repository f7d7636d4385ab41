// Two segments: where their lines pass each other, and where the segments are nearest.
#pragma once

#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

/// Two edges that cross, seen along their common normal.
struct EdgeCrossing
{
    Vec3 on_first, on_second;  ///< [m]; on_first - on_second = distance * normal
    Vec3 normal;               ///< unit, from the second to the first
    double distance = 0;       ///< [m]
};

/// The shortest way between two segments.
struct EdgeNearest
{
    Vec3 on_second;                            ///< [m]
    Vec3 normal;                               ///< unit, from the second to the first; zero where they meet
    double distance = 0;                       ///< [m]
    double first_place = 0, second_place = 0;  ///< 0 to 1 along each

    bool at_first_end() const { return first_place <= 0 || first_place >= 1; }
    bool at_second_end() const { return second_place <= 0 || second_place >= 1; }
};

/// The ball around a segment.
struct EdgeBall
{
    Vec3 middle;        ///< twice the middle of the segment [m]
    double square = 0;  ///< of its length [m^2]

    EdgeBall() = default;
    EdgeBall(const Vec3& from, const Vec3& to) : middle(from + to), square(dot(to - from, to - from)) {}
};

/// True where two segments are surely further apart than `reach`: by the balls around them, with
/// (a + b + c)^2 <= 3 (a^2 + b^2 + c^2).
inline bool are_apart(const EdgeBall& first, const EdgeBall& second, double reach)
{
    const Vec3 way = first.middle - second.middle;
    return dot(way, way) > 3 * (first.square + second.square + 4 * reach * reach);
}

class EdgePair
{
public:
    EdgePair(const Vec3& first_from, const Vec3& first_to, const Vec3& second_from, const Vec3& second_to)
        : a_(first_from), b_(second_from), u_(first_to - first_from), v_(second_to - second_from), way_(a_ - b_)
    {
        // Lines a + s u and b + t v pass each other where way + s u - t v is along n = u x v:
        // s n^2 = (v x way) n, t n^2 = (u x way) n.
        n_ = cross(u_, v_);
        square_ = dot(n_, n_);
        s_ = dot(cross(v_, way_), n_);
        t_ = dot(cross(u_, way_), n_);
    }

    /// True when the lines pass each other within both segments, which are not (nearly) parallel.
    bool is_crossing() const
    {
        return s_ > 0 && s_ < square_ && t_ > 0 && t_ < square_ && square_ > 1e-6 * dot(u_, u_) * dot(v_, v_);
    }

    /// Where they cross; the normal towards `out`.
    EdgeCrossing find_crossing(const Vec3& out) const
    {
        Vec3 normal = (1 / std::sqrt(square_)) * n_;
        if (dot(normal, out) < 0) normal = -normal;
        return {.on_first = a_ + (s_ / square_) * u_,
                .on_second = b_ + (t_ / square_) * v_,
                .normal = normal,
                .distance = dot(normal, way_)};
    }

    /// Nearest points of the segments (Ericson, Real-Time Collision Detection, 5.1.9).
    EdgeNearest find_nearest() const
    {
        const double uu = dot(u_, u_), vv = dot(v_, v_), uv = dot(u_, v_), c = dot(u_, way_), f = dot(v_, way_);
        const double denominator = uu * vv - uv * uv;
        double s = denominator > 1e-12 * uu * vv ? std::clamp((uv * f - c * vv) / denominator, 0.0, 1.0) : 0;
        double t = (uv * s + f) / vv;
        if (t < 0 || t > 1)
        {
            t = std::clamp(t, 0.0, 1.0);
            s = std::clamp((uv * t - c) / uu, 0.0, 1.0);
        }
        EdgeNearest nearest{.on_second = b_ + t * v_, .first_place = s, .second_place = t};
        const Vec3 way = a_ + s * u_ - nearest.on_second;
        nearest.distance = norm(way);
        if (nearest.distance > 0) nearest.normal = (1 / nearest.distance) * way;
        return nearest;
    }

private:
    Vec3 a_, b_, u_, v_, way_, n_;
    double square_ = 0, s_ = 0, t_ = 0;
};

}  // namespace rattleback
