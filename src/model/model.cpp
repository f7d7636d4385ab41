// Lookup of a model's elements by name, and the hulls of its meshes.
#include <rattleback/model.h>

#include "geometry/polyhedron.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Binary search in `order`, the elements sorted by name; `name_at(i)` is the name of element i.
template <class Id, class NameAt>
std::optional<Id> find(const std::vector<int>& order, std::string_view name, NameAt name_at)
{
    // Names are sorted once; a lookup compares a few strings.
    const auto it = std::lower_bound(order.begin(), order.end(), name, [&](int index, std::string_view wanted)
                                     { return std::string_view(name_at(index)) < wanted; });
    if (it == order.end() || name_at(*it) != name) return std::nullopt;
    return Id{*it};
}

template <class Id>
std::optional<Id> find(const std::vector<int>& order, std::string_view name, const std::vector<std::string>& names)
{
    return find<Id>(order, name,
                    [&](int index) -> const std::string& { return names[static_cast<std::size_t>(index)]; });
}

}  // namespace

std::size_t Hulls::size() const { return items_ ? items_->size() : 0; }

const Polyhedron& Hulls::operator[](std::size_t index) const
{
    RB_CHECK(index < size(), "no hull of such a mesh");
    return (*items_)[index];
}

std::optional<BodyId> Model::find_body(std::string_view element_name) const
{
    return find<BodyId>(name_index.bodies, element_name, bodies.name);
}
std::optional<JointId> Model::find_joint(std::string_view element_name) const
{
    return find<JointId>(name_index.joints, element_name, joints.name);
}
std::optional<ShapeId> Model::find_shape(std::string_view element_name) const
{
    return find<ShapeId>(name_index.shapes, element_name, shapes.name);
}
std::optional<SiteId> Model::find_site(std::string_view element_name) const
{
    return find<SiteId>(name_index.sites, element_name, sites.name);
}
std::optional<TendonId> Model::find_tendon(std::string_view element_name) const
{
    return find<TendonId>(name_index.tendons, element_name, tendons.name);
}
std::optional<ActuatorId> Model::find_actuator(std::string_view element_name) const
{
    return find<ActuatorId>(name_index.actuators, element_name, actuators.name);
}
std::optional<SensorId> Model::find_sensor(std::string_view element_name) const
{
    return find<SensorId>(name_index.sensors, element_name, sensors.name);
}
std::optional<KeyframeId> Model::find_keyframe(std::string_view element_name) const
{
    return find<KeyframeId>(name_index.keyframes, element_name, [&](int index) -> const std::string&
                            { return keyframes[static_cast<std::size_t>(index)].name; });
}
std::optional<CameraId> Model::find_camera(std::string_view element_name) const
{
    for (std::size_t i = 0; i < appearance.cameras.size(); ++i)
    {
        if (appearance.cameras[i].name == element_name) return CameraId{static_cast<int>(i)};
    }
    return std::nullopt;
}

}  // namespace rattleback
