// Motion: runs a simulation and shows it moving, sample by sample.
#pragma once

#include "lab/metrics/drift.h"
#include "sketch.h"

#include <functional>

namespace rattleback::cli
{

struct MotionOptions
{
    std::string label;  ///< in the progress bar
    std::int64_t steps = 0;
    int look_count = 1000;   ///< how often energy and momentum are looked at
    int row_count = 10;      ///< rows of the table besides the first
    int sketch_count = 0;    ///< instants to draw
    double sketch_span = 0;  ///< between the first and the last sketch [s]; 0: the whole run
    bool print = true;       ///< the table, while it runs
    bool quiet = false;      ///< no progress either
    /// Called before the first step and after every step, before the moment is recorded: sets the inputs of the next.
    std::function<void(Simulation&)> drive = nullptr;
    Recorder* recorder = nullptr;
    std::int64_t record_every = 1;  ///< steps from frame to frame; the first and last moment are always recorded
};

/// What the solver met, summed over many steps.
struct Effort
{
    std::int64_t steps = 0, contacts = 0, iterations = 0;
    double deepest_penetration = 0;  ///< [m]

    void add(const StepReport& report);  ///< steps are counted by the caller
    double mean_contacts() const { return steps > 0 ? static_cast<double>(contacts) / static_cast<double>(steps) : 0; }
    double mean_iterations() const
    {
        return steps > 0 ? static_cast<double>(iterations) / static_cast<double>(steps) : 0;
    }
};

/// What came out of a run.
struct Motion
{
    StepReport report;  ///< merged
    Effort effort;
    lab::Drift drift;
    lab::Conserved conserved;
    Energy first_energy, last_energy;
    Momentum first_momentum, last_momentum;
    std::int64_t steps = 0;  ///< committed
    double simulated = 0;    ///< [s]
    double cpu_seconds = 0;  ///< in steps alone, without looking
    std::vector<Sketch> sketches;
    std::vector<Error> record_errors;  ///< the run stops at the first

    double real_time_factor() const { return cpu_seconds > 0 ? simulated / cpu_seconds : 0; }
};

/// Runs and watches. `ignored` are the features that the solver leaves out.
Motion run_motion(Simulation& simulation, std::span<const Feature> ignored, const MotionOptions& options);

/// A drift for a table: "1.2e-08", or "-" for what the model does not conserve.
std::string drift_text(double drift, bool conserved);

}  // namespace rattleback::cli
