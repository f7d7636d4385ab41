// The solver `comfree`: one step in the order of the method.
#include "solvers/comfree/direct_solver.h"

#include "solvers/comfree/closed_form.h"
#include "solvers/comfree/dual_step.h"
#include "solvers/comfree/implicit_law.h"
#include "solvers/comfree/lone_spin.h"
#include "solvers/comfree/memory.h"
#include "solvers/comfree/round_discs.h"
#include "solvers/shared/adhesion.h"
#include "solvers/shared/contact_forces.h"
#include "solvers/shared/dual_stepper.h"
#include "solvers/shared/stage_contacts.h"
#include "solvers/shared/stage_seconds.h"
#include "solvers/shared/state_mark.h"
#include "solvers/shared/swept_contacts.h"
#include "solvers/shared/tree_of_dof.h"
#include "solvers/shared/world_io.h"

#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>

namespace rattleback::comfree
{

namespace
{

/// Contact without complementarity: predict, measure what the prediction violates, push back ([ComFree]; README).
class ComfreeSolver final : public Solver
{
public:
    ComfreeSolver(const Model& model, const Options& options)
        : tree_(model),
          options_(options),
          tree_of_dof_(find_tree_of_dof(model)),
          workspace_(tree_),
          stepper_(tree_, stepping()),
          stage_contacts_(model),
          swept_(model),
          surfaces_(model),
          closed_form_(options_),
          implicit_law_(model, options_, tree_of_dof_)
    {
        // All scratch is allocated here: a step allocates only where there are more rows or contacts than ever before.
        const auto dofs = at(model.v_count());
        for (auto* list : {&change_, &constraint_force_, &push_, &pull_}) list->resize(dofs);
    }

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<ComfreeMemory>(); }
    bool takes_contact_gains() const override { return true; }

    StepReport step(const StepInput& input, WorldView world, Memory& given) override
    {
        auto& memory = static_cast<ComfreeMemory&>(given);
        Workspace<double>& w = workspace_;
        const double dt = input.dt;
        StageTimer timer(input.timings);
        // State and control.
        LawReport law = load(input, world, memory);
        kinetic_.begin(w);
        for (int stage = 0; stage < stepper_.stage_count() && law.bad_dof < 0; ++stage)
        {
            // Kinematics where the integrator looks: poses, motions of dofs, the mass matrix M(q).
            stepper_.move_to_stage(stage, dt, w, timer);
            compute_position_stage(w, timer);
            // Contacts at these poses; adhesive actuators pull at them.
            find_contacts(stage, input, memory.collider, timer);
            if (adhesive_) compute_adhesion_moments(*contacts_, w);
            // The prediction v_smooth = v + M^-1 (tau - c) dt (Eq. 2), as an acceleration.
            predict(dt, timer);
            // Fast bodies: what they would pass through within the step.
            if (stage == 0 && is_fast(dt)) look_ahead(input, memory, timer);
            // Rows J_n, J_t, J_tor, J_rol along the axes of contacts (Eq. 4), and their predicted rates J v_smooth.
            predict_rows(input, timer);
            // Impulses: Eqs. 6 to 8 at the prediction, or the same impedances at the velocity after contact.
            find_impulses(dt, law);
            if (law.bad_dof >= 0) break;
            // v+ = v_smooth + M^-1 Jᵀ lambda dt (Eq. 9), as an acceleration.
            use_impulses(stage, dt, timer);
            if (stage == 0) find_push(dt);
            stepper_.integrate_stage(stage, dt, constraint_force_, w, timer);
        }
        // Overlaps are left by the poses alone: no velocity comes of it.
        if (pushes_) advance_positions<double>(*w.tree, push_, dt, w.q);
        // Only a sound result is written back: finite, and no speed or place beyond all bounds.
        StepReport report = make_report(law);
        if (const int bad = law.bad_dof >= 0 ? law.bad_dof : find_bad_dof(*tree_.model, w, 0); bad >= 0)
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
        auto& memory = static_cast<ComfreeMemory&>(given);
        Workspace<double>& w = workspace_;
        StageTimer timer(input.timings);
        LawReport law = load(input, world, memory);
        // M a_s = tau - c with nothing implicit, because no step is taken (of `discrete` the metric is, as in MuJoCo);
        // then the phases of step() once.
        compute_smooth_forces(w, stepper_.motions(0), input.dt, timer);
        find_contacts(0, input, memory.collider, timer);
        if (adhesive_)
        {
            compute_adhesion_moments(*contacts_, w);
            compute_velocity_stage(w, input.dt, timer);
        }
        stepper_.find_forward_acceleration(input.dt, w);
        predict_rows(input, timer);
        find_impulses(input.dt, law);
        use_impulses(0, input.dt, timer);
        std::copy(w.qacc.begin(), w.qacc.end(), output.acceleration.begin());
        output.contacts.items = contacts_->items;
        output.forces.items = contact_forces_;
        if (tells_forces_) output.constraints = constraint_forces_;
        StepReport report = make_report(law);
        // Nothing is committed here, so only the numbers themselves are judged.
        report_bad_acceleration(*tree_.model, output.acceleration, report);
        return report;
    }

