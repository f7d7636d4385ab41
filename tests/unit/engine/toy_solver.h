// A solver for tests of the engine: velocities turn slowly, and a joint force of n makes the world fail at its step n;
// one below zero makes it stand still without converging.
#pragma once

#include <rattleback/solver.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace rattleback::toy
{

/// Counts the committed steps of its world, so that a lost or foreign memory shows.
class ToyMemory : public Memory
{
public:
    void reset() override
    {
        Memory::reset();
        count = 0;
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        bytes.push_back(static_cast<std::byte>(count));
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        if (!Memory::load(bytes) || bytes.empty()) return false;
        count = static_cast<int>(bytes.front());
        bytes = bytes.subspan(1);
        return true;
    }

    int count = 0;
};

inline std::atomic<int> largest_group = 0;  ///< worlds that step_worlds received at once

class ToySolver : public Solver
{
public:
    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<ToyMemory>(); }

    StepReport step(const StepInput& input, WorldView world, Memory& memory) override
    {
        int& count = static_cast<ToyMemory&>(memory).count;
        const double fails_at = input.control.joint_force[0];
        if (fails_at > 0 && count + 1 >= static_cast<int>(fails_at))
        {
            const bool stops = fails_at == std::floor(fails_at);  // n.5: converges badly from step n on, but commits
            if (stops) return {.status = StepStatus::diverged, .culprit_dof = 0, .culprit_body = BodyId{1}};
        }
        if (fails_at < 0)
        {
            std::fill(world.v.begin(), world.v.end(), 0.0);
            return {.status = StepStatus::not_converged, .iterations = 1};
        }
        ++count;
        for (std::size_t i = 0; i < world.q.size(); ++i)
        {
            world.v[i] = world.v[i] * 0.99 + input.dt * std::sqrt(1 + world.q[i] * world.q[i]) / count;
            world.q[i] += input.dt * world.v[i];
        }
        memory.contacts.items.assign(
            1, {.first_body = kWorld, .second_body = BodyId{1}, .first_shape = ShapeId{0}, .second_shape = ShapeId{0}});
        memory.contacts.items[0].frame = make_contact_frame({0, 0, 1});
        memory.contact_forces.items.assign(1, {{1, 2, 10.0 * count}, {}});
        return {.status = fails_at > 0 && fails_at != std::floor(fails_at) ? StepStatus::not_converged : StepStatus::ok,
                .iterations = 1,
                .residual = world.q[0]};
    }

    void step_worlds(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                     std::span<Memory* const> memories, std::span<StepReport> reports) override
    {
        int seen = largest_group;
        while (seen < static_cast<int>(inputs.size()) &&
               !largest_group.compare_exchange_weak(seen, static_cast<int>(inputs.size())))
        {
        }
        Solver::step_worlds(inputs, worlds, memories, reports);
    }
};

/// All worlds one after the other, as a device would do it.
class ToyBatch : public BatchSolver
{
public:
    void run_steps(std::int64_t steps, double dt, const Control& control, State& state,
                   std::span<Memory* const> memories, std::span<StepReport> reports) override
    {
        for (int world = 0; world < state.world_count; ++world)
        {
            const auto w = static_cast<std::size_t>(world);
            for (std::int64_t step = 0; step < steps && reports[w].status < StepStatus::diverged; ++step)
            {
                const StepInput input{control.world(world), dt, state.time[w]};
                const StepReport report = solver_.step(input, state.world(world), *memories[w]);
                reports[w] = merge(reports[w], report);
                if (report.status >= StepStatus::diverged) break;
                state.time[w] += dt;
                ++state.step[w];
            }
        }
    }

private:
    ToySolver solver_;
};

inline const SolverInfo kInfo{.name = "toy",
                              .summary = "for tests of the engine",
                              .supports = {Feature::slide_joint, Feature::hinge_joint},
                              .lanes = 4,
                              .make = [](const Model&, const Parameters&) -> std::unique_ptr<Solver>
                              { return std::make_unique<ToySolver>(); }};

}  // namespace rattleback::toy
