// Dual numbers in and out of the stages.
#include "dynamics/dual_stages.h"

#include "base/index.h"
#include "dynamics/forces.h"
#include "dynamics/integrate.h"

#include <algorithm>

namespace rattleback
{

namespace
{

Vector3<DualPack> to_dual(const Vec3& x) { return {x.x, x.y, x.z}; }
Motion<DualPack> to_dual(const Motion<double>& m) { return {to_dual(m.angular), to_dual(m.linear)}; }

/// Poses of bases do not depend on q.
void copy_base(int b, const Workspace<double>& w, Workspace<DualPack>& d)
{
    const std::size_t i = at(b);
    d.position[i] = to_dual(w.position[i]);
    d.center[i] = to_dual(w.center[i]);
    const Quat& r = w.rotation[i];
    d.rotation[i] = {r.w, r.x, r.y, r.z};
    d.matrix[i] = to_matrix(d.rotation[i]);
    d.base_velocity[i] = to_dual(w.base_velocity[i]);
    d.base_acceleration[i] = to_dual(w.base_acceleration[i]);
}

}  // namespace

void seed_direction(const Model& model, int dof, std::span<const double> q, std::span<double> rate)
{
    const int joint = model.dofs.joint[at(dof)];
    const JointType type = model.joints.type[at(joint)];
    int axis = dof - model.joints.v_begin[at(joint)];
    int first = model.joints.q_begin[at(joint)];
    // One dof moves, all others rest.
    std::fill(rate.begin(), rate.end(), 0.0);
    if (type == JointType::hinge || type == JointType::slide || (type == JointType::free && axis < 3))
    {
        // A coordinate that is its own velocity: q' = v.
        rate[at(first + axis)] = 1;
        return;
    }
    // A free joint has its position first, its quaternion behind.
    if (type == JointType::free)
    {
        axis -= 3;
        first += 3;
    }
    // A turn about a body axis: q' = q (0, axis) / 2.
    Vec3 direction;
    direction[axis] = 0.5;
    // Quaternions of q need not be unit: the tangent is taken at the normalised one.
    const Quat now = normalized(Quat{q[at(first)], q[at(first + 1)], q[at(first + 2)], q[at(first + 3)]});
    const Quat turn = now * Quat{0, direction.x, direction.y, direction.z};
    const double values[] = {turn.w, turn.x, turn.y, turn.z};
    std::copy_n(values, 4, rate.begin() + first);
}

void copy_inputs(const Tree& tree, const Workspace<double>& w, Workspace<DualPack>& d)
{
    // Constants have rate zero by construction.
    const auto copy = [](const Slice<double>& from, Slice<DualPack>& to)
    {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    };
    copy(w.q, d.q);
    copy(w.v, d.v);
    copy(w.act, d.act);
    copy(w.input, d.input);
    copy(w.joint_force, d.joint_force);
    copy(w.actuator_on, d.actuator_on);
    d.has_off = w.has_off;
    d.has_wrench = w.has_wrench;
    for (std::size_t b = 0; b < w.wrench.size(); ++b)
        d.wrench[b] = {to_dual(w.wrench[b].torque), to_dual(w.wrench[b].force)};
    // Gravity, masses and gains, the Model's or a world's own.
    d.gravity[0] = to_dual(w.gravity[0]);
    copy(w.mass, d.mass);
    for (std::size_t b = 0; b < w.moments.size(); ++b) d.moments[b] = to_dual(w.moments[b]);
    copy(w.force_law, d.force_law);
    copy(w.body_weight, d.body_weight);
    copy(w.dof_inertia, d.dof_inertia);
    copy(w.dof_weight, d.dof_weight);
    copy(w.tendon_weight, d.tendon_weight);
    for (const int b : tree.kinematic_bodies) copy_base(b, w, d);
    for (const int b : tree.fixed_on_base) copy_base(b, w, d);
}

void compute_dual_stages(WorkspaceView<DualPack>& d, double dt)
{
    NoTimer timer;
    compute_position_stage(d, timer);
    compute_velocity_stage(d, dt, timer);
}

void advance_dual(WorkspaceView<DualPack>& d, double dt)
{
    advance_activations(d, dt);
    advance_positions<DualPack>(*d.tree, d.v, dt, d.q);
}

}  // namespace rattleback
