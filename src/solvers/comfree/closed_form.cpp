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

namespace
{

/// A divisor, not too small.
template <class T>
T bounded(const T& weight)
{
    return select(weight > T(kTinyRow), weight, T(kTinyRow));
}

}  // namespace

/// r / (1 - r) with r(|phi|) of Eq. 13, whose x is clamped to [0, 1]: beyond the width r would pass 1.
template <class T>
T ClosedForm<T>::curve_ratio(const Softness& softness, const T& gap) const
{
    std::array<double, 5> solimp{0.9, 0.95, options_->curve_width, 0.5, 2};
    if (const Impedance* own = std::get_if<Impedance>(&softness)) solimp = own->solimp;
    solimp[2] = options_->curve_width;
    const T r = find_impedance(make_safe({{0.02, 1}, solimp}, 0, false).solimp, gap);
    return r / (T(1.0) - r);
}

/// Eqs. 11 and 12: K = k M / dt and D = d M / dt with M = ratio / weight, both times dt.
template <class T>
FacetImpedanceOf<T> ClosedForm<T>::scale(const GainsOf<T>& gains, const T& ratio, const T& weight, double dt)
{
    // M(phi) of Eq. 12.
    const T mass = ratio / bounded(weight);
    return {mass * (gains.damping + gains.stiffness * T(dt)), mass * gains.stiffness};
}

/// K and D of the contact or limit itself: those of a spring, shared by `count` facets; nothing for other kinds. The
/// code has k and d for all alike.
template <class T>
std::optional<FacetImpedanceOf<T>> ClosedForm<T>::find_own_impedance(const Softness& softness, int count,
                                                                     double dt) const
{
    const Spring* spring = std::get_if<Spring>(&softness);
    if (spring == nullptr || options_->law == Law::as_coded) return std::nullopt;
    return FacetImpedanceOf<T>{T(dt * (spring->stiffness * dt + spring->damping) / count),
                               T(dt * spring->stiffness / count)};
}

/// path_: the dofs of a row and all their ancestors, increasing. Elsewhere L^-T jᵀ is zero.
template <class T>
void ClosedForm<T>::find_path(const StageOf<T>& stage, int row)
{
    const TreePattern pattern = pattern_of(*stage.w.tree);
    path_.clear();
    for (int k = stage.rows.begin[row]; k < stage.rows.begin[row + 1]; ++k)
    {
        const int dof = stage.rows.column[k];
        path_.insert(path_.end(), pattern.ancestors(dof), pattern.ancestors(dof) + pattern.ancestor_count(dof) + 1);
    }
    std::sort(path_.begin(), path_.end());
    path_.erase(std::unique(path_.begin(), path_.end()), path_.end());
}

/// A = J M^-1 Jᵀ of `count` rows from `row` on, which have the same dofs. Cost does not grow with the world: M^-1 of a
/// row is wanted where the rows have entries alone.
template <class T>
void ClosedForm<T>::find_delassus(const StageOf<T>& stage, int row, int count)
{
    const TreePattern pattern = pattern_of(*stage.w.tree);
    column_.resize(stage.w.v.size());
    find_path(stage, row);
    for (int i = 0; i < count; ++i)
    {
        // One substitution per row, leaves to root and back: L^-1 D^-1 L^-T jᵀ.
        for (const int dof : path_) column_[at(dof)] = T(0.0);
        add_stage_row<T>(stage, row + i, T(1.0), column_);
        for (std::size_t k = path_.size(); k-- > 0;)
            scatter_to_ancestors<T>(pattern, stage.w.factor, path_[k], column_.data());
        for (const int dof : path_)
            collect_from_ancestors<T>(pattern, stage.w.factor, stage.w.inverse_pivot, dof, column_.data());
        for (int j = 0; j < count; ++j) delassus_[6 * i + j] = multiply_stage_row<T>(stage, row + j, column_);
    }
}

