// Control: what the user applies from outside; it persists until changed.
#pragma once

#include <rattleback/api.h>
#include <rattleback/model.h>

#include <span>

namespace rattleback RATTLEBACK_API
{

/// One world of a Control.
struct ControlView
{
    std::span<const double> input;               ///< actuator inputs, [actuator_count]
    std::span<const double> joint_force;         ///< generalised forces [N, N m], [v_count]
    std::span<const Wrench> body_wrench;         ///< at the centres of mass, world axes, [body_count]
    std::span<const Pose> target;                ///< poses of kinematic bodies without a track, [kinematic_count]
    std::span<const int> actuator_active;        ///< 0: switched off, [actuator_count]
    std::span<const int> equality_active;        ///< 0: switched off, [equality_count]
    std::span<const Velocity> surface_velocity;  ///< of the surfaces of shapes, in their frames, [shape_count]
};

/// Inputs of `world_count` worlds: all zero at first, targets at the authored poses, switches and surfaces as the model
/// has them.
struct Control
{
    Control() = default;
    explicit Control(const Model& model, int world_count = 1);

    int world_count = 0;
    int actuator_count = 0, v_count = 0, body_count = 0, kinematic_count = 0, equality_count = 0, shape_count = 0;

    std::vector<double> input;        ///< [world][actuator_count]
    std::vector<double> joint_force;  ///< [world][v_count]
    std::vector<Wrench> body_wrench;  ///< [world][body_count]
    std::vector<Pose> target;         ///< [world][kinematic_count]
    /// [world][actuator_count] 0: it gives no force, and its activation stays as it is.
    std::vector<int> actuator_active;
    /// [world][equality_count] 0: it holds nothing. One that is switched on again starts without the forces it had.
    std::vector<int> equality_active;
    /// [world][shape_count] Velocity of a shape's surface against its body, in the shape's frame: linear [m/s], and
    /// angular about the shape's origin [rad/s]. Friction acts against it; what is normal to a contact has no effect.
    std::vector<Velocity> surface_velocity;

    ControlView world(int index = 0) const;
};

}  // namespace rattleback
