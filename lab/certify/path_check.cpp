// Certified queries of all near features, in pieces of a step so short that little comes near.
#include "lab/certify/path_check.h"

#include "math/rotation.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kTolerance = 1e-9;  // of the size: nearer than this a query does not decide
constexpr int kAdvances = 100'000;   // what slides over a side that turns is proven by very short ones
constexpr double kPiece = 0.25;      // of the size: motion within one piece of the step
constexpr int kMostPieces = 256;
constexpr double kLook = 0.05;  // of the size: motion between two looks at the overlap
constexpr int kMostLooks = 256;
constexpr int kHalvings = 20;
constexpr double kFar = 0.1;    // of the size: distances beyond are not measured
constexpr double kKept = 0.75;  // of a distance: the rest is room for the proof, ours and a checker's
constexpr int kTries = 8;       // at proving a distance, halved each time

/// No two points of the bodies move further against each other than this while t goes from 0 to 1 [m].
double find_motion(const Traveller& a, const Traveller& b)
{
    const Vec3 drift = a.track.path().motion - b.track.path().motion;
    const double reach_a = a.complex->plane ? norm(a.complex->vertices.front()) : a.complex->reach;
    const double reach_b = b.complex->plane ? norm(b.complex->vertices.front()) : b.complex->reach;
    return norm(drift) + a.track.turning() * reach_a + b.track.turning() * reach_b;
}

double find_size(const Traveller& a, const Traveller& b)
{
    if (a.complex->plane) return b.complex->size;
    if (b.complex->plane) return a.complex->size;
    return std::min(a.complex->size, b.complex->size);
}

/// The part of a path from t0 to t1 as a path of its own: the rate is constant.
RigidTrack cut(const RigidTrack& track, double t0, double t1)
{
    const RigidTrack::Moment moment = track.at(t0);
    const RigidPath& path = track.path();
    return RigidTrack({.center = moment.center,
                       .motion = (t1 - t0) * path.motion,
                       .rotation = to_quaternion(moment.rotation),
                       .turn = {},
                       .turning = (t1 - t0) * path.turning});
}

class Prover
{
public:
    Prover(const Complex& first, const RigidTrack& first_track, const Complex& second, const RigidTrack& second_track,
           double size, double distance)
        : first_(first), second_(second), first_track_(first_track), second_track_(second_track)
    {
        // Rounded up: radii and distances are what they are to the last bit.
        options_.separation = std::nextafter(first.radius + second.radius, HUGE_VAL);
        if (distance > 0) options_.separation = std::nextafter(options_.separation + distance, HUGE_VAL);
        options_.tolerance = kTolerance * size;
        options_.max_advances = kAdvances;
    }

    /// The features of two elements that they own.
    void check(const Element& a, const Element& b)
    {
        const Simplex whole_a = make(first_, a), whole_b = make(second_, b);
        for (int k = 0; k < a.count; ++k)
            if (a.owns_vertex[static_cast<std::size_t>(k)])
                query({.corner = {first_.corner(a, k)}, .count = 1}, whole_b);
        for (int k = 0; k < b.count; ++k)
            if (b.owns_vertex[static_cast<std::size_t>(k)] && a.count > 1)
                query(whole_a, {.corner = {second_.corner(b, k)}, .count = 1});
        for (int i = 0; i < a.edge_count(); ++i)
        {
            for (int j = 0; j < b.edge_count(); ++j)
            {
                if (!a.owns_edge[static_cast<std::size_t>(i)] || !b.owns_edge[static_cast<std::size_t>(j)]) continue;
                query({.corner = {first_.corner(a, i), first_.corner(a, i + 1)}, .count = 2},
                      {.corner = {second_.corner(b, j), second_.corner(b, j + 1)}, .count = 2});
            }
        }
    }

    /// All vertices against a half-space at rest.
    void check_plane(const HalfSpace& space)
    {
        for (const Vec3& v : first_.vertices)
        {
            ++queries_;
            note(certified_time_of_impact(first_track_, v, space, options_));
        }
    }

    double proven() const { return options_.latest; }
    std::int64_t queries() const { return queries_; }

private:
    static Simplex make(const Complex& complex, const Element& element)
    {
        Simplex simplex{.count = element.count};
        for (int k = 0; k < element.count; ++k)
            simplex.corner[static_cast<std::size_t>(k)] = complex.corner(element, k);
        return simplex;
    }
    void note(const CertifiedImpact& impact)
    {
        // What is proven for all is the least of all: later times are of no interest any more.
        if (impact.state != CertifiedState::apart) options_.latest = std::min(options_.latest, impact.time);
    }
    void query(const Simplex& a, const Simplex& b)
    {
        if (options_.latest <= 0) return;
        ++queries_;
        // Points come first, segments before triangles.
        note(a.count <= b.count ? certified_time_of_impact(first_track_, a, second_track_, b, options_)
                                : certified_time_of_impact(second_track_, b, first_track_, a, options_));
    }

    const Complex &first_, &second_;
    const RigidTrack &first_track_, &second_track_;
    CertifiedOptions options_;
    std::int64_t queries_ = 0;
};

