// Recursive Newton-Euler (Featherstone 2008, ch. 5.3) about one reference point per tree, so that no transforms are
// needed.
#include "dynamics/bias.h"

namespace rattleback
{

namespace
{

/// Velocity and acceleration of the base under a root body, at the root's centre of mass; gravity counts as
/// acceleration.
template <class T>
void start_tree(const TreeBody& body, Workspace<T>& w, Motion<T>& velocity, Motion<T>& acceleration)
{
    velocity = {};
    acceleration = {{}, -w.gravity};
    if (body.base < 0) return;

    const Vector3<T> r = w.center[body.body] - w.center[body.base];
    const Motion<T>& v = w.base_velocity[body.base];
    const Motion<T>& a = w.base_acceleration[body.base];
    velocity = {v.angular, v.linear + cross(v.angular, r)};
    const Vector3<T> point = a.linear + cross(a.angular, r) + cross(v.angular, cross(v.angular, r));
    acceleration.angular = a.angular;
    acceleration.linear += point - cross(v.angular, velocity.linear);
}

/// Adds the joints of one body to the motion of its parent.
template <class T>
void add_joints(const TreeBody& body, const Workspace<T>& w, Motion<T>& velocity, Motion<T>& acceleration)
{
    const Motion<T>* dof = w.dof.data();
    for (int j = body.joint_begin; j < body.joint_end; ++j)
    {
        const TreeJoint& joint = w.tree->joints[j];
        int d = joint.v;
        if (joint.type == JointType::hinge || joint.type == JointType::slide)
        {
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
        const Motion<T> rate = w.v[d] * dof[d] + w.v[d + 1] * dof[d + 1] + w.v[d + 2] * dof[d + 2];
        acceleration = acceleration + cross(velocity, rate);
        velocity = velocity + rate;
    }
}

}  // namespace

template <class T>
void compute_velocities(Workspace<T>& w)
{
    for (const TreeBody& body : w.tree->bodies)
    {
        Motion<T> velocity = w.velocity[body.parent], acceleration = w.acceleration[body.parent];
        if (body.on_base) start_tree(body, w, velocity, acceleration);
        add_joints(body, w, velocity, acceleration);
        w.velocity[body.body] = velocity;
        w.acceleration[body.body] = acceleration;
    }
}

template <class T>
void compute_bias(Workspace<T>& w)
{
    const Tree& tree = *w.tree;
    for (const TreeBody& body : tree.bodies)
    {
        const int b = body.body;
        const SpatialInertia<T>& inertia = w.inertia[b];
        w.force[b] = inertia * w.acceleration[b] + cross(w.velocity[b], inertia * w.velocity[b]);
    }
    for (auto body = tree.bodies.rbegin(); body != tree.bodies.rend(); ++body)
    {
        const Force<T>& force = w.force[body->body];
        for (int i = body->v_begin; i < body->v_end; ++i) w.bias[i] = dot(w.dof[i], force);
        if (!body->on_base) w.force[body->parent] = w.force[body->parent] + force;
    }
}

template void compute_velocities(Workspace<double>&);
template void compute_velocities(Workspace<Pack4>&);
template void compute_velocities(Workspace<DualPack>&);
template void compute_bias(Workspace<double>&);
template void compute_bias(Workspace<Pack4>&);
template void compute_bias(Workspace<DualPack>&);

}  // namespace rattleback
