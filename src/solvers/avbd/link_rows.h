// Links: joints of any kind between two groups, as a stiffness on the motions they forbid and rows on those they allow.
#pragma once

#include "solvers/avbd/bodies.h"
#include "solvers/avbd/matrix6.h"

#include <array>

namespace rattleback::avbd
{

inline constexpr int kMaxDofs = 6;

/// Multipliers of a link that survive a step.
struct LinkMemory
{
    Vector6 lambda{};                         ///< wrench on the parent at the anchor, world axes [N, N m]
    std::array<double, kMaxDofs> limit{};     ///< force on the dof by its limit
    std::array<double, kMaxDofs> friction{};  ///< by dry friction
    std::array<double, kMaxDofs> spring{};    ///< by a stiff spring
    double penalty = 0;  ///< mode penalty: k of the forbidden translations [N/m]; the other k are in LinkRamp
    int broken = 0;
    int padding = 0;
};

/// Mode penalty alone: what else of a link ramps and survives a step.
struct LinkRamp
{
    double angular = 0;                    ///< k of the forbidden turns [N m/rad]
    std::array<double, kMaxDofs> limit{};  ///< k of the limits [N/m, N m/rad]
};

/// One degree of freedom of a link during a step.
struct LinkDof
{
    int dof = 0;  ///< in the Model
    int joint = 0;
    double inertia = 0;         ///< M_ii at q0, armature included
    bool scalar = true;         ///< hinge or slide; otherwise one of a ball's three
    double start = 0;           ///< q at the start of the substep (balls: 0)
    double rate = 0;            ///< velocity at the start of the substep
    double q = 0;               ///< now; balls: turned since the start, body axes
    double advance = 0;         ///< motion of the groups since the start along the axes of the start
    double reached = 0;         ///< `advance` when the substep's velocities were taken, before positions are corrected
    double penalty = 0;         ///< of limits and dry friction: the dof's inertia / h^2; mode penalty: of limits
    double spring_penalty = 0;  ///< of stiff springs
    double applied = 0;         ///< external generalised force
    double yielded = 0;         ///< by how much the rest of its spring has moved; of a ball a rotation vector
};

/// What a link is doing at the present poses of its two groups.
struct LinkState
{
    // constant over a substep (the penalties not in mode `penalty`: a link is placed anew when their ratio changes)
    double linear_penalty = 0, angular_penalty = 0;  ///< penalty of the forbidden motions [N/m], [N m/rad]
    std::array<LinkDof, kMaxDofs> dofs;
    double slow_slip = 0;  ///< mode penalty: dry friction is smooth below this slip of a substep; 0: other mode
    std::array<double, 12> start_q{};              ///< joint coordinates at the start, in the order of the joints
    Vector6 start_error{};                         ///< in the parent's axes
    std::array<Vector6, kMaxDofs> start_moment{};  ///< `moment` at the start
    std::array<Vector6, kMaxDofs> start_axis{};    ///< `axis` at the start
    Vec3 start_child_arm, start_parent_arm;
    bool swings = false;  ///< Body::swings of its tree: axes, moments and arms are means of start and now

    // at the present poses, which are these
    Pose child_pose, parent_pose;
    bool placed = false;
    std::array<double, 12> q{};              ///< joint coordinates nearest to the poses
    Vec3 anchor;                             ///< where the groups meet, world [m]
    Vec3 child_arm, parent_arm;              ///< from the centres of mass to the anchor, world axes [m]
    Vector6 error{};                         ///< of the forbidden motions: child minus predicted
    Vector6 start_error_now{};               ///< the error at the start, turned with the parent
    std::array<Vector6, kMaxDofs> axis{};    ///< motion at the anchor per unit velocity of each dof
    std::array<Vector6, kMaxDofs> moment{};  ///< wrench at the anchor per unit force of each dof
};

/// Motion of a child against its parent at the point where `arm` of each ends: of velocities or of increments.
template <class Motion>
Vector6 motion_between(const Motion& child, const Vec3& child_arm, const Motion& parent, const Vec3& parent_arm)
{
    return make_vector6(
        child.linear + cross(child.angular, child_arm) - parent.linear - cross(parent.angular, parent_arm),
        child.angular - parent.angular);
}

/// Sets what is constant over a substep; q are the joint coordinates of the world, `act` its activations, which hold by
/// how much springs have yielded. `scale` times the supported mass over dt^2 is the penalty.
void start_link(const Layout& layout, const Link& link, const std::vector<Body>& bodies, std::span<const double> q,
                double dt, double scale, LinkState& state, std::span<const double> act = {});

/// Rates and coordinates at the start of a later substep.
void restart_link(const Layout& layout, const Link& link, const std::vector<Body>& bodies, LinkState& state);

/// Joint coordinates, motions and errors at the present poses; starts from state.q.
void place_link(const Layout& layout, const Link& link, const std::vector<Body>& bodies, LinkState& state);

/// The wrench at the anchor (on the parent; the child feels the opposite) that holds the forbidden motions: multiplier
/// plus penalty times error, nothing along the dofs. `error_fraction` of the error at the start of the step counts.
Vector6 constraint_wrench(const LinkState& state, const Link& link, const Vector6& lambda, double error_fraction);
/// Its derivative by the relative motion at the anchor.
Matrix6 constraint_stiffness(const LinkState& state, const Link& link);

}  // namespace rattleback::avbd
