// Exact tests of elements against each other, and the depth of what intersects.
#include "lab/certify/overlap.h"

#include "geometry/simplex_distance.h"
#include "geometry/triangle_surface.h"
#include "lab/certify/exact.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kRounding = 1e-12;    // of the size: below it places in doubles decide nothing
constexpr std::size_t kSamples = 256;  // places of a surface whose depth is taken

ExactTriangle place_triangle(const Complex& complex, const Element& element, const Place& place)
{
    return {place(complex.corner(element, 0)), place(complex.corner(element, 1)), place(complex.corner(element, 2))};
}

double find_distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b)
{
    const Vec3 along = b - a;
    const double square = dot(along, along);
    const double t = square > 0 ? std::clamp(dot(x - a, along) / square, 0.0, 1.0) : 0;
    return norm(x - a - t * along);
}

/// How far an edge and a triangle that it pierces must move to part: the edge back along the normal until its nearer
/// end is out, or sideways over the nearest border of the triangle.
double find_poke(const Vec3& p, const Vec3& q, const ExactTriangle& t)
{
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double length = norm(normal);
    if (length == 0) return 0;
    const double at_p = dot(normal, p - t[0]) / length, at_q = dot(normal, q - t[0]) / length;
    double least = std::min(std::abs(at_p), std::abs(at_q));
    if (at_p == at_q) return 0;
    const Vec3 crossing = p + (at_p / (at_p - at_q)) * (q - p);
    for (std::size_t k = 0; k < 3; ++k)
        least = std::min(least, find_distance_to_segment(crossing, t[k], t[(k + 1) % 3]));
    return least;
}

/// Edges of the first element against the second, which is a triangle.
void pierce(const Complex& first, const Element& a, const Place& place, const ExactTriangle& triangle, Overlap& overlap)
{
    for (int k = 0; k < a.edge_count(); ++k)
    {
        if (!a.owns_edge[static_cast<std::size_t>(k)]) continue;
        const Vec3 p = place(first.corner(a, k)), q = place(first.corner(a, k + 1));
        if (!exact_intersect(p, q, triangle)) continue;
        overlap.intersects = true;
        overlap.depth = std::max(overlap.depth, find_poke(p, q, triangle));
    }
}

Simplex place_simplex(const Complex& complex, const Element& element, const Place& place)
{
    Simplex simplex{.count = element.count};
    for (int k = 0; k < element.count; ++k)
        simplex.corner[static_cast<std::size_t>(k)] = place(complex.corner(element, k));
    return simplex;
}

Simplex take_corner(const Simplex& whole, int k) { return {{whole.corner[static_cast<std::size_t>(k)]}, 1}; }

/// Edge k, from corner k to the next, of a segment or triangle.
Simplex take_edge(const Simplex& whole, int k)
{
    return {{whole.corner[static_cast<std::size_t>(k)], whole.corner[static_cast<std::size_t>((k + 1) % whole.count)]},
            2};
}

int count_edges(const Simplex& whole) { return whole.count == 3 ? 3 : whole.count - 1; }

/// Least distance of a vertex from the other, or of two edges: that of the two, unless an edge passes through a face.
double find_feature_distance(const Simplex& a, const Simplex& b)
{
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Simplex& x, const Simplex& y)
    { least = std::min(least, norm(find_nearest(x, y).between)); };
    for (int k = 0; k < a.count; ++k) consider(take_corner(a, k), b);
    for (int k = 0; k < b.count; ++k) consider(take_corner(b, k), a);
    for (int i = 0; i < count_edges(a); ++i)
    {
        for (int j = 0; j < count_edges(b); ++j) consider(take_edge(a, i), take_edge(b, j));
    }
    return least;
}

bool has_edge_through(const Simplex& a, const Simplex& triangle)
{
    for (int i = 0; triangle.count == 3 && i < count_edges(a); ++i)
    {
        const Simplex edge = take_edge(a, i);
        if (exact_intersect(edge.corner[0], edge.corner[1], triangle.corner)) return true;
    }
    return false;
}

/// Distance of the elements themselves.
double find_core_distance(const Simplex& a, const Simplex& b)
{
    return has_edge_through(a, b) || has_edge_through(b, a) ? 0 : find_feature_distance(a, b);
}

/// How often the surface goes round a point: 1 inside, 0 outside (solid angles, van Oosterom and Strackee 1983).
double find_winding(const Complex& solid, const Vec3& point)
{
    double angle = 0;
    for (const Element& element : solid.elements)
    {
        const Vec3 a = solid.corner(element, 0) - point, b = solid.corner(element, 1) - point;
        const Vec3 c = solid.corner(element, 2) - point;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        angle += 2 * std::atan2(dot(a, cross(b, c)), denominator);
    }
    return angle / (4 * kPi);
}

double find_surface_distance(const Complex& complex, const Vec3& point)
{
    double square = std::numeric_limits<double>::infinity();
    complex.tree.find_near(point, square,
                           [&](int item)
                           {
                               const Element& e = complex.elements[static_cast<std::size_t>(item)];
                               const Vec3 nearest = find_nearest_on_triangle(
                                   {complex.corner(e, 0), complex.corner(e, 1), complex.corner(e, 2)}, point);
                               square = std::min(square, dot(nearest - point, nearest - point));
                           });
    return std::sqrt(square);
}

