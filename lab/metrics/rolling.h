// The exact motion of an ellipsoid that rolls on a plane without slip: the oracle of the rattleback.
#pragma once

#include <rattleback/math.h>

namespace rattleback::lab
{

/// State and constants of the ellipsoid; vectors in body axes, which are those of its surface.
struct RollingEllipsoid
{
    Vec3 radii{1, 1, 1};    ///< semi-axes [m]
    double mass = 1;        ///< [kg], its centre is that of the surface
    Vec3 diagonal;          ///< Ixx, Iyy, Izz [kg m^2]
    Vec3 products;          ///< Ixy, Ixz, Iyz [kg m^2]
    double gravity = 9.81;  ///< [m/s^2], against the plane's normal

    Vec3 up{0, 0, 1};       ///< the plane's normal, unit
    Vec3 angular_velocity;  ///< [rad/s]

    /// From the centre to the point that touches the plane [m].
    Vec3 arm() const;
    /// Kinetic and potential energy; zero of the latter at the plane [J].
    double energy() const;
    /// Moves on by `duration` [s] in steps of about `dt` [s] of the classical Runge-Kutta method.
    void advance(double duration, double dt = 1e-4);
};

}  // namespace rattleback::lab
