// Motion of all parts of one world within a step.
#pragma once

#include "solvers/avbd/contact_row.h"
#include "solvers/avbd/layout.h"

#include <rattleback/control.h>
#include <rattleback/state.h>

namespace rattleback::avbd
{

/// One part: where it is at the start of a substep, where inertia would take it, and how far it has come.
struct Body
{
    Vec3 center;    ///< of mass at the start [m]
    Quat rotation;  ///< of the part's frame at the start
    Velocity velocity;
    Increment<double> target;  ///< by inertia and outer forces alone
    Increment<double> moved;   ///< so far
    Quat turned;               ///< rotation at `moved`
    Mat3 inertia;              ///< about the centre, world axes at the start [kg m^2]
    double mass = 0;
    Vec3 momentum;  ///< spin_momentum() of the target [kg m^2]
    Vec3 previous;  ///< linear velocity one substep earlier [m/s]
    bool has_previous = false;

    Vec3 center_now() const { return center + moved.linear; }
};

/// A piece of a list: begin <= i < end. Pieces are worked on one after the other or side by side.
struct Piece
{
    int begin = 0, end = 0;
};

inline Symmetric3<double> to_symmetric(const Mat3& a) { return {{a.m[0], a.m[3], a.m[4], a.m[6], a.m[7], a.m[8]}}; }

/// Outer forces on a part: control wrenches, actuators on sites and free joints.
using OuterForces = std::vector<Wrench>;

/// Poses and velocities of the world into parts.
void load_bodies(const Layout& layout, const WorldView& world, Piece parts, std::vector<Body>& bodies);

/// Targets, and first guesses of the increments: a body starts with the square of the share of its outer acceleration
/// that it showed in the last step (after VBD's adaptive initialisation, which takes the share itself), or, without a
/// last step or with `full`, all of it; of an outer torque nothing, or with `full` all.
void predict(const Layout& layout, const OuterForces& outer, double dt, bool full, Piece parts,
             std::vector<Body>& bodies);

/// Moves bodies on by their increments; velocities follow by BDF1.
void finish_velocities(double dt, Piece parts, std::vector<Body>& bodies);
void commit_poses(Piece parts, std::vector<Body>& bodies);

/// Angular velocity after `dt`, world axes, that leaves the angular momentum as it is but for the torque: the implicit
/// Euler step in momentum form, (exp(h w) R) I (exp(h w) R)ᵀ w = R I Rᵀ w0 + h torque.
Vec3 spin_freely(const Mat3& inertia_world, const Vec3& angular, const Vec3& torque, double dt);

}  // namespace rattleback::avbd
