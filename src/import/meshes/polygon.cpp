// Triangles of a polygon, by the shorter diagonal and by cutting ears.
#include "import/meshes/polygon.h"

#include <cmath>
#include <numeric>

namespace rattleback
{
namespace
{

/// A corner seen along one axis.
struct Point
{
    double x = 0;
    double y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

/// In single precision, as in MuJoCo: near ties fall as they do there.
float find_squared_distance(const Vec3& a, const Vec3& b)
{
    const float x = static_cast<float>(b.x) - static_cast<float>(a.x);
    const float y = static_cast<float>(b.y) - static_cast<float>(a.y);
    const float z = static_cast<float>(b.z) - static_cast<float>(a.z);
    return x * x + y * y + z * z;
}

/// Twice the signed area of a triangle. Coordinates of 24 bits leave hardly anything to round.
double find_turn(const Point& a, const Point& b, const Point& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether a point lies in a triangle that turns left, or on its border. Its corners do not count: polygons with holes
/// pass twice through some places.
bool is_inside(const std::array<Point, 3>& triangle, const Point& p)
{
    const auto& [a, b, c] = triangle;
    if (p == a || p == b || p == c) return false;
    return find_turn(a, b, p) >= 0 && find_turn(b, c, p) >= 0 && find_turn(c, a, p) >= 0;
}

/// Twice the area vector (Newell), about the first corner for the sake of digits.
Vec3 find_area_vector(std::span<const Vec3> corners)
{
    Vec3 sum;
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    {
        sum += cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
    }
    return sum;
}

/// The corners without the coordinate in which the polygon is flattest, so that they turn left.
std::vector<Point> project(std::span<const Vec3> corners)
{
    const Vec3 area = find_area_vector(corners);
    const double x = std::abs(area.x), y = std::abs(area.y), z = std::abs(area.z);
    const int axis = (x > y && x > z) ? 0 : (y > z ? 1 : 2);
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    const double sign = area[axis] < 0 ? -1 : 1;

    std::vector<Point> points;
    points.reserve(corners.size());
    for (const Vec3& v : corners) points.push_back({sign * v[first], v[second]});
    return points;
}

/// A polygon that loses ears until three corners are left.
class EarCutter
{
public:
    EarCutter(std::span<const Vec3> corners, std::vector<std::array<int, 3>>& triangles, std::uint64_t& work)
        : points_(project(corners)), left_(corners.size()), triangles_(triangles), work_(work)
    {
        std::iota(left_.begin(), left_.end(), 0);
    }

    bool run()
    {
        std::size_t cursor = 0, tries = left_.size();
        while (left_.size() > 3 && tries > 0)
        {
            if (work_ < left_.size()) return false;
            work_ -= left_.size();
            if (cursor >= left_.size()) cursor = 0;
            if (!is_ear(cursor))
            {
                ++cursor;
                --tries;
                continue;
            }
            cut(cursor);
            tries = left_.size();
        }
        while (left_.size() >= 3) cut(0);
        return true;
    }

private:
    std::size_t place(std::size_t cursor) const { return cursor % left_.size(); }
    int corner(std::size_t cursor) const { return left_[place(cursor)]; }
    const Point& point(std::size_t cursor) const { return points_[static_cast<std::size_t>(corner(cursor))]; }

    bool is_ear(std::size_t cursor) const
    {
        const std::array<Point, 3> triangle = {point(cursor), point(cursor + 1), point(cursor + 2)};
        const double turn = find_turn(triangle[0], triangle[1], triangle[2]);
        if (turn == 0) return true;  // a corner in line, or a spike: nothing is lost
        if (!(turn > 0)) return false;
        for (std::size_t i = 3; i < left_.size(); ++i)
        {
            if (is_inside(triangle, point(cursor + i))) return false;
        }
        return true;
    }

    void cut(std::size_t cursor)
    {
        triangles_.push_back({corner(cursor), corner(cursor + 1), corner(cursor + 2)});
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place(cursor + 1)));
    }

    std::vector<Point> points_;
    std::vector<int> left_;
    std::vector<std::array<int, 3>>& triangles_;
    std::uint64_t& work_;
};

}  // namespace

bool cut_polygon(std::span<const Vec3> corners, std::vector<std::array<int, 3>>& triangles, std::uint64_t& work)
{
    if (corners.size() == 3)
    {
        triangles.push_back({0, 1, 2});
        return true;
    }
    if (corners.size() == 4)
    {
        const bool first =
            find_squared_distance(corners[0], corners[2]) < find_squared_distance(corners[1], corners[3]);
        triangles.push_back({0, 1, first ? 2 : 3});
        triangles.push_back({first ? 0 : 1, 2, 3});
        return true;
    }
    return EarCutter(corners, triangles, work).run();
}

}  // namespace rattleback
