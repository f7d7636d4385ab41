// Actuators and controls as drives of dofs and wrenches on groups.
#include "solvers/avbd/forces.h"

#include "base/index.h"
#include "dynamics/actuator_law.h"
#include "dynamics/joint_frame.h"
#include "math/rotation.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rattleback::avbd
{

namespace
{

bool drives_dof(const Model& model, int actuator)
{
    // balls and free joints have several dofs: those get wrenches
    const TransmissionType t = model.actuators.transmission[at(actuator)];
    if (t != TransmissionType::joint && t != TransmissionType::joint_in_parent) return false;
    const JointType type = model.joints.type[at(model.actuators.target[at(actuator)])];
    return type == JointType::hinge || type == JointType::slide;
}

bool drives_tendon(const Model& model, int actuator)
{
    return model.actuators.transmission[at(actuator)] == TransmissionType::tendon;
}

bool is_off(const StepInput& input, int actuator) { return input.control.actuator_active[at(actuator)] == 0; }

/// Gain and bias, the world's own or the Model's.
ForceLaw<double> find_force_law(const Model& model, int a, std::span<const double> own)
{
    if (!own.empty()) return {&own[6 * at(a)], &own[6 * at(a) + 3]};
    return {model.actuators.gain[at(a)].data(), model.actuators.bias[at(a)].data()};
}

/// Force of an actuator without its range: constant + slope length + damping velocity; and the next activation.
Drive find_drive(const Model& model, int a, const StepInput& input, const WorldView& world, std::vector<double>& act)
{
    // control, then the activation that it drives, then force = gain (drive) + bias, affine in length and velocity
    const ActuatorsView actuators(model.actuators);
    const int s = actuators.act_begin[at(a)];
    const double now = s >= 0 ? world.act[at(s)] : 0;
    const ActuatorDrive<double> drive = find_actuator_drive(actuators, a, input.control.input[at(a)], now, input.dt);
    if (s >= 0) act[at(s)] = next_activation(actuators, a, now, drive.act_rate, input.dt);
    const AffineForce<double> force = find_affine_force(find_force_law(model, a, input.parameters.gain), drive.value);
    return {force.constant, force.slope, force.damping, 0, 0};
}

Vec3 group_origin(const Layout& layout, int group, const std::vector<Body>& bodies)
{
    return bodies[at(group)].center - rotate(bodies[at(group)].rotation, layout.groups[at(group)].center);
}

void add_force(const std::vector<Body>& bodies, int group, const Vec3& point, const Vec3& force, const Vec3& torque,
               std::vector<Wrench>& wrenches)
{
    wrenches[at(group)].force += force;
    wrenches[at(group)].torque += torque + cross(point - bodies[at(group)].center, force);
}

/// An actuator on a site: a wrench in the site's axes, that feels the site's velocity.
void add_site(const Layout& layout, int a, const Drive& drive, const std::vector<Body>& bodies,
              std::vector<Wrench>& wrenches)
{
    const Model& model = *layout.model;
    // the site on its rigid group, in the world
    const int site = model.actuators.target[at(a)];
    const int group = layout.group_of_body[at(model.sites.body[at(site)])];
    if (!layout.groups[at(group)].dynamic) return;
    const Body& body = bodies[at(group)];
    const Pose pose = Pose{group_origin(layout, group, bodies), body.rotation} *
                      (layout.in_group[at(model.sites.body[at(site)])] * model.sites.pose[at(site)]);
    // gear: a force and a torque in the site's axes
    const auto& gear = model.actuators.gear[at(a)];
    const Vec3 along = rotate(pose.rotation, Vec3{gear[0], gear[1], gear[2]});
    const Vec3 about = rotate(pose.rotation, Vec3{gear[3], gear[4], gear[5]});
    // explicit: the force is taken at the velocities of the start
    const Vec3 velocity = body.velocity.linear + cross(body.velocity.angular, pose.position - body.center);
    const double rate = dot(along, velocity) + dot(about, body.velocity.angular);
    const double force = clamp_to(model.actuators.force_range[at(a)], drive.constant + drive.damping * rate);
    add_force(bodies, group, pose.position, force * along, force * about, wrenches);
}

/// An actuator on a ball or a free joint.
void add_turner(const Layout& layout, int a, const Drive& drive, const WorldView& world,
                const std::vector<Body>& bodies, std::vector<Wrench>& wrenches)
{
    const Model& model = *layout.model;
    const int joint = model.actuators.target[at(a)];
    const int body = model.joints.body[at(joint)];
    const int group = layout.group_of_body[at(body)];
    const bool free = model.joints.type[at(joint)] == JointType::free;
    const auto& gear = model.actuators.gear[at(a)];
    const auto first = at(free ? 3 : 0);
    // moment arm in the body's axes, and the length that a ball's rotation vector has along it
    const auto [torque, length] = find_turning_moment(
        model.actuators, a, free, unit_quaternion(&world.q[at(model.joints.q_begin[at(joint)]) + first]));
    const double* v = &world.v[at(model.joints.v_begin[at(joint)])];
    double rate = dot(torque, Vec3{v[first], v[first + 1], v[first + 2]});
    if (free) rate += dot(Vec3{gear[0], gear[1], gear[2]}, Vec3{v[0], v[1], v[2]});
    const double force =
        clamp_to(model.actuators.force_range[at(a)], drive.constant + drive.slope * length + drive.damping * rate);
    const Vec3 turning = force * rotate(bodies[at(group)].rotation, torque);
    // a free joint pushes its body alone, a ball its parent as well
    if (free)
    {
        add_force(bodies, group, group_origin(layout, group, bodies), force * Vec3{gear[0], gear[1], gear[2]}, turning,
                  wrenches);
        return;
    }
    wrenches[at(group)].torque += turning;
    const int parent = layout.group_of_body[at(model.bodies.parent[at(body)])];
    if (layout.groups[at(parent)].dynamic) wrenches[at(parent)].torque -= turning;
}

/// An actuator on a hinge, slide or tendon: force along it = gear * force, length = gear * q.
Drive find_dof_drive(const Model& model, int a, const StepInput& input, const WorldView& world,
                     std::vector<double>& act)
{
    const double most = std::numeric_limits<double>::infinity();
    if (is_off(input, a)) return {0, 0, 0, -most, most};
    // the coordinate sees the law through the gear, squared where the law looks at the coordinate
    const double gear = model.actuators.gear[at(a)][0];
    Drive drive = find_drive(model, a, input, world, act);
    drive.constant *= gear;
    drive.slope *= gear * gear;
    drive.damping *= gear * gear;
    // bounds of the force along the coordinate; a negative gear exchanges them
    const Range& range = model.actuators.force_range[at(a)];
    drive.lower = range.limited ? std::min(gear * range.lower, gear * range.upper) : -most;
    drive.upper = range.limited ? std::max(gear * range.lower, gear * range.upper) : most;
    return drive;
}

/// Wrenches on bodies and forces on joints by the control.
void add_controls(const Layout& layout, const StepInput& input, const std::vector<Body>& bodies, ExternalForces& forces)
{
    const Model& model = *layout.model;
    std::fill(forces.wrench.begin(), forces.wrench.end(), Wrench{});
    // wrenches act at the centres of mass of single bodies
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Wrench& wrench = input.control.body_wrench[at(b)];
        const int group = layout.group_of_body[at(b)];
        if (!layout.groups[at(group)].dynamic || wrench == Wrench{}) continue;
        const Vec3 center = group_origin(layout, group, bodies) +
                            rotate(bodies[at(group)].rotation, layout.in_group[at(b)].position +
                                                                   rotate(layout.in_group[at(b)].rotation,
                                                                          model.bodies.inertial_pose[at(b)].position));
        add_force(bodies, group, center, wrench.force, wrench.torque, forces.wrench);
    }
    // forces on the dofs of links enter their rows; those on free joints are wrenches
    std::copy(input.control.joint_force.begin(), input.control.joint_force.end(), forces.dof_force.begin());
    for (const RigidGroup& group : layout.groups)
    {
        if (!group.dynamic || group.link >= 0) continue;
        const int index = layout.group_of_body[at(group.body)];
        const double* f = &forces.dof_force[at(model.bodies.v_begin[at(group.body)])];
        if (std::all_of(f, f + 6, [](double value) { return value == 0; })) continue;
        add_force(bodies, index, group_origin(layout, index, bodies), {f[0], f[1], f[2]},
                  rotate(bodies[at(index)].rotation, Vec3{f[3], f[4], f[5]}), forces.wrench);
    }
}

/// The actuators sorted by the coordinate that they drive: index_of(actuator), -1: none.
template <class Index>
Drives sort_drives(const Model& model, int coordinate_count, Index index_of)
{
    Drives drives;
    // counting sort by coordinate
    drives.begin.assign(at(coordinate_count) + 1, 0);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (index_of(a) >= 0) ++drives.begin[at(index_of(a)) + 1];
    }
    std::partial_sum(drives.begin.begin(), drives.begin.end(), drives.begin.begin());
    drives.actuator.resize(at(drives.begin.back()));
    std::vector<int> next = drives.begin;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (index_of(a) >= 0) drives.actuator[at(next[at(index_of(a))]++)] = a;
    }
    drives.items.resize(drives.actuator.size());
    return drives;
}

}  // namespace

