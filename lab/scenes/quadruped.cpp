// The quadruped.
#include "lab/scenes/quadruped.h"

#include "lab/scenes/parts.h"

#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kThigh = 0.20, kShank = 0.21;  // [m]
constexpr double kFoot = 0.021;                 // radius [m]
constexpr double kHipBend = 0.72;               // of the thigh, backwards, at rest [rad]
constexpr double kKneeBend = -1.42;             // of the shank against the thigh [rad]

struct Leg
{
    const char* name;
    double front, left;  ///< +1 or -1
};
constexpr Leg kLegs[] = {
    {"front_left_", 1, 1}, {"front_right_", 1, -1}, {"rear_left_", -1, 1}, {"rear_right_", -1, -1}};

/// A hinge with its servo.
void add_servo(ModelBuilder& builder, BodyId body, const std::string& name, const Vec3& axis, const Range& range,
               double stiffness)
{
    const JointId joint =
        builder.add_joint(body, {.name = name, .axis = axis, .range = range, .damping = 0.1, .armature = 0.01});
    builder.add_position_actuator(
        joint,
        {.name = name, .stiffness = stiffness, .damping_ratio = 1, .input_range = range, .force_range = limits(35)});
    builder.add_sensor(SensorType::joint_position, joint, name + "_angle");
}

void add_leg(ModelBuilder& builder, BodyId trunk, const Leg& leg, double stiffness)
{
    const std::string prefix = leg.name;
    const BodyId hip = builder.add_body(
        {.name = prefix + "hip", .parent = trunk, .position = {0.19 * leg.front, 0.052 * leg.left, 0}});
    add_servo(builder, hip, prefix + "spread", {leg.left, 0, 0}, degrees(-45, 50), stiffness);
    add_limb(builder, hip, {0, 0, 0}, {0, 0.05 * leg.left, 0}, 0.036,
             {.name = prefix + "hip", .mass = 0.6, .colour = kInk});

    const BodyId thigh = builder.add_body({.name = prefix + "thigh",
                                           .parent = hip,
                                           .position = {0, 0.078 * leg.left, 0},
                                           .rotation = from_axis_angle({0, 1, 0}, kHipBend)});
    add_servo(builder, thigh, prefix + "swing", {0, 1, 0}, degrees(-80, 110), stiffness);
    add_limb(builder, thigh, {0, 0, -0.01}, {0, 0, -kThigh}, 0.022,
             {.name = prefix + "thigh", .mass = 1.0, .colour = kAmber});

    const BodyId shank = builder.add_body({.name = prefix + "shank",
                                           .parent = thigh,
                                           .position = {0, 0, -kThigh},
                                           .rotation = from_axis_angle({0, 1, 0}, kKneeBend)});
    add_servo(builder, shank, prefix + "knee", {0, 1, 0}, degrees(-65, 55), stiffness);
    add_limb(builder, shank, {0, 0, -0.02}, {0, 0, -kShank + 0.01}, 0.012,
             {.name = prefix + "shank", .mass = 0.2, .colour = kSteel});
    builder.add_shape(shank, Sphere{.radius = kFoot},
                      {.name = prefix + "foot", .position = {0, 0, -kShank}, .mass = 0.06, .colour = kInk});
    builder.add_site(shank, {.name = prefix + "foot", .position = {0, 0, -kShank}});
    builder.add_sensor(SensorType::touch, shank, prefix + "foot_touch");
}

}  // namespace

Result<Model> build_quadruped(const QuadrupedOptions& options)
{
    const double stand = kThigh * std::cos(kHipBend) + kShank * std::cos(kHipBend + kKneeBend) + kFoot;

    ModelBuilder builder("quadruped");
    builder.settings().integrator = Integrator::implicitfast;  // servos are stiff
    builder.add_ground({.name = "floor", .colour = kFloor});
    const BodyId trunk = builder.add_body({.name = "trunk", .position = {0, 0, stand + options.height}});
    builder.add_joint(trunk, {.name = "root", .type = JointType::free});
    builder.add_shape(trunk, Box{.half_extents = {0.19, 0.058, 0.055}},
                      {.name = "trunk", .mass = 6.2, .colour = kPaper});
    add_limb(builder, trunk, {0.17, -0.02, 0.015}, {0.17, 0.02, 0.015}, 0.06,
             {.name = "head", .mass = 0.8, .colour = kTeal});
    builder.add_site(trunk, {.name = "imu", .position = {0, 0, 0.03}});
    builder.add_sensor(SensorType::gyro, trunk, "gyro");
    builder.add_sensor(SensorType::accelerometer, trunk, "accelerometer");
    builder.add_sensor(SensorType::frame_rotation, trunk, "attitude");
    for (const Leg& leg : kLegs) add_leg(builder, trunk, leg, options.stiffness);
    return builder.build();
}

}  // namespace rattleback::lab
