// Steps of worlds in lanes, for any scalar: M(q) a = tau - c at every stage of an integrator.
#pragma once

#include "solvers/shared/places_bodies.h"
#include "solvers/shared/stage_seconds.h"
#include "solvers/shared/world_io.h"

#include <memory>

namespace rattleback::smooth
{

/// Worlds in the lanes of a pack, whatever its width.
class SmoothPack
{
public:
    virtual ~SmoothPack() = default;

    /// Steps as many worlds as there are views, at most one per lane; unused lanes repeat the last world.
    virtual void step(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                      std::span<StepReport> reports) = 0;
};

/// Eight doubles, where has_wide_lanes() says that registers of 512 bits are there.
std::unique_ptr<SmoothPack> make_wide_pack(const Tree& tree, Integrator integrator);

/// Workspace and integrator of one world or one pack.
template <class T>
class SmoothLanes final : public SmoothPack
{
public:
    SmoothLanes(const Tree& tree, Integrator integrator)
        : tree_(tree), workspace_(tree), stepper_(tree, {.integrator = integrator})
    {
    }

    Workspace<T>& workspace()
    {
        poses_ = {};
        return workspace_;
    }
    /// See PlacesBodies; of a world alone.
    bool place_bodies(WorldView world) { return poses_.place(workspace_, world); }
    Stepper<T>& stepper() { return stepper_; }

    void step(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
              std::span<StepReport> reports) override
    {
        // One loop for single worlds (T = double) and packs: every operation acts on all lanes.
        Workspace<T>& w = workspace_;
        Stepper<T>& stepper = stepper_;
        const double dt = inputs[0].dt;
        StageTimer timer(inputs[0].timings);
        bool posed = false;
        if constexpr (std::is_same_v<T, double>) posed = poses_.take(w, worlds[0].q) && !stepper.is_midpoint();
        for (int lane = 0; lane < kLaneCount<T>; ++lane)
        {
            // A pack is always full; what is computed twice is written once.
            // Lanes must hold numbers that neither trap nor slow the arithmetic down: the last world again.
            const std::size_t i = std::min(static_cast<std::size_t>(lane), worlds.size() - 1);
            load_lane(tree_, inputs[i], worlds[i], lane, w, stepper);
        }
        for (int stage = 0; stage < stepper.stage_count(); ++stage)
        {
            // Kinematics where the integrator looks: poses, motions of dofs, the mass matrix M(q).
            stepper.move_to_stage(stage, dt, w, timer);
            if (!posed || stage > 0) compute_poses<T>(w);
            compute_stage_at_poses(w, timer);
            // M a = tau - c(q, v) ([MuJoCo] eq:motion without its last term, Jᵀf): M by composite rigid bodies and c by
            // recursive Newton-Euler (Featherstone 2008, ch. 6.2 and 5.3), tau of passive, actuator and applied forces.
            stepper.compute_smooth_acceleration(dt, w, timer);
            // q, v, act along the rates of this stage.
            stepper.integrate_stage(stage, dt, {}, w, timer);
        }
        // Each world is checked and written by itself: one that diverged leaves its neighbours alone.
        const MaskOf<T> sound = find_sound_lanes(w);
        for (std::size_t i = 0; i < worlds.size(); ++i)
        {
            const int lane = static_cast<int>(i);
            reports[i] = finish_lane(lane, has_lane(sound, lane), worlds[i]);
        }
        timer.mark(static_cast<int>(Stage::integrate));
        // Lanes share the time of the pack evenly.
        for (StepReport& report : reports) report_seconds(timer, report, static_cast<double>(worlds.size()));
    }

private:
    /// Writes a lane back into its world, unless it has diverged.
    StepReport finish_lane(int lane, bool is_sound, const WorldView& world) const
    {
        StepReport report{.iterations = 1};
        // Only a sound result is written back.
        if (const int bad = is_sound ? -1 : find_bad_dof(*tree_.model, workspace_, lane); bad >= 0)
            // The report names dof, body and speed; the world keeps the state before the step.
            report_bad_dof(*tree_.model, bad, workspace_, lane, report);
        else
            commit_lane(tree_, workspace_, stepper_, lane, world);
        return report;
    }

    const Tree& tree_;
    Workspace<T> workspace_;
    Stepper<T> stepper_;
    KeptPoses poses_;
};

}  // namespace rattleback::smooth
