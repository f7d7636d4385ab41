// Groups of trees: union and find over what ties them, and sums over their bodies.
#include "solvers/shared/tree_groups.h"

#include "base/index.h"
#include "math/zero.h"

#include <algorithm>

namespace rattleback
{

namespace
{

Vec3 find_center(const Model& model, int body, const ConstWorldView& world)
{
    const Pose& pose = world.body_pose[at(body)];
    return pose.position + rotate(pose.rotation, model.bodies.inertial_pose[at(body)].position);
}

/// The free joint that is all that moves a root; -1: it is moved in another way.
int find_free_joint(const Model& model, int root)
{
    const int begin = model.bodies.joint_begin[at(root)];
    if (model.bodies.joint_begin[at(root) + 1] != begin + 1) return -1;
    const int joint = model.bodies.joints_of_body[at(begin)];
    return model.joints.type[at(joint)] == JointType::free ? joint : -1;
}

bool has_kinematic_ancestor(const Model& model, int body)
{
    for (int b = body; b > 0; b = model.bodies.parent[at(b)])
        if (model.bodies.kind[at(b)] == BodyKind::kinematic) return true;
    return false;
}

}  // namespace

TreeGroups::TreeGroups(const Tree& tree) : tree_(tree), tree_of_body_(at(tree.model->body_count()), -1)
{
    const Model& model = *tree.model;
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (model.bodies.last_dof[at(b)] < 0) continue;
        const int root = model.bodies.root[at(b)];
        // Parents come before their children: a root has its number when its children ask for it.
        if (root == b)
        {
            tree_of_body_[at(b)] = static_cast<int>(roots_.size());
            roots_.push_back(b);
        }
        else
            tree_of_body_[at(b)] = tree_of_body_[at(root)];
    }
    for (const int root : roots_)
    {
        const int joint = find_free_joint(model, root);
        bool floats = joint >= 0 && !has_kinematic_ancestor(model, root);
        for (int d = 0; floats && d < 6; ++d)
            floats = model.dofs.armature[at(model.joints.v_begin[at(joint)] + d)] == 0;
        floats_.push_back(floats);
    }
    up_.resize(roots_.size());
    held_.resize(roots_.size());
    begin_.resize(roots_.size() + 1);
    for (const int t : tree_of_body_) bodies_.resize(bodies_.size() + (t >= 0));
    find_outside_forces();
}

void TreeGroups::find_outside_forces()
{
    const Model& model = *tree_.model;
    pushed_.assign(roots_.size(), !tree_.fluid_parts.empty());
    for (std::size_t t = 0; t < roots_.size(); ++t)
    {
        const int joint = floats_[t] ? find_free_joint(model, roots_[t]) : -1;
        if (joint < 0) continue;
        const auto& terms = model.joints.stiffness_polynomial[at(joint)];
        bool pushed = model.joints.stiffness[at(joint)] != 0 || terms != std::array<double, 2>{};
        for (int d = model.joints.v_begin[at(joint)]; d < model.joints.v_begin[at(joint)] + 6; ++d)
        {
            pushed = pushed || model.dofs.damping[at(d)] != 0 || model.dofs.dry_friction[at(d)] != 0 ||
                     model.dofs.damping_polynomial[at(d)] != std::array<double, 2>{};
        }
        if (pushed) pushed_[t] = 1;
    }
    // Actuators of joints and tendons act between bodies, but for those on a free joint; the others push from outside.
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const TransmissionType type = model.actuators.transmission[at(a)];
        const bool on_joint = type == TransmissionType::joint || type == TransmissionType::joint_in_parent;
        for (int k = tree_.moment.begin[at(a)]; k < tree_.moment.begin[at(a) + 1]; ++k)
        {
            const int d = tree_.moment.dof[at(k)];
            const bool free = model.joints.type[at(model.dofs.joint[at(d)])] == JointType::free;
            const bool inside = type == TransmissionType::tendon || (on_joint && !free);
            if (!inside) pushed_[at(tree_of_body_[at(model.dofs.body[at(d)])])] = 1;
        }
    }
}

int TreeGroups::find(int tree) const
{
    while (up_[at(tree)] != tree) tree = up_[at(tree)] = up_[at(up_[at(tree)])];
    return tree;
}

void TreeGroups::unite(int first_body, int second_body)
{
    const int first = tree_of_body_[at(first_body)], second = tree_of_body_[at(second_body)];
    if (first < 0 && second < 0) return;
    if (first < 0 || second < 0)
    {
        held_[at(find(std::max(first, second)))] = 1;
        return;
    }
    // The smaller number names the group, in whatever order ties come.
    const int a = find(first), b = find(second), least = std::min(a, b), most = std::max(a, b);
    up_[at(most)] = least;
    held_[at(least)] = held_[at(least)] | held_[at(most)];
}

