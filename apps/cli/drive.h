// Drive: where a run starts and what its actuators are told: keyframe, table of inputs, noise.
#pragma once

#include "commands.h"
#include "control_file.h"

#include <rattleback/batch.h>

#include <optional>

namespace rattleback::cli
{

/// Inputs are functions of the moment (time, steps taken) alone: a run continued from a snapshot goes on as if it had
/// not been cut.
class Drive
{
public:
    Drive() = default;
    /// From --key, --control, --noise and --seed; every mistake at once.
    static Result<Drive> make(std::shared_ptr<const Model> model, const RunCommand& command, double dt);

    /// Takes the simulation, or every world, to the keyframe, if one was asked for.
    void start(Simulation& simulation) const;
    void start(Batch& batch) const;
    /// Do inputs change from step to step?
    bool is_active() const { return table_ || noise_ > 0; }
    /// Sets the inputs for the step that comes next.
    void apply(Simulation& simulation) const;
    void apply(Batch& batch) const;

    std::string key_name() const;  ///< "": none

private:
    void write(int world, double time, std::int64_t step, std::span<double> input) const;

    std::shared_ptr<const Model> model_;
    std::optional<int> key_;
    std::optional<ControlTable> table_;
    double noise_ = 0;  ///< standard deviation, as a fraction of half the input's range
    std::uint64_t seed_ = 0;
    double slack_ = 0;           ///< [s]
    std::vector<double> base_;   ///< inputs without table and noise
    std::vector<double> scale_;  ///< half of the inputs' ranges; 1 where unlimited
};

}  // namespace rattleback::cli
