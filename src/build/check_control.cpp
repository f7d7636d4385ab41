// Checks actuators, sensors, keyframes and tracks.
#include "build/check.h"
#include "build/layout.h"
#include "model/fields/check_value.h"
#include "model/fields/control_fields.h"

namespace rattleback
{

namespace
{

void check_target(const Authored& authored, const ActuatorTarget& target, Checker& checker)
{
    if (const auto* joint = std::get_if<JointId>(&target))
    {
        if (!checker.id(joint->index, authored.joints.size(), "joint")) return;
        checker.require(authored.joints[at(joint->index)].options.type != JointType::fixed,
                        "a fixed joint cannot be actuated");
    }
    else if (const auto* tendon = std::get_if<TendonId>(&target))
        checker.id(tendon->index, authored.tendons.size(), "tendon");
    else if (const auto* body = std::get_if<BodyId>(&target))
        checker.id(body->index, authored.bodies.size(), "body");
    else
        checker.id(std::get<SiteId>(target).index, authored.sites.size(), "site");
}

/// Numbers of curves that a muscle cannot have.
void check_muscle(const std::array<double, 10>& p, Checker& checker)
{
    checker.require(p[0] < p[1], "the range of a muscle is empty", "its first number is the smaller");
    checker.require(p[2] < 0 || p[2] >= 0, "the force of a muscle is not a number");
    checker.require(p[2] >= 0 || p[3] > 0, "the scale of a muscle without a force must be positive");
    checker.require(p[4] < 1 && p[5] > 1, "lmin and lmax of a muscle must lie below and above 1");
    checker.require(p[6] > 0, "vmax of a muscle must be positive");
    checker.require(p[7] >= 0, "fpmax of a muscle must not be negative");
    checker.require(p[8] > 0, "fvmax of a muscle must be positive");
}

/// A DC motor: resistance, and a motor constant where something drives it.
void check_motor(const ActuatorOptions& options, Checker& checker)
{
    const auto& p = options.gain_parameters;
    checker.require(p[0] > 0, "a DC motor needs a positive resistance", "resistance, or nominal");
    checker.require(p[1] >= 0, "a DC motor cannot have a negative motor constant");
    checker.require(p[1] > 0 || options.inputs == 0, "a DC motor with inputs needs a positive motor constant",
                    "motorconst, or nominal");
    checker.require(options.bias_law == ActuatorLaw::dc_motor, "gain and bias must both be those of a DC motor");
    checker.require(!(options.dynamics_parameters[2] > 0) || options.dynamics_parameters[3] > 0,
                    "a DC motor with a thermal resistance needs a thermal capacity");
}

/// How many actuators of law `input` follow.
int count_further_inputs(const Authored& authored, std::size_t actuator)
{
    int count = 0;
    for (std::size_t i = actuator + 1; i < authored.actuators.size(); ++i, ++count)
    {
        if (authored.actuators[i].options.gain_law != ActuatorLaw::input) break;
    }
    return count;
}

/// An orientation is three actuators in a row on a ball joint, or on a site with a reference.
void check_orientation(const Authored& authored, std::size_t index, Checker& checker)
{
    const AuthoredActuator& actuator = authored.actuators[index];
    const ActuatorOptions& options = actuator.options;
    const auto* joint = std::get_if<JointId>(&actuator.target);
    const bool known = joint && joint->index >= 0 && at(joint->index) < authored.joints.size();
    const bool ball = known && authored.joints[at(joint->index)].options.type == JointType::ball;
    const bool site =
        std::holds_alternative<SiteId>(actuator.target) && options.reference.valid() && !(options.crank_length > 0);
    checker.require(ball || site, "an orientation needs a ball joint, or a site with a reference");
    const auto turns = [&](std::size_t i)
    { return i < authored.actuators.size() && authored.actuators[i].options.gain_law == ActuatorLaw::orientation; };
    checker.require(options.inputs == 0 || (turns(index + 1) && turns(index + 2)),
                    "an orientation needs three actuators in a row");
    checker.require(options.inputs != 4 || count_further_inputs(authored, index + 2) >= 1,
                    "an orientation by a quaternion has four inputs");
}

/// Laws that are not affine, delays and the way to the target.
void check_law(const Authored& authored, std::size_t index, Checker& checker)
{
    const AuthoredActuator& actuator = authored.actuators[index];
    const ActuatorOptions& options = actuator.options;
    if (options.gain_law == ActuatorLaw::muscle) check_muscle(options.gain_parameters, checker);
    if (options.bias_law == ActuatorLaw::muscle) check_muscle(options.bias_parameters, checker);
    if (options.gain_law == ActuatorLaw::dc_motor) check_motor(options, checker);
    if (options.dynamics == ActuatorDynamics::muscle)
    {
        const auto& times = options.dynamics_parameters;
        checker.require(times[0] > 0 && times[1] > 0, "the time constants of a muscle must be positive");
        checker.require(times[2] >= 0, "the smoothing of a muscle must not be negative");
    }
    if (options.gain_law == ActuatorLaw::pid || options.gain_law == ActuatorLaw::dc_motor)
    {
        int wanted = options.inputs == 0 ? 0 : -1;
        for (const int bit : {kInputPosition, kInputVelocity, kInputForce, kInputVoltage})
            wanted += (options.inputs & bit) != 0 ? 1 : 0;
        checker.require(count_further_inputs(authored, index) >= wanted,
                        "has more inputs than actuators of law input follow it");
        const bool integrates =
            options.gain_law == ActuatorLaw::pid ? options.gain_parameters[0] > 0 : options.gain_parameters[5] > 0;
        checker.require(!integrates || (options.inputs & kInputPosition) != 0,
                        "the integral of the position's error needs the input pos");
        // What the law remembers is laid out by its dynamics.
        ActuatorOptions needed = options;
        needed.dynamics = options.gain_law == ActuatorLaw::pid ? ActuatorDynamics::pid : ActuatorDynamics::dc_motor;
        const bool stateless = options.dynamics == ActuatorDynamics::none && count_activations(needed) == 0;
        checker.require(options.dynamics == needed.dynamics || stateless,
                        "its gain needs the dynamics of the same kind", "dyntype");
    }
    if (options.gain_law == ActuatorLaw::orientation) check_orientation(authored, index, checker);
    checker.require(options.sample_count >= 0 && options.sample_count <= kMostSamples,
                    "the number of samples must be between 0 and 100000");
    checker.require(!(options.delay > 0) || options.sample_count > 0, "a delay needs samples", "nsample");
}

/// The reference of a site, the rod of a crank.
void check_reference(const Authored& authored, const AuthoredActuator& actuator, Checker& checker)
{
    const ActuatorOptions& options = actuator.options;
    const auto* site = std::get_if<SiteId>(&actuator.target);
    checker.require(site || !(options.crank_length > 0), "crank_length is for sites only");
    if (!options.reference.valid())
    {
        checker.require(!(options.crank_length > 0), "a crank needs the site of its slider");
        return;
    }
    checker.require(site != nullptr, "a reference is for sites only");
    checker.id(options.reference.index, authored.sites.size(), "site");
}

void check_quaternions(const Authored& authored, const Layout& layout, const std::vector<double>& q, Checker& checker)
{
    std::size_t begin = 0;
    // Coordinates in the order of the joints of bodies; the quaternion stands at the end of a joint's own.
    for (const int joint : layout.joints_of_body)
    {
        const JointType type = joint_options(authored, joint).type;
        const std::size_t end = begin + at(q_count(type));
        if (type == JointType::free || type == JointType::ball)
            checker.rotation({q[end - 4], q[end - 3], q[end - 2], q[end - 1]}, "a quaternion in q");
        begin = end;
    }
}

}  // namespace

void check_actuators(const Authored& authored, const Names& names, Checker& checker)
{
    std::int64_t remembered = 0;
    for (std::size_t i = 0; i < authored.actuators.size(); ++i)
    {
        const AuthoredActuator& actuator = authored.actuators[i];
        const ActuatorOptions& options = actuator.options;
        checker.enter("actuator", names.actuators[i]);
        check_target(authored, actuator.target, checker);
        check_options<ActuatorRows>(options, checker);
        if (actuator.servo)
        {
            checker.not_negative(options.gain[0], "stiffness");
            checker.not_negative(-options.bias[2], "damping");
        }
        check_law(authored, i, checker);
        remembered += count_history(options);
        checker.require(remembered <= kMostRemembered, "the delayed actuators remember more than 16777216 numbers");
        check_reference(authored, actuator, checker);
        checker.require(!options.in_parent || std::holds_alternative<JointId>(actuator.target),
                        "in_parent is for joints only");
    }
}

void check_keyframes(const Authored& authored, const Names& names, const Layout& layout, Checker& checker)
{
    // Those that came with a Model were checked there; compile_keyframes completes them.
    for (std::size_t i = at(authored.loaded_keyframes); i < authored.keyframes.size(); ++i)
    {
        const Keyframe& key = authored.keyframes[i];
        checker.enter("keyframe", names.keyframes[i]);
        checker.finite(key.time, "time");
        if (check_list(key.q, layout.q_count, "q", checker) && !key.q.empty())
            check_quaternions(authored, layout, key.q, checker);
        check_list(key.v, layout.v_count, "v", checker);
        // Inputs that delayed actuators remember may follow the activations.
        const int with_history = layout.act_count + layout.history_count;
        check_list(key.act, key.act.size() == at(with_history) ? with_history : layout.act_count, "act", checker);
        check_list(key.ctrl, static_cast<int>(authored.actuators.size()), "ctrl", checker);
        if (!key.targets.empty() && key.targets.size() != at(layout.kinematic_count))
            checker.fail("targets has " + std::to_string(key.targets.size()) + " poses instead of " +
                         std::to_string(layout.kinematic_count));
        check_poses(key.targets, checker);
    }
}

void check_tracks(const Authored& authored, const Names& names, Checker& checker)
{
    // A body follows one track: two would disagree.
    std::vector<char> has_track(authored.bodies.size(), 0);
    for (const auto& [body, track] : authored.tracks)
    {
        checker.enter("track");
        if (!checker.id(body.index, authored.bodies.size(), "body")) continue;
        checker.enter("track of body", names.bodies[at(body.index)]);
        checker.require(authored.bodies[at(body.index)].kind == BodyKind::kinematic,
                        "only a kinematic body follows a track");
        checker.require(!has_track[at(body.index)], "the body has two tracks");
        has_track[at(body.index)] = 1;
        check_track(track, checker);
    }
}

}  // namespace rattleback
