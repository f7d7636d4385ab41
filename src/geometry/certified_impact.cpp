// Certified time of impact by separating directions.
//
// Let x(t) be a corner at distance r from the centre of a frame that turns by exp(turn + t turning). Duhamel's formula
// gives |d^n R / dt^n| <= |turning|^n, so |x''| <= c = |turning|^2 r. For a fixed direction n and corners a, b of the
// two simplices Taylor's theorem then says, with g(t) = n . (a(t) - b(t)),
//     g(t + s) >= g(t) + s g'(t) - s^2 (c_a + c_b) / 2                                                            (*)
// Both simplices are hulls of their corners: as long as (*) is above |n| `separation` for all pairs of corners, the two
// are further apart than `separation`. The right side is concave in s: it is so on all of [0, s] if it is at both ends.
#include "geometry/certified_impact.h"

#include "geometry/inclusion_impact.h"
#include "math/rotation.h"
#include "math/sinc.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr double kEpsilon = 2.220446049250313e-16;  // spacing of doubles at 1

/// A factor upon the rounding of one operation that bounds that of a place or velocity: a sine and cosine (2 ulp), a
/// product of quaternions, a matrix, nine products and the sums, each within an ulp or two of the sizes involved. The
/// tests measure about 3.
constexpr double kRounding = 32 * kEpsilon;
/// More than all relative errors of a bound made of a dozen operations.
constexpr double kOutward = 1 + 32 * kEpsilon;

/// A simplex at one moment: places, velocities and bounds of its corners.
struct MovingCorners
{
    Simplex place;
    std::array<Vec3, 3> velocity;
    std::array<double, 3> curvature{};  ///< bound on the acceleration
    double place_error = 0, velocity_error = 0;
};

double find_size(const Vec3& a) { return norm(a) * kOutward; }

class RigidCorners
{
public:
    RigidCorners(const RigidTrack& track, const Simplex& simplex) : track_(track), simplex_(simplex)
    {
        double radius = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
        {
            const double here = find_size(simplex.corner[i]);
            curvature_[i] = track.turning() * track.turning() * here * kOutward;
            radius = std::max(radius, here);
        }
        place_error_ = kRounding * (track.place_size() + radius * track.turn_size());
        velocity_error_ = kRounding * (track.place_size() + track.turning() * radius * track.turn_size());
    }

    void locate(double t, MovingCorners& out) const
    {
        const RigidTrack::Moment moment = track_.at(t);
        out.place.count = simplex_.count;
        out.curvature = curvature_;
        out.place_error = place_error_;
        out.velocity_error = velocity_error_;
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex_.count); ++i)
        {
            const Vec3 arm = moment.rotation * simplex_.corner[i];
            out.place.corner[i] = moment.center + arm;
            out.velocity[i] = moment.motion + cross(moment.spin, arm);
        }
    }

private:
    const RigidTrack& track_;
    const Simplex& simplex_;
    std::array<double, 3> curvature_{};
    double place_error_ = 0, velocity_error_ = 0;
};

class LinearCorners
{
public:
    explicit LinearCorners(const LinearSimplex& simplex) : simplex_(simplex)
    {
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.begin.count); ++i)
            size_ = std::max({size_, find_size(simplex.begin.corner[i]), find_size(simplex.end.corner[i])});
    }

    void locate(double t, MovingCorners& out) const
    {
        out.place.count = simplex_.begin.count;
        out.place_error = out.velocity_error = kRounding * size_;
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex_.begin.count); ++i)
        {
            out.velocity[i] = simplex_.end.corner[i] - simplex_.begin.corner[i];
            out.place.corner[i] = simplex_.begin.corner[i] + t * out.velocity[i];
        }
    }

private:
    const LinearSimplex& simplex_;
    double size_ = 0;
};

/// The least coordinate along n of the first simplex's corners over the second's.
double find_gap_along(const Vec3& n, const Simplex& first, const Simplex& second)
{
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < static_cast<std::size_t>(first.count); ++i)
    {
        for (std::size_t j = 0; j < static_cast<std::size_t>(second.count); ++j)
            least = std::min(least, dot(n, first.corner[i] - second.corner[j]));
    }
    return least;
}

