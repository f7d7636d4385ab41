// Servos with several inputs and states of their own: PID controllers and DC motors ([MuJoCo], "pid", "dcmotor").
#pragma once

#include "dynamics/model_view.h"
#include "math/dual.h"

namespace rattleback
{

/// The value within a range; as it is where the range has no limits.
template <class T>
RB_HD T clamp_to(const Range& range, const T& value)
{
    return range.limited ? clamp(value, range.lower, range.upper) : value;
}

/// e^x of every lane.
template <class T>
RB_HD T exponential_of(const T& x)
{
    // an exponential has no vector form here: lane by lane, the same bits in each
    T result = x;
    for (int k = 0; k < kLaneCount<T>; ++k) set_lane(result, k, exponential(lane(x, k)));
    return result;
}

/// The same with derivatives.
template <class T, int N>
RB_HD Dual<T, N> exponential_of(const Dual<T, N>& x)
{
    Dual<T, N> result;
    result.value = exponential_of(x.value);
    for (int i = 0; i < N; ++i) result.rate[i] = result.value * x.rate[i];
    return result;
}

/// The angle u + n period that lies nearest to `near`; u itself where there is no period.
template <class T>
RB_HD T nearest_turn(const T& u, const T& near, double period)
{
    // n = round((u - near) / period) turns away
    return period > 0 ? u - T(period) * round_to_integer((u - near) / T(period)) : u;
}

/// What one actuator sees and has.
template <class T>
struct ActuatorState
{
    const T* input;  ///< within its range; then those of the actuators of law `input` behind it
    const T* act;    ///< its activations
    T length, velocity;
};

/// Setpoints and forces among the inputs; zero for those that the actuator does not have.
template <class T>
struct MotorInputs
{
    T position = T(0.0), velocity = T(0.0), force = T(0.0), voltage = T(0.0);
};
template <class T>
RB_HD MotorInputs<T> sort_inputs(int signature, const T* input, const T& first)
{
    MotorInputs<T> sorted;
    int next = 0;
    // inputs come in the order of the bits; only the first may be slew-limited
    const auto take = [&](int bit) { return (signature & bit) == 0 ? T(0.0) : next++ == 0 ? first : input[next - 1]; };
    sorted.position = take(kInputPosition);
    sorted.velocity = take(kInputVelocity);
    sorted.force = take(kInputForce);
    sorted.voltage = take(kInputVoltage);
    return sorted;
}

/// Force before its range, and its derivatives.
template <class T>
struct MotorForce
{
    T force, by_length, by_velocity;
};

/// A setpoint that follows the input at most `fastest` [1/s] per second: act_rate is its rate.
template <class T>
RB_HD T limit_slew(const T& input, const T& act, double fastest, double dt, double period, T& act_rate)
{
    // on a circle the shorter way round
    const T wanted = nearest_turn(input, act, period), most = T(fastest * dt);
    // at most `most` up or down in this step
    const T reached = minimum(maximum(wanted, act - most), act + most);
    act_rate = (reached - act) / T(dt);
    return reached;
}

/// Rate of an integral of `error` that stops growing at +- bound; 0: no bound.
template <class T>
RB_HD T bounded_integral_rate(const T& error, const T& integral, double bound)
{
    if (!(bound > 0)) return error;
    // at a bound only what leads back from it counts (anti-windup)
    const T falling = minimum(error, T(0.0)), rising = maximum(error, T(0.0));
    return select(integral >= T(bound), falling, select(integral <= T(-bound), rising, error));
}

/// Slots of a DC motor's activations; -1: not in use.
struct MotorSlots
{
    int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1, count = 0;
};
RB_HD inline MotorSlots find_motor_slots(const std::array<double, 10>& dynamics, const std::array<double, 10>& gain)
{
    MotorSlots slots;
    // a state exists only where its constant is positive: parameters decide on the slots, in this order
    if (dynamics[7] > 0) slots.slew = slots.count++;
    if (gain[5] > 0) slots.integral = slots.count++;
    if (dynamics[2] > 0) slots.temperature = slots.count++;
    if (dynamics[5] > 0) slots.bristle = slots.count++;
    if (dynamics[0] > 0) slots.current = slots.count++;
    return slots;
}

/// Rate at which bristles let go, -sigma0 |v| / g(v) with g(v) = Fc + (Fs - Fc) exp(-(v / vs)^2) (Canudas de Wit et al.
/// 1995).
template <class T>
RB_HD T find_bristle_decay(const std::array<double, 10>& bias, double stiffness, const T& velocity)
{
    const double slowest = bias[5] > 1e-15 ? bias[5] : 1e-15;
    // Stribeck's curve: friction falls from Fs to Fc as the sliding gets faster
    const T ratio = velocity / T(slowest);
    const T g = T(bias[3]) + T(bias[4] - bias[3]) * exponential_of(-(ratio * ratio));
    return T(-stiffness) * absolute(velocity) / maximum(g, T(1e-15));
}

/// kp (u_pos - l) + kv (u_vel - l') + u_force + ki z: kp and kv are in the bias, ki is the gain. Slots: the setpoint if
/// its rate is bounded, the integral z if there is a gain for it.
template <class T>
RB_HD MotorForce<T> find_pid_force(const ActuatorsView& actuators, int actuator, const T* gain, const T* bias,
                                   const ActuatorState<T>& state, double dt, T* act_rate)
{
    const auto a = static_cast<std::size_t>(actuator);
    const auto& dynamics = actuators.dynamics_parameters[a];
    const double period = actuators.period[a];
    // slots in MuJoCo's order: slew, then integral
    int slot = 0;
    T first = state.input[0];
    if (dynamics[1] > 0)
    {
        first = limit_slew(first, state.act[slot], dynamics[1], dt, period, act_rate[slot]);
        ++slot;
    }
    T integral = T(0.0);
    if (actuators.gain_parameters[a][0] > 0)
    {
        // error of the position, the short way round
        const T error = nearest_turn(first - state.length, T(0.0), period);
        act_rate[slot] = bounded_integral_rate(error, state.act[slot], dynamics[0]);
        integral = state.act[slot];
        // early: the integral at the end of the step
        if (actuators.act_early[a] != 0) integral = clamp_to(actuators.act_range[a], integral + T(dt) * act_rate[slot]);
    }
    const MotorInputs<T> u = sort_inputs(actuators.inputs[a], state.input, first);
    // the setpoint that lies nearest, so that the error is below half a turn
    const T setpoint = nearest_turn(u.position, state.length, period);
    // kp and kv are minus bias[1] and bias[2]
    const T force = (u.force - bias[1] * setpoint - bias[2] * u.velocity) + gain[0] * integral;
    return {force + (bias[0] + bias[1] * state.length + bias[2] * state.velocity), bias[1], bias[2]};
}

/// A voltage and its derivative by the shaft's velocity.
template <class T>
struct MotorVoltage
{
    T value, by_velocity;
};

/// Voltage at the terminals: that of the controller, V = R / K torque + K l' within +- Vmax, and the input's.
template <class T>
RB_HD MotorVoltage<T> find_motor_voltage(const std::array<double, 10>& p, int signature, const MotorInputs<T>& u,
                                         const ActuatorState<T>& state, const T& integral)
{
    if ((signature & (kInputPosition | kInputVelocity | kInputForce)) == 0) return {u.voltage, T(0.0)};
    // PID of the torque that is wanted; then the voltage that gives it at this speed
    const T torque =
        T(p[4]) * (u.position - state.length) + T(p[6]) * (u.velocity - state.velocity) + T(p[5]) * integral + u.force;
    const T voltage = T(p[0] / p[1]) * torque + T(p[1]) * state.velocity;
    // derivative by l': back EMF less the controller's kv
    const T slope = T(p[1] - p[6] * p[0] / p[1]);
    if (!(p[7] > 0)) return {voltage + u.voltage, slope};
    // saturated: the voltage does not depend on the speed
    const auto inside = both(voltage > T(-p[7]), voltage < T(p[7]));
    return {clamp(voltage, -p[7], p[7]) + u.voltage, select(inside, slope, T(0.0))};
}

/// Torque of the windings, K i, with i = (V - K l') / R or a state of its own; and the rates of its states. The
/// derivative is the one that MuJoCo's implicit integrators take.
template <class T>
RB_HD MotorForce<T> find_motor_force(const ActuatorsView& actuators, int actuator, const ActuatorState<T>& state,
                                     double dt, T* act_rate)
{
    const auto a = static_cast<std::size_t>(actuator);
    const auto& p = actuators.gain_parameters[a];
    const auto& dynamics = actuators.dynamics_parameters[a];
    const MotorSlots slots = find_motor_slots(dynamics, p);
    // controller: the first input's rate is bounded, the position's error summed up
    T first = state.input[0];
    if (slots.slew >= 0) first = limit_slew(first, state.act[slots.slew], dynamics[7], dt, 0, act_rate[slots.slew]);
    T integral = T(0.0);
    if (slots.integral >= 0)
    {
        integral = state.act[slots.integral];
        act_rate[slots.integral] = bounded_integral_rate(first - state.length, integral, dynamics[8]);
    }
    const int signature = actuators.inputs[a];
    const auto [voltage, voltage_slope] =
        find_motor_voltage(p, signature, sort_inputs(signature, state.input, first), state, integral);
    // windings: resistance grows with temperature, dT/dt = (R i^2 - T / R_T) / C above the ambient one
    T resistance = T(p[0]);
    const T emf = T(p[1]) * state.velocity;
    if (slots.temperature >= 0)
    {
        const T warmth = state.act[slots.temperature];
        // copper's resistance rises linearly with temperature
        resistance = maximum(resistance * (T(1.0) + T(p[2]) * (warmth + T(dynamics[4] - p[3]))), T(1e-15));
        const T current = slots.current >= 0 ? state.act[slots.current] : (voltage - emf) / resistance;
        act_rate[slots.temperature] = (resistance * current * current - warmth / T(dynamics[2])) / T(dynamics[3]);
    }
    if (slots.bristle >= 0)
    {
        const T decay = find_bristle_decay(actuators.bias_parameters[a], dynamics[5], state.velocity);
        // z' = v - sigma0 |v| / g(v) z (LuGre)
        act_rate[slots.bristle] = decay * state.act[slots.bristle] + state.velocity;
    }
    // torque K (V - K l') / R, and its derivative by l'
    const T gain = T(p[1]) / maximum(resistance, T(1e-15));
    T force = gain * (voltage - emf), slope = gain * (voltage_slope - T(p[1]));
    if (slots.current >= 0)
    {
        // di/dt = (V / R - K l' / R - i) / t_e; velocity reaches the current through a step of it, unless its rate is
        // at the bound
        const T now = state.act[slots.current];
        // an RL circuit: first order with time constant t_e = L / R
        T rate = (voltage / resistance - emf / resistance - now) / T(dynamics[0]);
        const double reached = 1 - exponential(-dt / dynamics[0]);
        slope = T(reached) * slope;
        if (dynamics[1] > 0)
        {
            slope = select(both(rate > T(-dynamics[1]), rate < T(dynamics[1])), slope, T(0.0));
            rate = clamp(rate, -dynamics[1], dynamics[1]);
        }
        act_rate[slots.current] = rate;
        const double span = dynamics[0] * reached;
        force = T(p[1]) * (actuators.act_early[a] != 0 ? now + T(span) * rate : now);
    }
    return {force, T(0.0), slope};
}

/// Torques that act on the rotor whatever the current: cogging, A sin(N l + phase), and friction of the bristles. By
/// velocity it has the derivative -sigma1, find_rotor_damping().
template <class T>
RB_HD T find_rotor_torque(const ActuatorsView& actuators, int actuator, const T& length, const T* act,
                          const T* act_rate)
{
    const auto a = static_cast<std::size_t>(actuator);
    const auto& bias = actuators.bias_parameters[a];
    const auto& dynamics = actuators.dynamics_parameters[a];
    T torque = T(0.0);
    if (bias[0] != 0)
    {
        T sine, cosine;
        // cogging has a fixed number of periods per turn
        sincos(T(bias[1]) * length + T(bias[2]), sine, cosine);
        torque = T(bias[0]) * sine;
    }
    const int bristle = find_motor_slots(dynamics, actuators.gain_parameters[a]).bristle;
    // sigma0 z + sigma1 z'
    if (bristle >= 0) torque -= T(dynamics[5]) * act[bristle] + T(dynamics[6]) * act_rate[bristle];
    return torque;
}

RB_HD inline double find_rotor_damping(const ActuatorsView& actuators, int actuator)
{
    const auto& dynamics = actuators.dynamics_parameters[static_cast<std::size_t>(actuator)];
    return dynamics[5] > 0 ? dynamics[6] : 0;
}

/// One activation of a DC motor after `dt`: current and bristles exactly for constant drive, the integral within its
/// bound.
template <class T>
RB_HD T next_motor_activation(const ActuatorsView& actuators, int actuator, int slot, const T& act, const T& rate,
                              const T& velocity, double dt)
{
    const auto a = static_cast<std::size_t>(actuator);
    const auto& dynamics = actuators.dynamics_parameters[a];
    const MotorSlots slots = find_motor_slots(dynamics, actuators.gain_parameters[a]);
    // exact for a constant voltage over the step
    if (slot == slots.current) return act + T(dynamics[0] * (1 - exponential(-dt / dynamics[0]))) * rate;
    if (slot == slots.bristle)
    {
        // z' = a z + v: z(h) = e^(a h) z + (e^(a h) - 1) / a v
        const T decay = find_bristle_decay(actuators.bias_parameters[a], dynamics[5], velocity);
        const T left = exponential_of(decay * T(dt));
        const auto sliding = absolute(decay) > T(1e-15);
        const T reach = select(sliding, (left - T(1.0)) / select(sliding, decay, T(1.0)), T(dt));
        return left * act + reach * velocity;
    }
    const T next = act + T(dt) * rate;
    return slot == slots.integral && dynamics[8] > 0 ? clamp(next, -dynamics[8], dynamics[8]) : next;
}

}  // namespace rattleback
