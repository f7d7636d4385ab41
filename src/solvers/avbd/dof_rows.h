// Rows on the degrees of freedom of links: springs, dampers, armature, limits, dry friction, drives.
#pragma once

#include "solvers/avbd/link_rows.h"

namespace rattleback::avbd
{

/// An actuator on a hinge, slide or tendon as the step sees it: force along it = constant + slope q + damping q',
/// clamped.
struct Drive
{
    double constant = 0;
    double slope = 0;    ///< [N/m] or [N m/rad]
    double damping = 0;  ///< [N s/m] or [N m s/rad]
    double lower = 0, upper = 0;
};

/// Drives by coordinate: degree of freedom or tendon.
struct Drives
{
    std::vector<int> begin;  ///< [v_count + 1] or [tendon_count + 1]
    std::vector<int> actuator;
    std::vector<Drive> items;
};

/// Force of one row and its stiffness.
struct DofForce
{
    double force = 0;
    double stiffness = 0;  ///< not negative
};

/// Spring and damper of a softness for a row of effective mass `mass`; stiffness 0: rigid. An impedance becomes the
/// spring that carries the same load at rest, with the damping of its reference motion.
struct Compliance
{
    double stiffness = 0;
    double damping = 0;
};
Compliance find_compliance(const Softness& softness, double mass, double violation, double dt);

/// Force along +1 of a one-sided row with residual c (negative: violated), and its stiffness.
/// While it may push (`active`) it counts in the block, or the sweeps would jump to and fro between free and stopped.
DofForce push(double c, double start, double rate, double error_fraction, double multiplier, double penalty,
              const Compliance& softness, double dt);

/// The same in mode penalty: [VBD-R]'s contact along one coordinate, `approach` since the start of the substep.
DofForce press(double depth, double approach, double penalty, const Compliance& softness, double dt);
inline constexpr double kSlowSlip = 1e-2;  ///< [m/s, rad/s]: mode penalty's friction is smooth below (Newton)
/// Smooth Coulomb friction (Li et al. 2020): force per slip, for a slip of length u; of `bound` from `slow` on.
double friction_factor(double bound, double u, double slow);

/// The drives of one coordinate at q, each between its own bounds, all together between those of `range`.
DofForce sum_drives(const Drives& drives, int index, double q, double start, const Range& range, double dt);

/// Force on each dof and its stiffness at the present coordinates; the stiffness couples the dofs of a ball.
struct DofForces
{
    std::array<double, kMaxDofs> force{};
    std::array<double, kMaxDofs> stiffness{};   ///< not negative
    std::array<double, kMaxDofs> rate_force{};  ///< by armature and damping, along the axes of the start
    std::array<double, kMaxDofs> rate_stiffness{};
    Vec3 limit_axis;       ///< a ball at its limit: unit, in its dofs
    int limit_begin = -1;  ///< first dof of that ball; -1: none
    double limit_stiffness = 0;
    // multipliers as they become after this evaluation
    std::array<double, kMaxDofs> limit{}, friction{}, spring{};
    std::array<double, kMaxDofs> beyond{};  ///< how far a coordinate is beyond its limit [m, rad]
};

/// `error_fraction`: fraction of a rigid limit's violation at the start of the step that is paid back now.
DofForces evaluate_dofs(const Model& model, const Link& link, const LinkState& state, const LinkMemory& memory,
                        const Drives& drives, double error_fraction, double dt);

/// Half the force along each dof of a link that swings: spring and drives at the mean of start and present coordinate,
/// damping on the mean rate; and armature (swing.cpp).
DofForces evaluate_swing(const Model& model, const Link& link, const LinkState& state, const Drives& drives, double dt);

}  // namespace rattleback::avbd
