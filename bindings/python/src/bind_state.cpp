// State and Control: every array a NumPy view of the engine's own memory.
#include "convert.h"
#include "objects.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

/// One array of a State or Control, as a Block of one world.
template <class Source>
struct Column
{
    const char* name;
    const char* text;
    Block (*block)(const Source& source);
};

constexpr const char* kFloats = "numpy.typing.NDArray[numpy.float64]";

const Column<State> kStateColumns[] = {
    {"q", "Joint coordinates [m, rad, unit quaternions], (q_count,); MuJoCo's layout.",
     [](const State& s) { return block_of(s.q); }},
    {"v", "Joint velocities [m/s, rad/s], (v_count,).", [](const State& s) { return block_of(s.v); }},
    {"act", "Activations of actuators, (act_count,).", [](const State& s) { return block_of(s.act); }},
    {"body_pose", "Body frames in the world: position [m] and quaternion (w, x, y, z), (body_count, 7).",
     [](const State& s) { return block_of(s.body_pose); }},
    {"body_position", "Origins of the body frames in the world [m], (body_count, 3).",
     [](const State& s) { return part_of(block_of(s.body_pose), 0, 3); }},
    {"body_rotation", "Rotations of the bodies: quaternions (w, x, y, z), (body_count, 4).",
     [](const State& s) { return part_of(block_of(s.body_pose), 3, 4); }},
    {"body_velocity", "Linear [m/s] and angular [rad/s] velocity at the centres of mass, world axes, (body_count, 6).",
     [](const State& s) { return block_of(s.body_velocity); }},
    {"body_linear_velocity", "Velocities of the centres of mass, world axes [m/s], (body_count, 3).",
     [](const State& s) { return part_of(block_of(s.body_velocity), 0, 3); }},
    {"body_angular_velocity", "Angular velocities, world axes [rad/s], (body_count, 3).",
     [](const State& s) { return part_of(block_of(s.body_velocity), 3, 3); }},
};
const Column<Control> kControlColumns[] = {
    {"input", "Actuator inputs, (actuator_count,).", [](const Control& c) { return block_of(c.input); }},
    {"joint_force", "Generalised forces on the joints [N, N m], (v_count,).",
     [](const Control& c) { return block_of(c.joint_force); }},
    {"body_wrench", "Force [N] and torque [N m] on each body at its centre of mass, world axes, (body_count, 6).",
     [](const Control& c) { return block_of(c.body_wrench); }},
    {"body_force", "Force on each body at its centre of mass, world axes [N], (body_count, 3).",
     [](const Control& c) { return part_of(block_of(c.body_wrench), 0, 3); }},
    {"body_torque", "Torque on each body, world axes [N m], (body_count, 3).",
     [](const Control& c) { return part_of(block_of(c.body_wrench), 3, 3); }},
    {"target", "Poses of kinematic bodies without a track: position [m], quaternion, (kinematic_count, 7).",
     [](const Control& c) { return block_of(c.target); }},
    {"actuator_active", "0: it gives no force, and its activation stays as it is, (actuator_count,).",
     [](const Control& c) { return block_of(c.actuator_active); }},
    {"equality_active", "0: it holds nothing, (equality_count,).",
     [](const Control& c) { return block_of(c.equality_active); }},
    {"surface_velocity",
     "Velocity of each shape's surface against its body, in the shape's frame: linear [m/s], angular [rad/s], "
     "(shape_count, 6).",
     [](const Control& c) { return block_of(c.surface_velocity); }},
};

/// The array of a column, made at its first use.
template <class Object, class Source>
nb::object find_array(Object& object, const Source& source, const Column<Source>* columns, std::size_t index)
{
    nb::object& array = object.arrays[index];
    if (array.is_valid()) return array;
    Block block = columns[index].block(source);
    if (object.batch)
    {
        block.worlds = source.world_count;
        block.count = source.world_count > 0 ? block.count / source.world_count : 0;
    }
    return array = make_view(block, Access::write, object.owner);
}

/// A property that reads as a view and writes into it.
template <class Object, class Source>
void add_columns(nb::class_<Object>& type, const Column<Source>* columns, std::size_t count,
                 const Source& (*source)(const Object&))
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const bool floats = columns[i].block(Source{}).scalar == Scalar::float64;
        const std::string array = floats ? kFloats : "numpy.typing.NDArray[numpy.int32]";
        const std::string getter = std::string("def ") + columns[i].name + "(self) -> " + array;
        const std::string setter =
            std::string("def ") + columns[i].name + "(self, value: numpy.typing.ArrayLike, /) -> None";
        type.def_prop_rw(
            columns[i].name, [columns, source, i](Object& self) { return find_array(self, source(self), columns, i); },
            [columns, source, i](Object& self, nb::object value)
            { find_array(self, source(self), columns, i)[nb::ellipsis()] = value; },
            nb::for_getter(nb::sig(getter.c_str())), nb::for_setter(nb::sig(setter.c_str())), columns[i].text);
    }
}

