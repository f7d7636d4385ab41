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
    std::span<const double> input;        ///< actuator inputs, [actuator_count]
    std::span<const double> joint_force;  ///< generalised forces [N, N m], [v_count]
    std::span<const Wrench> body_wrench;  ///< at the centres of mass, world axes, [body_count]
    std::span<const Pose> target;         ///< poses of kinematic bodies without a track, [kinematic_count]
};

/// Inputs of `world_count` worlds: all zero at first, targets at the authored poses.
struct Control
{
    Control() = default;
    explicit Control(const Model& model, int world_count = 1);

    int world_count = 0;
    int actuator_count = 0, v_count = 0, body_count = 0, kinematic_count = 0;

    std::vector<double> input;        ///< [world][actuator_count]
    std::vector<double> joint_force;  ///< [world][v_count]
    std::vector<Wrench> body_wrench;  ///< [world][body_count]
    std::vector<Pose> target;         ///< [world][kinematic_count]

    ControlView world(int index = 0) const;
};

}  // namespace rattleback