void TreeGroups::unite_joints(int first, int second)
{
    const std::vector<int>& body = tree_.model->joints.body;
    // A joint that is held alone is tied to its own parent.
    if (second >= 0) unite(body[at(first)], body[at(second)]);
}

void TreeGroups::unite_tendon(int tendon, int with_body)
{
    const Model& model = *tree_.model;
    for (int k = model.tendons.item_begin[at(tendon)]; k < model.tendons.item_begin[at(tendon) + 1]; ++k)
    {
        const TendonItem& item = model.tendons.items[at(k)];
        const bool fixed = model.tendons.type[at(tendon)] == TendonType::fixed;
        if (fixed)
            unite(with_body, model.joints.body[at(item.joint)]);
        else if (item.site >= 0)
            unite(with_body, model.sites.body[at(item.site)]);
        else if (item.shape >= 0)
            unite(with_body, model.shapes.body[at(item.shape)]);
    }
}

void TreeGroups::join(std::span<const Contact> contacts, const ControlView& control)
{
    const Model& model = *tree_.model;
    for (std::size_t t = 0; t < roots_.size(); ++t)
    {
        up_[t] = static_cast<int>(t);
        held_[t] = !floats_[t];
    }
    const auto first_body_of = [&](int tendon)
    {
        for (int k = model.tendons.item_begin[at(tendon)]; k < model.tendons.item_begin[at(tendon) + 1]; ++k)
        {
            const TendonItem& item = model.tendons.items[at(k)];
            if (model.tendons.type[at(tendon)] == TendonType::fixed) return model.joints.body[at(item.joint)];
            if (item.site >= 0) return model.sites.body[at(item.site)];
        }
        return 0;
    };
    for (int t = 0; t < model.tendon_count(); ++t) unite_tendon(t, first_body_of(t));
    const std::span<const int> given = control.equality_active;
    const std::span<const int> active = given.empty() ? std::span<const int>(model.equalities.active) : given;
    for (int e = 0; e < model.equality_count(); ++e)
    {
        const int first = model.equalities.first[at(e)], second = model.equalities.second[at(e)];
        if (active[at(e)] == 0) continue;
        if (model.equalities.type[at(e)] == EqualityType::joint)
            unite_joints(first, second);
        else if (model.equalities.type[at(e)] != EqualityType::tendon)
            unite(first, second);
        else if (second >= 0)
            unite_tendon(second, first_body_of(first));
    }
    for (const Contact& contact : contacts)
        unite(model.shapes.body[at(contact.first_shape)], model.shapes.body[at(contact.second_shape)]);
    list_bodies();
}

/// Bodies sorted by group: counts, then places.
void TreeGroups::list_bodies()
{
    std::fill(begin_.begin(), begin_.end(), 0);
    const int count = tree_.model->body_count();
    for (int b = 1; b < count; ++b)
        if (tree_of_body_[at(b)] >= 0) ++begin_[at(find(tree_of_body_[at(b)]) + 1)];
    for (std::size_t t = 1; t < begin_.size(); ++t) begin_[t] += begin_[t - 1];
    for (int b = count - 1; b > 0; --b)
        if (tree_of_body_[at(b)] >= 0) bodies_[at(--begin_[at(find(tree_of_body_[at(b)]) + 1)])] = b;
    // Each begin has moved to that of its own group's bodies: one place to the left.
    std::copy(begin_.begin() + 1, begin_.end(), begin_.begin());
    begin_.back() = static_cast<int>(bodies_.size());
}

bool TreeGroups::is_isolated(int group, const ControlView& control) const
{
    if (is_held(group)) return false;
    bool isolated = true;
    for (const int body : bodies_of(group))
    {
        const Model& model = *tree_.model;
        if (pushed_[at(tree_of_body_[at(body)])] || control.body_wrench[at(body)] != Wrench{}) isolated = false;
        if (model.bodies.root[at(body)] != body) continue;
        for (int d = model.bodies.v_begin[at(body)]; d < model.bodies.v_begin[at(body)] + 6; ++d)
            if (control.joint_force[at(d)] != 0) isolated = false;
    }
    return isolated;
}

