// Parameters of the solver `ipc`.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::ipc
{

struct Settings
{
    explicit Settings(const Parameters& parameters);

    double reach;            ///< distance d̂ below which the barrier acts [m]; 0: from the sizes of the bodies
    double separation;       ///< least distance d_min that is kept [m]
    double tolerance;        ///< largest speed of a point left in Newton's direction [m/s]
    double joint_tolerance;  ///< largest opening of a joint, violation of a limit [m]; 0: from d̂
    int max_iterations;      ///< of Newton's method, over all lags
    double static_speed;     ///< eps_v, below which friction sticks [m/s]
    int friction_lags;       ///< Newton solves with friction, each with the normal forces of the one before
    double stiffness;        ///< factor upon the barrier's own
    double inset;            ///< how far inside boxes, round shapes and hulls their surfaces lie [m]
    int corners;             ///< of the circle of tessellated shapes
};

std::vector<ParameterInfo> make_parameter_table();

}  // namespace rattleback::ipc
