// Falling asleep and waking up.
#include "solvers/avbd/sleep.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

bool is_zero(const Vec3& a, const Vec3& b) { return dot(a, a) + dot(b, b) == 0; }

}  // namespace

Sleep::Sleep(const Layout& layout, double tolerance)
    : layout_(layout),
      tolerance_(tolerance),
      restless_(layout.blocks.size()),
      moves_(layout.groups.size()),
      island_of_(layout.blocks.size())
{
    // what a kinematic body carries and what an actuator drives never rests
    const std::vector<char> restless = find_restless_bodies(*layout.model);
    for (std::size_t b = 0; b < restless.size(); ++b)
    {
        // the unit that sleeps is a block: what one Newton step moves rests as a whole
        const int block = unit_of(layout.group_of_body[b]);
        if (restless[b] != 0 && block >= 0) restless_[at(block)] = 1;
    }
    // and what a tendon ties to a kinematic body
    for (const TendonRow& row : layout.tendon_rows)
    {
        const std::span<const int> groups = layout.groups_of(row);
        // group 0 and kinematic groups have no block
        if (std::all_of(groups.begin(), groups.end(), [&](int group) { return unit_of(group) >= 0; })) continue;
        for (const int group : groups)
        {
            if (unit_of(group) >= 0) restless_[at(unit_of(group))] = 1;
        }
    }
}

/// Trees that are asleep at first, each an island that is called by the first of its blocks.
void Sleep::put_to_sleep(const WorldView& world)
{
    const Bodies& bodies = layout_.model->bodies;
    names_.assign(world.body_pose.size(), -1);
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        const int unit = unit_of(layout_.group_of_body[b]);
        if (unit < 0 || !starts_asleep(*layout_.model, static_cast<int>(b), world)) continue;
        int& name = names_[at(bodies.root[b])];
        if (name < 0) name = unit;
        state_.island[at(unit)] = name;
        state_.pose[b] = world.body_pose[b];
    }
    // One body that was moved wakes its tree.
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        const int name = names_[at(bodies.root[b])];
        if (name >= 0 && !starts_asleep(*layout_.model, static_cast<int>(b), world)) state_.wake(name);
    }
}

void Sleep::wake_moved(const WorldView& world, const ExternalForces& external, const std::vector<char>& moves,
                       const BlockSleepState& state)
{
    // moving kinematic bodies count as awake
    std::fill(moves_.begin(), moves_.end(), 0);
    for (std::size_t k = 0; k < layout_.kinematic.size(); ++k) moves_[at(layout_.kinematic[k])] = moves[k];
    // the state of this world, to be changed in the step and stored at its end
    state_ = state;
    // a memory of another model, or none yet: all are awake
    const bool fits = state_.island.size() == restless_.size() && state_.quiet.size() == restless_.size() &&
                      state_.pose.size() == world.body_pose.size();
    if (!fits)
    {
        state_.reset(restless_.size());
        state_.pose.assign(world.body_pose.size(), Pose{});
        put_to_sleep(world);
        return;
    }
    // bodies that were written to, or that a wrench pushes
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        const int g = layout_.group_of_body[b];
        if (!is_asleep(g)) continue;
        // sleepers have no velocity: one that has was thrown
        const Velocity& velocity = world.body_velocity[b];
        const bool pushed = !is_zero(external.wrench[at(g)].force, external.wrench[at(g)].torque);
        // one bit of difference in the pose: somebody moved it by hand
        if (pushed || !is_zero(velocity.linear, velocity.angular) || !(world.body_pose[b] == state_.pose[b]))
            state_.wake(unit_of(g));
    }
    // joints that a force pushes
    for (const Link& link : layout_.links)
    {
        const auto begin = external.dof_force.begin() + link.v_begin;
        const bool pushed = std::any_of(begin, begin + link.dof_count, [](double force) { return force != 0; });
        // a force of the control on a joint; what actuators drive never sleeps
        if (pushed && is_asleep(link.child)) state_.wake(unit_of(link.child));
    }
}