/// Eq. 10: K dt + D = 1 / (dt A) of each facet, shared by the facets, which all contain the normal; it fixes the sum
/// alone, which is split in the ratio k dt : d.
template <class T>
void ClosedForm<T>::find_exact_impedances(const StageOf<T>& stage, const RowCone& cone)
{
    find_delassus(stage, cone.row, cone.dimension);
    const int count = std::max(1, facets_.count(cone.dimension));
    const T share = stage.find_gains(cone.contact).push_share(stage.dt);
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
        T a = T(0.0);
        for (int i = 0; i < cone.dimension; ++i)
            for (int k = 0; k < cone.dimension; ++k) a += T(row[i]) * delassus_[6 * i + k] * T(row[k]);
        // K dt + D = 1 / (dt A count), times dt; K of it by the share k dt / (k dt + d).
        const T per_speed = T(1.0) / (bounded(a) * T(count));
        impedance_[j] = {per_speed, share * per_speed / T(stage.dt)};
    }
}

/// Eq. 12: the trace of J M^-1 Jᵀ at the present pose, over the contact's translations; over its rotations where no
/// joint translates it.
template <class T>
T ClosedForm<T>::find_trace(const StageOf<T>& stage, const RowCone& cone)
{
    T trace = T(0.0);
    for (int first = 0; first < cone.dimension && !(value_of(trace) > kTinyRow); first += 3)
    {
        const int count = std::min(cone.dimension - first, 3);
        find_delassus(stage, cone.row + first, count);
        for (int i = 0; i < count; ++i) trace += delassus_[7 * i];
    }
    return trace;
}

template <class T>
void ClosedForm<T>::find_facet_impedances(const StageOf<T>& stage, const RowCone& cone)
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
    const T weight = options_->law == Law::printed
                         ? find_trace(stage, cone)
                         : find_pair_weight<T>(stage.w, contact.first_body.index, contact.second_body.index).linear;
    const FacetImpedanceOf<T> common = scale(stage.find_gains(cone.contact),
                                             curve_ratio(contact.softness, stage.position[cone.row]), weight, stage.dt);
    std::fill_n(impedance_.begin(), count, common);
}

template <class T>
void ClosedForm<T>::find_contact_impulses(const StageOf<T>& stage, const RowCone& cone, T* impulse)
{
    find_facet_impedances(stage, cone);
    const FacetContactOf<T> contact{.dimension = cone.dimension,
                                    .friction = cone.friction,
                                    .gap = stage.position[cone.row],
                                    .impedance = impedance_.data()};
    find_facet_impulses<T>(facets_, contact, &stage.velocity[cone.row], impulse);
}

/// Equalities, dry friction, limits: the law of Eq. 8 for a single row.
template <class T>
T ClosedForm<T>::find_row_impulse(const StageOf<T>& stage, int row)
{
    const ConstraintRows& rows = stage.rows;
    const T gap = stage.position[row];
    T weight = T(rows.diagonal[row]);
    if (options_->law == Law::printed)
    {
        find_delassus(stage, row, 1);
        weight = delassus_[0];
    }
    const Softness& softness = find_softness(*stage.w.tree->model, rows, row);
    const T ratio = curve_ratio(softness, gap);
    // Eqs. 11 to 13; the exact impedance of Eq. 10, or a spring of its own, in their place.
    FacetImpedanceOf<T> z = scale(stage.gains, ratio, weight, stage.dt);
    if (options_->exact_impedance && options_->law == Law::printed)
        z = {T(1.0) / bounded(weight), stage.gains.push_share(stage.dt) / (bounded(weight) * T(stage.dt))};
    if (const auto own = find_own_impedance(softness, 1, stage.dt)) z = *own;
    const T impulse = -z.per_speed * stage.velocity[row] - z.per_depth * gap;
    // Defect of the code: every row pushes one way only, and the bound of dry friction is not read.
    if (options_->law == Law::as_coded || rows.kind[row] == RowKind::limit)
        return select(impulse > T(0.0), impulse, T(0.0));
    if (rows.kind[row] == RowKind::equality) return impulse;
    const double bound = rows.loss[row] * stage.dt;
    return clamp(impulse, -bound, bound);
}

template <class T>
void ClosedForm<T>::find_impulses(const StageOf<T>& stage, std::span<T> impulse)
{
    // Every row and every contact by itself: nothing here depends on the order.
    const ConstraintRows& rows = stage.rows;
    for (int row = 0; row < rows.ends.tendon_limit; ++row) impulse[row] = find_row_impulse(stage, row);
    for (const RowCone& cone : rows.cones) find_contact_impulses(stage, cone, &impulse[cone.row]);
}

template class ClosedForm<double>;
template class ClosedForm<DualPack>;

}  // namespace rattleback::comfree
