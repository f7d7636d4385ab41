// Where the gap between two shapes can have a peak over all directions, and how each peak is climbed.
#include "support/brute_search.h"

#include "support/brute_distance.h"

#include <algorithm>
#include <array>

namespace rattleback
{
namespace
{

SearchCandidates find_candidates(const PlacedShape& shape)
{
    SearchCandidates found;
    const auto axis = [&](int i) { return shape.rotation.column(i); };
    switch (shape.type)
    {
        case ShapeType::capsule:
            found.edges = {axis(2)};
            break;
        case ShapeType::box:
            found.edges = found.faces = {axis(0), axis(1), axis(2)};
            break;
        case ShapeType::cylinder:
            found.edges = found.faces = {axis(2)};
            break;
        case ShapeType::hull:
            for (const Vec3& normal : shape.hull->face_normal) found.faces.push_back(shape.rotation * normal);
            for (const Polyhedron::Edge& edge : shape.hull->edges)
            {
                const Vec3 along = shape.hull->vertices[static_cast<std::size_t>(edge.second)] -
                                   shape.hull->vertices[static_cast<std::size_t>(edge.first)];
                found.edges.push_back((1 / norm(along)) * (shape.rotation * along));
            }
            break;
        default:
            break;
    }
    return found;
}

/// Any unit vector across a unit vector.
Vec3 find_across(const Vec3& n)
{
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    const Vec3 least = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 across = cross(n, least);
    return (1 / norm(across)) * across;
}

}  // namespace

double GapSearch::evaluate(const Vec3& n) const { return find_gap_along(first_, second_, n); }

void GapSearch::add(const Vec3& normal)
{
    peaks_.push_back({evaluate(normal), normal});
    peaks_.push_back({evaluate(-normal), -normal});
}

void GapSearch::add_products(const SearchCandidates& a, const SearchCandidates& b)
{
    for (const Vec3& normal : a.faces) add(normal);
    for (const Vec3& normal : b.faces) add(normal);
    for (const Vec3& u : a.edges)
    {
        for (const Vec3& v : b.edges)
        {
            const Vec3 product = cross(u, v);
            const double length = norm(product);
            if (length > 1e-9) add((1 / length) * product);
        }
    }
}

/// Peak of a function with one peak between two places, by golden sections.
template <class Function>
static double find_peak(double low, double high, Function function)
{
    constexpr int kSections = 36;
    constexpr double kGolden = 0.61803398874989485;
    double one = high - kGolden * (high - low), two = low + kGolden * (high - low);
    double at_one = function(one), at_two = function(two);
    for (int k = 0; k < kSections; ++k)
    {
        const bool left = at_one > at_two;
        (left ? high : low) = left ? two : one;
        (left ? two : one) = left ? one : two;
        (left ? at_two : at_one) = left ? at_one : at_two;
        double& fresh = left ? one : two;
        fresh = left ? high - kGolden * (high - low) : low + kGolden * (high - low);
        (left ? at_one : at_two) = function(fresh);
    }
    return 0.5 * (low + high);
}

/// Peaks along the great circle of directions across an edge.
void GapSearch::add_circle(const Vec3& axis)
{
    constexpr int kSamples = 72;
    const Vec3 u = find_across(axis), v = cross(axis, u);
    const double step = 2 * kPi / kSamples;
    const auto turn = [&](double angle) { return std::cos(angle) * u + std::sin(angle) * v; };
    std::array<double, kSamples> gaps;
    for (int i = 0; i < kSamples; ++i) gaps[static_cast<std::size_t>(i)] = evaluate(turn(i * step));
    const double best = *std::max_element(gaps.begin(), gaps.end());
    const double worst = *std::min_element(gaps.begin(), gaps.end());
    for (int i = 0; i < kSamples; ++i)
    {
        const auto gap = [&](int k) { return gaps[static_cast<std::size_t>((k + kSamples) % kSamples)]; };
        if (gap(i) < gap(i - 1) || gap(i) < gap(i + 1) || gap(i) < best - 0.25 * (best - worst)) continue;
        const Vec3 n =
            turn(find_peak((i - 1) * step, (i + 1) * step, [&](double angle) { return evaluate(turn(angle)); }));
        peaks_.push_back({evaluate(n), n});
    }
}

/// Line searches from a peak along the directions in which it is bluntest and sharpest.
void GapSearch::polish(Peak peak)
{
    for (const double width : {4e-3, 4e-4, 4e-5})
    {
        const Vec3 u = find_across(peak.normal), v = cross(peak.normal, u);
        const auto moved = [&](double x, double y)
        {
            const Vec3 n = peak.normal + x * u + y * v;
            return (1 / norm(n)) * n;
        };
        const double h = 0.25 * width;
        const auto at = [&](double x, double y) { return evaluate(moved(x, y)); };
        const double here = at(0, 0);
        const double uu = at(h, 0) + at(-h, 0) - 2 * here, vv = at(0, h) + at(0, -h) - 2 * here;
        const double uv = 0.25 * (at(h, h) + at(-h, -h) - at(h, -h) - at(-h, h));
        const double angle = 0.5 * std::atan2(2 * uv, uu - vv);
        double x = 0, y = 0;
        for (int pass = 0; pass < 4; ++pass)
        {
            const double turned = angle + 0.5 * kPi * pass, c = std::cos(turned), s = std::sin(turned);
            const double step = find_peak(-width, width, [&](double t) { return at(x + t * c, y + t * s); });
            if (at(x + step * c, y + step * s) <= at(x, y)) continue;
            x += step * c;
            y += step * s;
        }
        peak = {at(x, y), moved(x, y)};
    }
    peaks_.push_back(peak);
}

/// From a direction uphill: eight neighbours on a ring that shrinks, grows and turns. Along a ridge this crawls, and
/// gives up: ridges are the circles and products.
void GapSearch::climb(Vec3 normal)
{
    constexpr int kMaxSteps = 100;
    double gap = evaluate(normal);
    double radius = 0.06;
    for (int step = 0; step < kMaxSteps && radius > 1e-8; ++step)
    {
        const Vec3 u = find_across(normal), v = cross(normal, u);
        Vec3 best = normal;
        double best_gap = gap;
        for (int i = 0; i < 8; ++i)
        {
            const double angle = i * kPi / 4 + 0.3 * step;
            const Vec3 moved = normal + (radius * std::cos(angle)) * u + (radius * std::sin(angle)) * v;
            const Vec3 n = (1 / norm(moved)) * moved;
            const double candidate = evaluate(n);
            if (candidate <= best_gap) continue;
            best_gap = candidate;
            best = n;
        }
        radius *= best_gap > gap ? 1.5 : 0.5;
        normal = best;
        gap = best_gap;
    }
    peaks_.push_back({gap, normal});
}

/// A spiral of directions over the sphere; the best, not too near each other, are climbed from.
void GapSearch::add_cover()
{
    constexpr int kDirections = 1200, kStarts = 8;
    static const std::vector<Vec3> kCover = []
    {
        std::vector<Vec3> cover;
        for (int i = 0; i < kDirections; ++i)
        {
            const double z = 1 - (2 * i + 1.0) / kDirections, r = std::sqrt(1 - z * z), angle = 2.39996322972865332 * i;
            cover.push_back({r * std::cos(angle), r * std::sin(angle), z});
        }
        return cover;
    }();
    std::vector<Peak> sorted;
    for (const Vec3& n : kCover) sorted.push_back({evaluate(n), n});
    std::sort(sorted.begin(), sorted.end(), [](const Peak& a, const Peak& b) { return a.gap > b.gap; });
    std::vector<Vec3> starts;
    for (const Peak& peak : sorted)
    {
        const auto is_near = [&](const Vec3& n) { return dot(n, peak.normal) > 0.98; };
        if (std::any_of(starts.begin(), starts.end(), is_near)) continue;
        starts.push_back(peak.normal);
        climb(peak.normal);
        if (starts.size() == kStarts) break;
    }
}

void GapSearch::run(const Vec3& guess)
{
    const SearchCandidates a = find_candidates(first_), b = find_candidates(second_);
    add_products(a, b);
    for (const Vec3& edge : a.edges) add_circle(edge);
    for (const Vec3& edge : b.edges) add_circle(edge);
    add_cover();
    climb(guess);
    for (int i = 0; i < 3; ++i)
    {
        for (const PlacedShape* shape : {&first_, &second_})
        {
            climb(shape->rotation.column(i));
            climb(-shape->rotation.column(i));
        }
    }
    sort();
    std::vector<Peak> best(peaks_.begin(), peaks_.begin() + std::min<std::ptrdiff_t>(6, std::ssize(peaks_)));
    for (const Peak& peak : best) polish(peak);
    sort();
}

void GapSearch::sort()
{
    std::stable_sort(peaks_.begin(), peaks_.end(), [](const Peak& x, const Peak& y) { return x.gap > y.gap; });
}

bool GapSearch::is_unique(double scale) const
{
    for (const Peak& peak : peaks_)
    {
        if (peak.gap < gap() - 1e-6 * scale) break;
        if (norm(peak.normal - normal()) > 1e-4) return false;
    }
    constexpr double kTurn = 1e-3;  // [rad]
    const Vec3 u = find_across(normal()), v = cross(normal(), u);
    for (int i = 0; i < 16; ++i)
    {
        const double angle = i * kPi / 8;
        const Vec3 moved = normal() + (kTurn * std::cos(angle)) * u + (kTurn * std::sin(angle)) * v;
        if (evaluate((1 / norm(moved)) * moved) > gap() - 1e-8 * scale) return false;
    }
    return true;
}

}  // namespace rattleback
