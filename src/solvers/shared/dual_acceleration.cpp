// Euler's methods in dual numbers.
#include "solvers/shared/dual_acceleration.h"

#include "dynamics/forces.h"
#include "dynamics/free_body.h"
#include "dynamics/mass_matrix.h"

#include <algorithm>

namespace rattleback
{

bool has_dual_acceleration(const Tree& tree, Integrator integrator)
{
    // Springs that yield change at the end of a step; the medium's own derivative has none of its own here.
    const bool yields = !tree.yielding_joints.empty() || !tree.yielding_tendons.empty();
    const bool fast = integrator == Integrator::implicitfast;
    return !yields && (integrator == Integrator::euler || (fast && tree.fluid_parts.empty()));
}

void find_dual_acceleration(Workspace<DualPack>& d, const StepperOptions& options, double dt,
                            std::vector<DualPack>& system)
{
    const TreeView& tree = *d.tree;
    const DofsView& dofs = tree.arrays.dofs;
    const bool fast = options.integrator == Integrator::implicitfast;
    system.assign(d.mass_matrix.begin(), d.mass_matrix.end());
    if (fast && tree.velocity_forces) add_force_derivative<DualPack>(d, -dt, system);
    if (!fast && tree.damped && options.implicit_damping)
    {
        for (std::size_t i = 0; i < d.v.size(); ++i)
            system[dofs.row_begin[i + 1] - 1] += DualPack(dt * dofs.damping[i]);
        if (tree.curved) add_curved_derivative<DualPack>(d, dt, system);
    }
    // (M - h D) a = tau - c; lone bodies with implicit gyroscopic forces; then the factor of M for the constraints.
    factor_matrix<DualPack>(d, system);
    std::copy(d.total.begin(), d.total.end(), d.qacc.begin());
    solve_in_place<DualPack>(d, d.qacc);
    if (fast) solve_lone_bodies<DualPack>(d, dt, system, d.total, d.qacc, false);
    factor_mass_matrix(d);
}

}  // namespace rattleback
