// One step of the smooth dynamics of one world, for every scalar, on the host and on a device.
#pragma once

#include "dynamics/fluid_derivative.h"
#include "dynamics/forces.h"
#include "dynamics/free_body.h"
#include "dynamics/integrate.h"

namespace rattleback
{

/// w.q, w.v and w.act after dt [s] of implicit Euler: (M - dt D) a = total force, D the forces' derivative by v.
/// w.mass_matrix is M - dt D afterwards.
template <class T>
RB_HD void take_smooth_step(WorkspaceView<T>& w, double dt)
{
    const NoTimer timer;
    compute_position_stage(w, timer);
    compute_velocity_stage(w, dt, timer);
    add_force_derivative<T>(w, -dt, w.mass_matrix);
    add_fluid_derivative<T>(w, -dt, w.mass_matrix);
    factor_mass_matrix(w);
    for (std::size_t d = 0; d < w.qacc.size(); ++d) w.qacc[d] = w.total[d];
    solve_in_place<T>(w, w.qacc);
    solve_lone_bodies<T>(w, dt, w.mass_matrix, w.total, w.qacc);
    for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] += T(dt) * w.qacc[d];
    advance_activations(w, dt);
    advance_positions<T>(*w.tree, w.v, dt, w.q);
}

}  // namespace rattleback
