// The law of one actuator, as MuJoCo defines it: input -> activation -> force, affine in its length and velocity or a
// muscle; motors with states of their own are in motor_law.h.
#pragma once

#include "dynamics/input_delay.h"
#include "dynamics/model_view.h"
#include "dynamics/motor_law.h"
#include "dynamics/muscle.h"
#include "math/elementary.h"
#include "math/rotation.h"

namespace rattleback
{

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
        // (1 - e^(-dt / tau)) of the way to the input, in the place of dt / tau.
        span = tau * (1 - exponential(-dt / tau));
    }
    return clamp_to(actuators.act_range[a], act + T(span) * rate);
}

/// All activations of an actuator after `dt` at their rates. Its length and velocity are those of the step.
template <class T>
RB_HD void advance_activation(const ActuatorsView& actuators, int actuator, const T& length, const T& velocity,
                              const T* act_rate, double dt, T* act)
{
    const auto a = static_cast<std::size_t>(actuator);
    for (int slot = 0; slot < actuators.act_size[a]; ++slot)
    {
        // States of a motor have laws of their own; an activation is an integral within its range.
        act[slot] = actuators.dynamics[a] == ActuatorDynamics::dc_motor
                        ? next_motor_activation(actuators, actuator, slot, act[slot], act_rate[slot], velocity, dt)
                        : next_activation(actuators, actuator, act[slot], act_rate[slot], dt);
    }
    // A setpoint on a circle stays within half a turn of where the joint is; a PID's has a slot of its own.
    if (actuators.gain_law[a] == ActuatorLaw::affine && actuators.period[a] > 0)
        act[0] = nearest_turn(act[0], length, actuators.period[a]);
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
    // MuJoCo's order: the input is clamped before it drives anything.
    const T given = clamp_to(actuators.input_range[a], input);
    if (actuators.act_begin[a] < 0) return {given, T(0.0)};
    // An integrator adds the input up, a filter follows it (on a circle the short way), a muscle's at a pace of its
    // own.
    const bool integrates = actuators.dynamics[a] == ActuatorDynamics::integrator;
    // Rate of the activation ([MuJoCo], "Actuation model").
    const T rate = actuators.dynamics[a] == ActuatorDynamics::muscle
                       ? find_muscle_rate(actuators.dynamics_parameters[a], given, act)
                   : integrates ? given
                                : (nearest_turn(given, act, actuators.period[a]) - act) / T(actuators.time_constant[a]);
    // An early activation is that of the end of the step: one step less of delay.
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
    // [MuJoCo], "Actuation model": force = gain (drive) + bias, both affine.
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

inline constexpr int kMaxInputs = 4;  ///< of one actuator

/// A force with its derivatives by length and velocity.
template <class T>
struct ActuatorForce
{
    T force;  ///< before its range [N, N m]
    T by_length, by_velocity;
};

/// Is the force affine in length and velocity, and all state a single activation?
RB_HD inline bool is_affine(const ActuatorsView& actuators, int actuator)
{
    const auto a = static_cast<std::size_t>(actuator);
    return actuators.gain_law[a] == ActuatorLaw::affine && actuators.bias_law[a] == ActuatorLaw::affine;
}

/// gain drive + bias where one of them or both are a muscle's: the law's first numbers are then the peak forces.
template <class T>
RB_HD ActuatorForce<T> find_muscle_force(const ActuatorsView& actuators, int actuator, const ForceLaw<T>& law,
                                         const T& drive, const T& length, const T& velocity)
{
    const auto a = static_cast<std::size_t>(actuator);
    // An affine law as a value with its two derivatives, like a muscle's curve.
    const auto affine = [&](const T* c) { return MuscleForce<T>{c[0] + c[1] * length + c[2] * velocity, c[1], c[2]}; };
    const auto scaled = [](const MuscleForce<T>& force, const T& peak)
    { return MuscleForce<T>{peak * force.value, peak * force.by_length, peak * force.by_velocity}; };
    const Range& range = actuators.length_range[a];
    const MuscleForce<T> gain =
        actuators.gain_law[a] == ActuatorLaw::muscle
            ? scaled(find_active_force(MuscleView{actuators.gain_parameters[a], range}, length, velocity), law.gain[0])
            : affine(law.gain);
    const MuscleForce<T> bias =
        actuators.bias_law[a] == ActuatorLaw::muscle
            ? scaled(find_passive_force(MuscleView{actuators.bias_parameters[a], range}, length), law.bias[0])
            : affine(law.bias);
    // Product rule over length and velocity.
    return {gain.value * drive + bias.value, gain.by_length * drive + bias.by_length,
            gain.by_velocity * drive + bias.by_velocity};
}

/// Force and rates of the activations of one actuator of any law but orientation. `state.input` within its range.
template <class T>
RB_HD ActuatorForce<T> find_any_force(const ActuatorsView& actuators, int actuator, const ForceLaw<T>& law,
                                      const ActuatorState<T>& state, double dt, T* act_rate)
{
    const auto a = static_cast<std::size_t>(actuator);
    // An actuator of law `input` only lends its input to the one before it.
    if (actuators.gain_law[a] == ActuatorLaw::input) return {T(0.0), T(0.0), T(0.0)};
    if (actuators.gain_law[a] == ActuatorLaw::pid || actuators.gain_law[a] == ActuatorLaw::dc_motor)
    {
        const MotorForce<T> motor = actuators.gain_law[a] == ActuatorLaw::pid
                                        ? find_pid_force(actuators, actuator, law.gain, law.bias, state, dt, act_rate)
                                        : find_motor_force(actuators, actuator, state, dt, act_rate);
        return {motor.force, motor.by_length, motor.by_velocity};
    }
    const bool has_state = actuators.act_begin[a] >= 0;
    const ActuatorDrive<T> drive =
        find_actuator_drive(actuators, actuator, state.input[0], has_state ? state.act[0] : T(0.0), dt);
    if (has_state) act_rate[0] = drive.act_rate;
    // On a circle the setpoint is the turn of it that lies nearest to the joint.
    const T value = nearest_turn(drive.value, state.length, actuators.period[a]);
    if (!is_affine(actuators, actuator))
        return find_muscle_force(actuators, actuator, law, value, state.length, state.velocity);
    const AffineForce<T> affine = find_affine_force(law, value);
    return {find_actuator_force(law, value, state.length, state.velocity), affine.slope, affine.damping};
}

/// Torque of three actuators that turn together, and its derivatives by velocity and by the turn itself.
template <class T>
struct OrientationForce
{
    Vector3<T> torque;
    T by_velocity, by_turn;
};

/// kp log(q^-1 q_target) + b0 + b2 velocity, within the norm of the force range; q = exp(length). The target is the
/// rotation vector `wanted`, or the quaternion of four inputs, of any length; zero turns nothing.
template <class T>
RB_HD OrientationForce<T> find_orientation_force(const ActuatorsView& actuators, int actuator, const ForceLaw<T>& law,
                                                 const T* inputs, const Vector3<T>& wanted, const Vector3<T>& length,
                                                 const Vector3<T>& velocity)
{
    using std::sqrt;
    const auto a = static_cast<std::size_t>(actuator);
    // Three inputs are a rotation vector, four a quaternion.
    Quaternion<T> target = exponential(wanted);
    if (actuators.inputs[a] == 4)
    {
        const T size =
            (inputs[0] * inputs[0] + inputs[1] * inputs[1]) + (inputs[2] * inputs[2] + inputs[3] * inputs[3]);
        // A quaternion of zeros turns nothing; selects keep the lanes of a pack together.
        const auto given = size > T(1e-30);
        const T scale = T(1.0) / sqrt(select(given, size, T(1.0)));
        target = {select(given, scale * inputs[0], T(1.0)), select(given, scale * inputs[1], T(0.0)),
                  select(given, scale * inputs[2], T(0.0)), select(given, scale * inputs[3], T(0.0))};
    }
    // From where the body is to where it should be, in body axes: the shortest turn.
    const Vector3<T> error = logarithm(conjugate(exponential(length)) * target);
    OrientationForce<T> force{{}, law.bias[2], -law.gain[0]};
    for (int k = 0; k < 3; ++k) force.torque[k] = law.gain[0] * error[k] + law.bias[0] + law.bias[2] * velocity[k];
    const Range& range = actuators.force_range[a];
    if (!range.limited) return force;
    // The bound is on the norm of the torque, not on each component: its direction stays.
    const T square = dot(force.torque, force.torque);
    const auto saturated = square >= T(range.upper * range.upper);
    const T shrink = select(saturated, T(range.upper) / sqrt(select(saturated, square, T(1.0))), T(1.0));
    return {shrink * force.torque, select(saturated, T(0.0), force.by_velocity),
            select(saturated, T(0.0), force.by_turn)};
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
    // Gear given in the parent's axes: turned into those of the body, where the dofs are.
    if (actuators.transmission[a] == TransmissionType::joint_in_parent) torque = rotate(conjugate(rotation), torque);
    return {torque, free ? T(0.0) : dot(logarithm(rotation), torque)};
}

/// Where a site is.
template <class T>
struct SitePlace
{
    Vector3<T> position;
    Quaternion<T> rotation;
};

/// An actuator between two sites: its length, and what a unit of force does to the bodies, world axes. The reference's
/// gets minus the force.
template <class T>
struct PairMoment
{
    T length;
    Vector3<T> force, torque, reference_torque;
};

/// Slider and crank: the slider moves along the reference's z axis a, the rod of length r joins it to the crank's pin
/// at v from the reference. length = a.v - sqrt((a.v)^2 + r^2 - v.v); a rod too short leaves it at a.v.
template <class T>
RB_HD PairMoment<T> find_crank_moment(double gear, double rod, const SitePlace<T>& pin, const SitePlace<T>& slider)
{
    using std::sqrt;
    const Vector3<T> axis = rotate(slider.rotation, Vector3<T>{T(0.0), T(0.0), T(1.0)});
    // From the slider to the crank's pin.
    const Vector3<T> v = pin.position - slider.position;
    // (a.v)^2 + r^2 - v.v under the root: negative where the rod is too short.
    const T along = dot(axis, v), square = along * along + T(rod * rod) - dot(v, v);
    const auto reaches = square > T(0.0);
    const T root = sqrt(select(reaches, square, T(1.0)));
    // derivatives of the length by a and by v
    const T share = select(reaches, T(1.0) - along / root, T(1.0));
    const Vector3<T> by_axis = share * v;
    const Vector3<T> by_v = share * axis + select(reaches, T(1.0) / root, T(0.0)) * v;
    // Virtual work: force by v, torque on the reference by how its axis turns with it.
    const T scale = T(gear);
    return {scale * select(reaches, along - root, along), scale * by_v, Vector3<T>{}, scale * cross(axis, by_axis)};
}

/// A site measured from another: gear times its position and rotation vector in the reference's axes, which count as
/// fixed. The three of an orientation act about the site's own axes.
template <class T>
RB_HD PairMoment<T> find_pair_moment(const ActuatorsView& actuators, int actuator, const SitePlace<T>& site,
                                     const SitePlace<T>& reference)
{
    const auto a = static_cast<std::size_t>(actuator);
    const auto& gear = actuators.gear[a];
    if (actuators.transmission[a] == TransmissionType::slider_crank)
        return find_crank_moment(gear[0], actuators.crank_length[a], site, reference);
    const Vector3<T> along{T(gear[0]), T(gear[1]), T(gear[2])}, about{T(gear[3]), T(gear[4]), T(gear[5])};
    const Quaternion<T> back = conjugate(reference.rotation);
    const T length =
        dot(along, rotate(back, site.position - reference.position)) + dot(about, logarithm(back * site.rotation));
    // The three of an orientation have one torque about the body's own axes.
    const bool own_axes = actuators.gain_law[a] == ActuatorLaw::orientation;
    const Vector3<T> torque = rotate(own_axes ? site.rotation : reference.rotation, about);
    return {length, rotate(reference.rotation, along), torque, -torque};
}

/// A rotation vector of three activations, as the same rotation of at most half a turn.
template <class T>
RB_HD void shorten_turn(T* act)
{
    const T angle2 = act[0] * act[0] + act[1] * act[1] + act[2] * act[2];
    const T angle = sqrt(maximum(angle2, T(1e-30)));
    // Longer than half a turn: the same rotation the other way round.
    const T shorter = nearest_turn(angle, T(0.0), 2 * kPi) / angle;
    const T scale = select(angle > T(kPi), shorter, T(1.0));
    for (int k = 0; k < 3; ++k) act[k] = scale * act[k];
}

}  // namespace rattleback
