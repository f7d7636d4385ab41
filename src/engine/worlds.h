// Worlds: what Simulation and Batch share - some worlds of one Model, one solver per thread, and a step for all.
#pragma once

#include "base/thread_pool.h"
#include "dynamics/tree.h"
#include "engine/setup.h"

#include <array>

namespace rattleback
{

/// Every world is stepped bit for bit as if it were alone.
class Worlds
{
public:
    /// `thread_count` 0: one per core; never more than there are groups of worlds.
    Worlds(Setup setup, int world_count, int thread_count);

    /// Up to `steps` steps of each world; one stops at its first step that is not committed. Then bodies and sensors
    /// are brought up to date.
    void run_steps(std::int64_t steps);

    /// In worlds that were written since the engine last did, bodies and sensors follow q and v, accelerometers see no
    /// change of velocity, and the memory is emptied unless velocities or activations alone were written.
    void refresh();
    /// Initial state or that of a keyframe, inputs zero or its own, memories empty; in place, so that views stay valid.
    void reset();
    void reset(int world, const Keyframe* keyframe = nullptr);

    /// Memory of a world and what its accelerometers compare with, as bytes.
    std::vector<std::byte> save_memory(int world) const;
    /// Replaces state, inputs and memories; false, and nothing is changed, if a memory does not fit. The sizes of state
    /// and inputs were checked.
    bool restore(const State& new_state, const Control& new_control,
                 std::span<const std::vector<std::byte>> saved_memories);

    const Setup& setup() const { return setup_; }
    const Model& model() const { return *setup_.model; }
    int world_count() const { return world_count_; }
    int thread_count() const { return pool_.worker_count(); }
    const Memory& memory(int world) const { return *memories_[static_cast<std::size_t>(world)]; }
    std::span<const StepReport> reports() const { return reports_; }
    std::span<const double> sensors() const { return sensors_; }
    const std::vector<Error>& warnings() const { return warnings_; }

    State state;
    Control control;

private:
    static constexpr int kGroup = 4;  // worlds handed to a solver at once: the lanes of a pack of doubles

    /// The worlds of a group that still run, packed to the front.
    struct Group
    {
        std::array<int, kGroup> world{};
        int count = 0;
    };

    int group_count() const { return (world_count_ + kGroup - 1) / kGroup; }
    bool bodies_follow() const { return setup_.info->coordinates != Coordinates::bodies; }
    Group make_group(int index) const;
    void run_group(int index, std::int64_t steps, Solver& solver);
    void step_group(Group& group, Solver& solver);
    /// Remembers where a world's step begins; only for accelerometers.
    void keep_start(int world);
    /// Accelerometers compare with the start of the last committed step.
    void compare_with_last_start(int world, std::int64_t first_step);
    void refresh_world(int world);
    /// Bodies, sensors, and what accelerometers compare with.
    void follow_state(int world);
    void update_sensors(int world);
    void check_sizes() const;
    bool load_memory(std::span<const std::byte> bytes, Memory& memory, std::span<Vec3> velocities) const;

    Setup setup_;
    Tree tree_;
    int world_count_;
    int accelerometers_;                             ///< per world
    std::vector<std::unique_ptr<Solver>> solvers_;   ///< [thread]
    std::vector<std::unique_ptr<Memory>> memories_;  ///< [world]
    std::vector<StepReport> reports_;                ///< [world]
    std::vector<double> sensors_;                    ///< [world][sensor_value_count]
    std::vector<Vec3> velocities_before_;            ///< [world][accelerometers_], before the last committed step
    State initial_;                                  ///< of one world
    Control initial_control_;                        ///< of one world
    State left_;                                     ///< as the engine last left the worlds, to see what was written
    std::vector<Error> warnings_;
    std::array<State, 2> starts_;  ///< of the last steps, even and odd; empty without accelerometers
    ThreadPool pool_;
};

}  // namespace rattleback
