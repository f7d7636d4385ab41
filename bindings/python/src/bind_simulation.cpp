// Simulation: one world, its lock, and runs that let other threads and Ctrl-C in.
#include "convert.h"
#include "objects.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cmath>

namespace rattleback::python
{

namespace
{

using Clock = std::chrono::steady_clock;

SimulationOptions read_options(const std::string& solver, double dt, nb::handle parameters, bool timings,
                               std::optional<std::uint64_t> sensor_noise)
{
    if (!(dt >= 0 && std::isfinite(dt)))
        throw nb::value_error("Simulation: dt must be positive, or 0: the model's [s]");
    return {solver, dt, parameters.is_none() ? Parameters{} : convert<Parameters>(parameters, "Simulation: parameters"),
            timings, sensor_noise};
}

void make_simulation(SimulationObject* self, const ModelObject& model, const std::string& solver, double dt,
                     nb::object parameters, bool timings, std::optional<std::uint64_t> sensor_noise)
{
    const SimulationOptions options = read_options(solver, dt, parameters, timings, sensor_noise);
    const auto make = [&]
    {
        const nb::gil_scoped_release released;
        return Simulation::make(model.model, options);
    };
    Simulation simulation = take(make());
    new (self) SimulationObject{std::shared_ptr<World>(new World{std::move(simulation), {}}), {}, {}, {}, {}};
}

/// A Python function as a callback of a run: takes the interpreter's lock for its time.
std::function<void()> make_callback(const World& world, nb::handle function)
{
    return [&world, function]
    {
        const nb::gil_scoped_acquire acquired;
        const Busy::Inside inside(world.busy);
        function();
    };
}

/// Steps in pieces of about a tenth of a second; between them Ctrl-C is heard. The bits are those of one call.
StepReport run(World& world, std::int64_t steps, const std::function<void()>& before_step)
{
    StepReport total;
    std::int64_t piece = 1;
    const auto run_piece = [&](std::int64_t count)
    {
        const Turn turn(world.busy, Access::write);
        return before_step ? world.simulation.run_steps(count, before_step) : world.simulation.run_steps(count);
    };
    for (std::int64_t done = 0; done < steps;)
    {
        const std::int64_t count = std::min(piece, steps - done);
        const auto start = Clock::now();
        const StepReport report = run_piece(count);
        total = done == 0 ? report : merge(total, report);
        done += count;
        if (total.status == StepStatus::diverged || total.status == StepStatus::capacity) break;
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        piece = seconds > 0.05 ? piece : 2 * piece;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return total;
}

StepReport run_steps(SimulationObject& self, std::int64_t steps, nb::object before_step)
{
    if (steps < 0) throw nb::value_error("run_steps: the number of steps is negative");
    return run(*self.world, steps, before_step.is_none() ? nullptr : make_callback(*self.world, before_step));
}
StepReport run_for(SimulationObject& self, double seconds, nb::object before_step)
{
    const double steps = std::round(seconds / self.world->simulation.dt());
    if (!(steps >= 0 && steps < 9e15)) throw nb::value_error("run_for: seconds must be zero or more, and finite [s]");
    return run_steps(self, static_cast<std::int64_t>(steps), std::move(before_step));
}

nb::object find_state(SimulationObject& self)
{
    if (!self.state.is_valid())
        self.state = nb::cast(
            StateObject{self.world, &self.world->simulation.state(), self.world->simulation.shared_model(), false, {}});
    return self.state;
}
nb::object find_control(SimulationObject& self)
{
    if (!self.control.is_valid())
        self.control = nb::cast(ControlObject{
            self.world, &self.world->simulation.control(), self.world->simulation.shared_model(), false, {}});
    return self.control;
}
nb::object view_of(nb::object& kept, std::span<const double> values, const std::shared_ptr<World>& world)
{
    if (!kept.is_valid())
        kept = make_view({values.data(), static_cast<std::int64_t>(values.size())}, Access::read, world);
    return kept;
}

void reset(SimulationObject& self, nb::object to)
{
    World& world = *self.world;
    Status status;
    if (to.is_none())
    {
        const Turn turn(world.busy, Access::write);
        world.simulation.reset();
    }
    else if (nb::isinstance<StateObject>(to))
    {
        const State& start = *nb::cast<StateObject&>(to).state;
        const Turn turn(world.busy, Access::write);
        status = world.simulation.reset(start);
    }
    else
    {
        const KeyframeId keyframe = find_keyframe(world.simulation.model(), to);
        const Turn turn(world.busy, Access::write);
        world.simulation.reset(keyframe);
    }
    require(status);
}

void set_contact_filter(SimulationObject& self, nb::object may_touch)
{
    World& world = *self.world;
    std::function<bool(ShapeId, ShapeId)> filter;
    if (!may_touch.is_none())
    {
        // The function object is given back under the interpreter's lock, whoever lets go of the filter last.
        std::shared_ptr<nb::object> function(new nb::object(std::move(may_touch)),
                                             [](nb::object* held)
                                             {
                                                 const nb::gil_scoped_acquire acquired;
                                                 delete held;
                                             });
        filter = [function, &world](ShapeId first, ShapeId second)
        {
            const nb::gil_scoped_acquire acquired;
            const Busy::Inside inside(world.busy);
            return nb::cast<bool>(nb::bool_((*function)(to_python(first), to_python(second))));
        };
    }
    const Turn turn(world.busy, Access::write);
    world.simulation.set_contact_filter(std::move(filter));
}

template <class Answer>
auto ask(const SimulationObject& self, Answer answer)
{
    const Turn turn(self.world->busy, Access::read);
    return answer(self.world->simulation);
}

void bind_running(nb::class_<SimulationObject>& type)
{
    type.def("__init__", &make_simulation, nb::arg("model"), nb::kw_only(), nb::arg("solver") = "auto",
             nb::arg("dt") = 0.0, nb::arg("parameters") = nb::none(), nb::arg("timings") = false,
             nb::arg("sensor_noise") = nb::none(),
             nb::sig("def __init__(self, model: Model, *, solver: str = 'auto', dt: float = 0.0, parameters: "
                     "collections.abc.Mapping[str, bool | int | float | str] | None = None, timings: bool = False, "
                     "sensor_noise: int | None = None) -> None"),
             "A Model in motion. solver: a name in solvers(), or 'auto'. dt [s]; 0: the model's. parameters: of the "
             "solver. timings: fill StepReport.seconds. sensor_noise: a seed; sensors then read with normal noise. "
             "Error where the solver is unknown or refuses the model, naming everything that it lacks.");
    type.def(
        "step",
        [](SimulationObject& self)
        {
            const Turn turn(self.world->busy, Access::write);
            return self.world->simulation.step();
        },
        doc("Simulation::step"));
    type.def(
        "run_for", &run_for, nb::arg("seconds"), nb::arg("before_step") = nb::none(),
        nb::sig("def run_for(self, seconds: float, before_step: collections.abc.Callable[[], object] | None = None) "
                "-> StepReport"),
        doc("Simulation::run_for"));
    type.def("run_steps", &run_steps, nb::arg("steps"), nb::arg("before_step") = nb::none(),
             nb::sig("def run_steps(self, steps: int, before_step: collections.abc.Callable[[], object] | None = None) "
                     "-> StepReport"),
             "So many steps; stops early when a step is not committed. before_step: called before each of them.");
    type.def(
        "forward",
        [](SimulationObject& self)
        {
            const Turn turn(self.world->busy, Access::write);
            return self.world->simulation.forward();
        },
        doc("Simulation::forward"));
    type.def(
        "refresh",
        [](SimulationObject& self)
        {
            const Turn turn(self.world->busy, Access::write);
            self.world->simulation.refresh();
        },
        doc("Simulation::refresh"));
    type.def("reset", &reset, nb::arg("to") = nb::none(),
             nb::sig("def reset(self, to: str | typing.SupportsIndex | State | None = None) -> None"),
             "Back to the model's initial state, to a keyframe (name or number), or to a State; inputs zero (or the "
             "keyframe's), memory empty.");
    type.def("set_contact_filter", &set_contact_filter, nb::arg("may_touch").none(),
             nb::sig("def set_contact_filter(self, may_touch: collections.abc.Callable[[rattleback._base.ShapeId, "
                     "rattleback._base.ShapeId], bool] | None) -> None"),
             doc("Simulation::set_contact_filter"));
    type.def(
        "snapshot", [](const SimulationObject& self) { return ask(self, [](Simulation& s) { return s.snapshot(); }); },
        doc("Simulation::snapshot"));
    type.def(
        "restore",
        [](SimulationObject& self, const Snapshot& snapshot)
        {
            Status status;
            {
                const Turn turn(self.world->busy, Access::write);
                status = self.world->simulation.restore(snapshot);
            }
            require(status);
        },
        nb::arg("snapshot"), doc("Simulation::restore"));
}

void bind_reading(nb::class_<SimulationObject>& type)
{
    type.def_prop_ro("state", &find_state, nb::sig("def state(self) -> State"), doc("State"));
    type.def_prop_ro("control", &find_control, nb::sig("def control(self) -> Control"), doc("Control"));
    type.def_prop_ro(
        "sensors",
        [](SimulationObject& self) { return view_of(self.sensors, self.world->simulation.sensors(), self.world); },
        nb::sig("def sensors(self) -> numpy.typing.NDArray[numpy.float64]"), doc("Simulation::sensors"));
    type.def_prop_ro(
        "acceleration", [](SimulationObject& self)
        { return view_of(self.acceleration, self.world->simulation.acceleration(), self.world); },
        nb::sig("def acceleration(self) -> numpy.typing.NDArray[numpy.float64]"), doc("Simulation::acceleration"));
    type.def_prop_ro(
        "contacts",
        [](const SimulationObject& self)
        {
            const Simulation& s = self.world->simulation;
            return make_contacts(self.world, s.shared_model(), s.contacts(), s.contact_forces(), self.world->busy);
        },
        nb::sig("def contacts(self) -> Contacts"), "Contacts and forces of the last step or forward().");
    type.def_prop_ro(
        "model", [](const SimulationObject& self) { return make_model(self.world->simulation.shared_model()); },
        nb::sig("def model(self) -> Model"));
    type.def_prop_ro("time", [](const SimulationObject& self) { return self.world->simulation.time(); }, "[s]");
    type.def_prop_ro("dt", [](const SimulationObject& self) { return self.world->simulation.dt(); }, "Timestep [s].");
    type.def_prop_ro(
        "solver", [](const SimulationObject& self) { return std::string(self.world->simulation.solver().name); },
        "Name of the solver.");
    type.def_prop_ro(
        "solver_reason", [](const SimulationObject& self) { return self.world->simulation.solver_reason(); },
        doc("Simulation::solver_reason"));
    type.def_prop_ro(
        "parameters", [](const SimulationObject& self) { return to_python(self.world->simulation.parameters()); },
        nb::sig("def parameters(self) -> dict[str, bool | int | float | str]"), doc("Simulation::parameters"));
    type.def_prop_ro(
        "warnings", [](const SimulationObject& self) { return to_list(self.world->simulation.warnings()); },
        nb::sig("def warnings(self) -> list[rattleback._base.ErrorItem]"), doc("Simulation::warnings"));
    type.def(
        "step_derivatives",
        [](SimulationObject& self, bool moving_contacts, bool differences, double interval)
        {
            const auto find = [&]
            {
                const Turn turn(self.world->busy, Access::write);
                return self.world->simulation.step_derivatives({moving_contacts, differences, interval});
            };
            return to_python(take(find()));
        },
        nb::kw_only(), nb::arg("moving_contacts") = false, nb::arg("differences") = false, nb::arg("interval") = 1e-6,
        nb::sig("def step_derivatives(self, *, moving_contacts: bool = False, differences: bool = False, interval: "
                "float = 1e-06) -> rattleback._base.StepDerivatives"),
        doc("Simulation::step_derivatives"));
    type.def(
        "explain", [](const SimulationObject& self, const StepReport& report)
        { return ask(self, [&](Simulation& s) { return s.explain(report); }); }, nb::arg("report"),
        doc("Simulation::explain"));
    type.def(
        "energy",
        [](const SimulationObject& self) { return to_python(ask(self, [](Simulation& s) { return s.energy(); })); },
        nb::sig("def energy(self) -> rattleback._base.Energy"), doc("Energy"));
    type.def(
        "momentum",
        [](const SimulationObject& self) { return to_python(ask(self, [](Simulation& s) { return s.momentum(); })); },
        nb::sig("def momentum(self) -> rattleback._base.Momentum"), doc("Momentum"));
    type.def(
        "is_broken",
        [](const SimulationObject& self, nb::object element)
        {
            const std::string kind = nb::cast<std::string>(element.type().attr("__name__"));
            if (kind == "EqualityId")
            {
                const auto equality = convert<EqualityId>(element, "is_broken");
                return ask(self, [&](Simulation& s) { return s.is_broken(equality); });
            }
            const auto joint = convert<JointId>(element, "is_broken");
            return ask(self, [&](Simulation& s) { return s.is_broken(joint); });
        },
        nb::arg("element"),
        nb::sig("def is_broken(self, element: rattleback._base.JointId | rattleback._base.EqualityId) -> bool"),
        doc("Simulation::is_broken"));
    type.def("__repr__",
             [](const SimulationObject& self)
             {
                 const Simulation& s = self.world->simulation;
                 return "<rattleback.Simulation of '" + s.model().name + "': solver " + std::string(s.solver().name) +
                        ", " + std::to_string(s.model().body_count() - 1) + " bodies, dt " + std::to_string(s.dt()) +
                        " s, t " + std::to_string(s.time()) + " s>";
             });
}

}  // namespace

KeyframeId find_keyframe(const Model& model, nb::handle given)
{
    const int count = static_cast<int>(model.keyframes.size());
    if (nb::isinstance<nb::str>(given))
    {
        const std::string name = nb::cast<std::string>(given);
        if (const auto found = model.find_keyframe(name)) return *found;
        throw nb::key_error(("the model has no keyframe '" + name + "'").c_str());
    }
    const auto keyframe = convert<KeyframeId>(given, "keyframe");
    if (keyframe.index < 0 || keyframe.index >= count)
        throw nb::index_error(("keyframe " + std::to_string(keyframe.index) + " of " + std::to_string(count)).c_str());
    return keyframe;
}

void bind_simulation(nb::module_& module)
{
    nb::class_<SimulationObject> type(module, "Simulation", doc("Simulation"), nb::is_weak_referenceable());
    bind_running(type);
    bind_reading(type);
}

}  // namespace rattleback::python
