// The closed sets of words that a Model uses, spelt as in files, JSON and on the command line.
#pragma once

#include <rattleback/api.h>

#include <optional>
#include <string_view>

namespace rattleback RATTLEBACK_API
{

/// Who moves a body.
enum class BodyKind
{
    dynamic,    ///< forces; moves by its joints (under the world without joints: a free joint is added)
    fixed,      ///< nobody: rigidly attached to its parent
    kinematic,  ///< a track or a target; feels nothing; child of the world, without joints
};
enum class JointType
{
    free,   ///< q: position (3), quaternion (4); v: linear in world axes (3), angular in body axes (3)
    ball,   ///< q: quaternion (4); v: angular in body axes (3)
    slide,  ///< q: distance [m]; v [m/s]
    hinge,  ///< q: angle [rad]; v [rad/s]
    fixed,  ///< no coordinates
};
enum class Integrator
{
    euler,         ///< semi-implicit Euler, joint damping implicit (MuJoCo's default)
    implicitfast,  ///< semi-implicit Euler, all velocity-dependent passive and actuator forces implicit
    rk4,           ///< classical Runge-Kutta on coordinates; quaternions by plain increments
    lie_rk4,       ///< Munthe-Kaas Runge-Kutta: fourth order for rotations too
    midpoint,      ///< drift, kick at the mid-pose with mid-velocity, drift: time-symmetric, second order
    implicit,      ///< as implicitfast, and Coriolis, centrifugal and gyroscopic forces implicit too
};
enum class EqualityType
{
    connect,  ///< two points coincide (3 rows)
    weld,     ///< two frames coincide (6 rows)
    joint,    ///< one joint coordinate is a polynomial of another
    tendon,   ///< one tendon length is a polynomial of another
    cable,    ///< two frames are tied by springs that stretch, shear, bend and twist (6 rows)
};
enum class TendonType
{
    fixed,    ///< length = sum of coefficient * joint coordinate
    spatial,  ///< length of a path through sites, with pulleys
};
enum class TransmissionType
{
    joint,            ///< force along a joint's coordinates
    joint_in_parent,  ///< as joint; ball and free torques in the parent's axes
    tendon,
    site,          ///< wrench at a site, in its axes; with a reference site, along the pose in that site's axes
    slider_crank,  ///< force along a slider that a rod joins to a crank's site
    body,          ///< adhesion: pulls at all contacts of a body, against their normals
};
enum class ActuatorDynamics
{
    none,          ///< force follows the input
    integrator,    ///< act' = input
    filter,        ///< act' = (input - act) / time constant
    filter_exact,  ///< the same, integrated exactly over a step
    muscle,        ///< a filter whose time constants differ for rise and fall, and depend on the activation
    pid,           ///< a setpoint that moves no faster than told, and the integral of the position's error
    dc_motor,      ///< setpoint, integral, winding temperature, bristles of friction, current: those that are in use
};
/// How an actuator's force follows from its input or activation, its length and its velocity.
enum class ActuatorLaw
{
    affine,       ///< constant + per length + per velocity
    muscle,       ///< curves of force over length and velocity
    pid,          ///< setpoints of position and velocity, an integral, and a force on top
    dc_motor,     ///< voltage, resistance, back-EMF; cogging and friction
    orientation,  ///< three together turn towards a rotation along the shortest way
    input,        ///< no force: a further input of the actuator before it
};
/// How a delayed input is read between its samples.
enum class Interpolation
{
    hold,  ///< the last sample
    linear,
    cubic,  ///< Catmull-Rom
};
enum class SensorType
{
    joint_position,    ///< 1: q of a hinge or slide
    joint_velocity,    ///< 1
    frame_position,    ///< 3: [m], world axes
    frame_rotation,    ///< 4: quaternion to world axes
    linear_velocity,   ///< 3: [m/s] of the frame's origin, world axes
    angular_velocity,  ///< 3: [rad/s], world axes
    gyro,              ///< 3: angular velocity, frame axes
    accelerometer,     ///< 3: mean acceleration over the last step minus gravity, frame axes [m/s^2]
    touch,             ///< 1: sum of normal contact forces on a body [N]
    contact_force,     ///< 3: total contact force on a body, world axes [N]
};

const char* to_string(BodyKind kind);
const char* to_string(JointType type);
const char* to_string(Integrator integrator);
const char* to_string(EqualityType type);
const char* to_string(TendonType type);
const char* to_string(TransmissionType type);
const char* to_string(ActuatorDynamics dynamics);
const char* to_string(ActuatorLaw law);
const char* to_string(Interpolation interpolation);
const char* to_string(SensorType type);
/// The integrator of that name, or nothing.
std::optional<Integrator> parse_integrator(std::string_view name);

/// Coordinates of q and v that a joint takes: free 7/6, ball 4/3, slide and hinge 1/1, fixed 0/0.
int q_count(JointType type);
int v_count(JointType type);
/// Numbers that a sensor writes.
int sensor_size(SensorType type);

}  // namespace rattleback
