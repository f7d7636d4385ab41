// What the files of the bindings share: who binds what, ids, errors and texts of the headers.
#pragma once

#include <rattleback/error.h>
#include <rattleback/ids.h>

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace rattleback::python
{

namespace nb = nanobind;

// One for each file: adds classes and functions to the module.
void bind_batch(nb::module_& module);
void bind_builder(nb::module_& module);
void bind_contacts(nb::module_& module);
void bind_dynamics(nb::module_& module);
void bind_import(nb::module_& module);
void bind_model(nb::module_& module);
void bind_query(nb::module_& module);
void bind_record(nb::module_& module);
void bind_report(nb::module_& module);
void bind_simulation(nb::module_& module);
void bind_solver(nb::module_& module);
void bind_state(nb::module_& module);

/// What a public header says about a name, for example "BodyOptions::position"; an ImportError where it says nothing.
const char* doc(std::string_view name);
/// The same; null where it says nothing.
const char* find_doc(std::string_view name);

/// A name of the package's Python part: classes of ids, shapes and errors are written there.
nb::object find_class(const char* name);

/// Raises rattleback.Error with all of them.
[[noreturn]] void raise_errors(const std::vector<Error>& errors);
/// ErrorItem objects.
nb::list to_list(const std::vector<Error>& errors);

template <class T>
T take(Result<T> result)
{
    if (!result.ok()) raise_errors(result.errors());
    return std::move(result).value();
}
inline void require(const Status& status)
{
    if (!status.ok()) raise_errors(status.errors());
}

/// Thrown by the check handler, so that misuse is a rattleback.UsageError.
void install_check_handler(nb::module_& module);

/// Kinds of elements, by the names of their Python classes.
template <class Tag>
constexpr const char* id_class = nullptr;
template <>
inline constexpr const char* id_class<BodyTag> = "BodyId";
template <>
inline constexpr const char* id_class<JointTag> = "JointId";
template <>
inline constexpr const char* id_class<ShapeTag> = "ShapeId";
template <>
inline constexpr const char* id_class<SiteTag> = "SiteId";
template <>
inline constexpr const char* id_class<MeshTag> = "MeshId";
template <>
inline constexpr const char* id_class<HeightFieldTag> = "HeightFieldId";
template <>
inline constexpr const char* id_class<MaterialTag> = "MaterialId";
template <>
inline constexpr const char* id_class<TendonTag> = "TendonId";
template <>
inline constexpr const char* id_class<ActuatorTag> = "ActuatorId";
template <>
inline constexpr const char* id_class<SensorTag> = "SensorId";
template <>
inline constexpr const char* id_class<EqualityTag> = "EqualityId";
template <>
inline constexpr const char* id_class<KeyframeTag> = "KeyframeId";
template <>
inline constexpr const char* id_class<CameraTag> = "CameraId";
template <>
inline constexpr const char* id_class<LightTag> = "LightId";
template <>
inline constexpr const char* id_class<TextureTag> = "TextureId";
template <>
inline constexpr const char* id_class<VisualMaterialTag> = "VisualMaterialId";

nb::object make_id(const char* class_name, int index);
template <class Tag>
nb::object to_python(Id<Tag> id)
{
    return id.valid() ? make_id(id_class<Tag>, id.index) : nb::none();
}
template <class Tag>
nb::object to_python(const std::optional<Id<Tag>>& id)
{
    return id ? to_python(*id) : nb::none();
}

}  // namespace rattleback::python
