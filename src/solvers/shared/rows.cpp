// Constraint rows: the container, and what all kinds of rows share.
#include "solvers/shared/rows.h"

#include "dynamics/mass_matrix.h"
#include "solvers/shared/row_builder.h"

#include <algorithm>

namespace rattleback
{

void ConstraintRows::clear()
{
    kind.clear();
    element.clear();
    // Storage of columns and values stays as large as it was: the next step needs about as much.
    begin.assign(1, 0);
    for (auto* list : {&position, &margin, &velocity, &product, &reference, &diagonal, &regulariser, &stiffness, &loss})
        list->clear();
    cones.clear();
    ends = {};
    adhesive = false;
}

void grow_entries(ConstraintRows& rows, std::size_t count)
{
    if (rows.value.size() < count) rows.value.resize(count);
    if (rows.column.size() < count) rows.column.resize(count);
}

double* append_rows(ConstraintRows& rows, RowKind kind, int element, int count, std::span<const int> columns)
{
    // Rows of one element have the same columns: J is stored row by row as sparse rows of equal pattern.
    const std::size_t total = rows.kind.size() + static_cast<std::size_t>(count);
    const auto entries = static_cast<std::size_t>(rows.begin.back());
    // Arrays grow together: a row is a number into all of them.
    rows.kind.resize(total, kind);
    rows.element.resize(total, element);
    for (auto* list : {&rows.position, &rows.margin, &rows.velocity, &rows.product, &rows.reference, &rows.diagonal,
                       &rows.regulariser, &rows.stiffness, &rows.loss})
        list->resize(total);
    grow_entries(rows, entries + static_cast<std::size_t>(count) * columns.size());
    for (int i = 0; i < count; ++i)
    {
        std::copy(columns.begin(), columns.end(), rows.column.begin() + rows.begin.back());
        rows.begin.push_back(rows.begin.back() + static_cast<int>(columns.size()));
    }
    std::fill(rows.value.begin() + static_cast<std::ptrdiff_t>(entries), rows.value.begin() + rows.begin.back(), 0.0);
    return rows.value.data() + entries;
}

void set_regulariser(ConstraintRows& rows, int row, double regulariser, const RowResponse& response)
{
    // R = (1 - d) / d A-hat ([MuJoCo] eq:impedance_R), read backwards for the diagonal that belongs to this R.
    rows.regulariser[row] = regulariser;
    rows.stiffness[row] = 1 / regulariser;
    // Springs give R directly; their diagonal stays the estimate.
    // What a solver reads as A_ii must give this R by the formula.
    if (response.compliance == 0) rows.diagonal[row] = regulariser * response.impedance / (1 - response.impedance);
}

void finish_row(const RowBuilder& builder, int row, const RowNumbers& numbers, const RowResponse& response)
{
    ConstraintRows& rows = builder.rows;
    rows.position[row] = numbers.position;
    rows.margin[row] = numbers.margin;
    rows.velocity[row] = numbers.velocity;
    rows.product[row] = numbers.product;
    rows.loss[row] = numbers.loss;
    // a_ref = - b J v - k r ([MuJoCo] eq:aref), less what moves the residual without any joint acceleration.
    // r is measured from the margin: a row with a margin acts before the surfaces touch.
    rows.reference[row] = fold_reference(response,
                                         -response.damping * numbers.velocity -
                                             response.stiffness * (numbers.position - numbers.margin) - numbers.product,
                                         numbers.velocity);
    // R from the impedance and A-hat, the estimate of A_ii at q0.
    rows.diagonal[row] = diagonal_of(builder, row, numbers.diagonal);
    set_regulariser(rows, row, regulariser(response, rows.diagonal[row]), response);
}

namespace
{

/// How much lighter a row is against M than against the metric of the integrator `discrete`, by their diagonals.
double metric_ratio(const RowBuilder& builder, int row)
{
    const std::span<const double> metric = builder.input.metric_diagonal;
    if (metric.empty()) return 1;
    const ConstraintRows& rows = builder.rows;
    const Dofs& dofs = builder.model.dofs;
    double bare = 0, all = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k)
    {
        const int d = rows.column[k];
        const double square = rows.value[k] * rows.value[k];
        bare += square / builder.w.mass_matrix[dofs.row_begin[d + 1] - 1];
        all += square / metric[static_cast<std::size_t>(d)];
    }
    return bare > 0 ? all / bare : 1;
}

}  // namespace

double diagonal_of(const RowBuilder& builder, int row, double estimate)
{
    // MuJoCo's estimate from inverse weights at q0 costs nothing; the exact one a substitution per row.
    ConstraintRows& rows = builder.rows;
    if (!builder.options.exact_diagonal) return estimate * metric_ratio(builder, row);
    // A_ii = j M^-1 jᵀ with the factor of M at the present pose.
    rows.buffer.assign(builder.w.v.size(), 0);
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) rows.buffer[rows.column[k]] = rows.value[k];
    solve_in_place<double>(builder.w, rows.buffer);
    // Over the row's own columns alone: M^-1 jᵀ fills the tree, but j is zero elsewhere.
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * rows.buffer[rows.column[k]];
    return sum;
}