/// Unit direction that separates the two best: along the nearest points, or where that is spoilt by rounding, because
/// they are all but touching, across the face or across both edges; across the longer one where they are parallel.
Vec3 find_direction(const Simplex& first, const Simplex& second, const Vec3& between, double distance)
{
    const Vec3 along = (1 / distance) * between;
    if (first.count + second.count < 4) return along;
    Vec3 best = along;
    double gap = find_gap_along(along, first, second);
    if (gap > 0.9 * distance) return along;
    const auto take_better = [&](const Vec3& direction)
    {
        const double length = norm(direction);
        if (!(length > 0)) return;
        const Vec3 unit = ((dot(direction, between) < 0 ? -1 : 1) / length) * direction;
        const double other = find_gap_along(unit, first, second);
        if (!(other > gap)) return;
        gap = other;
        best = unit;
    };
    const bool has_edges = first.count == 2;
    const Vec3 u = has_edges ? first.corner[1] - first.corner[0] : second.corner[2] - second.corner[0],
               v = second.corner[1] - second.corner[0];
    take_better(cross(u, v));
    if (has_edges && !(gap > 0.9 * distance))
    {
        const Vec3& longer = dot(u, u) > dot(v, v) ? u : v;
        take_better(along - (dot(along, longer) / dot(longer, longer)) * longer);
    }
    return best;
}

/// The bound (*) of two corners, less what it must stay above.
struct GapBound
{
    double gap = 0, rate = 0, curvature = 0;

    /// True when it is positive for all of [0, s], rounding of this evaluation included.
    bool holds(double s) const
    {
        const double value = gap + s * (rate - 0.5 * curvature * s);
        const double slack = 8 * kEpsilon * (std::abs(gap) + s * (std::abs(rate) + s * curvature));
        return gap > 0 && value > slack;
    }
    /// A time not above `limit` until which it holds; 0 if it does not at all.
    double advance(double limit) const
    {
        // Times are rounded to doubles by the caller: a little more than an ulp of 1 is left for that.
        constexpr double kTimeRounding = 4 * kEpsilon;
        if (!(gap > 0)) return 0;
        if (holds(limit + kTimeRounding)) return limit;
        // The positive root of the concave parabola, without cancellation, and a little less.
        double s = 2 * gap / (std::sqrt(rate * rate + 2 * gap * curvature) - rate);
        s = std::min(s, limit);
        for (double part = 1 - 1e-9; part > 0; part -= 0.25)
        {
            if (holds(part * s + kTimeRounding)) return part * s;
        }
        return 0;
    }
};

/// How long the direction n separates two moving simplices.
double find_advance(const Vec3& n, const MovingCorners& first, const MovingCorners& second, double separation,
                    double limit)
{
    const double least = separation * kOutward;
    const double errors = first.place_error + second.place_error, rates = first.velocity_error + second.velocity_error;
    double advance = limit;
    for (std::size_t i = 0; i < static_cast<std::size_t>(first.place.count); ++i)
    {
        for (std::size_t j = 0; j < static_cast<std::size_t>(second.place.count); ++j)
        {
            GapBound bound;
            bound.gap = dot(n, first.place.corner[i] - second.place.corner[j]) - least - errors;
            bound.rate = dot(n, first.velocity[i] - second.velocity[j]) - rates;
            bound.curvature = (first.curvature[i] + second.curvature[j]) * kOutward;
            advance = std::min(advance, bound.advance(advance));
        }
    }
    return advance;
}

/// Advances by separating directions until the end or an impact.
template <class First, class Second>
CertifiedImpact advance_corners(const First& first_corners, const Second& second_corners,
                                const CertifiedOptions& options)
{
    constexpr int kPatience = 4, kMaxLooks = 40;
    CertifiedImpact impact;
    MovingCorners first, second, first_later, second_later;
    while (impact.advances < options.max_advances)
    {
        first_corners.locate(impact.time, first);
        second_corners.locate(impact.time, second);
        const NearestSimplices nearest = find_nearest(first.place, second.place);
        const double distance = norm(nearest.between);
        impact.state = CertifiedState::touch;
        if (!(distance > options.separation)) return impact;
        const Vec3 n = find_direction(first.place, second.place, nearest.between, distance);
        const double rest = options.latest - impact.time;
        double advance = find_advance(n, first, second, options.separation, rest);
        ++impact.advances;
        // Slow progress: directions that separate the two a little later may do so for longer.
        for (int look = 0; impact.advances > kPatience && advance > 0 && advance < rest && look < kMaxLooks; ++look)
        {
            const double later = std::min(impact.time + 2 * advance, options.latest);
            first_corners.locate(later, first_later);
            second_corners.locate(later, second_later);
            const NearestSimplices there = find_nearest(first_later.place, second_later.place);
            const double away = norm(there.between);
            if (!(away > options.separation)) break;
            const Vec3 turned = find_direction(first_later.place, second_later.place, there.between, away);
            const double longer = find_advance(turned, first, second, options.separation, rest);
            if (!(longer > advance)) break;
            advance = longer;
        }
        if (advance >= rest)
        {
            impact.state = CertifiedState::apart;
            impact.time = options.latest;
            return impact;
        }
        impact.time += advance;
        // Nothing gained: nearer than rounding lets it prove.
        if (distance <= options.separation + options.tolerance || !(advance > kEpsilon)) return impact;
    }
    impact.state = CertifiedState::undecided;
    return impact;
}

}  // namespace

