// Laws of actuators as lines in length and velocity, and the drives of dofs and tendons made of them.
#include "solvers/avbd/actuator_drives.h"

#include "base/index.h"
#include "solvers/avbd/tendon_place.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rattleback::avbd
{

namespace
{

/// The force of an actuator that is not affine, as a line through where it is. What pushes along with length or
/// velocity stays as it is during the step: only what resists may be implicit.
Drive find_bent_drive(const ActuatorStep& step, int a, const Reach& reach, ExternalForces& forces)
{
    const ActuatorsView& actuators = step.actuators;
    // activations: one, or the states of a DC motor
    const int s = actuators.act_begin[at(a)];
    std::array<double, 5> rates{};
    // laws with several inputs, three of an orientation, find them behind their own
    const auto inputs = gather_inputs(step, a);
    const ForceLaw<double> law = find_force_law(step.model(), a, step.input.parameters.gain);
    const double* now = s >= 0 ? &step.world.act[at(s)] : nullptr;
    const ActuatorState<double> state{inputs.data(), now, reach.length, reach.velocity};
    const ActuatorForce<double> force = find_any_force(actuators, a, law, state, step.input.dt, rates.data());
    const bool motor = actuators.gain_law[at(a)] == ActuatorLaw::dc_motor;
    // a rotor's torque (cogging, friction of bristles) lies outside the force range; its damping is a part of the line
    forces.rotor = motor ? find_rotor_torque(actuators, a, reach.length, now, rates.data()) : 0;
    const double rotor_damping = motor ? find_rotor_damping(actuators, a) : 0;
    // the tangent at (l, v), made monotone: a slope that pushes along would take the definiteness of H
    const double slope = std::min(0.0, force.by_length), damping = std::min(0.0, force.by_velocity - rotor_damping);
    // the state advances by the step once, with the rates at its start
    if (s >= 0)
        advance_activation(actuators, a, reach.length, reach.velocity, rates.data(), step.input.dt, &forces.act[at(s)]);
    // f(l, v) = f_0 + slope (l - l_0) + damping (v - v_0), written as constant + slope l + damping v
    return {force.force - slope * reach.length - damping * reach.velocity, slope, damping, 0, 0};
}

/// Length and velocity of an actuator on a hinge, slide or tendon, before its gear.
Reach find_coordinate(const ActuatorStep& step, int a, const BlockWork& work)
{
    const Model& model = step.model();
    // tendons are placed by place_driven_tendons() before any law is asked
    const std::size_t target = at(step.actuators.target[at(a)]);
    if (drives_tendon(model, a)) return {work.tendons[target].start_length, work.tendons[target].start_rate};
    return {step.world.q[at(model.joints.q_begin[target])], step.world.v[at(model.joints.v_begin[target])]};
}

/// An actuator on a hinge, slide or tendon: force along it = gear * force, length = gear * q.
Drive find_coordinate_drive(const ActuatorStep& step, int a, const BlockWork& work, ExternalForces& forces)
{
    // one that is off adds neither force nor stiffness; its bounds must not clamp the zero
    const double most = std::numeric_limits<double>::infinity();
    if (is_off(step.input, a)) return {0, 0, 0, -most, most};
    const double gear = step.actuators.gear[at(a)][0];
    const Reach coordinate = find_coordinate(step, a, work);
    Drive drive = find_drive(step, a, {gear * coordinate.length, gear * coordinate.velocity}, forces);
    // the coordinate sees the law through the gear, squared where the law looks at the coordinate
    drive.constant *= gear;
    drive.slope *= gear * gear;
    drive.damping *= gear * gear;
    // bounds of the force along the coordinate; a negative gear exchanges them
    const Range& range = step.actuators.force_range[at(a)];
    drive.lower = range.limited ? std::min(gear * range.lower, gear * range.upper) : -most;
    drive.upper = range.limited ? std::max(gear * range.lower, gear * range.upper) : most;
    return drive;
}

/// Lengths and rates of the tendons that actuators pull, at the start of the step.
void place_driven_tendons(const Layout& layout, BlockWork& work)
{
    const Drives& drives = work.tendon_drives;
    for (int t = 0; t + 1 < static_cast<int>(drives.begin.size()); ++t)
    {
        // a tendon without actuators is placed with its row, if it has one
        if (drives.begin[at(t)] == drives.begin[at(t) + 1]) continue;
        place_tendon(layout, t, work);
        TendonState& state = work.tendons[at(t)];
        state.start_length = state.length;
        // J v_t: the rate at the start of the step
        state.start_rate = rate_of(layout, layout.tendon_rows[at(t)], work,
                                   [](const Body& body) -> const Velocity& { return body.velocity; });
    }
}

/// Actuators by the coordinate that they drive (counting sort); `index_of` is -1 for those on none.
template <class Index>
Drives sort_drives(const Model& model, int coordinate_count, Index index_of)
{
    // count, add up, fill: actuators of one coordinate follow each other in their order
    Drives drives;
    drives.begin.assign(at(coordinate_count) + 1, 0);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (index_of(a) >= 0) ++drives.begin[at(index_of(a)) + 1];
    }
    std::partial_sum(drives.begin.begin(), drives.begin.end(), drives.begin.begin());
    drives.actuator.resize(at(drives.begin.back()));
    std::vector<int> next = drives.begin;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (index_of(a) >= 0) drives.actuator[at(next[at(index_of(a))]++)] = a;
    }
    drives.items.resize(drives.actuator.size());
    return drives;
}

}  // namespace

