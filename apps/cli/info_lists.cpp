// Names, kinds and ranges of what drives a model and what is read from it.
#include "info_lists.h"
#include "terminal.h"

#include "lab/base.h"
#include "table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback::cli
{

namespace
{

/// "joint 'knee'".
std::string target_of(const Model& model, std::size_t i)
{
    const std::size_t target = at(model.actuators.target[i]);
    switch (model.actuators.transmission[i])
    {
        case TransmissionType::joint:
        case TransmissionType::joint_in_parent:
            return fmt::format("joint '{}'", model.joints.name[target]);
        case TransmissionType::tendon:
            return fmt::format("tendon '{}'", model.tendons.name[target]);
        case TransmissionType::site:
        case TransmissionType::slider_crank:
            return fmt::format("site '{}'", model.sites.name[target]);
        case TransmissionType::body:
            return fmt::format("body '{}'", model.bodies.name[target]);
    }
    return {};
}

/// "joint 'knee'", "body 'torso'", or "-" where a sensor watches no object.
std::string place_of(const Model& model, std::size_t i)
{
    const Sensors& sensors = model.sensors;
    const std::size_t target = at(std::max(0, sensors.target[i]));
    switch (sensors.object[i])
    {
        case SensorObject::none:
            return "-";
        case SensorObject::joint:
            return fmt::format("joint '{}'", model.joints.name[target]);
        case SensorObject::tendon:
            return fmt::format("tendon '{}'", model.tendons.name[target]);
        case SensorObject::actuator:
            return fmt::format("actuator '{}'", model.actuators.name[target]);
        case SensorObject::shape:
            return fmt::format("shape '{}'", model.shapes.name[target]);
        case SensorObject::site:
            return fmt::format("site '{}'", model.sites.name[target]);
        case SensorObject::view:
            return fmt::format("camera '{}'", model.appearance.cameras[target].name);
        case SensorObject::body:
        case SensorObject::inertial:
        case SensorObject::subtree:
        case SensorObject::camera:
            break;
    }
    return fmt::format(
        "{}body '{}'",
        sensors.object[i] == SensorObject::body ? "" : to_string(sensors.object[i]) + std::string(" of "),
        model.bodies.name[target]);
}

std::string range_text(const Range& range)
{
    return range.limited ? fmt::format("{:g} to {:g}", range.lower, range.upper) : "-";
}

nlohmann::json range_json(const Range& range)
{
    return range.limited ? nlohmann::json{range.lower, range.upper} : nlohmann::json();
}

/// What a keyframe sets: "q, v, ctrl".
std::string parts_of(const Keyframe& key)
{
    std::string text;
    const auto add = [&](const char* name, bool there)
    { text += there ? (text.empty() ? "" : ", ") + std::string(name) : ""; };
    add("q", !key.q.empty());
    add("v", !key.v.empty());
    add("act", !key.act.empty());
    add("inputs", !key.ctrl.empty());
    add("targets", !key.targets.empty());
    return text.empty() ? "initial state" : text;
}

constexpr std::size_t kMostRows = 64;

/// Rows of a list, cut short where it is long.
template <class MakeRow>
void print_list(Table table, std::size_t count, const MakeRow& make_row)
{
    if (count == 0) return;
    for (std::size_t i = 0; i < std::min(count, kMostRows); ++i) table.add(make_row(i));
    if (count > kMostRows) table.add({fmt::format("… {} more", count - kMostRows)});
    say("{}\n", table.text());
}

}  // namespace

void print_control_lists(const Model& model)
{
    using Row = std::vector<std::string>;
    print_list(Table({{"keyframe"}, {"number", Align::right}, {"time [s]", Align::right}, {"sets"}}),
               model.keyframes.size(),
               [&](std::size_t i)
               {
                   const Keyframe& key = model.keyframes[i];
                   return Row{key.name, std::to_string(i), fmt::format("{:g}", key.time), parts_of(key)};
               });
    const Actuators& actuators = model.actuators;
    print_list(Table({{"actuator"}, {"drives"}, {"dynamics"}, {"input range"}, {"force range"}}), actuators.name.size(),
               [&](std::size_t i)
               {
                   return Row{actuators.name[i], target_of(model, i), to_string(actuators.dynamics[i]),
                              range_text(actuators.input_range[i]), range_text(actuators.force_range[i])};
               });
    const Sensors& sensors = model.sensors;
    print_list(Table({{"sensor"}, {"kind"}, {"on"}, {"numbers", Align::right}, {"first", Align::right}}),
               sensors.name.size(),
               [&](std::size_t i)
               {
                   return Row{sensors.name[i], to_string(sensors.type[i]), place_of(model, i),
                              std::to_string(sensors.size[i]), std::to_string(sensors.begin[i])};
               });
}

nlohmann::json keyframes_json(const Model& model)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Keyframe& key : model.keyframes)
        list.push_back({{"name", key.name},
                        {"time", key.time},
                        {"q", key.q},
                        {"v", key.v},
                        {"act", key.act},
                        {"input", key.ctrl}});
    return list;
}

nlohmann::json actuators_json(const Model& model)
{
    nlohmann::json list = nlohmann::json::array();
    const Actuators& actuators = model.actuators;
    for (std::size_t i = 0; i < actuators.name.size(); ++i)
        list.push_back({{"name", actuators.name[i]},
                        {"transmission", to_string(actuators.transmission[i])},
                        {"target", target_of(model, i)},
                        {"dynamics", to_string(actuators.dynamics[i])},
                        {"input_range", range_json(actuators.input_range[i])},
                        {"force_range", range_json(actuators.force_range[i])}});
    return list;
}

nlohmann::json sensors_json(const Model& model)
{
    nlohmann::json list = nlohmann::json::array();
    const Sensors& sensors = model.sensors;
    for (std::size_t i = 0; i < sensors.name.size(); ++i)
        list.push_back({{"name", sensors.name[i]},
                        {"kind", to_string(sensors.type[i])},
                        {"on", place_of(model, i)},
                        {"begin", sensors.begin[i]},
                        {"size", sensors.size[i]}});
    return list;
}

}  // namespace rattleback::cli
