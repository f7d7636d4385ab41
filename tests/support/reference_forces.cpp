// Forces of springs, dampers and actuators for the reference dynamics, one textbook formula each.
#include "support/reference_forces.h"
#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

Real clamp_to(Real x, const Range& range) { return range.limited ? std::clamp<Real>(x, range.lower, range.upper) : x; }

// Displacement of a joint from where its spring rests, one number per dof.
std::vector<Real> spring_displacement(const ReferenceState& state, int joint)
{
    const Model& model = state.model;
    const int a = model.joints.q_begin[at(joint)];
    const JointType type = model.joints.type[at(joint)];
    const auto difference = [&](int i) { return Real(state.q[at(a + i)]) - Real(model.spring_q[at(a + i)]); };
    if (type == JointType::fixed) return {};
    if (type == JointType::hinge || type == JointType::slide) return {difference(0)};
    std::vector<Real> displacement;
    const int turn = type == JointType::free ? 3 : 0;
    for (int i = 0; i < turn; ++i) displacement.push_back(difference(i));
    const auto log = log_of(transpose(rotation_at(model.spring_q, a + turn)) * rotation_at(state.q, a + turn));
    for (int i = 0; i < 3; ++i) displacement.push_back(log[i]);
    return displacement;
}

// How far a tendon is outside the dead band of its spring.
Real tendon_stretch(const ReferenceState& state, int tendon)
{
    std::array<double, 2> band = state.model.tendons.spring_length[at(tendon)];
    if (band[0] == -1 && band[1] == -1) band.fill(narrow(state.tendon_length_0[at(tendon)]));
    const Real length = state.tendon_length[at(tendon)].value;
    return length < band[0] ? length - band[0] : length > band[1] ? length - band[1] : Real(0);
}

// Length of an actuator, its rate (moving kinematic bodies included) and its moment, one number per dof.
struct Transmission
{
    Real length = 0;
    Real velocity = 0;
    std::vector<Real> moment;
};

void transmit_to_joint(const ReferenceState& state, int actuator, Transmission& transmission)
{
    const Model& model = state.model;
    const int joint = model.actuators.target[at(actuator)];
    const int a = model.joints.q_begin[at(joint)], b = model.joints.v_begin[at(joint)];
    const std::array<double, 6>& gear = model.actuators.gear[at(actuator)];
    const JointType type = model.joints.type[at(joint)];
    if (type == JointType::hinge || type == JointType::slide)
    {
        transmission.length = Real(gear[0]) * Real(state.q[at(a)]);
        transmission.moment[at(b)] = gear[0];
    }
    if (type != JointType::ball && type != JointType::free) return;

    const int turn = type == JointType::free ? 3 : 0;
    for (int i = 0; i < turn; ++i) transmission.moment[at(b + i)] = gear[at(i)];
    Vector3<Real> torque{gear[at(turn)], gear[at(turn) + 1], gear[at(turn) + 2]};
    const Matrix3<Real> rotation = rotation_at(state.q, a + turn);
    if (model.actuators.transmission[at(actuator)] == TransmissionType::joint_in_parent)
    {
        torque = transpose_times(rotation, torque);  // "parent": the axes that the joint turns from, as in MuJoCo
    }
    for (int i = 0; i < 3; ++i) transmission.moment[at(b + turn + i)] = torque[i];
    if (type == JointType::ball && state.options.ball_actuator_length)
    {
        transmission.length = dot(torque, log_of(rotation));
    }
}

Transmission compute_transmission(const ReferenceState& state, int actuator)
{
    const Model& model = state.model;
    Transmission transmission{0, 0, std::vector<Real>(at(model.v_count()), 0)};
    const int target = model.actuators.target[at(actuator)];
    const std::array<double, 6>& gear = model.actuators.gear[at(actuator)];
    switch (model.actuators.transmission[at(actuator)])
    {
        case TransmissionType::joint:
        case TransmissionType::joint_in_parent:
            transmit_to_joint(state, actuator, transmission);
            for (std::size_t i = 0; i < state.v.size(); ++i)
            {
                transmission.velocity += transmission.moment[i] * Real(state.v[i]);
            }
            break;
        case TransmissionType::tendon:
            transmission.length = Real(gear[0]) * state.tendon_length[at(target)].value;
            transmission.velocity = Real(gear[0]) * state.tendon_length[at(target)].rate;
            for (std::size_t i = 0; i < transmission.moment.size(); ++i)
            {
                transmission.moment[i] = Real(gear[0]) * state.tendon_jacobian[at(target)][i];
            }
            break;
        case TransmissionType::site:
        {
            const int body = model.sites.body[at(target)];
            const Transform<Real> local = transform_of(model.sites.pose[at(target)]);
            const Transform<Taylor> moving =
                state.motion.body[at(body)] *
                Transform<Taylor>{cast<Taylor>(local.rotation), cast<Taylor>(local.position)};
            const Transform<Real> frame{value_of(moving.rotation), value_of(moving.position)};
            const auto force = frame.rotation * Vector3<Real>{gear[0], gear[1], gear[2]};
            const auto torque = frame.rotation * Vector3<Real>{gear[3], gear[4], gear[5]};
            const Jacobian jacobian = compute_jacobian(model, state.motion, body, frame.position);
            transmission.velocity =
                dot(first_derivative(moving.position), force) + dot(angular_velocity(moving.rotation), torque);
            for (std::size_t i = 0; i < jacobian.size(); ++i)
            {
                transmission.moment[i] = dot(jacobian[i].linear, force) + dot(jacobian[i].angular, torque);
            }
            break;
        }
        // the models that are checked against this reference have neither
        case TransmissionType::slider_crank:
        case TransmissionType::body:
            break;
    }
    return transmission;
}

