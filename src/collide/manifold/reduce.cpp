// Chooses the few contact points that hold a body as well as all of them: the deepest and the widest.
#include "base/index.h"
#include "collide/manifold/overlap.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

constexpr double kNearlyEqual = 1e-3;  // of a length or area: then the lower feature
constexpr double kNegligible = 1e-6;   // of the squared extent: adds no area
constexpr double kLevel = 1e-4;        // of the extent: equally deep

// The order deepest, furthest, widest, widest on the other side makes the polygon of the contact large, by which
// torques are held. Ties are broken by features and not by rounding: the same points in the next step, so that warm
// starts fit.

/// Twice the area of a triangle, positive when counter-clockwise.
double find_area(const OverlapPoint& a, const OverlapPoint& b, const OverlapPoint& c)
{
    // By the cross product in the plane across the normal.
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

class Chooser
{
public:
    Chooser(const Overlap& overlap, double tolerance) : overlap_(overlap), tolerance_(tolerance) {}

    /// Chooses up to four; returns how many.
    int choose(std::array<int, 4>& chosen)
    {
        const auto& points = overlap_.points;
        // First the deepest; within the tolerance the lowest feature, so that resting contacts keep their points.
        const double deepest = -measure([](const OverlapPoint& p) { return -p.gap(); });
        chosen[0] = find_best(-deepest - tolerance_);
        const OverlapPoint& a = points[at(chosen[0])];
        weigh(deepest);

        // Then the furthest from it across the normal.
        const double furthest = measure_weighted([&](const OverlapPoint& p)
                                                 { return (p.u - a.u) * (p.u - a.u) + (p.v - a.v) * (p.v - a.v); });
        if (!(furthest > 0)) return 1;
        chosen[1] = find_best((1 - kNearlyEqual) * furthest);
        const OverlapPoint& b = points[at(chosen[1])];

        // Then the one that spans the largest triangle with both, on either side.
        const double widest = measure_weighted([&](const OverlapPoint& p) { return std::abs(find_area(a, b, p)); });
        if (widest <= kNegligible * furthest) return 2;
        chosen[2] = find_best((1 - kNearlyEqual) * widest);

        // Orientation of the triangle, so that areas outside of it are negative.
        const bool is_left = find_area(a, b, points[at(chosen[2])]) > 0;
        const OverlapPoint& c = points[at(is_left ? chosen[2] : chosen[1])];
        const OverlapPoint& d = points[at(is_left ? chosen[1] : chosen[2])];  // a, d, c are counter-clockwise
        // Last the one furthest outside the triangle, which adds most area.
        const double most =
            measure_weighted([&](const OverlapPoint& p)
                             // The area that the quadrangle gains beyond each side.
                             { return std::max({-find_area(a, d, p), -find_area(d, c, p), -find_area(c, a, p)}); });
        if (most <= kNegligible * furthest) return 3;
        chosen[3] = find_best((1 - kNearlyEqual) * most);
        return 4;
    }

private:
    /// What the points count beside the deepest: all if they are as deep, and the less the less deep they are, so that
    /// a point which comes to touch does not push out one that carries.
    void weigh(double deepest)
    {
        // A point that hardly touches weighs a hundredth of one that carries.
        constexpr double kLeast = 0.01;
        const double bar = deepest + tolerance_, scale = 1 / bar;
        for (int i = 0; i < overlap_.count; ++i)
        {
            const double gap = overlap_.points[at(i)].gap();
            // Gaps are negative where deep: the ratio falls from one at the deepest to zero at the surface.
            // With bar >= 0 nothing carries yet, and all weigh alike.
            weights_[at(i)] = bar >= 0 || gap <= bar ? 1 : std::max(kLeast, scale * gap);
        }
    }
    /// Notes a value for each point and returns the largest.
    template <class Value>
    double measure(const Value& value)
    {
        double largest = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < overlap_.count; ++i)
        {
            values_[at(i)] = value(overlap_.points[at(i)]);
            largest = std::max(largest, values_[at(i)]);
        }
        return largest;
    }
    template <class Value>
    double measure_weighted(const Value& value)
    {
        double largest = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < overlap_.count; ++i)
        {
            values_[at(i)] = weights_[at(i)] * value(overlap_.points[at(i)]);
            largest = std::max(largest, values_[at(i)]);
        }
        return largest;
    }
    /// Of the points whose value is at least `bar` the one with the lowest feature.
    int find_best(double bar) const
    {
        int best = -1;
        for (int i = 0; i < overlap_.count; ++i)
        {
            if (values_[at(i)] < bar) continue;
            // Equal to rounding: the same point in the next step.
            if (best < 0 || overlap_.points[at(i)].feature < overlap_.points[at(best)].feature) best = i;
        }
        return best;
    }

    const Overlap& overlap_;
    double tolerance_;
    std::array<double, Overlap::kMaxPoints> values_, weights_;
};

}  // namespace

void reduce_overlap(Overlap& overlap, int limit, double tolerance)
{
    if (overlap.count <= limit) return;
    std::array<int, 4> chosen;
    const int count = Chooser(overlap, tolerance).choose(chosen);
    std::array<OverlapPoint, 4> kept;
    for (int i = 0; i < count; ++i) kept[at(i)] = overlap.points[at(chosen[at(i)])];

    if (limit == 4 || count < 4)
    {
        std::copy(kept.begin(), kept.begin() + count, overlap.points.begin());
        overlap.count = count;
        return;
    }
    // What is still free goes to the lowest features of the others.
    // Chosen ones to the front, whatever their features: their numbers come back from `kept`.
    for (int i = 0; i < count; ++i) overlap.points[at(chosen[at(i)])].feature = 0;
    std::sort(overlap.points.begin(), overlap.points.begin() + overlap.count,
              [](const OverlapPoint& a, const OverlapPoint& b) { return a.feature < b.feature; });
    std::copy(kept.begin(), kept.end(), overlap.points.begin());
    overlap.count = limit;
}

void reduce_manifold(Manifold& manifold, int limit)
{
    if (manifold.count <= limit) return;
    // Across the normal of the first point: points of a manifold lie in one plane, more or less.
    const NormalFrame frame = make_normal_frame(manifold.points[0].point, manifold.points[0].normal);
    Overlap overlap;
    double largest = 0;
    for (int i = 0; i < manifold.count; ++i)
    {
        const ManifoldPoint& p = manifold.points[at(i)];
        // In the plane across the normal, with heights of both surfaces.
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
        // In the order of the manifold, which is that of features.
        for (int j = 0; j < overlap.count; ++j)
        {
            if (overlap.points[at(j)].feature == manifold.points[at(i)].feature) reduced.add(manifold.points[at(i)]);
        }
    }
    manifold = reduced;
}

}  // namespace rattleback
