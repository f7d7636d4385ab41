// Rows and contacts one by one: each impulse is a function of the prediction, none of another impulse.
#include "solvers/comfree/closed_form.h"

#include "dynamics/mass_matrix.h"

#include <algorithm>

namespace rattleback::comfree
{

const Softness& find_softness(const Model& model, const ConstraintRows& rows, int row)
{
    // Rows stand in this order: equalities, dry friction of dofs and tendons, limits of joints and tendons.
    const int element = rows.element[row];
    if (row < rows.ends.equality) return model.equalities.softness[element];
    if (row < rows.ends.dof_friction) return model.dofs.dry_friction_softness[element];
    if (row < rows.ends.tendon_friction) return model.tendons.dry_friction_softness[element];
    return row < rows.ends.joint_limit ? model.joints.limit_softness[element] : model.tendons.limit_softness[element];
}

/// r / (1 - r) with r(|phi|) of Eq. 13, whose x is clamped to [0, 1]: beyond the width r would pass 1.
double ClosedForm::curve_ratio(const Softness& softness, double gap) const
{
    std::array<double, 5> solimp{0.9, 0.95, options_->curve_width, 0.5, 2};
    if (const Impedance* own = std::get_if<Impedance>(&softness)) solimp = own->solimp;
    solimp[2] = options_->curve_width;
    const double r = impedance_at(make_safe({{0.02, 1}, solimp}, 0, false).solimp, gap);
    return r / (1 - r);
}

/// Eqs. 11 and 12: K = k M / dt and D = d M / dt with M = ratio / weight, both times dt.
FacetImpedance ClosedForm::scale(double ratio, double weight, double dt) const
{
    const double mass = ratio / std::max(kTinyRow, weight);
    return {mass * (options_->damping + options_->stiffness * dt), mass * options_->stiffness};
}

/// K and D of the contact or limit itself: those of a spring, shared by `count` facets; nothing for other kinds. The
/// code has k and d for all alike.
std::optional<FacetImpedance> ClosedForm::find_own_impedance(const Softness& softness, int count, double dt) const
{
    const Spring* spring = std::get_if<Spring>(&softness);
    if (spring == nullptr || options_->law == Law::as_coded) return std::nullopt;
    return FacetImpedance{dt * (spring->stiffness * dt + spring->damping) / count, dt * spring->stiffness / count};
}

/// A = J M^-1 Jᵀ of `count` rows from `row` on.
void ClosedForm::find_delassus(const StageView& stage, int row, int count)
{
    const ConstraintRows& rows = stage.rows;
    column_.resize(stage.w.v.size());
    for (int i = 0; i < count; ++i)
    {
        // One substitution per row.
        std::fill(column_.begin(), column_.end(), 0.0);
        add_row(rows, row + i, 1, column_);
        solve_in_place<double>(stage.w, column_);
        for (int j = 0; j < count; ++j) delassus_[6 * i + j] = multiply_row(rows, row + j, column_);
    }
}

/// Eq. 10: K dt + D = 1 / (dt A) of each facet, shared by the facets, which all contain the normal; it fixes the sum
/// alone, which is split in the ratio k dt : d.
void ClosedForm::find_exact_impedances(const StageView& stage, const RowCone& cone)
{
    find_delassus(stage, cone.row, cone.dimension);
    const int count = std::max(1, facets_.count(cone.dimension));
    const double share = options_->push_share(stage.dt);
    for (int j = 0; j < count; ++j)
    {
        // The facet's row is n - mu d . s: A of it from the block of the contact.
        std::array<double, 6> row{1};
        if (cone.dimension > 1)
        {
            const Facet& facet = facets_[j];
            row[facet.row] = -cone.friction[facet.row - 1] * facet.direction[0];
            if (facet.row != 3) row[facet.row + 1] = -cone.friction[facet.row] * facet.direction[1];
        }
        double a = 0;
        for (int i = 0; i < cone.dimension; ++i)
            for (int k = 0; k < cone.dimension; ++k) a += row[i] * delassus_[6 * i + k] * row[k];
        const double per_speed = 1 / (std::max(kTinyRow, a) * count);
        impedance_[j] = {per_speed, share * per_speed / stage.dt};
    }
}

/// Eq. 12: the trace of J M^-1 Jᵀ at the present pose, over the contact's translations; over its rotations where no
/// joint translates it.
double ClosedForm::find_trace(const StageView& stage, const RowCone& cone)
{
    double trace = 0;
    for (int first = 0; first < cone.dimension && !(trace > kTinyRow); first += 3)
    {
        const int count = std::min(cone.dimension - first, 3);
        find_delassus(stage, cone.row + first, count);
        for (int i = 0; i < count; ++i) trace += delassus_[7 * i];
    }
    return trace;
}

void ClosedForm::find_facet_impedances(const StageView& stage, const RowCone& cone)
{
    const Contact& contact = stage.contacts.items[cone.contact];
    const int count = std::max(1, facets_.count(cone.dimension));
    if (const auto own = find_own_impedance(contact.softness, count, stage.dt))
    {
        std::fill_n(impedance_.begin(), count, *own);
        return;
    }
    if (options_->law == Law::printed && options_->exact_impedance) return find_exact_impedances(stage, cone);
    // Defect of the code: inverse weights of translation at q0 stand in for the trace, also for spin and rolling.
    const double weight =
        options_->law == Law::printed ? find_trace(stage, cone) : find_pair_weight(stage.w, contact).linear;
    const FacetImpedance common = scale(curve_ratio(contact.softness, contact.distance), weight, stage.dt);
    std::fill_n(impedance_.begin(), count, common);
}

void ClosedForm::find_contact_impulses(const StageView& stage, const RowCone& cone, double* impulse)
{
    find_facet_impedances(stage, cone);
    const FacetContact contact{.dimension = cone.dimension,
                               .friction = cone.friction,
                               .gap = stage.rows.position[cone.row],
                               .impedance = impedance_.data()};
    find_facet_impulses(facets_, contact, &stage.velocity[cone.row], impulse);
}

/// Equalities, dry friction, limits: the law of Eq. 8 for a single row.
double ClosedForm::find_row_impulse(const StageView& stage, int row)
{
    const ConstraintRows& rows = stage.rows;
    const double gap = rows.position[row];
    double weight = rows.diagonal[row];
    if (options_->law == Law::printed)
    {
        find_delassus(stage, row, 1);
        weight = delassus_[0];
    }
    const Softness& softness = find_softness(*stage.w.tree->model, rows, row);
    const double ratio = curve_ratio(softness, gap);
    FacetImpedance z = scale(ratio, weight, stage.dt);
    if (options_->exact_impedance && options_->law == Law::printed)
        z = {1 / std::max(kTinyRow, weight), options_->push_share(stage.dt) / (std::max(kTinyRow, weight) * stage.dt)};
    if (const auto own = find_own_impedance(softness, 1, stage.dt)) z = *own;
    const double impulse = -z.per_speed * stage.velocity[row] - z.per_depth * gap;
    // Defect of the code: every row pushes one way only, and the bound of dry friction is not read.
    if (options_->law == Law::as_coded || rows.kind[row] == RowKind::limit) return std::max(0.0, impulse);
    if (rows.kind[row] == RowKind::equality) return impulse;
    const double bound = rows.loss[row] * stage.dt;
    return std::clamp(impulse, -bound, bound);
}

void ClosedForm::find_impulses(const StageView& stage, std::span<double> impulse)
{
    // Every row and every contact by itself: nothing here depends on the order.
    const ConstraintRows& rows = stage.rows;
    for (int row = 0; row < rows.ends.tendon_limit; ++row) impulse[row] = find_row_impulse(stage, row);
    for (const RowCone& cone : rows.cones) find_contact_impulses(stage, cone, &impulse[cone.row]);
}

}  // namespace rattleback::comfree