/// What is to be proven of two travellers.
struct Claim
{
    const Traveller &a, &b;
    double distance = 0;  ///< their surfaces stay further apart than this [m]
    double motion = find_motion(a, b), size = find_size(a, b);
};

/// Until when the claim is proven, as a fraction of the piece.
double prove_piece(const Claim& claim, double t0, double t1, std::int64_t& queries)
{
    const Traveller &a = claim.a, &b = claim.b;
    const RigidTrack first = cut(a.track, t0, t1), second = cut(b.track, t0, t1);
    Prover prover(*a.complex, first, *b.complex, second, claim.size, claim.distance);
    const double radius = a.complex->radius + b.complex->radius + claim.distance;
    const double margin = (1 + 1e-9) * claim.motion * (t1 - t0) + radius + kTolerance * claim.size;
    visit_near(*a.complex, a.at(t0), *b.complex, b.at(t0), margin,
               [&](int i, int j)
               {
                   prover.check(a.complex->elements[static_cast<std::size_t>(i)],
                                b.complex->elements[static_cast<std::size_t>(j)]);
               });
    queries += prover.queries();
    return prover.proven();
}

double prove_plane(const Traveller& plane, const Traveller& other, double distance, std::int64_t& queries)
{
    // A plane that moves is left to the looks.
    if (norm(plane.track.path().motion) + plane.track.turning() > 0) return 0;
    const Place place = plane.at(0);
    const Vec3 normal = place.rotation * plane.complex->normal;
    const HalfSpace space{normal, dot(normal, place(plane.complex->vertices.front()))};
    // The ball around the centre of mass, which moves in a straight line, settles what stays far.
    const RigidPath& path = other.track.path();
    const double begin = dot(normal, path.center) - space.offset, end = begin + dot(normal, path.motion);
    if (std::min(begin, end) > (1 + 1e-9) * (other.complex->reach + distance)) return 1;
    Prover prover(*other.complex, other.track, *plane.complex, plane.track, other.complex->size, distance);
    prover.check_plane(space);
    queries += prover.queries();
    return prover.proven();
}

/// Until when the claim is proven, 0 to 1.
double prove(const Claim& claim, std::int64_t& queries)
{
    if (claim.a.complex->plane) return prove_plane(claim.a, claim.b, claim.distance, queries);
    if (claim.b.complex->plane) return prove_plane(claim.b, claim.a, claim.distance, queries);
    const double wanted = std::ceil(claim.motion / (kPiece * claim.size));
    const int pieces = static_cast<int>(std::clamp(wanted, 1.0, double{kMostPieces}));
    for (int i = 0; i < pieces; ++i)
    {
        const double t0 = static_cast<double>(i) / pieces, t1 = static_cast<double>(i + 1) / pieces;
        const double part = prove_piece(claim, t0, t1, queries);
        if (part < 1) return t0 + part * (t1 - t0);
    }
    return 1;
}

}  // namespace

PathCheck check_path(const Traveller& a, const Traveller& b, bool intersecting)
{
    PathCheck result;
    const Claim claim{a, b};
    const double motion = claim.motion, size = claim.size;
    result.proven = intersecting ? 0 : prove(claim, result.queries);
    result.apart = result.proven >= 1;
    if (result.apart) return result;
    const auto look = [&](double t) { return find_overlap(*a.complex, a.at(t), *b.complex, b.at(t), false); };
    const double rest = 1 - result.proven;
    const int looks = static_cast<int>(std::clamp(std::ceil(rest * motion / (kLook * size)), 1.0, double{kMostLooks}));
    double before = result.proven;
    for (int i = intersecting ? looks : 0; i <= looks; ++i)
    {
        const double t = result.proven + rest * i / looks;
        const Overlap overlap = look(t);
        if (!overlap.intersects)
        {
            if (result.meeting < 0) before = t;
            continue;
        }
        if (result.meeting < 0) result.meeting = t;
        if (overlap.depth >= result.deepest) result.deepest_at = t;
        result.deepest = std::max(result.deepest, overlap.depth);
    }
    if (result.meeting < 0 || intersecting) return result;
    // The first meeting lies between the last look that was clear and the first that was not.
    for (int i = 0; i < kHalvings && result.meeting > before; ++i)
    {
        const double middle = 0.5 * (before + result.meeting);
        (look(middle).intersects ? result.meeting : before) = middle;
    }
    return result;
}

double prove_distance(const Traveller& a, const Traveller& b)
{
    Claim claim{a, b};
    const double reach = kFar * claim.size;
    claim.distance = kKept * std::min(find_distance(*a.complex, a.at(0), *b.complex, b.at(0), reach),
                                      find_distance(*a.complex, a.at(1), *b.complex, b.at(1), reach));
    std::int64_t queries = 0;
    for (int i = 0; i < kTries && claim.distance > kTolerance * claim.size; ++i, claim.distance *= 0.5)
        if (prove(claim, queries) >= 1) return claim.distance;
    return 0;
}

}  // namespace rattleback::lab