    bool find_derivatives(const StepInput& input, const ConstWorldView& world, Memory& given,
                          const DerivativeOptions& options, StepDerivatives& derivatives) override
    {
        const std::string_view obstacle =
            find_matrices(input, world, static_cast<ComfreeMemory&>(given), options, derivatives);
        derivatives.analytic = obstacle.empty();
        if (!derivatives.analytic) derivatives.reason = "comfree has no derivatives of " + std::string(obstacle);
        return derivatives.analytic;
    }

private:
    /// Scratch of derivatives, made when they are first asked for.
    struct Dual
    {
        Dual(const Tree& tree, const Options& options, const StepperOptions& stepping)
            : step(tree, options, stepping), motion(tree, options)
        {
        }
        DualStep step;
        RowMotionFinder motion;
    };

    /// The matrices; or what they do not know.
    std::string_view find_matrices(const StepInput& input, const ConstWorldView& world, ComfreeMemory& memory,
                                   const DerivativeOptions& options, StepDerivatives& derivatives)
    {
        if (adhesive_) return "adhesion";
        if (const std::string_view obstacle = find_dual_obstacle(tree_, options_.integrator); !obstacle.empty())
            return obstacle;
        Workspace<double>& w = workspace_;
        StageTimer timer(false);
        // The step up to its impulses.
        LawReport law = load(input, world, memory);
        derivative_q_.assign(w.q.begin(), w.q.end());
        stepper_.move_to_stage(0, input.dt, w, timer);
        compute_position_stage(w, timer);
        find_contacts(0, input, memory.collider, timer);
        predict(input.dt, timer);
        // Contacts that fast bodies will meet appear and go with the motion: differences of whole steps see them.
        if (is_fast(input.dt)) return "what a fast body meets within the step";
        if (bounded_) return "spin whose energy is bounded";
        predict_rows(input, timer);
        // The pull of surfaces turns with them, which the dual step does not know.
        if (rows_.adhesive) return "adhesion";
        find_impulses(input.dt, law);
        // Corrections that were broken off have no active set.
        const ActiveSet active = implicit_law_.active_set();
        const bool stable = options_.law == Law::stable;
        if (law.bad_dof >= 0) return "a step without an answer";
        if (stable && !active.settled) return "corrections that have not settled";
        BaseStep base{w, stage_view(input.dt), impulse_, change_, derivative_q_, stable ? &active : nullptr, lead(),
                      {}};
        if (!dual_) dual_ = std::make_unique<Dual>(tree_, options_, stepping());
        const RowMotionBase place{input, world, *contacts_, rows_, surfaces_, options.interval};
        const bool turning = std::any_of(rows_.product.begin(), rows_.product.end(), [](double x) { return x != 0; });
        const int dofs = tree_.model->v_count();
        // Velocities move rows through their products alone, and where half the drift comes before them.
        const bool drifts = stepper_.is_midpoint();
        if (options.moving_contacts)
            base.find_motion = [&](int i, RowMotion& motion)
            { return (i < dofs || turning || drifts) && dual_->motion.find(place, i % dofs, i >= dofs, motion); };
        return dual_->step.run(base, derivatives);
    }

    StepperOptions stepping() const
    {
        return {.integrator = options_.integrator,
                .constrained = true,
                .implicit_damping = options_.implicit_damping,
                .split = true,
                .metric = options_.metric};
    }

