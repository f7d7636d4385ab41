// Model: its arrays as read-only views, names, and pickling by its own text.
#include "convert.h"
#include "objects.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

/// One table of a Model (its bodies, its joints, ...), which it keeps alive.
template <int kind>
struct Part
{
    SharedModel model;
};

using Getter = nb::object (*)(const SharedModel& model);
/// How a Getter's answer is typed.
enum class Answer
{
    floats,
    integers,
    words,
    objects,
};
struct PartField
{
    const char* name;
    Answer answer;
    Getter get;
};

template <class Table, class T>
nb::object read(const SharedModel& model, Table Model::* table, std::vector<T> Table::* member)
{
    const std::vector<T>& values = (*model).*table.*member;
    if constexpr (std::is_same_v<T, std::string>)
    {
        nb::list list;
        for (const T& value : values) list.append(nb::str(value.c_str()));
        return list;
    }
    else if constexpr (std::is_enum_v<T>)
    {
        nb::list list;
        for (const T& value : values) list.append(nb::str(to_string(value)));
        return list;
    }
    else if constexpr (std::is_same_v<T, Range> || std::is_same_v<T, Softness>)
    {
        nb::list list;
        for (const T& value : values) list.append(to_python(value));
        return list;
    }
    else
        return make_view(block_of(values), Access::read, model);
}

/// A member of a table of the Model as a field, with its type found from the member's.
template <auto Table, auto Member>
struct FieldOf;
template <class Tab, Tab Model::* Table, class T, std::vector<T> Tab::* Member>
struct FieldOf<Table, Member>
{
    static nb::object get(const SharedModel& model) { return read(model, Table, Member); }
    static constexpr Answer answer = std::is_same_v<T, std::string> || std::is_enum_v<T>          ? Answer::words
                                     : std::is_same_v<T, Range> || std::is_same_v<T, Softness>    ? Answer::objects
                                     : std::is_same_v<T, int> || std::is_same_v<T, std::uint32_t> ? Answer::integers
                                                                                                  : Answer::floats;
};
template <auto Table, auto Member>
PartField part_field(const char* name)
{
    return {name, FieldOf<Table, Member>::answer, &FieldOf<Table, Member>::get};
}

const char* type_of(Answer answer)
{
    switch (answer)
    {
        case Answer::floats:
            return "numpy.typing.NDArray[numpy.floating]";
        case Answer::integers:
            return "numpy.typing.NDArray[numpy.integer]";
        case Answer::words:
            return "list[str]";
        case Answer::objects:
            break;
    }
    return "list[typing.Any]";
}

template <int kind>
void bind_part(nb::module_& module, nb::class_<ModelObject>& model, const char* class_name, const char* property,
               std::initializer_list<PartField> fields)
{
    nb::class_<Part<kind>> type(module, class_name, doc(class_name));
    for (const PartField& field : fields)
    {
        const std::string signature = std::string("def ") + field.name + "(self) -> " + type_of(field.answer);
        const char* text = find_doc(std::string(class_name) + "::" + field.name);
        const Getter get = field.get;
        type.def_prop_ro(
            field.name, [get](const Part<kind>& self) { return get(self.model); }, nb::sig(signature.c_str()),
            text != nullptr ? text : "");
    }
    const std::string signature = std::string("def ") + property + "(self) -> " + class_name;
    model.def_prop_ro(
        property, [](const ModelObject& self) { return Part<kind>{self.model}; }, nb::sig(signature.c_str()),
        doc(class_name));
}