bool drives_dof(const Model& model, int actuator)
{
    // a hinge or slide has one dof: its actuator is a term of that dof's rows (dof_rows), implicit in q and its rate
    const TransmissionType t = model.actuators.transmission[at(actuator)];
    if (t != TransmissionType::joint && t != TransmissionType::joint_in_parent) return false;
    const JointType type = model.joints.type[at(model.actuators.target[at(actuator)])];
    return type == JointType::hinge || type == JointType::slide;
}

bool drives_tendon(const Model& model, int actuator)
{
    return model.actuators.transmission[at(actuator)] == TransmissionType::tendon;
}

bool is_off(const StepInput& input, int actuator) { return input.control.actuator_active[at(actuator)] == 0; }

ForceLaw<double> find_force_law(const Model& model, int a, std::span<const double> own)
{
    // six numbers per actuator: three of the gain, three of the bias
    if (!own.empty()) return {&own[6 * at(a)], &own[6 * at(a) + 3]};
    return {model.actuators.gain[at(a)].data(), model.actuators.bias[at(a)].data()};
}

std::array<double, kMaxInputs> gather_inputs(const ActuatorStep& step, int a)
{
    std::array<double, kMaxInputs> inputs{};
    for (int i = 0; i < kMaxInputs && a + i < step.model().actuator_count(); ++i)
    {
        // a delayed actuator reads a buffer of past inputs among the activations; its clock is the Model's step
        const int h = step.actuators.history_begin[at(a + i)];
        const double dt = step.model().settings.dt;
        const double input = h >= 0 ? read_delayed_input(step.actuators, a + i, &step.world.act[at(h)], dt, 0)
                                    : step.input.control.input[at(a + i)];
        inputs[at(i)] = clamp_to(step.actuators.input_range[at(a + i)], input);
    }
    return inputs;
}

Drive find_drive(const ActuatorStep& step, int a, const Reach& reach, ExternalForces& forces)
{
    // control, then the activation that it drives, then force = gain (drive) + bias, affine in length and velocity
    const ActuatorsView& actuators = step.actuators;
    // no rotor unless the law below finds one
    forces.rotor = 0;
    const bool delayed = actuators.history_begin[at(a)] >= 0;
    if (!is_affine(actuators, a) || actuators.period[at(a)] > 0 || delayed ||
        actuators.dynamics[at(a)] == ActuatorDynamics::muscle)
        return find_bent_drive(step, a, reach, forces);
    // MuJoCo's order ("Actuation model"): input, activation dynamics, then gain and bias
    const int s = actuators.act_begin[at(a)];
    const double now = s >= 0 ? step.world.act[at(s)] : 0;
    const ActuatorDrive<double> drive =
        find_actuator_drive(actuators, a, step.input.control.input[at(a)], now, step.input.dt);
    if (s >= 0) forces.act[at(s)] = next_activation(actuators, a, now, drive.act_rate, step.input.dt);
    const AffineForce<double> force =
        find_affine_force(find_force_law(step.model(), a, step.input.parameters.gain), drive.value);
    return {force.constant, force.slope, force.damping, 0, 0};
}

double find_force(const ActuatorStep& step, int a, const Drive& drive, const Reach& reach, const ExternalForces& forces)
{
    // explicit, at the start of the step: wrenches on bodies have no row that could make them implicit
    const double force = drive.constant + drive.slope * reach.length + drive.damping * reach.velocity;
    return clamp_to(step.actuators.force_range[at(a)], force) + forces.rotor;
}

Drives make_drives(const Model& model)
{
    return sort_drives(model, model.v_count(),
                       [&](int a)
                       {
                           const auto target = at(model.actuators.target[at(a)]);
                           return drives_dof(model, a) ? model.joints.v_begin[target] : -1;
                       });
}

Drives make_tendon_drives(const Model& model)
{
    return sort_drives(model, model.tendon_count(),
                       [&](int a) { return drives_tendon(model, a) ? model.actuators.target[at(a)] : -1; });
}

void set_drives(const ActuatorStep& step, BlockWork& work, ExternalForces& forces)
{
    // lengths first: the laws below look at them
    place_driven_tendons(step.layout, work);
    for (std::size_t d = 0; d < work.drives.items.size(); ++d)
    {
        const int a = work.drives.actuator[d];
        work.drives.items[d] = find_coordinate_drive(step, a, work, forces);
        // the torque of a motor's rotor is beyond all ranges
        const std::size_t dof = at(step.model().joints.v_begin[at(step.actuators.target[at(a)])]);
        if (!is_off(step.input, a)) forces.dof_force[dof] += step.actuators.gear[at(a)][0] * forces.rotor;
    }
    for (std::size_t d = 0; d < work.tendon_drives.items.size(); ++d)
    {
        // a tendon has no force beside its row: the rotor's torque is a constant of the drive
        const int a = work.tendon_drives.actuator[d];
        Drive& drive = work.tendon_drives.items[d] = find_coordinate_drive(step, a, work, forces);
        if (!is_off(step.input, a)) drive.constant += step.actuators.gear[at(a)][0] * forces.rotor;
    }
}

}  // namespace rattleback::avbd
