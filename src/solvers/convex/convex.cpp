// The solver `convex`: one step in the order of the method.
#include "solvers/convex/convex.h"

#include "solvers/convex/contact_forces.h"
#include "solvers/convex/memory.h"
#include "solvers/convex/parameters.h"
#include "solvers/shared/world_io.h"

#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"

#include <rattleback/query.h>

#include <algorithm>
#include <optional>

namespace rattleback::convex
{

namespace
{

/// [dof] Kinematic tree, numbered from zero.
std::vector<int> find_tree_of_dof(const Model& model)
{
    std::vector<int> tree_of_root(static_cast<std::size_t>(model.body_count()), -1), tree_of_dof;
    int trees = 0;
    for (int d = 0; d < model.v_count(); ++d)
    {
        // A tree is named by the body at its root.
        int& tree = tree_of_root[model.bodies.root[model.dofs.body[d]]];
        if (tree < 0) tree = trees++;
        tree_of_dof.push_back(tree);
    }
    return tree_of_dof;
}

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
          collider_(model),
          stick_(norm(model.settings.gravity))
    {
        const auto dofs = static_cast<std::size_t>(model.v_count());
        for (auto* list : {&acceleration_, &constraint_force_, &rows_v_, &change_}) list->resize(dofs);
        poses_.resize(static_cast<std::size_t>(model.body_count()));
        if (options.sleep) sleep_.emplace(model, tree_of_dof_, options.sleep_tolerance);
    }

    std::unique_ptr<Memory> make_memory() const override
    {
        return std::make_unique<ConvexMemory>(workspace_.v.size(), workspace_.q.size());
    }

