// Adds sensors; those that we do not have are left out with a warning.
#include <algorithm>

#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

/// What of a sensor is not supported; empty: nothing. `known`: its quantity is.
std::string find_lack(const Element& sensor, bool known)
{
    const std::string name = "'" + sensor.rule->name + "'";
    if (!known) return name + " is not supported";
    if (sensor.has("refname")) return name + " relative to another frame ('refname') is not supported";
    const std::string type = sensor.text("objtype");
    if (sensor.rule->find("objtype") && type != "site" && type != "xbody")
        return name + " with objtype '" + type + "' is not supported ('xbody' and 'site' are" +
               (type == "body" ? "; 'body' is the frame of the centre of mass)" : ")");
    return {};
}

}  // namespace

std::optional<SensorTarget> Assembly::find_object(const Element& element) const
{
    const std::string type = element.text("objtype");
    const Attribute* name = element.find("objname");
    if (!name) return std::nullopt;
    if (type == "site")
    {
        if (const auto site = find(*name, name->text, "site")) return SensorTarget(SiteId{*site});
    }
    if (type == "xbody")
    {
        if (const auto body = find(*name, name->text, "body")) return SensorTarget(BodyId{*body});
    }
    return std::nullopt;
}

std::optional<SensorTarget> Assembly::find_watched(const Element& element) const
{
    if (element.has("joint"))
    {
        if (const auto joint = find(element, "joint", "joint")) return SensorTarget(JointId{*joint});
        return std::nullopt;
    }
    if (element.has("site"))
    {
        if (const auto site = find(element, "site", "site")) return SensorTarget(SiteId{*site});
        return std::nullopt;
    }
    return find_object(element);
}

void Assembly::add_sensors()
{
    struct Row
    {
        const char* name;
        SensorType type;
    };
    constexpr Row kRows[] = {{"jointpos", SensorType::joint_position},
                             {"jointvel", SensorType::joint_velocity},
                             {"gyro", SensorType::gyro},
                             {"accelerometer", SensorType::accelerometer},
                             {"framepos", SensorType::frame_position},
                             {"framequat", SensorType::frame_rotation},
                             {"framelinvel", SensorType::linear_velocity},
                             {"frameangvel", SensorType::angular_velocity}};
    std::map<std::string, std::pair<int, SourceLocation>> ignored;  // by what is not supported
    for (const Element& element : spec_.sensors)
    {
        const auto row =
            std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return element.is(r.name); });
        const std::string lack = find_lack(element, row != std::end(kRows));
        if (!lack.empty())
        {
            ++ignored.try_emplace(lack, 0, element.location).first->second.first;
            continue;
        }
        const std::optional<SensorTarget> target = find_watched(element);
        if (!target) continue;  // an error that was said
        const SensorId id = builder_.add_sensor(row->type, *target, element.name());
        note(element, "sensor", id.index);
    }
    for (const auto& [lack, entry] : ignored)
    {
        const auto& [count, location] = entry;
        log_.warn(location, std::to_string(count) + " sensor" + (count > 1 ? "s" : "") + " left out: " + lack,
                  "sensors do not change the motion");
    }
}

}  // namespace rattleback::mjcf