/// Time or step: a number of one world, an array of a batch.
template <class T>
nb::object read_clock(StateObject& self, std::vector<T>& values, std::size_t slot)
{
    if (!self.batch) return nb::cast(values.at(0));
    nb::object& array = self.arrays[slot];
    if (!array.is_valid()) array = make_view(block_of(values), Access::write, self.owner);
    return array;
}
template <class T>
void write_clock(StateObject& self, std::vector<T>& values, nb::handle given)
{
    if (self.batch)
    {
        make_view(block_of(values), Access::write, self.owner)[nb::ellipsis()] = nb::borrow(given);
        return;
    }
    values.at(0) = static_cast<T>(convert<double>(given, "State"));
}

std::string describe_counts(const char* name, int worlds, bool batch, const std::string& sizes)
{
    const std::string head = std::string("<rattleback.") + name + ": ";
    return head + (batch ? std::to_string(worlds) + " worlds of " : "") + sizes + ">";
}

void bind_state_class(nb::module_& module)
{
    nb::class_<StateObject> state(module, "State",
                                  "Everything that changes in a simulation, as NumPy views of the engine's memory. "
                                  "Of a Batch (or made with world_count) every array has a leading world dimension. "
                                  "After writing, call refresh() of the Simulation or Batch.");
    state.def(
        "__init__",
        [](StateObject* self, const ModelObject& model, std::optional<int> world_count)
        {
            if (world_count && *world_count < 1) throw nb::value_error("State: world_count must be 1 or more");
            auto made = std::make_shared<State>(*model.model, world_count.value_or(1));
            new (self) StateObject{made, made.get(), model.model, world_count.has_value(), {}};
        },
        nb::arg("model"), nb::arg("world_count") = nb::none(), doc("State::State"));
    add_columns<StateObject, State>(state, kStateColumns, std::size(kStateColumns),
                                    [](const StateObject& self) -> const State& { return *self.state; });
    state.def_prop_rw(
        "time", [](StateObject& self) { return read_clock(self, self.state->time, 9); },
        [](StateObject& self, nb::object value) { write_clock(self, self.state->time, value); },
        nb::for_getter(nb::sig("def time(self) -> typing.Any")), "Time [s]; of a Batch (world_count,).");
    state.def_prop_rw(
        "step", [](StateObject& self) { return read_clock(self, self.state->step, 10); },
        [](StateObject& self, nb::object value) { write_clock(self, self.state->step, value); },
        nb::for_getter(nb::sig("def step(self) -> typing.Any")), "Steps taken; of a Batch (world_count,).");
    state.def_prop_ro("world_count", [](const StateObject& self) { return self.state->world_count; });
    state.def("hash", [](const StateObject& self) { return hash(*self.state); }, doc("hash"));
    state.def("__repr__",
              [](const StateObject& self)
              {
                  const State& s = *self.state;
                  return describe_counts("State", s.world_count, self.batch,
                                         "q (" + std::to_string(s.q_count) + "), v (" + std::to_string(s.v_count) +
                                             "), " + std::to_string(s.body_count) + " bodies");
              });
}

void bind_control_class(nb::module_& module)
{
    nb::class_<ControlObject> control(module, "Control",
                                      "What is applied from outside, as NumPy views; it persists until changed.");
    control.def(
        "__init__",
        [](ControlObject* self, const ModelObject& model, std::optional<int> world_count)
        {
            if (world_count && *world_count < 1) throw nb::value_error("Control: world_count must be 1 or more");
            auto made = std::make_shared<Control>(*model.model, world_count.value_or(1));
            new (self) ControlObject{made, made.get(), model.model, world_count.has_value(), {}};
        },
        nb::arg("model"), nb::arg("world_count") = nb::none(), doc("Control"));
    add_columns<ControlObject, Control>(control, kControlColumns, std::size(kControlColumns),
                                        [](const ControlObject& self) -> const Control& { return *self.control; });
    control.def_prop_ro("world_count", [](const ControlObject& self) { return self.control->world_count; });
    control.def("__repr__",
                [](const ControlObject& self)
                {
                    const Control& c = *self.control;
                    return describe_counts("Control", c.world_count, self.batch,
                                           std::to_string(c.actuator_count) + " inputs, " + std::to_string(c.v_count) +
                                               " joint forces, " + std::to_string(c.body_count) + " body wrenches");
                });
}

}  // namespace

thread_local const Busy* Busy::inside_ = nullptr;

void bind_state(nb::module_& module)
{
    bind_state_class(module);
    bind_control_class(module);
}

int check_world(nb::handle given, int world_count)
{
    const int world = convert<int>(given, "world");
    if (world < 0 || world >= world_count)
        throw nb::index_error(("world " + std::to_string(world) + " of " + std::to_string(world_count)).c_str());
    return world;
}

}  // namespace rattleback::python