    /// v_smooth (Eq. 2), as an acceleration. The paper's laws run as published.
    void predict(double dt, StageTimer& timer)
    {
        stepper_.compute_smooth_acceleration(dt, workspace_, timer);
        bounded_ =
            options_.law == Law::stable && turns_implicitly(options_.integrator) && bound_lone_spin(workspace_, dt);
    }

    /// With a bad dof where a surface's velocity is no number: rows would take no notice.
    LawReport load(const StepInput& input, const ConstWorldView& world, const ComfreeMemory& memory)
    {
        memory.begin_anchors(world.q, begun_anchors_);
        // Parts of a refused step are shorter than the step: `rigid` stays as hard as in the whole one.
        options_.rows.dt = input.dt;
        options_.rows.contact_dt = input.contact_dt;
        load_lane(tree_, input, world, 0, workspace_, stepper_);
        if (options_.continuous) start_q_.assign(workspace_.q.begin(), workspace_.q.end());
        swept_contacts_ = {};
        stepper_.hold_drift(false);
        surfaces_.load(input.control.surface_velocity);
        options_.stiffness = input.parameters.find_stiffness(gains_.stiffness);
        options_.damping = input.parameters.find_damping(gains_.damping);
        contact_gains_.clear();
        stage_contacts_.set_filter(input.contact_filter);
        LawReport law;
        pushes_ = false;
        contacts_ = &no_contacts_;
        first_contacts_.clear();
        // No row shows a surface that nothing touches: its number is looked at here.
        if (!surfaces_.is_finite() && tree_.model->v_count() > 0) law.bad_dof = 0;
        return law;
    }

    /// Whether the step's judge, if it has one, lets it stand (solvers/shared/energy_guard.h).
    bool is_approved(const StepInput& input)
    {
        if (!input.judge) return true;
        kinetic_.find(workspace_);
        return is_accepted(tree_, input, workspace_, stepper_, 0, kinetic_, reported_contacts().items);
    }

    /// Part of a step by which velocity products lead the rows (README, "Half a step"). Stages of Runge-Kutta want the
    /// whole acceleration.
    double lead() const { return stepper_.stage_count() > 1 ? 1 : 0.5; }

    void find_contacts(int stage, const StepInput& input, ColliderMemory& memory, StageTimer& timer)
    {
        const Workspace<double>& w = workspace_;
        // Belts are placed where they are half a step later, or at the stage itself (README, "Half a step").
        const double ahead = stepper_.stage_count() > 1 ? 0 : 0.5 * input.dt;
        surfaces_.place([&](int body) { return Pose{w.position[body], w.rotation[body]}; }, ahead);
        contacts_ =
            options_.rows.contacts ? &stage_contacts_.find(w, input.parameters.friction, memory) : &no_contacts_;
        // Contacts across gaps, of a step that is looked at a second time.
        if (!swept_contacts_.empty())
        {
            swept_.merge(*contacts_, all_contacts_);
            contacts_ = &all_contacts_;
        }
        // The report and the world show the contacts at the begin of the step.
        if (stage == 0 && stepper_.stage_count() > 1)
            first_contacts_.items.assign(contacts_->items.begin(), contacts_->items.end());
        // k and d that the caller gives each contact.
        contact_gains_.clear();
        for (const Contact& contact : contacts_->items)
        {
            if (!input.contact_gains) break;
            const ContactGains own = input.contact_gains(contact);
            contact_gains_.push_back({own.stiffness, own.damping});
        }
        timer.mark(static_cast<int>(Stage::collide));
    }

    /// Whether a body comes further in the step than it is thick. Not with Runge-Kutta, whose stages look ahead at
    /// four places.
    bool is_fast(double dt) const
    {
        return options_.continuous && stepper_.stage_count() == 1 && swept_.find_fast_lanes(workspace_, dt);
    }

    /// The stage once more, with what fast bodies meet: contacts across a gap, which rows may close and no more.
    void look_ahead(const StepInput& input, ComfreeMemory& memory, StageTimer& timer)
    {
        Workspace<double>& w = workspace_;
        // Where they meet what, and the workspace back at the begin of the step.
        swept_contacts_ =
            swept_.look_ahead<double>(input.dt, start_q_, stepper_, stage_contacts_, memory.collider, w, timer);
        find_contacts(0, input, memory.collider, timer);
        if (adhesive_) compute_adhesion_moments(*contacts_, w);
        predict(input.dt, timer);
    }

