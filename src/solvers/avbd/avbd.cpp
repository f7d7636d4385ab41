// The solver `avbd`: contacts and joints as rows with multipliers, Newton steps of one block after the other.
#include "solvers/avbd/avbd.h"

#include "solvers/avbd/block_sweep.h"
#include "solvers/avbd/packs.h"
#include "solvers/avbd/parameters.h"
#include "solvers/avbd/penalty_solver.h"
#include "solvers/avbd/phases.h"
#include "solvers/avbd/rolling.h"
#include "solvers/shared/guarded_solver.h"

namespace rattleback::avbd
{

namespace
{

/// Kinetic energy before and after, and of the change; turns are counted by the greatest moment.
KineticChange find_kinetic_change(const Model& model, const ConstWorldView& before, const ConstWorldView& after)
{
    KineticChange sum;
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[at(b)] < 0) continue;
        const Vec3& moments = model.bodies.inertia[at(b)];
        const double mass = model.bodies.mass[at(b)], moment = std::max({moments.x, moments.y, moments.z});
        const auto energy = [&](const Vec3& linear, const Vec3& angular)
        { return 0.5 * (mass * dot(linear, linear) + moment * dot(angular, angular)); };
        const Velocity &old = before.body_velocity[at(b)], &now = after.body_velocity[at(b)];
        sum.before += energy(old.linear, old.angular);
        sum.change += energy(now.linear - old.linear, now.angular - old.angular);
        sum.after += energy(now.linear, now.angular);
    }
    return sum;
}

/// Augmented vertex block descent ([AVBD], whose equations the numbers are). T: packs of doubles or floats, in which
/// single bodies move.
template <class T>
class AvbdSolver final : public Solver
{
public:
    AvbdSolver(const Model& model, const Settings& settings)
        // post-stabilisation counts no old error in its sweeps (1 - alpha = 0): the last sweep pays them back
        : state_(model, settings, settings.tree_blocks, is_post(settings) ? 0 : 1 - settings.alpha),
          blocks_(state_.layout)
    {
        // islands at rest are remembered in the memory of each world
        if (settings.sleep) state_.sleep.emplace(state_.layout, settings.sleep_tolerance);
    }

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<AvbdMemory>(state_.model_layout); }

    StepReport step(const StepInput& input, WorldView world, Memory& base_memory) override
    {
        auto& memory = static_cast<AvbdMemory&>(base_memory);
        StageTimer timer(input.timings);
        // x_t, v_t, external forces; islands at rest stay as they are until something wakes them
        load_world(input, world, memory, state_);
        if (!wake_islands(world, memory, state_)) return skip_step(world, memory, state_);
        // contacts at x_t: new, recycled, and those that fast bodies meet on their way
        detect_contacts(input, world, memory, state_);
        timer.mark(static_cast<int>(Stage::collide));
        // rows C (Eq. 15) with lambda and k warm-started (Eq. 19); blocks that share a row differ in colour
        build_contact_rows(memory, state_, packs_);
        build_swept_rows(input.dt, state_, packs_);
        colour_blocks(state_.layout, state_.rows.manifolds, state_.colouring);
        for (int substep = 0; substep < state_.settings.substeps; ++substep)
        {
            // C(x_t), of which 1 - alpha counts (Eq. 18); y (Eq. 2) and a first guess of x
            start_substep(substep, world, state_, packs_);
            choose_motions(substep, state_);  // which bodies fly or roll, by a rule of second order
            predict_motion(substep, FirstGuess::adaptive, state_);
            start_sweeps();
            follow_rolling(state_.layout, state_.rows.rows, state_.work);
            timer.mark(static_cast<int>(Stage::rows));
            for (int iteration = 0; iteration < state_.settings.iterations; ++iteration)
            {
                solve_primal();  // x: a Newton step of each block, colour by colour (Eqs. 4 to 6, 13, 17)
                follow_rolling(state_.layout, state_.rows.rows, state_.work);  // C of points that wander
                update_duals();  // lambda (Eq. 11) and k (Eq. 16) of all rows
            }
            store_sweeps();
            // v = (x - x_t) / h; then positions alone take back the errors that were left out
            finish_velocities(state_);
            if (is_post(state_.settings)) correct_positions();
            finish_substep(state_);
            timer.mark(static_cast<int>(Stage::solve));
        }
        StepReport report = make_report(state_);
        if (find_divergence(state_, report)) return report;  // nothing was written
        if (!write_approved(input, world, report)) return report;
        store_memory(world, memory, state_);  // lambda and k for the next step; who falls asleep
        finish_report(timer, report);
        return report;
    }

