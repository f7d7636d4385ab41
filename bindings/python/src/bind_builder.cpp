// ModelBuilder: option structs as keyword arguments, one table of fields each.
#include "builder_fields.h"
#include "objects.h"

#include <nanobind/stl/string.h>

#include <type_traits>

namespace rattleback::python
{

namespace
{

struct BuilderObject
{
    std::shared_ptr<ModelBuilder> builder;
};
/// Settings of a builder, which it keeps alive.
struct SettingsObject
{
    std::shared_ptr<ModelBuilder> builder;
};
using BuilderType = nb::class_<BuilderObject>;

/// The positional arguments of a method, by name and type, as its signature says them.
struct Positional
{
    const char* name;
    const char* type;
};
constexpr const char* kId = "typing.SupportsIndex";

/// What a method does with them and its options.
template <class Options>
using BuilderCall =
    std::type_identity_t<nb::object (*)(ModelBuilder& builder, const nb::args& arguments, const Options& options)>;

/// A method with positional arguments and the fields of an option struct as keywords. `call` gets the arguments, which
/// are as many as there are names.
template <class Options>
void add(BuilderType& type, const char* name, std::initializer_list<Positional> positional, const char* options_name,
         const std::vector<Field<Options>>& fields, const char* returns, BuilderCall<Options> call,
         const char* text = nullptr)
{
    std::string signature = std::string("def ") + name + "(self";
    std::string expected;
    for (const auto& [argument, argument_type] : positional)
    {
        signature += std::string(", ") + argument + ": " + argument_type;
        expected += std::string(expected.empty() ? "" : ", ") + argument;
    }
    if (positional.size() > 0) signature += ", /";
    if (!fields.empty()) signature += ", " + keyword_text(fields);
    signature += std::string(") -> ") + returns;
    if (text == nullptr) text = find_doc(std::string("ModelBuilder::") + name);
    if (text == nullptr) text = find_doc(options_name);
    const std::string words = (text != nullptr ? text : "") + describe(options_name, fields);
    const std::size_t count = positional.size();
    type.def(
        name,
        [name, expected, count, &fields, call](BuilderObject& self, const nb::args& arguments,
                                               const nb::kwargs& keywords)
        {
            if (arguments.size() != count)
                throw nb::type_error((std::string(name) + ": expected " +
                                      (count == 0 ? "keyword arguments only" : "the arguments " + expected) + ", got " +
                                      std::to_string(arguments.size()) + " positional ones")
                                         .c_str());
            const Options options = read_fields(name, keywords, fields);
            return call(*self.builder, arguments, options);
        },
        nb::sig(keep(signature)), keep(words));
}

/// Positional argument `i`.
template <class T>
T get(const nb::args& arguments, std::size_t i, const char* place)
{
    return convert<T>(arguments[i], place);
}

void bind_bodies(BuilderType& type)
{
    add(type, "add_body", {}, "BodyOptions", kBody, "rattleback._base.BodyId",
        [](ModelBuilder& b, const nb::args&, const BodyOptions& o) { return to_python(b.add_body(o)); });
    add(
        type, "add_joint", {{"body", kId}}, "JointOptions", kJoint, "rattleback._base.JointId",
        [](ModelBuilder& b, const nb::args& a, const JointOptions& o)
        { return to_python(b.add_joint(get<BodyId>(a, 0, "add_joint: body"), o)); },
        "A joint between a body and its parent. Joints of one body act in the order they were added.");
    add(
        type, "add_shape", {{"body", kId}, {"shape", "rattleback._base.Shape"}}, "ShapeOptions", kShape,
        "rattleback._base.ShapeId",
        [](ModelBuilder& b, const nb::args& a, const ShapeOptions& o)
        {
            return to_python(
                b.add_shape(get<BodyId>(a, 0, "add_shape: body"), get<Shape>(a, 1, "add_shape: shape"), o));
        },
        "A shape on a body, for example Box(half_extents=(0.1, 0.1, 0.1)).");
    add(type, "add_ground", {}, "ShapeOptions", kShape, "rattleback._base.ShapeId",
        [](ModelBuilder& b, const nb::args&, const ShapeOptions& o) { return to_python(b.add_ground(o)); });
    add(
        type, "add_site", {{"body", kId}}, "SiteOptions", kSite, "rattleback._base.SiteId",
        [](ModelBuilder& b, const nb::args& a, const SiteOptions& o)
        { return to_python(b.add_site(get<BodyId>(a, 0, "add_site: body"), o)); },
        "A frame on a body, with a volume for sensors.");
    add(type, "add_material", {}, "MaterialOptions", kMaterial, "rattleback._base.MaterialId",
        [](ModelBuilder& b, const nb::args&, const MaterialOptions& o) { return to_python(b.add_material(o)); });
    add(type, "add_mesh", {}, "MeshOptions", kMesh, "rattleback._base.MeshId",
        [](ModelBuilder& b, const nb::args&, const MeshOptions& o) { return to_python(b.add_mesh(o)); });
    add(type, "add_height_field", {}, "HeightFieldOptions", kHeightField, "rattleback._base.HeightFieldId",
        [](ModelBuilder& b, const nb::args&, const HeightFieldOptions& o) { return to_python(b.add_height_field(o)); });
    add(type, "add_keyframe", {}, "Keyframe", kKeyframe, "rattleback._base.KeyframeId",
        [](ModelBuilder& b, const nb::args&, const Keyframe& o) { return to_python(b.add_keyframe(o)); });
    add(type, "add_track", {{"body", kId}}, "Track", kTrack, "None",
        [](ModelBuilder& b, const nb::args& a, const Track& o) -> nb::object
        {
            b.add_track(get<BodyId>(a, 0, "add_track: body"), o);
            return nb::none();
        });
    add(type, "add_pair", {{"first", kId}, {"second", kId}}, "PairOptions", kPair, "None",
        [](ModelBuilder& b, const nb::args& a, const PairOptions& o) -> nb::object
        {
            b.add_pair(get<ShapeId>(a, 0, "add_pair: first"), get<ShapeId>(a, 1, "add_pair: second"), o);
            return nb::none();
        });
    type.def(
        "exclude",
        [](BuilderObject& self, nb::object first, nb::object second)
        {
            self.builder->exclude(convert<BodyId>(first, "exclude: first"), convert<BodyId>(second, "exclude: second"));
        },
        nb::arg("first"), nb::arg("second"),
        nb::sig("def exclude(self, first: typing.SupportsIndex, second: typing.SupportsIndex) -> None"),
        doc("ModelBuilder::exclude"));
}

void bind_looks(BuilderType& type)
{
    add(type, "add_camera", {}, "CameraOptions", kCamera, "rattleback._base.CameraId",
        [](ModelBuilder& b, const nb::args&, const CameraOptions& o) { return to_python(b.add_camera(o)); });
    add(type, "add_light", {}, "LightOptions", kLight, "rattleback._base.LightId",
        [](ModelBuilder& b, const nb::args&, const LightOptions& o) { return to_python(b.add_light(o)); });
    add(type, "add_texture", {}, "TextureOptions", kTexture, "rattleback._base.TextureId",
        [](ModelBuilder& b, const nb::args&, const TextureOptions& o) { return to_python(b.add_texture(o)); });
    add(type, "add_visual_material", {}, "VisualMaterialOptions", kVisualMaterial, "rattleback._base.VisualMaterialId",
        [](ModelBuilder& b, const nb::args&, const VisualMaterialOptions& o)
        { return to_python(b.add_visual_material(o)); });
    add(type, "set_headlight", {}, "HeadlightOptions", kHeadlight, "None",
        [](ModelBuilder& b, const nb::args&, const HeadlightOptions& o) -> nb::object
        {
            b.set_headlight(o);
            return nb::none();
        });
}

void bind_equalities(BuilderType& type)
{
    constexpr const char* kEqualityId = "rattleback._base.EqualityId";
    constexpr const char* kNumbers = "numpy.typing.ArrayLike";
    add(type, "add_connect", {{"first", kId}, {"second", kId}, {"anchor", kNumbers}}, "EqualityOptions", kEquality,
        kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const EqualityOptions& o)
        {
            const char* place = "add_connect";
            return to_python(
                b.add_connect(get<BodyId>(a, 0, place), get<BodyId>(a, 1, place), get<Vec3>(a, 2, place), o));
        });
    add(type, "add_connect_points",
        {{"first", kId}, {"first_point", kNumbers}, {"second", kId}, {"second_point", kNumbers}}, "EqualityOptions",
        kEquality, kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const EqualityOptions& o)
        {
            const char* place = "add_connect_points";
            return to_python(b.add_connect_points(get<BodyId>(a, 0, place), get<Vec3>(a, 1, place),
                                                  get<BodyId>(a, 2, place), get<Vec3>(a, 3, place), o));
        });
    add(type, "add_weld", {{"first", kId}, {"second", kId}}, "EqualityOptions", kEquality, kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const EqualityOptions& o)
        { return to_python(b.add_weld(get<BodyId>(a, 0, "add_weld"), get<BodyId>(a, 1, "add_weld"), o)); });
    add(type, "add_weld_frames",
        {{"first", kId}, {"first_frame", kNumbers}, {"second", kId}, {"second_frame", kNumbers}}, "EqualityOptions",
        kEquality, kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const EqualityOptions& o)
        {
            const char* place = "add_weld_frames";
            return to_python(b.add_weld_frames(get<BodyId>(a, 0, place), get<Pose>(a, 1, place),
                                               get<BodyId>(a, 2, place), get<Pose>(a, 3, place), o));
        });
    add(type, "add_cable", {{"first", kId}, {"second", kId}}, "CableOptions", kCable, kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const CableOptions& o)
        { return to_python(b.add_cable(get<BodyId>(a, 0, "add_cable"), get<BodyId>(a, 1, "add_cable"), o)); });
    add(type, "add_rod", {}, "RodOptions", kRod,
        "tuple[list[rattleback._base.BodyId], list[rattleback._base.EqualityId]]",
        [](ModelBuilder& b, const nb::args&, const RodOptions& o) -> nb::object
        {
            const Rod rod = b.add_rod(o);
            nb::list segments, joints;
            for (const BodyId id : rod.segments) segments.append(to_python(id));
            for (const EqualityId id : rod.joints) joints.append(to_python(id));
            return nb::make_tuple(segments, joints);
        });
    add(type, "add_joint_coupling",
        {{"first", kId}, {"second", "typing.SupportsIndex | None"}, {"polynomial", kNumbers}}, "EqualityOptions",
        kEquality, kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const EqualityOptions& o)
        {
            const char* place = "add_joint_coupling";
            return to_python(b.add_joint_coupling(get<JointId>(a, 0, place), get<JointId>(a, 1, place),
                                                  get<std::array<double, 5>>(a, 2, place), o));
        });
    add(type, "add_tendon_coupling",
        {{"first", kId}, {"second", "typing.SupportsIndex | None"}, {"polynomial", kNumbers}}, "EqualityOptions",
        kEquality, kEqualityId,
        [](ModelBuilder& b, const nb::args& a, const EqualityOptions& o)
        {
            const char* place = "add_tendon_coupling";
            return to_python(b.add_tendon_coupling(get<TendonId>(a, 0, place), get<TendonId>(a, 1, place),
                                                   get<std::array<double, 5>>(a, 2, place), o));
        });
}

