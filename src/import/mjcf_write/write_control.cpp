// Actuators and keyframes.
#include "base/index.h"
#include "import/mjcf_write/writer.h"
#include "model/fields/control_fields.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rattleback
{

namespace
{

const char* dynamics_word(ActuatorDynamics dynamics)
{
    switch (dynamics)
    {
        case ActuatorDynamics::integrator:
            return "integrator";
        case ActuatorDynamics::filter:
            return "filter";
        case ActuatorDynamics::filter_exact:
            return "filterexact";
        case ActuatorDynamics::muscle:
            return "muscle";
        case ActuatorDynamics::pid:
            return "pid";
        case ActuatorDynamics::dc_motor:
            return "dcmotor";
        case ActuatorDynamics::none:
            break;
    }
    return "none";
}

const char* law_word(ActuatorLaw law)
{
    switch (law)
    {
        case ActuatorLaw::muscle:
            return "muscle";
        case ActuatorLaw::pid:
            return "pid";
        case ActuatorLaw::dc_motor:
            return "dcmotor";
        case ActuatorLaw::orientation:
            return "so3";
        case ActuatorLaw::affine:
        case ActuatorLaw::input:
            break;
    }
    return "affine";
}

/// "pos vel" and the like.
std::string input_words(int inputs)
{
    std::string words;
    for (const auto& [bit, word] :
         {std::pair{kInputPosition, "pos"}, {kInputVelocity, "vel"}, {kInputForce, "ff"}, {kInputVoltage, "voltage"}})
    {
        if ((inputs & bit) != 0) words += (words.empty() ? "" : " ") + std::string(word);
    }
    return words.empty() ? "none" : words;
}

bool is_plain(const std::array<double, 3>& law) { return law[1] == 0 && law[2] == 0; }

}  // namespace

void MjcfWriter::write_target(std::size_t actuator)
{
    const Actuators& actuators = model_.actuators;
    const std::size_t target = at(actuators.target[actuator]);
    switch (actuators.transmission[actuator])
    {
        case TransmissionType::joint:
            return xml_.attribute("joint", model_.joints.name[target]);
        case TransmissionType::joint_in_parent:
            return xml_.attribute("jointinparent", model_.joints.name[target]);
        case TransmissionType::tendon:
            return xml_.attribute("tendon", model_.tendons.name[target]);
        case TransmissionType::body:
            return xml_.attribute("body", model_.bodies.name[target]);
        case TransmissionType::slider_crank:
            xml_.attribute("cranksite", model_.sites.name[target]);
            return xml_.attribute("slidersite", model_.sites.name[at(actuators.reference[actuator])]);
        case TransmissionType::site:
            break;
    }
    xml_.attribute("site", model_.sites.name[target]);
    if (actuators.reference[actuator] >= 0)
        xml_.attribute("refsite", model_.sites.name[at(actuators.reference[actuator])]);
}

void MjcfWriter::write_law(std::size_t i)
{
    const Actuators& actuators = model_.actuators;
    const auto &gain = actuators.gain[i], &bias = actuators.bias[i];
    const ActuatorLaw gain_law = actuators.gain_law[i], bias_law = actuators.bias_law[i];
    const ActuatorDynamics dynamics = actuators.dynamics[i];
    if (dynamics != ActuatorDynamics::none) xml_.attribute("dyntype", dynamics_word(dynamics));
    const bool own_dynamics = dynamics == ActuatorDynamics::muscle || dynamics == ActuatorDynamics::pid ||
                              dynamics == ActuatorDynamics::dc_motor;
    if (own_dynamics)
        xml_.attribute("dynprm", actuators.dynamics_parameters[i]);
    else
        xml_.attribute("dynprm", actuators.time_constant[i]);
    if (gain_law == ActuatorLaw::affine)
    {
        // Where gain and stiffness cancel MuJoCo takes a positive third number of the bias for a damping ratio;
        // not where the gain is larger by one bit.
        auto gain_for_mujoco = gain;
        if (gain[0] == -bias[1] && bias[2] > 0) gain_for_mujoco[0] = std::nextafter(gain[0], 1e300);
        xml_.attribute("gaintype", is_plain(gain) ? "fixed" : "affine");
        xml_.attribute("gainprm", gain_for_mujoco);
    }
    else
    {
        xml_.attribute("gaintype", law_word(gain_law));
        if (gain_law == ActuatorLaw::orientation)
            xml_.attribute("gainprm", gain);
        else
            xml_.attribute("gainprm", actuators.gain_parameters[i]);
    }
    const bool written = bias_law == ActuatorLaw::affine || bias_law == ActuatorLaw::orientation;
    const bool plain = bias_law == ActuatorLaw::affine && gain_law != ActuatorLaw::pid;
    xml_.attribute("biastype", plain && bias == std::array<double, 3>{} ? "none" : law_word(bias_law));
    if (written)
        xml_.attribute("biasprm", bias);
    else
        xml_.attribute("biasprm", actuators.bias_parameters[i]);
    if (gain_law == ActuatorLaw::orientation && actuators.inputs[i] == 4) xml_.attribute("input", "quat");
    if (gain_law == ActuatorLaw::pid || gain_law == ActuatorLaw::dc_motor)
        xml_.attribute("input", input_words(actuators.inputs[i]));
}

void MjcfWriter::write_further_inputs(std::size_t i)
{
    const Actuators& actuators = model_.actuators;
    if (actuators.gain_law[i] != ActuatorLaw::pid && actuators.gain_law[i] != ActuatorLaw::dc_motor) return;
    std::size_t next = i;
    for (const auto& [bit, name] :
         {std::pair{kInputPosition, ""}, {kInputVelocity, "velrange"}, {kInputForce, "ffrange"}})
    {
        if ((actuators.inputs[i] & bit) == 0) continue;
        const Range& range = actuators.input_range[next];
        if (next != i && range.limited) xml_.attribute(name, std::array<double, 2>{range.lower, range.upper});
        ++next;
    }
}

void MjcfWriter::write_actuators()
{
    const Actuators& actuators = model_.actuators;
    if (actuators.target.empty()) return;
    xml_.open("actuator");
    for (std::size_t i = 0; i < actuators.target.size(); ++i)
    {
        // Further inputs and axes are written with the actuator that they belong to.
        const bool turns = actuators.gain_law[i] == ActuatorLaw::orientation;
        if (actuators.gain_law[i] == ActuatorLaw::input || (turns && actuators.inputs[i] == 0)) continue;
        xml_.open("general");
        xml_.attribute("name", actuators.name[i]);
        write_target(i);
        write_law(i);
        write_further_inputs(i);
        ActuatorOptions options = authored_.actuators[i].options;
        if (options.dynamics == ActuatorDynamics::none) options.act_range = {};  // of a state that it does not have
        if (turns) options.gear = {1, 0, 0, 0, 0, 0};
        write_fields<ActuatorRows>(*mjcf::find_element("actuator", "general"), options);
        if (const Range& range = actuators.length_range[i]; range.limited)
            xml_.attribute("lengthrange", std::array<double, 2>{range.lower, range.upper});
        if (actuators.interpolation[i] != Interpolation::hold)
            xml_.attribute("interp", to_string(actuators.interpolation[i]));
        if (actuators.act_early[i]) xml_.attribute("actearly", true);
        xml_.close();
    }
    xml_.close();
}

void MjcfWriter::write_key(const Keyframe& key)
{
    // Coordinates follow the bodies in the order of the file.
    std::vector<double> q, v, position, rotation;
    for (const int body : body_order_)
    {
        const Bodies& bodies = model_.bodies;
        for (int i = bodies.joint_begin[at(body)]; i < bodies.joint_begin[at(body) + 1]; ++i)
        {
            const std::size_t joint = at(bodies.joints_of_body[at(i)]);
            const JointType type = model_.joints.type[joint];
            const auto copy = [](const std::vector<double>& from, int begin, int count, std::vector<double>& to)
            {
                if (!from.empty()) to.insert(to.end(), from.begin() + begin, from.begin() + begin + count);
            };
            copy(key.q, model_.joints.q_begin[joint], q_count(type), q);
            copy(key.v, model_.joints.v_begin[joint], v_count(type), v);
        }
        const int row = bodies.kinematic_index[at(body)];
        if (row < 0 || key.targets.empty()) continue;
        const Pose& target = key.targets[at(row)];
        position.insert(position.end(), {target.position.x, target.position.y, target.position.z});
        rotation.insert(rotation.end(), {target.rotation.w, target.rotation.x, target.rotation.y, target.rotation.z});
    }
    xml_.open("key");
    xml_.attribute("name", key.name);
    if (key.time != 0) xml_.attribute("time", key.time);
    const auto list = [&](const char* name, const std::vector<double>& values)
    {
        if (!values.empty()) xml_.attribute(name, values);
    };
    list("qpos", q);
    list("qvel", v);
    // what delayed actuators remember has no place in a key
    std::vector<double> act = key.act;
    const auto activations = std::accumulate(model_.actuators.act_size.begin(), model_.actuators.act_size.end(), 0);
    if (!act.empty()) act.resize(at(activations));
    list("act", act);
    list("ctrl", key.ctrl);
    list("mpos", position);
    list("mquat", rotation);
    xml_.close();
}

void MjcfWriter::write_keyframes()
{
    const auto moving = [](double x) { return x != 0; };
    const bool displaced =
        model_.initial_q != model_.q0 || std::any_of(model_.initial_v.begin(), model_.initial_v.end(), moving);
    if (model_.keyframes.empty() && !displaced) return;
    xml_.open("keyframe");
    for (const Keyframe& key : model_.keyframes) write_key(key);
    if (displaced)
    {
        // MuJoCo starts at q0 and at rest; this is how our simulations start.
        Keyframe start{.name = "rattleback start", .q = model_.initial_q, .v = model_.initial_v};
        while (model_.find_keyframe(start.name)) start.name += '_';
        write_key(start);
    }
    xml_.close();
}

}  // namespace rattleback