/// Calls visit(place) where the surface of a complex is looked at: its vertices, and the middles of its elements and of
/// their edges. Where two boxes of one size have sunk into each other face on face, their corners are a hair from the
/// sides.
template <class Visit>
void visit_places(const Complex& complex, Visit&& visit)
{
    for (const Vec3& vertex : complex.vertices) visit(vertex);
    for (const Element& element : complex.elements)
    {
        if (element.count == 3)
            visit((1.0 / 3) * (complex.corner(element, 0) + complex.corner(element, 1) + complex.corner(element, 2)));
        for (int k = 0; k < element.edge_count(); ++k)
            if (element.owns_edge[static_cast<std::size_t>(k)])
                visit(0.5 * (complex.corner(element, k) + complex.corner(element, (k + 1) % element.count)));
    }
}

/// The deepest place of the surface of `first` inside the solid `second`; 0: none is.
double find_sunk(const Complex& first, const Place& first_place, const Complex& second, const Place& second_place,
                 std::size_t samples)
{
    if (!second.solid) return 0;
    const Aabb bounds = second.tree.bounds();
    std::vector<Vec3> inside;
    visit_places(first,
                 [&](const Vec3& place)
                 {
                     const Vec3 v = transpose_times(second_place.rotation, first_place(place) - second_place.center);
                     if (overlaps(bounds, {v, v})) inside.push_back(v);
                 });
    double deepest = 0;
    const std::size_t stride = std::max<std::size_t>(1, inside.size() / samples);
    for (std::size_t i = 0; i < inside.size(); i += stride)
    {
        if (find_winding(second, inside[i]) > 0.5)
            deepest = std::max(deepest, find_surface_distance(second, inside[i]));
    }
    return deepest;
}

/// How high the lowest point of anything lies above a half-space.
double find_height(const Complex& plane, const Place& plane_place, const Complex& other, const Place& place)
{
    const Vec3 normal = plane_place.rotation * plane.normal;
    const Vec3 origin = plane_place(plane.vertices.front());
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vec3& v : other.vertices) lowest = std::min(lowest, dot(normal, place(v) - origin) - other.radius);
    return lowest;
}

Overlap find_sunk_in_plane(const Complex& plane, const Place& plane_place, const Complex& other, const Place& place)
{
    const double height = find_height(plane, plane_place, other, place);
    return {height < -kRounding * other.size, std::max(0.0, -height)};
}

}  // namespace

double find_distance(const Complex& first, const Place& first_place, const Complex& second, const Place& second_place,
                     double reach)
{
    constexpr double kFirst = 1.0 / 4096, kNext = 8;  // searches, over the reach: what is near is found among few
    if (first.plane) return std::min(reach, find_height(first, first_place, second, second_place));
    if (second.plane) return std::min(reach, find_height(second, second_place, first, first_place));
    const double radius = first.radius + second.radius;
    double least = reach;
    for (double margin = kFirst * reach;; margin *= kNext)
    {
        margin = std::min(margin, least);
        visit_near(first, first_place, second, second_place, margin + radius,
                   [&](int i, int j)
                   {
                       const Element& a = first.elements[static_cast<std::size_t>(i)];
                       const Element& b = second.elements[static_cast<std::size_t>(j)];
                       least = std::min(least, find_feature_distance(place_simplex(first, a, first_place),
                                                                     place_simplex(second, b, second_place)) -
                                                   radius);
                   });
        if (least <= margin) return least;  // whatever is as near has been looked at
    }
}

Overlap find_overlap(const Complex& first, const Place& first_place, const Complex& second, const Place& second_place,
                     bool contained)
{
    if (first.plane) return find_sunk_in_plane(first, first_place, second, second_place);
    if (second.plane) return find_sunk_in_plane(second, second_place, first, first_place);
    Overlap overlap;
    const double radius = first.radius + second.radius;
    const double slack = kRounding * std::min(first.size, second.size);
    visit_near(first, first_place, second, second_place, radius,
               [&](int i, int j)
               {
                   const Element& a = first.elements[static_cast<std::size_t>(i)];
                   const Element& b = second.elements[static_cast<std::size_t>(j)];
                   if (radius > 0)
                   {
                       const double depth = radius - find_core_distance(place_simplex(first, a, first_place),
                                                                        place_simplex(second, b, second_place));
                       overlap.intersects = overlap.intersects || depth > slack;
                       overlap.depth = std::max(overlap.depth, depth);
                       return;
                   }
                   if (b.count == 3) pierce(first, a, first_place, place_triangle(second, b, second_place), overlap);
                   if (a.count == 3) pierce(second, b, second_place, place_triangle(first, a, first_place), overlap);
               });
    if (!overlap.intersects && !contained) return overlap;
    // Without a crossing one vertex tells for all.
    const std::size_t samples = overlap.intersects ? kSamples : 1;
    const double sunk = std::max(find_sunk(first, first_place, second, second_place, samples),
                                 find_sunk(second, second_place, first, first_place, samples));
    if (sunk > 0) overlap = {true, radius > 0 ? std::max(sunk + radius, overlap.depth) : sunk};
    return overlap;
}

}  // namespace rattleback::lab
