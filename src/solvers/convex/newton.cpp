// Newton's method with incremental changes of the Hessian and its factor.
#include "solvers/convex/newton.h"

#include <algorithm>

namespace rattleback::convex
{

// An iteration stands on the gradient g = M (a - a_s) - Jᵀf of the cost and on its Hessian H = M + Jᵀ (d2s/dr2) J,
// which is M plus D jᵀj for every row j that pulls, plus a dense block for every elliptic contact that slides.
//   1. p = - H^-1 g by substitution with the factor of H.
//   2. The exact minimum of the cost along a + alpha p.
//   3. States of the rows there: which of them pull, and how hard.
//   4. Rows that switched change H by + - D jᵀj, and its factor by as many rank-one changes, or it is factored anew.
// The cost is piecewise quadratic but for sliding cones: once the right rows pull, one step ends at the minimum.

namespace
{

bool any_conic(const RowStates& states)
{
    // Their Hessian changes with the residual, not only with the zone: no factor survives an iteration.
    return std::find(states.zone.begin(), states.zone.end(), ConeZone::conic) != states.zone.end();
}

}  // namespace

double search_line(const Problem& problem, const Limits& limits, const Point& p, Line& line)
{
    // M p, J p and what the cost is made of along the line; the slope of the cost at its begin is pᵀ g.
    prepare_line(problem, p, line);
    double squares = 0;
    line.descent = 0;
    for (int i = 0; i < problem.dof_count; ++i)
    {
        squares += line.search[i] * line.search[i];
        line.descent += line.search[i] * p.gradient[i];
    }
    // To a slope that is small against the tolerance of the gradient.
    const double tolerance = limits.tolerance * limits.line_tolerance * std::sqrt(squares) / problem.scale;
    return find_step(problem, p, line, tolerance, limits.line_iterations);
}

bool judge_step(const Problem& problem, const Limits& limits, const Line& line, double alpha, double before, Point& p,
                Outcome& outcome)
{
    // A small gain once may leave rows that just switched: then the gradient must be small as well, or the next gain.
    constexpr double kGradientRoom = 100;
    if (alpha == 0)  // no descent beyond round-off
    {
        outcome.converged = outcome.gradient < kGradientRoom * limits.tolerance;
        return true;
    }
    // Both measures of progress are over trace(M), so that a tolerance means the same for a finger and for a crane.
    outcome.gradient = problem.scale * find_gradient(problem, p);
    // A difference of costs has no digits left near the minimum; there the cost is a parabola.
    constexpr double kDigits = 1e-9;
    const double fall = before - p.cost;
    const bool gained_little = outcome.iterations > 0 && outcome.improvement < limits.tolerance;
    outcome.improvement = problem.scale * (fall > kDigits * std::abs(before) ? fall : -0.5 * alpha * line.descent);
    ++outcome.iterations;
    const bool is_flat = outcome.gradient < kGradientRoom * limits.tolerance || gained_little;
    outcome.converged = outcome.gradient < limits.tolerance || (outcome.improvement < limits.tolerance && is_flat);
    return outcome.converged;
}

/// H and its factor at the present states.
int Newton::start_factor(const Problem& problem, const Point& p)
{
    // H = M + JᵀDJ over the rows that pull ([MuJoCo], "Newton"): D is d2s/dr2, zero for rows that do not.
    hessian_.start(problem, problem.dof_count <= dense_limit);
    weight_ = p.states.weight;
    for (std::size_t b = 0; b < problem.rows.blocks.size(); ++b)
    {
        hessian_.add_rows(problem, static_cast<int>(b), weight_.data() + problem.rows.blocks[b].row);
    }
    return factorize(problem, p);
}

int Newton::factorize(const Problem& problem, const Point& p)
{
    // H is positive definite, and only rounding takes that from it (light links of heavy trees, far from their roots):
    // then its diagonal is raised until it is again. The direction still descends, and the line search is exact.
    constexpr double kFirstRise = 1e-15, kNextRise = 100, kMostRise = 1e-2;
    int bad = factorize(problem, p, 0);
    for (double rise = kFirstRise; bad >= 0 && rise <= kMostRise; rise *= kNextRise) bad = factorize(problem, p, rise);
    return bad;
}

/// Of H with its diagonal raised by a share of itself.
int Newton::factorize(const Problem& problem, const Point& p, double rise)
{
    // Cones of the conic zone have a curved cost: their blocks Jᵀ(d2s/dr2)J change with every iterate and are added to
    // the factor's matrix alone, never to H.
    conic_ = any_conic(p.states);
    hessian_.begin_factor(conic_ || rise > 0);
    for (std::size_t c = 0; conic_ && c < problem.cones.size(); ++c)
    {
        if (p.states.zone[c] != ConeZone::conic) continue;
        const Cone& cone = problem.cones[c];
        double block[kMaxConeRows * kMaxConeRows];
        find_conic_hessian(cone, find_cone_point(cone, p.residual.data() + cone.row), block);
        hessian_.add_conic(problem, cone.block, block);
    }
    if (rise > 0) hessian_.raise_diagonal(problem, rise);
    return hessian_.factorize();
}

/// Brings the factor to the present states by rank-one changes; false when that costs more than a new one, or failed.
bool Newton::change_factor(const Problem& problem, const Point& p)
{
    constexpr double kChangePrice = 2;  // of a rank-one change over a product of the factorisation, measured
    // A sliding cone changes its whole block of H with the residual: there are no single rows to change.
    if (conic_ || any_conic(p.states)) return false;
    // What rank-one changes of all rows that switched would cost, against a new factorisation.
    double work = 0;
    for (std::size_t b = 0; b < problem.rows.blocks.size(); ++b)
    {
        const Block& block = problem.rows.blocks[b];
        int changes = 0;
        for (int r = block.row; r < block.row + block.row_count; ++r) changes += change_[r] != 0 ? 1 : 0;
        if (changes > 0) work += kChangePrice * changes * hessian_.change_work(problem, static_cast<int>(b));
        if (work > hessian_.factor_work()) return false;
    }
    // Raise before lowering, so that the factor in between is as far from singular as it can be.
    // Each change of a row is one rank-one change of the factor (Gill, Golub, Murray and Saunders 1974, method C1).
    for (const double sign : {1.0, -1.0})
    {
        for (std::size_t b = 0; b < problem.rows.blocks.size(); ++b)
        {
            const Block& block = problem.rows.blocks[b];
            for (int r = 0; r < block.row_count; ++r)
            {
                const double change = change_[block.row + r];
                if (change * sign <= 0) continue;
                if (!hessian_.change_row(problem, static_cast<int>(b), r, change)) return false;
            }
        }
    }
    return true;
}

int Newton::refresh_factor(const Problem& problem, const Point& p)
{
    // Rows that switched since the last iterate change H by +- D jᵀj.
    bool changed = conic_ || any_conic(p.states);
    change_.resize(weight_.size());
    for (std::size_t b = 0; b < problem.rows.blocks.size(); ++b)
    {
        const Block& block = problem.rows.blocks[b];
        bool block_changed = false;
        for (int r = block.row; r < block.row + block.row_count; ++r)
        {
            change_[r] = p.states.weight[r] - weight_[r];
            block_changed = block_changed || change_[r] != 0;
        }
        if (!block_changed) continue;
        hessian_.add_rows(problem, static_cast<int>(b), change_.data() + block.row);
        changed = true;
    }
    if (!changed) return -1;
    weight_ = p.states.weight;
    if (change_factor(problem, p)) return -1;
    return factorize(problem, p);
}

Outcome Newton::minimise(const Problem& problem, const Limits& limits, Point& p, bool again)
{
    constexpr double kWorn = 1e4;  // a gradient this many times the tolerance is no end
    if (!again)
    {
        has_factor_ = false;
        line_.resize(problem);
    }
    Outcome outcome;
    // Nothing to do where the start is the minimum already, as it is for things that rest.
    outcome.gradient = problem.scale * find_gradient(problem, p);
    outcome.converged = outcome.gradient < limits.tolerance;
    if (outcome.converged) return outcome;
    outcome.bad_dof = has_factor_ ? refresh_factor(problem, p) : start_factor(problem, p);
    // A factor that was changed many times carries rounding; one made here is trusted to the tolerance.
    bool is_fresh = !has_factor_;
    has_factor_ = outcome.bad_dof < 0;
    while (outcome.bad_dof < 0 && outcome.iterations < limits.iterations)
    {
        // Newton's direction - H^-1 g, and the exact minimum along it.
        for (int i = 0; i < problem.dof_count; ++i) line_.search[i] = -p.gradient[i];
        std::fill(line_.search.begin() + problem.dof_count, line_.search.end(), 0.0);
        hessian_.solve(line_.search.data());
        const double alpha = search_line(problem, limits, p, line_), before = p.cost;
        // a + alpha p, with M a and J a moved along; states of the rows, forces and cost there.
        if (alpha != 0)
        {
            move_along(problem, line_, alpha, p);
            evaluate_states(problem, p);
        }
        const bool done = judge_step(problem, limits, line_, alpha, before, p, outcome);
        if (done && (is_fresh || outcome.gradient < kWorn * limits.tolerance)) break;
        // H at the new states. Changes of large weights leave their rounding in it: where that got in the way, H is
        // made anew.
        outcome.bad_dof = done ? start_factor(problem, p) : refresh_factor(problem, p);
        is_fresh = done;
    }
    return outcome;
}

}  // namespace rattleback::convex
