// Workspaces for the scalars in use, and worlds moving in.
#include "dynamics/workspace.h"

#include <algorithm>

namespace rattleback
{

template <class T>
void load_world(WorkspaceView<T>& w, int lane, const ConstWorldView& world, const ControlView& control)
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

template struct Workspace<double>;
template struct Workspace<Pack4>;
template struct Workspace<DualPack>;
template void load_world(WorkspaceView<double>&, int, const ConstWorldView&, const ControlView&);
template void load_world(WorkspaceView<Pack4>&, int, const ConstWorldView&, const ControlView&);
template void load_world(WorkspaceView<float>&, int, const ConstWorldView&, const ControlView&);
template void load_world(WorkspaceView<Pack8>&, int, const ConstWorldView&, const ControlView&);

}  // namespace rattleback
