// Steps of worlds in lanes, for any scalar: smooth motion, contacts, sweeps, integration.
#pragma once

#include "solvers/comfree/crowd_law.h"
#include "solvers/comfree/lone_spin.h"
#include "solvers/comfree/memory.h"
#include "solvers/comfree/sweep_law.h"
#include "solvers/comfree/sweep_pack.h"
#include "solvers/shared/places_bodies.h"
#include "solvers/shared/stage_seconds.h"
#include "solvers/shared/swept_contacts.h"
#include "solvers/shared/world_io.h"

namespace rattleback::comfree
{

/// Times as many sweeps where fast bodies meet something: what is left of their approach would lead into it.
inline constexpr int kSweptSweeps = 4;

/// Everything that steps one world, or a pack. `Law`: SweepLaw<T>, or CrowdLaw for one world.
template <class T, class Law = SweepLaw<T>>
class SweepLanes final : public SweepPack
{
public:
    SweepLanes(const Tree& tree, const Options& options)
        : tree_(tree),
          options_(options),
          workspace_(tree),
          stepper_(tree, {.integrator = options.integrator,
                          .constrained = true,
                          .implicit_damping = options.implicit_damping,
                          .split = true,
                          .metric = options.metric,
                          .one_factor = true}),
          swept_(*tree.model),
          slots_(*tree.model, options),
          law_(tree, options)
    {
    }

    int step(std::span<const StepInput> inputs, std::span<const WorldView> worlds, std::span<Memory* const> memories,
             std::span<StepReport> reports) override
    {
        Workspace<T>& w = workspace_;
        const double dt = inputs[0].dt;
        StageTimer timer(inputs[0].timings);
        bool posed = false;
        if constexpr (std::is_same_v<T, double>) posed = poses_.take(w, worlds[0].q) && !stepper_.is_midpoint();
        for (int lane = 0; lane < kLaneCount<T>; ++lane)
        {
            const std::size_t i = std::min(at(lane), worlds.size() - 1);
            load(lane, inputs[i], worlds[i]);
        }
        // Fast bodies are placed here again, should there be any.
        if (options_.continuous) start_q_.assign(w.q.begin(), w.q.end());
        stepper_.hold_drift(false);
        sweeps_ = options_.sweeps;
        kinetic_.begin(w);
        // Kinematics where the integrator looks, contacts there, and the prediction v_s (Eq. 2) as an acceleration.
        stepper_.move_to_stage(0, dt, w, timer);
        if (!posed) compute_poses<T>(w);
        compute_rest_of_positions(timer);
        slots_.find(w, memories, dt);
        timer.mark(static_cast<int>(Stage::collide));
        plain_ = is_plain();
        predict(dt, timer);
        // Fast bodies: what they would pass through within the step. Each such world looks for itself.
        const MaskOf<T> fast = options_.continuous ? swept_.find_fast_lanes(w, dt) : make_mask<T>(false);
        const bool alone = worlds.size() == 1;
        if (alone && any(fast)) look_ahead(memories, dt, timer);
        // Impulses by sweeps; v+ = v_s + M^-1 Jᵀf (Eq. 9), as an acceleration.
        law_.solve(w, slots_.slots(), slots_.shares(), dt, sweeps_);
        timer.mark(static_cast<int>(Stage::solve));
        stepper_.integrate_stage(0, dt, law_.joint_force(), w, timer);
        law_.push_out(w, dt);
        // Each world is judged and written by itself: one that diverged leaves its neighbours alone.
        const MaskOf<T> sound = find_sound_lanes(w);
        if (inputs[0].judge) kinetic_.find(w);
        for (std::size_t i = 0; i < worlds.size(); ++i)
        {
            const int lane = static_cast<int>(i);
            if (!alone && has_lane(fast, lane)) continue;
            reports[i] = finish(lane, has_lane(sound, lane), inputs[i], worlds[i], *memories[i]);
        }
        timer.mark(static_cast<int>(Stage::integrate));
        for (StepReport& report : reports) report_seconds(timer, report, static_cast<double>(worlds.size()));
        return alone ? 0 : to_bits(fast);
    }

