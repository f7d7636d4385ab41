// What the solver `ipc` makes of joints and equalities once: rows that are held, coordinates that are driven.
#pragma once

#include "dynamics/tree_view.h"

#include <rattleback/model.h>

namespace rattleback::ipc
{

enum class MeasureKind : std::uint8_t
{
    along,  ///< distance of two anchors along a direction of the second group
    dot,    ///< product of two directions
    hinge,  ///< angle of a direction of the first group in a plane of the second
};

/// A number that depends on the placements of two groups. Places are from the groups' centres, all in their axes.
struct Measure
{
    MeasureKind kind = MeasureKind::along;
    int first = -1, second = -1;    ///< groups: child and parent
    Vec3 on_first, on_second;       ///< along: the anchors [m]
    Vec3 first_axis;                ///< dot, hinge: unit, of the first group
    Vec3 second_axis, second_side;  ///< unit, of the second group; hinge: at angle zero, and at a quarter turn
    double offset = 0;              ///< subtracted
};

/// A row that is held at zero by a multiplier and a penalty.
struct Hold
{
    Measure measure;
    double weight = 1;        ///< mass [kg] or inertia [kg m^2] that the row moves
    double arm = 1;           ///< length of one unit of the measure: 1, or that of a turn [m]
    int equality = -1;        ///< in the Model; -1: a joint
    double stiffness = 0;     ///< of a soft equality [N/m, N m]; 0: rigid
    double damping = 0;       ///< of a soft equality
    bool is_turning = false;  ///< a torque, not a force
};

/// A coordinate of one number: a hinge, a slide, or a translation of a free joint.
struct DofLink
{
    int joint = -1, q = -1, v = -1;  ///< in the Model
    Measure measure;                 ///< q of the Model
    double weight = 1;
    double arm = 1;         ///< as of holds
    bool is_free = false;   ///< of a free joint: not written back here
    bool is_hinge = false;  ///< unwrapped from the last step's angle
};

/// A ball joint, or the rotation of a free one.
struct BallLink
{
    int joint = -1, q = -1, v = -1;
    int first = -1, second = -1;
    Quat base;  ///< child's axes in the second group at the reference
    double weight = 1;
    double arm = 1;
    bool is_free = false;
};

/// One joint coordinate as a polynomial of another's, both from their reference.
struct Coupling
{
    int equality = -1;
    int first = -1, second = -1;  ///< in JointLayout::dofs; second -1: a constant
    std::array<double, 5> polynomial{};
    double weight = 1;
    double arm = 1;
};

/// A group without a body, between two joints of one body.
struct Middle
{
    int group = -1, parent = -1;         ///< groups
    Pose start;                          ///< its frame in the parent's, joints at their reference
    int joint_begin = 0, joint_end = 0;  ///< in JointLayout::middle_joints
    double mass = 0;                     ///< [kg]
    double gyration = 0;                 ///< [m]
    Vec3 center;                         ///< in its frame
};

struct JointLayout
{
    std::vector<Hold> holds;
    std::vector<DofLink> dofs;
    std::vector<BallLink> balls;
    std::vector<Coupling> couplings;
    std::vector<Middle> middles;  ///< parents first
    std::vector<TreeJoint> middle_joints;
    std::vector<std::array<int, 2>> pairs;  ///< groups that something joins

    bool empty() const { return pairs.empty(); }
    /// Numbers that survive a step: a force for each hold, coupling, bound of a dof and bound of a ball.
    std::size_t multiplier_count() const { return holds.size() + couplings.size() + 2 * dofs.size() + balls.size(); }
};

struct Layout;
/// Joints, equalities and the groups between joints. Bodies' groups have masses and centres already; errors name what
/// is not treated.
void add_joints(const Model& model, Layout& layout, std::vector<Error>& errors);

}  // namespace rattleback::ipc
