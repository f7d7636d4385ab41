// Stability: one wild scene with one solver, and what became of it - diverged, not converged, more energy than it had.
#pragma once

#include "lab/scenes/wild.h"

#include <rattleback/simulation.h>

namespace rattleback::lab
{

struct StabilityRun
{
    StepStatus status = StepStatus::ok;  ///< the worst
    std::int64_t steps = 0;              ///< that were committed
    std::int64_t unsettled = 0;          ///< steps that ended not_converged
    std::int64_t divided = 0;            ///< steps that were taken in parts (StepReport::substeps)
    double start = 0, highest = 0;       ///< mechanical energy [J]
    double scale = 0;    ///< energy that was at hand: the start, from the lowest potential energy on; at least that of
                         ///< a fall by one metre [J]
    double stored = 0;   ///< that overlaps and limits may give at the start [J]
    double removed = 0;  ///< StepReport::removed_energy, summed [J]
    std::int64_t trimmed = 0;  ///< steps that lost a little energy and converged
    std::int64_t slowed = 0;   ///< steps that lost energy and did not
    double linear = 0;  ///< largest change of momentum, over sqrt(2 m E): of all mass, with the energy and store of the
                        ///< start. Means nothing but adrift
    double angular = 0;   ///< the same about the centre of mass, over that times the radius of gyration of the start
    std::string trouble;  ///< Simulation::explain of the step that diverged

    bool diverged() const { return status >= StepStatus::diverged; }
    /// Energy above the start and the store of the first overlaps, over what was at hand.
    double gain() const { return scale > 0 ? (highest - start - stored) / scale : 0; }
};

/// The most that bodies which overlap at the start, and limits that exclude it, can give: of each a spring that takes
/// back a 36th of the overlap per step (solvers/shared, "Softness": rigid), and the lift out of it.
double find_stored_energy(const Simulation& simulation);

/// Up to `steps` steps.
Result<StabilityRun> run_wild(std::uint64_t seed, const WildOptions& options, const SimulationOptions& simulation,
                              std::int64_t steps);

}  // namespace rattleback::lab
