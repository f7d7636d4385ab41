// The solver `convex`: one step in the order of the method.
#include "solvers/convex/convex.h"

#include "solvers/convex/memory.h"
#include "solvers/convex/parameters.h"
#include "solvers/convex/parted.h"
#include "solvers/convex/rolling.h"
#include "solvers/shared/adhesion.h"
#include "solvers/shared/contact_forces.h"
#include "solvers/shared/guarded_solver.h"
#include "solvers/shared/stage_contacts.h"
#include "solvers/shared/stage_seconds.h"
#include "solvers/shared/state_mark.h"
#include "solvers/shared/swept_contacts.h"
#include "solvers/shared/tree_of_dof.h"
#include "solvers/shared/world_io.h"

#include "base/index.h"
#include "dynamics/bias.h"
#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"

#include <rattleback/query.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace rattleback::convex
{

namespace
{

/// MuJoCo's soft constraints by our own methods ([MuJoCo], chapter "Computation"), and friction that holds (README).
class ConvexSolver final : public Solver
{
public:
    ConvexSolver(const Model& model, const Options& options)
        : tree_(model),
          options_(options),
          tree_of_dof_(find_tree_of_dof(model)),
          workspace_(tree_),
          stepper_(
              tree_,
              {.integrator = options.integrator, .constrained = true, .implicit_damping = options.implicit_damping}),
          stage_contacts_(model),
          surfaces_(model),
          swept_(model),
          rolling_(tree_),
          parted_(model)
    {
        // All scratch is allocated here: a step allocates only where there are more rows or contacts than ever before.
        const auto dofs = static_cast<std::size_t>(model.v_count());
        for (auto* list : {&acceleration_, &constraint_force_, &rows_v_, &change_}) list->resize(dofs);
        if (options.sleep) sleep_.emplace(model, tree_of_dof_, options.sleep_tolerance);
    }

    std::unique_ptr<Memory> make_memory() const override
    {
        // Between steps: the last acceleration, anchors of contacts, who sleeps, and what every solver keeps.
        return std::make_unique<ConvexMemory>(workspace_.v.size(), workspace_.q.size(),
                                              tree_.model->equalities.type.size());
    }

    StepReport step(const StepInput& input, WorldView world, Memory& given) override
    {
        auto& memory = static_cast<ConvexMemory&>(given);
        Workspace<double>& w = workspace_;
        const double dt = input.dt;
        StageTimer timer(input.timings);
        // State and control; who was written to or pushed from outside wakes up.
        SolveReport solve = load(input, world, memory);
        for (int stage = 0; stage < stepper_.stage_count(); ++stage)
        {
            // Kinematics where the integrator looks: poses, motions of dofs, the mass matrix M(q).
            stepper_.move_to_stage(stage, dt, w, timer);
            compute_position_stage(w, timer);
            // Contacts at these poses; adhesive actuators pull at them.
            find_contacts(stage, input.parameters.friction, memory, timer);
            if (adhesive_) compute_adhesion_moments(*contacts_, w);
            // Smooth acceleration, as if nothing touched: M a_s = tau - c ([MuJoCo] eq:motion without f).
            stepper_.compute_smooth_acceleration(dt, w, timer);
            // Fast bodies: what they would pass through within the step.
            if (stage == 0 && is_fast(dt)) look_ahead(input, memory, timer);
            // Rows J, a_ref = - B J v - K d r, R ([MuJoCo] eq:aref, eq:impedance_R); stick: - K d x in friction rows.
            build_rows(w, *contacts_, options_.rows, rows_, make_row_input(input));
            add_references(dt, memory, timer);
            // min_a 1/2 (a - a_s)ᵀ M (a - a_s) + s(J a - a_ref), f = - s' (Todorov 2014; [MuJoCo] eq:reduced).
            solve.add(solver_.minimise(make_problem(), options_.solve, warm_start(memory), make_solution(), lifted()));
            // Points that wander over round bodies: those that touch at the end of the step are to be at rest then.
            if (rolling_.any()) solve_rolling(dt, solve, timer);
            use_solution(stage, timer);
            if (solve.bad_dof >= 0) break;
            // v and q along a, with Jᵀf in what the integrator has implicit ([MuJoCo] eq_implicit_update).
            stepper_.integrate_stage(stage, dt, constraint_force_, w, timer);
        }
        // Only a sound result is written back: finite, and no speed or place beyond all bounds.
        if (sleep_) sleep_->freeze_sleepers(sleep_state_, w);
        StepReport report = make_report(solve);
        if (const int bad = solve.bad_dof >= 0 ? solve.bad_dof : find_bad_dof(*tree_.model, w, 0); bad >= 0)
            report_bad_dof(*tree_.model, bad, w, 0, report);
        else if (is_approved(input))
            commit(dt, world, memory);
        timer.mark(static_cast<int>(Stage::integrate));
        report_seconds(timer, report);
        return report;
    }

    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& given,
                       const ForwardOutput& output) override
    {
        auto& memory = static_cast<ConvexMemory&>(given);
        StageTimer timer(input.timings);
        Workspace<double>& w = workspace_;
        SolveReport solve = load(input, world, memory);
        // M a_s = tau - c with nothing implicit, because no step is taken; then the phases of step() once.
        // Forces that an implicit step would damp are taken as they are.
        compute_smooth_forces(w, stepper_.motions(0), input.dt, timer);
        find_contacts(0, input.parameters.friction, memory, timer);
        if (adhesive_)
        {
            compute_adhesion_moments(*contacts_, w);
            compute_velocity_stage(w, input.dt, timer);
        }
        // M is factored once: for a_s here, and for the rows' exact diagonals where these are asked for.
        find_smooth_acceleration(input.dt);
        build_rows(w, *contacts_, options_.rows, rows_, make_row_input(input));
        add_references(input.dt, memory, timer);
        solve.add(solver_.minimise(make_problem(), options_.solve, warm_start(memory), make_solution(), lifted()));
        use_solution(0, timer);
        stepper_.finish_discrete_acceleration(input.dt, constraint_force_, w);
        // Into the caller's arrays, as MuJoCo's forward dynamics leaves them in mjData; the memory is as it was.
        std::copy(w.qacc.begin(), w.qacc.end(), output.acceleration.begin());
        output.contacts.items = contacts_->items;
        output.forces.items = contact_forces_;
        if (tells_forces_) output.constraints = constraint_forces_;
        StepReport report = make_report(solve);
        // Nothing is committed here, so only the numbers themselves are judged.
        report_bad_acceleration(*tree_.model, output.acceleration, report);
        return report;
    }

private:
    /// With a bad dof where a surface's velocity is no number: rows would take no notice.
    SolveReport load(const StepInput& input, const ConstWorldView& world, const ConvexMemory& memory)
    {
        // Impedances depend on the step: refsafe bounds time constants by two of them ([MuJoCo], "Solver parameters").
        options_.rows.dt = input.dt;
        options_.rows.contact_dt = input.contact_dt;
        load_lane(tree_, input, world, 0, workspace_, stepper_);
        kinetic_.begin(workspace_);
        start_q_.assign(workspace_.q.begin(), workspace_.q.end());
        swept_contacts_ = {};
        stepper_.hold_drift(false);
        stick_.set_scales(norm(workspace_.gravity[0]), input.dt);
        stick_.set_continued(memory.anchors.empty() || mark_place(world.q) == memory.place);
        surfaces_.load(input.control.surface_velocity);
        stage_contacts_.set_filter(input.contact_filter);
        if (sleep_) sleep_->wake_moved(workspace_, input.control.equality_active, sleep_state_ = memory.sleep);
        SolveReport solve;
        if (!surfaces_.is_finite() && tree_.model->v_count() > 0) solve.bad_dof = 0;
        return solve;
    }

    /// Whether the step's judge, if it has one, lets it stand (solvers/shared/energy_guard.h).
    bool is_approved(const StepInput& input)
    {
        if (!input.judge) return true;
        kinetic_.find(workspace_);
        return is_accepted(tree_, input, workspace_, stepper_, 0, kinetic_, reported_contacts().items);
    }

    /// What rows aim at beyond the impedances' a_ref: swept contacts at their gap, what sticks at its anchor.
    void add_references(double dt, const ConvexMemory& memory, StageTimer& timer)
    {
        aim_swept_rows(dt);
        add_stick_reference(memory, timer);
        add_pull();
    }

    /// Whether a body comes further in the step than it is thick. Not with Runge-Kutta, whose stages look ahead
    /// at four places.
    bool is_fast(double dt) const
    {
        if (!options_.continuous || !options_.rows.contacts || stepper_.stage_count() > 1) return false;
        return swept_.find_fast_lanes(workspace_, dt);
    }

    /// The stage once more, with what fast bodies meet.
    void look_ahead(const StepInput& input, ConvexMemory& memory, StageTimer& timer)
    {
        Workspace<double>& w = workspace_;
        swept_contacts_ =
            swept_.look_ahead<double>(input.dt, start_q_, stepper_, stage_contacts_, memory.collider, w, timer);
        find_contacts(0, input.parameters.friction, memory, timer);
        if (adhesive_) compute_adhesion_moments(*contacts_, w);
        stepper_.compute_smooth_acceleration(input.dt, w, timer);
    }

    /// Swept contacts among the others, in their order.
    void add_swept_contacts()
    {
        if (swept_contacts_.empty()) return;
        swept_.merge(*contacts_, all_contacts_);
        contacts_ = &all_contacts_;
    }

    /// Their rows let bodies come as near as they are apart, J v' = - d / h, and no further.
    void aim_swept_rows(double dt)
    {
        if (swept_contacts_.empty()) return;
        for (const RowCone& cone : rows_.cones)
        {
            const Contact& contact = contacts_->items[at(cone.contact)];
            if (contact.feature == kSweptFeature) rows_.reference[cone.row] -= contact.distance / (dt * dt);
        }
    }

    /// Contacts that have rows; those of sleepers with what stands still have none.
    void find_contacts(int stage, std::span<const double> friction, ConvexMemory& memory, StageTimer& timer)
    {
        const Workspace<double>& w = workspace_;
        contacts_ = &no_contacts_;
        // Surfaces that run are moved with their bodies to this stage.
        surfaces_.place([&](int body) { return Pose{w.position[body], w.rotation[body]}; });
        if (options_.rows.contacts) contacts_ = &stage_contacts_.find(w, friction, memory.collider);
        // What stuck does not part by a hair's breadth.
        if (options_.rows.contacts && options_.stick)
            contacts_ = &parted_.keep(*contacts_, memory.anchors, friction, stage_contacts_);
        add_swept_contacts();
        if (options_.rows.contacts && sleep_)
        {
            // Who is touched by something awake wakes; contacts of sleepers with what stands still need no rows.
            sleep_->wake_touched(w, *contacts_, surfaces_, sleep_state_, awake_contacts_);
            contacts_ = &awake_contacts_;
        }
        // What rolls does not part from its ground by a hair's breadth.
        if (may_roll()) contacts_ = &rolling_.keep_touching(w, *contacts_, memory.contacts, memory.anchors);
        // The report and the world show the contacts at the begin of the step, not those of later stages.
        if (stage == 0 && stepper_.stage_count() > 1)
            first_contacts_.items.assign(contacts_->items.begin(), contacts_->items.end());
        timer.mark(static_cast<int>(Stage::collide));
    }

    /// True stick (README): - K d x in the friction rows; they were built with v, which the anchors need afterwards.
    void add_stick_reference(const ConvexMemory& memory, StageTimer& timer)
    {
        const Workspace<double>& w = workspace_;
        rows_v_.assign(w.v.begin(), w.v.end());
        // Without a last acceleration a_s is the guess from which lift is judged.
        const std::span<const double> last = memory.acceleration.empty() ? w.qacc : std::span(memory.acceleration);
        // Only rows of friction change; the normal's a_ref stays but for the lift.
        if (options_.stick)
        {
            parted_.aim(*contacts_, rows_);
            stick_.add_stick_reference(w, *contacts_, memory.anchors, last, rows_);
        }
        rolling_.clear();
        if (may_roll()) rolling_.choose(*contacts_, memory.anchors, rows_);
        timer.mark(static_cast<int>(Stage::rows));
    }

    /// Contacts of round bodies are followed to the end of the step where velocities are those of its two ends.
    bool may_roll() const
    {
        return options_.integrator == Integrator::midpoint && options_.stick && rolling_.serves_model() &&
               swept_contacts_.empty();
    }

    /// The rows once more with what the first solve has shown: where the contact points will be, and the velocity half
    /// way to the end, constraints included, at which gyroscopic forces are taken.
    void solve_rolling(double dt, SolveReport& solve, StageTimer& timer)
    {
        constexpr int kPasses = 3;
        constexpr double kEnough = 1e-6;  // of what gravity adds in a step
        Workspace<double>& w = workspace_;
        const double enough = kEnough * dt * norm(w.gravity[0]);
        for (int pass = 0; pass < kPasses && solve.bad_dof < 0; ++pass)
        {
            for (std::size_t d = 0; d < change_.size(); ++d) change_[d] = rows_v_[d] + dt * acceleration_[d];
            if (rolling_.turns_far(*contacts_, rows_, change_, dt)) return;
            const double aimed = rolling_.aim(w, *contacts_, change_, dt, rows_);
            for (std::size_t d = 0; d < change_.size(); ++d) change_[d] = dt * (acceleration_[d] - w.qacc[d]);
            const double turned = stepper_.repeat_midpoint(dt, change_, w, timer);
            if (!(aimed > enough || turned > enough)) return;
            change_.assign(acceleration_.begin(), acceleration_.end());
            solve.add(solver_.minimise(make_problem(), options_.solve, change_, make_solution(), lifted()));
        }
    }

    /// a_s where no step is taken: of the integrator `discrete` that of its metric, as MuJoCo's.
    void find_smooth_acceleration(double dt)
    {
        Workspace<double>& w = workspace_;
        if (stepper_.is_discrete()) return stepper_.compute_discrete_acceleration(dt, w);
        factor_mass_matrix(w);
        std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
        solve_in_place<double>(w, w.qacc);
    }

    RowInput make_row_input(const StepInput& input) const
    {
        RowInput rows{.equality_active = input.control.equality_active, .surfaces = &surfaces_};
        if (!stepper_.is_discrete()) return rows;
        rows.metric_diagonal = stepper_.metric_diagonal();
        rows.couplings = stepper_.couplings();
        return rows;
    }

    /// Surfaces that stick pull as smooth forces do (solvers/shared/adhesion.h).
    void add_pull()
    {
        Workspace<double>& w = workspace_;
        if (!rows_.adhesive) return;
        pull_.resize(w.v.size());
        find_pull(rows_, pull_);
        smooth_force_.assign(w.total.begin(), w.total.end());
        for (std::size_t d = 0; d < pull_.size(); ++d) w.total[d] += pull_[d];
        std::copy(pull_.begin(), pull_.end(), change_.begin());
        solve_in_place<double>(w, change_);
        for (std::size_t d = 0; d < pull_.size(); ++d) w.qacc[d] += change_[d];
    }

    /// From f in the cones as they stand to f - d: the pull is a part of what contacts do.
    void take_off_pull()
    {
        if (!rows_.adhesive) return;
        cone_force_ = row_force_;
        rattleback::take_off_pull(rows_, row_force_);
        for (std::size_t d = 0; d < pull_.size(); ++d) constraint_force_[d] += pull_[d];
        std::copy(smooth_force_.begin(), smooth_force_.end(), workspace_.total.begin());
    }

    /// M, a_s, M a_s (in w.mass_matrix, w.qacc, w.total) and the rows, as the method sees them.
    WorldProblem make_problem() const
    {
        const Workspace<double>& w = workspace_;
        const Dofs& dofs = tree_.model->dofs;
        // Dofs of one body (`group`) occur in rows together, and are eliminated together.
        return {.mass_begin = dofs.row_begin,
                .mass_column = dofs.row_column,
                .mass = stepper_.is_discrete() ? stepper_.metric() : std::span<const double>(w.mass_matrix),
                .smooth = w.qacc,
                .force = w.total,
                .tree = tree_of_dof_,
                .group = dofs.body,
                .rows = &rows_,
                .asleep = sleep_state_.island};
    }
    Solution make_solution()
    {
        // a, Jᵀf and f, which has as many numbers as there are rows in this step.
        row_force_.resize(static_cast<std::size_t>(rows_.count()));
        return {acceleration_, constraint_force_, row_force_};
    }
    std::span<const double> warm_start(const ConvexMemory& memory) const
    {
        return options_.warm_start ? std::span<const double>(memory.acceleration) : std::span<const double>();
    }
    /// References may need correcting where contacts slide, or begin to.
    Stick* lifted() { return options_.stick && !rows_.cones.empty() ? &stick_ : nullptr; }

    /// a takes the place of a_s in w.qacc; the report shows the forces of the first stage.
    void use_solution(int stage, StageTimer& timer)
    {
        // From here on w.qacc is the acceleration with constraints, as integrate_stage wants it.
        std::copy(acceleration_.begin(), acceleration_.end(), workspace_.qacc.begin());
        timer.mark(static_cast<int>(Stage::solve));
        take_off_pull();
        if (stage != 0) return;
        // Forces of the first stage belong to the contacts that are reported.
        find_contact_forces(*contacts_, rows_, row_force_, contact_forces_);
        if (tells_forces_) find_constraint_forces(workspace_, rows_, row_force_, constraint_forces_);
    }

    /// Contacts of the first stage: those at the begin of the step, or half a step later.
    const Contacts& reported_contacts() const { return stepper_.stage_count() > 1 ? first_contacts_ : *contacts_; }

    StepReport make_report(const SolveReport& solve) const
    {
        StepReport report{.iterations = solve.iterations, .residual = solve.residual};
        // Such a step counts all the same: the residual says how far off it is.
        if (!solve.converged) report.status = StepStatus::not_converged;
        report.contact_count = reported_contacts().count();
        for (const Contact& contact : reported_contacts().items)
        {
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
        }
        return report;
    }

    /// After a step that went well: state, contacts, and what the next step begins with.
    void commit(double dt, const WorldView& world, ConvexMemory& memory)
    {
        Workspace<double>& w = workspace_;
        // Stick: contacts that hold remember how far they were pushed, by the velocity at the end of the step (README,
        // "True stick"). Rows know J v: J v' needs only the change of v.
        for (std::size_t d = 0; d < change_.size(); ++d) change_[d] = w.v[d] - rows_v_[d];
        const std::vector<double>& in_cone = rows_.adhesive ? cone_force_ : row_force_;
        if (options_.stick) stick_.update_anchors(w, surfaces_, *contacts_, in_cone, change_, dt, memory.anchors);
        rolling_.mark(*contacts_, rows_, memory.anchors);
        // The warm start of the next step.
        memory.acceleration = acceleration_;
        // Sleep: what has been slow for long enough stays where it is from here on.
        if (sleep_)
        {
            sleep_->fall_asleep(solver_.islands(), w, sleep_state_);
            // Only now: a step that is not committed leaves everybody as he was.
            std::swap(memory.sleep, sleep_state_);
        }
        // State, contacts and their forces.
        commit_lane(tree_, w, stepper_, 0, world);
        if (!memory.anchors.empty()) memory.place = mark_place(world.q);
        const std::vector<Contact>& contacts = reported_contacts().items;
        memory.contacts.items.assign(contacts.begin(), contacts.end());
        memory.contact_forces.items = contact_forces_;
        if (tells_forces_) memory.constraint_forces = constraint_forces_;
    }

    Tree tree_;
    Options options_;
    std::vector<int> tree_of_dof_;
    Workspace<double> workspace_;
    Stepper<double> stepper_;
    KineticProbe<double> kinetic_;
    StageContacts stage_contacts_;
    RunningSurfaces surfaces_;
    SweptContacts swept_;
    std::optional<TreeSleep> sleep_;
    TreeSleepState sleep_state_;
    bool adhesive_ = has_adhesion(*tree_.model);  ///< some actuator acts on a body
    Stick stick_;
    Rolling rolling_;
    PartedPairs parted_;
    WorldSolver solver_;

    const Contacts* contacts_ = nullptr;  ///< of the present stage: the collider's, or the awake ones among them
    Contacts first_contacts_, no_contacts_, awake_contacts_, all_contacts_;
    std::span<const Contact> swept_contacts_;  ///< of this step
    std::vector<double> start_q_;              ///< at the begin of the step
    ConstraintRows rows_;
    std::vector<double> acceleration_, constraint_force_, row_force_;  ///< a, Jᵀf, f
    std::vector<double> cone_force_;           ///< f before the pull of surfaces that stick is taken off
    std::vector<double> pull_, smooth_force_;  ///< - Jᵀd, and w.total without it
    std::vector<double> rows_v_, change_;  ///< v that the rows were built with, and its change to the end of the step
    std::vector<Wrench> contact_forces_;
    bool tells_forces_ = asks_constraint_forces(*tree_.model);
    ConstraintForces constraint_forces_;
};

}  // namespace

const SolverInfo kInfo = {
    .name = "convex",
    .summary = "accurate articulated bodies: MuJoCo's soft convex contact, with friction that holds",
    .coordinates = Coordinates::joints,
    .supports = make_feature_list(),
    .solves_forward = true,
    .world_parameters = {WorldParameter::gravity, WorldParameter::friction, WorldParameter::mass, WorldParameter::gain},
    .parameters = make_parameter_table(),
    .ignored = &check_switches,
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    {
        const Options options = read_options(model, parameters);
        if (!options.guard) return std::make_unique<ConvexSolver>(model, options);
        Options fine = options;
        // Springs, dampers, servos and gyroscopic forces are implicit there.
        fine.integrator = Integrator::discrete;
        return make_guarded_solver(model, false, std::make_unique<ConvexSolver>(model, options),
                                   [&model, fine] { return std::make_unique<ConvexSolver>(model, fine); });
    },
};

}  // namespace rattleback::convex
