// The whole Hessian of the incremental potential, unprojected (`hessian = paper`): second derivatives of distances and
// of rotations included, by dual numbers over dual numbers.
#include "base/index.h"
#include "math/dual.h"
#include "solvers/ipc/grip_slip.h"
#include "solvers/ipc/potential.h"

namespace rattleback::ipc
{

namespace
{

using First = Dual<double, 12>;
using Second = Dual<First, 12>;  ///< value.value, value.rate: gradient, rate[i].rate[j]: Hessian
using Vector = Vector3<Second>;

Second make_variable(int index)
{
    Second x;
    x.value.rate[index] = 1;
    x.rate[index].value = 1;
    return x;
}

/// A corner as its body moves: c + y, with the turn exp(e) = 1 + [e] + [e]^2 / 2 to the second order, which is all that
/// second derivatives at e = 0 see.
Vector place_corner(const Vec3& center, const Vec3& corner, int body)
{
    const Vec3 arm = corner - center;
    const Vector shift{make_variable(6 * body), make_variable(6 * body + 1), make_variable(6 * body + 2)};
    const Vector turn{make_variable(6 * body + 3), make_variable(6 * body + 4), make_variable(6 * body + 5)};
    const Vector y{Second(arm.x), Second(arm.y), Second(arm.z)},
        c{Second(center.x), Second(center.y), Second(center.z)};
    const Vector across = cross(turn, y);
    return c + shift + y + across + Second(0.5) * cross(turn, across);
}

/// Corners of a simplex with a weight in the nearest point.
struct ExactCorners
{
    std::array<Vector, 3> corner;
    std::size_t count = 0;

    const Vector& operator[](std::size_t i) const { return corner[i]; }
};
ExactCorners list_corners(const Placement& placement, const Simplex& simplex, const std::array<double, 3>& weights,
                          int body)
{
    ExactCorners corners;
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
    {
        if (weights[i] != 0)
            corners.corner[corners.count++] = place_corner(placement.center, placement.place(simplex.corner[i]), body);
    }
    return corners;
}

/// Squared distance of the parts (vertex, edge, face) on which the nearest points lie ([IPC] Eqs. 18 and 19).
Second find_squared_distance(const ExactCorners& first, const ExactCorners& second)
{
    if (first.count > second.count) return find_squared_distance(second, first);
    // Point and point, point and line, then point and plane or line and line: all heights over a common normal.
    const Vector between = first[0] - second[0];
    if (second.count == 1) return dot(between, between);
    const Vector along = second[1] - second[0];
    if (first.count == 1 && second.count == 2)
    {
        const Vector across = cross(between, along);
        return dot(across, across) / dot(along, along);
    }
    const Vector normal = cross(along, first.count == 2 ? first[1] - first[0] : second[2] - second[0]);
    const Second height = dot(between, normal);
    return height * height / dot(normal, normal);
}

double hessian_of(const Second& x, std::size_t i, std::size_t j) { return x.rate[i].rate[j]; }
double gradient_of(const Second& x, std::size_t i) { return x.value.rate[i]; }

}  // namespace

void Potential::add_matrix(int first, int second, const Matrix12& matrix, BlockCholesky& hessian) const
{
    const int rows[2] = {layout_.groups[at(first)].row, layout_.groups[at(second)].row};
    const auto find_block = [&](std::size_t a, std::size_t b)
    {
        Block6 block;
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j) block[6 * i + j] = matrix[6 * a + i][6 * b + j];
        return block;
    };
    for (std::size_t a = 0; a < 2; ++a)
    {
        if (rows[a] < 0) continue;
        // On the diagonal both groups by themselves, off it what couples them.
        const Block6 own = find_block(a, a);
        for (std::size_t i = 0; i < 36; ++i) hessian.diagonal(rows[a])[i] += own[i];
    }
    if (rows[0] >= 0 && rows[1] >= 0) hessian.add(rows[0], rows[1], find_block(0, 1));
}