// The signal that is multiplied by the gain; writes the rate of the activation.
Real drive_signal(const ReferenceState& state, int actuator, ReferenceResult& result)
{
    const Actuators& actuators = state.model.actuators;
    const Real raw = state.control.input.empty() ? Real(0) : Real(state.control.input[at(actuator)]);
    const Real input = clamp_to(raw, actuators.input_range[at(actuator)]);
    const ActuatorDynamics dynamics = actuators.dynamics[at(actuator)];
    if (dynamics == ActuatorDynamics::none) return input;

    const int index = actuators.act_begin[at(actuator)];
    const Real act = state.act[at(index)], tau = actuators.time_constant[at(actuator)];
    const Real dt = state.options.dt > 0 ? state.options.dt : state.model.settings.dt;
    const Real rate = dynamics == ActuatorDynamics::integrator ? input : (input - act) / tau;
    result.act_rate[at(index)] = narrow(rate);
    if (actuators.act_early[at(actuator)] == 0) return act;
    const Real time = dynamics == ActuatorDynamics::filter_exact ? tau * (1 - std::exp(-dt / tau)) : dt;
    return clamp_to(act + time * rate, actuators.act_range[at(actuator)]);
}

Real affine(const std::array<double, 3>& c, Real length, Real velocity)
{
    return Real(c[0]) + Real(c[1]) * length + Real(c[2]) * velocity;
}

// Scales the forces of a tendon's actuators so that their sum is in its range.
void clamp_tendons(const Model& model, std::vector<Real>& force)
{
    const auto pulls = [&](int actuator, int tendon)
    {
        return model.actuators.transmission[at(actuator)] == TransmissionType::tendon &&
               model.actuators.target[at(actuator)] == tendon;
    };
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        Real sum = 0;
        for (int i = 0; i < model.actuator_count(); ++i) sum += pulls(i, t) ? force[at(i)] : Real(0);
        const Real clamped = clamp_to(sum, model.tendons.actuator_force_range[at(t)]);
        if (clamped == sum || sum == 0) continue;
        for (int i = 0; i < model.actuator_count(); ++i)
        {
            if (pulls(i, t)) force[at(i)] *= clamped / sum;
        }
    }
}

}  // namespace

Jacobian compute_jacobian(const Model& model, const Motion& motion, int body, const Vector3<Real>& point)
{
    Jacobian columns(at(model.v_count()));
    const auto turning = [&](const Vector3<Real>& axis, const Vector3<Real>& anchor)
    { return JacobianColumn{cross(axis, point - anchor), axis}; };
    for (int b = body; b > 0; b = model.bodies.parent[at(b)])
    {
        for (int i = model.bodies.joint_begin[at(b)]; i < model.bodies.joint_begin[at(b) + 1]; ++i)
        {
            const int j = model.bodies.joints_of_body[at(i)], d = model.joints.v_begin[at(j)];
            const Transform<Real>&before = motion.before[at(j)], &after = motion.after[at(j)];
            const Vector3<Real> axis = before.rotation * cast<Real>(model.joints.axis[at(j)]);
            const Vector3<Real> anchor = apply(before, cast<Real>(model.joints.position[at(j)]));
            switch (model.joints.type[at(j)])
            {
                case JointType::hinge:
                    columns[at(d)] = turning((1 / norm(axis)) * axis, anchor);
                    break;
                case JointType::slide:
                    columns[at(d)] = {(1 / norm(axis)) * axis, {}};
                    break;
                case JointType::ball:
                    for (int k = 0; k < 3; ++k) columns[at(d + k)] = turning(after.rotation.column(k), anchor);
                    break;
                case JointType::free:
                    for (int k = 0; k < 3; ++k)
                    {
                        columns[at(d + k)].linear[k] = 1;
                        columns[at(d + 3 + k)] = turning(after.rotation.column(k), after.position);
                    }
                    break;
                case JointType::fixed:
                    break;
            }
        }
    }
    return columns;
}

