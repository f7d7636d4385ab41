// Worlds moving into the lanes of a workspace, for any scalar.
#pragma once

#include "dynamics/workspace.h"

#include "math/zero.h"

#include <algorithm>

namespace rattleback
{

/// One lane of an array: worlds of a pack lie beside each other.
template <class T>
void fill_lane(Slice<T>& array, int lane, std::span<const double> values)
{
    T* const items = array.data();
    const double* const from = values.data();
    const std::size_t count = array.size();
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) set_lane(items[i], lane, from[i]);
}

template <class T>
void load_world(WorkspaceView<T>& w, int lane, const ConstWorldView& world, const ControlView& control)
{
    fill_lane(w.q, lane, world.q);
    fill_lane(w.v, lane, world.v);
    fill_lane(w.act, lane, world.act);
    fill_lane(w.input, lane, control.input);
    fill_lane(w.joint_force, lane, control.joint_force);

    // Switches are looked at only while one of them is off.
    // The first lane of a pack clears what the last pack left.
    if (lane == 0) w.has_off = false;
    const auto is_off = [](int active) { return active == 0; };
    w.has_off = w.has_off || std::any_of(control.actuator_active.begin(), control.actuator_active.end(), is_off);
    for (std::size_t a = 0; a < control.actuator_active.size(); ++a)
        // As a number: masks are compared per lane.
        set_lane(w.actuator_on[a], lane, is_off(control.actuator_active[a]) ? 0.0 : 1.0);

    // Wrenches are dense over bodies: zeros are neither written nor summed as long as no world has one.
    const bool pushed = !are_zero<Wrench>(control.body_wrench);
    if (lane == 0) w.has_wrench = false;
    if (!pushed && !w.has_wrench) return;
    // Lanes loaded before this one had none: zeros for them.
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
void load_parameters(WorkspaceView<T>& w, int lane, const ParameterView& parameters)
{
    // An empty list leaves the Model's value; lists are all or nothing.
    for (std::size_t k = 0; k < parameters.gravity.size(); ++k)
        set_lane(w.gravity[0][static_cast<int>(k)], lane, parameters.gravity[k]);
    const auto load = [&](std::span<const double> values, Slice<T>& list)
    {
        for (std::size_t i = 0; i < values.size(); ++i) set_lane(list[i], lane, values[i]);
        // Only this lane: others keep the Model's or their own.
    };
    load(parameters.gain, w.force_law);
    const MassView& mass = parameters.mass;
    w.own_mass = !mass.mass.empty();
    load(mass.mass, w.mass);
    for (std::size_t i = 0; i < mass.moments.size(); ++i)
        // Three numbers per body.
        set_lane(w.moments[i / 3][static_cast<int>(i % 3)], lane, mass.moments[i]);
    load(mass.body_weight, w.body_weight);
    load(mass.dof_inertia, w.dof_inertia);
    load(mass.dof_weight, w.dof_weight);
    load(mass.tendon_weight, w.tendon_weight);
}

}  // namespace rattleback
