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
    discrete,      ///< as implicitfast, and springs, servos and constraints implicit in positions too, in one solve
};
/// Whether a tree of bodies may fall asleep, said of the body at its root.
enum class SleepPolicy
{
    automatic,  ///< it may, unless actuators drive it or tendons with springs or dampers tie it to other trees
    never,
    allowed,  ///< it may, whatever drives it
    init,     ///< as allowed, and it is asleep at first
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
/// How delayed inputs and sensors are read between their samples.
enum class Interpolation
{
    hold,  ///< the last before
    linear,
    cubic,  ///< Catmull-Rom
};
/// What a sensor measures. Frames are those of bodies, inertial frames, shapes, sites and cameras (see SensorObject);
/// with a reference, positions, rotations and velocities are relative to its frame and in its axes.
enum class SensorType
{
    joint_position,            ///< 1: q of a hinge or slide
    joint_velocity,            ///< 1
    frame_position,            ///< 3: [m], world axes
    frame_rotation,            ///< 4: quaternion to world axes
    linear_velocity,           ///< 3: [m/s] of the frame's origin, world axes
    angular_velocity,          ///< 3: [rad/s], world axes
    gyro,                      ///< 3: angular velocity, frame axes
    accelerometer,             ///< 3: acceleration minus gravity, frame axes [m/s^2]; after a step its mean over it
    touch,                     ///< 1: sum of normal contact forces on a body, or on what of it is in a site [N]
    contact_force,             ///< 3: total contact force on a body, world axes [N]
    velocimeter,               ///< 3: linear velocity, frame axes [m/s]
    force,                     ///< 3: that the parent exerts on a site's body, site axes [N]
    torque,                    ///< 3: the same, about the site [N m]
    magnetometer,              ///< 3: Settings::magnetic_field, site axes
    camera_projection,         ///< 2: where a camera sees a site [pixels], from the top left
    rangefinder,               ///< RayField of the first shape along a site's z, or of each pixel of a camera
    tendon_position,           ///< 1: length
    tendon_velocity,           ///< 1
    actuator_position,         ///< 1: length of the transmission
    actuator_velocity,         ///< 1
    actuator_force,            ///< 1: before the transmission
    joint_actuator_force,      ///< 1: of all actuators on a hinge or slide [N, N m]
    tendon_actuator_force,     ///< 1: of all actuators on a tendon [N]
    ball_rotation,             ///< 4: quaternion of a ball joint
    ball_velocity,             ///< 3: angular velocity of a ball joint, body axes [rad/s]
    joint_limit_position,      ///< 1: way to the limit less its margin; 0 where the limit does not act
    joint_limit_velocity,      ///< 1: its rate
    joint_limit_force,         ///< 1: [N, N m], not negative
    tendon_limit_position,     ///< 1: as for joints
    tendon_limit_velocity,     ///< 1
    tendon_limit_force,        ///< 1
    frame_x_axis,              ///< 3: unit, world axes
    frame_y_axis,              ///< 3
    frame_z_axis,              ///< 3
    linear_acceleration,       ///< 3: of the frame's origin minus gravity, world axes [m/s^2]
    angular_acceleration,      ///< 3: world axes [rad/s^2]
    subtree_center,            ///< 3: centre of mass of a body and all that it carries [m]
    subtree_velocity,          ///< 3: its velocity [m/s]
    subtree_angular_momentum,  ///< 3: about that centre [kg m^2/s]
    inside_site,               ///< 1: 1 where the frame's origin is in the site, else 0
    distance,                  ///< 1: between two shapes, or the nearest of two bodies' [m], at most the cutoff
    distance_normal,           ///< 3: unit, from first to second; zero beyond the cutoff
    distance_segment,          ///< 6: points on first and second; zeros beyond the cutoff [m]
    contact,                   ///< ContactField of each of some contacts
    potential_energy,          ///< 1: of the world [J]
    kinetic_energy,            ///< 1: [J]
    clock,                     ///< 1: time [s]
    user,                      ///< as many zeros as asked for: values of a program's own
    enclosure,                 ///< 1: how far a shape juts out of a site; negative: the least clearance [m]
    tactile,  ///< of each taxel: depth in what touches its body [m]; then, of all, sliding speeds [m/s]
};
inline constexpr int kSensorTypeCount = 50;

/// What a sensor watches or measures from.
enum class SensorObject
{
    none,
    joint,
    tendon,
    actuator,
    body,      ///< its frame; for distances and contacts its shapes
    inertial,  ///< frame of the centre of mass and principal axes of a body
    subtree,   ///< a body and all that it carries
    shape,
    site,    ///< its frame, or its volume
    camera,  ///< a frame on a body that looks along -z, y up
    view,    ///< a camera of the Model, which may follow its body or look at another
};
/// What a rangefinder tells, as bits of SensorOptions::fields; in this order.
enum class RayField
{
    distance = 1,   ///< 1: from the origin to the surface [m]; -1: nothing is there
    direction = 2,  ///< 3: of the ray, unit; zero where nothing is
    origin = 4,     ///< 3: of the ray [m]
    point = 8,      ///< 3: on the surface [m]
    normal = 16,    ///< 3: of the surface, outward
    depth = 32,     ///< 1: distance along the axis of the site or camera [m]; -1: nothing is there
};
/// What a contact sensor tells of each contact, as bits of SensorOptions::fields; in this order.
enum class ContactField
{
    found = 1,               ///< 1: number of contacts that match; 0: no contact in this slot
    force = 2,               ///< 3: on the second side, contact frame [N]
    torque = 4,              ///< 3: likewise [N m]
    distance = 8,            ///< 1: [m]
    position = 16,           ///< 3: world [m]
    normal = 32,             ///< 3: from first to second side, world
    tangent = 64,            ///< 3: world
    linear_velocity = 128,   ///< 3: of the second side against the first, contact frame [m/s]
    angular_velocity = 256,  ///< 3: likewise [rad/s]
};
/// Which of the contacts that match a contact sensor tells.
enum class SensorReduce
{
    none,       ///< the first, in the order of the contacts
    nearest,    ///< those with the least distance, ascending
    strongest,  ///< those with the largest force, descending
    net,        ///< one that stands for all: their total force at its centre, world axes
};

const char* to_string(BodyKind kind);
const char* to_string(JointType type);
const char* to_string(Integrator integrator);
const char* to_string(SleepPolicy policy);
const char* to_string(EqualityType type);
const char* to_string(TendonType type);
const char* to_string(TransmissionType type);
const char* to_string(ActuatorDynamics dynamics);
const char* to_string(ActuatorLaw law);
const char* to_string(Interpolation interpolation);
const char* to_string(SensorType type);
const char* to_string(SensorObject object);
const char* to_string(SensorReduce reduce);
/// The integrator of that name, or nothing.
std::optional<Integrator> parse_integrator(std::string_view name);

/// Coordinates of q and v that a joint takes: free 7/6, ball 4/3, slide and hinge 1/1, fixed 0/0.
int q_count(JointType type);
int v_count(JointType type);
/// Numbers that a sensor writes; 0 where its options say how many (rangefinder, contact, user).
int sensor_size(SensorType type);

}  // namespace rattleback
