// All features of two polyhedra against each other, in extended precision.
#include "support/exact_polyhedra.h"
#include "base/index.h"
#include "support/extended.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace rattleback
{
namespace
{

using Point = Vector3<Real>;

constexpr Real kUnbounded = std::numeric_limits<Real>::infinity();
constexpr Real kRounding = 1e-17L;  // [m], of shapes of size one

/// A polyhedron in the world, relative to the first shape's position.
struct Solid
{
    std::vector<Point> vertices;
    std::vector<std::pair<int, int>> edges;
    std::vector<std::vector<int>> faces;  // counter-clockwise from outside
    std::vector<Point> normals;
};

Point unit(const Point& v) { return (1 / norm(v)) * v; }

void add_box(const Vec3& half, Solid& solid)
{
    for (int i = 0; i < 8; ++i)
        solid.vertices.push_back(
            {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
    for (int i = 0; i < 8; ++i)
    {
        for (const int bit : {1, 2, 4})
        {
            if ((i & bit) == 0) solid.edges.emplace_back(i, i | bit);
        }
    }
    solid.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
}

// A face of a hull is flat to 5e-7 of its size only. All its triangles and chords are in the solid, those of the true
// surface among them: each is a face and an edge of its own here.
void add_hull(const Polyhedron& hull, Solid& solid)
{
    for (const Vec3& v : hull.vertices) solid.vertices.push_back(widen(v));
    for (int f = 0; f < hull.face_count(); ++f)
    {
        const std::vector<int> face(hull.face_vertices.begin() + hull.face_begin[at(f)],
                                    hull.face_vertices.begin() + hull.face_begin[at(f) + 1]);
        for (std::size_t i = 0; i < face.size(); ++i)
        {
            for (std::size_t j = i + 1; j < face.size(); ++j)
            {
                solid.edges.emplace_back(face[i], face[j]);
                for (std::size_t k = j + 1; k < face.size(); ++k) solid.faces.push_back({face[i], face[j], face[k]});
            }
        }
    }
}

Solid make_solid(const PlacedShape& shape, const Vec3& origin)
{
    Solid solid;
    if (shape.type == ShapeType::box)
        add_box(shape.size, solid);
    else
        add_hull(*shape.hull, solid);
    const Point offset = widen(shape.position) - widen(origin);
    for (Point& v : solid.vertices) v = widen(shape.rotation) * v + offset;
    std::vector<std::vector<int>> faces;
    faces.swap(solid.faces);
    for (const auto& face : faces)
    {
        Point normal;
        const Point& corner = solid.vertices[at(face[0])];
        for (std::size_t i = 1; i + 1 < face.size(); ++i)
            normal += cross(solid.vertices[at(face[i])] - corner, solid.vertices[at(face[i + 1])] - corner);
        if (!(norm(normal) > kRounding)) continue;
        solid.faces.push_back(face);
        solid.normals.push_back(unit(normal));
    }
    return solid;
}

/// Gap along a unit direction from first to second.
Real find_gap(const Solid& first, const Solid& second, const Point& n)
{
    Real highest = -kUnbounded, lowest = kUnbounded;
    for (const Point& v : first.vertices) highest = std::max(highest, dot(n, v));
    for (const Point& v : second.vertices) lowest = std::min(lowest, dot(n, v));
    return lowest - highest;
}

class Search
{
public:
    Search(const Solid& first, const Solid& second) : first_(first), second_(second) {}

    /// The direction with the largest gap, of all that faces and edges give.
    void try_directions()
    {
        for (const Point& n : first_.normals) try_direction(n);
        for (const Point& n : second_.normals) try_direction(-n);
        for (const auto& [a, b] : first_.edges)
        {
            for (const auto& [c, d] : second_.edges)
            {
                const Point u = first_.vertices[at(b)] - first_.vertices[at(a)];
                const Point v = second_.vertices[at(d)] - second_.vertices[at(c)];
                const Point n = cross(u, v);
                if (!(norm(n) > 1e-12L * norm(u) * norm(v))) continue;
                try_direction(unit(n));
                try_direction(-unit(n));
            }
        }
    }

    /// The shortest way between two features.
    void try_ways()
    {
        shortest_ = kUnbounded;
        for (const Point& v : second_.vertices) try_faces(first_, v, 1);
        for (const Point& v : first_.vertices) try_faces(second_, v, -1);
        for (const auto& [a, b] : first_.edges)
        {
            for (const auto& [c, d] : second_.edges)
                try_edges(first_.vertices[at(a)], first_.vertices[at(b)], second_.vertices[at(c)],
                          second_.vertices[at(d)]);
        }
    }

    Real largest() const { return gaps_.front().first; }
    ExactDistance make_deep() const
    {
        const auto& [gap, normal] = gaps_.front();
        bool unique = true;
        Real size = 0;
        for (const Point& v : first_.vertices) size = std::max(size, norm(v));
        for (const auto& [other, n] : gaps_)
            unique = unique && (other < gap - 1e-6L * size || norm(n - normal) < 1e-5L);
        return {static_cast<double>(gap), narrow(normal), unique};
    }
    ExactDistance make_apart() const { return {static_cast<double>(shortest_), narrow(unit(way_)), shortest_ > 1e-8L}; }
    void sort()
    {
        std::stable_sort(gaps_.begin(), gaps_.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
    }

private:
    static Vec3 narrow(const Point& v)
    {
        return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    }

    void try_direction(const Point& n) { gaps_.emplace_back(find_gap(first_, second_, n), n); }

    void try_way(const Point& way)
    {
        if (!(norm(way) < shortest_)) return;
        shortest_ = norm(way);
        way_ = way;
    }

    /// A vertex straight above a face of `solid`; `sign` -1: the vertex is of the first solid.
    void try_faces(const Solid& solid, const Point& vertex, int sign)
    {
        for (std::size_t f = 0; f < solid.faces.size(); ++f)
        {
            const auto& face = solid.faces[f];
            const Point& n = solid.normals[f];
            const Real height = dot(n, vertex - solid.vertices[at(face[0])]);
            // Touching is below or above by rounding.
            bool inside = height > -kRounding;
            for (std::size_t i = 0; i < face.size() && inside; ++i)
            {
                const Point& a = solid.vertices[at(face[i])];
                const Point& b = solid.vertices[at(face[(i + 1) % face.size()])];
                inside = dot(n, cross(b - a, vertex - a)) >= 0;
            }
            if (inside) try_way((sign * height) * n);
        }
    }

    /// Two segments: every mix of ends and of inner points where the way is at right angles to the segment.
    void try_edges(const Point& a, const Point& b, const Point& c, const Point& d)
    {
        const auto to_segment = [](const Point& p, const Point& q, const Point& r)
        {
            const Point u = r - q;
            const Real t = std::clamp<Real>(dot(p - q, u) / dot(u, u), 0, 1);
            return q + t * u - p;
        };
        try_way(to_segment(a, c, d));
        try_way(to_segment(b, c, d));
        try_way(-to_segment(c, a, b));
        try_way(-to_segment(d, a, b));
        const Point u = b - a, v = d - c, w = c - a, n = cross(u, v);
        const Real square = dot(n, n);
        if (!(square > 0)) return;
        const Real s = dot(cross(w, v), n) / square, t = dot(cross(w, u), n) / square;
        if (s > 0 && s < 1 && t > 0 && t < 1) try_way(w + t * v - s * u);
    }

    const Solid& first_;
    const Solid& second_;
    std::vector<std::pair<Real, Point>> gaps_;
    Real shortest_ = kUnbounded;
    Point way_{1, 0, 0};
};

}  // namespace

ExactDistance find_exact_distance(const PlacedShape& first, const PlacedShape& second)
{
    const Solid a = make_solid(first, first.position), b = make_solid(second, first.position);
    Search search(a, b);
    search.try_directions();
    search.sort();
    if (!(search.largest() > 0)) return search.make_deep();
    search.try_ways();
    return search.make_apart();
}

}  // namespace rattleback
