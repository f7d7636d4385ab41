// Falling asleep and waking up.
#include "solvers/convex/sleep.h"

#include "dynamics/jacobian.h"

#include <algorithm>

namespace rattleback::convex
{

namespace
{

constexpr int kQuietSteps = 10;

bool has_kinematic_ancestor(const Model& model, int body)
{
    for (int b = body; b > 0; b = model.bodies.parent[b])
    {
        if (model.bodies.kind[b] == BodyKind::kinematic) return true;
    }
    return false;
}

}  // namespace

bool Rest::any() const
{
    return std::any_of(island.begin(), island.end(), [](int i) { return i >= 0; });
}

Sleep::Sleep(const Model& model, std::span<const int> tree_of_dof, double tolerance)
    : tolerance_(tolerance), tree_of_dof_(tree_of_dof.begin(), tree_of_dof.end())
{
    const int trees = tree_of_dof_.empty() ? 0 : 1 + *std::max_element(tree_of_dof_.begin(), tree_of_dof_.end());
    restless_.assign(static_cast<std::size_t>(trees), 0);
    for (int b = 0; b < model.body_count(); ++b)
    {
        const int dof = model.bodies.last_dof[b];
        tree_of_body_.push_back(dof < 0 ? -1 : tree_of_dof_[dof]);
        if (dof >= 0 && has_kinematic_ancestor(model, b)) restless_[tree_of_dof_[dof]] = 1;
    }
    const SparsePattern& moment = Tree(model).moment;
    for (const int dof : moment.dof) restless_[tree_of_dof_[dof]] = 1;
}

void Sleep::wake(int tree, Rest& rest)
{
    const int island = rest.island[tree];
    if (island < 0) return;
    for (std::size_t t = 0; t < rest.island.size(); ++t)
    {
        if (rest.island[t] != island) continue;
        rest.island[t] = -1;
        rest.quiet[t] = 0;
    }
}

void Sleep::wake_moved(const Workspace<double>& w, Rest& rest) const
{
    if (rest.island.size() != restless_.size())
    {
        rest.island.assign(restless_.size(), -1);
        rest.quiet.assign(restless_.size(), 0);
        rest.q.assign(w.q.size(), 0.0);
    }
    if (!rest.any()) return;
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        if (w.v[d] != 0 || w.joint_force[d] != 0) wake(tree_of_dof_[d], rest);
    }
    for (const TreeJoint& joint : w.tree->joints)
    {
        const bool moved =
            !std::equal(w.q.begin() + joint.q, w.q.begin() + joint.q + q_count(joint.type), rest.q.begin() + joint.q);
        if (moved) wake(tree_of_dof_[joint.v], rest);
    }
    for (std::size_t b = 0; w.has_wrench && b < w.wrench.size(); ++b)
    {
        const bool pushed = dot(w.wrench[b].force, w.wrench[b].force) + dot(w.wrench[b].torque, w.wrench[b].torque) > 0;
        if (pushed && tree_of_body_[b] >= 0) wake(tree_of_body_[b], rest);
    }
}

/// True for a tree that is awake and for a kinematic body that moves.
bool Sleep::is_awake(const Workspace<double>& w, const Rest& rest, int body) const
{
    const int tree = tree_of_body(body);
    if (tree >= 0) return rest.island[tree] < 0;
    const Vec3 velocity = base_point_velocity(w, body, w.center[body]), spin = base_angular_velocity(w, body);
    return dot(velocity, velocity) + dot(spin, spin) > 0;
}

void Sleep::wake_touched(const Workspace<double>& w, const Contacts& contacts, Rest& rest) const
{
    if (!rest.any()) return;
    for (bool woke = true; woke;)  // who wakes may touch the next
    {
        woke = false;
        for (const Contact& contact : contacts.items)
        {
            if (contact.distance >= contact.margin) continue;
            for (const auto& [one, other] : {std::pair(contact.first_body.index, contact.second_body.index),
                                             std::pair(contact.second_body.index, contact.first_body.index)})
            {
                const int tree = tree_of_body(other);
                if (tree < 0 || rest.island[tree] < 0 || !is_awake(w, rest, one)) continue;
                wake(tree, rest);
                woke = true;
            }
        }
    }
}

void Sleep::drop_idle(const Rest& rest, const Contacts& contacts, Contacts& kept) const
{
    const auto still = [&](int body)
    {
        const int tree = tree_of_body(body);
        return tree < 0 || rest.island[tree] >= 0;
    };
    kept.clear();
    for (const Contact& contact : contacts.items)
    {
        if (!still(contact.first_body.index) || !still(contact.second_body.index)) kept.items.push_back(contact);
    }
}

void Sleep::hold(const Rest& rest, Workspace<double>& w) const
{
    for (const TreeJoint& joint : w.tree->joints)
    {
        if (rest.island[tree_of_dof_[joint.v]] < 0) continue;
        std::copy_n(rest.q.begin() + joint.q, q_count(joint.type), w.q.begin() + joint.q);
        std::fill_n(w.v.begin() + joint.v, v_count(joint.type), 0.0);
    }
}

void Sleep::settle(const Workspace<double>& w, const Islands& islands, Rest& rest) const
{
    for (std::size_t t = 0; t < rest.quiet.size(); ++t)
    {
        if (rest.island[t] < 0) rest.quiet[t] = restless_[t] != 0 ? 0 : std::min(rest.quiet[t] + 1, kQuietSteps);
    }
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        if (std::abs(w.v[d]) > tolerance_) rest.quiet[tree_of_dof_[d]] = 0;
    }
    int next = 0;  // a number that no island has
    for (const int island : rest.island) next = std::max(next, island + 1);
    for (int i = 0; i < islands.count(); ++i)
    {
        const std::span<const int> dofs = islands.dofs(i);
        const bool ready =
            std::all_of(dofs.begin(), dofs.end(), [&](int d) { return rest.quiet[tree_of_dof_[d]] >= kQuietSteps; });
        if (!ready) continue;
        for (const int d : dofs) rest.island[tree_of_dof_[d]] = next;
        ++next;
    }
    for (const TreeJoint& joint : w.tree->joints)
    {
        if (rest.island[tree_of_dof_[joint.v]] >= 0)
            std::copy_n(w.q.begin() + joint.q, q_count(joint.type), rest.q.begin() + joint.q);
    }
}

}  // namespace rattleback::convex
