// Least-norm point by enumeration of simplex parts, and deepest gap by exhaustive search over directions.
#include "support/brute_distance.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace rattleback
{
namespace
{

using Real = long double;
using Point = Vector3<Real>;

Point widen(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 narrow(const Point& v) { return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}; }

template <class T>
T sign_of(T x)
{
    return x < 0 ? T(-1) : T(1);
}

/// Furthest point along d in the shape's own frame.
template <class T>
Vector3<T> find_furthest(const PlacedShape& shape, const Vector3<T>& d)
{
    using std::sqrt;
    const T a = static_cast<T>(shape.size.x), b = static_cast<T>(shape.size.y), c = static_cast<T>(shape.size.z);
    switch (shape.type)
    {
        case ShapeType::sphere:
            return (a / norm(d)) * d;
        case ShapeType::capsule:
            return (a / norm(d)) * d + Vector3<T>{0, 0, b * sign_of(d.z)};
        case ShapeType::box:
            return {a * sign_of(d.x), b * sign_of(d.y), c * sign_of(d.z)};
        case ShapeType::cylinder:
        {
            const T radial = sqrt(d.x * d.x + d.y * d.y);
            if (radial == 0) return {0, 0, b * sign_of(d.z)};
            return {a * d.x / radial, a * d.y / radial, b * sign_of(d.z)};
        }
        case ShapeType::ellipsoid:
        {
            const T length = sqrt(a * a * d.x * d.x + b * b * d.y * d.y + c * c * d.z * d.z);
            return {a * a * d.x / length, b * b * d.y / length, c * c * d.z / length};
        }
        default:
        {
            Vector3<T> best;
            T reach = -std::numeric_limits<T>::infinity();
            for (const Vec3& v : shape.hull->vertices)
            {
                const T candidate = dot(v, d);
                if (candidate <= reach) continue;
                reach = candidate;
                best = {v.x, v.y, v.z};
            }
            return best;
        }
    }
}

/// Furthest point along a world direction, world axes, from the shape's own origin.
template <class T>
Vector3<T> find_world_furthest(const PlacedShape& shape, const Vector3<T>& d)
{
    return shape.rotation * find_furthest<T>(shape, transpose_times(shape.rotation, d));
}

/// The point of `second - first` that is least far along d.
Point find_lowest_difference(const PlacedShape& first, const PlacedShape& second, const Point& d)
{
    return widen(second.position) - widen(first.position) + find_world_furthest<Real>(second, -d) -
           find_world_furthest<Real>(first, d);
}

Real determinant(const Point& a, const Point& b, const Point& c) { return dot(a, cross(b, c)); }

/// At most four points.
struct Corners
{
    std::array<Point, 4> points;
    std::size_t count = 0;

    std::size_t size() const { return count; }
    const Point& operator[](std::size_t i) const { return points[i]; }
    void push_back(const Point& p) { points[count++] = p; }
};

/// The point of least norm on the plane, line or point through some corners, if it lies strictly between them.
bool find_least(const Corners& corners, Point& least)
{
    const Point& o = corners[0];
    if (corners.size() == 1)
    {
        least = o;
        return true;
    }
    if (corners.size() == 2)
    {
        const Point u = corners[1] - o;
        const Real s = -dot(o, u) / dot(u, u);
        least = o + s * u;
        return s > 0 && s < 1;
    }
    if (corners.size() == 3)
    {
        const Point u = corners[1] - o, v = corners[2] - o, n = cross(u, v);
        const Real square = dot(n, n);
        if (!(square > 0)) return false;
        least = (dot(o, n) / square) * n;
        const Point w = least - o;
        const Real s = dot(cross(w, v), n) / square, t = dot(cross(u, w), n) / square;
        return s > 0 && t > 0 && s + t < 1;
    }
    const Point u = corners[1] - o, v = corners[2] - o, w = corners[3] - o, p = -o;
    const Real volume = determinant(u, v, w);
    if (volume == 0) return false;
    const Real s = determinant(p, v, w) / volume, t = determinant(u, p, w) / volume, r = determinant(u, v, p) / volume;
    least = {};
    return s > 0 && t > 0 && r > 0 && s + t + r < 1;
}

/// Replaces the corners by those of the part that holds the point of least norm.
Point reduce(Corners& corners)
{
    Point best;
    Real best_square = std::numeric_limits<Real>::infinity();
    Corners kept;
    for (unsigned subset = 1; subset < 1U << corners.size(); ++subset)
    {
        Corners part;
        for (std::size_t i = 0; i < corners.size(); ++i)
        {
            if ((subset >> i & 1U) != 0) part.push_back(corners[i]);
        }
        Point least;
        if (!find_least(part, least) || dot(least, least) >= best_square) continue;
        best = least;
        best_square = dot(least, least);
        kept = part;
    }
    corners = kept;
    return best;
}

struct Bounds
{
    Real upper = 0, lower = 0;
    Point normal;
};

/// Bounds of the distance; lower <= 0 where the shapes may overlap.
Bounds find_bounds(const PlacedShape& first, const PlacedShape& second, Real scale)
{
    constexpr int kMaxIterations = 3000;
    Corners corners;
    corners.push_back(find_lowest_difference(first, second, {1, 0, 0}));
    Bounds bounds{std::numeric_limits<Real>::infinity(), -std::numeric_limits<Real>::infinity(), {1, 0, 0}};
    for (int i = 0; i < kMaxIterations; ++i)
    {
        const Point v = reduce(corners);
        const Real length = norm(v);
        if (length >= bounds.upper) break;  // it always shrinks but for rounding
        bounds.upper = length;
        if (length < 1e-15L * scale) return {length, 0, {1, 0, 0}};
        const Point direction = (1 / length) * v;
        const Point w = find_lowest_difference(first, second, direction);
        const Real lower = dot(direction, w);
        if (lower > bounds.lower)
        {
            bounds.lower = lower;
            bounds.normal = direction;
        }
        if (bounds.upper - bounds.lower <= 1e-14L * scale) break;
        if (corners.size() == 4) break;  // cannot grow: rounding
        corners.push_back(w);
    }
    return bounds;
}

/// Directions along which a shape has edges, and normals of its faces, world.
struct Candidates
{
    std::vector<Vec3> edges, faces;
};

Candidates find_candidates(const PlacedShape& shape)
{
    Candidates found;
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

/// The search for the direction with the largest gap.
class Search
{
public:
    Search(const PlacedShape& first, const PlacedShape& second) : first_(first), second_(second) {}

    void run();
    double gap() const { return peaks_.front().gap; }
    const Vec3& normal() const { return peaks_.front().normal; }
    /// Whether nothing else is about as good and the gap falls off on all sides.
    bool is_unique(double scale) const;

private:
    struct Peak
    {
        double gap = 0;
        Vec3 normal;
    };

    double evaluate(const Vec3& n) const { return find_gap_along(first_, second_, n); }
    void add(const Vec3& normal);
    void add_products(const Candidates& a, const Candidates& b);
    void add_circle(const Vec3& axis);
    void add_cover();
    void climb(Vec3 normal);

    const PlacedShape& first_;
    const PlacedShape& second_;
    std::vector<Peak> peaks_;
};

void Search::add(const Vec3& normal)
{
    peaks_.push_back({evaluate(normal), normal});
    peaks_.push_back({evaluate(-normal), -normal});
}

void Search::add_products(const Candidates& a, const Candidates& b)
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

/// Peaks along the great circle of directions across an edge: samples, then golden sections.
void Search::add_circle(const Vec3& axis)
{
    constexpr int kSamples = 72, kSections = 36;
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
        constexpr double kGolden = 0.61803398874989485;
        double low = (i - 1) * step, high = (i + 1) * step;
        double one = high - kGolden * (high - low), two = low + kGolden * (high - low);
        double at_one = evaluate(turn(one)), at_two = evaluate(turn(two));
        for (int k = 0; k < kSections; ++k)
        {
            const bool left = at_one > at_two;
            (left ? high : low) = left ? two : one;
            (left ? two : one) = left ? one : two;
            (left ? at_two : at_one) = left ? at_one : at_two;
            double& fresh = left ? one : two;
            fresh = left ? high - kGolden * (high - low) : low + kGolden * (high - low);
            (left ? at_one : at_two) = evaluate(turn(fresh));
        }
        const Vec3 n = turn(0.5 * (low + high));
        peaks_.push_back({evaluate(n), n});
    }
}

/// From a direction uphill: eight neighbours on a shrinking ring. Along a ridge this only crawls, and gives up: ridges
/// are the circles and products.
void Search::climb(Vec3 normal)
{
    double gap = evaluate(normal);
    constexpr int kMaxSteps = 100;
    double radius = 0.06;
    for (int step = 0; step < kMaxSteps && radius > 1e-7; ++step)
    {
        const Vec3 u = find_across(normal), v = cross(normal, u);
        Vec3 best = normal;
        double best_gap = gap;
        for (int i = 0; i < 8; ++i)
        {
            const double angle = i * kPi / 4;
            const Vec3 moved = normal + (radius * std::cos(angle)) * u + (radius * std::sin(angle)) * v;
            const Vec3 n = (1 / norm(moved)) * moved;
            const double candidate = evaluate(n);
            if (candidate <= best_gap) continue;
            best_gap = candidate;
            best = n;
        }
        if (best_gap > gap)
        {
            normal = best;
            gap = best_gap;
        }
        else
        {
            radius *= 0.5;
        }
    }
    peaks_.push_back({gap, normal});
}

/// A spiral of directions over the sphere; the best, not too near each other, are climbed from.
void Search::add_cover()
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

void Search::run()
{
    const Candidates a = find_candidates(first_), b = find_candidates(second_);
    add_products(a, b);
    for (const Vec3& edge : a.edges) add_circle(edge);
    for (const Vec3& edge : b.edges) add_circle(edge);
    add_cover();
    for (int i = 0; i < 3; ++i)
    {
        for (const PlacedShape* shape : {&first_, &second_})
        {
            climb(shape->rotation.column(i));
            climb(-shape->rotation.column(i));
        }
    }
    std::stable_sort(peaks_.begin(), peaks_.end(), [](const Peak& x, const Peak& y) { return x.gap > y.gap; });
}

bool Search::is_unique(double scale) const
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

double find_scale(const PlacedShape& shape)
{
    double scale = 0;
    for (int i = 0; i < 3; ++i)
    {
        Vec3 d;
        d[i] = 1;
        scale = std::max({scale, norm(find_furthest<double>(shape, d)), norm(find_furthest<double>(shape, -d))});
    }
    return scale;
}

}  // namespace

double find_gap_along(const PlacedShape& first, const PlacedShape& second, const Vec3& normal)
{
    if (second.type == ShapeType::plane) return find_gap_along(second, first, -normal);
    const double low = dot(normal, find_world_furthest<double>(second, -normal));
    if (first.type == ShapeType::plane)
    {
        // Only along its own normal does a half-space end.
        const bool along = norm(normal - first.rotation.column(2)) < 1e-12;
        return along ? dot(normal, second.position - first.position) + low : -std::numeric_limits<double>::infinity();
    }
    return dot(normal, second.position - first.position) + low -
           dot(normal, find_world_furthest<double>(first, normal));
}

BruteDistance find_brute_distance(const PlacedShape& first, const PlacedShape& second)
{
    if (first.type == ShapeType::plane || second.type == ShapeType::plane)
    {
        const Vec3 normal = first.type == ShapeType::plane ? first.rotation.column(2) : -second.rotation.column(2);
        return {find_gap_along(first, second, normal), 0, normal, true};
    }
    const double scale = find_scale(first) + find_scale(second);
    const Bounds bounds = find_bounds(first, second, scale + norm(second.position - first.position));
    if (bounds.lower > 0)
    {
        return {static_cast<double>(bounds.upper), static_cast<double>(bounds.upper - bounds.lower),
                narrow(bounds.normal), bounds.lower > 1e-6L * scale};
    }
    Search search(first, second);
    search.run();
    return {search.gap(), 0, search.normal(), search.is_unique(scale)};
}

}  // namespace rattleback
