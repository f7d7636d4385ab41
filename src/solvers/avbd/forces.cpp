// Controls as wrenches on groups and forces on dofs, then the actuators.
#include "solvers/avbd/forces.h"

#include "base/index.h"
#include "solvers/avbd/actuator_drives.h"
#include "solvers/avbd/actuator_wrenches.h"
#include "solvers/shared/adhesion.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

/// Wrenches on bodies and forces on joints by the control.
void add_controls(const Layout& layout, const StepInput& input, const std::vector<Body>& bodies, ExternalForces& forces)
{
    const Model& model = *layout.model;
    std::fill(forces.wrench.begin(), forces.wrench.end(), Wrench{});
    // wrenches act at the centres of mass of single bodies
    for (int b = 1; b < model.body_count(); ++b)
    {
        // a wrench acts at the centre of mass of its body, which need not be that of the group
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
        // a group without a link floats on a free joint: its six dof forces are a force and a torque
        if (!group.dynamic || group.link >= 0) continue;
        const int index = layout.group_of_body[at(group.body)];
        const double* f = &forces.dof_force[at(model.bodies.v_begin[at(group.body)])];
        if (std::all_of(f, f + 6, [](double value) { return value == 0; })) continue;
        // forces of a free joint act at the origin of the body's frame, torques in its own axes
        add_force(bodies, index, group_origin(layout, index, bodies), {f[0], f[1], f[2]},
                  rotate(bodies[at(index)].rotation, Vec3{f[3], f[4], f[5]}), forces.wrench);
    }
}

}  // namespace

ExternalForces::ExternalForces(const Layout& layout)
    : wrench(layout.groups.size()), dof_force(layout.model->dofs.body.size()), act(at(layout.model->act_count))
{
    // adhesion needs contacts: whether there is any is asked in every step
    for (const TransmissionType type : layout.model->actuators.transmission)
        adhesive = adhesive || type == TransmissionType::body;
    sticky = has_sticky_surfaces(*layout.model);
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

void find_external_forces(const Layout& layout, const StepInput& input, const WorldView& world, BlockWork& work,
                          ExternalForces& forces)
{
    const Model& model = *layout.model;
    // controls, then actuators on dofs and tendons (parts of their rows), then all others (wrenches)
    // activations advance in a copy; the world's are written at the end, if nothing diverged
    std::copy(world.act.begin(), world.act.end(), forces.act.begin());
    add_controls(layout, input, work.bodies, forces);
    const ActuatorStep step{layout, input, world, work.bodies, model.actuators};
    // inputs are remembered whether or not their actuators act; forces read those of before (world.act)
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const int h = model.actuators.history_begin[at(a)];
        if (h < 0) continue;
        record_input(step.actuators, a, input.control.input[at(a)], model.settings.dt, input.dt, &forces.act[at(h)]);
    }
    set_drives(step, work, forces);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (!drives_dof(model, a) && !drives_tendon(model, a) && !is_off(input, a))
            add_actuator_wrench(step, a, forces);
    }
}

}  // namespace rattleback::avbd
