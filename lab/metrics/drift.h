// Drift: how far energy and momentum wander from where they started, the lab's first measure of accuracy.
#pragma once

#include "lab/metrics/conserved.h"

#include <rattleback/simulation.h>

namespace rattleback::lab
{

/// Largest deviations seen over a run, as fractions.
struct Drift
{
    double energy = 0;  ///< of the first energy; where gravity or springs act, of the largest kinetic energy seen
    double linear = 0;  ///< |P - P0| as a fraction of sqrt(2 M K0), the most momentum that K0 could carry
    double angular =
        0;  ///< |L - L0| about the world's origin (or along Conserved::axis), of the sum over bodies of |L_i|
    std::int64_t sample_count = 0;
};

/// Watches one world of a simulation.
class DriftWatch
{
public:
    /// Starts from the state as it is now.
    explicit DriftWatch(const Simulation& simulation);

    /// Looks at the present state.
    void sample(const Simulation& simulation);
    Drift drift() const;

private:
    bool potential_ = false;  // is energy exchanged with gravity or springs?
    Vec3 axis_;               // zero: all of the angular momentum counts
    Energy first_energy_;
    Momentum first_momentum_;
    double largest_kinetic_ = 0;
    double linear_scale_ = 0, angular_scale_ = 0;
    double energy_error_ = 0, linear_error_ = 0, angular_error_ = 0;
    std::int64_t sample_count_ = 0;
};

/// A run of `seconds`, looked at every `sample_every` steps and at the end.
struct RunResult
{
    StepReport report;  ///< merged over the run
    Drift drift;
    std::int64_t steps = 0;  ///< that were committed
};
RunResult run_and_watch(Simulation& simulation, double seconds, int sample_every = 1);

/// True when every number of the state is finite.
bool is_finite(const State& state);

}  // namespace rattleback::lab
