// The certified time of impact against oracles that share nothing with it: whole numbers for straight paths, intervals
// for turning ones. Each oracle proves a meeting, proves its absence, or says nothing.
#include "geometry/inclusion_impact.h"
#include "math/random.h"
#include "math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::impact_oracle
{
namespace
{

__extension__ typedef __int128 Whole;

/// All numbers from `low` to `high`.
template <class S>
struct Range
{
    S low, high;
};

/// One unit in the last place outward; whole numbers are exact.
Range<double> round_outward(double low, double high)
{
    constexpr double kUlp = 2.3e-16, kTiny = 1e-300;
    return {low - kUlp * std::abs(low) - kTiny, high + kUlp * std::abs(high) + kTiny};
}
Range<Whole> round_outward(Whole low, Whole high) { return {low, high}; }

template <class S>
Range<S> operator+(const Range<S>& a, const Range<S>& b)
{
    return round_outward(a.low + b.low, a.high + b.high);
}
template <class S>
Range<S> operator-(const Range<S>& a, const Range<S>& b)
{
    return round_outward(a.low - b.high, a.high - b.low);
}
template <class S>
Range<S> operator*(const Range<S>& a, const Range<S>& b)
{
    const S p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    return round_outward(std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s)));
}

template <class S>
using Point = std::array<Range<S>, 3>;