void bind_drives(BuilderType& type)
{
    constexpr const char* kActuatorId = "rattleback._base.ActuatorId";
    constexpr const char* kTarget = "rattleback._base.ActuatorTarget";
    add(type, "add_fixed_tendon", {{"joints", "collections.abc.Sequence[tuple[typing.SupportsIndex, float]]"}},
        "TendonOptions", kTendon, "rattleback._base.TendonId",
        [](ModelBuilder& b, const nb::args& a, const TendonOptions& o)
        {
            return to_python(
                b.add_fixed_tendon(get<std::vector<std::pair<JointId, double>>>(a, 0, "add_fixed_tendon"), o));
        });
    add(
        type, "add_spatial_tendon",
        {{"path",
          "collections.abc.Sequence[rattleback._base.SiteId | rattleback._base.Wrap | rattleback._base.Pulley]"}},
        "TendonOptions", kTendon, "rattleback._base.TendonId",
        [](ModelBuilder& b, const nb::args& a, const TendonOptions& o)
        {
            return to_python(
                b.add_spatial_tendon(get<std::vector<ModelBuilder::PathItem>>(a, 0, "add_spatial_tendon"), o));
        },
        "length of a path through sites, around shapes (Wrap) and over pulleys (Pulley)");
    add(
        type, "add_actuator", {{"target", kTarget}}, "ActuatorOptions", kActuator, kActuatorId,
        [](ModelBuilder& b, const nb::args& a, const ActuatorOptions& o)
        { return to_python(b.add_actuator(get<ActuatorTarget>(a, 0, "add_actuator: target"), o)); },
        "force = gain * (input or activation) + bias");
    add(type, "add_motor", {{"target", kTarget}}, "ActuatorOptions", kActuator, kActuatorId,
        [](ModelBuilder& b, const nb::args& a, const ActuatorOptions& o)
        { return to_python(b.add_motor(get<ActuatorTarget>(a, 0, "add_motor: target"), o)); });
    add(type, "add_position_actuator", {{"target", kTarget}}, "PositionActuatorOptions", kPositionActuator, kActuatorId,
        [](ModelBuilder& b, const nb::args& a, const PositionActuatorOptions& o)
        { return to_python(b.add_position_actuator(get<ActuatorTarget>(a, 0, "add_position_actuator: target"), o)); });
    add(type, "add_velocity_actuator", {{"target", kTarget}}, "VelocityActuatorOptions", kVelocityActuator, kActuatorId,
        [](ModelBuilder& b, const nb::args& a, const VelocityActuatorOptions& o)
        { return to_python(b.add_velocity_actuator(get<ActuatorTarget>(a, 0, "add_velocity_actuator: target"), o)); });
    add(type, "add_muscle", {{"target", kTarget}}, "MuscleOptions", kMuscle, kActuatorId,
        [](ModelBuilder& b, const nb::args& a, const MuscleOptions& o)
        { return to_python(b.add_muscle(get<ActuatorTarget>(a, 0, "add_muscle: target"), o)); });
    add(
        type, "add_sensor", {{"type", "str"}, {"target", "rattleback._base.SensorTarget"}}, "SensorOptions", kSensor,
        "rattleback._base.SensorId",
        [](ModelBuilder& b, const nb::args& a, const SensorOptions& o)
        {
            return to_python(b.add_sensor(get<SensorType>(a, 0, "add_sensor: type"),
                                          get<SensorTarget>(a, 1, "add_sensor: target"), o));
        },
        "What is measured after every step: a kind of sensor, and what it watches (None: energies, clock, all "
        "contacts).");
    type.def(
        "make_motor", [](BuilderObject& self, nb::object actuator)
        { self.builder->make_motor(convert<ActuatorId>(actuator, "make_motor")); }, nb::arg("actuator"),
        nb::sig("def make_motor(self, actuator: typing.SupportsIndex) -> None"), doc("ModelBuilder::make_motor"));
    type.def("make_motors", [](BuilderObject& self) { self.builder->make_motors(); }, doc("ModelBuilder::make_motors"));
}

