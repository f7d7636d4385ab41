// Newton and Euler for every body, projected on the joints with dense Jacobians, all in long double.
#include "support/reference_dynamics.h"
#include "base/index.h"

#include "support/reference_forces.h"
#include "support/reference_kinematics.h"

#include <cmath>

namespace rattleback
{
namespace
{

// One body as Newton and Euler see it, world axes.
struct MovingBody
{
    Real mass = 0;
    Matrix3<Real> inertia;
    Vector3<Real> centre, velocity, omega;
    Vector3<Real> acceleration, omega_rate;  ///< while v stays constant
};

MovingBody observe(const Model& model, const Motion& motion, int b)
{
    MovingBody body;
    const Transform<Taylor>& frame = motion.body[at(b)];
    const Matrix3<Real> axes = value_of(frame.rotation) * transform_of(model.bodies.inertial_pose[at(b)]).rotation;
    Matrix3<Real> scaled = axes;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) scaled(i, j) *= model.bodies.inertia[at(b)][j];
    }
    body.mass = model.bodies.mass[at(b)];
    body.inertia = scaled * transpose(axes);
    body.centre = value_of(motion.mass_centre[at(b)]);
    body.velocity = first_derivative(motion.mass_centre[at(b)]);
    body.acceleration = second_derivative(motion.mass_centre[at(b)]);
    body.omega = angular_velocity(frame.rotation);
    body.omega_rate = angular_acceleration(frame.rotation);
    return body;
}

ReferenceState prepare(const Model& model, std::span<const double> q, std::span<const double> v,
                       std::span<const double> act, const ControlView& control, const ReferenceOptions& options)
{
    ReferenceState state{model, q, v, act, control, options, {}, {}, {}, {}, {}};
    const auto move = [&](std::span<const double> coordinates, std::span<const double> rates)
    { return compute_motion(model, coordinates, rates, options.body_pose, options.body_velocity); };
    state.motion = move(q, v);
    state.tendon_length = compute_tendon_lengths(model, state.motion, q, v);
    for (const Taylor& length :
         compute_tendon_lengths(model, compute_motion(model, model.q0, {}, {}, {}), model.q0, {}))
    {
        state.tendon_length_0.push_back(length.value);
    }
    const std::size_t n = at(model.v_count());
    state.tendon_jacobian.assign(at(model.tendon_count()), std::vector<Real>(n, 0));
    for (std::size_t d = 0; d < n && model.tendon_count() > 0; ++d)
    {
        std::vector<double> unit(n, 0);
        unit[d] = 1;
        // Kinematic bodies stand still here: the Jacobian holds what the joints do.
        const Motion motion = compute_motion(model, q, unit, options.body_pose, {});
        const std::vector<Taylor> lengths = compute_tendon_lengths(model, motion, q, unit);
        for (std::size_t t = 0; t < lengths.size(); ++t) state.tendon_jacobian[t][d] = lengths[t].rate;
    }
    for (int b = 0; b < model.body_count(); ++b)
    {
        state.body_jacobian.push_back(
            compute_jacobian(model, state.motion, b, value_of(state.motion.mass_centre[at(b)])));
    }
    return state;
}

void fill_bodies(const ReferenceState& state, const std::vector<MovingBody>& bodies, ReferenceResult& result)
{
    for (std::size_t b = 0; b < bodies.size(); ++b)
    {
        result.position.push_back(narrow(value_of(state.motion.body[b].position)));
        result.rotation.push_back(cast<double>(value_of(state.motion.body[b].rotation)));
        result.centre_of_mass.push_back(narrow(bodies[b].centre));
        result.velocity.push_back({narrow(bodies[b].velocity), narrow(bodies[b].omega)});
        result.acceleration_0.push_back({narrow(bodies[b].acceleration), narrow(bodies[b].omega_rate)});
        for (int row = 0; row < 6; ++row)
        {
            for (const JacobianColumn& column : state.body_jacobian[b])
            {
                result.jacobian.push_back(narrow(row < 3 ? column.linear[row] : column.angular[row - 3]));
            }
        }
    }
}

void fill_mass_matrix(const ReferenceState& state, const std::vector<MovingBody>& bodies, ReferenceResult& result)
{
    const Model& model = state.model;
    const std::size_t n = at(model.v_count());
    std::vector<Real> m(n * n, 0);
    for (std::size_t b = 1; b < bodies.size(); ++b)
    {
        const Jacobian& j = state.body_jacobian[b];
        for (std::size_t c = 0; c < n; ++c)
        {
            const Vector3<Real> momentum = bodies[b].mass * j[c].linear, spin = bodies[b].inertia * j[c].angular;
            for (std::size_t r = 0; r < n; ++r) m[r * n + c] += dot(j[r].linear, momentum) + dot(j[r].angular, spin);
        }
    }
    for (std::size_t d = 0; d < n; ++d) m[d * n + d] += model.dofs.armature[d];
    for (std::size_t t = 0; t < state.tendon_jacobian.size(); ++t)
    {
        const std::vector<Real>& row = state.tendon_jacobian[t];
        for (std::size_t i = 0; i < n * n; ++i) m[i] += model.tendons.armature[t] * row[i / n] * row[i % n];
    }
    result.mass_matrix.resize(n * n);
    for (std::size_t i = 0; i < n * n; ++i) result.mass_matrix[i] = narrow(m[i]);
}

