// Dynamics and questions about a world: equations of motion, rays, distances.
#include "convert.h"
#include "objects.h"

#include <rattleback/dynamics.h>
#include <rattleback/query.h>

#include <nanobind/stl/string.h>

#include <cmath>

namespace rattleback::python
{

namespace
{

struct DynamicsObject
{
    std::shared_ptr<Dynamics> dynamics;
    SharedModel model;
};
using DynamicsType = nb::class_<DynamicsObject>;

nb::object to_array(DenseMatrix matrix)
{
    const std::int64_t shape[2] = {matrix.rows, matrix.columns};
    return make_array(std::move(matrix.values), shape);
}
nb::object to_array(std::vector<double> values)
{
    const std::int64_t size = static_cast<std::int64_t>(values.size());
    return make_array(std::move(values), {&size, 1});
}
nb::object to_array(std::span<const double> values)
{
    return to_array(std::vector<double>(values.begin(), values.end()));
}
nb::object to_array(const Vec3& value) { return to_array(std::vector<double>{value.x, value.y, value.z}); }

NumberArray read_dofs(const DynamicsObject& self, nb::handle given, const char* place)
{
    const std::int64_t size = self.model->v_count();
    return read_numbers(given, place, {&size, 1});
}

void update(DynamicsObject& self, const StateObject& state, nb::object control, nb::object world)
{
    const int index = check_world(world, state.state->world_count);
    const nb::gil_scoped_release released;
    if (control.is_none())
        self.dynamics->update(*state.state, index);
    else
    {
        const Control* given = nullptr;
        {
            const nb::gil_scoped_acquire acquired;
            given = nb::cast<ControlObject&>(control).control;
        }
        self.dynamics->update(*state.state, *given, index);
    }
}

void bind_terms(DynamicsType& type)
{
    type.def(
        "mass_matrix", [](const DynamicsObject& self) { return to_array(self.dynamics->mass_matrix()); },
        nb::sig("def mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]"), doc("Dynamics::mass_matrix"));
    using Term = std::span<const double> (Dynamics::*)() const;
    const std::pair<const char*, Term> terms[] = {{"bias", &Dynamics::bias},
                                                  {"passive", &Dynamics::passive},
                                                  {"actuation", &Dynamics::actuation},
                                                  {"applied", &Dynamics::applied},
                                                  {"tendon_length", &Dynamics::tendon_length},
                                                  {"actuator_length", &Dynamics::actuator_length}};
    for (const auto& [name, term] : terms)
    {
        const Term read = term;
        const std::string signature = std::string("def ") + name + "(self) -> numpy.typing.NDArray[numpy.float64]";
        const char* text = find_doc(std::string("Dynamics::") + name);
        type.def(
            name, [read](const DynamicsObject& self) { return to_array(((*self.dynamics).*read)()); },
            nb::sig(signature.c_str()), text != nullptr ? text : "Length of each actuator's transmission.");
    }
    using Map = std::vector<double> (Dynamics::*)(std::span<const double>) const;
    struct Mapping
    {
        const char* name;
        const char* argument;
        Map map;
    };
    const Mapping maps[] = {{"forward", "force", &Dynamics::forward},
                            {"inverse", "acceleration", &Dynamics::inverse},
                            {"solve", "x", &Dynamics::solve}};
    for (const auto& [name, argument, map] : maps)
    {
        const Map apply = map;
        const char* place = name;
        const std::string signature = std::string("def ") + name + "(self, " + argument +
                                      ": numpy.typing.ArrayLike, /) -> numpy.typing.NDArray[numpy.float64]";
        type.def(
            name, [apply, place](const DynamicsObject& self, nb::object given)
            { return to_array(((*self.dynamics).*apply)(read_dofs(self, given, place).values)); },
            nb::sig(signature.c_str()), doc(std::string("Dynamics::") + name));
    }
    using Derive = DynamicsDerivatives (Dynamics::*)(std::span<const double>) const;
    const std::pair<const char*, Derive> derivatives[] = {{"forward_derivatives", &Dynamics::forward_derivatives},
                                                          {"inverse_derivatives", &Dynamics::inverse_derivatives}};
    for (const auto& [name, derive] : derivatives)
    {
        const Derive apply = derive;
        const char* place = name;
        const std::string signature = std::string("def ") + name +
                                      "(self, given: numpy.typing.ArrayLike, /) -> "
                                      "rattleback._base.DynamicsDerivatives";
        type.def(
            name,
            [apply, place](const DynamicsObject& self, nb::object given)
            {
                DynamicsDerivatives all = ((*self.dynamics).*apply)(read_dofs(self, given, place).values);
                return find_class("DynamicsDerivatives")(to_array(std::move(all.by_q)), to_array(std::move(all.by_v)),
                                                         to_array(std::move(all.by_input)));
            },
            nb::sig(signature.c_str()), doc(std::string("Dynamics::") + name));
    }
}

void bind_jacobians(DynamicsType& type)
{
    type.def(
        "point_jacobian",
        [](const DynamicsObject& self, nb::object body, nb::object point)
        {
            const char* place = "point_jacobian";
            return to_array(self.dynamics->point_jacobian(convert<BodyId>(body, place), convert<Vec3>(point, place)));
        },
        nb::arg("body"), nb::arg("point"),
        nb::sig("def point_jacobian(self, body: typing.SupportsIndex, point: numpy.typing.ArrayLike) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        doc("Dynamics::point_jacobian"));
    type.def(
        "rotation_jacobian", [](const DynamicsObject& self, nb::object body)
        { return to_array(self.dynamics->rotation_jacobian(convert<BodyId>(body, "rotation_jacobian"))); },
        nb::arg("body"),
        nb::sig("def rotation_jacobian(self, body: typing.SupportsIndex) -> numpy.typing.NDArray[numpy.float64]"),
        doc("Dynamics::rotation_jacobian"));
    type.def(
        "center_of_mass_jacobian",
        [](const DynamicsObject& self, nb::object subtree)
        {
            return to_array(
                self.dynamics->center_of_mass_jacobian(convert<BodyId>(subtree, "center_of_mass_jacobian")));
        },
        nb::arg("subtree") = 0,
        nb::sig("def center_of_mass_jacobian(self, subtree: typing.SupportsIndex = 0) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        doc("Dynamics::center_of_mass_jacobian"));
    type.def(
        "center_of_mass", [](const DynamicsObject& self, nb::object subtree)
        { return to_array(self.dynamics->center_of_mass(convert<BodyId>(subtree, "center_of_mass"))); },
        nb::arg("subtree") = 0,
        nb::sig("def center_of_mass(self, subtree: typing.SupportsIndex = 0) -> numpy.typing.NDArray[numpy.float64]"),
        "Centre of mass of a body and all that it carries [m].");
    type.def(
        "momentum", [](const DynamicsObject& self) { return to_python(self.dynamics->momentum()); },
        nb::sig("def momentum(self) -> rattleback._base.Momentum"), doc("Dynamics::momentum"));
}

/// A shape of the model; an IndexError where there is none.
ShapeId check_shape(const Model& model, nb::handle given, const char* place)
{
    const auto shape = convert<ShapeId>(given, place);
    if (shape.index < 0 || shape.index >= model.shape_count())
        throw nb::index_error((std::string(place) + ": shape " + std::to_string(shape.index) + " of " +
                               std::to_string(model.shape_count()))
                                  .c_str());
    return shape;
}

nb::object ray(const StateObject& state, nb::object origin, nb::object direction, double reach, nb::object world)
{
    const ConstWorldView view = state.state->world(check_world(world, state.state->world_count));
    const Vec3 from = convert<Vec3>(origin, "cast_ray: origin"),
               along = convert<Vec3>(direction, "cast_ray: direction");
    if (!(norm(along) > 0 && std::isfinite(norm(along)) && std::isfinite(norm(from))))
        throw nb::value_error("cast_ray: the origin must be finite, and the direction neither zero nor infinite");
    const auto hit = cast_ray(*state.model, view, from, along, reach);
    if (!hit) return nb::none();
    return find_class("ShapeHit")(to_python(hit->shape), hit->distance, to_array(hit->point), to_array(hit->normal));
}

nb::object distance(const StateObject& state, nb::object first, nb::object second, nb::object world)
{
    const Model& model = *state.model;
    const ConstWorldView view = state.state->world(check_world(world, state.state->world_count));
    const ShapeId shape = check_shape(model, first, "find_distance: first");
    const bool point = PySequence_Check(second.ptr()) != 0;
    const auto gap = point ? find_distance(model, view, shape, convert<Vec3>(second, "find_distance: second"))
                           : find_distance(model, view, shape, check_shape(model, second, "find_distance: second"));
    if (!gap) return nb::none();
    return find_class("ShapeGap")(gap->distance, to_array(gap->on_first), to_array(gap->on_second),
                                  to_array(gap->normal));
}

}  // namespace

void bind_dynamics(nb::module_& module)
{
    DynamicsType type(module, "Dynamics", doc("Dynamics"));
    type.def(
        "__init__", [](DynamicsObject* self, const ModelObject& model)
        { new (self) DynamicsObject{std::make_shared<Dynamics>(model.model), model.model}; }, nb::arg("model"),
        "At the model's initial state.");
    type.def(
        "update", &update, nb::arg("state"), nb::arg("control") = nb::none(), nb::arg("world") = 0,
        nb::sig("def update(self, state: State, control: Control | None = None, world: typing.SupportsIndex = 0) -> "
                "None"),
        doc("Dynamics::update"));
    bind_terms(type);
    bind_jacobians(type);
    type.def("__repr__",
             [](const DynamicsObject& self) { return "<rattleback.Dynamics of '" + self.model->name + "'>"; });
}

void bind_query(nb::module_& module)
{
    module.def(
        "cast_ray", &ray, nb::arg("state"), nb::arg("origin"), nb::arg("direction"),
        nb::arg("reach") = std::numeric_limits<double>::infinity(), nb::arg("world") = 0,
        nb::sig("def cast_ray(state: State, origin: numpy.typing.ArrayLike, direction: numpy.typing.ArrayLike, "
                "reach: float = float('inf'), world: typing.SupportsIndex = 0) -> rattleback._base.ShapeHit | None"),
        doc("cast_ray"));
    module.def("find_distance", &distance, nb::arg("state"), nb::arg("first"), nb::arg("second"), nb::arg("world") = 0,
               nb::sig("def find_distance(state: State, first: typing.SupportsIndex, second: typing.SupportsIndex | "
                       "numpy.typing.ArrayLike, world: typing.SupportsIndex = 0) -> rattleback._base.ShapeGap | None"),
               doc("find_distance"));
    module.def(
        "may_collide",
        [](const ModelObject& model, nb::object first, nb::object second)
        {
            return may_collide(*model.model, check_shape(*model.model, first, "may_collide"),
                               check_shape(*model.model, second, "may_collide"));
        },
        nb::arg("model"), nb::arg("first"), nb::arg("second"),
        nb::sig("def may_collide(model: Model, first: typing.SupportsIndex, second: typing.SupportsIndex) -> bool"),
        doc("may_collide"));
    module.def(
        "refresh_bodies", [](const StateObject& state, nb::object world)
        { refresh_bodies(*state.model, state.state->world(check_world(world, state.state->world_count))); },
        nb::arg("state"), nb::arg("world") = 0,
        nb::sig("def refresh_bodies(state: State, world: typing.SupportsIndex = 0) -> None"), doc("refresh_bodies"));
    module.def(
        "compute_center_of_mass",
        [](const StateObject& state, nb::object subtree, nb::object world)
        {
            const int index = check_world(world, state.state->world_count);
            const auto body = convert<BodyId>(subtree, "compute_center_of_mass");
            if (body.index < 0 || body.index >= state.model->body_count()) throw nb::index_error("no such body");
            return to_array(compute_center_of_mass(*state.model, std::as_const(*state.state).world(index), body));
        },
        nb::arg("state"), nb::arg("subtree") = 0, nb::arg("world") = 0,
        nb::sig("def compute_center_of_mass(state: State, subtree: typing.SupportsIndex = 0, world: "
                "typing.SupportsIndex = 0) -> numpy.typing.NDArray[numpy.float64]"),
        doc("compute_center_of_mass"));
}

}  // namespace rattleback::python
