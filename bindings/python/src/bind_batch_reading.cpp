// What is read of a Batch: arrays with a leading world dimension, questions to one world, and what it was made of.
#include "convert.h"
#include "objects.h"

#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

nb::object find_states(BatchObject& self)
{
    Batch& batch = self.worlds->batch;
    if (!self.state.is_valid())
        self.state = nb::cast(StateObject{self.worlds, &batch.state(), batch.shared_model(), true, {}});
    return self.state;
}
nb::object find_controls(BatchObject& self)
{
    Batch& batch = self.worlds->batch;
    if (!self.control.is_valid())
        self.control = nb::cast(ControlObject{self.worlds, &batch.control(), batch.shared_model(), true, {}});
    return self.control;
}
nb::object view_of_worlds(nb::object& kept, std::span<const double> values, const BatchObject& self, Access access)
{
    const std::int64_t worlds = self.worlds->batch.world_count();
    if (!kept.is_valid())
        kept =
            make_view({values.data(), static_cast<std::int64_t>(values.size()) / worlds, 0, 1, Scalar::float64, worlds},
                      access, self.worlds);
    return kept;
}

/// Arrays of all worlds, and what the last call said of them.
void bind_batch_views(nb::class_<BatchObject>& type)
{
    type.def_prop_ro("state", &find_states, nb::sig("def state(self) -> State"), doc("State"));
    type.def_prop_ro("control", &find_controls, nb::sig("def control(self) -> Control"), doc("Control"));
    type.def_prop_ro(
        "sensors", [](BatchObject& self)
        { return view_of_worlds(self.sensors, self.worlds->batch.sensors(), self, Access::read); },
        nb::sig("def sensors(self) -> numpy.typing.NDArray[numpy.float64]"),
        "Values of all sensors, (world_count, sensor_value_count).");
    type.def_prop_ro(
        "acceleration", [](BatchObject& self)
        { return view_of_worlds(self.accelerations, self.worlds->batch.accelerations(), self, Access::read); },
        nb::sig("def acceleration(self) -> numpy.typing.NDArray[numpy.float64]"), doc("Batch::accelerations"));
    type.def_prop_ro(
        "reports",
        [](const BatchObject& self)
        {
            nb::list reports;
            for (const StepReport& report : self.worlds->batch.reports()) reports.append(nb::cast(report));
            return reports;
        },
        nb::sig("def reports(self) -> list[StepReport]"), doc("Batch::reports"));
    type.def_prop_ro(
        "committed",
        [](const BatchObject& self)
        {
            std::vector<std::int64_t> flags;
            for (const StepReport& report : self.worlds->batch.reports())
                flags.push_back(report.status == StepStatus::ok || report.status == StepStatus::not_converged ? 1 : 0);
            return make_array(std::move(flags)).attr("astype")("bool");
        },
        nb::sig("def committed(self) -> numpy.typing.NDArray[numpy.bool_]"),
        "Which worlds took all steps of the last call, (world_count,).");
    type.def(
        "contacts",
        [](const BatchObject& self, nb::object world)
        {
            const Batch& b = self.worlds->batch;
            const int index = check_world(world, b.world_count());
            return make_contacts(self.worlds, b.shared_model(), b.contacts(index), b.contact_forces(index),
                                 self.worlds->busy);
        },
        nb::arg("world"), nb::sig("def contacts(self, world: typing.SupportsIndex) -> Contacts"),
        doc("Batch::contacts"));
}

/// What one world can be asked.
void bind_world_questions(nb::class_<BatchObject>& type)
{
    type.def(
        "step_derivatives",
        [](BatchObject& self, nb::object world, bool moving_contacts, bool differences, double interval)
        {
            const int index = check_world(world, self.worlds->batch.world_count());
            const auto find = [&]
            {
                const Turn turn(self.worlds->busy, Access::write);
                return self.worlds->batch.step_derivatives(index, {moving_contacts, differences, interval});
            };
            return to_python(take(find()));
        },
        nb::arg("world"), nb::kw_only(), nb::arg("moving_contacts") = false, nb::arg("differences") = false,
        nb::arg("interval") = 1e-6,
        nb::sig("def step_derivatives(self, world: typing.SupportsIndex, *, moving_contacts: bool = False, "
                "differences: bool = False, interval: float = 1e-06) -> rattleback._base.StepDerivatives"),
        doc("Batch::step_derivatives"));
    type.def(
        "explain",
        [](const BatchObject& self, nb::object world)
        {
            const int index = check_world(world, self.worlds->batch.world_count());
            return ask_worlds(self, [&](Batch& b) { return b.explain(index); });
        },
        nb::arg("world"), nb::sig("def explain(self, world: typing.SupportsIndex) -> str"), doc("Batch::explain"));
    type.def(
        "energy",
        [](const BatchObject& self, nb::object world)
        {
            const int index = check_world(world, self.worlds->batch.world_count());
            return to_python(ask_worlds(self, [&](Batch& b) { return b.energy(index); }));
        },
        nb::arg("world"), nb::sig("def energy(self, world: typing.SupportsIndex) -> rattleback._base.Energy"),
        doc("Energy"));
    type.def(
        "momentum",
        [](const BatchObject& self, nb::object world)
        {
            const int index = check_world(world, self.worlds->batch.world_count());
            return to_python(ask_worlds(self, [&](Batch& b) { return b.momentum(index); }));
        },
        nb::arg("world"), nb::sig("def momentum(self, world: typing.SupportsIndex) -> rattleback._base.Momentum"),
        doc("Momentum"));
}

/// What the batch was made of.
void bind_batch_facts(nb::class_<BatchObject>& type)
{
    type.def_prop_ro(
        "model", [](const BatchObject& self) { return make_model(self.worlds->batch.shared_model()); },
        nb::sig("def model(self) -> Model"));
    type.def_prop_ro("world_count", [](const BatchObject& self) { return self.worlds->batch.world_count(); });
    type.def_prop_ro("thread_count", [](const BatchObject& self) { return self.worlds->batch.thread_count(); });
    type.def_prop_ro("dt", [](const BatchObject& self) { return self.worlds->batch.dt(); }, "Timestep [s].");
    type.def_prop_ro(
        "solver", [](const BatchObject& self) { return std::string(self.worlds->batch.solver().name); },
        "Name of the solver.");
    type.def_prop_ro(
        "solver_reason", [](const BatchObject& self) { return self.worlds->batch.solver_reason(); },
        doc("Batch::solver_reason"));
    type.def_prop_ro(
        "parameters", [](const BatchObject& self) { return to_python(self.worlds->batch.parameters()); },
        nb::sig("def parameters(self) -> dict[str, bool | int | float | str]"), "Of the solver, all of them.");
    type.def_prop_ro(
        "warnings", [](const BatchObject& self) { return to_list(self.worlds->batch.warnings()); },
        nb::sig("def warnings(self) -> list[rattleback._base.ErrorItem]"), doc("Batch::warnings"));
    type.def("__len__", [](const BatchObject& self) { return self.worlds->batch.world_count(); });
    type.def("__repr__",
             [](const BatchObject& self)
             {
                 const Batch& b = self.worlds->batch;
                 return "<rattleback.Batch of '" + b.model().name + "': " + std::to_string(b.world_count()) +
                        " worlds, solver " + std::string(b.solver().name) + ", " + std::to_string(b.thread_count()) +
                        " threads, dt " + std::to_string(b.dt()) + " s>";
             });
}

}  // namespace

void bind_batch_reading(nb::class_<BatchObject>& type)
{
    bind_batch_views(type);
    bind_world_questions(type);
    bind_batch_facts(type);
}

}  // namespace rattleback::python
