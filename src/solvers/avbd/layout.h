// Layout: the constants of a Model in the form the method needs: rigid groups, the links between them, blocks, loops.
#pragma once

#include "dynamics/tree_view.h"

#include <rattleback/model.h>

#include <cmath>
#include <span>

namespace rattleback::avbd
{

/// Of two masses that push each other; infinite: fixed.
inline double reduced_mass(double a, double b)
{
    if (std::isinf(a)) return b;
    return std::isinf(b) ? a : a * b / (a + b);
}

/// Bodies that are rigidly attached to each other, seen as one rigid body.
struct RigidGroup
{
    int body = 0;                     ///< the topmost of them; its frame is the group's frame
    bool dynamic = true;              ///< false: the world and kinematic bodies, whose motion is given
    double mass = 0;                  ///< [kg]
    Vec3 center;                      ///< of mass, in the group's frame [m]
    Mat3 inertia;                     ///< about the centre, group's axes [kg m^2]
    double gravity_compensation = 0;  ///< fraction of the weight that is held up
    double extent = 1;                ///< size of its shapes [m]: the smallest bounding radius
    double reach = 0;                 ///< no point of its shapes is further from the centre [m]
    int block = -1;
    double block_mass = 0;  ///< mass of its whole block [kg]
    int link = -1;          ///< that joins it to its parent group; -1: free
    int up = -1;            ///< group of the same block into which it is eliminated; -1: none
};

/// The joints between a rigid group and its parent group.
struct Link
{
    int child = 0, parent = 0;           ///< groups
    Pose start;                          ///< the child's frame in the parent's frame, joints at their reference
    int joint_begin = 0, joint_end = 0;  ///< in Bodies::joints_of_body
    int body = 0;                        ///< that has the joints
    int dof_count = 0;                   ///< of all joints together
    int v_begin = 0;
    double supported_mass = 0;  ///< mass that hangs on it, at most as heavy as what it hangs on [kg]
    double heavier_mass = 0;    ///< of the two sides of its tree that it joins [kg]
    double arm = 1;             ///< length that turns a mass into an inertia for its rotations [m]
    bool breakable = false;
    double break_force = 0, break_torque = 0;
};

/// An equality constraint that the tree does not know.
struct Loop
{
    int equality = 0;
    EqualityType type = EqualityType::connect;
    int first = 0, second = 0;                                             ///< groups; joint couplings: those of a link
    Pose first_frame, second_frame;                                        ///< in the groups' frames
    int first_link = -1, second_link = -1, first_dof = 0, second_dof = 0;  ///< joint couplings: dofs within the links
    double supported_mass = 1;                                             ///< [kg]
    double arm = 1;                                                        ///< [m]
    bool in_block = true;                                                  ///< all its moving groups are in one block
    bool edge = false;                                                     ///< between a group and its `up`

    int rows() const { return type == EqualityType::joint ? 1 : type == EqualityType::connect ? 3 : 6; }
};

/// One segment of a spatial tendon, from one site to the next; places are in the frames of their groups.
struct TendonSegment
{
    int first_group = 0, second_group = 0;
    Vec3 first, second;  ///< the two sites
    double scale = 1;    ///< 1 / divisor of the pulleys before it
    bool rigid = false;  ///< all of it on one group: its length is constant
    bool wraps = false;  ///< around a sphere, or (`cylinder`) an endless cylinder along z of `shape`
    bool cylinder = false, sided = false;
    double radius = 0;
    int shape_group = 0, side_group = 0;
    Pose shape;
    Vec3 side;  ///< with `sided`: the site on whose side the path passes
};

/// A row on the lengths of tendons: one tendon with all that acts along it, or a coupling of two by an equality.
struct TendonRow
{
    int first = -1, second = -1;         ///< tendons; `second` only of couplings, and there -1: the first alone
    int equality = -1;                   ///< -1: the tendon itself
    int group_begin = 0, group_end = 0;  ///< in Layout::tendon_groups: those that change the length
    int owner = -1;                      ///< dynamic group that updates the multipliers; -1: nothing moves the row
    double mass = 1;                     ///< effective, 1 / (J M^-1 Jᵀ) at q0 [kg]
    double size = 1;                     ///< length that a violation is measured by [m]
    bool in_block = true;                ///< all its dynamic groups are in one block
};

/// Groups solved together: one group, or trees of linked groups that loops join, parents first.
struct Block
{
    int begin = 0, end = 0;  ///< in Layout::order
    bool tree = false;       ///< has links, loops or tendons
    bool armature = false;   ///< some link has armature on its dofs
    int loop_rows = 0;       ///< of the loops and tendons between its groups

    static constexpr int kMaxLoopRows = 96;
    /// Few enough loops to be solved exactly with the tree.
    bool closes_loops() const { return loop_rows <= kMaxLoopRows; }
};

struct Layout
{
    Layout(const Model& model, bool tree_blocks);

    const Model* model;
    std::vector<RigidGroup> groups;  ///< group 0 is the world
    std::vector<Link> links;
    std::vector<Loop> loops;
    std::vector<Block> blocks;
    std::vector<int> order;             ///< dynamic groups, block by block
    std::vector<int> group_of_body;     ///< [body]
    std::vector<Pose> in_group;         ///< [body] its frame in the group's frame
    std::vector<int> kinematic;         ///< groups that follow tracks or targets
    std::vector<int> kinematic_bodies;  ///< their topmost bodies
    std::vector<double> dof_inertia;    ///< [dof] as Dofs::inertia, or that of the world's own masses
    std::vector<int> links_begin;       ///< [groups + 1] into links_of_group, for blocks that are single groups
    std::vector<int> links_of_group;
    std::vector<int> loops_begin;  ///< [groups + 1] into loops_of_group
    std::vector<int> loops_of_group;

    std::vector<TendonRow> tendon_rows;  ///< [tendon_count], then the couplings
    std::vector<int> tendon_groups;      ///< by row, each group once, the world left out
    std::vector<int> segment_begin;      ///< [tendon_count + 1]
    std::vector<TendonSegment> segments;
    std::vector<int> tendons_begin;  ///< [groups + 1] into tendons_of_group
    std::vector<int> tendons_of_group;
    TendonsView tendon_laws;  ///< of the Model

    std::vector<int> medium_begin;        ///< [groups + 1] into medium_parts
    std::vector<FluidPart> medium_parts;  ///< `body` is the group, `pose` in its frame; empty without a medium

    /// Joints of a link, in the order they act.
    std::span<const int> joints(const Link& link) const
    {
        return std::span(model->bodies.joints_of_body)
            .subspan(static_cast<std::size_t>(link.joint_begin),
                     static_cast<std::size_t>(link.joint_end - link.joint_begin));
    }
    /// Groups that change the length of a row of tendons.
    std::span<const int> groups_of(const TendonRow& row) const
    {
        return std::span(tendon_groups)
            .subspan(static_cast<std::size_t>(row.group_begin),
                     static_cast<std::size_t>(row.group_end - row.group_begin));
    }
};

}  // namespace rattleback::avbd
