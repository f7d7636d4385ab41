// Compiles actuators, sensors, keyframes and tracks.
#include "build/compile.h"

#include "math/rotation.h"
#include "model/fields/control_fields.h"

#include <algorithm>
#include <numeric>

namespace rattleback
{

namespace
{

TransmissionType find_transmission(const AuthoredActuator& actuator)
{
    if (std::holds_alternative<TendonId>(actuator.target)) return TransmissionType::tendon;
    if (std::holds_alternative<BodyId>(actuator.target)) return TransmissionType::body;
    if (std::holds_alternative<SiteId>(actuator.target))
        return actuator.options.crank_length > 0 ? TransmissionType::slider_crank : TransmissionType::site;
    return actuator.options.in_parent ? TransmissionType::joint_in_parent : TransmissionType::joint;
}

/// One turn in units of the length, of servos on a rotation: their setpoints lie on a circle ([MuJoCo], "gear").
double find_period(const Model& model, const AuthoredActuator& actuator)
{
    const ActuatorOptions& o = actuator.options;
    const bool setpoint = o.dynamics == ActuatorDynamics::none || o.dynamics == ActuatorDynamics::integrator ||
                          o.dynamics == ActuatorDynamics::filter || o.dynamics == ActuatorDynamics::filter_exact;
    const bool servo = o.gain_law == ActuatorLaw::affine && o.bias_law == ActuatorLaw::affine && setpoint &&
                       o.gain[1] == 0 && o.gain[2] == 0 && o.gain[0] == -o.bias[1] && o.bias != std::array<double, 3>{};
    if (!servo && o.gain_law != ActuatorLaw::pid) return 0;
    const auto* joint = std::get_if<JointId>(&actuator.target);
    if (joint && model.joints.type[at(joint->index)] == JointType::ball)
        return 2 * kPi * norm(Vec3{o.gear[0], o.gear[1], o.gear[2]});
    const bool turns =
        o.reference.valid() && !(o.crank_length > 0) && o.gear[0] == 0 && o.gear[1] == 0 && o.gear[2] == 0;
    return turns ? 2 * kPi * norm(Vec3{o.gear[3], o.gear[4], o.gear[5]}) : 0;
}

void normalize_quaternions(const Model& model, std::vector<double>& q)
{
    if (q.empty()) return;
    for (std::size_t joint = 0; joint < model.joints.type.size(); ++joint)
    {
        const JointType type = model.joints.type[joint];
        if (type != JointType::free && type != JointType::ball) continue;
        // The quaternion stands at the end of a joint's coordinates.
        double* p = q.data() + model.joints.q_begin[joint] + q_count(type) - 4;
        const Quat unit = make_unit(Quat{p[0], p[1], p[2], p[3]});
        p[0] = unit.w;
        p[1] = unit.x;
        p[2] = unit.y;
        p[3] = unit.z;
    }
}

/// Numbers of the joints that a Model came with, in the order of its coordinates; where joints were added since, their
/// initial numbers stand between them.
void insert_added_joints(const Model& model, int loaded_joints, const std::vector<int>& begin, int (*count)(JointType),
                         const std::vector<double>& initial, std::vector<double>& values)
{
    if (values.empty() || values.size() == initial.size()) return;
    // Initial numbers everywhere, those of the loaded joints over them.
    std::vector<double> all = initial;
    auto next = values.begin();
    for (const int joint : model.bodies.joints_of_body)
    {
        if (joint >= loaded_joints) continue;
        const int numbers = count(model.joints.type[at(joint)]);
        std::copy_n(next, numbers, all.begin() + begin[at(joint)]);
        next += numbers;
    }
    values = std::move(all);
}

/// Zeros for activations that were added, between those that came with a Model and what its delayed actuators remember.
void insert_added_activations(const Model& model, int loaded_actuators, std::vector<double>& act)
{
    if (act.empty()) return;
    const auto begin = model.actuators.act_size.begin(), middle = begin + loaded_actuators;
    const int loaded = std::accumulate(begin, middle, 0);
    const int added = std::accumulate(middle, model.actuators.act_size.end(), 0);
    if (at(loaded) <= act.size()) act.insert(act.begin() + loaded, at(added), 0.0);
    act.resize(at(model.act_count), 0);
}

/// A keyframe that came with a Model, for what was added to the Model as well: that starts as it would without it.
void complete_keyframe(const Authored& authored, const Model& model, Keyframe& key)
{
    insert_added_joints(model, authored.loaded_joints, model.joints.q_begin, q_count, model.initial_q, key.q);
    insert_added_joints(model, authored.loaded_joints, model.joints.v_begin, v_count, model.initial_v, key.v);
    insert_added_activations(model, authored.loaded_actuators, key.act);
    if (!key.ctrl.empty()) key.ctrl.resize(at(model.actuator_count()), 0);
    if (key.targets.empty()) return;
    const auto loaded_targets = static_cast<int>(key.targets.size());
    for (int body = 1; body < model.body_count(); ++body)
    {
        // Targets stand by kinematic bodies, and added ones come last.
        if (model.bodies.kinematic_index[at(body)] >= loaded_targets)
            key.targets.push_back(model.bodies.pose[at(body)]);
    }
}

void normalize_rotations(std::vector<Pose>& poses)
{
    for (Pose& pose : poses) pose = make_pose(pose.position, pose.rotation);
}

}  // namespace

void compile_actuators(const Authored& authored, const Names& names, Model& model)
{
    Actuators& actuators = model.actuators;
    actuators.name = names.actuators;
    for (const AuthoredActuator& actuator : authored.actuators)
    {
        const ActuatorOptions& options = actuator.options;
        actuators.transmission.push_back(find_transmission(actuator));
        actuators.target.push_back(std::visit([](auto id) { return id.index; }, actuator.target));
        append_fields<ActuatorRows>(options, actuators);
        actuators.reference.push_back(options.reference.valid() ? options.reference.index : -1);
        actuators.period.push_back(find_period(model, actuator));
        const int count = count_activations(options);
        actuators.act_begin.push_back(count > 0 ? model.act_count : -1);
        actuators.act_size.push_back(count);
        model.act_count += count;
    }
    // What delayed actuators remember stands behind all activations.
    for (const AuthoredActuator& actuator : authored.actuators)
    {
        const int count = count_history(actuator.options);
        actuators.history_begin.push_back(count > 0 ? model.act_count : -1);
        model.act_count += count;
    }
}

void compile_yields(Model& model)
{
    // A rest of one coordinate moves by a number, that of a ball by a rotation vector; a tendon's has two ends.
    const auto place = [&](double yield, int count)
    {
        if (!(yield > 0)) return -1;
        model.act_count += count;
        return model.act_count - count;
    };
    Joints& joints = model.joints;
    for (std::size_t j = 0; j < joints.type.size(); ++j)
        joints.plastic_begin.push_back(place(joints.spring_yield[j], v_count(joints.type[j])));
    Tendons& tendons = model.tendons;
    for (const double yield : tendons.spring_yield) tendons.plastic_begin.push_back(place(yield, 2));
}

void compile_keyframes(const Authored& authored, const Names& names, Model& model)
{
    model.keyframes = authored.keyframes;
    for (std::size_t i = 0; i < model.keyframes.size(); ++i)
    {
        Keyframe& key = model.keyframes[i];
        key.name = names.keyframes[i];
        if (i < at(authored.loaded_keyframes)) complete_keyframe(authored, model, key);
        if (!key.act.empty()) key.act.resize(at(model.act_count), 0);
        normalize_quaternions(model, key.q);
        normalize_rotations(key.targets);
    }
}

void compile_tracks(const Authored& authored, Model& model)
{
    for (const auto& [body, track] : authored.tracks)
    {
        model.bodies.track[at(body.index)] = static_cast<int>(model.tracks.size());
        model.tracks.push_back(track);
        normalize_rotations(model.tracks.back().poses);
    }
}

}  // namespace rattleback
