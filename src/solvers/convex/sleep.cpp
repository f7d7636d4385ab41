// What wakes trees in joint coordinates, and what keeps them where they lie.
#include "solvers/convex/sleep.h"

#include "dynamics/jacobian.h"

#include <algorithm>

namespace rattleback::convex
{

TreeSleep::TreeSleep(const Model& model, std::span<const int> tree_of_dof, double tolerance)
    : tolerance_(tolerance), tree_of_dof_(tree_of_dof.begin(), tree_of_dof.end())
{
    const int trees = tree_of_dof_.empty() ? 0 : 1 + *std::max_element(tree_of_dof_.begin(), tree_of_dof_.end());
    // Trees that an actuator drives or a kinematic body carries are never left alone.
    restless_.assign(static_cast<std::size_t>(trees), 0);
    const std::vector<char> restless = find_restless_bodies(model);
    for (int b = 0; b < model.body_count(); ++b)
    {
        const int dof = model.bodies.last_dof[b];
        // A body that no joint moves belongs to no tree.
        tree_of_body_.push_back(dof < 0 ? -1 : tree_of_dof_[dof]);
        if (dof >= 0 && restless[b] != 0) restless_[tree_of_dof_[dof]] = 1;
    }
    keep_tied_awake(model);
}

/// Springs and dampers of tendons join trees without a row: no island holds such trees together.
void TreeSleep::keep_tied_awake(const Model& model)
{
    const Tree tree(model);
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        constexpr std::array<double, 2> kNone{};
        const Tendons& tendons = model.tendons;
        const bool pulls = tendons.stiffness[t] != 0 || tendons.damping[t] != 0 ||
                           tendons.stiffness_polynomial[t] != kNone || tendons.damping_polynomial[t] != kNone;
        const int begin = tree.tendon.begin[t], end = tree.tendon.begin[t + 1];
        const auto tree_at = [&](int k) { return tree_of_dof_[tree.tendon.dof[k]]; };
        bool one_tree = true;
        for (int k = begin + 1; k < end; ++k) one_tree = one_tree && tree_at(k) == tree_at(begin);
        if (!pulls || one_tree) continue;
        for (int k = begin; k < end; ++k)
        {
            const int root = model.bodies.root[model.dofs.body[tree.tendon.dof[k]]];
            if (model.bodies.sleep[root] == SleepPolicy::automatic) restless_[tree_at(k)] = 1;
        }
    }
}

/// What an equality held, or is to hold, moves differently from now on.
void TreeSleep::wake_switched(const TreeView& tree, std::span<const int> equality_active, TreeSleepState& state) const
{
    const Model& model = *tree.model;
    const auto wake = [&](int dof)
    {
        if (dof >= 0) state.wake(tree_of_dof_[dof]);
    };
    for (int e = 0; e < model.equality_count(); ++e)
    {
        // Only a change of the switch matters: what an equality holds asleep it may go on holding.
        // Switches of the last step are remembered for this.
        if (equality_active[e] == state.equalities[e]) continue;
        for (const int element : {model.equalities.first[e], model.equalities.second[e]})
        {
            const EqualityType type = model.equalities.type[e];
            if (element < 0) continue;
            if (type == EqualityType::joint)
                wake(model.joints.v_begin[element]);
            else if (type != EqualityType::tendon)
                wake(model.bodies.last_dof[element]);
            else
                for (int k = tree.tendon.begin[element]; k < tree.tendon.begin[element + 1]; ++k)
                    wake(tree.tendon.dof[k]);
        }
    }
}

/// Trees that are asleep at first, each an island of its own; who touches something awake wakes at once.
void TreeSleep::put_to_sleep(const Workspace<double>& w, TreeSleepState& state) const
{
    const Model& model = *w.tree->model;
    ConstWorldView world;
    world.q = std::span<const double>(w.q.data(), w.q.size());
    world.v = std::span<const double>(w.v.data(), w.v.size());
    for (const TreeJoint& joint : w.tree->joints)
    {
        const int unit = tree_of_dof_[joint.v];
        if (!starts_asleep(model, model.joints.body[joint.joint], world)) continue;
        state.island[unit] = unit;
        std::copy_n(w.q.begin() + joint.q, q_count(joint.type), state.q.begin() + joint.q);
    }
}