template <class T>
void add_setting(nb::class_<SettingsObject>& type, const char* name, T Settings::* member, const std::string& type_name)
{
    const std::string getter = std::string("def ") + name + "(self) -> " + type_name;
    const std::string setter = std::string("def ") + name + "(self, value: " + type_name + ", /) -> None";
    const char* text = find_doc(std::string("Settings::") + name);
    type.def_prop_rw(
        name,
        [member](const SettingsObject& self) -> nb::object
        {
            const T& value = self.builder->settings().*member;
            if constexpr (std::is_enum_v<T>)
                return nb::cast(std::string(to_string(value)));
            else if constexpr (requires { to_python(value); })
                return to_python(value);
            else
                return nb::cast(value);
        },
        [member, name](SettingsObject& self, nb::object value)
        { self.builder->settings().*member = convert<T>(value, std::string("settings.") + name); },
        nb::for_getter(nb::sig(keep(getter))), nb::for_setter(nb::sig(keep(setter))), text != nullptr ? text : "");
}

void bind_settings_class(nb::module_& module)
{
    nb::class_<SettingsObject> type(module, "Settings", doc("Settings"));
    add_setting(type, "dt", &Settings::dt, "float");
    add_setting(type, "gravity", &Settings::gravity, "tuple[float, float, float]");
    add_setting(type, "integrator", &Settings::integrator, type_text<Integrator>());
    add_setting(type, "solver", &Settings::solver, "str");
    add_setting(type, "magnetic_field", &Settings::magnetic_field, "tuple[float, float, float]");
    add_setting(type, "filter_parents", &Settings::filter_parents, "bool");
    add_setting(type, "second_friction", &Settings::second_friction, "tuple[float, float]");
    type.def(
        "set_parameters", [](SettingsObject& self, const std::string& solver, nb::object parameters)
        { self.builder->settings().solver_parameters[solver] = convert<Parameters>(parameters, "set_parameters"); },
        nb::arg("solver"), nb::arg("parameters"),
        nb::sig("def set_parameters(self, solver: str, parameters: collections.abc.Mapping[str, bool | int | float | "
                "str]) -> None"),
        "Parameters of one solver, that simulations of the model take unless they are told others.");
    type.def(
        "set_medium", [](SettingsObject& self, nb::object medium)
        { self.builder->settings().medium = convert<Medium>(medium, "set_medium"); }, nb::arg("medium"),
        nb::sig("def set_medium(self, medium: rattleback._base.Medium) -> None"), doc("Medium"));
}

}  // namespace

