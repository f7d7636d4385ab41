// Compiles the parts in the order in which they need each other.
#include "build/compile.h"

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
    const auto has_ratio = [](const AuthoredActuator& actuator) { return actuator.damping_ratio > 0; };
    if (std::none_of(authored.actuators.begin(), authored.actuators.end(), has_ratio)) return;
    const std::vector<double> inertias = compute_actuator_inertias(model);
    for (int i = 0; i < model.actuator_count(); ++i)
    {
        const AuthoredActuator& actuator = authored.actuators[at(i)];
        if (!has_ratio(actuator)) continue;
        const double gain = actuator.options.gain[0];
        model.actuators.bias[at(i)][2] = -2 * actuator.damping_ratio * std::sqrt(gain * inertias[at(i)]);
    }
}

}  // namespace

Model compile(const Authored& authored, const Names& names, const Layout& layout, const std::vector<BodyMass>& masses,
              std::vector<Polyhedron> hulls)
{
    Model model;
    model.name = authored.name;
    model.settings = authored.settings;
    compile_bodies(authored, names, layout, masses, model);
    compile_joints(authored, names, layout, model);
    compile_dofs(authored, model);
    compile_coordinates(authored, layout, model);
    compile_shapes(authored, names, model);
    model.hulls = Hulls(std::move(hulls));
    compile_equalities(authored, names, model);
    compile_tendons(authored, names, model);
    compile_actuators(authored, names, model);
    compile_sensors(authored, names, model);
    compile_keyframes(authored, names, model);
    compile_tracks(authored, model);
    compile_name_index(model);
    compute_constants(model);
    resolve_damping_ratios(authored, model);
    return model;
}

}  // namespace rattleback
