// Adds joints that follow others, and motors.
#include <cmath>

#include "base/index.h"
#include "base/nearest_match.h"
#include "import/mjcf/element.h"
#include "import/urdf/assembly.h"

namespace rattleback::urdf
{

namespace
{

std::vector<std::string_view> list_names(const std::map<std::string, JointId>& joints)
{
    std::vector<std::string_view> names;
    for (const auto& [name, id] : joints) names.push_back(name);
    return names;
}

}  // namespace

void Assembly::add_mimics()
{
    struct Mimic
    {
        std::string leader;
        double multiplier = 1, offset = 0;
    };
    std::map<std::string, Mimic> mimics;
    for (const auto& [name, node] : joint_nodes_)
    {
        const Node mimic = node.child("mimic");
        if (!mimic || !mimic.required("joint")) continue;
        const std::string leader = mimic.text("joint");
        if (!joint_ids_.contains(leader))
            mimic.fail_at("joint", "there is no joint '" + leader + "' with one coordinate",
                          log_.takes_hint() ? make_name_hint(leader, list_names(joint_ids_)) : "",
                          ErrorCode::unknown_name);
        else
            mimics[name] = {leader, mimic.number("multiplier", 1), mimic.number("offset", 0)};
    }
    for (const auto& [name, mimic] : mimics)
    {
        // q = offset + multiplier * q of the leader, who may follow another in turn; the start obeys all of them.
        double multiplier = mimic.multiplier, offset = mimic.offset;
        auto next = mimics.find(mimic.leader);
        for (std::size_t steps = 0; next != mimics.end() && steps <= mimics.size(); ++steps)
        {
            offset += multiplier * next->second.offset;
            multiplier *= next->second.multiplier;
            next = mimics.find(next->second.leader);
        }
        const Node node = joint_nodes_.at(name).child("mimic");
        if (next != mimics.end())
        {
            node.fail("joint '" + name + "' follows itself", "one joint of the circle must lead");
            continue;
        }
        const JointId follower = joint_ids_.at(name);
        if (offset != 0 && std::isfinite(offset))
            authored_.joints[at(follower.index)].options.initial_position = offset;
        const std::string unique = make_unique("equality", name + "_mimic");
        const EqualityId id = builder_.add_joint_coupling(follower, joint_ids_.at(mimic.leader),
                                                          {mimic.offset, mimic.multiplier, 0, 0, 0},
                                                          {.name = unique, .softness = Impedance{}});
        blame("equality", unique.empty() ? "equality " + std::to_string(id.index) : unique, node);
    }
}

void Assembly::add_transmission(const Node& transmission)
{
    const std::string type =
        transmission.child("type") ? transmission.child("type").content() : transmission.text("type");
    const std::vector<Node> joints = transmission.children("joint"), actuators = transmission.children("actuator");
    const bool simple = type.find("SimpleTransmission") != type.npos || type.empty();
    if (!simple || joints.size() != 1 || actuators.size() > 1)
        return transmission.warn("a transmission of type '" + type + "' is ignored",
                                 "only SimpleTransmission is read, from one actuator to one joint");
    add_motor(transmission, joints[0], actuators.empty() ? transmission : actuators[0]);
}

void Assembly::add_motor(const Node& transmission, const Node& joint, const Node& actuator)
{
    const std::optional<std::string> target = joint.required("name");
    if (!target) return;
    const auto found = joint_ids_.find(*target);
    if (found == joint_ids_.end())
    {
        for (const Joint& known : robot_.joints)
        {
            if (known.name == *target)
                return transmission.warn("the transmission of joint '" + *target + "' is ignored",
                                         "a joint of type '" + known.type + "' takes no motor");
        }
        return joint.fail_at("name", "there is no joint '" + *target + "'",
                             log_.takes_hint() ? make_name_hint(*target, list_names(joint_ids_)) : "",
                             ErrorCode::unknown_name);
    }
    // A reduction of n turns a torque t of the motor into n t at the joint.
    const Node inner = actuator.child("mechanicalReduction"), outer = transmission.child("mechanicalReduction");
    const Node& reduction = inner ? inner : outer;
    double gear = 1;
    if (reduction)
    {
        const auto numbers = mjcf::parse_numbers(reduction.content());
        if (!numbers || numbers->size() != 1 || (*numbers)[0] == 0)
            return reduction.fail("'mechanicalReduction' must be a number, not zero", "", ErrorCode::syntax);
        gear = (*numbers)[0];
    }
    ActuatorOptions options{.gear = {gear, 0, 0, 0, 0, 0}};
    options.name = make_unique("actuator", actuator.text("name"));
    if (options.name.empty()) options.name = make_unique("actuator", transmission.text("name"));
    const Range& effort = authored_.joints[at(found->second.index)].options.actuator_force_range;
    if (effort.limited) options.input_range = {true, effort.lower / std::abs(gear), effort.upper / std::abs(gear)};
    const ActuatorId id = builder_.add_motor(found->second, options);
    blame("actuator", options.name.empty() ? "actuator " + std::to_string(id.index) : options.name, transmission);
}

}  // namespace rattleback::urdf
