// The words of MJCF for sensors.
#pragma once

#include <rattleback/kinds.h>

#include <array>

namespace rattleback::mjcf
{

struct SensorWord
{
    const char* name;
    SensorType type;
};
inline constexpr std::array kSensorWords{
    SensorWord{"jointpos", SensorType::joint_position},
    SensorWord{"jointvel", SensorType::joint_velocity},
    SensorWord{"framepos", SensorType::frame_position},
    SensorWord{"framequat", SensorType::frame_rotation},
    SensorWord{"framelinvel", SensorType::linear_velocity},
    SensorWord{"frameangvel", SensorType::angular_velocity},
    SensorWord{"gyro", SensorType::gyro},
    SensorWord{"accelerometer", SensorType::accelerometer},
    SensorWord{"touch", SensorType::touch},
    SensorWord{"velocimeter", SensorType::velocimeter},
    SensorWord{"force", SensorType::force},
    SensorWord{"torque", SensorType::torque},
    SensorWord{"magnetometer", SensorType::magnetometer},
    SensorWord{"camprojection", SensorType::camera_projection},
    SensorWord{"rangefinder", SensorType::rangefinder},
    SensorWord{"tendonpos", SensorType::tendon_position},
    SensorWord{"tendonvel", SensorType::tendon_velocity},
    SensorWord{"actuatorpos", SensorType::actuator_position},
    SensorWord{"actuatorvel", SensorType::actuator_velocity},
    SensorWord{"actuatorfrc", SensorType::actuator_force},
    SensorWord{"jointactuatorfrc", SensorType::joint_actuator_force},
    SensorWord{"tendonactuatorfrc", SensorType::tendon_actuator_force},
    SensorWord{"ballquat", SensorType::ball_rotation},
    SensorWord{"ballangvel", SensorType::ball_velocity},
    SensorWord{"jointlimitpos", SensorType::joint_limit_position},
    SensorWord{"jointlimitvel", SensorType::joint_limit_velocity},
    SensorWord{"jointlimitfrc", SensorType::joint_limit_force},
    SensorWord{"tendonlimitpos", SensorType::tendon_limit_position},
    SensorWord{"tendonlimitvel", SensorType::tendon_limit_velocity},
    SensorWord{"tendonlimitfrc", SensorType::tendon_limit_force},
    SensorWord{"framexaxis", SensorType::frame_x_axis},
    SensorWord{"frameyaxis", SensorType::frame_y_axis},
    SensorWord{"framezaxis", SensorType::frame_z_axis},
    SensorWord{"framelinacc", SensorType::linear_acceleration},
    SensorWord{"frameangacc", SensorType::angular_acceleration},
    SensorWord{"subtreecom", SensorType::subtree_center},
    SensorWord{"subtreelinvel", SensorType::subtree_velocity},
    SensorWord{"subtreeangmom", SensorType::subtree_angular_momentum},
    SensorWord{"insidesite", SensorType::inside_site},
    SensorWord{"insidesite", SensorType::enclosure},  // with `enclosed`
    SensorWord{"tactile", SensorType::tactile},
    SensorWord{"distance", SensorType::distance},
    SensorWord{"normal", SensorType::distance_normal},
    SensorWord{"fromto", SensorType::distance_segment},
    SensorWord{"contact", SensorType::contact},
    SensorWord{"e_potential", SensorType::potential_energy},
    SensorWord{"e_kinetic", SensorType::kinetic_energy},
    SensorWord{"clock", SensorType::clock},
    SensorWord{"user", SensorType::user},
};

/// In the order of the bits of RayField, ContactField, and of SensorReduce and Interpolation.
inline constexpr std::array kRayWords{"dist", "dir", "origin", "point", "normal", "depth"};
inline constexpr std::array kContactWords{"found",  "force",   "torque", "dist",  "pos",
                                          "normal", "tangent", "linvel", "angvel"};
inline constexpr std::array kReduceWords{"none", "mindist", "maxforce", "netforce"};
inline constexpr std::array kInterpolationWords{"zoh", "linear", "cubic"};

}  // namespace rattleback::mjcf
