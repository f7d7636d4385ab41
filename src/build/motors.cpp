// Motors in place of servos: the same actuators, driven by the force itself.
#include "base/index.h"
#include "build/layout.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Is force = gain * input all that the actuator does?
bool is_plain_gain(const ActuatorOptions& options)
{
    return options.gain[1] == 0 && options.gain[2] == 0 && options.bias == std::array<double, 3>{} &&
           options.dynamics == ActuatorDynamics::none && options.gain_law == ActuatorLaw::affine;
}

/// Bounds of the force: the force range, or what a plain gain makes of the bounded input.
Range find_force_limits(const ActuatorOptions& options)
{
    if (options.force_range.limited || !options.input_range.limited || !is_plain_gain(options))
        return options.force_range;
    // A negative gain swaps the ends of the range.
    const auto [lower, upper] =
        std::minmax({options.gain[0] * options.input_range.lower, options.gain[0] * options.input_range.upper});
    return {true, lower, upper};
}

/// The keyframe's input becomes the force that it stood for, or zero; the activation goes, and so do the inputs that a
/// delayed actuator remembers. `known`: actuators that the keyframe knows, all or those of the Model it came with.
void convert_keyframe(const std::vector<AuthoredActuator>& actuators, std::size_t known, std::size_t index,
                      Keyframe& key)
{
    const ActuatorOptions& options = actuators[index].options;
    if (index < key.ctrl.size()) key.ctrl[index] *= is_plain_gain(options) ? options.gain[0] : 0;
    if (index >= known) return;
    const auto erase = [&](int place, int count)
    {
        if (count > 0 && at(place + count) <= key.act.size())
            key.act.erase(key.act.begin() + place, key.act.begin() + place + count);
    };
    // [activations of all, memories of all]: the later of the two goes first
    int activation = 0, memory = 0;
    for (std::size_t i = 0; i < known; ++i)
    {
        memory += count_activations(actuators[i].options);
        if (i >= index) continue;
        activation += count_activations(actuators[i].options);
        memory += count_history(actuators[i].options);
    }
    erase(memory, count_history(options));
    erase(activation, count_activations(options));
}

}  // namespace

void ModelBuilder::make_motor(ActuatorId actuator)
{
    std::vector<AuthoredActuator>& actuators = impl().actuators;
    if (!actuator.valid() || at(actuator.index) >= actuators.size())
    {
        impl().mistakes.push_back({.where = "make_motor",
                                   .message = "there is no actuator " + std::to_string(actuator.index),
                                   .hint = "an id of one that was added before"});
        return;
    }
    // Before the options change: keyframes are converted by the old law.
    for (std::size_t i = 0; i < impl().keyframes.size(); ++i)
    {
        const bool loaded = i < at(impl().loaded_keyframes);
        convert_keyframe(actuators, loaded ? at(impl().loaded_actuators) : actuators.size(), at(actuator.index),
                         impl().keyframes[i]);
    }
    AuthoredActuator& changed = actuators[at(actuator.index)];
    const Range limits = find_force_limits(changed.options);
    changed.options = {.name = changed.options.name,
                       .gear = changed.options.gear,
                       .input_range = limits,
                       .force_range = changed.options.force_range,
                       .active = changed.options.active,
                       .in_parent = changed.options.in_parent,
                       .reference = changed.options.reference,
                       .crank_length = changed.options.crank_length};
    changed.servo = false;
}

void ModelBuilder::make_motors()
{
    const auto count = static_cast<int>(impl().actuators.size());
    for (int actuator = 0; actuator < count; ++actuator) make_motor(ActuatorId{actuator});
}

}  // namespace rattleback
