// Parameters of the solver `ipc`.
#pragma once

#include "geometry/interval_impact.h"
#include "solvers/ipc/method.h"

#include <rattleback/solver.h>

namespace rattleback::ipc
{

/// How positions and velocities follow from forces (integrator.h).
enum class Scheme
{
    euler,    ///< implicit Euler for the centre, the free rotation as exact as rounding
    printed,  ///< implicit Euler for centre and rotation matrix, as in [RigidIPC]
    bdf2,
    newmark,
};

struct Settings
{
    /// `method` has been read before (read_method()).
    explicit Settings(const Parameters& parameters);

    Deviations deviations;      ///< from the paper; what follows already counts them
    double reach;               ///< distance d̂ below which the barrier acts [m]; 0: from the sizes of the bodies
    double separation;          ///< least distance d_min that is kept [m]
    double tolerance;           ///< largest speed of a point left in Newton's direction [m/s]; 0: find_tolerance()
    double relative_tolerance;  ///< the same over the diagonal of the scene [1/s]; 0: none
    double joint_tolerance;     ///< largest opening of a joint, violation of a limit [m]; 0: from d̂
    int max_iterations;         ///< of Newton's method, over all lags
    double static_speed;        ///< eps_v, below which friction sticks [m/s]
    bool anchor;                ///< friction remembers its slip from step to step (anchors.h)
    int friction_lags;          ///< Newton solves with friction, each with the normal forces of the one before
    double stiffness;           ///< factor upon the barrier's own
    double inset;               ///< how far inside boxes, round shapes and hulls their surfaces lie [m]
    int corners;                ///< of the circle of tessellated shapes
    Scheme scheme;
    bool exact_hessian;           ///< the whole one, shifted where it is not positive, as in [RigidIPC] section 4.2
    bool interval_ccd;            ///< Algorithm 1 of [RigidIPC] instead of separating directions
    IntervalOptions subdivision;  ///< of that
    bool lagrangian_drive;        ///< kinematic bodies by an augmented Lagrangian (drive.h), not by a great mass
    bool sleep;                   ///< islands at rest are left alone
    double sleep_tolerance;       ///< speed of a point below which a group is at rest [m/s]
    bool reuse;                   ///< lists of pairs outlive a step (kept_pairs.h)
    int threads;                  ///< that share the work of one world; 0: one per core
};

std::vector<ParameterInfo> make_parameter_table();

}  // namespace rattleback::ipc
