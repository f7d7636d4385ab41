// Sensor values of one world, evaluated after a step from State, contacts and contact forces.
#pragma once

#include <rattleback/contacts.h>
#include <rattleback/state.h>

namespace rattleback
{

/// Number of accelerometers of a model: they compare velocities before and after a step.
int accelerometer_count(const Model& model);

/// Velocities of the accelerometers' frames now, world axes [m/s], [accelerometer_count].
void read_accelerometer_velocities(const Model& model, const ConstWorldView& world, std::span<Vec3> velocities);

/// What sensors watch beside the State.
struct SensorInput
{
    const Contacts& contacts;
    const ContactForces& forces;
    std::span<const Vec3> velocities_before;  ///< of the accelerometers, before the last step [m/s]
    /// Of the accelerometers, minus gravity, world axes [m/s^2]; empty: the mean over the last step.
    std::span<const Vec3> accelerations = {};
    Vec3 gravity = {};  ///< [m/s^2]
    double dt = 0;      ///< [s]
};

/// Writes all sensor values, [sensor_value_count]. Body poses and velocities of `world` are up to date.
void evaluate_sensors(const Model& model, const ConstWorldView& world, const SensorInput& input,
                      std::span<double> values);

}  // namespace rattleback
