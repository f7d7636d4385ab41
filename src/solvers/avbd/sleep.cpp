// Falling asleep and waking up.
#include "solvers/avbd/sleep.h"

#include "base/index.h"
#include "dynamics/tree.h"

#include <algorithm>
#include <numeric>

namespace rattleback::avbd
{

namespace
{

constexpr int kQuietSteps = 10;
constexpr int kRestless = -2;  // an island with a block that is not quiet

bool is_zero(const Vec3& a, const Vec3& b) { return dot(a, a) + dot(b, b) == 0; }

/// A group that a kinematic body carries by joints follows it.
bool is_carried(const Layout& layout, int group)
{
    for (int g = group; layout.groups[at(g)].link >= 0;)
    {
        g = layout.links[at(layout.groups[at(g)].link)].parent;
        if (g > 0 && !layout.groups[at(g)].dynamic) return true;
    }
    return false;
}

}  // namespace

Sleep::Sleep(const Layout& layout, double tolerance)
    : layout_(layout),
      tolerance_(tolerance),
      restless_(layout.blocks.size()),
      moves_(layout.groups.size()),
      root_(layout.blocks.size()),
      name_(layout.blocks.size())
{
    // what a kinematic body carries and what an actuator drives never rests
    const Model& model = *layout.model;
    const auto disturb = [&](int group)
    {
        if (layout.groups[at(group)].dynamic) restless_[at(layout.groups[at(group)].block)] = 1;
    };
    for (int g = 1; g < static_cast<int>(layout.groups.size()); ++g)
    {
        if (is_carried(layout, g)) disturb(g);
    }
    for (const int dof : Tree(model).moment.dof) disturb(layout.group_of_body[at(model.dofs.body[at(dof)])]);
}

void Sleep::wake(int block)
{
    // the whole island, with its counters back at zero
    const int island = state_.island[at(block)];
    if (island < 0) return;
    for (std::size_t b = 0; b < state_.island.size(); ++b)
    {
        if (state_.island[b] != island) continue;
        state_.island[b] = -1;
        state_.quiet[b] = 0;
    }
}

void Sleep::wake_moved(const WorldView& world, const ExternalForces& external, const std::vector<char>& moves,
                       const SleepState& state)
{
    // moving kinematic bodies count as awake
    std::fill(moves_.begin(), moves_.end(), 0);
    for (std::size_t k = 0; k < layout_.kinematic.size(); ++k) moves_[at(layout_.kinematic[k])] = moves[k];
    state_ = state;
    // a memory of another model, or none yet: all are awake
    const bool fits = state_.island.size() == restless_.size() && state_.quiet.size() == restless_.size() &&
                      state_.pose.size() == world.body_pose.size();
    if (!fits)
    {
        state_.island.assign(restless_.size(), -1);
        state_.quiet.assign(restless_.size(), 0);
        state_.pose.assign(world.body_pose.size(), Pose{});
        return;
    }
    // bodies that were written to, or that a wrench pushes
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        const int g = layout_.group_of_body[b];
        if (!is_asleep(g)) continue;
        const Velocity& velocity = world.body_velocity[b];
        const bool pushed = !is_zero(external.wrench[at(g)].force, external.wrench[at(g)].torque);
        if (pushed || !is_zero(velocity.linear, velocity.angular) || !(world.body_pose[b] == state_.pose[b]))
            wake(layout_.groups[at(g)].block);
    }
    // joints that a force pushes
    for (const Link& link : layout_.links)
    {
        const auto begin = external.dof_force.begin() + link.v_begin;
        const bool pushed = std::any_of(begin, begin + link.dof_count, [](double force) { return force != 0; });
        if (pushed && is_asleep(link.child)) wake(layout_.groups[at(link.child)].block);
    }
}

void Sleep::disturb_group(int group)
{
    if (!layout_.groups[at(group)].dynamic) return;
    const int block = layout_.groups[at(group)].block;
    wake(block);
    state_.quiet[at(block)] = 0;
}

bool Sleep::is_asleep(int group) const
{
    const int block = layout_.groups[at(group)].block;
    return layout_.groups[at(group)].dynamic && state_.island[at(block)] >= 0;
}

bool Sleep::is_awake(int group) const
{
    return layout_.groups[at(group)].dynamic ? !is_asleep(group) : moves_[at(group)] != 0;
}

