// The fields of actuators and sensors.
#pragma once

#include <rattleback/options.h>

#include "model/fields/rows.h"

namespace rattleback
{

/// ActuatorOptions and Actuators. MJCF has many kinds of them, each with attributes of its own: the schema lists those.
struct ActuatorRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = ActuatorOptions;
        row(Array{"name", &Actuators::name});
        row(Array{"transmission", &Actuators::transmission});
        row(Array{"target", &Actuators::target});
        row(Array{"reference", &Actuators::reference});
        row(Field{"crank_length", &O::crank_length, &Actuators::crank_length, Check::not_negative, "cranklength"});
        row(Field{"gear", &O::gear, &Actuators::gear, Check::usual, "gear"});
        row(Field{"gain_law", &O::gain_law, &Actuators::gain_law});
        row(Field{"bias_law", &O::bias_law, &Actuators::bias_law});
        row(Field{"gain", &O::gain, &Actuators::gain});
        row(Field{"bias", &O::bias, &Actuators::bias});
        row(Field{"gain_parameters", &O::gain_parameters, &Actuators::gain_parameters});
        row(Field{"bias_parameters", &O::bias_parameters, &Actuators::bias_parameters});
        row(Field{"dynamics_parameters", &O::dynamics_parameters, &Actuators::dynamics_parameters});
        row(Field{"dynamics", &O::dynamics, &Actuators::dynamics});
        row(Field{"time_constant", &O::time_constant, &Actuators::time_constant, Check::positive});
        row(Field{"inputs", &O::inputs, &Actuators::inputs});
        row(Array{"act_begin", &Actuators::act_begin});
        row(Array{"act_size", &Actuators::act_size});
        row(Field{"input_range", &O::input_range, &Actuators::input_range, Check::usual, "ctrllimited ctrlrange"});
        row(Field{"force_range", &O::force_range, &Actuators::force_range, Check::usual, "forcelimited forcerange"});
        row(Field{"act_range", &O::act_range, &Actuators::act_range, Check::usual, "actlimited actrange",
                  "activation range"});
        row(Field{"length_range", &O::length_range, &Actuators::length_range});
        row(Array{"period", &Actuators::period});
        row(Field{"act_early", &O::act_early, &Actuators::act_early});
        row(Field{"active", &O::active, &Actuators::active});
        row(Field{"delay", &O::delay, &Actuators::delay, Check::not_negative, "delay"});
        row(Field{"sample_count", &O::sample_count, &Actuators::sample_count, Check::elsewhere, "nsample"});
        row(Field{"interpolation", &O::interpolation, &Actuators::interpolation});
        row(Array{"history_begin", &Actuators::history_begin});
        row(Option{"in_parent", &O::in_parent});
        row(Option{"damping_ratio", &O::damping_ratio, Check::not_negative});
    }
};
static_assert(is_complete<ActuatorRows, Actuators>());

/// SensorOptions and Sensors. What a sensor watches is a target of the builder, and a frame in the Model.
struct SensorRows
{
    template <class Visit>
    static constexpr void visit(Visit&& row)
    {
        using O = SensorOptions;
        row(Array{"name", &Sensors::name});
        row(Array{"type", &Sensors::type});
        row(Array{"object", &Sensors::object});
        row(Array{"reference", &Sensors::reference});
        row(Array{"target", &Sensors::target});
        row(Array{"reference_target", &Sensors::reference_target});
        row(Array{"body", &Sensors::body});
        row(Array{"reference_body", &Sensors::reference_body});
        row(Array{"pose", &Sensors::pose});
        row(Array{"reference_pose", &Sensors::reference_pose});
        row(Array{"begin", &Sensors::begin});
        row(Array{"size", &Sensors::size});
        row(Field{"cutoff", &O::cutoff, &Sensors::cutoff, Check::not_negative, "cutoff"});
        row(Field{"noise", &O::noise, &Sensors::noise, Check::not_negative, "noise"});
        row(Field{"fields", &O::fields, &Sensors::fields});
        row(Field{"count", &O::count, &Sensors::count});
        row(Field{"reduce", &O::reduce, &Sensors::reduce});
        row(Field{"resolution", &O::resolution, &Sensors::resolution, Check::not_negative});
        row(Field{"focal", &O::focal, &Sensors::focal, Check::not_negative});
        row(Field{"principal", &O::principal, &Sensors::principal});
        row(Field{"orthographic", &O::orthographic, &Sensors::orthographic});
        row(Field{"samples", &O::samples, &Sensors::samples});
        row(Field{"interpolation", &O::interpolation, &Sensors::interpolation});
        row(Field{"delay", &O::delay, &Sensors::delay, Check::not_negative, "delay"});
        row(Field{"interval", &O::interval, &Sensors::interval});
        row(Array{"taxels", &Sensors::taxels, Check::elsewhere, Length::own});
    }
};
static_assert(is_complete<SensorRows, Sensors>());

}  // namespace rattleback
