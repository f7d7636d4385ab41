// Recursive Newton-Euler (Featherstone 2008, ch. 5.3) about one reference point per tree, so that no transforms are
// needed: body velocities, and the forces that motion and gravity ask of the joints.
#pragma once

#include "base/flatten.h"
#include "dynamics/workspace.h"

namespace rattleback
{

// Equations of motion M(q) a + c(q, v) = tau. With a = 0 the inverse dynamics are c itself: velocities and
// accelerations are carried from the root to the leaves, forces back to the root. Motions and forces of a tree are
// given about one point (the centre of mass of its root body), so that a child's vector is added to its parent's as it
// is.

/// Velocity and acceleration of the base under a root body, at the root's centre of mass; gravity counts as
/// acceleration.
template <class T>
RB_HD void start_tree(const TreeBody& body, WorkspaceView<T>& w, Motion<T>& velocity, Motion<T>& acceleration)
{
    velocity = {};
    // A base that accelerates upwards with g is as good as gravity downwards (Featherstone 2008, ch. 5.3), and costs
    // nothing further down the tree.
    acceleration = {{}, -w.gravity[0]};
    if (body.base < 0) return;

    // From the kinematic body's centre of mass to the tree's reference point.
    const Vector3<T> r = w.center[body.body] - w.center[body.base];
    const Motion<T>& v = w.base_velocity[body.base];
    const Motion<T>& a = w.base_acceleration[body.base];
    velocity = {v.angular, v.linear + cross(v.angular, r)};
    // Acceleration of the material point, alpha x r + omega x (omega x r) included.
    const Vector3<T> point = a.linear + cross(a.angular, r) + cross(v.angular, cross(v.angular, r));
    acceleration.angular = a.angular;
    // A spatial acceleration is that of the point passing by: the material one less omega x v.
    acceleration.linear += point - cross(v.angular, velocity.linear);
}

/// Adds the joints of one body to the motion of its parent: v_i = v_p + S_i q'_i, a_i = a_p + v_i x S_i q'_i (joint
/// accelerations zero).
template <class T>
RB_HD void add_joints(const TreeBody& body, const WorkspaceView<T>& w, Motion<T>& velocity, Motion<T>& acceleration)
{
    // One joint after the other: each sees the velocity that the joints before it have reached.
    const Motion<T>* dof = w.dof.data();
    for (int j = body.joint_begin; j < body.joint_end; ++j)
    {
        const TreeJoint& joint = w.tree->joints[j];
        int d = joint.v;
        if (joint.type == JointType::hinge || joint.type == JointType::slide)
        {
            // A single axis S that moves with the body before the joint: S' q' = v x S q'.
            const Motion<T> rate = w.v[d] * dof[d];
            acceleration = acceleration + cross(velocity, rate);
            velocity = velocity + rate;
            continue;
        }
        if (joint.type == JointType::free)
        {
            velocity.linear += Vector3<T>{w.v[d], w.v[d + 1], w.v[d + 2]};  // fixed axes: no velocity product
            d += 3;
        }
        // Ball: three body axes at once. v x S q' with the v before the joint is right, as S q' x S q' vanishes.
        const Motion<T> rate = w.v[d] * dof[d] + w.v[d + 1] * dof[d + 1] + w.v[d + 2] * dof[d + 2];
        acceleration = acceleration + cross(velocity, rate);
        velocity = velocity + rate;
    }
}

/// v -> velocity, acceleration (velocity products, gravity, motion of kinematic bases): the outward pass.
template <class T>
RB_FLATTEN RB_HD void compute_velocities(WorkspaceView<T>& w)
{
    // Parents first. Spatial vectors of a tree share one reference point, so that no transform stands between them.
    for (const TreeBody& body : w.tree->bodies)
    {
        Motion<T> velocity = w.velocity[body.parent], acceleration = w.acceleration[body.parent];
        if (body.on_base) start_tree(body, w, velocity, acceleration);
        add_joints(body, w, velocity, acceleration);
        w.velocity[body.body] = velocity;
        w.acceleration[body.body] = acceleration;
    }
}

/// velocity, acceleration, inertia -> force, bias: M a + bias = applied forces. The inward pass.
template <class T>
RB_FLATTEN RB_HD void compute_bias(WorkspaceView<T>& w)
{
    const TreeView& tree = *w.tree;
    // f_i = I_i a_i + v_i x* I_i v_i: Newton's and Euler's law of each body.
    for (const TreeBody& body : tree.bodies)
    {
        const int b = body.body;
        const SpatialInertia<T>& inertia = w.inertia[b];
        w.force[b] = inertia * w.acceleration[b] + cross(w.velocity[b], inertia * w.velocity[b]);
    }
    // Leaves to root: tau_i = S_iᵀ f_i, and the parent carries what its child needs.
    for (std::size_t k = tree.bodies.size(); k-- > 0;)
    {
        const TreeBody& body = tree.bodies[k];
        const Force<T>& force = w.force[body.body];
        // Virtual work: the force that the subtree needs, along the axis of the joint.
        for (int i = body.v_begin; i < body.v_end; ++i) w.bias[i] = dot(w.dof[i], force);
        if (!body.on_base) w.force[body.parent] = w.force[body.parent] + force;
    }
}

#if !defined(__CUDACC__)  // compiled once, in bias.cpp
extern template void compute_velocities(WorkspaceView<double>&);
extern template void compute_velocities(WorkspaceView<Pack4>&);
extern template void compute_velocities(WorkspaceView<DualPack>&);
extern template void compute_bias(WorkspaceView<double>&);
extern template void compute_bias(WorkspaceView<Pack4>&);
extern template void compute_bias(WorkspaceView<DualPack>&);
#endif

}  // namespace rattleback
