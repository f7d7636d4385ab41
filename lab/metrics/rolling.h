// The exact motion of an ellipsoid that rolls on a plane without slip, and of a ball with its mass aside that slides on
// one: the oracles of the rattleback and of the tippe top.
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

/// A ball whose centre of mass lies beside its own on an axis of symmetry, on a plane with dry friction: the tippe top.
/// Vectors in world axes, z up.
struct SlidingTop
{
    double radius = 0.1;        ///< R [m]
    double offset = 0.02;       ///< a, from the centre of mass to the ball's [m]
    double mass = 1;            ///< m [kg]
    double transverse = 0.004;  ///< A, about the centre of mass [kg m^2]
    double axial = 0.004;       ///< C [kg m^2]
    double friction = 0.2;      ///< mu [-]
    double gravity = 9.81;      ///< g [m/s^2]
    double least_slip = 1e-3;   ///< friction grows linearly up to about this speed [m/s]

    Vec3 axis{0, 0, 1};  ///< unit, from the centre of mass to that of the ball
    Vec3 moment;         ///< of momentum, about the centre of mass [kg m^2/s]
    Vec3 velocity;       ///< of the centre of mass; its z follows from the rest [m/s]

    Vec3 angular_velocity() const;
    void set_angular_velocity(const Vec3& angular);
    /// From the centre of mass to the point that touches the plane [m].
    Vec3 arm() const { return offset * axis - Vec3{0, 0, radius}; }
    /// - L . r (Jellett 1872): no force at the contact point changes it, since r x F is normal to r and r turns with
    /// the axis, which L does not drive.
    double jellett() const { return -dot(moment, arm()); }
    /// Zero with the ball's centre on the plane [J].
    double energy() const;
    void advance(double duration, double dt = 2e-5);
};

/// Spins about the upright axis beyond which a tippe top leaves it, and beyond which it stands on its head [rad/s];
/// infinite where it never does. Of all motions with one value of Jellett's integral those without slip have the least
/// energy, J^2 / 2 rIr + m g (R - a cos): where that has a maximum upright and a minimum overhead, friction turns the
/// top over; (1 - a/R) < A/C < (1 + a/R) and fast enough (Cohen 1977; Ueda, Sasaki and Watanabe 2005).
struct TippeSpins
{
    double leaves = 0, inverts = 0;
};
TippeSpins find_tippe_spins(const SlidingTop& top);

}  // namespace rattleback::lab
