// Gauss-Seidel sweeps: rows one by one, elliptic contacts along their ray and then in their tangent plane.
#include "solvers/convex/pgs.h"

#include <algorithm>
#include <array>

namespace rattleback::convex
{

// The dual problem ([MuJoCo] eq:dual): min over forces f of 1/2 fᵀ (A + R) f + fᵀ (J a_s - a_ref), A = J M^-1 Jᵀ, with
// f in the set Omega of forces that rows may give. A is never formed but for the diagonal blocks of single contacts:
// the acceleration a = a_s + M^-1 Jᵀ f is carried along instead, and gives the gradient J a - a_ref + R f of any row.

namespace
{

constexpr int kMaxRows = 16;  // of a block

/// One block of rows in a sweep: gradient g = J a - reference + R f, matrix A + R (or A alone), forces f.
struct BlockSweep
{
    int n = 0;
    std::array<double, kMaxRows * kMaxRows> a{};
    std::array<double, kMaxRows> g{}, f{};
    double gain = 0;  ///< by how much the dual cost fell, and at least by the parabola of each change

    void load(const Problem& problem, const Dual& dual, int index, const double* acceleration, const double* force,
              double regulariser);
    /// f += change, with gradient and gain.
    void change(const double* df);
    void change_one(int row, double df)
    {
        std::array<double, kMaxRows> all{};
        all[static_cast<std::size_t>(row)] = df;
        change(all.data());
    }
};

void BlockSweep::load(const Problem& problem, const Dual& dual, int index, const double* acceleration,
                      const double* force, double regulariser)
{
    // The gradient of [MuJoCo] eq:dual is (A + R) f + J a_s - a_ref = J a - a_ref + R f with a = a_s + M^-1 Jᵀ f.
    const Block& block = problem.rows.blocks[index];
    n = block.row_count;
    gain = 0;
    multiply_block(problem.rows, block, acceleration, g.data());
    const double* plain = dual.block(index);
    for (int i = 0; i < n; ++i)
    {
        const double r = regulariser * problem.regulariser[block.row + i];
        f[i] = force[block.row + i];
        g[i] += r * f[i] - problem.reference[block.row + i];
        for (int j = 0; j < n; ++j) a[i * n + j] = plain[i * n + j] + (i == j ? r : 0);
    }
}

void BlockSweep::change(const double* df)
{
    // g moves by (A + R) df; the cost falls by - dfᵀ g - 1/2 dfᵀ (A + R) df.
    double linear = 0, parabola = 0;
    for (int i = 0; i < n; ++i)
    {
        double push = 0;
        for (int j = 0; j < n; ++j) push += a[i * n + j] * df[j];
        linear -= df[i] * g[i];
        parabola += 0.5 * df[i] * push;
        g[i] += push;
        f[i] += df[i];
    }
    gain += std::max(linear - parabola, parabola);  // of a step to a minimum; the first loses its digits on a cone
}

/// Every row by itself, forces inside [lower, upper].
void sweep_rows(const Problem& problem, const Block& block, BlockSweep& s)
{
    constexpr double kUnbounded = 1e300;
    for (int i = 0; i < s.n; ++i)
    {
        // The set Omega of eq:dual: any force of an equality, |f| <= eta of dry friction, f >= 0 of all others.
        const int row = block.row + i;
        double lower = 0, upper = kUnbounded;
        if (row < problem.equality_end) lower = -kUnbounded;
        if (row >= problem.equality_end && row < problem.friction_end)
        {
            upper = problem.loss[row];
            lower = -upper;
        }
        // The minimum along this force alone, cut to its bounds.
        // f_i - g_i / A_ii is where the parabola along f_i ends; A and R on the diagonal are positive.
        const double free = s.f[i] - s.g[i] / s.a[i * s.n + i];
        const double wanted = free < lower ? lower : free > upper ? upper : free;  // also of dry friction below zero
        if (wanted != s.f[i]) s.change_one(i, wanted - s.f[i]);
    }
}

/// Along `ray` (a direction inside the cone) to the minimum; the force stays in the cone.
void move_along_ray(const double* ray, double least, BlockSweep& s)
{
    // A parabola along the ray; a step of -1 would end at the tip of the cone.
    double slope = 0, curvature = 0;
    for (int i = 0; i < s.n; ++i)
    {
        slope += ray[i] * s.g[i];
        for (int j = 0; j < s.n; ++j) curvature += ray[i] * s.a[i * s.n + j] * ray[j];
    }
    // Flat: no force along this ray moves anything.
    if (!(curvature > 0)) return;
    // The minimum along the ray, but not beyond the tip: `least` is -1 for a ray as long as the force.
    const double length = std::max(least, -slope / curvature);
    std::array<double, kMaxRows> df{};
    for (int i = 0; i < s.n; ++i) df[i] = length * ray[i];
    s.change(df.data());
}

/// Friction inside the disc that the normal force allows.
void sweep_tangent(const Cone& cone, BlockSweep& s)
{
    // The normal force is held: friction is a problem of its own, quadratic in the tangential forces.
    const int n = s.n - 1;
    std::array<double, kMaxConeRows * kMaxConeRows> a{};
    std::array<double, kMaxConeRows> b{}, y{}, df{};
    // b = g - A f: the gradient without friction, the normal force held.
    for (int i = 0; i < n; ++i)
    {
        b[i] = s.g[i + 1];
        for (int j = 0; j < n; ++j)
        {
            a[i * n + j] = s.a[(i + 1) * s.n + j + 1];
            b[i] -= a[i * n + j] * s.f[j + 1];
        }
    }
    // min 1/2 yᵀ A y + bᵀ y with |y_j / mu_j| inside the radius f_0: an ellipsoid, one multiplier.
    solve_in_ball(n, a.data(), b.data(), cone.scale.data() + 1, s.f[0], y.data());
    for (int i = 0; i < n; ++i) df[i + 1] = y[i] - s.f[i + 1];
    s.change(df.data());
}

void sweep_cone(const Cone& cone, BlockSweep& s)
{
    constexpr double kNothing = 1e-15;
    if (s.f[0] > kNothing)
    {
        // First the ray from the tip through the present force ([MuJoCo], "PGS"), then the slice through it.
        const std::array<double, kMaxRows> ray = s.f;
        move_along_ray(ray.data(), -1, s);
    }
    else
    {
        // From the tip: along the direction of the cone that falls most steeply, if any does.
        std::array<double, kMaxRows> ray = {1};
        // For g_0 < 0 the normal alone falls; where it does not, a lean against the slip may still: slope g_0 - |mu_j
        // g_j| along the generator of the cone opposite to the gradient.
        double tangent_gradient = 0;
        for (int j = 1; j < s.n; ++j) tangent_gradient += cone.scale[j] * s.g[j] * cone.scale[j] * s.g[j];
        tangent_gradient = std::sqrt(tangent_gradient);
        for (int j = 1; j < s.n; ++j)
        {
            if (s.g[0] >= 0 && tangent_gradient > 0)
                ray[j] = -cone.scale[j] * cone.scale[j] * s.g[j] / tangent_gradient;
        }
        move_along_ray(ray.data(), 0, s);
    }
    if (s.f[0] > kNothing && s.n > 1) return sweep_tangent(cone, s);
    // The force went to the tip: all of it ends.
    std::array<double, kMaxRows> df{};
    for (int j = 0; j < s.n; ++j) df[j] = -s.f[j];
    s.change(df.data());
}

/// Opposite edges of a pyramid: their sum stays, their difference slides to its minimum.
void sweep_edges(BlockSweep& s)
{
    for (int i = 0; i + 1 < s.n; i += 2)
    {
        // f_+ + f_- is the normal force and stays; f_+ - f_- is friction, with the slope g_+ - g_-.
        const double curvature = s.a[i * s.n + i] + s.a[(i + 1) * s.n + i + 1] - 2 * s.a[i * s.n + i + 1];
        if (!(curvature > 0)) continue;
        const double step = std::clamp((s.g[i + 1] - s.g[i]) / curvature, -s.f[i], s.f[i + 1]);
        std::array<double, kMaxRows> df{};
        // One edge gains what the other loses, and neither goes below zero.
        df[i] = step;
        df[i + 1] = -step;
        s.change(df.data());
    }
}

/// Writes the block's forces back and moves the acceleration along.
void store(const Block& block, const Dual& dual, int index, const BlockSweep& s, double* acceleration, double* force)
{
    std::array<double, kMaxRows> df{};
    bool changed = false;
    for (int i = 0; i < s.n; ++i)
    {
        // a = a_s + M^-1 Jᵀ f follows through the rows of Y = J M^-1, at the cost of the block's trees alone.
        df[i] = s.f[i] - force[block.row + i];
        changed = changed || df[i] != 0;
        force[block.row + i] = s.f[i];
    }
    if (changed) dual.apply(index, df.data(), acceleration);
}

/// Residual, states as far as they have a meaning, and cost at the present acceleration; the forces stay the dual's.
void complete_point(const Problem& problem, Dual& dual, Point& p)
{
    // a = a_s + M^-1 Jᵀ f from scratch: what the sweeps carried along has gathered rounding.
    dual.find_acceleration(problem, p.states.force.data(), p.a.data());
    const std::vector<double>& force = p.states.force;
    multiply_rows(problem, p.a.data(), p.residual.data());
    for (int r = 0; r < problem.row_count; ++r) p.residual[r] -= problem.reference[r];
    for (std::size_t c = 0; c < problem.cones.size(); ++c)
    {
        const Cone& cone = problem.cones[c];
        double squares = 0;
        for (int j = 1; j < cone.dimension; ++j)
        {
            // On the cone: sum (f_j / mu_j)^2 = f_0^2.
            const double y = force[cone.row + j] / cone.scale[j];
            squares += y * y;
        }
        const double normal = force[cone.row];
        const bool on_cone = squares >= (1 - 1e-9) * normal * normal;
        p.states.zone[c] = !(normal > 0) ? ConeZone::apart : on_cone ? ConeZone::conic : ConeZone::stuck;
    }
}

}  // namespace

Outcome ProjectedGaussSeidel::minimise(const Problem& problem, const Limits& limits, Point& p)
{
    Outcome outcome;
    // Y = J M^-1 and the blocks of A = J M^-1 Jᵀ.
    outcome.bad_dof = dual_.start(problem);
    if (outcome.bad_dof >= 0) return outcome;
    std::vector<double>& force = p.states.force;

    // Dual cost of the forces at the warm start against no forces at all, which costs nothing.
    dual_.find_acceleration(problem, force.data(), p.a.data());
    slip_.resize(static_cast<std::size_t>(problem.row_count));
    multiply_rows(problem, p.a.data(), slip_.data());
    double cost = 0;
    for (const Block& block : problem.rows.blocks)
    {
        std::array<double, kMaxRows> free{};
        multiply_block(problem.rows, block, problem.smooth.data(), free.data());
        for (int i = 0; i < block.row_count; ++i)
        {
            const int r = block.row + i;
            cost += force[r] * (0.5 * (slip_[r] + free[i] + problem.regulariser[r] * force[r]) - problem.reference[r]);
        }
    }
    // 1/2 fᵀ (A + R) f + fᵀ (J a_s - a_ref) = sum f (1/2 (J a + J a_s + R f) - a_ref): above zero the warm start is
    // worse than none.
    if (cost > 0)
    {
        std::fill(force.begin(), force.end(), 0.0);
        dual_.find_acceleration(problem, force.data(), p.a.data());
    }
    while (outcome.iterations < limits.iterations && !outcome.converged)
    {
        // One sweep: each block of rows in turn to its minimum, the acceleration moved along.
        double gain = 0;
        std::size_t cone = 0;
        for (std::size_t b = 0; b < problem.rows.blocks.size(); ++b)
        {
            const Block& block = problem.rows.blocks[b];
            const int index = static_cast<int>(b);
            BlockSweep s;
            // g = J a - a_ref + R f and A + R of this block at the present acceleration.
            s.load(problem, dual_, index, p.a.data(), force.data(), 1);
            if (block.row < problem.one_sided_end)
                sweep_rows(problem, block, s);
            else
                sweep_cone(problem.cones[cone++], s);
            store(block, dual_, index, s, p.a.data(), force.data());
            gain += s.gain;
        }
        // The gain of a sweep over trace(M) is what the tolerance is compared with, as in the primal methods.
        ++outcome.iterations;
        outcome.improvement = problem.scale * gain;
        outcome.converged = outcome.improvement < limits.tolerance;
    }
    // Primal quantities at the end: residuals, zones, and a without the rounding of the sweeps.
    complete_point(problem, dual_, p);
    return outcome;
}

int NoSlip::solve(const Problem& problem, int iterations, double tolerance, Point& p)
{
    // Without positive pivots of M there is no dual: the answer of the main method stands.
    if (dual_.start(problem) >= 0) return 0;
    std::vector<double>& force = p.states.force;
    int sweeps = 0;
    // The sweep of PGS over friction alone and with R = 0 ([MuJoCo], "NoSlip"): contacts that the main method let creep
    // stand still, while normal forces stay.
    for (double improvement = tolerance; sweeps < iterations && improvement >= tolerance; ++sweeps)
    {
        double gain = 0;
        std::size_t cone = 0;
        for (std::size_t b = 0; b < problem.rows.blocks.size(); ++b)
        {
            const Block& block = problem.rows.blocks[b];
            const int index = static_cast<int>(b);
            const bool is_cone = block.row >= problem.one_sided_end;
            const Cone* contact = is_cone ? &problem.cones[cone++] : nullptr;
            const bool dry = block.row >= problem.equality_end && block.row < problem.friction_end;
            // Equalities, limits and normals keep their forces.
            if (!dry && !is_cone && !block.edges) continue;
            BlockSweep s;
            // The same without R: friction that does not give way.
            s.load(problem, dual_, index, p.a.data(), force.data(), 0);
            if (dry) sweep_rows(problem, block, s);
            if (is_cone && s.f[0] > 0) sweep_tangent(*contact, s);
            if (block.edges) sweep_edges(s);
            store(block, dual_, index, s, p.a.data(), force.data());
            gain += s.gain;
        }
        improvement = problem.scale * gain;
    }
    complete_point(problem, dual_, p);
    return sweeps;
}

}  // namespace rattleback::convex