void bind_builder(nb::module_& module)
{
    bind_settings_class(module);
    BuilderType type(module, "ModelBuilder", doc("ModelBuilder"));
    type.def(
        "__init__", [](BuilderObject* self, const std::string& name)
        { new (self) BuilderObject{std::make_shared<ModelBuilder>(name)}; }, nb::arg("name") = "model");
    type.def_static(
        "from_model", [](const ModelObject& model)
        { return BuilderObject{std::make_shared<ModelBuilder>(ModelBuilder::from(*model.model))}; }, nb::arg("model"),
        nb::sig("def from_model(model: Model) -> ModelBuilder"), doc("ModelBuilder::from"));
    type.def_prop_ro(
        "settings", [](const BuilderObject& self) { return SettingsObject{self.builder}; },
        nb::sig("def settings(self) -> Settings"), doc("ModelBuilder::settings"));
    bind_bodies(type);
    bind_looks(type);
    bind_equalities(type);
    bind_drives(type);
    type.def(
        "build",
        [](const BuilderObject& self)
        {
            const auto build = [&]
            {
                const nb::gil_scoped_release released;
                return self.builder->build();
            };
            return make_model(std::make_shared<const Model>(take(build())));
        },
        nb::sig("def build(self) -> Model"),
        "The Model; Error with every mistake at once, each with the element's name.");
}

}  // namespace rattleback::python
