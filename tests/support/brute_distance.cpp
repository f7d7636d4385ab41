// Plain support points, and the least-norm point by enumeration of simplex parts.
#include "support/brute_distance.h"

#include "support/brute_search.h"
#include "support/extended.h"

#include <algorithm>
#include <array>
#include <limits>

namespace rattleback
{
namespace
{

using Point = Vector3<Real>;

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
struct Simplex
{
    std::array<Point, 4> points;
    std::size_t count = 0;

    std::size_t size() const { return count; }
    const Point& operator[](std::size_t i) const { return points[i]; }
    void push_back(const Point& p) { points[count++] = p; }
};

/// The point of least norm on the plane, line or point through some corners, if it lies strictly between them.
bool find_least(const Simplex& corners, Point& least)
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
Point reduce(Simplex& corners)
{
    Point best;
    Real best_square = std::numeric_limits<Real>::infinity();
    Simplex kept;
    for (unsigned subset = 1; subset < 1U << corners.size(); ++subset)
    {
        Simplex part;
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

/// Bounds of the distance, from a first direction on; lower <= 0 where the shapes may overlap.
Bounds find_bounds(const PlacedShape& first, const PlacedShape& second, Real scale, const Point& start)
{
    constexpr int kMaxIterations = 3000;
    Simplex corners;
    corners.push_back(find_lowest_difference(first, second, start));
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
    const double extent = scale + norm(second.position - first.position);
    Bounds bounds = find_bounds(first, second, extent, {1, 0, 0});
    if (bounds.lower > 0 && bounds.upper - bounds.lower < 1e-12L * scale)
    {
        return {static_cast<double>(bounds.upper), static_cast<double>(bounds.upper - bounds.lower),
                narrow(bounds.normal), bounds.lower > 1e-6L * scale};
    }
    // Overlapping, or so near that the way between the nearest points has no exact direction.
    GapSearch search(first, second);
    search.run(narrow(bounds.normal));
    if (search.gap() > 0)
    {
        // Flat simplices stop the descent early: other starts end in others.
        for (const Point& start : {widen(search.normal()), Point{0, 1, 0}, Point{0, 0, 1}, Point{1, 1, 1}})
            bounds.upper = std::min(bounds.upper, find_bounds(first, second, extent, start).upper);
        const double upper = static_cast<double>(bounds.upper);
        return {upper, upper - search.gap(), search.normal(), false};
    }
    return {search.gap(), 0, search.normal(), search.is_unique(scale)};
}

}  // namespace rattleback
