// Free bodies without gravity or contact: what rotation alone does.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct TumbleOptions
{
    Vec3 inertia{1, 2, 3};               ///< principal moments [kg m^2]
    Vec3 angular_velocity{0.3, 5, 0.3};  ///< at the start [rad/s]
};
/// One body of 1 kg with the given moments.
Result<Model> build_tumble(const TumbleOptions& options = {});

struct THandleOptions
{
    double spin = 8;             ///< about the stem, the middle axis [rad/s]
    double perturbation = 0.02;  ///< about the other two [rad/s]
};
/// A stem along x and a crossbar along y, the centre of mass in the body's origin.
Result<Model> build_t_handle(const THandleOptions& options = {});

}  // namespace rattleback::lab