    /// One world, in all lanes.
    StepReport forward(const StepInput& input, const ConstWorldView& world, Memory& memory, const ForwardOutput& output)
    {
        Workspace<T>& w = workspace_;
        poses_ = {};
        StageTimer timer(input.timings);
        for (int lane = 0; lane < kLaneCount<T>; ++lane)
        {
            load(lane, input, world);
            if (!tree_.kinematic_bodies.empty())
                place_kinematic_bodies<T>(w, lane, stepper_.motions(lane), 0, input.dt);
        }
        // M a_s = tau - c with nothing implicit, because no step is taken; then the phases of step() once.
        // The phases of step() up to the impulses.
        compute_poses<T>(w);
        compute_rest_of_positions(timer);
        compute_velocity_stage(w, input.dt, timer);
        Memory* const memories[] = {&memory};
        slots_.find(w, memories, input.dt);
        stepper_.find_forward_acceleration(input.dt, w);
        sweeps_ = options_.sweeps;
        law_.solve(w, slots_.slots(), slots_.shares(), input.dt, sweeps_);
        for (std::size_t d = 0; d < w.qacc.size(); ++d) output.acceleration[d] = lane(w.qacc[d], 0);
        output.contacts.items = slots_.contacts(0).items;
        find_contact_forces(0, input.dt, output.forces.items);
        if (tells_forces_) find_limit_forces(0, input.dt, output.constraints);
        StepReport report = make_report(0);
        report_bad_acceleration(*tree_.model, output.acceleration, report);
        return report;
    }

    /// See PlacesBodies; of a world alone.
    bool place_bodies(WorldView world)
    {
        if constexpr (std::is_same_v<T, double>) return poses_.place(workspace_, world);
        return false;
    }

private:
    void load(int lane, const StepInput& input, const ConstWorldView& world)
    {
        load_lane(tree_, input, world, lane, workspace_, stepper_);
        slots_.load(lane, input);
    }

    /// The position stage behind the poses; of a crowd M is a block for each body.
    void compute_rest_of_positions(StageTimer& timer)
    {
        Workspace<T>& w = workspace_;
        if constexpr (std::is_same_v<Law, CrowdLaw>)
        {
            compute_dof_motions(w);
            timer.mark(static_cast<int>(Stage::kinematics));
            compute_transmissions(w);
            law_.bodies().place(w);
            timer.mark(static_cast<int>(Stage::mass_matrix));
        }
        else
            compute_stage_at_poses(w, timer);
    }

    /// Whether a crowd's a_s is M^-1 (tau - c) and nothing else: Euler's method, which dampers leave to blocks.
    bool is_plain() const { return std::is_same_v<Law, CrowdLaw> && options_.integrator == Integrator::euler; }

    /// v_s (Eq. 2), as an acceleration.
    void predict(double dt, StageTimer& timer)
    {
        if constexpr (std::is_same_v<Law, CrowdLaw>)
        {
            if (plain_)
            {
                compute_velocity_stage(workspace_, dt, timer);
                law_.bodies().find_acceleration(workspace_);
                return timer.mark(static_cast<int>(Stage::solve));
            }
        }
        stepper_.compute_smooth_acceleration(dt, workspace_, timer);
        if (turns_implicitly(options_.integrator)) bound_lone_spin(workspace_, dt);
    }

    /// The stage of one world once more, with what its fast bodies meet: contacts across a gap, which may be closed and
    /// no more.
    void look_ahead(std::span<Memory* const> memories, double dt, StageTimer& timer)
    {
        Workspace<T>& w = workspace_;
        // Narrow phase of one world, made when the first fast body is met.
        if (!pairs_) pairs_ = std::make_unique<StageContacts>(*tree_.model);
        pairs_->set_filter(slots_.filter(0));
        const std::span<const Contact> met =
            swept_.look_ahead<T>(dt, start_q_, stepper_, *pairs_, memories[0]->collider, w, timer);
        // Bodies stand elsewhere where the stage was half a step ahead.
        if constexpr (std::is_same_v<Law, CrowdLaw>) law_.bodies().place(w);
        slots_.find(w, memories, dt);
        slots_.add_swept(w, met, dt);
        if (!met.empty()) sweeps_ *= kSweptSweeps;
        timer.mark(static_cast<int>(Stage::collide));
        predict(dt, timer);
    }

    StepReport make_report(int lane_index) const
    {
        StepReport report{.iterations = sweeps_, .residual = lane(law_.residual(), lane_index)};
        const std::vector<Contact>& contacts = slots_.contacts(lane_index).items;
        // What the report says of contacts: how many, and the deepest.
        report.contact_count = static_cast<int>(contacts.size());
        for (const Contact& contact : contacts)
            report.deepest_penetration = std::max(report.deepest_penetration, -contact.distance);
        return report;
    }

