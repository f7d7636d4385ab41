// Forces of the medium on bodies: MuJoCo's two models, by the body's inertia box or by ellipsoids of its shapes.
#pragma once

#include "dynamics/fluid_force.h"

namespace rattleback
{

/// The parts of moving bodies on which the medium acts; empty without a medium.
std::vector<FluidPart> make_fluid_parts(const Model& model);

/// Adds the medium's forces to w.passive.
template <class T>
RB_HD void add_fluid_forces(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    for (const FluidPart& part : w.tree->fluid_parts)
    {
        // Relative velocity in the part's axes, the force there, and back to the world.
        const FluidMotion<T> motion = find_motion(w, part);
        const LocalForce<T> local = part_force(part, model.medium, motion.velocity, motion.spin);
        const Vector3<T> force = motion.axes * local.force, torque = motion.axes * local.torque;
        // Jᵀ of force and torque over the dofs that move the body.
        for (int d = model.bodies.last_dof[part.body]; d >= 0; d = model.dofs.parent[d])
        {
            const Motion<T>& dof = w.dof[d];
            w.passive[d] += dot(force, point_velocity(w, dof, part.body, motion.point)) + dot(torque, dof.angular);
        }
    }
}

#if !defined(__CUDACC__)  // compiled once, in fluid.cpp
extern template void add_fluid_forces(WorkspaceView<double>&);
extern template void add_fluid_forces(WorkspaceView<Pack4>&);
#endif

}  // namespace rattleback
