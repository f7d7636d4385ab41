// Derivatives of the law `stable` at its active set: r(x) = Jᵀf(u_s + J x) - M x = 0 with known answers f.
#include "solvers/comfree/dual_step.h"

#include "dynamics/mass_matrix.h"

#include <algorithm>
#include <cmath>

namespace rattleback::comfree
{

/// matrix += scale J_leftᵀ J_right.
void DualStep::add_pair(const ConstraintRows& rows, int left, int right, double scale,
                        std::vector<double>& matrix) const
{
    for (int a = rows.begin[left]; a < rows.begin[left + 1]; ++a)
        for (int b = rows.begin[right]; b < rows.begin[right + 1]; ++b)
            matrix[at(rows.column[a]) * at(dofs_) + at(rows.column[b])] += scale * rows.value[a] * rows.value[b];
}

/// K = M - Jᵀ (df/du) J, and the matrix of the pushes: the same with discs of standing radii.
bool DualStep::factor_active(const BaseStep& base)
{
    const ConstraintRows& rows = base.stage.rows;
    const ActiveSet& active = *base.active;
    pushes_ = list_pushed(base);
    // M, from the lower triangle that is stored, into a full matrix: K is not symmetric where radii follow normals.
    std::vector<double> common(at(dofs_) * at(dofs_));
    const Dofs& dofs = tree_.model->dofs;
    for (std::size_t i = 0; i < at(dofs_); ++i)
        for (int k = dofs.row_begin[i]; k < dofs.row_begin[i + 1]; ++k)
            common[i * at(dofs_) + at(dofs.row_column[k])] = common[at(dofs.row_column[k]) * at(dofs_) + i] =
                base.w.mass_matrix[k];
    // Values of the answers, at the base.
    position_.assign(rows.position.begin(), rows.position.end());
    gains_ = {base.stage.gains.stiffness, base.stage.gains.damping};
    find_answers(base);
    // u+ = u_s + J x: slips, by which discs turn.
    std::vector<double> after(at(rows.count()));
    for (int row = 0; row < rows.count(); ++row)
        after[at(row)] = base.stage.velocity[row] + multiply_row(rows, row, base.change);
    std::vector<double> coupled = common;  // with radii that follow the normal impulses
    for (const Disc& disc : active.discs)
    {
        if (!disc.slides) continue;
        // f = - R s / |s|: R turns with the slip across it, and is mu times the normal's answer.
        double s[2] = {}, square = 0;
        for (int k = 0; k < disc.count; ++k)
        {
            s[k] = after[at(disc.row + k)] + active.spring_target[disc.row + k];
            square += s[k] * s[k];
        }
        // Across the slip df/du = - R / |s| (1 - s sᵀ / s²); along it the radius alone decides.
        const double length = std::sqrt(square);
        for (int k = 0; k < disc.count; ++k)
        {
            for (int l = 0; l < disc.count && disc.count > 1; ++l)
            {
                const double across = disc.radius / length * ((k == l ? 1 : 0) - s[k] * s[l] / square);
                add_pair(rows, disc.row + k, disc.row + l, across, common);
                add_pair(rows, disc.row + k, disc.row + l, across, coupled);
            }
            // dR/du_n = - mu Z_n: the column of the normal, without a counterpart across the diagonal.
            if (disc.normal < 0 || active.acts[disc.normal] == 0) continue;
            const double z = value_of(answers_[at(disc.normal)].impedance);
            add_pair(rows, disc.row + k, disc.normal, -disc.bound * s[k] / length * z, coupled);
        }
    }
    for (int row = 0; row < rows.count(); ++row)
    {
        const double z = value_of(answers_[at(row)].impedance);
        if (active.acts[row] != 0) add_pair(rows, row, row, z, coupled);
        // Springs and stops: + Z j jᵀ. Rows that are pushed out answer with their stop there.
        const bool pushed = pushed_[at(row)] != 0;
        if (pushed || active.acts[row] != 0) add_pair(rows, row, row, pushed ? active.stop[row] : z, common);
    }
    return active_lu_.factor(std::move(coupled), dofs_) && (!pushes_ || push_lu_.factor(std::move(common), dofs_));
}

/// Z and c of every row: those of its spring, or of what ends an overlap's approach.
void DualStep::find_answers(const BaseStep& base)
{
    const ConstraintRows& rows = base.stage.rows;
    const ActiveSet& active = *base.active;
    const double dt = base.stage.dt;
    // What every row answers, its derivatives by gap, k and d included.
    answers_.resize(at(rows.count()));
    for (int row = 0; row < rows.count(); ++row)
    {
        // Eqs. 10 to 12 with the gap as a dual number: r(phi) moves where the gap does.
        const bool contact = row >= rows.ends.tendon_limit;
        Answer<Number>& answer = answers_[at(row)];
        const Number weight(active.weight[row]);
        answer = {active.spring_impedance[row], active.spring_target[row], active.stop[row]};
        // A stop has a constant impedance and no target: it only ends the approach.
        if (active.stops(row))
        {
            answer = {active.stop[row], 0.0, active.stop[row]};
            continue;
        }
        // Friction is rigid, whatever the gap; normals of contacts come below, with the gains of each.
        if (rows.kind[row] == RowKind::dry_friction || contact) continue;
        const Number share = gains_.push_share(dt);
        const Softness& softness = find_softness(*tree_.model, rows, row);
        const bool tie = rows.kind[row] == RowKind::equality;
        answer = tie ? find_tie_answer(options_, softness, weight, position_[at(row)], dt, share)
                     : find_answer(options_, softness, weight, position_[at(row)], dt, share);
    }
    const StageOf<Number> now = stage(base);
    // Normals of contacts, with k and d of each.
    for (const RowCone& cone : rows.cones)
    {
        if (active.stops(cone.row)) continue;
        answers_[at(cone.row)] =
            find_answer(options_, now.contacts.items[at(cone.contact)].softness, Number(active.weight[cone.row]),
                        position_[at(cone.row)], dt, now.find_gains(cone.contact).push_share(dt));
    }
}

/// Impulses of the rows that act, at velocities after contact.
void DualStep::find_forces(const BaseStep& base, std::span<const Number> velocity)
{
    const ActiveSet& active = *base.active;
    for (std::size_t row = 0; row < velocity.size(); ++row)
    {
        const Answer<Number>& a = answers_[row];
        // f = - Z (u + c) of rows that act as springs, nothing of the others.
        force_[row] = active.acts[row] != 0 ? -(a.impedance * (velocity[row] + a.target)) : Number(0.0);
    }
    for (const Disc& disc : active.discs)
    {
        if (!disc.slides) continue;
        // A disc that slides: its impulse has the length of the radius, against the slip.
        Number s[2] = {}, square = Number(0.0);
        for (int k = 0; k < disc.count; ++k)
        {
            s[k] = velocity[at(disc.row + k)] + answers_[at(disc.row + k)].target;
            square += s[k] * s[k];
        }
        // f = - mu f_n s / |s| on the rim (Eq. 3); the normal impulse carries its own derivatives.
        const Number radius = disc.normal < 0 ? Number(disc.bound) : Number(disc.bound) * force_[at(disc.normal)];
        const Number part = radius / sqrt(square);
        for (int k = 0; k < disc.count; ++k) force_[at(disc.row + k)] = -(part * s[k]);
    }
}

/// x' from K x' = dr/dinput at constant x.
void DualStep::solve_active(const BaseStep& base)
{
    const ConstraintRows& rows = base.stage.rows;
    find_answers(base);
    const StageOf<Number> now = stage(base);
    // x of the step itself, without derivatives: what is left in r is then dr/dinput.
    std::copy(base.change.begin(), base.change.end(), change_.begin());
    const auto evaluate = [&]
    {
        row_velocity_.resize(at(rows.count()));
        for (int row = 0; row < rows.count(); ++row)
            row_velocity_[at(row)] = velocity_[at(row)] + multiply_stage_row<Number>(now, row, change_);
        find_forces(base, row_velocity_);
    };
    evaluate();
    // r = Jᵀf - M x.
    // Its value is zero but for rounding; its rates are those of M, J, u_s and the answers.
    multiply_symmetric<Number>(tree_.arrays, workspace_.mass_matrix, change_, rest_);
    for (Number& r : rest_) r = -r;
    for (int row = 0; row < rows.count(); ++row) add_stage_row<Number>(now, row, force_[at(row)], rest_);
    std::vector<double> column(at(dofs_));
    // One factor, a solve per direction.
    for (int i = 0; i < kDualDirections; ++i)
    {
        for (std::size_t k = 0; k < column.size(); ++k) column[k] = rate_of(rest_[k], i);
        active_lu_.solve(column);
        for (std::size_t k = 0; k < column.size(); ++k) set_rate(change_[k], i, column[k]);
    }
    evaluate();
}

/// Z of the spring that an overlap keeps to carry its load: that of the row, no harder than kRestHardness.
DualPack DualStep::find_rest(const BaseStep& base, int row) const
{
    const ConstraintRows& rows = base.stage.rows;
    const bool contact = row >= rows.ends.tendon_limit;
    // The row without its stop: the spring that it would be.
    const Softness& softness =
        contact ? base.stage.contacts.items[at(rows.element[row])].softness : find_softness(*tree_.model, rows, row);
    const Number weight(base.active->weight[row]);
    const Number share = gains_.push_share(base.stage.dt);
    const Answer<Number> own = find_answer(options_, softness, weight, position_[at(row)], base.stage.dt, share);
    return minimum(own.impedance, Number(kRestHardness) / weight);
}

/// [row] Overlaps of which something is left after the step (ImplicitLaw::find_push).
bool DualStep::list_pushed(const BaseStep& base)
{
    const StageView& stage = base.stage;
    const ConstraintRows& rows = stage.rows;
    const ActiveSet& active = *base.active;
    pushed_.assign(at(rows.count()), 0);
    if (!(stage.largest_share() > 0)) return false;
    for (int row = 0; row < rows.count(); ++row)
    {
        if (!(active.stop[row] > 0)) continue;
        const int contact = rows.kind[row] == RowKind::limit ? -1 : rows.element[row];
        const double u = stage.velocity[row] + multiply_row(rows, row, base.change);
        // What the step leaves of the part that it should take, beyond the sag of the load.
        const double left =
            u + stage.find_gains(contact).push_share(stage.dt) * rows.position[row] / stage.dt +
            base.impulse[row] / std::min(active.spring_impedance[row], kRestHardness / active.weight[row]);
        pushed_[at(row)] = left < 0 ? 1 : 0;
    }
    return std::find(pushed_.begin(), pushed_.end(), 1) != pushed_.end();
}

/// y -= (M + JᵀZJ) x, Z of rows that act or are pushed out, and across the slip of discs.
void DualStep::subtract_system(const BaseStep& base, std::span<const Number> x, std::span<Number> y) const
{
    const ActiveSet& active = *base.active;
    const StageOf<Number> now = stage(base);
    std::vector<Number> inertial(y.size());
    // M x, then row by row Jᵀ Z J x.
    multiply_symmetric<Number>(tree_.arrays, workspace_.mass_matrix, x, inertial);
    for (std::size_t k = 0; k < y.size(); ++k) y[k] -= inertial[k];
    for (int row = 0; row < now.rows.count(); ++row)
    {
        const bool pushed = pushed_[at(row)] != 0;
        if (!pushed && active.acts[row] == 0) continue;
        const Number z = pushed ? Number(active.stop[row]) : answers_[at(row)].impedance;
        add_stage_row<Number>(now, row, -(z * multiply_stage_row<Number>(now, row, x)), y);
    }
    for (const Disc& disc : active.discs)
    {
        if (!disc.slides || disc.count == 1) continue;
        // R / |s| (1 - s sᵀ / s²) of J x.
        Number s[2], w[2];
        for (int k = 0; k < 2; ++k)
        {
            s[k] = row_velocity_[at(disc.row + k)] + answers_[at(disc.row + k)].target;
            w[k] = multiply_stage_row<Number>(now, disc.row + k, x);
        }
        const Number square = s[0] * s[0] + s[1] * s[1], along = (s[0] * w[0] + s[1] * w[1]) / square;
        const Number radius = disc.normal < 0 ? Number(disc.bound) : Number(disc.bound) * force_[at(disc.normal)];
        for (int k = 0; k < 2; ++k)
            add_stage_row<Number>(now, disc.row + k, -(radius / sqrt(square) * (w[k] - along * s[k])), y);
    }
}

/// push_: the velocity at which poses leave overlaps, (M + JᵀZJ) w = - JᵀZ (u + c + f / Z), and what the island pays.
void DualStep::find_push(const BaseStep& base)
{
    const ActiveSet& active = *base.active;
    const StageOf<Number> now = stage(base);
    // What each island has lost in this step, which pays for its lift (README, "Energy").
    islands_.assign(at(active.islands.island_count()), {});
    std::fill(rest_.begin(), rest_.end(), Number(0.0));
    const double unpaid = find_unpaid_depth(norm(base.w.gravity[0]), now.dt);
    std::vector<double> left(at(now.rows.count()));
    for (int row = 0; row < now.rows.count(); ++row)
    {
        const Number f = force_[at(row)], u = row_velocity_[at(row)];
        Push<Number>& island = islands_[at(active.islands.island_of_row(now.rows, row))];
        island.taken += f * (Number(0.5 * now.dt) * multiply_stage_row<Number>(now, row, workspace_.qacc) - u);
        if (pushed_[at(row)] == 0) continue;
        const int contact = now.rows.kind[row] == RowKind::limit ? -1 : now.rows.element[row];
        const Number share = now.find_gains(contact).push_share(now.dt);
        const Number left_now = u + share * position_[at(row)] / Number(now.dt) + f / find_rest(base, row);
        island.fastest = maximum(island.fastest, -left_now);
        island.deep |= -now.rows.position[row] > unpaid;
        add_stage_row<Number>(now, row, -(Number(active.stop[row]) * left_now), rest_);
        left[at(row)] = value_of(left_now);
    }
    std::vector<double> column(at(dofs_));
    for (std::size_t k = 0; k < column.size(); ++k) column[k] = value_of(rest_[k]);
    // The value of w first, with the matrix of the base.
    push_lu_.solve(column);
    std::copy(column.begin(), column.end(), push_.begin());
    for (int row = 0; row < now.rows.count(); ++row)
        pulls_ |= left[at(row)] < 0 && pulls_back(left[at(row)], multiply_row(now.rows, row, column));
    // Along each input: (M + JᵀZJ) w' = (right-hand side)' - (M + JᵀZJ)' w.
    subtract_system(base, push_, rest_);
    for (int i = 0; i < kDualDirections; ++i)
    {
        for (std::size_t k = 0; k < column.size(); ++k) column[k] = rate_of(rest_[k], i);
        push_lu_.solve(column);
        for (std::size_t k = 0; k < column.size(); ++k) set_rate(push_[k], i, column[k]);
    }
    scale_push(base);
}

void DualStep::scale_push(const BaseStep& base)
{
    const IslandSystem& islands = base.active->islands;
    const StageOf<Number> now = stage(base);
    for (int d = 0; d < dofs_; ++d)
    {
        const int i = islands.island_of_dof(d);
        if (i < 0) continue;
        // The part of smooth forces in the loss (1) of the README, 1/2 h² (tau - c)ᵀa; rows have counted theirs.
        islands_[at(i)].taken += Number(0.5 * now.dt * now.dt) * workspace_.total[d] * workspace_.qacc[d];
        islands_[at(i)].cost -= Number(now.dt) * workspace_.total[d] * push_[at(d)];
    }
    const Number share = now.largest_share();
    for (int d = 0; d < dofs_; ++d)
    {
        const int i = islands.island_of_dof(d);
        if (i >= 0) push_[at(d)] = push_[at(d)] * find_push_scale(islands_[at(i)], share, options_.push_speed);
    }
}

}  // namespace rattleback::comfree
