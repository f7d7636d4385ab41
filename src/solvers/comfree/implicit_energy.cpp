// What becomes of the impulses of the law `stable` after the last correction, and of overlaps.
#include "solvers/comfree/implicit_law.h"

#include "solvers/comfree/round_discs.h"
#include "solvers/shared/rolling_pair.h"
#include "solvers/shared/swept_contacts.h"

#include "dynamics/mass_matrix.h"

#include <cmath>

namespace rattleback::comfree
{

namespace
{

Vec3 to_anchor(const Workspace<double>& w, int body, const Vec3& point)
{
    return rotate(conjugate(w.rotation[body]), point - w.position[body]);
}

/// Whether a contact stays on the same points of both bodies while it sticks. Of round shapes that roll other points
/// touch from step to step, and surfaces that run take theirs along.
bool keeps_points(const Model& model, const RunningSurfaces& surfaces, const Contact& contact)
{
    const auto keeps = [&](ShapeId shape) { return !is_round(model.shapes.type[at(shape)]) && !surfaces.runs(shape); };
    return keeps(contact.first_shape) && keeps(contact.second_shape);
}

}  // namespace

/// Pushing rows push, discs stay within their radii (Eq. 3).
void ImplicitLaw::project(const ConstraintRows& rows, std::span<double> impulse) const
{
    // (.)+ of limits and normals; then the discs, whose radii are those of the projected normals.
    for (int row = rows.ends.tendon_friction; row < rows.ends.tendon_limit; ++row)
        impulse[row] = std::max(0.0, impulse[row]);
    for (const RowCone& cone : rows.cones) impulse[cone.row] = std::max(0.0, impulse[cone.row]);
    for (const Disc& disc : discs_)
    {
        double* f = &impulse[disc.row];
        const double radius = disc.find_radius(impulse),
                     size = disc.count == 1 ? std::abs(f[0]) : std::sqrt(f[0] * f[0] + f[1] * f[1]);
        // What slides is on the rim: corrections take its radius as settled a little before it is.
        if (disc.slides ? !(size > 0) : size <= radius) continue;
        for (int k = 0; k < disc.count; ++k) f[k] *= radius / size;
    }
}

/// Scales the impulses of an island back to where they do no more work than its overlaps have stored: README, "Energy".
/// change = M^-1 Jᵀ impulse.
void ImplicitLaw::limit_energy(const StageView& stage, std::span<double> impulse, std::span<double> change)
{
    const ConstraintRows& rows = stage.rows;
    // x = M^-1 Jᵀf of the impulses as they are used (Eq. 9).
    std::fill(change.begin(), change.end(), 0.0);
    for (int row = 0; row < rows.count(); ++row) add_row(rows, row, impulse[row], change);
    solve_in_place<double>(stage.w, change);
    // fᵀ (u_s + c) and fᵀ (A + R) f: along the ray s f the first minus s times the second falls to zero where the
    // energy balance closes. Sliding rows have neither c nor R, and overlaps that stop have none to give.
    const auto count = at(system_.island_count());
    system_.start_list(work_, 0.0);
    system_.start_list(square_, 0.0);
    for (int row = 0; row < rows.count(); ++row)
    {
        const int island = system_.island_of_row(rows, row);
        const double f = impulse[row], spring = acts_[row] != 0 && !(stop_[row] > 0) ? 1 : 0;
        work_[island] += f * (stage.velocity[row] + spring * spring_target_[row]);
        square_[island] += f * (multiply_row(rows, row, change) + spring * f / spring_impedance_[row]);
    }
    // s = 1 where the corrections have settled, less where they have not.
    for (std::size_t i = 0; i < count; ++i)
    {
        const bool enough = -work_[i] >= square_[i] * (1 - 1e-12);
        work_[i] = enough ? 1 : std::max(0.0, -work_[i] / square_[i]);
    }
    for (int row = 0; row < rows.count(); ++row) impulse[row] *= work_[system_.island_of_row(rows, row)];
    for (std::size_t d = 0; d < change.size(); ++d)
    {
        const int island = system_.island_of_dof(static_cast<int>(d));
        if (island >= 0) change[d] *= work_[island];
    }
}

/// The equality that is farthest from where it should go and hardly moves: two that contradict each other hold it.
void ImplicitLaw::find_torn(const StageView& stage, std::span<const double> impulse, std::span<const double> change,
                            LawReport& report) const
{
    constexpr double kTornSpeed = 0.05;  ///< [m/s, rad/s] far above what the load of a tie makes it give way
    report.torn = kTornSpeed;
    for (int row = 0; row < stage.rows.ends.equality; ++row)
    {
        const double missing = std::abs(impulse[row]) / spring_impedance_[row];
        if (!(missing > report.torn)) continue;
        // An impact makes a soft tie give way as fast: there the two agree.
        const double u = stage.velocity[row] + multiply_row(stage.rows, row, change);
        if (std::abs(u) > 0.1 * missing) continue;
        report.torn = missing;
        report.torn_row = row;
    }
}

bool ImplicitLaw::find_push(const StageView& stage, std::span<const double> impulse, std::span<const double> change,
                            std::span<double> push)
{
    const ConstraintRows& rows = stage.rows;
    std::fill(push.begin(), push.end(), 0.0);
    if (!(stage.largest_share() > 0)) return false;
    system_.start_list(pushes_, {});
    left_.assign(at(rows.count()), 0);
    // What is left of an overlap's part after the step, beyond what it keeps to carry f: u + c + f / Z < 0.
    bool any = false, others = !factored_;
    const double unpaid = find_unpaid_depth(norm(stage.w.gravity[0]), stage.dt);
    for (int row = 0; row < rows.count(); ++row)
    {
        const double f = impulse[row], u = stage.velocity[row] + multiply_row(rows, row, change);
        // The rows' part of the loss (1) of the README: 1/2 h fᵀJ a - fᵀu+.
        Push<double>& island = pushes_[system_.island_of_row(rows, row)];
        island.taken += f * (0.5 * stage.dt * multiply_row(rows, row, stage.w.qacc) - u);
        if (!(stop_[row] > 0)) continue;
        const int contact = stage.rows.kind[row] == RowKind::limit ? -1 : stage.rows.element[row];
        const double gap = rows.position[row], share = stage.find_gains(contact).push_share(stage.dt);
        const double left =
            u + share * gap / stage.dt + f / std::min(spring_impedance_[row], kRestHardness / weight_[row]);
        if (!(left < 0)) continue;
        any = true;
        others |= acts_[row] == 0 || impedance_[row] != stop_[row];
        // The overlap is pushed by what ends its approach, whatever it did in the step.
        acts_[row] = 1;
        impedance_[row] = stop_[row];
        island.fastest = std::max(island.fastest, -left);
        island.deep |= -gap > unpaid;
        left_[row] = left;
    }
    if (!any || !solve_push(stage, !others, push)) return false;
    scale_push(stage, push);
    return true;
}

/// (M + JᵀWJ) w = - JᵀZ (what is left): contacts that hold keep holding. Mostly this matrix is `factored` already.
/// Overlaps push and do not pull: what would hold a body down while a deeper point lifts it is let go, or the body's
/// middle would rise by more than any of its points must.
bool ImplicitLaw::solve_push(const StageView& stage, bool factored, std::span<double> push)
{
    constexpr int kReleases = 4;
    const ConstraintRows& rows = stage.rows;
    for (int pass = 0;; ++pass, factored = false)
    {
        if (!factored)
        {
            assemble(stage);
            if (system_.factor() >= 0) return false;
        }
        std::fill(push.begin(), push.end(), 0.0);
        for (int row = 0; row < rows.count(); ++row)
            if (left_[row] < 0) add_row(rows, row, -stop_[row] * left_[row], push);
        system_.solve(push);
        if (pass == kReleases) return true;
        // The impulse of a row is - Z (left + J w): beyond its target, more than rounding, it pulls.
        bool pulls = false;
        for (int row = 0; row < rows.count(); ++row)
        {
            if (!(left_[row] < 0) || !pulls_back(left_[row], multiply_row(rows, row, push))) continue;
            pulls = true;
            left_[row] = acts_[row] = 0;
        }
        if (!pulls) return true;
    }
}

void ImplicitLaw::scale_push(const StageView& stage, std::span<double> push)
{
    const double share = stage.largest_share();
    for (std::size_t d = 0; d < push.size(); ++d)
    {
        const int i = system_.island_of_dof(static_cast<int>(d));
        if (i < 0) continue;
        // Smooth forces in the loss, 1/2 h² (tau - c)ᵀa; the work of lifting by one share, - h (tau - c)ᵀw.
        pushes_[i].taken += 0.5 * stage.dt * stage.dt * stage.w.total[d] * stage.w.qacc[d];
        pushes_[i].cost -= stage.dt * stage.w.total[d] * push[d];
    }
    push_scale_.clear();
    for (const Push<double>& island : pushes_)
        push_scale_.push_back(find_push_scale(island, share, options_->push_speed));
    for (std::size_t d = 0; d < push.size(); ++d)
    {
        const int i = system_.island_of_dof(static_cast<int>(d));
        if (i >= 0) push[d] *= push_scale_[i];
    }
}

void ImplicitLaw::update_anchors(const StageView& stage, std::span<const double> impulse,
                                 std::span<const double> change, const RunningSurfaces& surfaces,
                                 std::vector<Anchor>& anchors) const
{
    anchors.clear();
    std::size_t c = 0;
    for (const Disc& disc : discs_)
    {
        const RowKind kind = stage.rows.kind[disc.row];
        const bool is_slide = kind == RowKind::cone && disc.row == disc.normal + 1;
        if (!is_slide || !(impulse[disc.normal] > 0)) continue;
        while (stage.rows.cones[c].row != disc.normal) ++c;
        const Contact& contact = stage.contacts.items[stage.rows.element[disc.row]];
        const double share = stage.find_gains(stage.rows.element[disc.row]).push_share(stage.dt);
        // What is met within the step did not touch at its begin.
        if (!(share > 0) || contact.feature == kSweptFeature) continue;
        // At the begin of the step, and at its end. Sticking: x' = x + dt u, the drift of the poses. Sliding: the x
        // that would hold the present impulse at rest.
        std::array<double, 2> x{}, after{};
        for (int k = 0; k < 2; ++k)
        {
            const int row = disc.row + k;
            const double u = stage.velocity[row] + multiply_row(stage.rows, row, change);
            const double scale = stage.dt / (share * (k == 1 ? disc.ratio : 1));
            x[at(k)] = scale * spring_target_[row];
            after[at(k)] = disc.slides ? -scale * impulse[row] / spring_impedance_[row] : x[at(k)] + scale * share * u;
        }
        const auto along = [&](const std::array<double, 2>& way)
        { return way[0] * contact.frame.column(1) + way[1] * contact.frame.column(2); };
        Anchor anchor = begun_[c];
        const bool goes_on = anchor.follows != 0;
        anchor.first_shape = contact.first_shape.index;
        anchor.second_shape = contact.second_shape.index;
        anchor.feature = contact.feature;
        anchor.slide = along(after);
        anchor.follows = !disc.slides && keeps_points(*stage.w.tree->model, surfaces, contact) ? 1 : 0;
        if (anchor.follows != 0 && !goes_on)
        {
            // It sticks from now on: where it touches, displaced by what it has.
            anchor.first_point = to_anchor(stage.w, contact.first_body.index, contact.point);
            anchor.second_point = to_anchor(stage.w, contact.second_body.index, contact.point + along(x));
        }
        anchors.push_back(anchor);
    }
}

}  // namespace rattleback::comfree
