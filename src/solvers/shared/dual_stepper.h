// Euler's methods and the midpoint rule in dual numbers: what Stepper does with `constrained` and `split`, with
// derivatives.
#pragma once

#include "dynamics/dual_stages.h"
#include "solvers/shared/integrators.h"

#include <string_view>
#include <vector>

namespace rattleback
{

/// Why DualStepper has no derivatives of such a step; empty: it has.
std::string_view find_dual_obstacle(const Tree& tree, Integrator integrator);

/// One stage of an integrator that find_dual_obstacle lets pass.
class DualStepper
{
public:
    explicit DualStepper(const StepperOptions& options) : options_(options) {}

    /// Whether coordinates move before the forces are looked at: then those of the rows follow q and v.
    bool is_midpoint() const { return options_.integrator == Integrator::midpoint; }
    /// q to where forces and rows are found.
    void move(Workspace<DualPack>& d, double dt);
    /// Position and velocity stages, then d.qacc and d.total of the smooth motion, and the factor of M in `d`.
    void find_acceleration(Workspace<DualPack>& d, double dt);
    /// v, act and q at the end of the step; d.qacc has the constraints in it, `force` [dof] are their joint forces.
    void integrate(Workspace<DualPack>& d, double dt, std::span<const DualPack> force);

private:
    using Numbers = std::vector<DualPack>;

    void find_euler_acceleration(Workspace<DualPack>& d, double dt);
    void find_midpoint_acceleration(Workspace<DualPack>& d, double dt);
    void factor_midpoint(Workspace<DualPack>& d, double dt);

    StepperOptions options_;
    Numbers system_, derivative_;         ///< in M's pattern
    Numbers start_v_, change_, product_;  ///< [dof] midpoint
};

}  // namespace rattleback