void bind_tree_parts(nb::module_& module, nb::class_<ModelObject>& model)
{
    constexpr auto kBodies = &Model::bodies;
    bind_part<0>(module, model, "Bodies", "bodies",
                 {part_field<kBodies, &Bodies::name>("name"),
                  part_field<kBodies, &Bodies::parent>("parent"),
                  part_field<kBodies, &Bodies::kind>("kind"),
                  part_field<kBodies, &Bodies::pose>("pose"),
                  part_field<kBodies, &Bodies::mass>("mass"),
                  part_field<kBodies, &Bodies::inertia>("inertia"),
                  part_field<kBodies, &Bodies::inertial_pose>("inertial_pose"),
                  part_field<kBodies, &Bodies::gravity_compensation>("gravity_compensation"),
                  part_field<kBodies, &Bodies::sleep>("sleep"),
                  part_field<kBodies, &Bodies::joint_begin>("joint_begin"),
                  part_field<kBodies, &Bodies::joints_of_body>("joints_of_body"),
                  part_field<kBodies, &Bodies::v_begin>("v_begin"),
                  part_field<kBodies, &Bodies::v_count>("v_count"),
                  part_field<kBodies, &Bodies::last_dof>("last_dof"),
                  part_field<kBodies, &Bodies::root>("root"),
                  part_field<kBodies, &Bodies::weld>("weld"),
                  part_field<kBodies, &Bodies::shape_begin>("shape_begin"),
                  part_field<kBodies, &Bodies::shapes_of_body>("shapes_of_body"),
                  part_field<kBodies, &Bodies::kinematic_index>("kinematic_index"),
                  part_field<kBodies, &Bodies::subtree_mass>("subtree_mass"),
                  part_field<kBodies, &Bodies::inverse_weight>("inverse_weight")});
    constexpr auto kJoints = &Model::joints;
    bind_part<1>(
        module, model, "Joints", "joints",
        {part_field<kJoints, &Joints::name>("name"), part_field<kJoints, &Joints::type>("type"),
         part_field<kJoints, &Joints::body>("body"), part_field<kJoints, &Joints::q_begin>("q_begin"),
         part_field<kJoints, &Joints::v_begin>("v_begin"), part_field<kJoints, &Joints::position>("position"),
         part_field<kJoints, &Joints::axis>("axis"), part_field<kJoints, &Joints::range>("range"),
         part_field<kJoints, &Joints::margin>("margin"), part_field<kJoints, &Joints::limit_softness>("limit_softness"),
         part_field<kJoints, &Joints::stiffness>("stiffness"),
         part_field<kJoints, &Joints::spring_yield>("spring_yield"),
         part_field<kJoints, &Joints::actuator_force_range>("actuator_force_range"),
         part_field<kJoints, &Joints::break_force>("break_force"),
         part_field<kJoints, &Joints::break_torque>("break_torque")});
    constexpr auto kDofs = &Model::dofs;
    bind_part<2>(
        module, model, "Dofs", "dofs",
        {part_field<kDofs, &Dofs::body>("body"), part_field<kDofs, &Dofs::joint>("joint"),
         part_field<kDofs, &Dofs::parent>("parent"), part_field<kDofs, &Dofs::armature>("armature"),
         part_field<kDofs, &Dofs::damping>("damping"), part_field<kDofs, &Dofs::dry_friction>("dry_friction"),
         part_field<kDofs, &Dofs::inertia>("inertia"), part_field<kDofs, &Dofs::inverse_weight>("inverse_weight")});
    constexpr auto kShapes = &Model::shapes;
    bind_part<3>(module, model, "Shapes", "shapes",
                 {part_field<kShapes, &Shapes::name>("name"), part_field<kShapes, &Shapes::type>("type"),
                  part_field<kShapes, &Shapes::body>("body"), part_field<kShapes, &Shapes::pose>("pose"),
                  part_field<kShapes, &Shapes::size>("size"), part_field<kShapes, &Shapes::asset>("asset"),
                  part_field<kShapes, &Shapes::material>("material"),
                  part_field<kShapes, &Shapes::category>("category"), part_field<kShapes, &Shapes::mask>("mask"),
                  part_field<kShapes, &Shapes::margin>("margin"), part_field<kShapes, &Shapes::gap>("gap"),
                  part_field<kShapes, &Shapes::mass>("mass"), part_field<kShapes, &Shapes::density>("density"),
                  part_field<kShapes, &Shapes::bounding_radius>("bounding_radius"),
                  part_field<kShapes, &Shapes::colour>("colour"), part_field<kShapes, &Shapes::group>("group")});
    constexpr auto kSites = &Model::sites;
    bind_part<4>(module, model, "Sites", "sites",
                 {part_field<kSites, &Sites::name>("name"), part_field<kSites, &Sites::body>("body"),
                  part_field<kSites, &Sites::pose>("pose"), part_field<kSites, &Sites::type>("type"),
                  part_field<kSites, &Sites::size>("size")});
}

