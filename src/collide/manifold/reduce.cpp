// Chooses the few contact points that hold a body as well as all of them: the deepest and the widest.
#include "collide/manifold/overlap.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kNearlyEqual = 1e-3;  // of a length or area: then the lower feature
constexpr double kNegligible = 1e-6;   // of the squared extent: adds no area
constexpr double kLevel = 1e-4;        // of the extent: equally deep

/// The point with the largest value; of those within `slack` of it the one with the lowest feature.
template <class Value>
int find_best(const Overlap& overlap, double largest, double slack, const Value& value)
{
    int best = -1;
    for (int i = 0; i < overlap.count; ++i)
    {
        if (value(overlap.points[at(i)]) < largest - slack) continue;
        if (best < 0 || overlap.points[at(i)].feature < overlap.points[at(best)].feature) best = i;
    }
    return best;
}

template <class Value>
double find_largest(const Overlap& overlap, const Value& value)
{
    double largest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < overlap.count; ++i) largest = std::max(largest, value(overlap.points[at(i)]));
    return largest;
}

/// Twice the area of a triangle, positive when counter-clockwise.
double find_area(const OverlapPoint& a, const OverlapPoint& b, const OverlapPoint& c)
{
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

/// Chooses up to four; returns how many.
int choose_four(const Overlap& overlap, double tolerance, std::array<int, 4>& chosen)
{
    const auto& points = overlap.points;
    const auto depth = [](const OverlapPoint& p) { return -p.gap(); };
    chosen[0] = find_best(overlap, find_largest(overlap, depth), tolerance, depth);
    const OverlapPoint& a = points[at(chosen[0])];

    const auto far = [&](const OverlapPoint& p) { return (p.u - a.u) * (p.u - a.u) + (p.v - a.v) * (p.v - a.v); };
    const double furthest = find_largest(overlap, far);
    if (!(furthest > 0)) return 1;
    chosen[1] = find_best(overlap, furthest, kNearlyEqual * furthest, far);
    const OverlapPoint& b = points[at(chosen[1])];

    const auto area = [&](const OverlapPoint& p) { return std::abs(find_area(a, b, p)); };
    const double widest = find_largest(overlap, area);
    if (widest <= kNegligible * furthest) return 2;
    chosen[2] = find_best(overlap, widest, kNearlyEqual * widest, area);

    const bool is_left = find_area(a, b, points[at(chosen[2])]) > 0;
    const OverlapPoint& c = points[at(is_left ? chosen[2] : chosen[1])];
    const OverlapPoint& d = points[at(is_left ? chosen[1] : chosen[2])];  // a, d, c are counter-clockwise
    const auto added = [&](const OverlapPoint& p)
    { return std::max({-find_area(a, d, p), -find_area(d, c, p), -find_area(c, a, p)}); };
    const double most = find_largest(overlap, added);
    if (most <= kNegligible * furthest) return 3;
    chosen[3] = find_best(overlap, most, kNearlyEqual * most, added);
    return 4;
}

}  // namespace

void reduce_overlap(Overlap& overlap, int limit, double tolerance)
{
    if (overlap.count <= limit) return;
    std::array<int, 4> chosen;
    const int count = choose_four(overlap, tolerance, chosen);
    std::array<OverlapPoint, 4> kept;
    for (int i = 0; i < count; ++i) kept[at(i)] = overlap.points[at(chosen[at(i)])];

    if (limit == 4 || count < 4)
    {
        std::copy(kept.begin(), kept.begin() + count, overlap.points.begin());
        overlap.count = count;
        return;
    }
    // What is still free goes to the lowest features of the others.
    for (int i = 0; i < count; ++i) overlap.points[at(chosen[at(i)])].feature = 0;
    std::sort(overlap.points.begin(), overlap.points.begin() + overlap.count,
              [](const OverlapPoint& a, const OverlapPoint& b) { return a.feature < b.feature; });
    std::copy(kept.begin(), kept.end(), overlap.points.begin());
    overlap.count = limit;
}

void reduce_manifold(Manifold& manifold, int limit)
{
    if (manifold.count <= limit) return;
    const NormalFrame frame = make_normal_frame(manifold.points[0].point, manifold.points[0].normal);
    Overlap overlap;
    double largest = 0;
    for (int i = 0; i < manifold.count; ++i)
    {
        const ManifoldPoint& p = manifold.points[at(i)];
        const Vec3 from_origin = p.point - frame.origin;
        const double h = dot(frame.n, from_origin);
        overlap.add({dot(frame.u, from_origin), dot(frame.v, from_origin), h - 0.5 * p.distance, h + 0.5 * p.distance,
                     p.feature});
        largest = std::max({largest, std::abs(overlap.points[at(i)].u), std::abs(overlap.points[at(i)].v)});
    }
    reduce_overlap(overlap, limit, kLevel * largest);
    Manifold reduced;
    for (int i = 0; i < manifold.count; ++i)
    {
        for (int j = 0; j < overlap.count; ++j)
        {
            if (overlap.points[at(j)].feature == manifold.points[at(i)].feature) reduced.add(manifold.points[at(i)]);
        }
    }
    manifold = reduced;
}

}  // namespace rattleback
