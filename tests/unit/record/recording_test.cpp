// Recordings: what is written comes back bit for bit, with the model that is needed to draw it.
#include "base/checksum.h"
#include "made_frames.h"
#include "record/recording_format.h"

#include <rattleback/simulation.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <random>

namespace rattleback
{

namespace
{

Recording load(const std::filesystem::path& path) { return load_recording(path).value(); }

Error error_of(const std::filesystem::path& path)
{
    const Result<Recording> recording = load_recording(path);
    return recording.ok() ? Error{.message = "no error"} : recording.errors().front();
}

}  // namespace

TEST(Recording, returns_every_frame_bit_for_bit)
{
    const auto model = make_gallery();
    for (const bool contacts : {false, true})
    {
        const std::filesystem::path path = temporary_path("frames.rec");
        write_recording(path, model, 50, {.solver = "made", .contacts = contacts, .frames_per_chunk = 7});
        Recording recording = load(path);
        ASSERT_EQ(recording.frame_count(), 50);
        EXPECT_TRUE(recording.warnings().empty());
        for (int i = 0; i < 50; ++i)
        {
            const Result<RecordedFrame> frame = recording.frame(i);
            ASSERT_TRUE(frame.ok());
            EXPECT_EQ(find_difference(*model, frame.value(), MadeFrame(*model, i), contacts), "") << i;
        }
        std::filesystem::remove(path);
    }
}

TEST(Recording, gives_frames_in_any_order)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("order.rec");
    write_recording(path, model, 40, {.frames_per_chunk = 3});
    Recording recording = load(path);
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i)
    {
        const auto index = static_cast<std::int64_t>(random() % 40);
        EXPECT_EQ(find_difference(*model, recording.frame(index).value(), MadeFrame(*model, index), false), "");
    }
    for (const std::int64_t missing : {-1, 40, 1'000'000})
    {
        const Result<RecordedFrame> frame = recording.frame(missing);
        ASSERT_FALSE(frame.ok());
        EXPECT_EQ(frame.errors().front().code, ErrorCode::invalid_value);
    }
    std::filesystem::remove(path);
}

TEST(Recording, carries_the_model_with_all_that_is_needed_to_draw_it)
{
    const auto model = make_gallery();
    const std::filesystem::path path = temporary_path("model.rec");
    const Parameters parameters{{"flag", true}, {"count", 3}, {"size", 0.1}, {"word", std::string("x")}};
    write_recording(path, model, 1, {.solver = "made", .parameters = parameters, .dt = 0.125});
    const Recording recording = load(path);
    const RecordedModel& recorded = recording.model();
    EXPECT_EQ(recorded.name, model->name);
    EXPECT_EQ(recorded.fingerprint, fingerprint(*model));
    EXPECT_EQ(recorded.solver, "made");
    EXPECT_EQ(recorded.parameters, parameters);
    EXPECT_EQ(recorded.dt, 0.125);
    EXPECT_EQ(recorded.gravity, model->settings.gravity);
    EXPECT_EQ(recorded.integrator, model->settings.integrator);
    EXPECT_FALSE(recorded.library_version.empty());
    ASSERT_EQ(recorded.body_count(), model->body_count());
    for (std::size_t i = 0; i < recorded.bodies.size(); ++i)
    {
        EXPECT_EQ(recorded.bodies[i].name, model->bodies.name[i]);
        EXPECT_EQ(recorded.bodies[i].parent, model->bodies.parent[i]);
        EXPECT_EQ(recorded.bodies[i].mass, model->bodies.mass[i]);
    }
    ASSERT_EQ(recorded.joints.size(), model->joints.name.size());
    for (std::size_t i = 0; i < recorded.joints.size(); ++i)
    {
        EXPECT_EQ(recorded.joints[i].name, model->joints.name[i]);
        EXPECT_EQ(recorded.joints[i].type, model->joints.type[i]);
        EXPECT_EQ(recorded.joints[i].q_begin, model->joints.q_begin[i]);
        EXPECT_EQ(recorded.joints[i].v_begin, model->joints.v_begin[i]);
    }
    EXPECT_EQ(recorded.actuators, model->actuators.name);
    ASSERT_EQ(recorded.sensors.size(), 2U);
    EXPECT_EQ(recorded.sensors[1].name, "place");
    EXPECT_EQ(recorded.sensors[1].type, SensorType::frame_position);
    EXPECT_EQ(recorded.sensors[1].begin, model->sensors.begin[1]);
    EXPECT_EQ(recorded.sensor_value_count(), model->sensor_value_count);
    ASSERT_EQ(recorded.tendons.size(), 2U);
    EXPECT_EQ(recorded.tendons[0].name, "rope");
    EXPECT_EQ(recorded.tendons[1].type, TendonType::fixed);
    ASSERT_EQ(recorded.shapes.size(), model->shapes.type.size());
    for (std::size_t i = 0; i < recorded.shapes.size(); ++i)
    {
        EXPECT_EQ(recorded.shapes[i].type, model->shapes.type[i]);
        EXPECT_EQ(recorded.shapes[i].pose, model->shapes.pose[i]);
        EXPECT_EQ(recorded.shapes[i].size, model->shapes.size[i]);
        EXPECT_EQ(recorded.shapes[i].colour, model->shapes.colour[i]);
        EXPECT_EQ(recorded.shapes[i].body, model->shapes.body[i]);
    }
    EXPECT_EQ(recorded.height_fields.at(0).heights, model->height_fields[0].heights);
    std::filesystem::remove(path);
}