RigidMotion TreeGroups::find_rigid_motion(int group, const ConstWorldView& world, const ParameterView& parameters) const
{
    const Model& model = *tree_.model;
    const MassView& own = parameters.mass;
    RigidMotion motion;
    if (is_held(group)) return motion;
    const auto mass_of = [&](int b) { return own.mass.empty() ? model.bodies.mass[at(b)] : own.mass[at(b)]; };
    for (const int b : bodies_of(group))
    {
        motion.mass += mass_of(b);
        motion.center += mass_of(b) * find_center(model, b, world);
        motion.linear += mass_of(b) * world.body_velocity[at(b)].linear;
    }
    if (!(motion.mass > 0)) return {};
    motion.center = (1 / motion.mass) * motion.center;
    motion.velocity.linear = (1 / motion.mass) * motion.linear;
    for (const int b : bodies_of(group))
    {
        const Mat3 axes = to_matrix(world.body_pose[at(b)].rotation * model.bodies.inertial_pose[at(b)].rotation);
        const Vec3 arm = find_center(model, b, world) - motion.center;
        const Velocity& velocity = world.body_velocity[at(b)];
        const double mass = mass_of(b);
        for (int k = 0; k < 3; ++k)
        {
            const Vec3 axis = axes.column(k);
            const double moment = own.mass.empty() ? model.bodies.inertia[at(b)][k] : own.moments[at(3 * b + k)];
            add_outer(motion.inertia, moment, axis);
            motion.angular += (moment * dot(axis, velocity.angular)) * axis;
        }
        // m (|r|^2 1 - r rT) and m r x (v - V)
        add_outer(motion.inertia, -mass, arm);
        add_diagonal(motion.inertia, mass * dot(arm, arm));
        motion.angular += mass * cross(arm, velocity.linear - motion.velocity.linear);
    }
    motion.velocity.angular = solve_or_zero(motion.inertia, motion.angular);
    motion.kinetic = 0.5 * (dot(motion.linear, motion.velocity.linear) + dot(motion.angular, motion.velocity.angular));
    return motion;
}

Wrench TreeGroups::find_weight(int group, const Vec3& center, const ConstWorldView& world,
                               const ParameterView& parameters) const
{
    const Model& model = *tree_.model;
    const Vec3 gravity = parameters.find_gravity(model);
    Wrench sum;
    for (const int b : bodies_of(group))
    {
        const double mass = parameters.mass.mass.empty() ? model.bodies.mass[at(b)] : parameters.mass.mass[at(b)];
        const Vec3 force = mass * (1 - model.bodies.gravity_compensation[at(b)]) * gravity;
        sum.force += force;
        sum.torque += cross(find_center(model, b, world) - center, force);
    }
    return sum;
}

void TreeGroups::change_velocities(int group, const RigidMotion& from, const RigidMotion& to, double scale,
                                   const WorldView& world) const
{
    const Model& model = *tree_.model;
    const bool held = is_held(group);
    const auto change = [&](const Velocity& old, const Vec3& point)
    {
        const Velocity a = from.at_point(point), b = to.at_point(point);
        return Velocity{b.linear + scale * (old.linear - a.linear), b.angular + scale * (old.angular - a.angular)};
    };
    for (const int b : bodies_of(group))
    {
        Velocity& velocity = world.body_velocity[at(b)];
        velocity = change(velocity, find_center(model, b, world));
        const int v = model.bodies.v_begin[at(b)];
        if (held || model.bodies.root[at(b)] != b)
        {
            // A rigid motion turns no joint.
            for (int d = v; d < v + model.bodies.v_count[at(b)]; ++d) world.v[at(d)] *= scale;
            continue;
        }
        // The free joint of the root: at the body's origin in world axes, and spin in the body's.
        const Pose& pose = world.body_pose[at(b)];
        const Vec3 spin{world.v[at(v + 3)], world.v[at(v + 4)], world.v[at(v + 5)]};
        const Velocity changed = change(
            {{world.v[at(v)], world.v[at(v + 1)], world.v[at(v + 2)]}, rotate(pose.rotation, spin)}, pose.position);
        const Vec3 turned = rotate(conjugate(pose.rotation), changed.angular);
        for (int k = 0; k < 3; ++k)
        {
            world.v[at(v + k)] = changed.linear[k];
            world.v[at(v + 3 + k)] = turned[k];
        }
    }
}

void TreeGroups::restore(int group, const ConstWorldView& from, const WorldView& to) const
{
    const Model& model = *tree_.model;
    for (const int b : bodies_of(group))
    {
        to.body_pose[at(b)] = from.body_pose[at(b)];
        to.body_velocity[at(b)] = from.body_velocity[at(b)];
        for (int k = model.bodies.joint_begin[at(b)]; k < model.bodies.joint_begin[at(b) + 1]; ++k)
        {
            const int joint = model.bodies.joints_of_body[at(k)];
            const int q = model.joints.q_begin[at(joint)];
            const int count = q_count(model.joints.type[at(joint)]);
            std::copy_n(from.q.begin() + q, count, to.q.begin() + q);
        }
        const int v = model.bodies.v_begin[at(b)];
        std::copy_n(from.v.begin() + v, model.bodies.v_count[at(b)], to.v.begin() + v);
    }
}

}  // namespace rattleback