private:
    /// Poses, velocities, q and v into the world, unless the step's judge refuses them.
    bool write_approved(const StepInput& input, const WorldView& world, StepReport& report)
    {
        if (!input.judge)
        {
            write_world(world, state_, report);
            return true;
        }
        // what sleeps is not written
        const WorldView candidate = input.judge->candidate();
        copy_world(world, candidate);
        write_world(candidate, state_, report);
        // a joint that parts is not closed by the sweeps of a whole step: the judge's parts have more
        if (report.status == StepStatus::not_converged) report.status = StepStatus::diverged;
        if (report.status == StepStatus::diverged) return false;
        const bool looks = input.judge->looks(find_kinetic_change(*state_.layout.model, world, candidate));
        if (looks && !input.judge->accepts(state_.contacts.items)) return false;
        copy_world(candidate, world);
        return true;
    }

    static bool is_post(const Settings& settings) { return settings.stabilisation == Stabilisation::post; }

    /// Sorts single bodies into packs and the contacts of the others by body.
    void start_sweeps()
    {
        // who moves in packs and who one by one changes with the contacts: turning friction is not in the packs
        const std::vector<Manifold>& manifolds = state_.rows.manifolds;
        blocks_.choose(state_.layout, state_.colouring, manifolds, state_.sleeping());
        gather_contacts(state_.layout, state_.settings, state_.rows.rows, manifolds, blocks_.single(), state_.work);
        packs_.start(state_.layout, state_.settings, state_.colouring, blocks_.packed(), manifolds, state_.work,
                     state_.pool);
    }

    /// One sweep: every block once, those of one colour side by side.
    void solve_primal()
    {
        const Layout& layout = state_.layout;
        for (int colour = 0; colour < state_.colouring.count(); ++colour)
        {
            // single bodies, in packs
            packs_.solve_colour(colour, state_.pool, state_.work);
            // trees, and bodies with turning friction
            // the others see the packs' new x at once, and are copied back for the packs of later colours: the sweep is
            // Gauss and Seidel's over both kinds
            blocks_.run_colour(layout, state_.colouring, colour, state_.pool,
                               [&](const Block& block, int worker)
                               {
                                   solve_block(layout, block, state_.work.scratch[at(worker)], state_.work);
                                   for (int i = block.begin; i < block.end; ++i)
                                       packs_.load_delta(layout.order[at(i)], state_.work);
                               });
        }
    }

    void update_duals()
    {
        // rows of trees and of bodies with turning friction, then those of packs: both read the same x
        // a row between a pack and a single body has a side in either, each with its own copy of lambda and k
        blocks_.run_all(state_.layout, state_.pool, [&](const Block& block, int /*worker*/)
                        { update_block_duals(state_.layout, block, state_.settings.ramp, state_.work); });
        packs_.update_duals(state_.pool);
    }

    /// Multipliers, penalties and increments back to rows and bodies.
    void store_sweeps()
    {
        scatter_contacts(state_.work, state_.rows.rows);
        packs_.store_duals(state_.rows.manifolds, state_.pool, state_.rows.rows);
        packs_.store_deltas(state_.work);
    }

    /// Post-stabilisation: one primal sweep in which the errors at x_t count (alpha = 0 for joints), after the
    /// velocities were taken: it moves positions only, and no multiplier pays for it.
    void correct_positions()
    {
        // the errors at x_t that the sweeps before left out, or `correction` of them
        start_correction(state_.rows.rows, state_.settings, state_.work);
        packs_.start_correction(state_.settings, state_.pool);
        solve_primal();
        packs_.store_deltas(state_.work);
    }

    StepState state_;
    BlockSweep blocks_;
    PackSweep<T> packs_;
};

}  // namespace

const SolverInfo kInfo = {
    // what the method is for, what it can do, and what it reads
    .name = "avbd",
    .summary = "piles, stacks and mechanisms by augmented vertex block descent, at a fixed cost per step",
    .coordinates = Coordinates::bodies,
    .supports = {Feature::free_joint,
                 Feature::ball_joint,
                 Feature::hinge_joint,
                 Feature::slide_joint,
                 Feature::several_joints_per_body,
                 Feature::kinematic_body,
                 Feature::gravity_compensation,
                 Feature::contact,
                 Feature::spinning_friction,
                 Feature::rolling_friction,
                 Feature::restitution,
                 Feature::limits,
                 Feature::springs,
                 Feature::nonlinear_springs,
                 Feature::damping,
                 Feature::armature,
                 Feature::dry_friction,
                 Feature::equality,
                 Feature::cable,
                 Feature::breakable,
                 Feature::tendon,
                 Feature::actuator,
                 Feature::medium,
                 Feature::surface_velocity,
                 Feature::adhesion,
                 Feature::passive_adhesion},
    .world_parameters = {WorldParameter::gravity, WorldParameter::friction, WorldParameter::mass, WorldParameter::gain},
    .parameters = parameter_list(),
    // one class per precision and mode
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    {
        // mode and precision are types: nothing below the step chooses
        const Settings settings(parameters);
        if (settings.penalty) return make_penalty_solver(model, settings);
        const auto make = [&model, settings]() -> std::unique_ptr<Solver>
        {
            if (settings.single_precision) return std::make_unique<AvbdSolver<Pack8>>(model, settings);
            return std::make_unique<AvbdSolver<Pack4>>(model, settings);
        };
        if (!settings.guard) return make();
        // parts of a step are the same method with smaller steps
        return make_guarded_solver(model, true, make(), make);
    },
};

}  // namespace rattleback::avbd