TEST(Recording, draws_a_hull_by_the_triangles_of_the_hull)
{
    const auto model = make_gallery();
    const std::filesystem::path path = temporary_path("hull.rec");
    write_recording(path, model, 1, {});
    const Recording recording = load(path);
    for (const RecordedShape& shape : recording.model().shapes)
    {
        if (shape.type != ShapeType::hull && shape.type != ShapeType::mesh) continue;
        const MeshOptions& mesh = recording.model().meshes.at(static_cast<std::size_t>(shape.asset));
        // The fifth vertex lies inside: the hull does not have it.
        EXPECT_EQ(mesh.vertices.size(), shape.type == ShapeType::hull ? 4 : 5);
        EXPECT_EQ(mesh.triangles.size(), 4);
    }
    std::filesystem::remove(path);
}

TEST(Recording, without_frames_is_a_recording_too)
{
    const std::filesystem::path path = temporary_path("empty.rec");
    write_recording(path, make_single_box(), 0, {});
    Recording recording = load(path);
    EXPECT_EQ(recording.frame_count(), 0);
    EXPECT_TRUE(recording.warnings().empty());
    EXPECT_EQ(recording.model().name, "one box");
    std::filesystem::remove(path);
}

TEST(Recording, that_still_grows_can_be_read)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("growing.rec");
    Recorder recorder = Recorder::open(path, model, {.frames_per_chunk = 4}).value();
    for (int i = 0; i < 10; ++i)
    {
        ASSERT_TRUE(recorder.append(MadeFrame(*model, i).input()).ok());
        EXPECT_EQ(load(path).frame_count(), (i + 1) / 4 * 4);
    }
    ASSERT_TRUE(recorder.flush().ok());
    EXPECT_EQ(load(path).frame_count(), 10);
    std::filesystem::remove(path);
}

TEST(Recording, of_a_simulation_holds_its_states)
{
    const auto model = make_single_box();
    Simulation simulation = Simulation::make(model, {.solver = "smooth", .dt = 0.01}).value();
    const std::filesystem::path path = temporary_path("simulation.rec");
    Recorder recorder = make_recorder(simulation, path).value();
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i <= 20; ++i)
    {
        const StepReport report = i == 0 ? StepReport{} : simulation.run_steps(5);
        ASSERT_TRUE(record_frame(recorder, simulation, report).ok());
        hashes.push_back(hash(simulation.state()));
    }
    ASSERT_TRUE(recorder.close().ok());

    Recording recording = load(path);
    EXPECT_EQ(recording.model().solver, "smooth");
    EXPECT_EQ(recording.model().dt, 0.01);
    EXPECT_EQ(recording.model().parameters, simulation.parameters());
    ASSERT_EQ(recording.frame_count(), 21);
    for (int i = 0; i <= 20; ++i)
    {
        const RecordedFrame frame = recording.frame(i).value();
        EXPECT_EQ(frame.step, 5 * i) << "a stride of five steps";
        EXPECT_EQ(hash(to_state(frame)), hashes[static_cast<std::size_t>(i)]);
        // Free fall: what leaves the potential goes into motion.
        EXPECT_NEAR(frame.energy.total(), recording.frame(0).value().energy.total(), 1e-9);
    }
    std::filesystem::remove(path);
}

