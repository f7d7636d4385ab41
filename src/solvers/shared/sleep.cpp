// Counters of rest, falling asleep and waking, island by island.
#include "solvers/shared/sleep.h"

#include "dynamics/tree.h"

#include <algorithm>

namespace rattleback
{

bool SleepState::any_sleeps() const
{
    return std::any_of(island.begin(), island.end(), [](int i) { return i >= 0; });
}

bool SleepState::all_sleep() const
{
    return std::all_of(island.begin(), island.end(), [](int i) { return i >= 0; });
}

bool SleepState::is_sound() const
{
    const auto names_unit = [&](int name) { return name >= -1 && name < static_cast<int>(island.size()); };
    const auto counts = [](int steps) { return steps >= 0 && steps <= kQuietSteps; };
    return quiet.size() == island.size() && std::all_of(island.begin(), island.end(), names_unit) &&
           std::all_of(quiet.begin(), quiet.end(), counts);
}

void SleepState::reset(std::size_t unit_count)
{
    // All awake, none of them quiet yet.
    island.assign(unit_count, -1);
    quiet.assign(unit_count, 0);
}

void SleepState::wake(int unit)
{
    // Who wakes one wakes all of its island: they lean on each other.
    const int name = island[at(unit)];
    if (name < 0) return;
    for (std::size_t u = 0; u < island.size(); ++u)
    {
        if (island[u] != name) continue;
        island[u] = -1;
        quiet[u] = 0;
    }
}

void SleepState::count_quiet_step(std::span<const char> restless)
{
    for (std::size_t u = 0; u < quiet.size(); ++u)
    {
        // Counters stop at what falling asleep needs, so that a memory does not depend on how long a thing has rested.
        if (island[u] < 0) quiet[u] = restless[u] != 0 ? 0 : std::min(quiet[u] + 1, kQuietSteps);
    }
}

void SleepState::fall_asleep(std::span<const int> island_of, std::vector<int>& names)
{
    // Two passes: names of islands first, then everyone takes his island's.
    constexpr int kUnnamed = -1, kRestless = -2;
    // An island is called by its first unit that was awake: that one sleeps in no other.
    names.assign(island.size(), kUnnamed);
    for (std::size_t u = 0; u < island.size(); ++u)
    {
        // Units in no island have no contacts: they fly, and stay awake.
        if (island_of[u] < 0 || island[u] >= 0) continue;
        int& name = names[at(island_of[u])];
        // One restless unit keeps its whole island awake.
        if (quiet[u] < kQuietSteps)
            name = kRestless;
        else if (name == kUnnamed)
            name = static_cast<int>(u);
    }
    for (std::size_t u = 0; u < island.size(); ++u)
    {
        if (island_of[u] < 0 || island[u] >= 0) continue;
        // A name: all that is awake in the island has been quiet for long enough.
        const int name = names[at(island_of[u])];
        if (name >= 0) island[u] = name;
    }
}

std::vector<char> find_restless_bodies(const Model& model)
{
    // Parents stand before their children: what carries the parent carries the child.
    std::vector<char> restless(at(model.body_count()), 0);
    for (std::size_t b = 1; b < restless.size(); ++b)
    {
        const std::size_t parent = at(model.bodies.parent[b]);
        restless[b] = restless[parent] != 0 || model.bodies.kind[parent] == BodyKind::kinematic ? 1 : 0;
    }
    // The columns of the actuators' moment arms are the dofs that they drive. Roots may say otherwise.
    const auto policy_of = [&](std::size_t body) { return model.bodies.sleep[at(model.bodies.root[body])]; };
    for (const int dof : Tree(model).moment.dof)
    {
        const std::size_t body = at(model.dofs.body[at(dof)]);
        if (policy_of(body) == SleepPolicy::automatic) restless[body] = 1;
    }
    for (std::size_t b = 1; b < restless.size(); ++b)
    {
        if (model.bodies.root[b] > 0 && policy_of(b) == SleepPolicy::never) restless[b] = 1;
    }
    return restless;
}

bool starts_asleep(const Model& model, int body, const ConstWorldView& world)
{
    const Bodies& bodies = model.bodies;
    const int root = bodies.root[at(body)];
    if (root == 0 || bodies.sleep[at(root)] != SleepPolicy::init) return false;
    // A keyframe, or whoever wrote other coordinates, wakes the tree.
    for (int k = bodies.joint_begin[at(body)]; k < bodies.joint_begin[at(body) + 1]; ++k)
    {
        const std::size_t j = at(bodies.joints_of_body[at(k)]);
        const std::size_t q = at(model.joints.q_begin[j]), v = at(model.joints.v_begin[j]);
        const auto q_size = static_cast<std::ptrdiff_t>(q_count(model.joints.type[j]));
        const std::span<const double> rates = world.v.subspan(v, at(v_count(model.joints.type[j])));
        const auto at_start = model.initial_q.begin() + static_cast<std::ptrdiff_t>(q);
        if (!std::equal(at_start, at_start + q_size, world.q.begin() + static_cast<std::ptrdiff_t>(q))) return false;
        if (std::any_of(rates.begin(), rates.end(), [](double rate) { return rate != 0; })) return false;
    }
    return true;
}

}  // namespace rattleback
