// Principal axes of an inertia: a cyclic Jacobi eigen-solver for symmetric 3x3 matrices, with + - * / sqrt alone.
#include <array>
#include <limits>
#include <utility>

#include "geometry/mass.h"
#include "math/matrix3.h"
#include "math/rotation.h"

namespace rattleback
{
namespace
{

constexpr int kMaxSweeps = 30;  // six are enough; the bound is for input that is not a number
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Jacobi and not a closed form: eigenvectors are orthogonal to rounding, and small moments keep their digits. Order and
// signs are fixed, so that the same inertia always gives the same frame.

/// Small against both diagonal entries: dropping it costs every moment no more than its last digit, even when the
/// moments differ by many orders of magnitude.
bool is_negligible(const Mat3& a, int p, int q)
{
    // Relative to both moments: a tiny moment keeps its digits beside a large one.
    const double scale = std::sqrt(std::abs(a(p, p))) * std::sqrt(std::abs(a(q, q)));
    return !(std::abs(a(p, q)) > kEpsilon / 2 * scale);
}

/// One Jacobi rotation in the plane (p, q): a <- Jᵀ a J with a(p, q) = 0, axes <- axes J.
void rotate_plane(int p, int q, Mat3& a, Mat3& axes)
{
    // The smaller of both angles that make the entry vanish: the axes turn as little as can be.
    const auto [t, c, s] = find_jacobi_turn(a(p, p), a(p, q), a(q, q));
    // The axis that the rotation leaves alone.
    const int r = 3 - p - q;
    const double pq = a(p, q), rp = a(r, p), rq = a(r, q);
    // Only the two diagonal entries and the third row change.
    a(p, p) -= t * pq;
    a(q, q) += t * pq;
    a(p, q) = a(q, p) = 0;
    a(r, p) = a(p, r) = c * rp - s * rq;
    a(r, q) = a(q, r) = s * rp + c * rq;
    // Eigenvectors are the product of all turns.
    for (int i = 0; i < 3; ++i)
    {
        const double ip = axes(i, p), iq = axes(i, q);
        axes(i, p) = c * ip - s * iq;
        axes(i, q) = s * ip + c * iq;
    }
}

/// Makes `a` diagonal; returns the axes as columns.
Mat3 diagonalize(Mat3& a)
{
    // The product of all rotations, from the identity.
    Mat3 axes{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    constexpr std::array<std::pair<int, int>, 3> planes{{{0, 1}, {0, 2}, {1, 2}}};
    // Quadratic convergence: a few sweeps reach rounding.
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep)
    {
        bool moved = false;
        for (const auto& [p, q] : planes)
        {
            // Cyclic order, not the largest entry first: three entries are not worth a search.
            if (is_negligible(a, p, q)) continue;
            rotate_plane(p, q, a, axes);
            moved = true;
        }
        if (!moved) break;
    }
    return axes;
}

/// Columns in descending order of moment. Moments equal but for rounding keep the order of their axes.
std::array<int, 3> find_order(const Mat3& a)
{
    std::array<int, 3> order{0, 1, 2};
    for (const int i : {0, 1, 0})  // bubble sort
    {
        const auto k = static_cast<std::size_t>(i);
        const double first = a(order[k], order[k]), second = a(order[k + 1], order[k + 1]);
        // Nearly equal moments keep their order, or the frame would jump by rounding.
        if (second - first > 16 * kEpsilon * std::abs(second)) std::swap(order[k], order[k + 1]);
    }
    return order;
}

Vec3 sorted(Vec3 v)
{
    // A network of three comparisons.
    if (v.x < v.y) std::swap(v.x, v.y);
    if (v.y < v.z) std::swap(v.y, v.z);
    if (v.x < v.y) std::swap(v.x, v.y);
    return v;
}

/// Each axis may point either way: of the four right-handed choices, the one that turns least, so w is largest.
Mat3 find_least_turn(const std::array<Vec3, 3>& axes)
{
    const double hand = dot(cross(axes[0], axes[1]), axes[2]) < 0 ? -1 : 1;
    Mat3 best;
    double best_trace = -std::numeric_limits<double>::infinity();
    // Two signs are free; the third follows from the right hand.
    for (const auto& [sx, sy] : {std::pair{1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}})
    {
        const Vec3 x = sx * axes[0], y = sy * axes[1], z = hand * sx * sy * axes[2];
        const double trace = x.x + y.y + z.z;
        if (!(trace > best_trace)) continue;
        // Trace = 1 + 2 cos of the angle: the largest trace turns least.
        best_trace = trace;
        best = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
    }
    return best;
}

}  // namespace

PrincipalAxes find_principal_axes(const Mat3& inertia)
{
    // Exactly symmetric before anything else.
    Mat3 a;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) a(i, j) = i == j ? inertia(i, i) : 0.5 * (inertia(i, j) + inertia(j, i));
    }
    const Mat3 axes = diagonalize(a);
    const std::array<int, 3> order = find_order(a);
    const Mat3 rotation = find_least_turn({axes.column(order[0]), axes.column(order[1]), axes.column(order[2])});
    Quat q = to_quaternion(rotation);
    // q and -q are one rotation: the one with w >= 0.
    if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
    return {.moments = sorted({a(0, 0), a(1, 1), a(2, 2)}), .rotation = q};
}

}  // namespace rattleback
