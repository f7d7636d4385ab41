// What rows answer with in the law `stable`: impedances, targets, and impulses as functions of their velocity.
#include "solvers/comfree/implicit_law.h"

#include "solvers/comfree/round_discs.h"

#include <cmath>

namespace rattleback::comfree
{

void ImplicitLaw::set_answer(int row, double weight, const Answer<double>& answer)
{
    weight_[row] = std::max(kTinyRow, weight);
    spring_impedance_[row] = answer.impedance;
    spring_target_[row] = answer.target;
    stop_[row] = answer.stop;
}

void ImplicitLaw::find_contact_answers(const StageView& stage, const RowCone& cone)
{
    const Contact& contact = stage.contacts.items[cone.contact];
    // w of Eq. 12: inverse weights of both bodies at q0, as the code has them.
    const PairWeight<double> weight = find_pair_weight(stage.w, contact);
    set_answer(cone.row, weight.linear,
               find_answer(*options_, contact.softness, weight.linear, contact.distance, stage.dt,
                           stage.find_gains(cone.contact).push_share(stage.dt)));
    // What no joint moves along the normal is pressed by its spring alone: there is no approach to end.
    const ConstraintRows& rows = stage.rows;
    const double* value = rows.value.data();
    if (std::all_of(value + rows.begin[cone.row], value + rows.begin[cone.row + 1], [](double j) { return j == 0; }))
        stop_[cone.row] = 0;
    // Friction is rigid whatever the normal is: softness speaks of the normal alone.
    for (int k = 1; k < cone.dimension; ++k)
    {
        const double ratio = second_ratio(cone, k), own = (k < 3 ? weight.linear : weight.angular) * ratio * ratio;
        weight_[cone.row + k] = std::max(kTinyRow, own);
        spring_impedance_[cone.row + k] = kFrictionHardness / weight_[cone.row + k];
        spring_target_[cone.row + k] = 0;
    }
}

void ImplicitLaw::find_row_answers(const StageView& stage)
{
    const ConstraintRows& rows = stage.rows;
    const auto count = static_cast<std::size_t>(rows.count());
    for (auto* list : {&spring_impedance_, &spring_target_, &weight_}) list->resize(count);
    stop_.assign(count, 0);
    for (int row = 0; row < rows.ends.tendon_limit; ++row)
    {
        if (rows.kind[row] == RowKind::dry_friction)
        {
            // Dry friction is rigid as that of contacts is: it holds to its bound.
            weight_[row] = std::max(kTinyRow, rows.diagonal[row]);
            spring_impedance_[row] = kFrictionHardness / weight_[row];
            spring_target_[row] = 0;
            continue;
        }
        // Ties and limits: Eqs. 10 to 12 with the weight of their own row.
        const Softness& softness = find_softness(*stage.w.tree->model, rows, row);
        const double share = stage.gains.push_share(stage.dt), weight = rows.diagonal[row], gap = rows.position[row];
        set_answer(row, weight,
                   rows.kind[row] == RowKind::equality
                       ? find_tie_answer(*options_, softness, weight, gap, stage.dt, share)
                       : find_answer(*options_, softness, weight, gap, stage.dt, share));
    }
}

/// The variant with memory: what holds pulls back to where it began to, as the normal pushes out.
void ImplicitLaw::set_anchor_targets(const StageView& stage, Anchors anchors)
{
    begun_.assign(stage.rows.cones.size(), {});
    for (std::size_t c = 0; c < begun_.size(); ++c)
    {
        const RowCone& cone = stage.rows.cones[c];
        if (cone.dimension == 1) continue;
        const Contact& contact = stage.contacts.items[at(cone.contact)];
        const std::array<double, 2> x = anchors.find_displacement(stage.w, contact);
        if (anchors.known() != nullptr) begun_[c] = *anchors.known();
        const double share = stage.find_gains(cone.contact).push_share(stage.dt);
        spring_target_[cone.row + 1] = share * x[0] / stage.dt;
        spring_target_[cone.row + 2] = second_ratio(cone, 2) * share * x[1] / stage.dt;
    }
}

/// In series with a spring of hardness kFirstHardness: kinks that stiff rows have lie far from their neighbours'.
void ImplicitLaw::soften()
{
    hard_impedance_ = spring_impedance_;
    hard_stop_ = stop_;
    for (std::size_t row = 0; row < weight_.size(); ++row)
    {
        // 1/Z + w/99: compliances in series add.
        const double soft = weight_[row] / kFirstHardness;
        spring_impedance_[row] = 1 / (1 / spring_impedance_[row] + soft);
        if (stop_[row] > 0) stop_[row] = 1 / (1 / stop_[row] + soft);
    }
}

void ImplicitLaw::harden()
{
    spring_impedance_ = hard_impedance_;
    stop_ = hard_stop_;
}

void ImplicitLaw::list_discs(const StageView& stage)
{
    const ConstraintRows& rows = stage.rows;
    discs_.clear();
    // Joints and tendons: the impulse of dry friction over the step.
    for (int row = rows.ends.equality; row < rows.ends.tendon_friction; ++row)
        discs_.push_back({.row = row, .bound = rows.loss[row] * stage.dt});
    // Contacts: Eq. 3 has a disc each for sliding, spinning and rolling.
    for (const RowCone& cone : rows.cones)
    {
        const std::array<double, 5>& mu = cone.friction;
        if (cone.dimension >= 3) discs_.push_back({cone.row + 1, 2, second_ratio(cone, 2), cone.row, mu[0]});
        if (cone.dimension >= 4) discs_.push_back({.row = cone.row + 3, .normal = cone.row, .bound = mu[2]});
        if (cone.dimension >= 6) discs_.push_back({cone.row + 4, 2, second_ratio(cone, 5), cone.row, mu[3]});
    }
}

/// Impulse of a row that pushes: falls as u grows. An overlap's spring never throws: above u = 0 it gives nothing,
/// below no more than what ends the approach.
double ImplicitLaw::answer(int row, double u) const
{
    const double spring = -spring_impedance_[row] * (u + spring_target_[row]);
    return std::max(0.0, stop_[row] > 0 ? std::min(spring, -stop_[row] * u) : spring);
}

/// Impulse of a disc: that of its springs, no longer than its radius.
std::array<double, 2> ImplicitLaw::answer(const Disc& disc, const double* u) const
{
    std::array<double, 2> f{};
    double square = 0;
    for (int k = 0; k < disc.count; ++k)
    {
        f[at(k)] = -spring_impedance_[disc.row + k] * (u[k] + spring_target_[disc.row + k]);
        square += f[at(k)] * f[at(k)];
    }
    if (square <= disc.radius * disc.radius) return f;
    // Outside of the disc: along the same direction, on its rim (Eq. 3).
    const double part = disc.radius / std::sqrt(square);
    return {part * f[0], part * f[1]};
}

}  // namespace rattleback::comfree
