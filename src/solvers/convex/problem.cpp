// Products with J and M, forces and cost of the convex problem.
#include "solvers/convex/problem.h"

#include "dynamics/tree_factor.h"
#include "math/lanes.h"

#include <algorithm>

namespace rattleback::convex
{

// J stands in blocks of rows with the same columns, columns in runs of neighbours, runs filled up to whole packs of
// four. Every row's cost s(r) is convex with a continuous derivative; its force is f = - s'(r) and its weight in the
// Hessian s''(r) ([MuJoCo], "Reduced primal problem").

namespace
{

std::size_t padded(int count) { return static_cast<std::size_t>(count + kPadding); }

/// K rows of a block times x.
template <int K>
void multiply_some(const RowMatrix& matrix, const Block& block, const double* values, const double* x, double* out)
{
    // Runs of neighbouring columns, four at a time: x is loaded once for K rows.
    const std::ptrdiff_t stride = block.stride;
    Pack4 sum[K];
    for (int r = block.run_begin; r < block.run_end; ++r)
    {
        const double* from = x + matrix.runs[r].dof;
        for (int k = 0; k < matrix.runs[r].packs; ++k, values += 4, from += 4)
        {
            const Pack4 factor = load_pack(from);
            for (int i = 0; i < K; ++i) sum[i] += factor * load_pack(values + i * stride);
        }
    }
    for (int i = 0; i < K; ++i) out[i] = sum_lanes(sum[i]);
}

/// out += sum of f_r row_r over K rows.
template <int K>
void add_some(const RowMatrix& matrix, const Block& block, const double* values, const double* f, double* out)
{
    // The transpose of multiply_some: each pack of the target is loaded and stored once for K rows.
    const std::ptrdiff_t stride = block.stride;
    Pack4 scale[K];
    for (int i = 0; i < K; ++i) scale[i] = Pack4(f[i]);
    for (int r = block.run_begin; r < block.run_end; ++r)
    {
        double* to = out + matrix.runs[r].dof;
        for (int k = 0; k < matrix.runs[r].packs; ++k, values += 4, to += 4)
        {
            Pack4 sum = scale[0] * load_pack(values);
            for (int i = 1; i < K; ++i) sum += scale[i] * load_pack(values + i * stride);
            store_pack(load_pack(to) + sum, to);
        }
    }
}

/// Huber: a spring up to the friction's bound, then a constant force. A bound below zero has no spring: the force
/// drives, and jumps where the first of the two tests, MuJoCo's, no longer holds.
double evaluate_friction(const Problem& problem, const double* residual, RowStates& states)
{
    Pack4 sum;
    const Pack4 zero(0.0), half(0.5);
    int r = problem.equality_end;
    // Four rows at a time: f = - D r, clamped to the bound eta of dry friction.
    for (; r + 4 <= problem.friction_end; r += 4)
    {
        const Pack4 x = load_pack(residual + r), spring = load_pack(&problem.stiffness[r]);
        const Pack4 loss = load_pack(&problem.loss[r]), trial = spring * x;
        // Beyond the bound the force stays at eta and the curvature ends: f = - eta sign(r), s'' = 0.
        const Mask4 low = trial <= -loss, high = trial >= loss;
        const Pack4 force = select(low, loss, select(high, -loss, -trial));
        store_pack(select(either(low, high), zero, spring), &states.weight[r]);
        store_pack(force, &states.force[r]);
        // beyond the knee at R loss: loss (|x| - knee / 2)
        const Pack4 knee = load_pack(&problem.regulariser[r]) * loss;
        sum += select(either(low, high), -(force * x) - half * loss * knee, half * trial * x);
    }
    double cost = sum_lanes(sum);
    for (; r < problem.friction_end; ++r)
    {
        // What does not fill a pack.
        const double x = residual[r], loss = problem.loss[r], trial = problem.stiffness[r] * x;
        const bool low = trial <= -loss, beyond = low || trial >= loss;
        states.weight[r] = beyond ? 0 : problem.stiffness[r];
        states.force[r] = low ? loss : beyond ? -loss : -trial;
        cost += beyond ? loss * ((low ? -x : x) - 0.5 * problem.regulariser[r] * loss) : 0.5 * trial * x;
    }
    return cost;
}

/// Limits, frictionless contacts and edges of pyramids only push: s = 1/2 D min(r, 0)^2, added to `cost`.
void evaluate_one_sided(const Problem& problem, const double* residual, RowStates& states, double& cost)
{
    Pack4 sum;
    const Pack4 zero(0.0);
    // Four rows at a time, the rest one by one.
    int r = problem.friction_end;
    for (; r + 4 <= problem.one_sided_end; r += 4)
    {
        const Pack4 x = load_pack(residual + r), weight = select(x < zero, load_pack(&problem.stiffness[r]), zero);
        const Pack4 force = -(weight * x);
        store_pack(weight, &states.weight[r]);
        store_pack(force, &states.force[r]);
        sum += force * x;
    }
    cost -= 0.5 * sum_lanes(sum);
    for (; r < problem.one_sided_end; ++r)
    {
        const double weight = residual[r] < 0 ? problem.stiffness[r] : 0;
        states.weight[r] = weight;
        states.force[r] = -weight * residual[r];
        cost -= 0.5 * states.force[r] * residual[r];
    }
}

}  // namespace

void Problem::clear_rows()
{
    // Storage stays: an island of the next step is about as large.
    row_count = equality_end = friction_end = one_sided_end = 0;
    for (auto* list : {&reference, &regulariser, &stiffness, &loss}) list->clear();
    rows.clear();
    cones.clear();
}

void RowMatrix::clear()
{
    // A block is dense over its runs; J as a whole is a list of blocks.
    blocks.clear();
    runs.clear();
    values.clear();
    row_count = 0;
}

void RowMatrix::add_block(std::span<const int> columns, const double* rows, int count, std::span<const int> group)
{
    Block block{.row = row_count, .row_count = count, .run_begin = static_cast<int>(runs.size())};
    // Neighbouring columns make a run; a new group of dofs begins a new one.
    for (std::size_t c = 0; c < columns.size(); ++c)
    {
        // A group's end ends the run in large islands: a run must lie in one front.
        const bool same_run =
            c > 0 && columns[c] == columns[c - 1] + 1 && (group.empty() || group[columns[c]] == group[columns[c - 1]]);
        if (!same_run) runs.push_back({.dof = columns[c]});
        ++runs.back().length;
    }
    block.run_end = static_cast<int>(runs.size());
    for (int r = block.run_begin; r < block.run_end; ++r)
    {
        runs[r].packs = (runs[r].length + 3) / 4;
        block.stride += 4 * runs[r].packs;
    }
    // Values row after row, each run filled up with zeros to whole packs.
    block.value = static_cast<int>(values.size());
    values.resize(values.size() + static_cast<std::size_t>(count) * static_cast<std::size_t>(block.stride));
    double* to = values.data() + block.value;
    for (int k = 0; k < count; ++k)
    {
        for (int r = block.run_begin; r < block.run_end; ++r)
        {
            for (int i = 0; i < runs[r].length; ++i) to[i] = *rows++;
            for (int i = runs[r].length; i < 4 * runs[r].packs; ++i) to[i] = 0;
            to += 4 * runs[r].packs;
        }
    }
    blocks.push_back(block);
    row_count += count;
}

void multiply_block(const RowMatrix& matrix, const Block& block, const double* x, double* out)
{
    // Four rows at a time, then the three of a frictional contact, then single ones.
    const double* values = matrix.values.data() + block.value;
    int r = 0;
    for (; r + 4 <= block.row_count; r += 4, values += std::ptrdiff_t{4} * block.stride)
    {
        multiply_some<4>(matrix, block, values, x, out + r);
    }
    // A contact with sliding friction has three rows in an elliptic cone.
    if (block.row_count - r == 3) return multiply_some<3>(matrix, block, values, x, out + r);
    for (; r < block.row_count; ++r, values += block.stride) multiply_some<1>(matrix, block, values, x, out + r);
}

void multiply_rows(const Problem& problem, const double* x, double* out)
{
    // J x, block by block.
    for (const Block& block : problem.rows.blocks) multiply_block(problem.rows, block, x, out + block.row);
}

void add_transposed(const RowMatrix& matrix, const Block& block, const double* f, double* out)
{
    // The same in transposed form. Rows without force, as many are at the solution, cost one comparison.
    const double* values = matrix.values.data() + block.value;
    int r = 0;
    for (; r + 4 <= block.row_count; r += 4, values += std::ptrdiff_t{4} * block.stride)
    {
        // Four rows of contacts that are open, or of limits that do not act.
        const bool idle = f[r] == 0 && f[r + 1] == 0 && f[r + 2] == 0 && f[r + 3] == 0;
        if (!idle) add_some<4>(matrix, block, values, f + r, out);
    }
    if (block.row_count - r == 3 && f[r] != 0) return add_some<3>(matrix, block, values, f + r, out);
    for (; r < block.row_count; ++r, values += block.stride)
    {
        if (f[r] != 0) add_some<1>(matrix, block, values, f + r, out);
    }
}

void add_transposed(const Problem& problem, const double* f, double* out)
{
    // out += Jᵀ f.
    for (const Block& block : problem.rows.blocks) add_transposed(problem.rows, block, f + block.row, out);
}

void multiply_mass(const Problem& problem, const double* x, double* out)
{
    // M has a row per dof with its ancestors as columns: both triangles from one walk.
    multiply_tree<double>({problem.mass_begin, problem.mass_column, {}}, problem.mass, x, out);
}

void RowStates::resize(const Problem& problem)
{
    // Force and curvature of every row, and of every elliptic contact its zone.
    force.resize(static_cast<std::size_t>(problem.row_count));
    weight.resize(static_cast<std::size_t>(problem.row_count));
    zone.resize(problem.cones.size());
}

void Point::resize(const Problem& problem)
{
    // Zeros behind the last dof: products run over whole packs.
    for (auto* list : {&a, &product, &gradient})
    {
        list->resize(padded(problem.dof_count));
        std::fill(list->begin() + problem.dof_count, list->end(), 0.0);
    }
    residual.resize(static_cast<std::size_t>(problem.row_count));
    states.resize(problem);
}

void evaluate(const Problem& problem, Point& p)
{
    // M a and r = J a - a_ref.
    multiply_mass(problem, p.a.data(), p.product.data());
    multiply_rows(problem, p.a.data(), p.residual.data());
    for (int r = 0; r < problem.row_count; ++r) p.residual[r] -= problem.reference[r];
    evaluate_states(problem, p);
}

void evaluate_states(const Problem& problem, Point& p)
{
    RowStates& states = p.states;
    const double* residual = p.residual.data();
    // Gauss's principle: 1/2 (a - a_s)ᵀ M (a - a_s) measures how far constraints push the motion from a_s; s(r)
    // measures what they are left with. Their sum is the cost of [MuJoCo] eq:reduced.
    double gauss = 0;
    for (int i = 0; i < problem.dof_count; ++i)
    {
        // (M a - M a_s)ᵀ (a - a_s), twice Gauss's term: M a is at hand, so that no product is needed.
        gauss += (p.product[i] - problem.force[i]) * (p.a[i] - problem.smooth[i]);
    }
    // Equalities: s = 1/2 D r^2, either way.
    double rows = 0;
    for (int r = 0; r < problem.equality_end; ++r)
    {
        // D = 1 / R: the row's curvature, whatever the residual.
        states.weight[r] = problem.stiffness[r];
        states.force[r] = -problem.stiffness[r] * residual[r];
        rows -= 0.5 * states.force[r] * residual[r];
    }
    // Dry friction: Huber's function with its knee at R eta. Then what only pushes.
    rows += evaluate_friction(problem, residual, states);
    evaluate_one_sided(problem, residual, states, rows);
    // Elliptic cones: which of the three zones the residual lies in decides what the contact costs and how hard it
    // pushes.
    double cones = 0;
    for (std::size_t c = 0; c < problem.cones.size(); ++c)
    {
        const Cone& cone = problem.cones[c];
        const ConePoint point = find_cone_point(cone, residual + cone.row);
        double* force = states.force.data() + cone.row;
        double* weight = states.weight.data() + cone.row;
        const ConeZone zone = find_zone(cone.mu, point.normal, point.tangent);
        states.zone[c] = zone;
        // Stuck: all rows are springs, s = 1/2 sum D_j r_j^2. Apart: nothing. Between: on the cone.
        for (int j = 0; j < cone.dimension; ++j)
        {
            weight[j] = zone == ConeZone::stuck ? problem.stiffness[cone.row + j] : 0;
            force[j] = -weight[j] * residual[cone.row + j];
            cones -= 0.5 * force[j] * residual[cone.row + j];
        }
        if (zone == ConeZone::conic) cones += find_conic_force(cone, point, force);
    }
    // One order of sums: the line search compares costs.
    p.cost = 0.5 * gauss + (rows + cones);
}

double find_gradient(const Problem& problem, Point& p)
{
    // The gradient of the cost, M (a - a_s) - Jᵀ f: zero where forces and accelerations obey [MuJoCo] eq:motion.
    // Jᵀ f into the gradient's storage first, then M a - M a_s less that.
    std::fill(p.gradient.begin(), p.gradient.end(), 0.0);
    add_transposed(problem, p.states.force.data(), p.gradient.data());
    double squares = 0;
    for (int i = 0; i < problem.dof_count; ++i)
    {
        p.gradient[i] = p.product[i] - problem.force[i] - p.gradient[i];
        squares += p.gradient[i] * p.gradient[i];
    }
    return std::sqrt(squares);
}

}  // namespace rattleback::convex
