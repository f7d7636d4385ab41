// Rigid groups: bodies that are rigidly attached to each other and move as one.
#pragma once

#include "base/index.h"

#include <rattleback/model.h>

#include <span>
#include <vector>

namespace rattleback
{

/// The groups of a model, in the order of their topmost bodies. Group 0 is the world with what is fixed on it.
struct RigidGroups
{
    std::vector<int> root;              ///< [group] the topmost body; its frame is the group's frame
    std::vector<int> group_of_body;     ///< [body]
    std::vector<Pose> in_group;         ///< [body] its frame in the group's frame
    std::vector<int> begin;             ///< [group + 1] into bodies
    std::vector<int> bodies;            ///< group by group, increasing
    std::vector<int> kinematic_bodies;  ///< roots of the groups that follow tracks or targets

    int count() const { return static_cast<int>(root.size()); }
    /// Bodies of a group, the root first.
    std::span<const int> bodies_of(int group) const
    {
        return std::span(bodies).subspan(at(begin[at(group)]), at(begin[at(group) + 1] - begin[at(group)]));
    }
};

/// False for the world and for kinematic bodies, whose motion is given.
inline bool is_dynamic(const Model& model, int body)
{
    return body > 0 && model.bodies.kind[at(body)] != BodyKind::kinematic;
}

/// True for a joint that tears under a force or torque.
bool is_breakable(const Model& model, int joint);

/// A body that moves against its parent, or may once a joint breaks, starts a group; any other joins its parent's.
RigidGroups find_rigid_groups(const Model& model);

}  // namespace rattleback
