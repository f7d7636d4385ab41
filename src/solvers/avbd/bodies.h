// Motion of all rigid groups of one world within a step.
#pragma once

#include "math/matrix3.h"
#include "solvers/avbd/contact_row.h"
#include "solvers/avbd/layout.h"

#include <rattleback/control.h>
#include <rattleback/state.h>

namespace rattleback::avbd
{

/// One rigid group: where it is at the start of a substep, where inertia would take it, and how far it has come.
struct Body
{
    Vec3 center;    ///< of mass at the start [m]
    Quat rotation;  ///< of the group's frame at the start
    Velocity velocity;
    Increment<double> target;  ///< y - x_t: by inertia and external forces alone
    Increment<double> delta;   ///< x - x_t so far
    Quat rotation_now;         ///< rotation at `delta`
    Mat3 inertia;              ///< about the centre, world axes at the start [kg m^2]
    double mass = 0;
    Vec3 momentum;           ///< spin_momentum() of the target [kg m^2]
    Increment<double> late;  ///< what free motion adds once the increments are known: velocity [m/s], angular momentum
                             ///< [kg m^2/s]
    double pivot = 1;     ///< of the substep: when the increments' angular momentum is that of the body, see predict()
    bool free = false;    ///< nothing touches it: positions by the midpoint rule
    bool swings = false;  ///< in a tree that nothing touches: all forces act half before and half after the increments
    Vec3 previous;        ///< linear velocity one substep earlier [m/s]
    bool has_previous = false;

    Vec3 center_now() const { return center + delta.linear; }
};

/// A piece of a list: begin <= i < end. Pieces are worked on one after the other or side by side.
struct Piece
{
    int begin = 0, end = 0;
};

inline Symmetric3<double> to_symmetric(const Mat3& a) { return {{a.m[0], a.m[3], a.m[4], a.m[6], a.m[7], a.m[8]}}; }

/// Poses and velocities of the world into groups.
void load_bodies(const Layout& layout, const WorldView& world, Piece groups, std::vector<Body>& bodies);

/// Where the sweeps of a substep start.
enum class FirstGuess
{
    adaptive,  ///< with the square of the share of its external acceleration that a body showed in the last step (after
               ///< [VBD]'s adaptive initialisation, which takes the share itself), without a last step all of it; of an
               ///< external torque nothing
    target,    ///< at the inertial target ([VBD-R])
};

/// Targets by inertia, gravity and the wrenches on each group, and first guesses of the increments. Implicit Euler
/// (`pivot` 1) takes the angular momentum at the end of the substep, which brakes every turn that is not about a
/// principal axis; the midpoint rule (1/2) that of its middle, and keeps the energy. Of a body that is `free` or
/// `swings` external forces act half before and half after the increments.
void predict(const Layout& layout, const Vec3& gravity, std::span<const Wrench> external, double dt, FirstGuess guess,
             Piece groups, std::vector<Body>& bodies);

/// Angular velocity at the end of the increments of a body with this angular momentum, world axes.
Vec3 find_spin(const RigidGroup& group, const Body& body, const Vec3& momentum);
/// Velocities that follow from the increments: by BDF1, and by the midpoint rule where `pivot` says so.
void finish_velocities(const Layout& layout, double dt, Piece groups, std::vector<Body>& bodies);
/// Moves bodies on by their increments.
void commit_poses(Piece groups, std::vector<Body>& bodies);

/// Angular velocity over `dt`, world axes, that leaves the angular momentum as it is but for the `impulse` of a torque:
/// with p the pivot (exp(p h w) R) I (exp(p h w) R)ᵀ w = R I Rᵀ w0 + impulse.
Vec3 spin_freely(const Mat3& inertia_world, const Vec3& angular, const Vec3& impulse, double dt, double pivot = 1);

}  // namespace rattleback::avbd
