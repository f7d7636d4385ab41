// Snapshots, recorders and recordings.
#include "convert.h"
#include "objects.h"

#include <rattleback/record.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

using Path = std::filesystem::path;

struct RecorderObject
{
    std::shared_ptr<Recorder> recorder;
    std::shared_ptr<World> world;
};
struct RecordingObject
{
    std::shared_ptr<Recording> recording;
};

nb::bytes to_python_bytes(const Snapshot& snapshot)
{
    const std::vector<std::byte> bytes = to_bytes(snapshot);
    return nb::bytes(bytes.data(), bytes.size());
}
Snapshot to_snapshot(const nb::bytes& bytes)
{
    const auto* begin = static_cast<const std::byte*>(static_cast<const void*>(bytes.c_str()));
    return take(rattleback::to_snapshot({begin, bytes.size()}));
}

void bind_snapshot(nb::module_& module)
{
    nb::class_<Snapshot> type(module, "Snapshot", doc("Snapshot"));
    type.def_ro("solver", &Snapshot::solver);
    type.def_ro("dt", &Snapshot::dt, doc("Snapshot::dt"));
    type.def_prop_ro(
        "time", [](const Snapshot& self) { return self.state.time.empty() ? 0 : self.state.time[0]; }, "[s]");
    type.def_ro("model", &Snapshot::model, doc("Snapshot::model"));
    type.def_prop_ro(
        "parameters", [](const Snapshot& self) { return to_python(self.parameters); },
        nb::sig("def parameters(self) -> dict[str, bool | int | float | str]"));
    type.def("to_bytes", &to_python_bytes, doc("to_bytes"));
    type.def_static("from_bytes", &to_snapshot, nb::arg("bytes"), doc("to_snapshot"));
    type.def(
        "save", [](const Snapshot& self, const Path& path) { require(save(self, path)); }, nb::arg("path"),
        nb::sig("def save(self, path: str | os.PathLike[str]) -> None"), doc("save"));
    type.def("__getstate__", &to_python_bytes);
    type.def("__setstate__", [](Snapshot& self, const nb::bytes& bytes) { new (&self) Snapshot(to_snapshot(bytes)); });
    type.def(
        "__eq__", [](const Snapshot& self, const Snapshot& other) { return to_bytes(self) == to_bytes(other); },
        nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
    type.def("__hash__", [](const Snapshot& self) { return static_cast<std::int64_t>(hash(self.state) >> 2); });
    type.def("__repr__",
             [](const Snapshot& self)
             {
                 return "<rattleback.Snapshot: solver " + self.solver + ", t " +
                        std::to_string(self.state.time.empty() ? 0 : self.state.time[0]) + " s>";
             });
    module.def(
        "load_snapshot", [](const Path& path) { return take(load_snapshot(path)); }, nb::arg("path"),
        nb::sig("def load_snapshot(path: str | os.PathLike[str]) -> Snapshot"), "The snapshot of a file.");
}

void make_recorder_object(RecorderObject* self, const Path& path, const SimulationObject& simulation, bool contacts,
                          int frames_per_chunk, double seconds_per_chunk)
{
    if (frames_per_chunk < 1 || !(seconds_per_chunk >= 0))
        throw nb::value_error("Recorder: frames_per_chunk must be 1 or more, seconds_per_chunk zero or more");
    RecorderOptions options;
    options.contacts = contacts;
    options.frames_per_chunk = frames_per_chunk;
    options.seconds_per_chunk = seconds_per_chunk;
    const auto open = [&]
    {
        const Turn turn(simulation.world->busy, Access::read);
        return make_recorder(simulation.world->simulation, path, options);
    };
    Recorder recorder = take(open());
    new (self) RecorderObject{std::make_shared<Recorder>(std::move(recorder)), simulation.world};
}

void bind_recorder(nb::module_& module)
{
    nb::class_<RecorderObject> type(module, "Recorder", doc("Recorder"));
    type.def(
        "__init__", &make_recorder_object, nb::arg("path"), nb::arg("simulation"), nb::kw_only(),
        nb::arg("contacts") = false, nb::arg("frames_per_chunk") = 256, nb::arg("seconds_per_chunk") = 1.0,
        nb::sig("def __init__(self, path: str | os.PathLike[str], simulation: Simulation, *, contacts: bool = False, "
                "frames_per_chunk: int = 256, seconds_per_chunk: float = 1.0) -> None"),
        "A new recording of this simulation, without frames. contacts: record contacts with their forces. A chunk is "
        "written after so many frames or seconds; a killed process loses the chunk it had not yet written.");
    const auto append = [](RecorderObject& self, std::optional<StepReport> report)
    {
        Status status;
        {
            const Turn turn(self.world->busy, Access::read);
            status = record_frame(*self.recorder, self.world->simulation, report.value_or(StepReport{}));
        }
        require(status);
    };
    type.def("append", append, nb::arg("report") = nb::none(), doc("record_frame"));
    type.def("flush", [](RecorderObject& self) { require(self.recorder->flush()); }, doc("Recorder::flush"));
    type.def("close", [](RecorderObject& self) { require(self.recorder->close()); }, doc("Recorder::close"));
    type.def_prop_ro(
        "frame_count", [](const RecorderObject& self) { return self.recorder->frame_count(); }, "Appended so far.");
    type.def("__enter__", [](nb::object self) { return self; }, nb::sig("def __enter__(self) -> Recorder"));
    type.def(
        "__exit__", [](RecorderObject& self, nb::args) { require(self.recorder->close()); },
        nb::sig("def __exit__(self, *exception: object) -> None"));
    type.def("__repr__", [](const RecorderObject& self)
             { return "<rattleback.Recorder: " + std::to_string(self.recorder->frame_count()) + " frames>"; });
}

/// What of a frame becomes a column of a whole recording.
struct FrameColumn
{
    const char* name;
    const char* text;
    int width;  ///< numbers of an item; 0: one, and the frame has one item
    std::span<const double> (*read)(const RecordedFrame& frame);
};
template <class T>
std::span<const double> numbers(std::span<const T> items)
{
    return {static_cast<const double*>(static_cast<const void*>(items.data())),
            items.size() * sizeof(T) / sizeof(double)};
}
const FrameColumn kFrameColumns[] = {
    {"time", "[s], (frame,)", 0, [](const RecordedFrame& f) { return std::span<const double>(&f.time, 1); }},
    {"q", "Joint coordinates [m, rad], (frame, q_count)", 1, [](const RecordedFrame& f) { return f.q; }},
    {"v", "Joint velocities [m/s, rad/s], (frame, v_count)", 1, [](const RecordedFrame& f) { return f.v; }},
    {"act", "Activations, (frame, act_count)", 1, [](const RecordedFrame& f) { return f.act; }},
    {"input", "Actuator inputs, (frame, actuator_count)", 1, [](const RecordedFrame& f) { return f.control.input; }},
    {"sensors", "Values of all sensors, (frame, sensor_value_count)", 1,
     [](const RecordedFrame& f) { return f.sensors; }},
    {"body_pose", "Position [m] and quaternion of each body, (frame, body_count, 7)", 7,
     [](const RecordedFrame& f) { return numbers(f.body_pose); }},
    {"body_velocity", "Linear [m/s] and angular [rad/s] velocity, (frame, body_count, 6)", 6,
     [](const RecordedFrame& f) { return numbers(f.body_velocity); }},
    {"kinetic_energy", "[J], (frame,)", 0,
     [](const RecordedFrame& f) { return std::span<const double>(&f.energy.kinetic, 1); }},
    {"potential_energy", "[J], (frame,)", 0,
     [](const RecordedFrame& f) { return std::span<const double>(&f.energy.potential, 1); }},
};

nb::object read_column(RecordingObject& self, const FrameColumn& column)
{
    std::vector<double> values;
    Status status;
    const std::int64_t frames = self.recording->frame_count();
    {
        const nb::gil_scoped_release released;
        for (std::int64_t i = 0; i < frames; ++i)
        {
            const Result<RecordedFrame> frame = self.recording->frame(i);
            if (!frame.ok())
            {
                status = Status(frame.errors());
                break;
            }
            const std::span<const double> row = column.read(*frame);
            values.insert(values.end(), row.begin(), row.end());
        }
    }
    require(status);
    const std::int64_t width = frames > 0 ? static_cast<std::int64_t>(values.size()) / frames : 0;
    const std::int64_t inner = std::max(column.width, 1);
    const std::int64_t shape[3] = {frames, width / inner, inner};
    return make_array(std::move(values), {shape, column.width == 0 ? 1U : column.width == 1 ? 2U : 3U});
}

nb::list names_of(const auto& items)
{
    nb::list names;
    for (const auto& item : items) names.append(nb::str(item.name.c_str()));
    return names;
}

void bind_recording(nb::module_& module)
{
    nb::class_<RecordingObject> type(module, "Recording", doc("Recording"));
    for (const FrameColumn& column : kFrameColumns)
    {
        const std::string signature =
            std::string("def ") + column.name + "(self) -> numpy.typing.NDArray[numpy.float64]";
        type.def_prop_ro(
            column.name, [&column](RecordingObject& self) { return read_column(self, column); },
            nb::sig(signature.c_str()), column.text);
    }
    type.def("__len__", [](const RecordingObject& self) { return self.recording->frame_count(); });
    type.def_prop_ro("solver", [](const RecordingObject& self) { return self.recording->model().solver; });
    type.def_prop_ro("name", [](const RecordingObject& self) { return self.recording->model().name; });
    type.def_prop_ro("dt", [](const RecordingObject& self) { return self.recording->model().dt; }, "[s]");
    type.def_prop_ro(
        "bodies", [](const RecordingObject& self) { return names_of(self.recording->model().bodies); },
        nb::sig("def bodies(self) -> list[str]"), "Names.");
    type.def_prop_ro(
        "joints",
        [](const RecordingObject& self)
        {
            nb::list joints;
            for (const RecordedJoint& joint : self.recording->model().joints)
                joints.append(nb::make_tuple(joint.name, nb::str(to_string(joint.type)), joint.q_begin, joint.v_begin));
            return joints;
        },
        nb::sig("def joints(self) -> list[tuple[str, str, int, int]]"), "Name, type, where its q and v begin.");
    type.def_prop_ro(
        "sensor_table",
        [](const RecordingObject& self)
        {
            nb::list sensors;
            for (const RecordedSensor& sensor : self.recording->model().sensors)
                sensors.append(nb::make_tuple(sensor.name, sensor.begin, sensor.size));
            return sensors;
        },
        nb::sig("def sensor_table(self) -> list[tuple[str, int, int]]"), "Name, where its values begin, how many.");
    type.def_prop_ro(
        "actuators",
        [](const RecordingObject& self)
        {
            nb::list names;
            for (const std::string& name : self.recording->model().actuators) names.append(nb::str(name.c_str()));
            return names;
        },
        nb::sig("def actuators(self) -> list[str]"), "Names.");
    type.def_prop_ro(
        "warnings", [](const RecordingObject& self) { return to_list(self.recording->warnings()); },
        nb::sig("def warnings(self) -> list[rattleback._base.ErrorItem]"), doc("Recording::warnings"));
    type.def(
        "hash", [](RecordingObject& self) { return take(hash(*self.recording)); },
        "64 bits that depend on the model's fingerprint and on every number of every frame but timings.");
    type.def(
        "export",
        [](RecordingObject& self, const Path& path)
        {
            Status status;
            {
                const nb::gil_scoped_release released;
                status = export_recording(*self.recording, path);
            }
            require(status);
        },
        nb::arg("path"), nb::sig("def export(self, path: str | os.PathLike[str]) -> None"), doc("export_recording"));
    type.def("__repr__",
             [](const RecordingObject& self)
             {
                 const RecordedModel& model = self.recording->model();
                 return "<rattleback.Recording of '" + model.name +
                        "': " + std::to_string(self.recording->frame_count()) + " frames, solver " + model.solver + ">";
             });
    module.def(
        "load_recording",
        [](const Path& path)
        {
            const auto load = [&]
            {
                const nb::gil_scoped_release released;
                return load_recording(path);
            };
            return RecordingObject{std::make_shared<Recording>(take(load()))};
        },
        nb::arg("path"), nb::sig("def load_recording(path: str | os.PathLike[str]) -> Recording"),
        doc("load_recording"));
}

}  // namespace

void bind_record(nb::module_& module)
{
    bind_snapshot(module);
    bind_recorder(module);
    bind_recording(module);
}

}  // namespace rattleback::python