bool Potential::find_exact(const Touch& touch, std::span<const Placement> placements, Matrix12& matrix) const
{
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    const Placement& a = placements[at(touch.first)];
    const Simplex first = candidates_.first_simplex(set, candidate);
    const ExactCorners mine = list_corners(a, first, touch.first_weights, 0);
    const Jet barrier = find_barrier(touch.distance, reach_, separation_);
    Second distance, parallel;
    Jet mollifier{1, 0, 0};
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        const Vec3& n = space.normal;
        // Half-spaces: linear in the corner.
        distance = dot(Vector{Second(n.x), Second(n.y), Second(n.z)}, mine[0]) - Second(space.offset);
    }
    else
    {
        const Placement& b = placements[at(touch.second)];
        const Simplex second = candidates_.second_simplex(set, candidate);
        // Between simplices: the distance of the parts on which the nearest points lie.
        distance = sqrt(find_squared_distance(mine, list_corners(b, second, touch.second_weights, 1)));
        if (touch.mollifier < 1)
        {
            const std::array<double, 3> all{1, 1, 0};
            const ExactCorners u = list_corners(a, first, all, 0), v = list_corners(b, second, all, 1);
            const Vector edge = u[1] - u[0], other = v[1] - v[0], across = cross(edge, other);
            parallel = dot(across, across);
            mollifier = find_edge_mollifier(
                parallel.value.value, find_parallel_limit(dot(edge, edge).value.value, dot(other, other).value.value));
        }
    }
    // Edges that are parallel to rounding have no common normal.
    if (!std::isfinite(hessian_of(distance, 0, 0))) return false;
    // Product and chain rule of k m(c) b(d), c the measure of parallel edges.
    const double k = find_stiffness(touch);
    for (std::size_t i = 0; i < 12; ++i)
    {
        for (std::size_t j = 0; j < 12; ++j)
        {
            const double di = gradient_of(distance, i), dj = gradient_of(distance, j);
            const double pi = gradient_of(parallel, i), pj = gradient_of(parallel, j);
            matrix[i][j] =
                k * (mollifier.value * (barrier.curvature * di * dj + barrier.slope * hessian_of(distance, i, j)) +
                     mollifier.slope * barrier.slope * (pi * dj + di * pj) +
                     barrier.value * (mollifier.curvature * pi * pj + mollifier.slope * hessian_of(parallel, i, j)));
        }
    }
    return true;
}

Potential::Matrix12 Potential::find_exact(const Grip& grip, std::span<const Body> bodies,
                                          std::span<const Placement> placements) const
{
    const GripSlip slip = find_grip_slip(grip, bodies, placements);
    const Slip smooth = find_slip(slip.length, grip.limit);
    const Placement &a = placements[at(grip.first)], &b = placements[at(grip.second)];
    const Vector x = place_corner(a.center, a.place(grip.on_first) + grip.first_roll, 0),
                 y = place_corner(b.center, b.place(grip.on_second) + grip.second_roll, 1);
    const Vector relative = x - y;
    const auto along = [&](const Vec3& t) { return dot(Vector{Second(t.x), Second(t.y), Second(t.z)}, relative); };
    const Second u = along(grip.tangent[0]), v = along(grip.tangent[1]);
    const double length = slip.length > 0 ? slip.length : 1;
    const double c = slip.along[0] / length, s = slip.along[1] / length;
    Matrix12 matrix;
    for (std::size_t i = 0; i < 12; ++i)
    {
        for (std::size_t j = 0; j < 12; ++j)
        {
            const double ui = gradient_of(u, i), uj = gradient_of(u, j), vi = gradient_of(v, i), vj = gradient_of(v, j);
            const double si = c * ui + s * vi, sj = c * uj + s * vj;
            // f1/|u| (∇u∇uᵀ + ∇v∇vᵀ) + (f1' - f1/|u|) ∇|u|∇|u|ᵀ + f1/|u| (u ∇²u + v ∇²v)
            matrix[i][j] = grip.bound * (smooth.slope_ratio * (ui * uj + vi * vj + slip.along[0] * hessian_of(u, i, j) +
                                                               slip.along[1] * hessian_of(v, i, j)) +
                                         (smooth.slope - smooth.slope_ratio) * si * sj);
        }
    }
    return matrix;
}

void Potential::assemble_exact(std::span<const Body> bodies, std::span<const Placement> placements,
                               std::span<Vector6> gradient, BlockCholesky& hessian)
{
    // The gradient as always; then the Hessian from nothing. Contacts on the way keep their positive part.
    assemble(bodies, placements, gradient, hessian);
    hessian.set_zero();
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row >= 0) add_inertia_exact(layout_.groups[g], bodies[g], placements[g], hessian.diagonal(row));
    }
    Matrix12 matrix;
    for (const Touch& touch : touches_)
    {
        if (find_exact(touch, placements, matrix))
            add_matrix(touch.first, touch.second, matrix, hessian);
        else
            add_rank_one({layout_.groups[at(touch.first)].row, layout_.groups[at(touch.second)].row}, touch.curvature,
                         find_normal(touch, placements), hessian);
    }
    for (const Grip& grip : grips_) add_matrix(grip.first, grip.second, find_exact(grip, bodies, placements), hessian);
    for (const WayTouch& way : way_touches_)
        add_rank_one({layout_.groups[at(way.touch.first)].row, layout_.groups[at(way.touch.second)].row},
                     way.touch.curvature, way.normal, hessian);
    // Their part of the gradient is there already.
    joint_gradient_.assign(gradient.size(), {});
    joints_.assemble(placements, true, joint_gradient_, hessian);
}

}  // namespace rattleback::ipc
