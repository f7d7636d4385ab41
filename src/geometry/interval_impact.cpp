// Algorithm 1 of [RigidIPC]: chords of a curved path, the interval bound of their error, and a linear test.
#include "geometry/interval_impact.h"

#include <algorithm>

namespace rattleback
{

namespace
{

using Range3 = Vector3<Interval>;

Range3 make_range(const Vec3& a) { return {a.x, a.y, a.z}; }
Interval find_squared_length(const Range3& a) { return square(a.x) + square(a.y) + square(a.z); }

/// e of Eq. 20: a bound on how far the curve is from the chord between two places, during [begin, end].
double find_chord_error(const RigidPath& path, const Vec3& point, double begin, double end, const Vec3& from,
                        const Vec3& to)
{
    const Range3 place = find_place(path, point, {begin, end});
    const Range3 chord = make_range(from) + Interval(0, 1) * (make_range(to) - make_range(from));
    return sqrt(find_squared_length(place - chord)).upper;
}

Simplex place_at(const RigidTrack& track, const Simplex& simplex, double time)
{
    const RigidTrack::Moment moment = track.at(time);
    Simplex placed = simplex;
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
        placed.corner[i] = moment.center + moment.rotation * simplex.corner[i];
    return placed;
}

/// One of the two bodies on a piece of its path.
struct Piecewise
{
    const RigidTrack& track;
    const Simplex& simplex;
    Simplex begin, end;

    double find_error(double t0, double t1) const
    {
        double error = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
            error = std::max(error,
                             find_chord_error(track.path(), simplex.corner[i], t0, t1, begin.corner[i], end.corner[i]));
        return error;
    }
};

}  // namespace

Vector3<Interval> find_place(const RigidPath& path, const Vec3& point, const Interval& time)
{
    // A product of a unit quaternion and a vector is within a few ulp; so is the rotation that the quaternion stands
    // for.
    const Vec3 arm = rotate(path.rotation, point);
    const double error = 2e-15 * norm(point);
    const Range3 x{Interval(arm.x - error, arm.x + error), Interval(arm.y - error, arm.y + error),
                   Interval(arm.z - error, arm.z + error)};
    const Range3 theta = make_range(path.turn) + time * make_range(path.turning);
    const Interval angle = sqrt(find_squared_length(theta));
    // R x = x + sinc(a) θ x x + sinc(a / 2)^2 / 2 θ x (θ x x)
    const Interval half = sinc(Interval(0.5) * angle);
    const Range3 across = cross(theta, x);
    return make_range(path.center) + time * make_range(path.motion) + x + sinc(angle) * across +
           (Interval(0.5) * square(half)) * cross(theta, across);
}

CertifiedImpact interval_time_of_impact(const RigidTrack& first_track, const Simplex& first,
                                        const RigidTrack& second_track, const Simplex& second,
                                        const CertifiedOptions& options, const IntervalOptions& interval)
{
    // Line numbers are those of Algorithm 1. Ends of pieces on the stack halve: 64 are more than there are bits.
    constexpr std::size_t kDepth = 64;
    std::array<double, kDepth> stack{};
    std::size_t depth = 1;
    stack[0] = options.latest;  // 2: ts = {1}
    CertifiedImpact impact;
    double& t0 = impact.time;
    Piecewise a{first_track, first, place_at(first_track, first, 0), {}};
    Piecewise b{second_track, second, place_at(second_track, second, 0), {}};
    while (depth > 0)
    {
        const double t1 = stack[depth - 1];  // 5
        ++impact.advances;
        const double distance = norm(find_nearest(a.begin, b.begin).between) - options.separation;  // 6
        a.end = place_at(first_track, first, t1);
        b.end = place_at(second_track, second, t1);
        const double error = a.find_error(t0, t1) + b.find_error(t0, t1);  // 7
        const double middle = 0.5 * (t0 + t1);
        const bool can_halve = depth < kDepth && middle > t0 && middle < t1;
        const auto halve = [&] { stack[depth++] = middle; };
        if (error >= interval.delta * distance && (impact.advances < interval.max_subdivisions || t0 == 0) && can_halve)
        {
            halve();  // 9
            continue;
        }
        const CertifiedOptions linear{options.separation + error, options.tolerance, 1, options.max_advances};
        const CertifiedImpact hit = certified_time_of_impact({a.begin, a.end}, {b.begin, b.end}, linear);  // 13
        if (hit.state != CertifiedState::apart)
        {
            if (t0 == 0 && hit.time == 0 && can_halve)
            {
                halve();  // 16: there is always some way to go
                continue;
            }
            // 20; a little less than the product, which is rounded
            impact.time = t0 + hit.time * (t1 - t0) * (1 - 1e-15);
            impact.state = CertifiedState::touch;
            return impact;
        }
        --depth;  // 22
        t0 = t1;
        a.begin = a.end;
        b.begin = b.end;
    }
    impact.state = CertifiedState::apart;
    return impact;
}

}  // namespace rattleback
