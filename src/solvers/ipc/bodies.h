// Poses of all groups of one world within a step: where they were, where inertia takes them, where they are.
#pragma once

#include "solvers/ipc/block_cholesky.h"
#include "solvers/ipc/layout.h"

#include "dynamics/integrate.h"

namespace rattleback::ipc
{

/// Centre of mass and rotation of a group.
struct Placement
{
    Vec3 center;  ///< [m]
    Quat rotation;
    Mat3 matrix;  ///< of the rotation

    Vec3 place(const Vec3& arm) const { return center + matrix * arm; }
};
Placement make_placement(const Vec3& center, const Quat& rotation);
inline bool is_same_place(const Placement& a, const Placement& b)
{
    return a.center == b.center && a.rotation == b.rotation;
}

/// One group in a step.
struct Body
{
    Placement start;   ///< x_t
    Placement target;  ///< x̃: by inertia and external forces alone, or where the track leads
    Vec3 velocity;     ///< of the centre at the start [m/s]
    Vec3 angular;      ///< at the start, world axes [rad/s]
    Vec3 turned;       ///< h w where that is more than a radian: turns since the start count from there (GripSlip)
    Velocity free;     ///< mean linear and last angular velocity on the way to the target
    Vec3 momentum;     ///< angular, about the centre at the target [kg m^2/s]
    Wrench external;   ///< about the centre
    Mat3 goal;         ///< Q̃: the rotation of the target, or with other integrators a matrix near it

    // Of kinematic bodies that an augmented Lagrangian drives (drive.h): its stiffnesses, and how far beyond the target
    // its multiplier pulls the centre, λ / (κ sqrt(m)); that of the rotation is in `goal`.
    double center_hold = 1, turn_hold = 1;
    Vec3 pull;

    // Of other integrators: Q' at the start, and place and matrix a step before.
    Mat3 rate;
    Vec3 before_center;
    Mat3 before_matrix;
};

/// Reads the world and finds targets: q̃ = q + h v + h^2 (g + f / m) (Eq. 11), and the rotation that the free body has
/// after h with its angular momentum and the torque.
void load_bodies(const Model& model, const Layout& layout, const StepInput& input, const ConstWorldView& world,
                 std::span<const KinematicMotion> motions, std::vector<Body>& bodies);

/// Starts of the groups between two joints of one body; all others have theirs.
void place_middles(const Layout& layout, const ConstWorldView& world, std::vector<Body>& bodies);

/// `from` moved by the fraction `alpha` of a direction (translation, then rotation vector in world axes).
Placement move(const Placement& from, const Vector6& direction, double alpha);

/// What is left of the way to a target, as a direction.
Vector6 find_rest(const Placement& now, const Placement& target);

/// The turn since the start of the step, which may be many times round.
Vec3 find_step_turn(const Body& body, const Placement& now);
/// What it is beyond Body::turned.
Vec3 find_turn_beyond(const Body& body, const Placement& now);

/// Largest way of any vertex along a direction [m].
double find_reach(const Group& group, const Vector6& direction);
/// The same of any point of its surface, which is round about its vertices.
double find_surface_reach(const Group& group, const Vector6& direction);

/// The inertial part of the incremental potential at x (Eqs. 9 and 11): m/2 |q - q̃|^2 + tr((R - Q̃) J (R - Q̃)ᵀ) / 2.
double find_inertia_value(const Group& group, const Body& body, const Placement& now);
/// Its gradient, and its Hessian where that is positive, else the inertia, which always is.
void add_inertia(const Group& group, const Body& body, const Placement& now, Vector6& gradient, Block6& hessian);

/// Its Hessian as it is.
void add_inertia_exact(const Group& group, const Body& body, const Placement& now, Block6& hessian);

/// Velocity after the step: (q - q_t) / h, and the angular momentum of the target changed by the turn away from it.
Velocity find_velocity(const Group& group, const Body& body, const Placement& now, double dt);

}  // namespace rattleback::ipc
