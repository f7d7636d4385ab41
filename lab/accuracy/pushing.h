// A round rod pushing a box over a floor, quasi-statically (Lynch and Mason 1996): the reference of test 7.
#pragma once

#include <vector>

namespace rattleback::lab
{

/// The box in the plane, centre and heading.
struct PlanarPose
{
    double x = 0, y = 0;  ///< [m]
    double angle = 0;     ///< [rad]
};

struct PushOptions
{
    double half = 0.1;           ///< of the box [m]
    double offset = 0;           ///< of the box from the rod's path, along x [m]
    double rod_radius = 0.03;    ///< [m]; 0: the rod's centre touches, as in the authors' reference
    double rod_start = 0.16;     ///< y of the rod's centre [m]
    double acceleration = 0.05;  ///< of the rod, along -y [m/s^2]
    double friction = 0.4;       ///< between rod and box
    /// Half-axis ratio of the limit surface: torque over force that the floor resists [m]. The mean distance of a
    /// square of side 0.2 m from its middle is 0.0765 m; its root mean square, which the authors take, 0.0816 m.
    double radius = 0.0765;
    double dt = 1e-4;     ///< of the integration [s]
    double frame = 0.01;  ///< from sample to sample [s]
    double seconds = 10;
};

/// The authors' way: the rod's centre, root-mean-square radius, steps of a frame.
PushOptions as_printed(PushOptions options);

/// Poses at 0, frame, 2 frame, ...
std::vector<PlanarPose> find_push_path(const PushOptions& options);

}  // namespace rattleback::lab
