// Allocation of workspaces, and worlds moving in.
#include "dynamics/workspace.h"

#include <algorithm>

namespace rattleback
{

template <class T>
Workspace<T>::Workspace(const Tree& source) : tree(&source)
{
    const Model& model = *source.model;
    const auto bodies = static_cast<std::size_t>(model.body_count());
    const auto dofs = static_cast<std::size_t>(model.v_count());
    const auto actuators = static_cast<std::size_t>(model.actuator_count());
    const auto tendons = static_cast<std::size_t>(model.tendon_count());

    q.resize(static_cast<std::size_t>(model.q_count()));
    act.resize(static_cast<std::size_t>(model.act_count));
    act_rate.resize(act.size());
    for (auto* list : {&v, &joint_force, &inverse_pivot, &bias, &passive, &actuation, &applied, &total, &qacc})
    {
        list->resize(dofs);
    }
    for (auto* list : {&input, &actuator_on, &actuator_length, &actuator_velocity, &actuator_force, &force_rate})
        list->resize(actuators);
    for (auto* list : {&tendon_length, &tendon_velocity, &tendon_force}) list->resize(tendons);
    for (auto* list : {&velocity, &acceleration, &base_velocity, &base_acceleration}) list->resize(bodies);
    for (auto* list : {&wrench, &force}) list->resize(bodies);
    for (auto* list : {&inertia, &composite}) list->resize(bodies);
    for (auto* list : {&position, &center}) list->resize(bodies);
    for (auto* list : {&anchor, &axis}) list->resize(source.joints.size());
    mass_matrix.resize(model.dofs.row_column.size());
    factor.resize(static_cast<std::size_t>(source.factor_begin.back()));
    turned.resize(source.joints.size());
    rotation.resize(bodies);
    matrix.resize(bodies);
    dof.resize(dofs);
    tendon_jacobian.resize(source.tendon.dof.size());
    moment.resize(source.moment.dof.size());
    place_static_bodies(*this);

    for (const double x : model.bodies.mass) mass.push_back(T(x));
    for (const Vec3& x : model.bodies.inertia) moments.push_back({T(x.x), T(x.y), T(x.z)});
    for (const auto& [linear, angular] : model.bodies.inverse_weight)
    {
        body_weight.push_back(T(linear));
        body_weight.push_back(T(angular));
    }
    for (const double x : model.dofs.inertia) dof_inertia.push_back(T(x));
    for (const double x : model.dofs.inverse_weight) dof_weight.push_back(T(x));
    for (const double x : model.tendons.inverse_weight) tendon_weight.push_back(T(x));
    const Vec3& g = model.settings.gravity;
    gravity = {T(g.x), T(g.y), T(g.z)};
    for (std::size_t a = 0; a < actuators; ++a)
    {
        for (const double x : model.actuators.gain[a]) force_law.push_back(T(x));
        for (const double x : model.actuators.bias[a]) force_law.push_back(T(x));
    }
}

template <class T>
void place_static_bodies(Workspace<T>& w)
{
    const Bodies& bodies = w.tree->model->bodies;
    w.matrix[0] = to_matrix(Quaternion<T>{});
    for (int b = 1; b < w.tree->model->body_count(); ++b)
    {
        if (bodies.last_dof[b] >= 0) continue;
        const int p = bodies.parent[b];
        const Pose& pose = bodies.pose[b];
        w.position[b] = w.position[p] + w.matrix[p] * pose.position;
        w.rotation[b] = w.rotation[p] * pose.rotation;
        w.matrix[b] = to_matrix(w.rotation[b]);
        w.center[b] = w.position[b] + w.matrix[b] * bodies.inertial_pose[b].position;
    }
}

template <class T>
void load_world(Workspace<T>& w, int lane, const ConstWorldView& world, const ControlView& control)
{
    for (std::size_t i = 0; i < w.q.size(); ++i) set_lane(w.q[i], lane, world.q[i]);
    for (std::size_t i = 0; i < w.v.size(); ++i) set_lane(w.v[i], lane, world.v[i]);
    for (std::size_t i = 0; i < w.act.size(); ++i) set_lane(w.act[i], lane, world.act[i]);
    for (std::size_t i = 0; i < w.input.size(); ++i) set_lane(w.input[i], lane, control.input[i]);
    for (std::size_t i = 0; i < w.v.size(); ++i) set_lane(w.joint_force[i], lane, control.joint_force[i]);

    // Switches are looked at only while one of them is off.
    if (lane == 0) w.has_off = false;
    const auto is_off = [](int active) { return active == 0; };
    w.has_off = w.has_off || std::any_of(control.actuator_active.begin(), control.actuator_active.end(), is_off);
    for (std::size_t a = 0; a < control.actuator_active.size(); ++a)
        set_lane(w.actuator_on[a], lane, is_off(control.actuator_active[a]) ? 0.0 : 1.0);

    bool pushed = false;
    for (const Wrench& wrench : control.body_wrench) pushed = pushed || !(wrench == Wrench{});
    if (lane == 0) w.has_wrench = false;
    if (!pushed && !w.has_wrench) return;
    if (!w.has_wrench) std::fill(w.wrench.begin(), w.wrench.end(), Force<T>{});
    w.has_wrench = true;
    for (std::size_t b = 0; b < w.wrench.size(); ++b)
    {
        for (int k = 0; k < 3; ++k)
        {
            set_lane(w.wrench[b].force[k], lane, control.body_wrench[b].force[k]);
            set_lane(w.wrench[b].torque[k], lane, control.body_wrench[b].torque[k]);
        }
    }
}

template <class T>
void load_parameters(Workspace<T>& w, int lane, const ParameterView& parameters)
{
    for (std::size_t k = 0; k < parameters.gravity.size(); ++k)
        set_lane(w.gravity[static_cast<int>(k)], lane, parameters.gravity[k]);
    const auto load = [&](std::span<const double> values, std::vector<T>& list)
    {
        for (std::size_t i = 0; i < values.size(); ++i) set_lane(list[i], lane, values[i]);
    };
    load(parameters.gain, w.force_law);
    const MassView& mass = parameters.mass;
    w.own_mass = !mass.mass.empty();
    load(mass.mass, w.mass);
    for (std::size_t i = 0; i < mass.moments.size(); ++i)
        set_lane(w.moments[i / 3][static_cast<int>(i % 3)], lane, mass.moments[i]);
    load(mass.body_weight, w.body_weight);
    load(mass.dof_inertia, w.dof_inertia);
    load(mass.dof_weight, w.dof_weight);
    load(mass.tendon_weight, w.tendon_weight);
}

template struct Workspace<double>;
template struct Workspace<Pack4>;
template struct Workspace<DualPack>;
template void load_world(Workspace<double>&, int, const ConstWorldView&, const ControlView&);
template void load_world(Workspace<Pack4>&, int, const ConstWorldView&, const ControlView&);
template void load_parameters(Workspace<double>&, int, const ParameterView&);
template void load_parameters(Workspace<Pack4>&, int, const ParameterView&);
template void place_static_bodies(Workspace<double>&);
template void place_static_bodies(Workspace<Pack4>&);
template void place_static_bodies(Workspace<DualPack>&);

}  // namespace rattleback