    StepReport step(const StepInput& input, WorldView world, Memory& given) override
    {
        auto& memory = static_cast<ConvexMemory&>(given);
        Workspace<double>& w = workspace_;
        const double dt = input.dt;
        StageTimer timer(input.timings);
        SolveReport solve;
        // State and control; who was written to or pushed from outside wakes up.
        load_lane(tree_, input, world, 0, w, stepper_);
        if (sleep_) sleep_->wake_moved(w, sleep_state_ = memory.sleep);
        for (int stage = 0; stage < stepper_.stage_count(); ++stage)
        {
            // Kinematics where the integrator looks: poses, motions of dofs, the mass matrix M(q).
            stepper_.move_to_stage(stage, dt, w, timer);
            compute_position_stage(w, timer);
            // Smooth acceleration, as if nothing touched: M a_s = tau - c ([MuJoCo] eq:motion without f).
            stepper_.compute_smooth_acceleration(dt, w, timer);
            // Contacts at these poses.
            find_contacts(stage, memory.collider, timer);
            // Rows J, a_ref = - B J v - K d r, R ([MuJoCo] eq:aref, eq:impedance_R); stick: - K d x in friction rows.
            compute_rows(dt, memory, timer);
            // min_a 1/2 (a - a_s)ᵀ M (a - a_s) + s(J a - a_ref), f = - s' (Todorov 2014; [MuJoCo] eq:reduced).
            solve.add(minimise(memory.acceleration, timer));
            if (stage == 0) find_contact_forces(*contacts_, rows_, row_force_, contact_forces_);
            if (solve.bad_dof >= 0) break;
            // v and q along a, with Jᵀf in what the integrator has implicit ([MuJoCo] eq_implicit_update).
            stepper_.integrate_stage(stage, dt, constraint_force_, w, timer);
        }
        // Only a sound result is written back: finite, and no speed or place beyond all bounds.
        if (sleep_) sleep_->freeze_sleepers(sleep_state_, w);
        StepReport report = make_report(solve);
        if (const int bad = solve.bad_dof >= 0 ? solve.bad_dof : find_bad_dof(*tree_.model, w, 0); bad >= 0)
            report_bad_dof(*tree_.model, bad, w, 0, report);
        else
        {
            // Stick: contacts that hold remember how far they were pushed (README, "True stick").
            update_stick(dt, memory.anchors);
            commit(world, memory);
        }
        timer.mark(static_cast<int>(Stage::integrate));
        for (int k = 0; k < kStageCount; ++k) report.seconds[k] = timer.seconds(k);
        return report;
    }

    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& given,
                       const ForwardOutput& output) override
    {
        auto& memory = static_cast<ConvexMemory&>(given);
        StageTimer timer(input.timings);
        Workspace<double>& w = workspace_;
        load_lane(tree_, input, world, 0, w, stepper_);
        if (sleep_) sleep_->wake_moved(w, sleep_state_ = memory.sleep);
        // M a_s = tau - c with nothing implicit, because no step is taken; then the phases of step() once.
        compute_smooth_forces(w, stepper_.motions(0), input.dt, timer);
        factor_mass_matrix(w);
        std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
        solve_in_place<double>(w, w.qacc);
        find_contacts(0, memory.collider, timer);
        compute_rows(input.dt, memory, timer);
        const SolveReport solve = minimise(memory.acceleration, timer);
        find_contact_forces(*contacts_, rows_, row_force_, contact_forces_);
        std::copy(w.qacc.begin(), w.qacc.end(), output.acceleration.begin());
        output.contacts.items = contacts_->items;
        output.forces.items = contact_forces_;
        StepReport report = make_report(solve);
        report_bad_acceleration(*tree_.model, output.acceleration, report);
        return report;
    }

private:
    /// Contacts that have rows; those of sleepers with what stands still have none.
    void find_contacts(int stage, ColliderMemory& memory, StageTimer& timer)
    {
        const Workspace<double>& w = workspace_;
        contacts_ = &no_contacts_;
        if (options_.rows.contacts)
        {
            // The collider sees the poses of this stage, not those of the world.
            for (std::size_t b = 0; b < poses_.size(); ++b) poses_[b] = {w.position[b], w.rotation[b]};
            WorldView view;
            view.body_pose = poses_;
            contacts_ = &collider_.find_contacts(view, 0, memory);
        }
        if (options_.rows.contacts && sleep_)
        {
            // Who is touched by something awake wakes; contacts of sleepers with what stands still need no rows.
            sleep_->wake_touched(w, *contacts_, sleep_state_, awake_contacts_);
            contacts_ = &awake_contacts_;
        }
        // The report and the world show the contacts at the begin of the step.
        if (stage == 0 && stepper_.stage_count() > 1)
            first_contacts_.items.assign(contacts_->items.begin(), contacts_->items.end());
        timer.mark(static_cast<int>(Stage::collide));
    }

    void compute_rows(double dt, const ConvexMemory& memory, StageTimer& timer)
    {
        const Workspace<double>& w = workspace_;
        RowOptions row_options = options_.rows;
        row_options.dt = dt;
        build_rows(w, *contacts_, row_options, rows_);
        rows_v_.assign(w.v.begin(), w.v.end());
        // Without a last acceleration a_s is the guess from which lift is judged.
        const std::span<const double> last = memory.acceleration.empty() ? w.qacc : std::span(memory.acceleration);
        if (options_.stick) stick_.add_stick_reference(*contacts_, memory.anchors, last, rows_);
        timer.mark(static_cast<int>(Stage::rows));
    }

    /// From w.qacc = a_s and w.total = M a_s to w.qacc = a, with forces of rows and joints.
    SolveReport minimise(std::span<const double> last, StageTimer& timer)
    {
        Workspace<double>& w = workspace_;
        const Dofs& dofs = tree_.model->dofs;
        row_force_.resize(static_cast<std::size_t>(rows_.count()));
        const WorldProblem problem{.mass_begin = dofs.row_begin,
                                   .mass_column = dofs.row_column,
                                   .mass = w.mass_matrix,
                                   .smooth = w.qacc,
                                   .force = w.total,
                                   .tree = tree_of_dof_,
                                   .group = dofs.body,
                                   .rows = &rows_,
                                   .asleep = sleep_state_.island};
        // References need correcting only where something was taken from a normal.
        Stick* const stick = options_.stick && stick_.has_lift() ? &stick_ : nullptr;
        const SolveReport report =
            solver_.minimise(problem, options_.solve, options_.warm_start ? last : std::span<const double>(),
                             {acceleration_, constraint_force_, row_force_}, stick);
        std::copy(acceleration_.begin(), acceleration_.end(), w.qacc.begin());
        timer.mark(static_cast<int>(Stage::solve));
        return report;
    }