void fill_bias(const ReferenceState& state, const std::vector<MovingBody>& bodies, ReferenceResult& result)
{
    const Model& model = state.model;
    const std::size_t n = at(model.v_count());
    const auto gravity = cast<Real>(model.settings.gravity);
    for (std::size_t d = 0; d < n; ++d)
    {
        Real inertial = 0, weight = 0;
        for (std::size_t b = 1; b < bodies.size(); ++b)
        {
            const MovingBody& body = bodies[b];
            const JacobianColumn& column = state.body_jacobian[b][d];
            const Vector3<Real> torque = body.inertia * body.omega_rate + cross(body.omega, body.inertia * body.omega);
            inertial += body.mass * dot(column.linear, body.acceleration) + dot(column.angular, torque);
            weight -= body.mass * dot(column.linear, gravity);
        }
        for (std::size_t t = 0; t < state.tendon_jacobian.size(); ++t)
        {
            const Real second = 2 * state.tendon_length[t].half_second;
            inertial += model.tendons.armature[t] * state.tendon_jacobian[t][d] * second;
        }
        result.bias_without_gravity.push_back(narrow(inertial));
        result.bias.push_back(narrow(inertial + weight));
    }
}

void fill_invariants(const ReferenceState& state, const std::vector<MovingBody>& bodies, ReferenceResult& result)
{
    const Model& model = state.model;
    Real kinetic = 0, potential = 0, armature = 0;
    Vector3<Real> linear, angular;
    for (std::size_t b = 1; b < bodies.size(); ++b)
    {
        const MovingBody& body = bodies[b];
        const Vector3<Real> p = body.mass * body.velocity, spin = body.inertia * body.omega;
        kinetic += (dot(p, body.velocity) + dot(spin, body.omega)) / 2;
        potential -= body.mass * dot(cast<Real>(model.settings.gravity), body.centre);
        linear += p;
        angular += spin + cross(body.centre, p);
    }
    for (std::size_t d = 0; d < state.v.size(); ++d)
    {
        armature += Real(model.dofs.armature[d]) * Real(state.v[d]) * Real(state.v[d]) / 2;
    }
    for (std::size_t t = 0; t < state.tendon_length.size(); ++t)
    {
        armature += model.tendons.armature[t] * state.tendon_length[t].rate * state.tendon_length[t].rate / 2;
    }
    result.kinetic_energy = narrow(kinetic);
    result.armature_energy = narrow(armature);
    result.gravity_energy = narrow(potential);
    result.linear_momentum = narrow(linear);
    result.angular_momentum = narrow(angular);
}

void fill_tendons(const ReferenceState& state, ReferenceResult& result)
{
    for (std::size_t t = 0; t < state.tendon_length.size(); ++t)
    {
        result.tendon_length.push_back(narrow(state.tendon_length[t].value));
        result.tendon_velocity.push_back(narrow(state.tendon_length[t].rate));
        result.tendon_acceleration_0.push_back(narrow(2 * state.tendon_length[t].half_second));
        for (const Real x : state.tendon_jacobian[t]) result.tendon_jacobian.push_back(narrow(x));
    }
}

void fill_acceleration(const Model& model, ReferenceResult& result)
{
    std::vector<double> force;
    for (std::size_t d = 0; d < result.bias.size(); ++d)
    {
        const bool by_actuator = model.joints.gravity_compensation_by_actuator[at(model.dofs.joint[d])] != 0;
        const double compensation = by_actuator ? 0 : result.gravity_compensation[d];
        result.passive.push_back(result.spring[d] + result.damper[d] + compensation);
        force.push_back(result.passive[d] + result.actuator[d] + result.applied[d] - result.bias[d]);
    }
    result.acceleration = solve_dense(result.mass_matrix, force);
}

}  // namespace

std::vector<double> solve_dense(std::span<const double> matrix, std::span<const double> right_side)
{
    const std::size_t n = right_side.size();
    std::vector<Real> l(matrix.begin(), matrix.end());  // Cholesky, the factor replaces the lower triangle
    std::vector<Real> x(right_side.begin(), right_side.end());
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = 0; j <= i; ++j)
        {
            Real sum = l[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
            if (i == j && !(sum > 0)) return {};
            l[i * n + j] = i == j ? std::sqrt(sum) : sum / l[j * n + j];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;)
    {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
        x[i] /= l[i * n + i];
    }
    return {x.begin(), x.end()};
}

ReferenceResult compute_reference(const Model& model, std::span<const double> q, std::span<const double> v,
                                  std::span<const double> act, const ControlView& control,
                                  const ReferenceOptions& options)
{
    const ReferenceState state = prepare(model, q, v, act, control, options);
    std::vector<MovingBody> bodies;
    for (int b = 0; b < model.body_count(); ++b) bodies.push_back(observe(model, state.motion, b));

    ReferenceResult result;
    fill_bodies(state, bodies, result);
    fill_mass_matrix(state, bodies, result);
    fill_bias(state, bodies, result);
    fill_invariants(state, bodies, result);
    fill_tendons(state, result);
    add_springs_and_dampers(state, result);
    add_gravity_compensation(state, result);
    add_actuators(state, result);
    add_applied(state, result);
    fill_acceleration(model, result);
    return result;
}

}  // namespace rattleback