    /// Only a sound result is written back: finite, and no speed or place beyond all bounds.
    StepReport finish(int lane, bool is_sound, const StepInput& input, const WorldView& world, Memory& memory)
    {
        const Model& model = *tree_.model;
        StepReport report = make_report(lane);
        // Surfaces whose velocity is no number are told by the first dof.
        const bool runs = slots_.is_finite(lane) || model.v_count() == 0;
        if (const int bad = !runs ? 0 : is_sound ? -1 : find_bad_dof(model, workspace_, lane); bad >= 0)
        {
            report_bad_dof(model, bad, workspace_, lane, report);
            return report;
        }
        // The energy guard may want the step taken in parts: then nothing is written.
        if (!is_accepted(tree_, input, workspace_, stepper_, lane, kinetic_, slots_.contacts(lane).items))
            return report;
        commit_lane(tree_, workspace_, stepper_, lane, world);
        find_contact_forces(lane, input.dt, memory.contact_forces.items);
        if (tells_forces_) find_limit_forces(lane, input.dt, memory.constraint_forces);
        // The lists change places: neither is copied, nor allocated anew.
        std::swap(memory.contacts.items, slots_.contacts(lane).items);
        return report;
    }

    /// Wrenches on the second bodies of a world's contacts, about the contact points; zero where no row acts.
    void find_contact_forces(int lane_index, double dt, std::vector<Wrench>& wrenches) const
    {
        const std::vector<Contact>& contacts = slots_.contacts(lane_index).items;
        // Blocks follow slots, slots name the contact of each lane.
        wrenches.assign(contacts.size(), {});
        if constexpr (std::is_same_v<Law, CrowdLaw>)
        {
            const auto slots = slots_.slots();
            for (std::size_t s = 0; s < slots.size(); ++s)
            {
                const std::size_t index = at(slots[s].contact[0]);
                wrenches[index].force = contacts[index].frame * ((1 / dt) * law_.impulses()[s]);
            }
        }
        else
            find_block_forces(lane_index, dt, wrenches);
    }

    void find_block_forces(int lane_index, double dt, std::vector<Wrench>& wrenches) const
    {
        const std::vector<Contact>& contacts = slots_.contacts(lane_index).items;
        const SweepSystem<T>& system = law_.system();
        for (std::size_t b = 0; b < system.blocks.size(); ++b)
        {
            const Block& block = system.blocks[b];
            if (!block.contact) continue;
            const int index = slots_.slots()[at(block.element)].contact[at(lane_index)];
            if (index < 0) continue;
            const auto force = [&](int r) { return lane(system.numbers[b].impulse[r], lane_index) / dt; };
            const Mat3& frame = contacts[at(index)].frame;
            Wrench& wrench = wrenches[at(index)];
            // Normal and tangents; spin; rolls.
            if (block.normal < 0)
                wrench.force = frame * Vec3{force(0), force(1), force(2)};
            else if (block.kind == BlockKind::bounded)
                wrench.torque = frame * Vec3{force(0), 0, 0};
            else
                wrench.torque += frame * Vec3{0, force(0), force(1)};
        }
    }

    /// Forces of limits and along tendons; of both bounds of a limit the first stands, as a sensor of the position
    /// tells.
    void find_limit_forces(int lane_index, double dt, ConstraintForces& found) const
    {
        const Model& model = *tree_.model;
        // Everything that has no row carries nothing.
        found.joint_limit.assign(model.joints.type.size(), 0);
        for (auto* list : {&found.tendon_limit, &found.tendon}) list->assign(model.tendons.type.size(), 0);
        for (auto* list : {&found.first, &found.second}) list->assign(model.equalities.type.size(), {});
        // A crowd has no limits.
        if constexpr (!std::is_same_v<Law, CrowdLaw>) add_limit_forces(lane_index, dt, found);
    }

    void add_limit_forces(int lane_index, double dt, ConstraintForces& found) const
    {
        const SweepSystem<T>& system = law_.system();
        for (std::size_t b = system.blocks.size(); b-- > 0;)
        {
            const Block& block = system.blocks[b];
            if (block.contact || lane(system.numbers[b].inverse, lane_index) == 0) continue;
            const double force = lane(system.numbers[b].impulse[0], lane_index) / dt;
            // All that acts along a tendon adds up.
            if (block.tendon != 0) found.tendon[at(block.element)] += block.tendon * force;
            if (block.kind != BlockKind::push) continue;
            (block.tendon != 0 ? found.tendon_limit : found.joint_limit)[at(block.element)] = force;
        }
    }

    const Tree& tree_;
    const Options& options_;
    Workspace<T> workspace_;
    Stepper<T> stepper_;
    KeptPoses poses_;  ///< of a world alone
    KineticProbe<T> kinetic_;
    SweptContacts swept_;
    std::unique_ptr<StageContacts> pairs_;  ///< of fast bodies; made when the first is
    std::vector<T> start_q_;                ///< at the begin of the step
    int sweeps_ = 0;                        ///< of this step
    bool plain_ = false;                    ///< this step: is_plain()
    ContactSlots<T> slots_;
    Law law_;
    bool tells_forces_ = asks_constraint_forces(*tree_.model);
};

}  // namespace rattleback::comfree
