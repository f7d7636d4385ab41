// Corrections of the law `stable`: Newton's method for the velocities at which impulses and velocities agree.
#include "solvers/comfree/implicit_law.h"

#include <algorithm>
#include <cmath>

namespace rattleback::comfree
{

// Each row answers the velocity after contact u = u_s + J x with an impulse f(u), where M x = Jᵀ f. As every answer
// falls with u, this is the least of ½ xᵀMx + sum of the answers' energies, for given radii of the discs. With the rows
// known that act as springs, f = - Z (u + c), it is linear: (M + JᵀZJ) x = - JᵀZ (u_s + c), one correction. Each island
// goes along a correction as far as its energy falls.

constexpr int kHardSweeps = 8;  ///< corrections of rows as hard as they are

ImplicitLaw::ImplicitLaw(const Model& model, const Options& options, std::span<const int> tree_of_dof)
    : options_(&options), system_(model, tree_of_dof)
{
    for (auto* list : {&change_, &next_change_, &row_}) list->resize(tree_of_dof.size());
}

LawReport ImplicitLaw::find_impulses(const StageView& stage, const Anchors& anchors, std::span<double> impulse,
                                     std::span<double> change)
{
    LawReport report;
    std::fill(change.begin(), change.end(), 0.0);
    discs_.clear();
    settled_ = true;
    if (stage.rows.count() == 0) return report;
    // Z and c of every row (Eqs. 10 to 12): ties, limits and dry friction, then contacts.
    find_row_answers(stage);
    for (const RowCone& cone : stage.rows.cones) find_contact_answers(stage, cone);
    if (options_->anchor) set_anchor_targets(stage, anchors);
    list_discs(stage);
    system_.start(stage.rows);
    system_.start_list(radius_islands_, {});
    // From the prediction on: x = 0, f = 0.
    const auto count = at(stage.rows.count());
    for (auto* list : {&next_velocity_, &next_impulse_, &impedance_, &target_}) list->resize(count);
    velocity_.assign(stage.velocity.begin(), stage.velocity.end());
    impulse_.assign(count, 0);
    acts_.assign(count, 0);
    std::fill(change_.begin(), change_.end(), 0.0);
    // First all rows somewhat soft, which finds who acts; then as hard as they are, if that settles.
    soften();
    report = settle(stage, 0, options_->sweeps);
    if (report.bad_dof >= 0) return report;
    const bool settled = report.sweeps < options_->sweeps;
    soft_change_ = change_;
    soft_impulse_ = impulse_;
    soft_discs_ = discs_;
    soft_acts_ = acts_;
    harden();
    const LawReport hard = settle(stage, kGuesses, kGuesses + kHardSweeps);
    report.sweeps += hard.sweeps;
    factored_ = hard.bad_dof < 0 && hard.sweeps < kHardSweeps;
    if (!factored_)
    {
        std::swap(change_, soft_change_);
        std::swap(impulse_, soft_impulse_);
        // Who holds and who slides in that answer: others would be put on the rims of their discs.
        std::swap(discs_, soft_discs_);
        std::swap(acts_, soft_acts_);
    }
    // Admissible impulses, and the velocity that they and nothing else give. Those of corrections that were broken off
    // are right in their sum, M x = Jᵀf, not one by one.
    std::copy(impulse_.begin(), impulse_.end(), impulse.begin());
    if (settled) project(stage.rows, impulse);
    limit_energy(stage, impulse, change);
    settled_ = settled && factored_ && std::all_of(work_.begin(), work_.end(), [](double s) { return s > 1 - 1e-9; });
    find_torn(stage, impulse, change, report);
    for (std::size_t d = 0; d < change.size(); ++d)
        report.residual = std::max(report.residual, std::abs(change[d] - change_[d]));
    // Soft where they should be hard: that far apart are the two.
    for (std::size_t d = 0; d < change.size() && !factored_; ++d)
        report.residual = std::max(report.residual, std::abs(soft_change_[d] - change_[d]));
    return report;
}

/// Corrections number `first` to `end` - 1, or until nothing changes.
LawReport ImplicitLaw::settle(const StageView& stage, int first, int end)
{
    LawReport report;
    // A row or disc that acts differently, or a way not gone whole, asks for another correction.
    bool whole = true;
    for (int sweep = first; sweep < end; ++sweep)
    {
        // What has settled softly acts the same way, only harder.
        const bool same = sweep == first && first > 0;
        if (same)
            keep_states(stage.rows);
        else if (!choose_states(stage.rows, sweep) && whole)
            break;
        ++report.sweeps;
        report.bad_dof = correct(stage, sweep);
        if (report.bad_dof >= 0) break;
        find_linear_impulses(stage.rows);
        search(stage.rows, same || sweep < kGuesses);
        whole = std::all_of(searches_.begin(), searches_.end(), [](const Search& s) { return s.part == 1; });
    }
    return report;
}

/// M + JᵀWJ, W of the rows that act and across the slip of discs.
void ImplicitLaw::assemble(const StageView& stage)
{
    const ConstraintRows& rows = stage.rows;
    // M first, then Z j jᵀ of every row that acts as a spring.
    system_.assemble_mass(stage.mass);
    for (int row = 0; row < rows.count(); ++row)
        if (acts_[row] != 0) system_.add_outer(rows, row, &rows.value[rows.begin[row]], impedance_[row]);
    for (const Disc& disc : discs_)
    {
        if (!disc.slides || disc.count == 1) continue;
        // Across the slip the impulse turns with it: limit / |slip| times what the slip gains across.
        const double p0 = -disc.direction[1], p1 = disc.direction[0];
        const int begin = rows.begin[disc.row], n = rows.begin[disc.row + 1] - begin;
        const double* j0 = &rows.value[begin];
        for (int k = 0; k < n; ++k) row_[k] = p0 * j0[k] + p1 * j0[n + k];
        system_.add_outer(rows, disc.row, row_.data(), disc.across);
    }
}

/// One correction: the next x with (M + JᵀWJ) x = Jᵀ (g - W (u_s + c)), g of discs that slide, and u = u_s + J x.
int ImplicitLaw::correct(const StageView& stage, int sweep)
{
    assemble(stage);
    const int bad = system_.factor();
    if (bad >= 0) return bad;
    solve_correction(stage);
    // Most settle before radii need more than to follow the last correction's normals. Every second one: those between
    // show whether they settle by themselves.
    if (sweep > kGuesses && (sweep - kGuesses) % 2 == 1) follow_normals(stage);
    return -1;
}

/// The same with the factor as it is, for the present radii of the discs.
void ImplicitLaw::solve_correction(const StageView& stage)
{
    const ConstraintRows& rows = stage.rows;
    std::fill(next_change_.begin(), next_change_.end(), 0.0);
    for (int row = 0; row < rows.count(); ++row)
    {
        // The right-hand side, - Jᵀ Z (u_s + c).
        if (acts_[row] != 0) add_row(rows, row, -impedance_[row] * (stage.velocity[row] + target_[row]), next_change_);
    }
    for (const Disc& disc : discs_)
    {
        if (!disc.slides) continue;
        for (int k = 0; k < disc.count; ++k)
            add_row(rows, disc.row + k, disc.radius * disc.direction[at(k)], next_change_);
        if (disc.count == 1) continue;
        const double p0 = -disc.direction[1], p1 = disc.direction[0];
        // Discs that slide: a standing impulse along the slip, and a spring across it.
        const double slip = p0 * (stage.velocity[disc.row] + target_[disc.row]) +
                            p1 * (stage.velocity[disc.row + 1] + target_[disc.row + 1]);
        add_row(rows, disc.row, -p0 * disc.across * slip, next_change_);
        add_row(rows, disc.row + 1, -p1 * disc.across * slip, next_change_);
    }
    // v+ = v_s + x, u = u_s + J x (Eq. 9).
    system_.solve(next_change_);
    for (int row = 0; row < rows.count(); ++row)
        next_velocity_[row] = stage.velocity[row] + multiply_row(rows, row, next_change_);
}

/// The impulses that the correction gave its rows: M x = Jᵀ f of the next x.
void ImplicitLaw::find_linear_impulses(const ConstraintRows& rows)
{
    for (int row = 0; row < rows.count(); ++row)
        next_impulse_[row] = acts_[row] != 0 ? -impedance_[row] * (next_velocity_[row] + target_[row]) : 0;
    for (const Disc& disc : discs_)
    {
        if (!disc.slides) continue;
        const int row = disc.row;
        // On the rim, turned by what the slip gains across itself.
        next_impulse_[row] = disc.radius * disc.direction[0];
        if (disc.count == 1) continue;
        next_impulse_[row + 1] = disc.radius * disc.direction[1];
        const double p0 = -disc.direction[1], p1 = disc.direction[0];
        const double turn = disc.across * (p0 * (next_velocity_[row] + target_[row]) +
                                           p1 * (next_velocity_[row + 1] + target_[row + 1]));
        next_impulse_[row] -= turn * p0;
        next_impulse_[row + 1] -= turn * p1;
    }
}

/// Slopes of the islands' energies at their parts of the way: dxᵀ(M x - Jᵀf(u)), row by row because M x = Jᵀf.
void ImplicitLaw::add_slopes(const ConstraintRows& rows)
{
    for (Search& island : searches_) island.slope = 0;
    const auto add = [&](int row, double part, double answered)
    {
        // Carried by the correction less answered by the row, along the way.
        const double way = next_velocity_[row] - velocity_[row];
        const double carried = impulse_[row] + part * (next_impulse_[row] - impulse_[row]);
        searches_[at(system_.island_of_row(rows, row))].slope += way * (carried - answered);
    };
    const auto part_of = [&](int row) { return searches_[at(system_.island_of_row(rows, row))].part; };
    const auto at_part = [&](int row, double part)
    { return velocity_[row] + part * (next_velocity_[row] - velocity_[row]); };
    for (int row = 0; row < rows.ends.equality; ++row)
    {
        const double part = part_of(row);
        add(row, part, -spring_impedance_[row] * (at_part(row, part) + spring_target_[row]));
    }
    const auto add_push = [&](int row)
    {
        const double part = part_of(row);
        add(row, part, answer(row, at_part(row, part)));
    };
    for (int row = rows.ends.tendon_friction; row < rows.ends.tendon_limit; ++row) add_push(row);
    for (const RowCone& cone : rows.cones) add_push(cone.row);
    // Discs answer as pairs of rows.
    for (const Disc& disc : discs_)
    {
        const double part = part_of(disc.row);
        std::array<double, 2> u{};
        for (int k = 0; k < disc.count; ++k) u[at(k)] = at_part(disc.row + k, part);
        const std::array<double, 2> f = answer(disc, u.data());
        for (int k = 0; k < disc.count; ++k) add(disc.row + k, part, f[at(k)]);
    }
}

/// Goes along the correction, each island to where its energy is least. `whole`: all the way, as the first guesses do.
void ImplicitLaw::search(const ConstraintRows& rows, bool whole)
{
    constexpr int kEvaluations = 12;
    constexpr double kFlat = 0.1;  ///< of the slope at the start: near enough to the least
    system_.start_list(searches_, {});
    if (!whole)
    {
        for (Search& island : searches_) island.part = 0;
        add_slopes(rows);
        // Bisection of the slope, all islands at a time; the slope at the begin is the measure.
        for (Search& island : searches_) island.first = island.slope, island.part = 1;
        for (int i = 0; i < kEvaluations; ++i)
        {
            add_slopes(rows);
            bool all = true;
            for (Search& island : searches_)
            {
                if (island.done) continue;
                // The slope grows along the way: the whole of it where it still falls at the end.
                island.done =
                    std::abs(island.slope) <= kFlat * std::abs(island.first) || (island.part == 1 && island.slope <= 0);
                if (island.done) continue;
                (island.slope > 0 ? island.high : island.low) = island.part;
                island.part = 0.5 * (island.low + island.high);
                all = false;
            }
            if (all) break;
        }
    }
    for (int row = 0; row < rows.count(); ++row)
    {
        const double part = searches_[at(system_.island_of_row(rows, row))].part;
        velocity_[row] += part * (next_velocity_[row] - velocity_[row]);
        impulse_[row] += part * (next_impulse_[row] - impulse_[row]);
    }
    for (std::size_t d = 0; d < change_.size(); ++d)
    {
        const int island = system_.island_of_dof(static_cast<int>(d));
        if (island >= 0) change_[d] += searches_[at(island)].part * (next_change_[d] - change_[d]);
    }
}

}  // namespace rattleback::comfree