void TreeSleep::wake_moved(const Workspace<double>& w, std::span<const int> equality_active,
                           TreeSleepState& state) const
{
    // A memory that is empty, or of another model: nobody sleeps.
    if (state.island.size() != restless_.size())
    {
        // Where nobody sleeps yet coordinates are kept as zeros, and never compared.
        state.reset(restless_.size());
        state.q.assign(w.q.size(), 0.0);
        put_to_sleep(w, state);
    }
    if (state.any_sleeps()) wake_switched(*w.tree, equality_active, state);
    state.equalities.assign(equality_active.begin(), equality_active.end());
    if (!state.any_sleeps()) return;
    // A velocity or a joint force that is not zero comes from outside: sleepers have none.
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        if (w.v[d] != 0 || w.joint_force[d] != 0) state.wake(tree_of_dof_[d]);
    }
    // Coordinates that are not where the tree fell asleep were written.
    for (const TreeJoint& joint : w.tree->joints)
    {
        const bool moved =
            !std::equal(w.q.begin() + joint.q, w.q.begin() + joint.q + q_count(joint.type), state.q.begin() + joint.q);
        if (moved) state.wake(tree_of_dof_[joint.v]);
    }
    // A wrench on any body of the tree pushes it.
    for (std::size_t b = 0; w.has_wrench && b < w.wrench.size(); ++b)
    {
        const bool pushed = dot(w.wrench[b].force, w.wrench[b].force) + dot(w.wrench[b].torque, w.wrench[b].torque) > 0;
        if (pushed && tree_of_body_[b] >= 0) state.wake(tree_of_body_[b]);
    }
}

void TreeSleep::wake_touched(const Workspace<double>& w, const Contacts& contacts, const RunningSurfaces& surfaces,
                             TreeSleepState& state, Contacts& awake_contacts) const
{
    const auto disturb = [&](int body)
    {
        // Awake and restless again: a belt under it may turn round at any time.
        if (tree_of_body(body) < 0) return;
        state.wake(tree_of_body(body));
        state.quiet[static_cast<std::size_t>(tree_of_body(body))] = 0;
    };
    wake_on_running(surfaces, contacts, disturb);
    const auto unit_of_body = [&](int body) { return tree_of_body(body); };
    // Of bodies that no joint moves, kinematic ones may move.
    const auto moves = [&](int body)
    {
        const Vec3 velocity = base_point_velocity(w, body, w.center[body]), spin = base_angular_velocity(w, body);
        return dot(velocity, velocity) + dot(spin, spin) > 0;
    };
    rattleback::wake_touched(contacts, unit_of_body, moves, state);

    // Rows are built of contacts with something awake alone; the others hold sleepers that nothing moves.
    const auto is_awake_tree = [&](int body) { return tree_of_body(body) >= 0 && !state.sleeps(tree_of_body(body)); };
    awake_contacts.clear();
    for (const Contact& contact : contacts.items)
    {
        // A contact between sleepers keeps its place in the memory, but has no rows.
        if (is_awake_tree(contact.first_body.index) || is_awake_tree(contact.second_body.index))
            awake_contacts.items.push_back(contact);
    }
}

void TreeSleep::freeze_sleepers(const TreeSleepState& state, Workspace<double>& w) const
{
    for (const TreeJoint& joint : w.tree->joints)
    {
        // Whatever the integrator did with them: they stay where they fell asleep, to the bit.
        if (!state.sleeps(tree_of_dof_[joint.v])) continue;
        std::copy_n(state.q.begin() + joint.q, q_count(joint.type), w.q.begin() + joint.q);
        std::fill_n(w.v.begin() + joint.v, v_count(joint.type), 0.0);
    }
}

void TreeSleep::fall_asleep(const Islands& islands, Workspace<double>& w, TreeSleepState& state)
{
    // One more quiet step for all, none for those above the tolerance; islands that have enough fall asleep.
    state.count_quiet_step(restless_);
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        // Each dof by itself, in its own unit: a tree with one fast joint is fast.
        if (std::abs(w.v[d]) > tolerance_) state.quiet[tree_of_dof_[d]] = 0;
    }
    // Where sleepers lie is kept to the bit: by it a tree is later known to be untouched.
    state.fall_asleep(islands.island_of_tree(), names_);
    for (const TreeJoint& joint : w.tree->joints)
    {
        if (state.sleeps(tree_of_dof_[joint.v]))
            std::copy_n(w.q.begin() + joint.q, q_count(joint.type), state.q.begin() + joint.q);
    }
    freeze_sleepers(state, w);
}

}  // namespace rattleback::convex