template <class S>
Point<S> operator-(const Point<S>& a, const Point<S>& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class S>
Range<S> dot(const Point<S>& a, const Point<S>& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class S>
Point<S> cross(const Point<S>& a, const Point<S>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Four corners: a point and a face, or two edges.
template <class S>
using Corners = std::array<Point<S>, 4>;

/// Six times the volume that the four span: it is zero where the two meet.
template <class S>
Range<S> find_volume(const Corners<S>& x, bool edges)
{
    return edges ? dot(x[2] - x[0], cross(x[1] - x[0], x[3] - x[2]))
                 : dot(x[0] - x[1], cross(x[2] - x[1], x[3] - x[1]));
}

/// Whether the point above the face's plane falls inside of it, or the edges cross seen along their common normal, for
/// all values.
template <class S>
bool is_within(const Corners<S>& x, bool edges)
{
    if (edges)
    {
        const Point<S> u = x[1] - x[0], w = x[3] - x[2], n = cross(u, w), apart = x[2] - x[0];
        const Range<S> size = dot(n, n), s = dot(cross(apart, w), n), t = dot(cross(apart, u), n);
        return s.low > 0 && t.low > 0 && s.high < size.low && t.high < size.low;
    }
    const Point<S> n = cross(x[2] - x[1], x[3] - x[1]);
    for (std::size_t k = 1; k <= 3; ++k)
    {
        const Point<S>&a = x[k], &b = x[k % 3 + 1];
        if (!(dot(cross(b - a, x[0] - a), n).low > 0)) return false;
    }
    return true;
}

/// Whether a plane along `direction` parts the two for all values, by more than `gap`.
template <class S>
bool is_parted(const Corners<S>& x, bool edges, const Point<S>& direction, const Range<S>& gap)
{
    const std::size_t first = edges ? 2 : 1;
    for (std::size_t i = 0; i < first; ++i)
        for (std::size_t k = first; k < 4; ++k)
            if (!(dot(direction, x[i] - x[k]).low > gap.high)) return false;
    return true;
}

struct OracleAnswer
{
    bool meets = false, free = false;  ///< proven
    double latest = 1;                 ///< meets: not later than this
};

/// Halves time until each part is decided or too short. `Paths` has corners(from, to), guess(from, to) and kDepth, with
/// times as fractions of 2^kDepth.
template <class Paths>
OracleAnswer ask_oracle(const Paths& paths, bool edges, long from = 0, long to = 1L << Paths::kDepth)
{
    const auto span = paths.corners(from, to);
    if (is_parted(span, edges, paths.guess(from, to), paths.gap(from, to))) return {.free = true};
    const double end = std::ldexp(static_cast<double>(to), -Paths::kDepth);
    const auto before = find_volume(paths.corners(from, from), edges),
               after = find_volume(paths.corners(to, to), edges);
    const bool turns = (before.high < 0 && after.low > 0) || (before.low > 0 && after.high < 0);
    if (turns && is_within(span, edges)) return {.meets = true, .latest = end};
    if (to - from <= 1) return {};
    const OracleAnswer early = ask_oracle(paths, edges, from, (from + to) / 2);
    if (early.meets) return early;
    OracleAnswer late = ask_oracle(paths, edges, (from + to) / 2, to);
    late.free = late.free && early.free;
    return late;
}

/// Corners on a grid of sixteenths, each on a straight path: all in whole numbers, exactly.
struct LinearOracle
{
    static constexpr int kDepth = 10, kGrid = 16;
    std::array<std::array<int, 3>, 4> begin{}, end{};
    int first = 1;

    Corners<Whole> corners(long from, long to) const
    {
        Corners<Whole> x;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t k = 0; k < 3; ++k)
            {
                const Whole start = Whole(begin[i][k]) << kDepth, step = end[i][k] - begin[i][k];
                const Whole a = start + from * step, b = start + to * step;
                x[i][k] = {std::min(a, b), std::max(a, b)};
            }
        return x;
    }
    Simplex place(double t, int low, int high) const
    {
        Simplex simplex;
        for (int i = low; i < high; ++i)
        {
            const auto &a = begin[static_cast<std::size_t>(i)], &b = end[static_cast<std::size_t>(i)];
            Vec3& corner = simplex.corner[static_cast<std::size_t>(simplex.count++)];
            corner = (1.0 / kGrid) * Vec3{a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
        }
        return simplex;
    }
    /// A direction with whole numbers, wherever it comes from: the proof is that it parts.
    Point<Whole> guess(long from, long to) const
    {
        const double t = std::ldexp(0.5 * static_cast<double>(from + to), -kDepth);
        const Vec3 between = find_nearest(place(t, 0, first), place(t, first, 4)).between;
        Point<Whole> direction;
        for (int k = 0; k < 3; ++k)
        {
            const auto whole = static_cast<Whole>(4096 * between[k] / std::max(norm(between), 1e-30));
            direction[static_cast<std::size_t>(k)] = {whole, whole};
        }
        return direction;
    }
    /// A thousandth of a metre, in these units, so that what is free is further apart than any tolerance.
    Range<Whole> gap(long, long) const
    {
        const Whole g = (Whole(4096 * kGrid) << kDepth) / 1000;
        return {g, g};
    }
};

/// Two bodies that turn at constant rates about fixed axes while they move.
struct RigidOracle
{
    static constexpr int kDepth = 9;
    RigidPath path[2];
    std::array<Vec3, 4> arm;
    int first = 1;

    static Range<double> find_cosine(double from, double to)
    {
        const double a = std::cos(from), b = std::cos(to);
        double low = std::min(a, b), high = std::max(a, b);
        // An extremum lies between where a multiple of pi does; a wide margin around it costs nothing.
        const double first = std::ceil((from - 1e-9) / kPi);
        if (first * kPi <= to + 1e-9) (std::fmod(first, 2) == 0 ? high : low) = std::fmod(first, 2) == 0 ? 1 : -1;
        if ((first + 1) * kPi <= to + 1e-9) low = -1, high = 1;
        return {low - 1e-15, high + 1e-15};
    }

    Corners<double> corners(long from, long to) const
    {
        const Range<double> t{std::ldexp(static_cast<double>(from), -kDepth),
                              std::ldexp(static_cast<double>(to), -kDepth)};
        Corners<double> x;
        for (std::size_t i = 0; i < 4; ++i)
        {
            const RigidPath& p = path[i < static_cast<std::size_t>(first) ? 0 : 1];
            const double rate = norm(p.turning);
            const Vec3 axis = rate > 0 ? (1 / rate) * p.turning : Vec3{0, 0, 1}, start = rotate(p.rotation, arm[i]);
            const Vec3 along = rattleback::dot(axis, start) * axis, across = start - along,
                       side = rattleback::cross(axis, start);
            // Cosine and sine of the angle over the whole span.
            const Range<double> c = find_cosine(rate * t.low, rate * t.high),
                                s = find_cosine(rate * t.low - kPi / 2, rate * t.high - kPi / 2);
            for (int k = 0; k < 3; ++k)
            {
                const auto point = [](double value) { return Range<double>{value - 4e-15, value + 4e-15}; };
                x[i][static_cast<std::size_t>(k)] = point(p.center[k]) + t * point(p.motion[k]) + point(along[k]) +
                                                    c * point(across[k]) + s * point(side[k]);
            }
        }
        return x;
    }
    Point<double> guess(long from, long to) const
    {
        const Corners<double> x = corners((from + to) / 2, (from + to) / 2);
        Simplex side[2];
        for (std::size_t i = 0; i < 4; ++i)
        {
            Simplex& simplex = side[i < static_cast<std::size_t>(first) ? 0 : 1];
            simplex.corner[static_cast<std::size_t>(simplex.count++)] = {x[i][0].low, x[i][1].low, x[i][2].low};
        }
        const Vec3 between = find_nearest(side[0], side[1]).between;
        const Vec3 n = (1 / std::max(norm(between), 1e-30)) * between;
        return {Range<double>{n.x, n.x}, Range<double>{n.y, n.y}, Range<double>{n.z, n.z}};
    }
    Range<double> gap(long, long) const { return {1e-3, 1e-3}; }
};

struct OracleCount
{
    int meets = 0, free = 0, missed = 0, late = 0, accused = 0, undecided = 0, slowest = 0;

    void add(const OracleAnswer& oracle, const CertifiedImpact& impact)
    {
        meets += oracle.meets ? 1 : 0;
        free += oracle.free ? 1 : 0;
        missed += oracle.meets && impact.state == CertifiedState::apart ? 1 : 0;
        late += oracle.meets && impact.time > oracle.latest ? 1 : 0;
        accused += oracle.free && impact.state == CertifiedState::touch ? 1 : 0;
        undecided += impact.state == CertifiedState::undecided ? 1 : 0;
        slowest = std::max(slowest, impact.advances);
    }
};

Vec3 draw_vector(Random& random, double size)
{
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

using LinearTest = CertifiedImpact (*)(const LinearSimplex&, const LinearSimplex&, const CertifiedOptions&);

OracleCount count_linear_queries(int queries, unsigned seed, LinearTest find_impact = &certified_time_of_impact)
{
    Random random(seed);
    OracleCount count;
    for (int trial = 0; trial < queries; ++trial)
    {
        LinearOracle oracle;
        oracle.first = trial % 2 == 0 ? 1 : 2;
        // Places on a coarse grid: many queries graze, touch in a rim or begin in one plane.
        for (auto* corners : {&oracle.begin, &oracle.end})
            for (auto& corner : *corners)
                for (int& x : corner) x = static_cast<int>(std::floor(random.uniform(-16, 17)));
        LinearSimplex a{oracle.place(0, 0, oracle.first), oracle.place(1, 0, oracle.first)};
        LinearSimplex b{oracle.place(0, oracle.first, 4), oracle.place(1, oracle.first, 4)};
        count.add(ask_oracle(oracle, oracle.first == 2), find_impact(a, b, {.tolerance = 1e-6}));
    }
    return count;
}

OracleCount count_rigid_queries(int queries, unsigned seed)
{
    Random random(seed);
    OracleCount count;
    for (int trial = 0; trial < queries; ++trial)
    {
        RigidOracle oracle;
        oracle.first = trial % 2 == 0 ? 1 : 2;
        for (RigidPath& path : oracle.path)
            path = {.center = draw_vector(random, 0.5),
                    .motion = draw_vector(random, 1),
                    .rotation = exponential(draw_vector(random, 2)),
                    .turn = {},
                    .turning = draw_vector(random, trial % 3 == 0 ? 4 : 1)};
        for (Vec3& arm : oracle.arm) arm = draw_vector(random, 1);
        Simplex a, b;
        for (int i = 0; i < 4; ++i)
        {
            Simplex& simplex = i < oracle.first ? a : b;
            simplex.corner[static_cast<std::size_t>(simplex.count++)] = oracle.arm[static_cast<std::size_t>(i)];
        }
        count.add(ask_oracle(oracle, oracle.first == 2),
                  certified_time_of_impact(oracle.path[0], a, oracle.path[1], b, {.tolerance = 1e-6}));
    }
    return count;
}

/// No hit is missed or found too late, nothing that is a millimetre apart is accused, and hardly a query uses up the
/// advances it is allowed.
void expect_agreement(const OracleCount& count, int queries)
{
    std::printf("%d queries: %d meet, %d are free, %d undecided, slowest %d advances\n", queries, count.meets,
                count.free, count.undecided, count.slowest);
    EXPECT_EQ(count.missed, 0);
    EXPECT_EQ(count.late, 0);
    EXPECT_EQ(count.accused, 0);
    EXPECT_LE(count.slowest, 1000);
    EXPECT_LE(count.undecided, queries / 1000);
    // The oracle itself decides nearly all: queries that touch in a rim stay open.
    EXPECT_GT(count.meets, queries / 50);
    EXPECT_GT(count.meets + count.free, queries - queries / 5);
}

}  // namespace

TEST(CertifiedOracle, ten_thousand_straight_queries_agree_with_whole_numbers)
{
    expect_agreement(count_linear_queries(10'000, 3), 10'000);
}

TEST(CertifiedOracle, ten_thousand_turning_queries_agree_with_intervals)
{
    expect_agreement(count_rigid_queries(10'000, 5), 10'000);
}

TEST(CertifiedOracle, boxes_of_inclusion_agree_with_whole_numbers)
{
    const OracleCount count = count_linear_queries(4'000, 11, &inclusion_time_of_impact);
    EXPECT_EQ(count.missed, 0);
    EXPECT_EQ(count.late, 0);
    EXPECT_EQ(count.accused, 0);
    EXPECT_GT(count.meets, 400);
    EXPECT_LE(count.undecided, 200);  // of 1,000 boxes
}

TEST(CertifiedOracle, long_a_million_queries_agree_with_whole_numbers_and_intervals)
{
    expect_agreement(count_linear_queries(1'000'000, 7), 1'000'000);
    expect_agreement(count_rigid_queries(1'000'000, 9), 1'000'000);
}

}  // namespace rattleback::impact_oracle