TEST(Recording, refuses_what_is_not_one)
{
    const std::filesystem::path path = temporary_path("foreign.rec");
    EXPECT_EQ(error_of(path).code, ErrorCode::io) << "a missing file";
    EXPECT_EQ(error_of(testing::TempDir()).code, ErrorCode::io) << "a folder";
    EXPECT_EQ(error_of("/dev/zero").code, ErrorCode::io) << "a device";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(error_of(path).code, ErrorCode::io) << "a pipe";
    std::filesystem::remove(path);

    for (const std::string& text : {std::string(), std::string("x"), std::string(100'000, 'x'), std::string(64, '\0'),
                                    std::string("<mujoco/>\n") + std::string(64, ' ')})
    {
        std::ofstream(path, std::ios::binary) << text;
        const Error error = error_of(path);
        EXPECT_EQ(error.code, ErrorCode::syntax);
        EXPECT_NE(error.where.find(path.string() + ", byte 0"), std::string::npos) << error.text();
    }
    std::filesystem::remove(path);
}

TEST(Recording, keeps_every_integrator)
{
    for (int i = 0; i <= static_cast<int>(Integrator::discrete); ++i)
    {
        Model model = *make_single_box();
        model.settings.integrator = static_cast<Integrator>(i);
        std::vector<std::byte> payload;
        append_model(payload, make_recorded_model(model, {}), kRecordingVersion);
        const Result<RecordedModel> read = read_model(payload, kRecordingVersion);
        ASSERT_TRUE(read.ok()) << to_string(model.settings.integrator);
        EXPECT_EQ(read->integrator, model.settings.integrator);
    }
}

TEST(Recording, of_a_later_format_is_refused_by_its_version)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("version.rec");
    write_recording(path, model, 1, {});
    std::vector<std::byte> bytes = read_bytes(path);
    std::filesystem::remove(path);
    bytes[8] = std::byte{kRecordingVersion + 1};
    const std::uint32_t checksum = compute_crc32(std::span(bytes).first(28));
    std::memcpy(bytes.data() + 28, &checksum, 4);
    const Result<Recording> recording = to_recording(bytes);
    ASSERT_FALSE(recording.ok());
    EXPECT_EQ(recording.errors().front().code, ErrorCode::unsupported);
    const std::string named = "version " + std::to_string(kRecordingVersion + 1);
    EXPECT_NE(recording.errors().front().message.find(named), std::string::npos);
}

TEST(Recording, of_format_version_1_is_read_without_sensors_and_tendons)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("version1.rec");
    write_recording(path, model, 3, {});
    std::vector<std::byte> bytes = read_bytes(path);
    std::filesystem::remove(path);
    // The model chunk of version 1 in place of the new one: no sensors and tendons, enumerators by number.
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data() + 40, 8);
    const std::span<const std::byte> payload = std::span(bytes).subspan(64, static_cast<std::size_t>(size));
    std::vector<std::byte> old_payload;
    append_model(old_payload, read_model(payload, 3).value(), 1);
    bytes.erase(bytes.begin() + 64, bytes.begin() + 64 + static_cast<std::ptrdiff_t>(size));
    bytes.insert(bytes.begin() + 64, old_payload.begin(), old_payload.end());
    size = old_payload.size();
    std::memcpy(bytes.data() + 40, &size, 8);
    bytes[8] = std::byte{1};
    const auto sign = [&](std::size_t begin, std::size_t count, std::size_t at)
    {
        const std::uint32_t checksum = compute_crc32(std::span(bytes).subspan(begin, count));
        std::memcpy(bytes.data() + at, &checksum, 4);
    };
    sign(0, 28, 28);
    sign(64, static_cast<std::size_t>(size), 56);
    sign(32, 28, 60);
    Result<Recording> recording = to_recording(bytes);
    ASSERT_TRUE(recording.ok()) << to_text(recording.errors());
    Recording old = std::move(recording).value();
    ASSERT_EQ(old.frame_count(), 3);
    EXPECT_TRUE(old.model().sensors.empty());
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(find_difference(*model, old.frame(i).value(), MadeFrame(*model, i), false), "");
}

}  // namespace rattleback
