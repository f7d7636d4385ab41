// Jacobi's method on a quaternion.
#include "import/mjcf/mesh_axes.h"

#include <algorithm>
#include <cmath>

namespace rattleback::mjcf
{

namespace
{

constexpr double kStop = 1e-7;      // of the largest entry
constexpr int kMaxRotations = 500;  // a handful is enough

Quat turn_about(int axis, double sine)
{
    Quat q{std::sqrt(1 - sine * sine), 0, 0, 0};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = sine;
    return q;
}

}  // namespace

MeshAxes find_mesh_axes(const Mat3& inertia)
{
    Quat q;
    Mat3 d = inertia;
    for (int i = 0; i < kMaxRotations; ++i)
    {
        const Mat3 r = to_matrix(q);
        d = transpose(r) * inertia * r;
        const double xy = std::abs(d(0, 1)), xz = std::abs(d(0, 2)), yz = std::abs(d(1, 2));
        const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;  // of the rotation
        const int row = axis == 0 ? 1 : 0, column = axis == 2 ? 1 : 2;
        double largest = 0;
        for (const double entry : d.m) largest = std::max(largest, std::abs(entry));
        if (!(std::abs(d(row, column)) >= kStop * largest) || largest == 0) break;
        const double tau = (d(column, column) - d(row, row)) / (2 * d(row, column));
        const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
        const double cosine = 1 / std::sqrt(1 + t * t);
        const double half = std::sqrt(std::max(0.0, 0.5 - 0.5 * cosine));  // sine of half the angle
        const bool back = (tau >= 0) != (axis == 1);
        q = normalized(q * turn_about(axis, back ? -half : half));
    }
    MeshAxes result{q, {d(0, 0), d(1, 1), d(2, 2)}};
    Vec3& m = result.moments;
    for (const int k : {0, 1, 0})  // bubble sort by quarter turns
    {
        if (!(m[k] < m[k + 1])) continue;
        std::swap(m[k], m[k + 1]);
        result.rotation = normalized(result.rotation * turn_about((k + 2) % 3, std::sqrt(0.5)));
    }
    return result;
}

}  // namespace rattleback::mjcf