    /// All rows, and [row] u_s = J v_smooth with what surfaces and kinematic bodies do.
    void predict_rows(const StepInput& input, StageTimer& timer)
    {
        // Eq. 4: rows of J at the present poses, equalities and limits before contacts.
        build_rows(workspace_, *contacts_, options_.rows, rows_, {input.control.equality_active, &surfaces_});
        if (options_.law == Law::stable) make_discs_round(rows_);
        if (rows_.adhesive) add_pull();
        // u_s, at which the closed forms look, and from which corrections start.
        velocity_.resize(at(rows_.count()));
        impulse_.assign(at(rows_.count()), 0);
        for (int row = 0; row < rows_.count(); ++row)
        {
            // The code knows J v_smooth alone: its ties do not see that their directions turn (defect).
            const bool turns = options_.law != Law::as_coded || row >= rows_.ends.equality;
            // J v_s plus half a step of J̇v: where the rows lead (README, "Half a step").
            const double product = turns ? lead() * rows_.product[row] : 0;
            velocity_[row] = rows_.velocity[row] + input.dt * (multiply_row(rows_, row, workspace_.qacc) + product);
        }
        timer.mark(static_cast<int>(Stage::rows));
    }

    /// Surfaces that stick pull as smooth forces do (solvers/shared/adhesion.h): contacts push against it, and rub by
    /// what they push.
    void add_pull()
    {
        // tau - c and a_s with the pull in them.
        find_pull(rows_, pull_);
        std::copy(pull_.begin(), pull_.end(), change_.begin());
        solve_in_place<double>(workspace_, change_);
        for (std::size_t d = 0; d < pull_.size(); ++d)
        {
            workspace_.total[d] += pull_[d];
            workspace_.qacc[d] += change_[d];
        }
    }

    StageView stage_view(double dt) const
    {
        return {workspace_,
                *contacts_,
                rows_,
                velocity_,
                dt,
                rows_.value,
                rows_.position,
                options_.gains(),
                contact_gains_,
                stepper_.inertia(workspace_)};
    }

    /// impulse_ of all rows, and change_ = M^-1 Jᵀ impulse.
    void find_impulses(double dt, LawReport& law)
    {
        if (options_.law == Law::stable)
        {
            // The impedances at the velocity after contact: a few corrections.
            const Anchors anchors(begun_anchors_);
            const LawReport found = implicit_law_.find_impulses(stage_view(dt), anchors, impulse_, change_);
            law = {law.sweeps + found.sweeps, std::max(law.residual, found.residual), found.bad_dof, found.torn_row,
                   found.torn};
            return;
        }
        // Eqs. 6 to 8, row by row; then M^-1 Jᵀf of all of them (Eq. 9).
        closed_form_.find_impulses(stage_view(dt), impulse_);
        std::fill(change_.begin(), change_.end(), 0.0);
        for (int row = 0; row < rows_.count(); ++row) add_row(rows_, row, impulse_[row], change_);
        solve_in_place<double>(workspace_, change_);
        ++law.sweeps;
    }

    /// push_: the velocity at which poses leave the overlaps that stood at the begin of the step.
    void find_push(double dt)
    {
        pushes_ = options_.law == Law::stable && rows_.count() > 0 &&
                  implicit_law_.find_push(stage_view(dt), impulse_, change_, push_);
    }

    /// a_s becomes a; forces are impulses over the step.
    void use_impulses(int stage, double dt, StageTimer& timer)
    {
        std::fill(constraint_force_.begin(), constraint_force_.end(), 0.0);
        row_force_.resize(impulse_.size());
        for (int row = 0; row < rows_.count(); ++row)
        {
            // Jᵀf for sensors and integrators; forces of rows for the report.
            row_force_[row] = impulse_[row] / dt;
            add_row(rows_, row, row_force_[row], constraint_force_);
        }
        // Eq. 9: v+ = v_s + M^-1 Jᵀf as a = a_s + M^-1 Jᵀf / dt.
        for (std::size_t d = 0; d < change_.size(); ++d) workspace_.qacc[d] += change_[d] / dt;
        // The pull is a part of what contacts do.
        if (rows_.adhesive)
        {
            take_off_pull(rows_, row_force_);
            for (std::size_t d = 0; d < pull_.size(); ++d) constraint_force_[d] += pull_[d];
        }
        timer.mark(static_cast<int>(Stage::solve));
        // Sensors and callers see the forces of the first stage, with its contacts.
        if (stage != 0) return;
        // The report shows forces along the contact's axes.
        if (options_.law == Law::stable) restore_row_forces(rows_, row_force_);
        find_contact_forces(*contacts_, rows_, row_force_, contact_forces_);
        if (tells_forces_) find_constraint_forces(workspace_, rows_, row_force_, constraint_forces_);
    }

