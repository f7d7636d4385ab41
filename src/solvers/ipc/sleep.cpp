// Falling asleep and waking up.
#include "solvers/ipc/sleep.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::ipc
{

Sleep::Sleep(const Model& model, const Layout& layout, const Settings& settings)
    : layout_(layout),
      is_on_(settings.sleep),
      tolerance_(settings.sleep_tolerance),
      restless_(layout.groups.size()),
      awake_(layout.groups.size(), -1),
      island_of_(layout.groups.size())
{
    for (std::size_t g = 0; g < restless_.size(); ++g) restless_[g] = layout.groups[g].dynamic ? 0 : 1;
    const std::vector<char> bodies = find_restless_bodies(model);
    for (std::size_t b = 0; b < bodies.size(); ++b)
    {
        if (bodies[b] != 0) restless_[at(layout.group_of_body[b])] = 1;
    }
    // Coordinates, springs and limits of joints may be pushed in more ways than are looked for here.
    for (const auto& pair : layout.joints.pairs)
    {
        for (const int group : pair) restless_[at(group)] = 1;
    }
}

bool Sleep::was_disturbed(std::size_t body, const ConstWorldView& world, std::span<const Body> bodies,
                          const GroupSleepState& state) const
{
    const auto is_zero = [](const Vec3& a, const Vec3& b) { return dot(a, a) + dot(b, b) == 0; };
    // Sleepers have no velocity: one that has was thrown; one bit of difference in the pose: somebody moved it.
    const Velocity& velocity = world.body_velocity[body];
    const Wrench& push = bodies[at(layout_.group_of_body[body])].external;
    return !is_zero(velocity.linear, velocity.angular) || !is_zero(push.force, push.torque) ||
           !(world.body_pose[body] == state.pose[body]);
}

/// Whether somebody put a body elsewhere that no force moves: what lay on it lies on nothing.
bool Sleep::was_carrier_moved(const ConstWorldView& world, const GroupSleepState& state) const
{
    for (std::size_t b = 1; b < state.pose.size(); ++b)
    {
        if (!layout_.groups[at(layout_.group_of_body[b])].dynamic && !(world.body_pose[b] == state.pose[b]))
            return true;
    }
    return false;
}

std::span<const int> Sleep::begin(const ConstWorldView& world, std::span<const Body> bodies, const Vec3& gravity,
                                  std::span<const double> friction, GroupSleepState& state)
{
    if (!is_on_) return awake_;
    // A memory of another model, or none yet: all are awake.
    const bool fits = state.island.size() == restless_.size() && state.quiet.size() == restless_.size() &&
                      state.pose.size() == world.body_pose.size() && norm(state.gravity - gravity) == 0 &&
                      std::equal(friction.begin(), friction.end(), state.friction.begin(), state.friction.end());
    if (!fits || (state.any_sleeps() && was_carrier_moved(world, state)))
    {
        state.reset(restless_.size());
        state.pose.assign(world.body_pose.size(), Pose{});
        state.gravity = gravity;
        state.friction.assign(friction.begin(), friction.end());
    }
    for (std::size_t b = 1; b < state.pose.size(); ++b)
    {
        const int group = layout_.group_of_body[b];
        if (state.sleeps(group) && was_disturbed(b, world, bodies, state)) state.wake(group);
    }
    return state.island;
}

void Sleep::settle(const Newton& newton, bool is_whole, std::span<Velocity> velocities, GroupSleepState& state)
{
    if (!is_on_) return;
    for (int g = 0; g < static_cast<int>(velocities.size()); ++g)
    {
        if (state.sleeps(g) && !newton.is_asleep(g)) state.wake(g);
    }
    // One more quiet step for each group that no point of is faster than the tolerance.
    state.count_quiet_step(restless_);
    newton.list_islands(island_of_);
    for (std::size_t g = 0; g < velocities.size(); ++g)
    {
        const Vec3 &v = velocities[g].linear, &w = velocities[g].angular;
        const bool is_fast = find_surface_reach(layout_.groups[g], {v.x, v.y, v.z, w.x, w.y, w.z}) > tolerance_;
        // A restless group keeps its island awake; what is fixed belongs to none.
        if (is_fast || !is_whole) state.quiet[g] = 0;
        if (layout_.groups[g].row < 0 || (layout_.groups[g].kinematic && !is_fast)) island_of_[g] = -1;
    }
    state.fall_asleep(island_of_, names_);
    for (int g = 0; g < static_cast<int>(velocities.size()); ++g)
    {
        if (state.sleeps(g)) velocities[at(g)] = {};
    }
}

void Sleep::store(const ConstWorldView& world, GroupSleepState& state) const
{
    if (!is_on_) return;
    for (std::size_t b = 1; b < state.pose.size(); ++b)
    {
        const int group = layout_.group_of_body[b];
        if (state.sleeps(group) || !layout_.groups[at(group)].dynamic) state.pose[b] = world.body_pose[b];
    }
}

}  // namespace rattleback::ipc
