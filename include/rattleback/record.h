// Snapshots (a moment, restored bit for bit), recordings (a run, readable whatever killed it) and their exports.
#pragma once

#include <rattleback/api.h>
#include <rattleback/contacts.h>
#include <rattleback/control.h>
#include <rattleback/report.h>
#include <rattleback/state.h>
#include <rattleback/world_parameters.h>

#include <cstddef>
#include <filesystem>
#include <memory>

namespace rattleback RATTLEBACK_API
{

/// Everything the next step depends on.
struct Snapshot
{
    std::uint64_t model = 0;  ///< fingerprint of the Model
    std::string solver;
    Parameters parameters;  ///< of the solver, all of them; empty: not known (files of format version 3)
    double dt = 0;          ///< [s]
    State state;
    Control control;
    std::vector<std::vector<std::byte>> memories;  ///< of the solver, [world]
};

/// Little-endian bytes with a version and a checksum.
std::vector<std::byte> to_bytes(const Snapshot& snapshot);
/// The snapshot, or what is wrong: these bytes are untrusted.
Result<Snapshot> to_snapshot(std::span<const std::byte> bytes);

/// Writes to a temporary file, then renames: a crash leaves the old file or the new one.
Status save(const Snapshot& snapshot, const std::filesystem::path& path);
Result<Snapshot> load_snapshot(const std::filesystem::path& path);

/// A shape as a viewer needs it.
struct RecordedShape
{
    std::string name;
    ShapeType type = ShapeType::sphere;
    int body = 0;
    Pose pose;       ///< in the body frame
    Vec3 size;       ///< as Shapes::size
    int asset = -1;  ///< into RecordedModel::meshes or height_fields; hulls: the mesh of the hull itself
    std::array<float, 4> colour{0.6F, 0.65F, 0.7F, 1};
    int group = 0;
};
struct RecordedBody
{
    std::string name;
    int parent = -1;
    BodyKind kind = BodyKind::dynamic;
    double mass = 0;  ///< [kg]
    Vec3 center;      ///< centre of mass in the body frame [m]
};
struct RecordedJoint
{
    std::string name;
    JointType type = JointType::hinge;
    int body = 0;
    int q_begin = 0, v_begin = 0;
};

struct RecordedSensor
{
    std::string name;
    SensorType type = SensorType::joint_position;
    int begin = 0;  ///< first of its numbers in RecordedFrame::sensors
    int size = 1;   ///< how many
};
struct RecordedTendon
{
    std::string name;
    TendonType type = TendonType::spatial;
};

/// What a recording says of its model and run: enough to draw every frame without the engine, and to know which model,
/// solver and settings made it.
struct RecordedModel
{
    std::string name;
    std::uint64_t fingerprint = 0;  ///< of the Model
    std::string library_version;    ///< that wrote the file
    std::string solver;
    Parameters parameters;
    double dt = 0;  ///< [s]
    Vec3 gravity;   ///< [m/s^2]
    Integrator integrator = Integrator::midpoint;
    bool contacts = false;  ///< frames hold contacts with forces
    int q_count = 0, v_count = 0, act_count = 0, kinematic_count = 0;
    std::vector<RecordedBody> bodies;
    std::vector<RecordedJoint> joints;
    std::vector<std::string> actuators;  ///< names
    std::vector<RecordedShape> shapes;
    std::vector<MeshOptions> meshes;
    std::vector<HeightFieldOptions> height_fields;
    std::vector<RecordedSensor> sensors;  ///< empty in recordings of format version 1, as the tendons
    std::vector<RecordedTendon> tendons;
    Appearance appearance;  ///< empty in recordings before format version 4

    int body_count() const { return static_cast<int>(bodies.size()); }
    int actuator_count() const { return static_cast<int>(actuators.size()); }
    int sensor_value_count() const { return sensors.empty() ? 0 : sensors.back().begin + sensors.back().size; }
};

/// A contact as it is recorded. Softness and margins follow from the model.
struct RecordedContact
{
    std::int32_t first_body = -1, second_body = -1;
    std::int32_t first_shape = -1, second_shape = -1;
    Vec3 point;           ///< world [m]
    Mat3 frame;           ///< columns: normal from first to second body, two tangents; world
    double distance = 0;  ///< [m]; negative: penetration
    Vec3 friction;        ///< sliding [-], spinning [m], rolling [m]
    double restitution = 0;
    std::uint64_t feature = 0;
    Wrench force;  ///< on the second body at the contact point [N, N m], world axes

    friend bool operator==(const RecordedContact&, const RecordedContact&) = default;
};

/// A corner of the way of a spatial tendon; arcs around shapes are cut into chords.
struct RecordedTendonPoint
{
    std::int32_t tendon = 0;  ///< into RecordedModel::tendons
    std::int32_t begins =
        0;       ///< 1: begins a line (a pulley interrupts the way of a tendon); 0: joined to the one before
    Vec3 point;  ///< world [m]

