// A controller that pushes a box along a curved path with a round rod, and how far from it the box goes.
#pragma once

#include "lab/accuracy/run.h"

namespace rattleback::lab
{

/// The path y = height (1 - cos(2 pi x / length)) / 2: straight ahead at both ends, one bow to either side.
struct PushPath
{
    double height = 0.1, length = 1;  ///< [m]

    double y(double x) const;
    double heading(double x) const;    ///< of the tangent [rad]
    double curvature(double x) const;  ///< [1/m], positive: to the left
};

/// What the controller sees of the box every 10 ms, and what it does about it.
struct PathPushOptions
{
    PushPath path;
    double seconds = 20;
    double speed = 0.05;           ///< of the rod along the box's heading [m/s]
    double friction = 0.4;         ///< of the box on the floor
    double rod_friction = 0.05;    ///< of the rod on the box
    double look_ahead = 0.08;      ///< way over which errors are to fade [m]
    double slide_rate = 20;        ///< at which the rod goes to its place on the face [1/s]
    double largest_offset = 0.07;  ///< of the rod from the middle of the face [m]
    bool feedback = true;          ///< false: the box is believed to be on the path
};

struct PathPushRun
{
    std::string who, precision;
    std::string refused, trouble;    ///< as AccuracyRun
    std::vector<PlanarPose> box;     ///< per frame
    double mean_square = 0;          ///< root mean square of the distance from the path [m]
    double worst = 0;                ///< largest distance [m]
    double heading_mean_square = 0;  ///< of the heading's error [rad]
    double way = 0;                  ///< along x [m]
    double seconds = 0;              ///< of CPU
};

/// A point contact turns the box by -v p / c^2 for an offset p of the rod from the middle of the face (limit surface of
/// Lynch and Mason 1996, c = 0.0765 m for a square of 0.2 m). With e the distance from the path, phi the error of the
/// heading and kappa the path's curvature, the controller asks for p = c^2 (e / L^2 + 2 phi / L - kappa), so that
/// e'' + 2 e' / L + e / L^2 = 0 over the way, and slides the rod there along the face.
PathPushRun push_along_path(const Contestant& contestant, const PathPushOptions& options = {});

/// Root mean square of the distance between two boxes at equal times [m].
double find_path_difference(const PathPushRun& a, const PathPushRun& b);

}  // namespace rattleback::lab
