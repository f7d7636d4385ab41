// Layout: the constants of a Model in the form the method needs: rigid groups, the links between them, blocks, loops.
#pragma once

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

/// Groups solved together: one group, or trees of linked groups that loops join, parents first.
struct Block
{
    int begin = 0, end = 0;  ///< in Layout::order
    bool tree = false;       ///< has links or loops
    bool armature = false;   ///< some link has armature on its dofs
    int loop_rows = 0;       ///< of the loops between its groups

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
    std::vector<int> links_begin;       ///< [groups + 1] into links_of_group, for blocks that are single groups
    std::vector<int> links_of_group;
    std::vector<int> loops_begin;  ///< [groups + 1] into loops_of_group
    std::vector<int> loops_of_group;

    /// Joints of a link, in the order they act.
    std::span<const int> joints(const Link& link) const
    {
        return std::span(model->bodies.joints_of_body)
            .subspan(static_cast<std::size_t>(link.joint_begin),
                     static_cast<std::size_t>(link.joint_end - link.joint_begin));
    }
};

}  // namespace rattleback::avbd
