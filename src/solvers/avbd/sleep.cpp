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

/// A part that a kinematic body carries by joints follows it.
bool is_carried(const Layout& layout, int part)
{
    for (int p = part; layout.parts[at(p)].link >= 0;)
    {
        p = layout.links[at(layout.parts[at(p)].link)].parent;
        if (p > 0 && !layout.parts[at(p)].dynamic) return true;
    }
    return false;
}

}  // namespace

Sleep::Sleep(const Layout& layout, double tolerance)
    : layout_(layout),
      tolerance_(tolerance),
      restless_(layout.blocks.size()),
      moves_(layout.parts.size()),
      root_(layout.blocks.size()),
      name_(layout.blocks.size())
{
    const Model& model = *layout.model;
    const auto disturb = [&](int part)
    {
        if (layout.parts[at(part)].dynamic) restless_[at(layout.parts[at(part)].block)] = 1;
    };
    for (int p = 1; p < static_cast<int>(layout.parts.size()); ++p)
    {
        if (is_carried(layout, p)) disturb(p);
    }
    for (const int dof : Tree(model).moment.dof) disturb(layout.part_of_body[at(model.dofs.body[at(dof)])]);
}

void Sleep::wake(int block)
{
    const int island = rest_.island[at(block)];
    if (island < 0) return;
    for (std::size_t b = 0; b < rest_.island.size(); ++b)
    {
        if (rest_.island[b] != island) continue;
        rest_.island[b] = -1;
        rest_.quiet[b] = 0;
    }
}

void Sleep::wake_moved(const WorldView& world, const OuterForces& outer, const std::vector<double>& applied,
                       const std::vector<char>& moves, const Rest& rest)
{
    std::fill(moves_.begin(), moves_.end(), 0);
    for (std::size_t k = 0; k < layout_.kinematic.size(); ++k) moves_[at(layout_.kinematic[k])] = moves[k];
    rest_ = rest;
    const bool fits = rest_.island.size() == restless_.size() && rest_.quiet.size() == restless_.size() &&
                      rest_.pose.size() == world.body_pose.size();
    if (!fits)
    {
        rest_.island.assign(restless_.size(), -1);
        rest_.quiet.assign(restless_.size(), 0);
        rest_.pose.assign(world.body_pose.size(), Pose{});
        return;
    }
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        const int p = layout_.part_of_body[b];
        if (!sleeps(p)) continue;
        const Velocity& velocity = world.body_velocity[b];
        const bool pushed = !is_zero(outer[at(p)].force, outer[at(p)].torque);
        if (pushed || !is_zero(velocity.linear, velocity.angular) || !(world.body_pose[b] == rest_.pose[b]))
            wake(layout_.parts[at(p)].block);
    }
    for (const Link& link : layout_.links)
    {
        const auto begin = applied.begin() + link.v_begin;
        const bool pushed = std::any_of(begin, begin + link.dof_count, [](double force) { return force != 0; });
        if (pushed && sleeps(link.part)) wake(layout_.parts[at(link.part)].block);
    }
}

bool Sleep::sleeps(int part) const
{
    const int block = layout_.parts[at(part)].block;
    return layout_.parts[at(part)].dynamic && rest_.island[at(block)] >= 0;
}

bool Sleep::is_awake(int part) const { return layout_.parts[at(part)].dynamic ? !sleeps(part) : moves_[at(part)] != 0; }

bool Sleep::all() const
{
    return std::all_of(rest_.island.begin(), rest_.island.end(), [](int island) { return island >= 0; }) &&
           std::none_of(moves_.begin(), moves_.end(), [](char moves) { return moves != 0; });
}

void Sleep::wake_touched(const Contacts& contacts)
{
    for (bool woke = true; woke;)  // who wakes may touch the next
    {
        woke = false;
        for (const Contact& contact : contacts.items)
        {
            if (contact.distance >= contact.margin) continue;
            const int first = layout_.part_of_body[at(contact.first_body)];
            const int second = layout_.part_of_body[at(contact.second_body)];
            const bool first_sleeps = sleeps(first), second_sleeps = sleeps(second);
            if (first_sleeps == second_sleeps) continue;
            if (!is_awake(first_sleeps ? second : first)) continue;
            wake(layout_.parts[at(first_sleeps ? first : second)].block);
            woke = true;
        }
    }
}

bool Sleep::is_idle(const Contact& contact) const
{
    return !is_awake(layout_.part_of_body[at(contact.first_body)]) &&
           !is_awake(layout_.part_of_body[at(contact.second_body)]);
}

int Sleep::find_root(int block)
{
    while (root_[at(block)] != block) block = root_[at(block)] = root_[at(root_[at(block)])];
    return block;
}

void Sleep::join(int first_part, int second_part)
{
    if (!layout_.parts[at(first_part)].dynamic || !layout_.parts[at(second_part)].dynamic) return;
    const int a = find_root(layout_.parts[at(first_part)].block), b = find_root(layout_.parts[at(second_part)].block);
    root_[at(std::max(a, b))] = std::min(a, b);
}

void Sleep::settle(const std::vector<RowGroup>& groups, const std::vector<Body>& bodies, const WorldView& world)
{
    for (std::size_t b = 0; b < rest_.quiet.size(); ++b)
        rest_.quiet[b] = restless_[b] != 0 ? 0 : std::min(rest_.quiet[b] + 1, kQuietSteps);
    for (std::size_t p = 1; p < bodies.size(); ++p)
    {
        const Velocity& v = bodies[p].velocity;
        const bool fast = std::max(dot(v.linear, v.linear), dot(v.angular, v.angular)) > tolerance_ * tolerance_;
        if (layout_.parts[p].dynamic && fast) rest_.quiet[at(layout_.parts[p].block)] = 0;
    }
    std::iota(root_.begin(), root_.end(), 0);
    for (const RowGroup& group : groups) join(group.first, group.second);
    for (const Link& link : layout_.links) join(link.part, link.parent);
    for (const Loop& loop : layout_.loops)
    {
        join(loop.first, loop.second);
        if (loop.second_link >= 0) join(loop.first, layout_.links[at(loop.second_link)].part);
    }
    // An island is called by its first block that was awake: no other has that one. Sleepers nearby stay what they are.
    std::fill(name_.begin(), name_.end(), -1);
    for (int b = 0; b < static_cast<int>(root_.size()); ++b)
    {
        int& name = name_[at(find_root(b))];
        if (rest_.island[at(b)] >= 0) continue;
        if (rest_.quiet[at(b)] < kQuietSteps)
            name = kRestless;
        else if (name == -1)
            name = b;
    }
    for (int b = 0; b < static_cast<int>(root_.size()); ++b)
    {
        const int name = name_[at(find_root(b))];
        if (rest_.island[at(b)] < 0 && name >= 0) rest_.island[at(b)] = name;
    }
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        if (!sleeps(layout_.part_of_body[b])) continue;
        rest_.pose[b] = world.body_pose[b];
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
