// TreeGroups: trees that act on each other in a step, and the rigid part of their motion.
#pragma once

#include "base/index.h"
#include "dynamics/tree.h"
#include "math/symmetric3.h"

#include <rattleback/contacts.h>
#include <rattleback/control.h>
#include <rattleback/state.h>

#include <vector>

namespace rattleback
{

/// What a group would do if all of its joints and contacts were locked: the motion with its momenta.
struct RigidMotion
{
    double mass = 0;  ///< [kg]
    Vec3 center;      ///< of mass, world [m]
    Vec3 linear;      ///< momentum [kg m/s]
    Vec3 angular;     ///< about the centre of mass [kg m^2/s]
    Symmetric3<double> inertia;
    Velocity velocity;   ///< at the centre of mass, world axes
    double kinetic = 0;  ///< [J]

    Velocity at_point(const Vec3& point) const
    {
        return {velocity.linear + cross(velocity.angular, point - center), velocity.angular};
    }
};

/// A partition of the trees of a Model. A group is named by one of its trees. Of all motions with the momenta of a
/// group that floats the rigid one has the least kinetic energy, and that of a motion is the sum of the rigid part's
/// and of the rest's: what is taken from the rest changes no momentum. A group that the world holds has no momentum of
/// its own, and its rigid part is rest.
class TreeGroups
{
public:
    explicit TreeGroups(const Tree& tree);

    /// Trees that tendons, active equalities or `contacts` tie are one group; what ties them to the world, to static or
    /// to kinematic bodies holds it.
    void join(std::span<const Contact> contacts, const ControlView& control);

    int tree_count() const { return static_cast<int>(roots_.size()); }
    /// -1: nothing moves the body.
    int tree_of_body(int body) const { return tree_of_body_[at(body)]; }
    int group_of(int tree) const { return find(tree); }
    bool is_group(int tree) const { return find(tree) == tree; }
    bool is_held(int group) const { return held_[at(group)] != 0; }
    /// Whether the momenta of a group change by gravity alone.
    bool is_isolated(int group, const ControlView& control) const;

    RigidMotion find_rigid_motion(int group, const ConstWorldView& world, const ParameterView& parameters) const;
    /// Force of gravity on a group, and its torque about `center`, which is not zero where some bodies are held up.
    Wrench find_weight(int group, const Vec3& center, const ConstWorldView& world,
                       const ParameterView& parameters) const;
    /// Velocities u of the group become to + scale (u - from).
    void change_velocities(int group, const RigidMotion& from, const RigidMotion& to, double scale,
                           const WorldView& world) const;
    /// Coordinates, poses and velocities of a group as they are in `from`.
    void restore(int group, const ConstWorldView& from, const WorldView& to) const;

private:
    int find(int tree) const;
    void list_bodies();
    void unite(int first_body, int second_body);
    void unite_joints(int first, int second);
    void unite_tendon(int tendon, int with_body);
    std::span<const int> bodies_of(int group) const
    {
        const int begin = begin_[at(group)];
        return std::span(bodies_).subspan(at(begin), at(begin_[at(group) + 1] - begin));
    }
    void find_outside_forces();

    const Tree& tree_;
    std::vector<int> roots_;         ///< [tree] body
    std::vector<int> tree_of_body_;  ///< [body]
    std::vector<char> floats_;       ///< [tree] one free joint at the root, without armature, on what stands still
    std::vector<char> pushed_;       ///< [tree] springs, dampers or actuators act between its root and the world
    mutable std::vector<int> up_;    ///< [tree] towards the group's name
    std::vector<char> held_;         ///< [tree] of groups' names
    std::vector<int> begin_;         ///< [tree + 1] into bodies_, empty but for groups' names
    std::vector<int> bodies_;        ///< that move, group by group, parents first
};

}  // namespace rattleback
