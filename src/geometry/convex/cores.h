// Cores of the convex shapes: what remains when the round margin of spheres and capsules is taken off.
#pragma once

#include "geometry/convex/hull_support.h"
#include "geometry/placed_shape.h"

#include <algorithm>

namespace rattleback::cores
{

// Every core says, in its own frame:
//   support     the furthest point in a direction of any length, and `id`, which of its corners or ends this is
//   slide       the point `id` of the exposed face that a unit normal sees: corners stay, curved surfaces follow it
//   flat        whether two points of one exposed face span a direction in which the surface is straight
//   bend        adds s'Ds, s'Dt, t'Dt, where D is the derivative of the support point by the unit normal n: the radii
//               of curvature
//   center, radius  of a ball around it
//   near        a point of it about nearest to a point: where a search starts

struct Bend
{
    double ss = 0, st = 0, tt = 0;
};

struct PointCore
{
    static constexpr bool kCurved = false;

    Vec3 support(const Vec3&, int& id) const
    {
        id = 0;
        return {};
    }
    Vec3 slide(const Vec3& point, int, const Vec3&) const { return point; }
    bool flat(const Vec3&, int, const Vec3&, int, Vec3&) const { return false; }
    void bend(const Vec3&, const Vec3&, const Vec3&, Bend&) const {}
    Vec3 near(const Vec3&) const { return {}; }
    Vec3 center() const { return {}; }
    double radius() const { return 0; }
};

struct SegmentCore
{
    static constexpr bool kCurved = false;
    double half = 0;

    Vec3 support(const Vec3& d, int& id) const
    {
        id = d.z > 0 ? 1 : 0;
        return {0, 0, d.z > 0 ? half : -half};
    }
    Vec3 slide(const Vec3& point, int, const Vec3&) const { return point; }
    bool flat(const Vec3&, int first, const Vec3&, int second, Vec3& along) const
    {
        along = {0, 0, 1};
        return first != second;
    }
    void bend(const Vec3&, const Vec3&, const Vec3&, Bend&) const {}
    Vec3 near(const Vec3& p) const { return {0, 0, std::clamp(p.z, -half, half)}; }
    Vec3 center() const { return {}; }
    double radius() const { return half; }
};

struct BoxCore
{
    static constexpr bool kCurved = false;
    Vec3 half;

    Vec3 support(const Vec3& d, int& id) const
    {
        id = (d.x > 0 ? 1 : 0) | (d.y > 0 ? 2 : 0) | (d.z > 0 ? 4 : 0);
        // Ties go to the negative side, always: equal directions give equal corners.
        return {d.x > 0 ? half.x : -half.x, d.y > 0 ? half.y : -half.y, d.z > 0 ? half.z : -half.z};
    }
    Vec3 slide(const Vec3& point, int, const Vec3&) const { return point; }
    bool flat(const Vec3& first, int first_id, const Vec3& second, int second_id, Vec3& along) const
    {
        along = second - first;
        return first_id != second_id;
    }
    void bend(const Vec3&, const Vec3&, const Vec3&, Bend&) const {}
    Vec3 near(const Vec3& p) const
    {
        return {std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y), std::clamp(p.z, -half.z, half.z)};
    }
    Vec3 center() const { return {}; }
    double radius() const { return norm(half); }
};

struct CylinderCore
{
    static constexpr bool kCurved = true;
    double r = 0, half = 0;

    Vec3 support(const Vec3& d, int& id) const
    {
        id = d.z > 0 ? 1 : 0;
        return place(d, d.z > 0 ? half : -half);
    }
    Vec3 slide(const Vec3& point, int, const Vec3& n) const { return place(n, point.z); }
    bool flat(const Vec3&, int first, const Vec3&, int second, Vec3& along) const
    {
        along = {0, 0, 1};
        return first != second;
    }
    void bend(const Vec3& n, const Vec3& s, const Vec3& t, Bend& bend) const
    {
        // On the side the support point follows the normal round the axis; along z it stands still.
        const double square = n.x * n.x + n.y * n.y;
        if (!(square > kRounding * kRounding)) return;
        const double scale = r / (square * std::sqrt(square));
        const double a = n.x * s.y - n.y * s.x, b = n.x * t.y - n.y * t.x;
        bend.ss += scale * a * a;
        bend.st += scale * a * b;
        bend.tt += scale * b * b;
    }
    Vec3 near(const Vec3& p) const { return {0, 0, std::clamp(p.z, -half, half)}; }
    Vec3 center() const { return {}; }
    double radius() const { return std::sqrt(r * r + half * half); }

private:
    // Of the components of a unit normal: one this near to the axis sees the flat cap, and no direction along the rim.
    static constexpr double kRounding = 1e-15;

    Vec3 place(const Vec3& d, double z) const
    {
        // Towards the rim; a direction along the axis sees the whole cap, of which the middle is taken.
        const double length = std::sqrt(d.x * d.x + d.y * d.y);
        const double scale = length > 0 ? r / length : 0;
        return {scale * d.x, scale * d.y, z};
    }
};

struct EllipsoidCore
{
    static constexpr bool kCurved = true;
    Vec3 radii;

    // The unit ball stretched by S: s(d) = S² d / |S d|.
    Vec3 support(const Vec3& d, int& id) const
    {
        id = 0;
        const Vec3 u = stretched(d);
        const double length = norm(u), scale = length > 0 ? 1 / length : 0;
        return scale * stretched(u);
    }
    Vec3 slide(const Vec3&, int, const Vec3& n) const
    {
        int id = 0;
        return support(n, id);
    }
    bool flat(const Vec3&, int, const Vec3&, int, Vec3&) const { return false; }
    void bend(const Vec3& n, const Vec3& s, const Vec3& t, Bend& bend) const
    {
        // D = (S^2 - s sᵀ) / |S n|: what is left of the stretched ball across the support point.
        const Vec3 u = stretched(n), a = stretched(s), b = stretched(t);
        const double square = dot(u, u);
        if (!(square > 0)) return;
        const double scale = 1 / std::sqrt(square), ua = dot(u, a) / square, ub = dot(u, b);
        bend.ss += scale * (dot(a, a) - ua * dot(u, a));
        bend.st += scale * (dot(a, b) - ua * ub);
        bend.tt += scale * (dot(b, b) - ub * ub / square);
    }
    Vec3 near(const Vec3&) const { return {}; }
    Vec3 center() const { return {}; }
    double radius() const { return std::max({radii.x, radii.y, radii.z}); }

private:
    Vec3 stretched(const Vec3& v) const { return {radii.x * v.x, radii.y * v.y, radii.z * v.z}; }
};

struct HullCore
{
    static constexpr bool kCurved = false;
    const Polyhedron* hull = nullptr;

    Vec3 support(const Vec3& d, int& id) const
    {
        id = find_furthest(*hull, d);
        return hull->vertices[static_cast<std::size_t>(id)];
    }
    Vec3 slide(const Vec3& point, int, const Vec3&) const { return point; }
    bool flat(const Vec3& first, int first_id, const Vec3& second, int second_id, Vec3& along) const
    {
        along = second - first;
        return first_id != second_id;
    }
    void bend(const Vec3&, const Vec3&, const Vec3&, Bend&) const {}
    Vec3 near(const Vec3&) const { return hull->center; }
    Vec3 center() const { return hull->center; }
    double radius() const { return hull->radius; }
};

}  // namespace rattleback::cores
