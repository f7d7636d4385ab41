// Bodies that roll and spin on one point: the rattleback, a coin, a tippe top, a ring.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

/// An ellipsoid whose axes of inertia are turned a little against those of its surface, spun on a floor.
struct RattlebackOptions
{
    Vec3 radii{0.2, 0.03, 0.02};         ///< semi-axes [m]
    double mass = 1;                     ///< [kg]
    Vec3 inertia{2e-4, 1.6e-3, 1.7e-3};  ///< diagonal in the axes of the surface [kg m^2]
    double product = -2e-5;              ///< Ixy there: its sign is the way in which the toy likes to turn [kg m^2]
    Vec3 angular_velocity{0, 0.01, -5};  ///< at the start, body axes [rad/s]
    double friction = 2;                 ///< enough to roll without slip
};
/// The toy this project is named after: spun the wrong way it begins to rattle, stops, and turns round.
Result<Model> build_rattleback(const RattlebackOptions& options = {});

/// A coin on its rim: a flat ellipsoid with the inertia of a disc of its radius.
struct CoinOptions
{
    double radius = 0.1;           ///< [m]
    double half_thickness = 2e-3;  ///< [m]
    double mass = 0.4;             ///< [kg]
    bool hollow = false;           ///< all mass at the rim: a ring
    double tilt = 20 * kDegree;    ///< of its axis against the vertical [rad]
    Vec3 angular_velocity;         ///< at the start, world axes; it rolls from the first step on [rad/s]
    double friction = 2;
};
/// Lies or stands on a floor, its axis in the plane of x and z.
Result<Model> build_coin(const CoinOptions& options = {});

/// A ball with its mass below its centre, spun upright: friction turns it over (lab/metrics/rolling.h).
struct TippeTopOptions
{
    double radius = 0.1;        ///< [m]
    double offset = 0.02;       ///< of the centre of mass, below that of the ball [m]
    double mass = 1;            ///< [kg]
    double transverse = 0.004;  ///< moment of inertia about axes across the stem, at the centre of mass [kg m^2]
    double axial = 0.004;       ///< about the stem [kg m^2]
    double spin = 60;           ///< about the vertical [rad/s]
    double tilt = 0.2;          ///< of the stem against the vertical [rad]
    double friction = 0.2;      ///< so little that it slides all the way: what rolls does not rise
};
/// Its centre of mass is at rest; the stem is drawn and touches nothing.
Result<Model> build_tippe_top(const TippeTopOptions& options = {});

}  // namespace rattleback::lab