RigidPath make_path(const Pose& begin, const Pose& end, const Vec3& center_in_frame)
{
    const Vec3 from = begin.position + rotate(begin.rotation, center_in_frame);
    const Vec3 to = end.position + rotate(end.rotation, center_in_frame);
    return {from, to - from, begin.rotation, {}, logarithm(end.rotation * conjugate(begin.rotation))};
}

RigidTrack::RigidTrack(const RigidPath& path)
    : path_(path),
      turning_(find_size(path.turning)),
      place_size_(find_size(path.center) + find_size(path.motion)),
      turn_size_(1 + find_size(path.turn) + find_size(path.turning))
{
    start_ = find_moment(0);
}

RigidTrack::Moment RigidTrack::find_moment(double t) const
{
    Moment moment;
    const Vec3 u = path_.turn + t * path_.turning;
    moment.rotation = to_matrix(exponential(u) * path_.rotation);
    moment.center = path_.center + t * path_.motion;
    moment.motion = path_.motion;
    // Along u itself where the turn starts from nothing.
    moment.spin = path_.turning;
    if (path_.turn == Vec3{}) return moment;
    moment.spin = exponential_spin(u, path_.turning);
    return moment;
}

CertifiedImpact certified_time_of_impact(const RigidTrack& first_track, const Simplex& first,
                                         const RigidTrack& second_track, const Simplex& second,
                                         const CertifiedOptions& options)
{
    return advance_corners(RigidCorners(first_track, first), RigidCorners(second_track, second), options);
}

CertifiedImpact certified_time_of_impact(const RigidPath& first_path, const Simplex& first,
                                         const RigidPath& second_path, const Simplex& second,
                                         const CertifiedOptions& options)
{
    const RigidTrack first_track(first_path), second_track(second_path);
    return certified_time_of_impact(first_track, first, second_track, second, options);
}

CertifiedImpact certified_time_of_impact(const LinearSimplex& first, const LinearSimplex& second,
                                         const CertifiedOptions& options)
{
    CertifiedImpact impact = advance_corners(LinearCorners(first), LinearCorners(second), options);
    if (impact.state == CertifiedState::apart) return impact;
    // What passes within the tolerance may be separated by a hair in one coordinate for all of its way.
    constexpr int kFewBoxes = 256;
    CertifiedOptions few = options;
    few.max_advances = kFewBoxes;
    if (inclusion_time_of_impact(first, second, few).state == CertifiedState::apart)
        return {CertifiedState::apart, options.latest, impact.advances};
    return impact;
}

CertifiedImpact certified_time_of_impact(const RigidTrack& track, const Vec3& point, const HalfSpace& space,
                                         const CertifiedOptions& options)
{
    CertifiedImpact impact;
    const Simplex simplex{{point}, 1};
    const RigidCorners corners(track, simplex);
    MovingCorners moving;
    while (impact.advances < options.max_advances)
    {
        corners.locate(impact.time, moving);
        const double rest = options.latest - impact.time;
        const double height = dot(space.normal, moving.place.corner[0]) - space.offset;
        GapBound bound;
        bound.gap =
            height - options.separation * kOutward - 2 * moving.place_error - kRounding * std::abs(space.offset);
        bound.rate = dot(space.normal, moving.velocity[0]) - moving.velocity_error;
        bound.curvature = moving.curvature[0] * kOutward;
        const double advance = bound.advance(rest);
        ++impact.advances;
        if (advance >= rest) return {CertifiedState::apart, options.latest, impact.advances};
        impact.time += advance;
        impact.state = CertifiedState::touch;
        if (height <= options.separation + options.tolerance || !(advance > kEpsilon)) return impact;
    }
    impact.state = CertifiedState::undecided;
    return impact;
}

}  // namespace rattleback