void Sleep::disturb_group(int group)
{
    // what moves by itself has nothing to wake
    const int block = unit_of(group);
    if (block < 0) return;
    state_.wake(block);
    // its count of quiet steps begins again, or it would fall asleep at once
    state_.quiet[at(block)] = 0;
}

bool Sleep::all_asleep() const
{
    return state_.all_sleep() && std::none_of(moves_.begin(), moves_.end(), [](char moves) { return moves != 0; });
}

void Sleep::wake_touched(const Contacts& contacts)
{
    rattleback::wake_touched(
        contacts, [&](int body) { return unit_of(layout_.group_of_body[at(body)]); },
        [&](int body) { return moves_[at(layout_.group_of_body[at(body)])] != 0; }, state_);
}

bool Sleep::both_asleep(const Contact& contact) const
{
    return !is_awake(layout_.group_of_body[at(contact.first_body)]) &&
           !is_awake(layout_.group_of_body[at(contact.second_body)]);
}

void Sleep::join(int first_group, int second_group)
{
    // what is given joins nobody: two piles on one floor are two islands
    const int first = unit_of(first_group), second = unit_of(second_group);
    if (first >= 0 && second >= 0) sets_.join(first, second);
}

/// Islands: blocks that contacts, links, loops or tendons join.
void Sleep::find_islands(const std::vector<Manifold>& manifolds)
{
    // sets of blocks, joined by everything through which one can push another
    sets_.reset(restless_.size());
    for (const Manifold& manifold : manifolds) join(manifold.first, manifold.second);
    for (const Link& link : layout_.links) join(link.child, link.parent);
    for (const Loop& loop : layout_.loops)
    {
        join(loop.first, loop.second);
        // the two joints of a coupling lie on different links
        if (loop.second_link >= 0) join(loop.first, layout_.links[at(loop.second_link)].child);
    }
    for (const TendonRow& row : layout_.tendon_rows)
    {
        for (const int group : layout_.groups_of(row)) join(row.owner >= 0 ? row.owner : group, group);
    }
    for (std::size_t b = 0; b < island_of_.size(); ++b) island_of_[b] = sets_.find(static_cast<int>(b));
}

/// Sleepers rest where they are.
void Sleep::stop_sleepers(const WorldView& world)
{
    const Model& model = *layout_.model;
    for (std::size_t b = 1; b < world.body_pose.size(); ++b)
    {
        if (!is_asleep(layout_.group_of_body[b])) continue;
        // the pose is kept to see whether somebody moves the body
        state_.pose[b] = world.body_pose[b];
        // a reader sees a body at rest, and a velocity that is found here later was written by somebody
        world.body_velocity[b] = {};
        for (int j = model.bodies.joint_begin[b]; j < model.bodies.joint_begin[b + 1]; ++j)
        {
            const std::size_t joint = at(model.bodies.joints_of_body[at(j)]);
            std::fill_n(world.v.begin() + model.joints.v_begin[joint], v_count(model.joints.type[joint]), 0.0);
        }
    }
}

void Sleep::settle(const std::vector<Manifold>& manifolds, const std::vector<Body>& bodies, const WorldView& world)
{
    // one more quiet step for each block; a fast body begins its block's count again
    state_.count_quiet_step(restless_);
    for (std::size_t g = 1; g < bodies.size(); ++g)
    {
        const Velocity& v = bodies[g].velocity;
        // largest of linear and angular velocity, against one tolerance
        const bool fast = std::max(dot(v.linear, v.linear), dot(v.angular, v.angular)) > tolerance_ * tolerance_;
        if (layout_.groups[g].dynamic && fast) state_.quiet[at(layout_.groups[g].block)] = 0;
    }
    // islands that have been slow for long enough fall asleep as a whole
    find_islands(manifolds);
    state_.fall_asleep(island_of_, names_);
    stop_sleepers(world);
}

}  // namespace rattleback::avbd