double row_velocity(const RowBuilder& builder, int row)
{
    // J v of one sparse row.
    const ConstraintRows& rows = builder.rows;
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * builder.w.v[rows.column[k]];
    return sum;
}

TendonRow find_tendon_row(const RowBuilder& builder, int tendon)
{
    // The pattern of a tendon's Jacobian is the model's; its values are those of the present pose.
    const SparsePattern& pattern = builder.w.tree->tendon;
    const auto begin = static_cast<std::size_t>(pattern.begin[tendon]);
    const auto count = static_cast<std::size_t>(pattern.begin[tendon + 1]) - begin;
    return {std::span(pattern.dof).subspan(begin, count), std::span(builder.w.tendon_jacobian).subspan(begin, count)};
}

bool append_tendon_row(const RowBuilder& builder, RowKind kind, int tendon, double scale)
{
    // A tendon that no joint moves has no row.
    const TendonRow row = find_tendon_row(builder, tendon);
    if (row.dof.empty()) return false;
    double* jacobian = append_rows(builder.rows, kind, tendon, 1, row.dof);
    for (std::size_t i = 0; i < row.dof.size(); ++i) jacobian[i] = scale * row.jacobian[i];
    return true;
}

const BodyPairChain& find_chain(const RowBuilder& builder, int first_body, int second_body, bool common)
{
    // Contacts of one pair of bodies follow each other: the chain found last often serves again.
    BodyPairChain& chain = builder.rows.chain;
    if (chain.first_body == first_body && chain.second_body == second_body && chain.common == common) return chain;
    const Model& model = builder.model;
    // a row of M holds the dofs on the path to the root, increasing; what two paths have in common comes first
    const auto path = [&](int body)
    {
        const int dof = model.bodies.last_dof[body];
        if (dof < 0) return std::span<const int>{};
        const auto begin = static_cast<std::size_t>(model.dofs.row_begin[dof]);
        return std::span(model.dofs.row_column)
            .subspan(begin, static_cast<std::size_t>(model.dofs.row_begin[dof + 1]) - begin);
    };
    const std::span<const int> first = path(first_body), second = path(second_body);
    chain.first_body = first_body;
    chain.second_body = second_body;
    chain.common = common;
    // Merged by index: dofs of both paths in increasing order, each with the side that it moves.
    chain.dof.resize(first.size() + second.size());
    chain.side.resize(chain.dof.size());
    std::size_t n = 0, i = 0, k = 0;
    const auto add = [&](int dof, std::uint8_t side)
    {
        chain.dof[n] = dof;
        chain.side[n++] = side;
    };
    // Dofs that move both bodies, then those of one path or the other, by index.
    for (; i < first.size() && i < second.size() && first[i] == second[i]; ++i)
    {
        if (common) add(first[i], 3);
    }
    for (k = i; i < first.size() && k < second.size();)
    {
        if (first[i] < second[k])
            add(first[i++], 1);
        else
            add(second[k++], 2);
    }
    while (i < first.size()) add(first[i++], 1);
    while (k < second.size()) add(second[k++], 2);
    chain.dof.resize(n);
    chain.side.resize(n);
    return chain;
}

namespace
{

/// 1/2 s (j a)^2 as an equality: reference zero, R = 1 / s.
void add_coupling_rows(const RowBuilder& builder)
{
    for (const MetricCoupling<double>& coupling : builder.input.couplings)
    {
        if (!(coupling.scale > 0)) continue;
        const int row = builder.rows.count();
        double* jacobian = append_rows(builder.rows, RowKind::equality, -1, 1, coupling.dof);
        std::copy(coupling.jacobian.begin(), coupling.jacobian.end(), jacobian);
        builder.rows.regulariser[row] = 1 / coupling.scale;
        builder.rows.stiffness[row] = coupling.scale;
    }
}

}  // namespace

void build_rows(const Workspace<double>& w, const Contacts& contacts, const RowOptions& options, ConstraintRows& rows,
                const RowInput& input)
{
    // J, a_ref and R of all constraints at the present pose ([MuJoCo], "Constraint model").
    rows.clear();
    // Rows come from many worlds one after the other; the chain is remembered within one call.
    rows.chain.first_body = -1;  // the chain may be of another model
    const RowBuilder builder{w, *w.tree->model, options, input, rows};
    // MuJoCo's order, by which the tests compare row with row.
    add_coupling_rows(builder);
    rows.ends.coupling = rows.count();
    if (options.equality) add_equality_rows(builder);
    // Ends of classes: loops over one kind of rows need no test.
    rows.ends.equality = rows.ends.dof_friction = rows.ends.tendon_friction = rows.count();
    if (options.dry_friction) add_friction_rows(builder);
    rows.ends.joint_limit = rows.ends.tendon_limit = rows.count();
    if (options.limits) add_limit_rows(builder);
    if (options.contacts) add_contact_rows(builder, contacts);
    rows.ends.contact = rows.count();
}

}  // namespace rattleback
