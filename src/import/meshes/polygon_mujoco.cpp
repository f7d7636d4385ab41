// Triangles of a polygon as MuJoCo's reader of OBJ files cuts them, with what it gets wrong.
#include "import/meshes/polygon.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace rattleback
{
namespace
{

using Corner = std::array<float, 3>;
using Flat = std::array<float, 2>;

/// The two coordinates in which the first corner that turns is seen best.
std::array<std::size_t, 2> find_plane(const std::vector<Corner>& corners)
{
    const std::size_t count = corners.size();
    for (std::size_t i = 0; i < count; ++i)
    {
        const Corner &a = corners[i], &b = corners[(i + 1) % count], &c = corners[(i + 2) % count];
        const Corner e{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, f{c[0] - b[0], c[1] - b[1], c[2] - b[2]};
        const float x = std::fabs(e[1] * f[2] - e[2] * f[1]), y = std::fabs(e[2] * f[0] - e[0] * f[2]),
                    z = std::fabs(e[0] * f[1] - e[1] * f[0]);
        constexpr float kLeast = std::numeric_limits<float>::epsilon();
        if (!(x > kLeast || y > kLeast || z > kLeast)) continue;
        if (x > y && x > z) return {1, 2};
        return {0, z > x && z > y ? 1U : 2U};
    }
    return {1, 2};
}

/// Crossing number of a ray from p along the first coordinate.
bool is_within(const std::array<Flat, 3>& triangle, const Flat& p)
{
    bool inside = false;
    for (std::size_t i = 0, j = 2; i < 3; j = i++)
    {
        const Flat &a = triangle[i], &b = triangle[j];
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0])
            inside = !inside;
    }
    return inside;
}

/// A corner counts as convex if it turns the way in which its first edge goes round the origin of the file.
bool is_ear(const std::vector<Flat>& points, const std::vector<int>& left, std::size_t first)
{
    const auto point = [&](std::size_t k) { return points[static_cast<std::size_t>(left[(first + k) % left.size()])]; };
    const std::array<Flat, 3> ear{point(0), point(1), point(2)};
    const auto& [a, b, c] = ear;
    const float turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
    const float round = (a[0] * b[1] - a[1] * b[0]) * 0.5F;
    if (turn * round < 0) return false;
    for (std::size_t k = 3; k < left.size(); ++k)
    {
        if (is_within(ear, point(k))) return false;
    }
    return true;
}

}  // namespace

bool cut_polygon_as_mujoco(std::span<const Vec3> corners, std::vector<std::array<int, 3>>& triangles,
                           std::uint64_t& work)
{
    if (corners.size() <= 4) return cut_polygon(corners, triangles, work);
    std::vector<Corner> rounded;
    for (const Vec3& v : corners)
        rounded.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    const auto [first, second] = find_plane(rounded);
    std::vector<Flat> points;
    for (const Corner& corner : rounded) points.push_back({corner[first], corner[second]});

    std::vector<int> left(corners.size());
    std::iota(left.begin(), left.end(), 0);
    std::size_t cursor = 0, tries = left.size(), before = left.size();
    while (left.size() > 3 && tries > 0)
    {
        if (work < left.size()) return false;
        work -= left.size();
        if (cursor >= left.size()) cursor -= left.size();
        tries = before != left.size() ? left.size() : tries - 1;
        before = left.size();
        if (!is_ear(points, left, cursor))
        {
            ++cursor;
            continue;
        }
        triangles.push_back({left[cursor], left[(cursor + 1) % left.size()], left[(cursor + 2) % left.size()]});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>((cursor + 1) % left.size()));
    }
    // Where no ear was found the rest is left out.
    if (left.size() == 3) triangles.push_back({left[0], left[1], left[2]});
    return true;
}

}  // namespace rattleback
