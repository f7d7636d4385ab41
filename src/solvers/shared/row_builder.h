// What the files that build rows share: appending rows over a set of columns, and finishing them.
#pragma once

#include "dynamics/impedance.h"
#include "solvers/shared/rows.h"

#include <rattleback/model.h>

#include <span>

namespace rattleback
{

/// The arguments of build_rows on their way through the stages.
struct RowBuilder
{
    const Workspace<double>& w;
    const Model& model;
    const RowOptions& options;
    const RowInput& input;
    ConstraintRows& rows;

    /// The impedance of a row whose spring acts at the end of the step; null: at its begin, or it is no impedance.
    const Impedance* at_end(const Softness& softness) const
    {
        return input.metric_diagonal.empty() ? nullptr : std::get_if<Impedance>(&softness);
    }
    /// The step by which a softness is turned into numbers: parts of a step have contacts as hard as the whole.
    double step_of(const Softness& softness) const
    {
        return options.contact_dt > 0 && std::holds_alternative<Rigid>(softness) ? options.contact_dt : options.dt;
    }
    // Softness to stiffness, damping and impedance, with the step and the switches of this solver.
    RowResponse respond(const Softness& softness, double violation) const
    {
        if (const auto* impedance = at_end(softness))
            return respond_at_end(*impedance, violation, options.dt, options.refsafe);
        return rattleback::respond(softness, violation, step_of(softness), options.refsafe);
    }
    /// As respond; of rows that push and pull or rub, where nothing rebounds.
    RowResponse respond_friction(const Softness& softness) const
    {
        if (const auto* impedance = at_end(softness)) return respond_at_end(*impedance, 0, options.dt, false);
        return rattleback::respond(softness, 0, step_of(softness), options.refsafe);
    }
    RowResponse respond_tie(const Softness& softness, double violation) const
    {
        if (const auto* impedance = at_end(softness)) return respond_at_end(*impedance, violation, options.dt, false);
        return rattleback::respond_tie(softness, violation, step_of(softness), options.refsafe);
    }
};

/// Room for so many entries of J in all; never shrinks, so that nothing is cleared step by step.
void grow_entries(ConstraintRows& rows, std::size_t count);

/// Appends `count` rows over the same columns. Returns their J, [count][columns], all zero; valid until the next
/// append.
double* append_rows(ConstraintRows& rows, RowKind kind, int element, int count, std::span<const int> columns);

/// What one row needs beside J.
struct RowNumbers
{
    double position = 0;
    double margin = 0;
    double velocity = 0;  ///< rate of the position
    double diagonal = 0;  ///< estimate of J M^-1 Jᵀ
    double product = 0;   ///< acceleration of the position while the joints do not accelerate (dJ/dt v)
    double loss = 0;
};

/// Fills everything of a row whose J is there.
void finish_row(const RowBuilder& builder, int row, const RowNumbers& numbers, const RowResponse& response);

/// The estimate, or with RowOptions::exact_diagonal J M^-1 Jᵀ of the row.
double diagonal_of(const RowBuilder& builder, int row, double estimate);

/// Sets R and D = 1 / R of a row, and scales its diagonal so that R = (1 - d) / d diagonal still holds.
void set_regulariser(ConstraintRows& rows, int row, double regulariser, const RowResponse& response);

/// J v of a row.
double row_velocity(const RowBuilder& builder, int row);

/// Degrees of freedom that move either of two bodies; without `common` only those that move exactly one. The chain of
/// the last call is reused where it fits.
const BodyPairChain& find_chain(const RowBuilder& builder, int first_body, int second_body, bool common);

/// Dofs of one tendon, with its Jacobian.
struct TendonRow
{
    std::span<const int> dof;
    std::span<const double> jacobian;
};
TendonRow find_tendon_row(const RowBuilder& builder, int tendon);

/// Appends a row with `scale` times the tendon's Jacobian; false when nothing moves the tendon.
bool append_tendon_row(const RowBuilder& builder, RowKind kind, int tendon, double scale);

void add_equality_rows(const RowBuilder& builder);
void add_friction_rows(const RowBuilder& builder);
void add_limit_rows(const RowBuilder& builder);
void add_contact_rows(const RowBuilder& builder, const Contacts& contacts);

}  // namespace rattleback
