// Actuators and keyframes.
#include "base/index.h"
#include "import/mjcf_write/writer.h"
#include "model/fields/control_fields.h"

#include <algorithm>
#include <cmath>

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
        case ActuatorDynamics::none:
            break;
    }
    return "none";
}

bool is_plain(const std::array<double, 3>& law) { return law[1] == 0 && law[2] == 0; }

}  // namespace

void MjcfWriter::write_actuators()
{
    const Actuators& actuators = model_.actuators;
    if (actuators.target.empty()) return;
    xml_.open("actuator");
    for (std::size_t i = 0; i < actuators.target.size(); ++i)
    {
        const TransmissionType transmission = actuators.transmission[i];
        const std::size_t target = at(actuators.target[i]);
        const auto &gain = actuators.gain[i], &bias = actuators.bias[i];
        xml_.open("general");
        xml_.attribute("name", actuators.name[i]);
        if (transmission == TransmissionType::joint) xml_.attribute("joint", model_.joints.name[target]);
        if (transmission == TransmissionType::joint_in_parent)
            xml_.attribute("jointinparent", model_.joints.name[target]);
        if (transmission == TransmissionType::tendon) xml_.attribute("tendon", model_.tendons.name[target]);
        if (transmission == TransmissionType::site) xml_.attribute("site", model_.sites.name[target]);
        if (actuators.dynamics[i] != ActuatorDynamics::none)
            xml_.attribute("dyntype", dynamics_word(actuators.dynamics[i]));
        xml_.attribute("dynprm", actuators.time_constant[i]);
        // Where gain and stiffness cancel MuJoCo takes a positive third number of the bias for a damping ratio;
        // not where the gain is larger by one bit.
        auto gain_for_mujoco = gain;
        if (gain[0] == -bias[1] && bias[2] > 0) gain_for_mujoco[0] = std::nextafter(gain[0], 1e300);
        xml_.attribute("gaintype", is_plain(gain) ? "fixed" : "affine");
        xml_.attribute("gainprm", gain_for_mujoco);
        xml_.attribute("biastype", bias == std::array<double, 3>{} ? "none" : "affine");
        xml_.attribute("biasprm", bias);
        ActuatorOptions options = authored_.actuators[i].options;
        if (options.dynamics == ActuatorDynamics::none) options.act_range = {};  // of a state that it does not have
        write_fields<ActuatorRows>(*mjcf::find_element("actuator", "general"), options);
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
    list("act", key.act);
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
