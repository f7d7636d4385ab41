// Thin shells in closed form; the ellipsoid, which has none, as the difference of two solids.
#include "import/mjcf/shell_mass.h"

#include <rattleback/math.h>

#include <cmath>

namespace rattleback::mjcf
{

namespace
{

MassProperties make_shell(double area, const Vec3& moments)
{
    MassProperties shell{.mass = area};
    for (int k = 0; k < 3; ++k) shell.inertia(k, k) = moments[k];
    return shell;
}

/// The curved side of a cylinder, with two caps: discs, or half spheres whose centres are at the ends.
MassProperties make_round_shell(double r, double half, bool spheres)
{
    const double side = 2 * kPi * r * 2 * half, caps = (spheres ? 4 : 2) * kPi * r * r;
    const double side_across = side * (r * r / 2 + half * half / 3);
    // A half sphere has its centre of mass at r / 2 and 2/3 m r^2 about every axis through the middle of its rim.
    const double reach = spheres ? half + r / 2 : half;
    const double own = spheres ? (2.0 / 3 - 1.0 / 4) * r * r : r * r / 4;
    const double across = side_across + caps * (own + reach * reach);
    const double along = side * r * r + caps * (spheres ? 2.0 / 3 : 0.5) * r * r;
    return make_shell(side + caps, {across, across, along});
}

MassProperties make_box_shell(const Vec3& s)
{
    // Second moments of area, axis by axis: two faces stand across it, four along it.
    double total = 0;
    Vec3 squares;
    for (int k = 0; k < 3; ++k)
    {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double faces = 8 * s[a] * s[b];  // both of them
        total += faces;
        squares[k] += faces * s[k] * s[k];
        squares[a] += faces * s[a] * s[a] / 3;
        squares[b] += faces * s[b] * s[b] / 3;
    }
    return make_shell(total, {squares.y + squares.z, squares.x + squares.z, squares.x + squares.y});
}

/// Area by Thomsen's formula; moments of a layer that is equally thick along the three axes, scaled to that area.
MassProperties make_ellipsoid_shell(const Vec3& s)
{
    constexpr double kPower = 1.6075, kLayer = 1e-6;  // [m]
    const double sum = std::pow(s.x * s.y, kPower) + std::pow(s.x * s.z, kPower) + std::pow(s.y * s.z, kPower);
    const double area = 4 * kPi * std::pow(sum / 3, 1 / kPower);
    const auto volume = [](const Vec3& a) { return 4.0 / 3 * kPi * a.x * a.y * a.z; };
    const auto moment = [&](const Vec3& a, int k)
    {
        const double y = a[(k + 1) % 3], z = a[(k + 2) % 3];
        return volume(a) / 5 * (y * y + z * z);
    };
    const Vec3 outer{s.x + kLayer, s.y + kLayer, s.z + kLayer};
    const double scale = area / (volume(outer) - volume(s));
    Vec3 moments;
    for (int k = 0; k < 3; ++k) moments[k] = scale * (moment(outer, k) - moment(s, k));
    return make_shell(area, moments);
}

}  // namespace

std::optional<MassProperties> compute_shell_mass(ShapeType type, const Vec3& size)
{
    const double r = size.x;
    switch (type)
    {
        case ShapeType::sphere:
        {
            const double area = 4 * kPi * r * r, moment = area * 2 / 3 * r * r;
            return make_shell(area, {moment, moment, moment});
        }
        case ShapeType::capsule:
        case ShapeType::cylinder:
            return make_round_shell(r, size.y, type == ShapeType::capsule);
        case ShapeType::box:
            return make_box_shell(size);
        case ShapeType::ellipsoid:
            return make_ellipsoid_shell(size);
        default:
            return std::nullopt;
    }
}

}  // namespace rattleback::mjcf
