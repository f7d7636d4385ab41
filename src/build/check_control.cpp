// Checks actuators, sensors, keyframes and tracks.
#include "build/check.h"
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
    else
        checker.id(std::get<SiteId>(target).index, authored.sites.size(), "site");
}

void check_quaternions(const Authored& authored, const Layout& layout, const std::vector<double>& q, Checker& checker)
{
    std::size_t begin = 0;
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
        check_list(key.act, layout.act_count, "act", checker);
        check_list(key.ctrl, static_cast<int>(authored.actuators.size()), "ctrl", checker);
        if (!key.targets.empty() && key.targets.size() != at(layout.kinematic_count))
            checker.fail("targets has " + std::to_string(key.targets.size()) + " poses instead of " +
                         std::to_string(layout.kinematic_count));
        check_poses(key.targets, checker);
    }
}

void check_tracks(const Authored& authored, const Names& names, Checker& checker)
{
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
