// PlotColumns: names after joints, actuators and sensors.
#include "plot_columns.h"

#include <fmt/format.h>

#include <limits>

namespace rattleback::cli
{

namespace
{

std::string name_or_number(const std::string& name, const char* kind, std::size_t number)
{
    return name.empty() ? fmt::format("{} {}", kind, number) : name;
}

}  // namespace

PlotColumns::PlotColumns(const RecordedModel& model)
{
    for (const RecordedJoint& joint : model.joints) add_joint(joint, model.v_count <= kMostSpeeds);
    for (std::size_t i = 0; i < model.actuators.size(); ++i)
        add(Kind::input, static_cast<int>(i), name_or_number(model.actuators[i], "input", i), "");
    for (int i = 0; i < model.act_count; ++i) add(Kind::act, i, fmt::format("activation {}", i), "");
    for (std::size_t i = 0; i < model.sensors.size(); ++i)
    {
        const RecordedSensor& sensor = model.sensors[i];
        const std::string name = name_or_number(sensor.name, "sensor", i);
        const int size = sensor.size;
        for (int k = 0; k < size; ++k)
            add(Kind::sensor, sensor.begin + k, size == 1 ? name : fmt::format("{}[{}]", name, k), "");
    }
}

void PlotColumns::add_joint(const RecordedJoint& joint, bool free_speeds)
{
    const std::string name = name_or_number(joint.name, "joint of body", static_cast<std::size_t>(joint.body));
    const auto add_parts = [&](Kind kind, int begin, std::initializer_list<const char*> parts, const char* unit)
    {
        for (const char* part : parts) add(kind, begin++, name + part, unit);
    };
    switch (joint.type)
    {
        case JointType::hinge:
            add(Kind::q, joint.q_begin, name, "rad");
            add(Kind::v, joint.v_begin, name, "rad/s");
            return;
        case JointType::slide:
            add(Kind::q, joint.q_begin, name, "m");
            add(Kind::v, joint.v_begin, name, "m/s");
            return;
        case JointType::ball:
            add_parts(Kind::q, joint.q_begin, {".qw", ".qx", ".qy", ".qz"}, "");
            add_parts(Kind::v, joint.v_begin, {".wx", ".wy", ".wz"}, "rad/s");
            return;
        case JointType::free:
            if (!free_speeds) return;
            add_parts(Kind::v, joint.v_begin, {".vx", ".vy", ".vz"}, "m/s");
            add_parts(Kind::v, joint.v_begin + 3, {".wx", ".wy", ".wz"}, "rad/s");
            return;
        case JointType::fixed:
            return;
    }
}

nlohmann::json PlotColumns::about() const
{
    constexpr const char* kNames[] = {"q", "v", "input", "act", "sensor"};
    nlohmann::json list = nlohmann::json::array();
    for (const Column& column : columns_)
        list.push_back({{"kind", kNames[static_cast<int>(column.kind)]}, {"name", column.name}, {"unit", column.unit}});
    return list;
}

void PlotColumns::append(const RecordedFrame& frame, std::vector<float>& values) const
{
    const std::span<const double> numbers[] = {frame.q, frame.v, frame.control.input, frame.act, frame.sensors};
    for (const Column& column : columns_)
    {
        const std::span<const double> list = numbers[static_cast<int>(column.kind)];
        values.push_back(column.index < list.size() ? static_cast<float>(list[column.index])
                                                    : std::numeric_limits<float>::quiet_NaN());
    }
}

}  // namespace rattleback::cli