Drives make_drives(const Model& model)
{
    return sort_drives(model, model.v_count(),
                       [&](int a)
                       {
                           const auto target = at(model.actuators.target[at(a)]);
                           return drives_dof(model, a) ? model.joints.v_begin[target] : -1;
                       });
}

Drives make_tendon_drives(const Model& model)
{
    return sort_drives(model, model.tendon_count(),
                       [&](int a) { return drives_tendon(model, a) ? model.actuators.target[at(a)] : -1; });
}

ExternalForces::ExternalForces(const Layout& layout)
    : wrench(layout.groups.size()), dof_force(layout.model->dofs.body.size()), act(at(layout.model->act_count))
{
}

void find_external_forces(const Layout& layout, const StepInput& input, const WorldView& world,
                          const std::vector<Body>& bodies, Drives& drives, Drives& tendon_drives,
                          ExternalForces& forces)
{
    const Model& model = *layout.model;
    // controls, then actuators on dofs and tendons (in their rows), then all others (wrenches)
    std::copy(world.act.begin(), world.act.end(), forces.act.begin());
    add_controls(layout, input, bodies, forces);
    for (Drives* all : {&drives, &tendon_drives})
    {
        for (std::size_t d = 0; d < all->items.size(); ++d)
            all->items[d] = find_dof_drive(model, all->actuator[d], input, world, forces.act);
    }
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (drives_dof(model, a) || drives_tendon(model, a) || is_off(input, a)) continue;
        const Drive drive = find_drive(model, a, input, world, forces.act);
        if (model.actuators.transmission[at(a)] == TransmissionType::site)
            add_site(layout, a, drive, bodies, forces.wrench);
        else
            add_turner(layout, a, drive, world, bodies, forces.wrench);
    }
}

}  // namespace rattleback::avbd
