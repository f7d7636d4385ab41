// Copies of one world, and what was written to it.
#include "engine/world_arrays.h"

#include <cstring>

namespace rattleback
{

namespace
{

template <class From, class To>
void copy_items(const From& from, const To& to)
{
    std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

void copy_world(const State& from, int from_world, State& to, int to_world)
{
    const ConstWorldView source = from.world(from_world);
    const WorldView target = to.world(to_world);
    copy_items(source.q, target.q);
    copy_items(source.v, target.v);
    copy_items(source.act, target.act);
    copy_items(source.body_pose, target.body_pose);
    copy_items(source.body_velocity, target.body_velocity);
    to.time[at(to_world)] = from.time[at(from_world)];
    to.step[at(to_world)] = from.step[at(from_world)];
}

void copy_world(const Control& from, int from_world, Control& to, int to_world)
{
    const ControlView source = from.world(from_world);
    copy_items(source.input, slice(to.input, to_world, to.actuator_count));
    copy_items(source.joint_force, slice(to.joint_force, to_world, to.v_count));
    copy_items(source.body_wrench, slice(to.body_wrench, to_world, to.body_count));
    copy_items(source.target, slice(to.target, to_world, to.kinematic_count));
    copy_items(source.actuator_active, slice(to.actuator_active, to_world, to.actuator_count));
    copy_items(source.equality_active, slice(to.equality_active, to_world, to.equality_count));
    copy_items(source.surface_velocity, slice(to.surface_velocity, to_world, to.shape_count));
}

bool is_there(const ControlView& taken, const ControlView& now)
{
    return taken.input.data() == now.input.data() && taken.joint_force.data() == now.joint_force.data() &&
           taken.body_wrench.data() == now.body_wrench.data() && taken.target.data() == now.target.data() &&
           taken.actuator_active.data() == now.actuator_active.data() &&
           taken.equality_active.data() == now.equality_active.data() &&
           taken.surface_velocity.data() == now.surface_velocity.data();
}

bool is_there(const ConstWorldView& taken, const ConstWorldView& now)
{
    return taken.q.data() == now.q.data() && taken.v.data() == now.v.data() && taken.act.data() == now.act.data() &&
           taken.body_pose.data() == now.body_pose.data() && taken.body_velocity.data() == now.body_velocity.data();
}

Written find_written(const State& state, const State& left, int world)
{
    const auto same = [](const auto& a, const auto& b)  // bit for bit, so that NaN equals itself
    { return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0; };
    const ConstWorldView now = state.world(world), before = left.world(world);
    // Where a world is: coordinates, poses, time and the number of the step.
    const bool stays = same(now.q, before.q) && same(now.body_pose, before.body_pose) &&
                       same(slice(state.time, world, 1), slice(left.time, world, 1)) &&
                       state.step[at(world)] == left.step[at(world)];
    if (!stays) return Written::place;
    // How it moves: a change here leaves contacts and warm starts meaningful.
    const bool moves_on =
        same(now.v, before.v) && same(now.body_velocity, before.body_velocity) && same(now.act, before.act);
    return moves_on ? Written::nothing : Written::motion;
}

}  // namespace rattleback