    friend bool operator==(const RecordedTendonPoint&, const RecordedTendonPoint&) = default;
};

/// One frame, as spans into the recording's memory.
struct RecordedFrame
{
    double time = 0;        ///< [s]
    std::int64_t step = 0;  ///< steps taken
    std::span<const double> q, v, act;
    std::span<const Pose> body_pose;          ///< [body_count]
    std::span<const Velocity> body_velocity;  ///< [body_count]
    ControlView control;                      ///< joint_force and body_wrench are empty where all of them are zero
    Energy energy;
    Momentum momentum;
    StepReport report;
    std::span<const RecordedContact> contacts;
    std::span<const double> sensors;  ///< [sensor_value_count], or empty: not recorded
    std::span<const RecordedTendonPoint> tendon_points;
};

/// What a frame is made from. Contacts and forces may be null.
struct FrameInput
{
    double time = 0;
    std::int64_t step = 0;
    ConstWorldView world;
    ControlView control;
    StepReport report = {};
    const Contacts* contacts = nullptr;
    const ContactForces* forces = nullptr;  ///< in the order of the contacts; missing ones count as zero
    std::span<const double> sensors = {};   ///< [sensor_value_count], or empty: not recorded
    ParameterView parameters = {};          ///< gravity and masses that the world has of its own, see Batch::parameters
};

struct RecorderOptions
{
    std::string solver;     ///< that makes the frames
    Parameters parameters;  ///< of the solver
    double dt = 0;          ///< [s]; 0: the model's
    bool contacts = false;  ///< record contacts with their forces
    // A chunk is written when one of these is reached; a killed process loses the chunk it had not yet written.
    int frames_per_chunk = 256;
    double seconds_per_chunk = 1;  ///< of wall time
    ParameterView world = {};      ///< gravity and masses of the world that is recorded, where it has its own
};

/// Writes a recording. Append-safe: the file is complete up to its last chunk at any moment, whatever ends the process.
/// Errors (a full disk) are returned, once by every later call too; what was written before stays readable.
class Recorder
{
public:
    /// Replaces `path` by a recording without frames; on error an old file is left as it was.
    static Result<Recorder> open(const std::filesystem::path& path, std::shared_ptr<const Model> model,
                                 const RecorderOptions& options = {});
    Recorder(Recorder&&) noexcept;
    Recorder& operator=(Recorder&&) noexcept;
    /// Flushes; errors are lost here, call close() to see them.
    ~Recorder();

    /// Adds a frame; energy, momentum and the ways of tendons are computed here. Sizes must be those of the model.
    Status append(const FrameInput& frame);
    /// Writes the frames that still wait.
    Status flush();
    /// Flushes and waits until the file is on the disk; no frames afterwards.
    Status close();

    std::int64_t frame_count() const;  ///< appended so far

private:
    struct Impl;
    explicit Recorder(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// A recording, read chunk by chunk: memory is that of the model and one chunk, however long the file.
class Recording
{
public:
    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;
    ~Recording();

    const RecordedModel& model() const;
    std::int64_t frame_count() const;
    /// Frame `index`, valid until the next call. Errors: no such frame, or the file changed since it was opened.
    Result<RecordedFrame> frame(std::int64_t index);
    /// What was odd yet harmless: a last chunk that was cut off.
    const std::vector<Error>& warnings() const;

private:
    friend class RecordingReader;
    struct Impl;
    explicit Recording(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Opens a recording and checks every chunk. A cut-off tail is a warning; damage and foreign files are errors that name
/// the byte. Files are untrusted: every size is checked before memory is taken. Chunks up to 1 GiB.
Result<Recording> load_recording(const std::filesystem::path& path);
/// The same for bytes in memory.
Result<Recording> to_recording(std::vector<std::byte> bytes);

/// 64 bits that depend on the model's fingerprint and on every number of every frame but timings; same everywhere.
Result<std::uint64_t> hash(Recording& recording);
/// The frame as a State of one world; its hash is that of the simulation at that moment.
State to_state(const RecordedFrame& frame);

/// Where two recordings part.
struct RecordingDifference
{
    bool same = true;
    std::vector<std::string> remarks;  ///< on models, settings and lengths; those on sizes and lengths are differences
    bool comparable = true;            ///< sizes and body names agree, so that frames were compared
    std::int64_t frames_compared = 0;

    /// One number of one frame.
    struct Place
    {
        std::int64_t frame = -1;  ///< -1: nowhere
        double time = 0;          ///< [s]
        std::string quantity;     ///< for example "body_pose"
        int index = -1;           ///< body (for quantities of bodies) or entry
        std::string body;         ///< name, for quantities of bodies
        double difference = 0;    ///< absolute; infinite where one of the two is not a number
    };
    Place first;    ///< number that differs
    Place largest;  ///< difference of a body's pose [m, or of a unit quaternion]
};
/// Compares every number of every frame but timings.
/// With `tolerance` 0 bit for bit, otherwise by absolute difference.
Result<RecordingDifference> compare(Recording& first, Recording& second, double tolerance = 0);
/// Compares q, v, body poses and velocities at the times of the first recording's frames that lie inside the second:
/// with the second's frame at that time (within 1e-9 of it), otherwise with the motion between its two neighbours
/// (positions and numbers along the line, rotations along the arc between their quaternions).
Result<RecordingDifference> compare_by_time(Recording& first, Recording& second, double tolerance = 0);

/// Numpy's archive: float64 arrays named as in State, [frame][...]; sensors, and where a joint's q and v begin.
Status export_npz(Recording& recording, const std::filesystem::path& path);
/// One line per frame: time, step, energies, q, v, pose of every body but the world, inputs, sensors.
Status export_csv(Recording& recording, const std::filesystem::path& path);
/// glTF 2.0 animation with drawable shapes: one file, text (.gltf) or, for paths that end in .glb, binary.
Status export_gltf(Recording& recording, const std::filesystem::path& path);
/// One of these by the path's ending: npz, csv, gltf, glb. Written beside and renamed: nothing half-written remains.
Status export_recording(Recording& recording, const std::filesystem::path& path);

}  // namespace rattleback
