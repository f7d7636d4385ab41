// The law of one actuator, as MuJoCo defines it: input -> activation -> force, affine in its length and velocity.
#pragma once

#include "dynamics/model_view.h"
#include "math/elementary.h"
#include "math/rotation.h"

namespace rattleback
{

/// The value within a range; as it is where the range has no limits.
template <class T>
RB_HD T clamp_to(const Range& range, const T& value)
{
    return range.limited ? clamp(value, range.lower, range.upper) : value;
}

/// The activation after `dt` [s] at the given rate, clamped to its range.
template <class T>
RB_HD T next_activation(const ActuatorsView& actuators, int actuator, const T& act, const T& rate, double dt)
{
    const auto a = static_cast<std::size_t>(actuator);
    double span = dt;
    if (actuators.dynamics[a] == ActuatorDynamics::filter_exact)
    {
        // The exact solution of act' = (input - act) / tau with constant input.
        const double tau = actuators.time_constant[a];
        span = tau * (1 - exponential(-dt / tau));
    }
    return clamp_to(actuators.act_range[a], act + T(span) * rate);
}

/// What drives an actuator's gain: its input, or the activation that the input changes.
template <class T>
struct ActuatorDrive
{
    T value;
    T act_rate;  ///< 0 without activation
};

/// `act` is not looked at where the actuator has no activation. `dt` [s] matters for actuators that use the activation
/// at the end of the step.
template <class T>
RB_HD ActuatorDrive<T> find_actuator_drive(const ActuatorsView& actuators, int actuator, const T& input, const T& act,
                                           double dt)
{
    const auto a = static_cast<std::size_t>(actuator);
    const T given = clamp_to(actuators.input_range[a], input);
    if (actuators.act_begin[a] < 0) return {given, T(0.0)};
    // An integrator adds the input up, a filter follows it.
    const bool integrates = actuators.dynamics[a] == ActuatorDynamics::integrator;
    const T rate = integrates ? given : (given - act) / T(actuators.time_constant[a]);
    return {actuators.act_early[a] != 0 ? next_activation(actuators, actuator, act, rate, dt) : act, rate};
}

/// Gain and bias of an actuator, three numbers each: constant, per length, per velocity. The Model's or a world's own.
template <class T>
struct ForceLaw
{
    const T* gain;
    const T* bias;
};

/// gain(length, velocity) drive + bias(length, velocity), before its range [N, N m].
template <class T>
RB_HD T find_actuator_force(const ForceLaw<T>& law, const T& drive, const T& length, const T& velocity)
{
    const T gain = law.gain[0] + law.gain[1] * length + law.gain[2] * velocity;
    const T bias = law.bias[0] + law.bias[1] * length + law.bias[2] * velocity;
    return gain * drive + bias;
}

/// The same force as constant + slope length + damping velocity, for methods that are implicit in them.
template <class T>
struct AffineForce
{
    T constant, slope, damping;
};
template <class T>
RB_HD AffineForce<T> find_affine_force(const ForceLaw<T>& law, const T& drive)
{
    return {law.gain[0] * drive + law.bias[0], law.gain[1] * drive + law.bias[1], law.gain[2] * drive + law.bias[2]};
}

/// An actuator on the rotation of a ball or free joint.
template <class T>
struct TurningMoment
{
    Vector3<T> torque;  ///< per unit of force, body axes [m]
    T length;           ///< 0 for free joints
};
/// `rotation`: unit, of the joint. With joint_in_parent the gear is given in the parent's axes.
template <class T>
RB_HD TurningMoment<T> find_turning_moment(const ActuatorsView& actuators, int actuator, bool free,
                                           const Quaternion<T>& rotation)
{
    const auto a = static_cast<std::size_t>(actuator);
    const auto& gear = actuators.gear[a];
    const std::size_t first = free ? 3 : 0;
    Vector3<T> torque{T(gear[first]), T(gear[first + 1]), T(gear[first + 2])};
    if (actuators.transmission[a] == TransmissionType::joint_in_parent) torque = rotate(conjugate(rotation), torque);
    return {torque, free ? T(0.0) : dot(logarithm(rotation), torque)};
}

}  // namespace rattleback