    /// Contacts of the first stage: those at the begin of the step, or half a step later.
    const Contacts& reported_contacts() const { return stepper_.stage_count() > 1 ? first_contacts_ : *contacts_; }

    StepReport make_report(const LawReport& law) const
    {
        StepReport report{.iterations = law.sweeps, .residual = law.residual};
        report.contact_count = reported_contacts().count();
        if (law.torn_row >= 0)
        {
            // Ties that contradict each other: their answer stands in the middle, and says so.
            report.status = StepStatus::not_converged;
            report.residual = law.torn;
            report.culprit_dof = rows_.column[rows_.begin[law.torn_row]];
            report.culprit_body = BodyId{tree_.model->dofs.body[at(report.culprit_dof)]};
        }
        for (const Contact& contact : reported_contacts().items)
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
        return report;
    }

    /// After a step that went well: state, contacts, and where they stick.
    void commit(double dt, const WorldView& world, ComfreeMemory& memory)
    {
        // Where contacts stick, and by how much they have been displaced: all that a step keeps.
        if (options_.anchor) implicit_law_.update_anchors(stage_view(dt), impulse_, change_, surfaces_, memory.anchors);
        commit_lane(tree_, workspace_, stepper_, 0, world);
        if (!memory.anchors.empty()) memory.place = mark_place(world.q);
        const std::vector<Contact>& contacts = reported_contacts().items;
        memory.contacts.items.assign(contacts.begin(), contacts.end());
        memory.contact_forces.items = contact_forces_;
        if (tells_forces_) memory.constraint_forces = constraint_forces_;
    }

    Tree tree_;
    Options options_;
    Gains gains_ = options_.gains();  ///< of the solver; a world may have its own
    std::unique_ptr<Dual> dual_;
    std::vector<int> tree_of_dof_;
    Workspace<double> workspace_;
    Stepper<double> stepper_;
    KineticProbe<double> kinetic_;
    StageContacts stage_contacts_;
    SweptContacts swept_;
    RunningSurfaces surfaces_;
    ClosedForm<double> closed_form_;
    ImplicitLaw implicit_law_;
    bool adhesive_ = has_adhesion(*tree_.model);  ///< some actuator acts on a body
    bool bounded_ = false;                        ///< some spin of the prediction is not that of its equations

    const Contacts* contacts_ = nullptr;  ///< of the present stage
    Contacts first_contacts_, no_contacts_, all_contacts_;
    std::span<const Contact> swept_contacts_;  ///< of this step
    std::vector<double> start_q_;              ///< at the begin of the step
    std::vector<double> derivative_q_;         ///< the same of find_derivatives
    ConstraintRows rows_;
    std::vector<double> velocity_, impulse_, row_force_;  ///< [row] u_s, impulse, force
    std::vector<double> change_, constraint_force_;       ///< [dof] of v by the impulses, Jᵀf
    std::vector<double> push_;                            ///< [dof] find_push
    std::vector<double> pull_;                            ///< [dof] of surfaces that stick
    bool pushes_ = false;                                 ///< poses leave overlaps
    std::vector<Anchor> begun_anchors_;
    std::vector<Gains> contact_gains_;  ///< [contact] of the present stage, where the caller has a function
    std::vector<Wrench> contact_forces_;
    bool tells_forces_ = asks_constraint_forces(*tree_.model);
    ConstraintForces constraint_forces_;
};

}  // namespace

std::unique_ptr<Solver> make_direct_solver(const Model& model, const Options& options)
{
    return std::make_unique<ComfreeSolver>(model, options);
}

}  // namespace rattleback::comfree