void bind_control_parts(nb::module_& module, nb::class_<ModelObject>& model)
{
    constexpr auto kEqualities = &Model::equalities;
    bind_part<5>(
        module, model, "Equalities", "equalities",
        {part_field<kEqualities, &Equalities::name>("name"), part_field<kEqualities, &Equalities::type>("type"),
         part_field<kEqualities, &Equalities::first>("first"), part_field<kEqualities, &Equalities::second>("second"),
         part_field<kEqualities, &Equalities::first_frame>("first_frame"),
         part_field<kEqualities, &Equalities::second_frame>("second_frame"),
         part_field<kEqualities, &Equalities::polynomial>("polynomial"),
         part_field<kEqualities, &Equalities::active>("active"),
         part_field<kEqualities, &Equalities::softness>("softness")});
    constexpr auto kTendons = &Model::tendons;
    bind_part<6>(
        module, model, "Tendons", "tendons",
        {part_field<kTendons, &Tendons::name>("name"), part_field<kTendons, &Tendons::type>("type"),
         part_field<kTendons, &Tendons::range>("range"), part_field<kTendons, &Tendons::stiffness>("stiffness"),
         part_field<kTendons, &Tendons::damping>("damping"),
         part_field<kTendons, &Tendons::dry_friction>("dry_friction"),
         part_field<kTendons, &Tendons::length>("length")});
    constexpr auto kActuators = &Model::actuators;
    bind_part<7>(
        module, model, "Actuators", "actuators",
        {part_field<kActuators, &Actuators::name>("name"),
         part_field<kActuators, &Actuators::transmission>("transmission"),
         part_field<kActuators, &Actuators::target>("target"), part_field<kActuators, &Actuators::gear>("gear"),
         part_field<kActuators, &Actuators::gain_law>("gain_law"),
         part_field<kActuators, &Actuators::bias_law>("bias_law"), part_field<kActuators, &Actuators::gain>("gain"),
         part_field<kActuators, &Actuators::bias>("bias"), part_field<kActuators, &Actuators::dynamics>("dynamics"),
         part_field<kActuators, &Actuators::time_constant>("time_constant"),
         part_field<kActuators, &Actuators::act_begin>("act_begin"),
         part_field<kActuators, &Actuators::act_size>("act_size"),
         part_field<kActuators, &Actuators::input_range>("input_range"),
         part_field<kActuators, &Actuators::force_range>("force_range"),
         part_field<kActuators, &Actuators::act_range>("act_range"),
         part_field<kActuators, &Actuators::active>("active"), part_field<kActuators, &Actuators::delay>("delay")});
    constexpr auto kSensors = &Model::sensors;
    bind_part<8>(module, model, "Sensors", "sensors",
                 {part_field<kSensors, &Sensors::name>("name"), part_field<kSensors, &Sensors::type>("type"),
                  part_field<kSensors, &Sensors::object>("object"), part_field<kSensors, &Sensors::target>("target"),
                  part_field<kSensors, &Sensors::reference>("reference"),
                  part_field<kSensors, &Sensors::reference_target>("reference_target"),
                  part_field<kSensors, &Sensors::body>("body"), part_field<kSensors, &Sensors::pose>("pose"),
                  part_field<kSensors, &Sensors::begin>("begin"), part_field<kSensors, &Sensors::size>("size"),
                  part_field<kSensors, &Sensors::cutoff>("cutoff"), part_field<kSensors, &Sensors::noise>("noise"),
                  part_field<kSensors, &Sensors::delay>("delay")});
}

nb::object find_keyframes(const ModelObject& self)
{
    const auto array = [&](const std::vector<double>& values)
    { return make_view(block_of(values), Access::read, self.model); };
    nb::list list;
    for (const Keyframe& keyframe : self.model->keyframes)
        list.append(find_class("Keyframe")(keyframe.name, keyframe.time, array(keyframe.q), array(keyframe.v),
                                           array(keyframe.act), array(keyframe.ctrl),
                                           make_view(block_of(keyframe.targets), Access::read, self.model)));
    return list;
}

nb::object find_mesh(const ModelObject& self, const MeshOptions& mesh)
{
    const Block triangles{mesh.triangles.data(), static_cast<std::int64_t>(mesh.triangles.size()), 3, 3, Scalar::int32};
    return nb::make_tuple(mesh.name, make_view(block_of(mesh.vertices), Access::read, self.model),
                          make_view(triangles, Access::read, self.model));
}

