// Batch: many worlds that are made, run and set; a rollout's results are taken over without a copy.
#include "convert.h"
#include "objects.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>

namespace rattleback::python
{

namespace
{

/// What a rollout kept. The arrays are views of it, so that its storage can be used again.
struct RolloutObject
{
    std::shared_ptr<Rollout> rollout;
    std::int64_t worlds = 0;

    nb::object view(const std::vector<double>& values) const
    {
        const std::int64_t rows = worlds * rollout->moment_count;
        const std::int64_t width = rows > 0 ? static_cast<std::int64_t>(values.size()) / rows : 0;
        const nb::object flat =
            make_view({values.data(), static_cast<std::int64_t>(values.size())}, Access::write, rollout);
        return flat.attr("reshape")(worlds, rollout->moment_count, width);
    }
};

void make_batch(BatchObject* self, const ModelObject& model, int world_count, const std::string& solver, double dt,
                nb::object parameters, int thread_count, std::optional<std::uint64_t> sensor_noise)
{
    if (!(dt >= 0 && std::isfinite(dt))) throw nb::value_error("Batch: dt must be positive, or 0: the model's [s]");
    if (world_count < 1) throw nb::value_error("Batch: world_count must be 1 or more");
    if (thread_count < 0) throw nb::value_error("Batch: thread_count must be positive, or 0: one per core");
    const BatchOptions options{
        solver,
        dt,
        parameters.is_none() ? Parameters{} : convert<Parameters>(parameters, "Batch: parameters"),
        world_count,
        thread_count,
        sensor_noise};
    const auto make = [&]
    {
        const nb::gil_scoped_release released;
        return Batch::make(model.model, options);
    };
    Batch batch = take(make());
    // Ctrl-C is a mark that Python's own thread finds when it asks.
    batch.set_interrupt(
        []
        {
            const nb::gil_scoped_acquire acquired;
            return PyErr_CheckSignals() != 0;
        });
    new (self) BatchObject{std::shared_ptr<Worlds>(new Worlds{std::move(batch), {}}), {}, {}, {}, {}, {}};
}

/// What the interrupt of a run left for Python.
void throw_interrupt()
{
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

void run_turn(Worlds& worlds, std::int64_t steps, const nb::object& before_step)
{
    const Turn turn(worlds.busy, Access::write);
    if (before_step.is_none())
    {
        worlds.batch.run_steps(steps);
        return;
    }
    worlds.batch.run_steps(steps,
                           [&](int world)
                           {
                               const nb::gil_scoped_acquire acquired;
                               const Busy::Inside inside(worlds.busy);
                               before_step(world);
                           });
}
void run_worlds(BatchObject& self, std::int64_t steps, nb::object before_step)
{
    if (steps < 0) throw nb::value_error("run_steps: the number of steps is negative");
    run_turn(*self.worlds, steps, before_step);
    throw_interrupt();
}
void run_worlds_for(BatchObject& self, double seconds, nb::object before_step)
{
    const double steps = std::round(seconds / self.worlds->batch.dt());
    if (!(steps >= 0 && steps < 9e15)) throw nb::value_error("run_for: seconds must be zero or more, and finite [s]");
    run_worlds(self, static_cast<std::int64_t>(steps), std::move(before_step));
}

nb::object roll_out(BatchObject& self, std::int64_t steps, nb::object controls, int every, bool states, bool sensors,
                    nb::object out)
{
    Batch& batch = self.worlds->batch;
    if (steps < 0) throw nb::value_error("rollout: the number of steps is negative");
    if (every < 1) throw nb::value_error("rollout: every must be 1 or more");
    NumberArray numbers;
    if (!controls.is_none())
    {
        const std::int64_t shape[3] = {batch.world_count(), steps, batch.model().actuator_count()};
        numbers = read_numbers(controls, "rollout: controls [world][step][actuator]", shape);
    }
    if (out.is_none()) out = nb::cast(RolloutObject{std::make_shared<Rollout>(), 0});
    auto& kept = nb::cast<RolloutObject&>(out);
    // Storage that an array still looks at is left to it; while the run writes, nobody else has it.
    std::shared_ptr<Rollout> storage = std::make_shared<Rollout>();
    if (kept.rollout.use_count() == 1) std::swap(storage, kept.rollout);
    Status status;
    {
        const Turn turn(self.worlds->busy, Access::write);
        status = batch.rollout(steps, numbers.values, {every, states, sensors}, *storage);
    }
    require(status);
    kept = {std::move(storage), batch.world_count()};
    throw_interrupt();
    return out;
}

nb::object vary(BatchObject& self, nb::object parameter)
{
    const auto which = convert<WorldParameter>(parameter, "vary");
    nb::object& kept = self.varied[static_cast<std::size_t>(which)];
    if (kept.is_valid()) return kept;
    const auto make = [&]
    {
        const Turn turn(self.worlds->busy, Access::write);
        return self.worlds->batch.vary(which);
    };
    const std::span<double> values = take(make());
    const int items = count_items(self.worlds->batch.model(), which);
    kept = make_view({values.data(), items, 0, 1, Scalar::float64, self.worlds->batch.world_count()}, Access::write,
                     self.worlds);
    if (which == WorldParameter::gain) kept = kept.attr("reshape")(self.worlds->batch.world_count(), items / 6, 6);
    return kept;
}

void reset_worlds(BatchObject& self, nb::object world, nb::object to, int start_world)
{
    Batch& batch = self.worlds->batch;
    Status status;
    if (world.is_none())
    {
        if (!to.is_none()) throw nb::value_error("reset: say which world goes to that state");
        const Turn turn(self.worlds->busy, Access::write);
        batch.reset();
        return;
    }
    const int index = check_world(world, batch.world_count());
    if (to.is_none())
    {
        const Turn turn(self.worlds->busy, Access::write);
        batch.reset(index);
    }
    else if (nb::isinstance<StateObject>(to))
    {
        const State& start = *nb::cast<StateObject&>(to).state;
        check_world(nb::int_(start_world), start.world_count);
        const Turn turn(self.worlds->busy, Access::write);
        status = batch.reset(index, start, start_world);
    }
    else
    {
        const KeyframeId keyframe = find_keyframe(batch.model(), to);
        const Turn turn(self.worlds->busy, Access::write);
        batch.reset(index, keyframe);
    }
    require(status);
}

void set_worlds_filter(BatchObject& self, nb::object may_touch)
{
    Worlds& worlds = *self.worlds;
    std::function<bool(int, ShapeId, ShapeId)> filter;
    if (!may_touch.is_none())
    {
        std::shared_ptr<nb::object> function(new nb::object(std::move(may_touch)),
                                             [](nb::object* held)
                                             {
                                                 const nb::gil_scoped_acquire acquired;
                                                 delete held;
                                             });
        filter = [function, &worlds](int world, ShapeId first, ShapeId second)
        {
            const nb::gil_scoped_acquire acquired;
            const Busy::Inside inside(worlds.busy);
            return nb::cast<bool>(nb::bool_((*function)(world, to_python(first), to_python(second))));
        };
    }
    const Turn turn(worlds.busy, Access::write);
    worlds.batch.set_contact_filter(std::move(filter));
}

void bind_rollout(nb::module_& module)
{
    nb::class_<RolloutObject> type(module, "Rollout", doc("Rollout"));
    const char* array = "numpy.typing.NDArray[numpy.float64]";
    const auto add = [&](const char* name, std::vector<double> Rollout::* member, const char* text)
    {
        const std::string signature = std::string("def ") + name + "(self) -> " + array;
        type.def_prop_ro(
            name, [member](const RolloutObject& self) { return self.view((*self.rollout).*member); },
            nb::sig(signature.c_str()), text);
    };
    add("q", &Rollout::q, "(world, moment, q_count); without the last where it was not asked for.");
    add("v", &Rollout::v, "(world, moment, v_count)");
    add("act", &Rollout::act, "(world, moment, act_count)");
    add("sensors", &Rollout::sensors, "(world, moment, sensor_value_count)");
    type.def_prop_ro("moment_count", [](const RolloutObject& self) { return self.rollout->moment_count; });
    type.def("__repr__",
             [](const RolloutObject& self)
             {
                 return "<rattleback.Rollout: " + std::to_string(self.worlds) + " worlds, " +
                        std::to_string(self.rollout->moment_count) + " moments>";
             });
}

void bind_batch_running(nb::class_<BatchObject>& type)
{
    type.def("__init__", &make_batch, nb::arg("model"), nb::arg("world_count"), nb::kw_only(),
             nb::arg("solver") = "auto", nb::arg("dt") = 0.0, nb::arg("parameters") = nb::none(),
             nb::arg("thread_count") = 0, nb::arg("sensor_noise") = nb::none(),
             nb::sig("def __init__(self, model: Model, world_count: int, *, solver: str = 'auto', dt: float = 0.0, "
                     "parameters: collections.abc.Mapping[str, bool | int | float | str] | None = None, thread_count: "
                     "int = 0, sensor_noise: int | None = None) -> None"),
             doc("Batch"));
    type.def("step", [](BatchObject& self) { run_worlds(self, 1, nb::none()); }, doc("Batch::step"));
    type.def("run_steps", &run_worlds, nb::arg("steps"), nb::arg("before_step") = nb::none(),
             nb::sig("def run_steps(self, steps: int, before_step: collections.abc.Callable[[int], object] | None = "
                     "None) -> None"),
             doc("Batch::run_steps"));
    type.def("run_for", &run_worlds_for, nb::arg("seconds"), nb::arg("before_step") = nb::none(),
             nb::sig("def run_for(self, seconds: float, before_step: collections.abc.Callable[[int], object] | None = "
                     "None) -> None"),
             doc("Batch::run_for"));
    type.def("rollout", &roll_out, nb::arg("steps"), nb::arg("controls") = nb::none(), nb::kw_only(),
             nb::arg("every") = 1, nb::arg("states") = true, nb::arg("sensors") = false, nb::arg("out") = nb::none(),
             nb::sig("def rollout(self, steps: int, controls: numpy.typing.ArrayLike | None = None, *, every: int = 1, "
                     "states: bool = True, sensors: bool = False, out: Rollout | None = None) -> Rollout"),
             doc("Batch::rollout"));
    type.def(
        "forward",
        [](BatchObject& self)
        {
            const Turn turn(self.worlds->busy, Access::write);
            self.worlds->batch.forward();
        },
        doc("Batch::forward"));
    type.def(
        "refresh",
        [](BatchObject& self)
        {
            const Turn turn(self.worlds->busy, Access::write);
            self.worlds->batch.refresh();
        },
        doc("Batch::refresh"));
    type.def(
        "reset", &reset_worlds, nb::arg("world") = nb::none(), nb::arg("to") = nb::none(), nb::arg("start_world") = 0,
        nb::sig("def reset(self, world: typing.SupportsIndex | None = None, to: str | typing.SupportsIndex | State | "
                "None = None, start_world: int = 0) -> None"),
        doc("Batch::reset"));
    type.def("vary", &vary, nb::arg("parameter"),
             nb::sig("def vary(self, parameter: typing.Literal['gravity', 'friction', 'mass', 'gain']) -> "
                     "numpy.typing.NDArray[numpy.float64]"),
             doc("Batch::vary"));
    type.def(
        "apply_parameters",
        [](BatchObject& self)
        {
            Status status;
            {
                const Turn turn(self.worlds->busy, Access::write);
                status = self.worlds->batch.apply_parameters();
            }
            require(status);
        },
        doc("Batch::apply_parameters"));
    type.def("set_contact_filter", &set_worlds_filter, nb::arg("may_touch").none(),
             nb::sig("def set_contact_filter(self, may_touch: collections.abc.Callable[[int, rattleback._base.ShapeId, "
                     "rattleback._base.ShapeId], bool] | None) -> None"),
             doc("Batch::set_contact_filter"));
    type.def(
        "snapshot",
        [](const BatchObject& self, nb::object world)
        {
            const int index = check_world(world, self.worlds->batch.world_count());
            return ask_worlds(self, [&](Batch& b) { return b.snapshot(index); });
        },
        nb::arg("world"), nb::sig("def snapshot(self, world: typing.SupportsIndex) -> Snapshot"),
        doc("Batch::snapshot"));
    type.def(
        "restore",
        [](BatchObject& self, nb::object world, const Snapshot& snapshot)
        {
            const int index = check_world(world, self.worlds->batch.world_count());
            Status status;
            {
                const Turn turn(self.worlds->busy, Access::write);
                status = self.worlds->batch.restore(index, snapshot);
            }
            require(status);
        },
        nb::arg("world"), nb::arg("snapshot"),
        nb::sig("def restore(self, world: typing.SupportsIndex, snapshot: Snapshot) -> None"),
        "Continues one world from a snapshot, bit for bit.");
}

}  // namespace

void bind_batch(nb::module_& module)
{
    bind_rollout(module);
    nb::class_<BatchObject> type(module, "Batch", doc("Batch"), nb::is_weak_referenceable());
    bind_batch_running(type);
    bind_batch_reading(type);
}

}  // namespace rattleback::python