    /// Contacts of the first stage: those at the begin of the step, or half a step later.
    const Contacts& reported_contacts() const { return stepper_.stage_count() > 1 ? first_contacts_ : *contacts_; }

    StepReport make_report(const SolveReport& solve) const
    {
        StepReport report{.iterations = solve.iterations, .residual = solve.residual};
        if (!solve.converged) report.status = StepStatus::not_converged;
        report.contact_count = reported_contacts().count();
        for (const Contact& contact : reported_contacts().items)
        {
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
        }
        return report;
    }

    /// Displacements of contacts follow the velocity at the end of the step.
    void update_stick(double dt, std::vector<Anchor>& anchors)
    {
        const Workspace<double>& w = workspace_;
        for (std::size_t d = 0; d < change_.size(); ++d) change_[d] = w.v[d] - rows_v_[d];
        if (options_.stick) stick_.update_anchors(w, *contacts_, row_force_, change_, dt, anchors);
    }

    /// After a step that went well: state, contacts, and what the next step begins with.
    void commit(const WorldView& world, ConvexMemory& memory)
    {
        Workspace<double>& w = workspace_;
        memory.acceleration = acceleration_;
        // Sleep: what has been slow for long enough stays where it is from here on.
        if (sleep_)
        {
            sleep_->fall_asleep(solver_.islands(), w, sleep_state_);
            std::swap(memory.sleep, sleep_state_);
        }
        // State, contacts and their forces.
        commit_lane(tree_, w, stepper_, 0, world);
        const std::vector<Contact>& contacts = reported_contacts().items;
        memory.contacts.items.assign(contacts.begin(), contacts.end());
        memory.contact_forces.items = contact_forces_;
    }

    Tree tree_;
    Options options_;
    std::vector<int> tree_of_dof_;
    Workspace<double> workspace_;
    Stepper<double> stepper_;
    Collider collider_;
    std::optional<TreeSleep> sleep_;
    TreeSleepState sleep_state_;
    Stick stick_;
    WorldSolver solver_;

    std::vector<Pose> poses_;
    const Contacts* contacts_ = nullptr;  ///< of the present stage: the collider's, or the awake ones among them
    Contacts first_contacts_, no_contacts_, awake_contacts_;
    ConstraintRows rows_;
    std::vector<double> acceleration_, constraint_force_, row_force_;  ///< a, Jᵀf, f
    std::vector<double> rows_v_, change_;  ///< v that the rows were built with, and its change to the end of the step
    std::vector<Wrench> contact_forces_;
};

}  // namespace

const SolverInfo kInfo = {
    .name = "convex",
    .summary = "accurate articulated bodies: MuJoCo's soft convex contact, with friction that holds",
    .coordinates = Coordinates::joints,
    .supports = {Feature::free_joint, Feature::ball_joint, Feature::hinge_joint, Feature::slide_joint,
                 Feature::several_joints_per_body, Feature::kinematic_body, Feature::gravity_compensation,
                 Feature::contact, Feature::spinning_friction, Feature::rolling_friction, Feature::limits,
                 Feature::springs, Feature::damping, Feature::armature, Feature::dry_friction, Feature::equality,
                 Feature::tendon, Feature::actuator, Feature::medium},
    .solves_forward = true,
    .parameters = make_parameter_table(),
    .ignored = &check_switches,
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    { return std::make_unique<ConvexSolver>(model, read_options(model, parameters)); },
};

}  // namespace rattleback::convex
