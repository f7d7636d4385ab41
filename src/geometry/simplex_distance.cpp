// Nearest points of simplices, by the regions of Voronoi (Ericson 2005, sections 5.1.2, 5.1.5 and 5.1.9).
#include "geometry/simplex_distance.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Place of the point of a segment nearest to p, from 0 at its begin to 1 at its end.
double find_place(const Vec3& p, const Vec3& begin, const Vec3& end)
{
    const Vec3 edge = end - begin;
    const double square = dot(edge, edge);
    return square > 0 ? std::clamp(dot(p - begin, edge) / square, 0.0, 1.0) : 0.0;
}

std::array<double, 3> find_weights_on_edge(const Vec3& p, const std::array<Vec3, 3>& corner, int from, int to)
{
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    const double place = find_place(p, corner[a], corner[b]);
    std::array<double, 3> weights{};
    weights[a] = 1 - place;
    weights[b] = place;
    return weights;
}

double find_square(const Vec3& p, const std::array<Vec3, 3>& corner, const std::array<double, 3>& w)
{
    const Vec3 away = p - (w[0] * corner[0] + w[1] * corner[1] + w[2] * corner[2]);
    return dot(away, away);
}

/// Weights of a triangle's corners: the face where the point is above it, else the best of the three edges, which is
/// right for triangles without area too.
std::array<double, 3> find_weights_on_triangle(const Vec3& p, const std::array<Vec3, 3>& corner)
{
    const Vec3 normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const double square = dot(normal, normal);
    std::array<double, 3> weights{};
    bool is_inside = square > 0;
    for (std::size_t i = 0; i < 3 && is_inside; ++i)
    {
        // The part of the area opposite to corner i, of the triangle with p projected into the plane.
        const Vec3 &a = corner[(i + 1) % 3], &b = corner[(i + 2) % 3];
        weights[i] = dot(cross(b - a, p - a), normal) / square;
        is_inside = weights[i] > 0;
    }
    if (is_inside)
    {
        weights[0] = 1 - weights[1] - weights[2];
        if (weights[0] > 0) return weights;
    }
    double least = HUGE_VAL;
    for (int i = 0; i < 3; ++i)
    {
        const std::array<double, 3> on_edge = find_weights_on_edge(p, corner, i, (i + 1) % 3);
        const double away = find_square(p, corner, on_edge);
        if (away < least || i == 0)
        {
            least = away;
            weights = on_edge;
        }
    }
    return weights;
}

/// Places on two segments: where the lines are nearest if that is inside both, else the best end of the four.
void find_places(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double& s, double& t)
{
    const Vec3 u = a[1] - a[0], v = b[1] - b[0], from = a[0] - b[0];
    const double uu = dot(u, u), vv = dot(v, v);
    const Vec3 across = cross(u, v);
    const double square = dot(across, across);
    // Sine below 1e-10: lines that close to parallel have no one place.
    if (square > 1e-20 * uu * vv)
    {
        s = dot(cross(v, from), across) / square;
        t = dot(cross(u, from), across) / square;
        if (s > 0 && s < 1 && t > 0 && t < 1) return;
    }
    double least = HUGE_VAL;
    const auto try_places = [&](double new_s, double new_t)
    {
        const Vec3 away = from + new_s * u - new_t * v;
        const double here = dot(away, away);
        if (!(here < least)) return;
        least = here;
        s = new_s;
        t = new_t;
    };
    s = t = 0;
    try_places(0, find_place(a[0], b[0], b[1]));
    try_places(1, find_place(a[1], b[0], b[1]));
    try_places(find_place(b[0], a[0], a[1]), 0);
    try_places(find_place(b[1], a[0], a[1]), 1);
}

}  // namespace

NearestSimplices find_nearest(const Simplex& first, const Simplex& second)
{
    NearestSimplices found;
    const auto &a = first.corner, &b = second.corner;
    if (first.count == 2)
    {
        double s = 0, t = 0;
        find_places(a, b, s, t);
        found.first = {1 - s, s, 0};
        found.second = {1 - t, t, 0};
    }
    else
    {
        found.first = {1, 0, 0};
        if (second.count == 1) found.second = {1, 0, 0};
        if (second.count == 2) found.second = find_weights_on_edge(a[0], b, 0, 1);
        if (second.count == 3) found.second = find_weights_on_triangle(a[0], b);
    }
    // Differences of corners, so that little is lost where both are far from the origin.
    const Vec3 &w = b[0], start = a[0] - w;
    Vec3 between = start;
    for (std::size_t i = 1; i < 3; ++i)
    {
        if (found.first[i] != 0) between += found.first[i] * (a[i] - a[0]);
        if (found.second[i] != 0) between -= found.second[i] * (b[i] - w);
    }
    found.between = between;
    return found;
}

}  // namespace rattleback