bool Sleep::all_asleep() const
{
    return std::all_of(state_.island.begin(), state_.island.end(), [](int island) { return island >= 0; }) &&
           std::none_of(moves_.begin(), moves_.end(), [](char moves) { return moves != 0; });
}

void Sleep::wake_touched(const Contacts& contacts)
{
    for (bool woke = true; woke;)  // who wakes may touch the next
    {
        woke = false;
        for (const Contact& contact : contacts.items)
        {
            // only what touches wakes, and only by something awake
            if (contact.distance >= contact.margin) continue;
            const int first = layout_.group_of_body[at(contact.first_body)];
            const int second = layout_.group_of_body[at(contact.second_body)];
            const bool first_sleeps = is_asleep(first), second_sleeps = is_asleep(second);
            if (first_sleeps == second_sleeps) continue;
            if (!is_awake(first_sleeps ? second : first)) continue;
            wake(layout_.groups[at(first_sleeps ? first : second)].block);
            woke = true;
        }
    }
}

bool Sleep::both_asleep(const Contact& contact) const
{
    return !is_awake(layout_.group_of_body[at(contact.first_body)]) &&
           !is_awake(layout_.group_of_body[at(contact.second_body)]);
}

int Sleep::find_root(int block)
{
    while (root_[at(block)] != block) block = root_[at(block)] = root_[at(root_[at(block)])];
    return block;
}

void Sleep::join(int first_group, int second_group)
{
    if (!layout_.groups[at(first_group)].dynamic || !layout_.groups[at(second_group)].dynamic) return;
    const int a = find_root(layout_.groups[at(first_group)].block),
              b = find_root(layout_.groups[at(second_group)].block);
    root_[at(std::max(a, b))] = std::min(a, b);
}

void Sleep::settle(const std::vector<Manifold>& manifolds, const std::vector<Body>& bodies, const WorldView& world)
{
    // steps for which each block has been slow
    for (std::size_t b = 0; b < state_.quiet.size(); ++b)
        state_.quiet[b] = restless_[b] != 0 ? 0 : std::min(state_.quiet[b] + 1, kQuietSteps);
    // a fast body begins its block's count again
    for (std::size_t g = 1; g < bodies.size(); ++g)
    {
        const Velocity& v = bodies[g].velocity;
        const bool fast = std::max(dot(v.linear, v.linear), dot(v.angular, v.angular)) > tolerance_ * tolerance_;
        if (layout_.groups[g].dynamic && fast) state_.quiet[at(layout_.groups[g].block)] = 0;
    }
    // islands: blocks that contacts, links or loops join (union-find)
    std::iota(root_.begin(), root_.end(), 0);
    for (const Manifold& manifold : manifolds) join(manifold.first, manifold.second);
    for (const Link& link : layout_.links) join(link.child, link.parent);
    for (const Loop& loop : layout_.loops)
    {
        join(loop.first, loop.second);
        if (loop.second_link >= 0) join(loop.first, layout_.links[at(loop.second_link)].child);
    }
    // An island is called by its first block that was awake: no other has that one. Sleepers nearby stay what they are.
    std::fill(name_.begin(), name_.end(), -1);
    for (int b = 0; b < static_cast<int>(root_.size()); ++b)
    {
        int& name = name_[at(find_root(b))];
        if (state_.island[at(b)] >= 0) continue;
        if (state_.quiet[at(b)] < kQuietSteps)
            name = kRestless;
        else if (name == -1)
            name = b;
    }
    for (int b = 0; b < static_cast<int>(root_.size()); ++b)
    {
        const int name = name_[at(find_root(b))];
        if (state_.island[at(b)] < 0 && name >= 0) state_.island[at(b)] = name;
    }
    // sleepers rest where they are
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        if (!is_asleep(layout_.group_of_body[b])) continue;
        state_.pose[b] = world.body_pose[b];
        world.body_velocity[b] = {};
        const Model& model = *layout_.model;
        for (int j = model.bodies.joint_begin[b]; j < model.bodies.joint_begin[b + 1]; ++j)
        {
            const std::size_t joint = at(model.bodies.joints_of_body[at(j)]);
            std::fill_n(world.v.begin() + model.joints.v_begin[joint], v_count(model.joints.type[joint]), 0.0);
        }
    }
}

}  // namespace rattleback::avbd