void add_springs_and_dampers(const ReferenceState& state, ReferenceResult& result)
{
    const Model& model = state.model;
    std::vector<Real> spring(at(model.v_count()), 0), damper(at(model.v_count()), 0);
    Real energy = 0;
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const std::vector<Real> displacement = spring_displacement(state, j);
        for (std::size_t i = 0; i < displacement.size(); ++i)
        {
            spring[at(model.joints.v_begin[at(j)]) + i] -= model.joints.stiffness[at(j)] * displacement[i];
            energy += model.joints.stiffness[at(j)] * displacement[i] * displacement[i] / 2;
        }
    }
    for (std::size_t d = 0; d < damper.size(); ++d) damper[d] -= Real(model.dofs.damping[d]) * Real(state.v[d]);
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        const Real stretch = tendon_stretch(state, t), stiffness = model.tendons.stiffness[at(t)];
        energy += stiffness * stretch * stretch / 2;
        for (std::size_t d = 0; d < spring.size(); ++d)
        {
            spring[d] -= stiffness * stretch * state.tendon_jacobian[at(t)][d];
            damper[d] -=
                model.tendons.damping[at(t)] * state.tendon_length[at(t)].rate * state.tendon_jacobian[at(t)][d];
        }
    }
    result.spring.assign(spring.begin(), spring.end());
    result.damper.assign(damper.begin(), damper.end());
    result.spring_energy = narrow(energy);
}

void add_gravity_compensation(const ReferenceState& state, ReferenceResult& result)
{
    const Model& model = state.model;
    std::vector<Real> force(at(model.v_count()), 0);
    const auto gravity = cast<Real>(model.settings.gravity);
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Real mass = Real(model.bodies.gravity_compensation[at(b)]) * Real(model.bodies.mass[at(b)]);
        for (std::size_t d = 0; d < force.size(); ++d)
        {
            force[d] -= mass * dot(state.body_jacobian[at(b)][d].linear, gravity);
        }
    }
    result.gravity_compensation.assign(force.begin(), force.end());
}

void add_actuators(const ReferenceState& state, ReferenceResult& result)
{
    const Model& model = state.model;
    std::vector<Transmission> transmissions;
    std::vector<Real> force;
    result.act_rate.assign(at(model.act_count), 0);
    for (int i = 0; i < model.actuator_count(); ++i)
    {
        transmissions.push_back(compute_transmission(state, i));
        const Transmission& transmission = transmissions.back();
        const Real velocity = transmission.velocity;
        const Real gain = affine(model.actuators.gain[at(i)], transmission.length, velocity);
        const Real bias = affine(model.actuators.bias[at(i)], transmission.length, velocity);
        force.push_back(gain * drive_signal(state, i, result) + bias);
        result.actuator_length.push_back(narrow(transmission.length));
        result.actuator_velocity.push_back(narrow(velocity));
        for (const Real m : transmission.moment) result.actuator_moment.push_back(narrow(m));
    }
    clamp_tendons(model, force);  // before the actuators' own clamps, as in MuJoCo

    std::vector<Real> total(at(model.v_count()), 0);
    for (int i = 0; i < model.actuator_count(); ++i)
    {
        force[at(i)] = clamp_to(force[at(i)], model.actuators.force_range[at(i)]);
        result.actuator_force.push_back(narrow(force[at(i)]));
        for (std::size_t d = 0; d < total.size(); ++d) total[d] += force[at(i)] * transmissions[at(i)].moment[d];
    }
    for (int d = 0; d < model.v_count(); ++d)
    {
        const int joint = model.dofs.joint[at(d)];
        const bool compensates = model.joints.gravity_compensation_by_actuator[at(joint)] != 0;
        if (compensates) total[at(d)] += result.gravity_compensation[at(d)];
        total[at(d)] = clamp_to(total[at(d)], model.joints.actuator_force_range[at(joint)]);
    }
    result.actuator.assign(total.begin(), total.end());
}

void add_applied(const ReferenceState& state, ReferenceResult& result)
{
    std::vector<Real> force(state.control.joint_force.begin(), state.control.joint_force.end());
    force.resize(at(state.model.v_count()), 0);
    for (std::size_t b = 0; b < state.control.body_wrench.size(); ++b)
    {
        const Wrench& wrench = state.control.body_wrench[b];
        for (std::size_t d = 0; d < force.size(); ++d)
        {
            const JacobianColumn& column = state.body_jacobian[b][d];
            force[d] += dot(column.linear, cast<Real>(wrench.force)) + dot(column.angular, cast<Real>(wrench.torque));
        }
    }
    result.applied.assign(force.begin(), force.end());
}

}  // namespace rattleback
