// Finds the joints of each body and counts coordinates.
#include "build/layout.h"

#include "dynamics/motor_law.h"

#include <algorithm>

namespace rattleback
{

namespace
{

bool gets_free_joint(const BodyOptions& body) { return body.kind == BodyKind::dynamic && body.parent == kWorld; }

}  // namespace

const JointOptions& joint_options(const Authored& authored, int joint)
{
    static const JointOptions kFree{.type = JointType::free};
    return in_range(joint, authored.joints) ? authored.joints[at(joint)].options : kFree;
}

Layout find_layout(const Authored& authored)
{
    // Ids of elements may be wrong still: checks come later, so nothing indexes without looking.
    Layout layout;
    const std::size_t body_count = authored.bodies.size();
    std::vector<int> count(body_count, 0);
    for (const AuthoredJoint& joint : authored.joints)
    {
        if (in_range(joint.body.index, authored.bodies)) ++count[at(joint.body.index)];
    }
    for (std::size_t body = 1; body < body_count; ++body)
    {
        // A dynamic body under the world without joints floats: it gets a free joint, numbered behind those that were
        // authored.
        if (count[body] == 0 && gets_free_joint(authored.bodies[body]))
        {
            layout.free_bodies.push_back(static_cast<int>(body));
            ++count[body];
        }
    }

    // Joints by body, in the order in which they were added: that order is the one of their coordinates.
    layout.joint_begin.assign(body_count + 1, 0);
    for (std::size_t body = 0; body < body_count; ++body)
        layout.joint_begin[body + 1] = layout.joint_begin[body] + count[body];
    layout.joints_of_body.resize(at(layout.joint_begin.back()));
    std::vector<int> next(layout.joint_begin.begin(), layout.joint_begin.end() - 1);
    int index = 0;
    for (const AuthoredJoint& joint : authored.joints)
    {
        if (in_range(joint.body.index, authored.bodies))
            layout.joints_of_body[at(next[at(joint.body.index)]++)] = index;
        ++index;
    }
    for (const int body : layout.free_bodies) layout.joints_of_body[at(next[at(body)]++)] = index++;

    // q has seven numbers for a free joint and four for a ball, v six and three.
    for (const int joint : layout.joints_of_body)
    {
        const JointType type = joint_options(authored, joint).type;
        layout.q_count += q_count(type);
        layout.v_count += v_count(type);
    }
    for (const AuthoredActuator& actuator : authored.actuators)
    {
        layout.act_count += count_activations(actuator.options);
        // check_actuators refuses sums that are near the bound
        layout.history_count = std::min(kMostRemembered + 1, layout.history_count + count_history(actuator.options));
    }
    layout.kinematic_count =
        static_cast<int>(std::count_if(authored.bodies.begin(), authored.bodies.end(),
                                       [](const BodyOptions& body) { return body.kind == BodyKind::kinematic; }));
    return layout;
}

int count_activations(const ActuatorOptions& options)
{
    if (options.dynamics == ActuatorDynamics::none) return 0;
    // a bounded setpoint, an integral; of motors also temperature, bristles and current
    if (options.dynamics == ActuatorDynamics::pid)
        return (options.dynamics_parameters[1] > 0 ? 1 : 0) + (options.gain_parameters[0] > 0 ? 1 : 0);
    if (options.dynamics == ActuatorDynamics::dc_motor)
        return find_motor_slots(options.dynamics_parameters, options.gain_parameters).count;
    return 1;
}

int count_history(const ActuatorOptions& options)
{
    return options.delay > 0 ? 2 * std::clamp(options.sample_count, 0, kMostSamples) : 0;
}

}  // namespace rattleback