void bind_counts(nb::class_<ModelObject>& type)
{
    using Count = int (*)(const Model&);
    const std::pair<const char*, Count> counts[] = {
        {"body_count", [](const Model& m) { return m.body_count(); }},
        {"joint_count", [](const Model& m) { return m.joint_count(); }},
        {"shape_count", [](const Model& m) { return m.shape_count(); }},
        {"site_count", [](const Model& m) { return m.site_count(); }},
        {"tendon_count", [](const Model& m) { return m.tendon_count(); }},
        {"actuator_count", [](const Model& m) { return m.actuator_count(); }},
        {"sensor_count", [](const Model& m) { return m.sensor_count(); }},
        {"equality_count", [](const Model& m) { return m.equality_count(); }},
        {"q_count", [](const Model& m) { return m.q_count(); }},
        {"v_count", [](const Model& m) { return m.v_count(); }},
        {"act_count", [](const Model& m) { return m.act_count; }},
        {"kinematic_count", [](const Model& m) { return m.kinematic_count; }},
        {"sensor_value_count", [](const Model& m) { return m.sensor_value_count; }},
    };
    for (const auto& [name, count] : counts)
    {
        const Count read = count;
        type.def_prop_ro(name, [read](const ModelObject& self) { return read(*self.model); });
    }
    using Find = nb::object (*)(const Model&, const std::string&);
    struct Finder
    {
        const char* name;
        const char* id;
        Find find;
    };
    const Finder finders[] = {
        {"find_body", "BodyId", [](const Model& m, const std::string& n) { return to_python(m.find_body(n)); }},
        {"find_joint", "JointId", [](const Model& m, const std::string& n) { return to_python(m.find_joint(n)); }},
        {"find_shape", "ShapeId", [](const Model& m, const std::string& n) { return to_python(m.find_shape(n)); }},
        {"find_site", "SiteId", [](const Model& m, const std::string& n) { return to_python(m.find_site(n)); }},
        {"find_tendon", "TendonId", [](const Model& m, const std::string& n) { return to_python(m.find_tendon(n)); }},
        {"find_actuator", "ActuatorId",
         [](const Model& m, const std::string& n) { return to_python(m.find_actuator(n)); }},
        {"find_sensor", "SensorId", [](const Model& m, const std::string& n) { return to_python(m.find_sensor(n)); }},
        {"find_keyframe", "KeyframeId",
         [](const Model& m, const std::string& n) { return to_python(m.find_keyframe(n)); }},
        {"find_camera", "CameraId", [](const Model& m, const std::string& n) { return to_python(m.find_camera(n)); }},
    };
    for (const Finder& finder : finders)
    {
        const Find find = finder.find;
        const std::string signature =
            std::string("def ") + finder.name + "(self, name: str) -> rattleback._base." + finder.id + " | None";
        type.def(
            finder.name, [find](const ModelObject& self, const std::string& name) { return find(*self.model, name); },
            nb::arg("name"), nb::sig(signature.c_str()), "By name; None where there is no such element.");
    }
}

void bind_settings(nb::class_<ModelObject>& type)
{
    type.def_prop_ro("name", [](const ModelObject& self) { return self.model->name; });
    type.def_prop_ro("dt", [](const ModelObject& self) { return self.model->settings.dt; }, doc("Settings::dt"));
    type.def_prop_ro(
        "gravity", [](const ModelObject& self) { return to_python(self.model->settings.gravity); },
        nb::sig("def gravity(self) -> tuple[float, float, float]"), doc("Settings::gravity"));
    type.def_prop_ro(
        "integrator", [](const ModelObject& self) { return to_string(self.model->settings.integrator); },
        nb::sig("def integrator(self) -> str"));
    type.def_prop_ro(
        "solver", [](const ModelObject& self) { return self.model->settings.solver; }, doc("Settings::solver"));
    type.def_prop_ro(
        "solver_parameters",
        [](const ModelObject& self)
        {
            nb::dict result;
            for (const auto& [name, parameters] : self.model->settings.solver_parameters)
                result[name.c_str()] = to_python(parameters);
            return result;
        },
        nb::sig("def solver_parameters(self) -> dict[str, dict[str, bool | int | float | str]]"),
        doc("Settings::solver_parameters"));
    const auto add = [&](const char* name, std::vector<double> Model::* member)
    {
        const std::string signature = std::string("def ") + name + "(self) -> numpy.typing.NDArray[numpy.float64]";
        type.def_prop_ro(
            name, [member](const ModelObject& self)
            { return make_view(block_of((*self.model).*member), Access::read, self.model); },
            nb::sig(signature.c_str()), find_doc(std::string("Model::") + name));
    };
    add("q0", &Model::q0);
    add("initial_q", &Model::initial_q);
    add("initial_v", &Model::initial_v);
    add("spring_q", &Model::spring_q);
    type.def_prop_ro("keyframes", &find_keyframes, nb::sig("def keyframes(self) -> list[rattleback._base.Keyframe]"),
                     doc("Keyframe"));
    type.def_prop_ro(
        "meshes",
        [](const ModelObject& self)
        {
            nb::list list;
            for (const MeshOptions& mesh : self.model->meshes) list.append(find_mesh(self, mesh));
            return list;
        },
        nb::sig("def meshes(self) -> list[tuple[str, numpy.typing.NDArray[numpy.float64], "
                "numpy.typing.NDArray[numpy.int32]]]"),
        "Name, vertices (n, 3) [m] and triangles (m, 3) of each mesh.");
    type.def_prop_ro(
        "cameras",
        [](const ModelObject& self)
        {
            nb::list list;
            for (const CameraOptions& camera : self.model->appearance.cameras) list.append(camera.name);
            return list;
        },
        nb::sig("def cameras(self) -> list[str]"), "Names of the cameras.");
}

