// Exact line search: the cost is a parabola between the points where rows switch, with conic pieces for elliptic cones.
#include "solvers/convex/line_search.h"

#include "math/lanes.h"

#include <algorithm>

namespace rattleback::convex
{

// Along a + alpha p all residuals are linear, r + alpha J p, and the cost is a sum of convex functions of one number.
// Its derivative is piecewise linear but for sliding cones; Newton's method on it jumps from piece to piece and lands
// on the zero once it is on the right one.

namespace
{

/// The force of a spring that gives way at the loss.
void add_friction(const Problem& problem, const Point& p, const Line& line, double alpha, Derivatives& d)
{
    // Huber: D r inside the bound, the bound itself beyond it, where the curvature is zero.
    Pack4 first, second;
    const Pack4 step(alpha), zero(0.0);
    int r = problem.equality_end;
    for (; r + 4 <= problem.friction_end; r += 4)
    {
        const Pack4 v = load_pack(&line.rows[r]), x = load_pack(&p.residual[r]) + step * v;
        const Pack4 spring = load_pack(&problem.stiffness[r]), loss = load_pack(&problem.loss[r]);
        const Pack4 trial = spring * x;
        const Mask4 low = trial <= -loss, high = trial >= loss;
        first += select(low, -loss, select(high, loss, trial)) * v;
        second += select(either(low, high), zero, spring) * v * v;
    }
    d.first += sum_lanes(first);
    d.second += sum_lanes(second);
    for (; r < problem.friction_end; ++r)
    {
        const double v = line.rows[r], loss = problem.loss[r];
        const double trial = problem.stiffness[r] * (p.residual[r] + alpha * v);
        const bool low = trial <= -loss, high = trial >= loss;
        d.first += (low ? -loss : high ? loss : trial) * v;
        if (!low && !high) d.second += problem.stiffness[r] * v * v;
    }
}

void add_one_sided(const Problem& problem, const Point& p, const Line& line, double alpha, Derivatives& d)
{
    // ds/dalpha = D min(r, 0) v: a parabola as long as the row is violated, nothing after it.
    Pack4 first, second;
    const Pack4 step(alpha), zero(0.0);
    int r = problem.friction_end;
    for (; r + 4 <= problem.one_sided_end; r += 4)
    {
        const Pack4 v = load_pack(&line.rows[r]), x = load_pack(&p.residual[r]) + step * v;
        const Pack4 weighted = select(x < zero, load_pack(&problem.stiffness[r]), zero) * v;
        first += weighted * x;
        second += weighted * v;
    }
    d.first += sum_lanes(first);
    d.second += sum_lanes(second);
    for (; r < problem.one_sided_end; ++r)
    {
        const double v = line.rows[r], x = p.residual[r] + alpha * v;
        if (x >= 0) continue;
        d.first += problem.stiffness[r] * x * v;
        d.second += problem.stiffness[r] * v * v;
    }
}

void add_cone(const Cone& cone, const Line::ConeLine& line, double alpha, Derivatives& d)
{
    // N is linear in alpha, T^2 quadratic: five sums per cone instead of its rows.
    const double normal = line.n + alpha * line.dn;
    const double tangent = std::sqrt(std::max(0.0, line.uu + alpha * (2 * line.uv + alpha * line.vv)));
    const ConeZone zone = find_zone(cone.mu, normal, tangent);
    if (zone == ConeZone::apart) return;
    if (zone == ConeZone::stuck)
    {
        // Stuck: s = D_0 / (2 mu^2) |u|^2, for R_k mu_k^2 is the same for all friction rows, and u_0 = mu r_0.
        const double spring = cone.stiffness / (cone.mu * cone.mu);
        d.first += spring * (normal * line.dn + line.uv + alpha * line.vv);
        d.second += spring * (line.dn * line.dn + line.vv);
        return;
    }
    // s = D_m/2 (N - mu T)^2 along the line, with T' = (uv + alpha vv) / T and T'' = (vv - T'^2) / T.
    const double rate = (line.uv + alpha * line.vv) / tangent;  // dT / dalpha
    const double gap = normal - cone.mu * tangent, gap_rate = line.dn - cone.mu * rate;
    const double gap_bend = -cone.mu * std::max(0.0, line.vv - rate * rate) / tangent;
    d.first += cone.conic_stiffness() * gap * gap_rate;
    d.second += cone.conic_stiffness() * (gap_rate * gap_rate + gap * gap_bend);
}

}  // namespace

void Line::resize(const Problem& problem)
{
    // Zeros behind the last dof, because products run over whole packs.
    for (auto* list : {&search, &product})
    {
        list->resize(static_cast<std::size_t>(problem.dof_count + kPadding));
        std::fill(list->begin() + problem.dof_count, list->end(), 0.0);
    }
    rows.resize(static_cast<std::size_t>(problem.row_count));
    cones.resize(problem.cones.size());
}

void prepare_line(const Problem& problem, const Point& p, Line& line)
{
    // M p and J p: with them every point of the line costs O(rows), no product with a matrix.
    multiply_mass(problem, line.search.data(), line.product.data());
    multiply_rows(problem, line.search.data(), line.rows.data());
    line.slope = line.curvature = 0;
    // Gauss's term and equalities are one parabola everywhere; its slope and curvature are found once.
    for (int i = 0; i < problem.dof_count; ++i)
    {
        line.slope += line.search[i] * (p.product[i] - problem.force[i]);
        line.curvature += line.search[i] * line.product[i];
    }
    for (int r = 0; r < problem.equality_end; ++r)
    {
        line.slope += problem.stiffness[r] * p.residual[r] * line.rows[r];
        line.curvature += problem.stiffness[r] * line.rows[r] * line.rows[r];
    }
    // N = n + alpha dn and T^2 = uu + 2 alpha uv + alpha^2 vv of every cone.
    for (std::size_t c = 0; c < problem.cones.size(); ++c)
    {
        const Cone& cone = problem.cones[c];
        Line::ConeLine sums;
        sums.n = cone.scale[0] * p.residual[cone.row];
        sums.dn = cone.scale[0] * line.rows[cone.row];
        for (int j = 1; j < cone.dimension; ++j)
        {
            const double u = cone.scale[j] * p.residual[cone.row + j], v = cone.scale[j] * line.rows[cone.row + j];
            sums.uu += u * u;
            sums.uv += u * v;
            sums.vv += v * v;
        }
        line.cones[c] = sums;
    }
}

Derivatives find_derivatives(const Problem& problem, const Point& p, const Line& line, double alpha)
{
    // The parabola that holds everywhere, then what switches along the line.
    Derivatives d{line.slope + alpha * line.curvature, line.curvature};
    add_friction(problem, p, line, alpha, d);
    add_one_sided(problem, p, line, alpha, d);
    // Elliptic contacts, by their five sums.
    for (std::size_t c = 0; c < problem.cones.size(); ++c) add_cone(problem.cones[c], line.cones[c], alpha, d);
    return d;
}

double find_step(const Problem& problem, const Point& p, const Line& line, double tolerance, int iterations)
{
    constexpr double kRoundOff = 1e-15, kUnbounded = 1e300;
    // The cost is convex: its derivative along the line grows, and the minimum is its only zero.
    Derivatives d = find_derivatives(problem, p, line, 0);
    if (!(d.first < 0) || !(d.second > 0)) return 0;
    // Newton's method on that derivative. Where rows switch its pieces change, so a bracket goes with it.
    const double enough = std::max(tolerance, kRoundOff * -d.first);
    double low = 0, high = kUnbounded, alpha = -d.first / d.second;
    double low_slope = d.first, high_slope = kUnbounded, width = kUnbounded;
    for (int i = 0; i < iterations; ++i)
    {
        d = find_derivatives(problem, p, line, alpha);
        if (std::abs(d.first) <= enough) return alpha;
        // Below the minimum the cost still falls, above it rises.
        (d.first < 0 ? low : high) = alpha;
        (d.first < 0 ? low_slope : high_slope) = d.first;
        if (high - low <= kRoundOff * high) break;
        alpha -= d.first / d.second;
        // Until the cost has risen once there is no upper end, and Newton's step goes on by itself.
        if (high == kUnbounded) continue;
        // outside the bracket, or the last two steps did not halve it: the middle
        const bool slow = i % 2 == 1 && high - low > 0.5 * width;
        if (i % 2 == 1) width = high - low;
        if (slow || !(alpha > low && alpha < high)) alpha = 0.5 * (low + high);
    }
    // No better in the iterations given: the end of the bracket with the smaller slope.
    return -low_slope < high_slope ? low : high;
}

void move_along(const Problem& problem, const Line& line, double alpha, Point& p)
{
    // M a and J a - a_ref are linear in a: they move with it, and no product with a matrix is needed.
    for (int i = 0; i < problem.dof_count; ++i)
    {
        p.a[i] += alpha * line.search[i];
        p.product[i] += alpha * line.product[i];
    }
    for (int r = 0; r < problem.row_count; ++r) p.residual[r] += alpha * line.rows[r];
}

}  // namespace rattleback::convex
