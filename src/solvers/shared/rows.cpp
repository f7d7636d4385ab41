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
    begin.assign(1, 0);
    column.clear();
    value.clear();
    for (auto* list : {&position, &margin, &velocity, &reference, &diagonal, &regulariser, &stiffness, &loss})
        list->clear();
    cones.clear();
    ends = {};
}

double* append_rows(ConstraintRows& rows, RowKind kind, int element, int count, std::span<const int> columns)
{
    const std::size_t total = rows.kind.size() + static_cast<std::size_t>(count);
    const std::size_t entries = rows.value.size();
    rows.kind.resize(total, kind);
    rows.element.resize(total, element);
    for (auto* list : {&rows.position, &rows.margin, &rows.velocity, &rows.reference, &rows.diagonal, &rows.regulariser,
                       &rows.stiffness, &rows.loss})
        list->resize(total);
    rows.value.resize(entries + static_cast<std::size_t>(count) * columns.size());
    for (int i = 0; i < count; ++i)
    {
        rows.column.insert(rows.column.end(), columns.begin(), columns.end());
        rows.begin.push_back(static_cast<int>(rows.column.size()));
    }
    return rows.value.data() + entries;
}

void set_regulariser(ConstraintRows& rows, int row, double regulariser, const RowResponse& response)
{
    rows.regulariser[row] = regulariser;
    rows.stiffness[row] = 1 / regulariser;
    if (response.compliance == 0) rows.diagonal[row] = regulariser * response.impedance / (1 - response.impedance);
}

void finish_row(const RowBuilder& builder, int row, const RowNumbers& numbers, const RowResponse& response)
{
    ConstraintRows& rows = builder.rows;
    rows.position[row] = numbers.position;
    rows.margin[row] = numbers.margin;
    rows.velocity[row] = numbers.velocity;
    rows.loss[row] = numbers.loss;
    rows.reference[row] = -response.damping * numbers.velocity -
                          response.stiffness * (numbers.position - numbers.margin) - numbers.product;
    rows.diagonal[row] = diagonal_of(builder, row, numbers.diagonal);
    set_regulariser(rows, row, regulariser(response, rows.diagonal[row]), response);
}

double diagonal_of(const RowBuilder& builder, int row, double estimate)
{
    if (!builder.options.exact_diagonal) return estimate;
    ConstraintRows& rows = builder.rows;
    rows.buffer.assign(builder.w.v.size(), 0);
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) rows.buffer[rows.column[k]] = rows.value[k];
    solve_in_place<double>(builder.w, rows.buffer);
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * rows.buffer[rows.column[k]];
    return sum;
}

double row_velocity(const RowBuilder& builder, int row)
{
    const ConstraintRows& rows = builder.rows;
    double sum = 0;
    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) sum += rows.value[k] * builder.w.v[rows.column[k]];
    return sum;
}

TendonRow find_tendon_row(const RowBuilder& builder, int tendon)
{
    const SparsePattern& pattern = builder.w.tree->tendon;
    const auto begin = static_cast<std::size_t>(pattern.begin[tendon]);
    const auto count = static_cast<std::size_t>(pattern.begin[tendon + 1]) - begin;
    return {std::span(pattern.dof).subspan(begin, count), std::span(builder.w.tendon_jacobian).subspan(begin, count)};
}

bool append_tendon_row(const RowBuilder& builder, RowKind kind, int tendon, double scale)
{
    const TendonRow row = find_tendon_row(builder, tendon);
    if (row.dof.empty()) return false;
    double* jacobian = append_rows(builder.rows, kind, tendon, 1, row.dof);
    for (std::size_t i = 0; i < row.dof.size(); ++i) jacobian[i] = scale * row.jacobian[i];
    return true;
}

const BodyPairChain& find_chain(const RowBuilder& builder, int first_body, int second_body, bool common)
{
    BodyPairChain& chain = builder.rows.chain;
    if (chain.first_body == first_body && chain.second_body == second_body && chain.common == common) return chain;
    const Model& model = builder.model;
    chain.first_body = first_body;
    chain.second_body = second_body;
    chain.common = common;
    chain.dof.clear();
    chain.side.clear();
    int first = model.bodies.last_dof[first_body], second = model.bodies.last_dof[second_body];
    // both paths lead upwards through decreasing dofs; where they meet they stay together
    while (first != second)
    {
        const bool of_first = first > second;
        int& dof = of_first ? first : second;
        chain.dof.push_back(dof);
        chain.side.push_back(of_first ? 1 : 2);
        dof = model.dofs.parent[dof];
    }
    for (int dof = common ? first : -1; dof >= 0; dof = model.dofs.parent[dof])
    {
        chain.dof.push_back(dof);
        chain.side.push_back(3);
    }
    std::reverse(chain.dof.begin(), chain.dof.end());
    std::reverse(chain.side.begin(), chain.side.end());
    return chain;
}

void build_rows(const Workspace<double>& w, const Contacts& contacts, const RowOptions& options, ConstraintRows& rows)
{
    rows.clear();
    rows.chain.first_body = -1;  // the chain may be of another model
    const RowBuilder builder{w, *w.tree->model, options, rows};
    if (options.equality) add_equality_rows(builder);
    rows.ends.equality = rows.ends.dof_friction = rows.ends.tendon_friction = rows.count();
    if (options.dry_friction) add_friction_rows(builder);
    rows.ends.joint_limit = rows.ends.tendon_limit = rows.count();
    if (options.limits) add_limit_rows(builder);
    if (options.contacts) add_contact_rows(builder, contacts);
    rows.ends.contact = rows.count();
}

}  // namespace rattleback