/// Version of what a pickle holds.
constexpr int kPickleVersion = 1;

nb::object save_model(const ModelObject& self)
{
    const auto write = [&]
    {
        const nb::gil_scoped_release released;
        return write_mjcf(*self.model);
    };
    return nb::make_tuple(kPickleVersion, take(write()), fingerprint(*self.model));
}
void load_saved_model(ModelObject* self, nb::object saved)
{
    if (!nb::isinstance<nb::tuple>(saved) || nb::len(saved) != 3 ||
        !nb::cast<nb::object>(saved[0]).equal(nb::int_(kPickleVersion)))
        throw nb::value_error(
            "this pickle of a Model was written by another version of rattleback; save models as "
            "files with write_mjcf() to keep them");
    const std::string text = convert<std::string>(saved[1], "Model");
    const auto parse = [&]
    {
        const nb::gil_scoped_release released;
        return parse_mjcf(text, "pickle", ".");
    };
    auto model = std::make_shared<const Model>(take(parse()).model);
    if (fingerprint(*model) != nb::cast<std::uint64_t>(saved[2]))
        throw nb::value_error(
            "this pickle of a Model reads differently in this version of rattleback; build the model "
            "again from its source");
    new (self) ModelObject{std::move(model)};
}

}  // namespace

nb::object make_model(SharedModel model) { return nb::cast(ModelObject{std::move(model)}); }

void bind_model(nb::module_& module)
{
    nb::class_<ModelObject> type(module, "Model", doc("Model"));
    bind_counts(type);
    bind_settings(type);
    bind_tree_parts(module, type);
    bind_control_parts(module, type);
    type.def_prop_ro(
        "fingerprint", [](const ModelObject& self) { return fingerprint(*self.model); }, doc("fingerprint"));
    type.def("__getstate__", &save_model, nb::sig("def __getstate__(self) -> tuple[int, str, int]"));
    type.def("__setstate__", &load_saved_model,
             nb::sig("def __setstate__(self, state: tuple[int, str, int], /) -> None"));
    type.def(
        "__eq__",
        [](const ModelObject& self, nb::object other)
        {
            if (!nb::isinstance<ModelObject>(other)) return false;
            const SharedModel& model = nb::cast<ModelObject&>(other).model;
            return model == self.model || fingerprint(*model) == fingerprint(*self.model);
        },
        nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"));
    type.def("__hash__",
             [](const ModelObject& self) { return static_cast<std::int64_t>(fingerprint(*self.model) >> 2); });
    type.def("__repr__",
             [](const ModelObject& self)
             {
                 const Model& m = *self.model;
                 return "<rattleback.Model '" + m.name + "': " + std::to_string(m.body_count() - 1) + " bodies, " +
                        std::to_string(m.v_count()) + " degrees of freedom, " + std::to_string(m.shape_count()) +
                        " shapes, " + std::to_string(m.actuator_count()) + " actuators, " +
                        std::to_string(m.sensor_count()) + " sensors>";
             });
}

}  // namespace rattleback::python
