// The integrators of `smooth`: one step of one world (T = double) or of a pack of worlds (T = Pack4).
#pragma once

#include "base/stage_timer.h"
#include "dynamics/integrate.h"

namespace rattleback::smooth
{

/// Scratch of the integrators beside the workspace.
template <class T>
struct IntegratorScratch
{
    explicit IntegratorScratch(const Tree& tree);

    std::vector<T> start_q, start_v, start_act;
    std::vector<T> rate_v, rate_a, rate_act;              ///< of the present stage
    std::vector<T> sum_v, sum_a, sum_act;                 ///< weighted over the stages
    std::vector<T> displacement;                          ///< of q, as a velocity
    std::vector<T> system;                                ///< M with implicit terms, in M's pattern
    std::vector<T> derivative;                            ///< midpoint: of forces with respect to v, in M's pattern
    std::vector<T> product;                               ///< midpoint: derivative times the change of v
    std::vector<double> damping_weight;                   ///< midpoint: theta of each dof, see README
    double damping_weight_dt = -1;                        ///< dt they belong to
    std::vector<KinematicMotion> motions[kLaneCount<T>];  ///< of kinematic bodies
};

/// Moves w.q, w.v, w.act forward by dt [s].
template <class T>
void advance(Integrator integrator, double dt, Workspace<T>& w, IntegratorScratch<T>& scratch, StageTimer& timer);

}  // namespace rattleback::smooth
