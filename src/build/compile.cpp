// Compiles the parts in the order in which they need each other.
#include "build/compile.h"

#include "build/mujoco_weights.h"
#include "dynamics/constants.h"

#include <algorithm>

namespace rattleback
{

namespace
{

void compile_name_index(Model& model)
{
    std::vector<std::string> keyframes;
    for (const Keyframe& key : model.keyframes) keyframes.push_back(key.name);
    model.name_index = {.bodies = sort_by_name(model.bodies.name),
                        .joints = sort_by_name(model.joints.name),
                        .shapes = sort_by_name(model.shapes.name),
                        .sites = sort_by_name(model.sites.name),
                        .tendons = sort_by_name(model.tendons.name),
                        .actuators = sort_by_name(model.actuators.name),
                        .sensors = sort_by_name(model.sensors.name),
                        .keyframes = sort_by_name(keyframes)};
}

/// Servos with a damping ratio: kv = 2 ratio sqrt(kp m), with m the inertia felt at q0.
void resolve_damping_ratios(const Authored& authored, Model& model)
{
    // Inertias take solves with M: only where somebody asks.
    const auto has_ratio = [](const AuthoredActuator& actuator) { return actuator.options.damping_ratio > 0; };
    if (std::none_of(authored.actuators.begin(), authored.actuators.end(), has_ratio)) return;
    const std::vector<double> inertias = compute_actuator_inertias(model);
    // the three of an orientation share the mean of what a unit of torque does
    const auto inertia_of = [&](int i)
    {
        if (model.actuators.gain_law[at(i)] != ActuatorLaw::orientation) return inertias[at(i)];
        int first = i;
        while (first > 0 && model.actuators.inputs[at(first)] == 0) --first;
        double weight = 0;
        for (int k = first; k < std::min(first + 3, model.actuator_count()); ++k)
            weight += inertias[at(k)] > 0 ? 1 / inertias[at(k)] : 0;
        return weight > 0 ? 3 / weight : 0;
    };
    for (int i = 0; i < model.actuator_count(); ++i)
    {
        const AuthoredActuator& actuator = authored.actuators[at(i)];
        if (!has_ratio(actuator)) continue;
        // a servo's gain is its stiffness; others have that in the bias alone
        const bool servo = actuator.options.gain_law == ActuatorLaw::affine;
        const double gain = servo ? actuator.options.gain[0] : -actuator.options.bias[1];
        model.actuators.bias[at(i)][2] = -2 * actuator.options.damping_ratio * std::sqrt(gain * inertia_of(i));
    }
}

/// Joints whose spring and damper are given by how they swing.
void resolve_spring_dampers(const Authored& authored, Model& model)
{
    for (std::size_t i = 0; i < authored.joints.size(); ++i)
    {
        const auto& [spring, damper] = authored.joints[i].spring_damper;
        if (!(spring > 0 && damper > 0)) continue;
        const int begin = model.joints.v_begin[i], count = v_count(model.joints.type[i]);
        // k = m / spring, b = 2 m / damper, with m the mean inertia of the joint's dofs at q0.
        double weight = 0;
        for (int k = 0; k < count; ++k) weight += model.dofs.inverse_weight[at(begin + k)];
        const double inertia = weight > 0 ? count / weight : 0;
        model.joints.stiffness[i] = inertia / spring;
        for (int k = 0; k < count; ++k) model.dofs.damping[at(begin + k)] = 2 * inertia / damper;
    }
}

}  // namespace

Model compile(const Authored& authored, const Names& names, const Layout& layout, const std::vector<BodyMass>& masses,
              std::vector<Polyhedron> hulls)
{
    Model model;
    model.name = authored.name;
    model.settings = authored.settings;
    // The tree first: everything else refers to bodies and coordinates.
    compile_bodies(authored, names, layout, masses, model);
    compile_joints(authored, names, layout, model);
    compile_dofs(authored, model);
    compile_coordinates(authored, layout, model);
    compile_shapes(authored, names, model);
    model.hulls = Hulls(std::make_shared<const std::vector<Polyhedron>>(std::move(hulls)));
    compile_equalities(authored, names, model);
    compile_tendons(authored, names, model);
    compile_actuators(authored, names, model);
    compile_yields(model);
    compile_appearance(authored, names, model);
    compile_sensors(authored, names, model);
    compile_surfaces(model);
    compile_keyframes(authored, names, model);
    compile_tracks(authored, model);
    compile_name_index(model);
    // Inertias, inverse weights and lengths at q0 need the whole model; what is given by how things swing needs these.
    compute_constants(model);
    resolve_damping_ratios(authored, model);
    resolve_spring_dampers(authored, model);
    if (authored.mujoco_weights) apply_mujoco_weights(model);
    return model;
}

}  // namespace rattleback
