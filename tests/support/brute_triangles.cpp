// Every triangle against every other one.
#include "support/brute_triangles.h"

#include "geometry/triangle_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{
namespace
{

double find_to_segment(const Vec3& point, const Vec3& from, const Vec3& to)
{
    const Vec3 way = to - from;
    const double share = std::clamp(dot(point - from, way) / dot(way, way), 0.0, 1.0);
    return norm(point - from - share * way);
}

/// Whether the foot of a point on the triangle's plane is in the triangle: on one side of all edges.
bool is_over(const Vec3& point, const Corners& t)
{
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    for (std::size_t i = 0; i < 3; ++i)
    {
        if (dot(cross(normal, t[(i + 1) % 3] - t[i]), point - t[i]) < 0) return false;
    }
    return true;
}

bool crosses(const Vec3& from, const Vec3& to, const Corners& t)
{
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double a = dot(normal, from - t[0]), b = dot(normal, to - t[0]);
    return a * b < 0 && is_over(from + (a / (a - b)) * (to - from), t);
}

double find_between(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    double least = std::min(
        {find_to_segment(a, c, d), find_to_segment(b, c, d), find_to_segment(c, a, b), find_to_segment(d, a, b)});
    // Inside both: a + s u and c + t v with the way between them across both.
    const Vec3 u = b - a, v = d - c, n = cross(u, v), way = c - a;
    const double square = dot(n, n);
    if (!(square > 0)) return least;
    const double s = dot(cross(way, v), n) / square, t = dot(cross(way, u), n) / square;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::min(least, std::abs(dot(way, n)) / std::sqrt(square));
    return least;
}

double find_of_triangles(const Corners& a, const Corners& b)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Vec3 &from = a[i], &to = a[(i + 1) % 3];
        if (crosses(from, to, b) || crosses(b[i], b[(i + 1) % 3], a)) return 0;
        least = std::min({least, find_brute_distance(from, b), find_brute_distance(b[i], a)});
        for (std::size_t k = 0; k < 3; ++k) least = std::min(least, find_between(from, to, b[k], b[(k + 1) % 3]));
    }
    return least;
}

struct Ball
{
    Vec3 center;
    double radius = 0;
};
Ball find_ball(const Corners& t)
{
    const Vec3 center = (1.0 / 3) * (t[0] + t[1] + t[2]);
    return {center, std::max({norm(t[0] - center), norm(t[1] - center), norm(t[2] - center)})};
}

}  // namespace

std::vector<Corners> find_world_triangles(const PlacedShape& mesh)
{
    std::vector<Corners> triangles;
    for (int t = 0; t < mesh.mesh->triangle_count(); ++t)
    {
        Corners corners = mesh.mesh->triangle(t).corner;
        for (Vec3& corner : corners) corner = mesh.position + mesh.rotation * corner;
        triangles.push_back(corners);
    }
    return triangles;
}

double find_brute_distance(const Vec3& point, const Corners& t)
{
    if (is_over(point, t))
    {
        const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
        return std::abs(dot(normal, point - t[0])) / norm(normal);
    }
    return std::min(
        {find_to_segment(point, t[0], t[1]), find_to_segment(point, t[1], t[2]), find_to_segment(point, t[2], t[0])});
}

double find_brute_distance(const std::vector<Corners>& first, const std::vector<Corners>& second)
{
    std::vector<Ball> balls;
    for (const Corners& t : second) balls.push_back(find_ball(t));
    double least = std::numeric_limits<double>::infinity();
    for (const Corners& a : first)
    {
        const Ball ball = find_ball(a);
        for (std::size_t i = 0; i < second.size(); ++i)
        {
            // Balls that are further apart than the least so far cannot hold a nearer pair.
            if (norm(ball.center - balls[i].center) - ball.radius - balls[i].radius > least) continue;
            least = std::min(least, find_of_triangles(a, second[i]));
            if (least == 0) return 0;
        }
    }
    return least;
}

double find_brute_signed_distance(const Vec3& point, const std::vector<Corners>& mesh)
{
    double least = std::numeric_limits<double>::infinity(), angle = 0;
    for (const Corners& t : mesh)
    {
        least = std::min(least, find_brute_distance(point, t));
        // Solid angle of a triangle (van Oosterom and Strackee, The Solid Angle of a Plane Triangle, 1983, Eq. 8).
        const Vec3 a = t[0] - point, b = t[1] - point, c = t[2] - point;
        const double na = norm(a), nb = norm(b), nc = norm(c);
        angle += 2 * std::atan2(dot(a, cross(b, c)), na * nb * nc + dot(a, b) * nc + dot(b, c) * na + dot(c, a) * nb);
    }
    return angle > 2 * kPi ? -least : least;
}

}  // namespace rattleback
