// Snapshots: saved and loaded bit for bit, and damaged ones refused.
#include <rattleback/record.h>

#include "base/checksum.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

namespace rattleback
{

namespace
{

Snapshot make_snapshot()
{
    Snapshot snapshot;
    snapshot.model = 0x123456789ABCDEFULL;
    snapshot.solver = "smooth";
    snapshot.parameters = {{"count", 7}, {"name", std::string("text")}, {"number", 0.5}, {"switch", true}};
    snapshot.dt = 0.002;
    State& state = snapshot.state;
    state.world_count = 2;
    state.q_count = 3;
    state.v_count = 2;
    state.act_count = 1;
    state.body_count = 2;
    state.time = {0.25, 0.5};
    state.step = {125, 250};
    state.q = {0.1, -0.0, 1e-310, 4, 5, 6};
    state.v = {1, 2, 3, std::numeric_limits<double>::max()};
    state.act = {0.5, -0.5};
    state.body_pose = {{{1, 2, 3}, {1, 0, 0, 0}}, {{4, 5, 6}, {0, 1, 0, 0}}, {}, {{7, 8, 9}, {0, 0, 0, 1}}};
    state.body_velocity = {{{1, 0, 0}, {0, 1, 0}}, {}, {}, {{0, 0, 3}, {}}};
    Control& control = snapshot.control;
    control.world_count = 2;
    control.actuator_count = 1;
    control.v_count = 2;
    control.body_count = 2;
    control.kinematic_count = 1;
    control.equality_count = 2;
    control.shape_count = 1;
    control.actuator_active = {1, 0};
    control.equality_active = {0, 1, 1, 0};
    control.surface_velocity = {{{1, 2, 3}, {}}, {{}, {4, 5, 6}}};
    control.input = {1, 2};
    control.joint_force = {3, 4, 5, 6};
    control.body_wrench = {{{1, 0, 0}, {}}, {}, {}, {{}, {0, 0, 2}}};
    control.target = {{{1, 1, 1}, {}}, {{2, 2, 2}, {}}};
    snapshot.memories = {{std::byte{1}, std::byte{2}, std::byte{3}}, {}};
    return snapshot;
}

bool equal(const Snapshot& a, const Snapshot& b) { return to_bytes(a) == to_bytes(b); }

/// Puts the right checksum under bytes that were changed, as an attacker would.
void sign(std::vector<std::byte>& bytes)
{
    const std::uint32_t checksum = compute_crc32(std::span(bytes).first(bytes.size() - 4));
    std::memcpy(bytes.data() + bytes.size() - 4, &checksum, 4);
}

std::filesystem::path snapshot_path(const std::string& name)
{
    return std::filesystem::path(testing::TempDir()) / ("rattleback_" + std::to_string(::getpid()) + "_" + name);
}

}  // namespace

TEST(Snapshot, comes_back_from_bytes_as_it_was)
{
    const Snapshot snapshot = make_snapshot();
    const Result<Snapshot> loaded = to_snapshot(to_bytes(snapshot));
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    const Snapshot& copy = loaded.value();
    EXPECT_EQ(copy.model, snapshot.model);
    EXPECT_EQ(copy.solver, "smooth");
    EXPECT_EQ(copy.parameters, snapshot.parameters);
    EXPECT_EQ(copy.dt, 0.002);
    EXPECT_EQ(copy.state.time, snapshot.state.time);
    EXPECT_EQ(copy.state.step, snapshot.state.step);
    EXPECT_EQ(copy.state.q, snapshot.state.q);
    EXPECT_TRUE(std::signbit(copy.state.q[1])) << "minus zero keeps its sign";
    EXPECT_EQ(copy.state.v, snapshot.state.v);
    EXPECT_EQ(copy.state.act, snapshot.state.act);
    EXPECT_EQ(copy.state.body_pose, snapshot.state.body_pose);
    EXPECT_EQ(copy.state.body_velocity, snapshot.state.body_velocity);
    EXPECT_EQ(copy.control.input, snapshot.control.input);
    EXPECT_EQ(copy.control.joint_force, snapshot.control.joint_force);
    EXPECT_EQ(copy.control.body_wrench, snapshot.control.body_wrench);
    EXPECT_EQ(copy.control.target, snapshot.control.target);
    EXPECT_EQ(copy.control.actuator_active, snapshot.control.actuator_active);
    EXPECT_EQ(copy.control.equality_active, snapshot.control.equality_active);
    EXPECT_EQ(copy.control.surface_velocity, snapshot.control.surface_velocity);
    EXPECT_EQ(copy.memories, snapshot.memories);
}

TEST(Snapshot, every_truncation_is_an_error)
{
    const std::vector<std::byte> bytes = to_bytes(make_snapshot());
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_FALSE(to_snapshot(std::span(bytes).first(size)).ok()) << size;
    }
    std::vector<std::byte> longer = bytes;
    longer.push_back(std::byte{0});
    EXPECT_FALSE(to_snapshot(longer).ok());
}

TEST(Snapshot, every_flipped_bit_is_an_error)
{
    std::vector<std::byte> bytes = to_bytes(make_snapshot());
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
    {
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
        EXPECT_FALSE(to_snapshot(bytes).ok()) << "bit " << bit;
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
    EXPECT_TRUE(to_snapshot(bytes).ok());
}

TEST(Snapshot, bytes_changed_under_a_right_checksum_give_an_error_or_arrays_that_fit_their_sizes)
{
    const std::vector<std::byte> original = to_bytes(make_snapshot());
    std::mt19937 random(7);
    int accepted = 0, refused = 0;
    for (int i = 0; i < 2000; ++i)
    {
        std::vector<std::byte> bytes = original;
        const std::size_t bit = random() % (8 * (bytes.size() - 28)) + 8 * 24;  // behind the header
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
        sign(bytes);
        const Result<Snapshot> loaded = to_snapshot(bytes);
        if (!loaded.ok())
        {
            ++refused;
            continue;
        }
        ++accepted;
        const State& state = loaded.value().state;
        EXPECT_EQ(state.q.size(), static_cast<std::size_t>(state.world_count * state.q_count));
        EXPECT_EQ(state.body_pose.size(), static_cast<std::size_t>(state.world_count * state.body_count));
        EXPECT_EQ(to_bytes(loaded.value()), bytes) << "what was accepted is what was written";
    }
    EXPECT_GT(accepted, 500) << "most bits are numbers";
    EXPECT_GT(refused, 100) << "some are sizes";
}

TEST(Snapshot, a_huge_count_is_refused_before_memory_is_taken)
{
    std::vector<std::byte> bytes = to_bytes(make_snapshot());
    const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max() / 2;
    std::memcpy(bytes.data() + 24 + 8, &huge, sizeof(huge));  // the length of the solver's name
    sign(bytes);
    EXPECT_FALSE(to_snapshot(bytes).ok());
}

TEST(Snapshot, of_format_version_3_is_read_without_parameters_and_switches)
{
    Snapshot snapshot = make_snapshot();
    snapshot.parameters.clear();
    std::vector<std::byte> bytes = to_bytes(snapshot);
    // Version 4 is version 5 without the switches before the memories: two counts and three arrays.
    const std::ptrdiff_t memories = 8 + (8 + 3) + 8 + 4, switches = 4 + 4 + (8 + 2 * 4) + (8 + 4 * 4) + (8 + 2 * 48);
    bytes.erase(bytes.end() - memories - switches, bytes.end() - memories);
    // Version 3 is version 4 without the list of parameters behind the solver's name, which is a count of zero here.
    const auto count = bytes.begin() + static_cast<std::ptrdiff_t>(24 + 8 + 8 + snapshot.solver.size());
    bytes.erase(count, count + 8);
    bytes[8] = std::byte{3};
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + 16, &size, sizeof(size));
    sign(bytes);
    const Result<Snapshot> old = to_snapshot(bytes);
    ASSERT_TRUE(old.ok()) << to_text(old.errors());
    Control& control = snapshot.control;
    control.equality_count = control.shape_count = 0;
    control.actuator_active.clear();
    control.equality_active.clear();
    control.surface_velocity.clear();
    EXPECT_EQ(to_bytes(old.value()), to_bytes(snapshot));
}

TEST(Snapshot, names_the_version_that_it_cannot_read)
{
    std::vector<std::byte> bytes = to_bytes(make_snapshot());
    bytes[8] = std::byte{9};
    sign(bytes);
    const Result<Snapshot> loaded = to_snapshot(bytes);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.errors().front().code, ErrorCode::unsupported);
    EXPECT_NE(loaded.errors().front().text().find("version 9"), std::string::npos);
}

TEST(Snapshot, a_file_is_replaced_whole_and_leaves_nothing_beside_it)
{
    const std::filesystem::path folder = snapshot_path("folder");
    std::filesystem::create_directories(folder);
    const std::filesystem::path path = folder / "run.snapshot";
    std::ofstream(path) << "old";
    Snapshot snapshot = make_snapshot();
    ASSERT_TRUE(save(snapshot, path).ok());
    Result<Snapshot> loaded = load_snapshot(path);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    EXPECT_TRUE(equal(loaded.value(), snapshot));

    snapshot.state.q[0] = 42;
    ASSERT_TRUE(save(snapshot, path).ok());
    loaded = load_snapshot(path);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded.value().state.q[0], 42);
    int files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
    EXPECT_EQ(files, 1);
    std::filesystem::remove_all(folder);
}

TEST(Snapshot, loading_names_the_file_and_what_is_wrong_with_it)
{
    const std::filesystem::path path = snapshot_path("bad");
    const auto error_of = [&] { return load_snapshot(path).errors().at(0); };
    EXPECT_EQ(error_of().code, ErrorCode::io) << "no such file";
    EXPECT_EQ(error_of().where, path.string());

    std::ofstream(path) << "this is no snapshot, but it is long enough for a header";
    EXPECT_EQ(error_of().code, ErrorCode::syntax);
    EXPECT_EQ(error_of().where, path.string());
    std::filesystem::remove(path);

    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(error_of().code, ErrorCode::io) << "a pipe is refused without waiting for its other end";
    std::filesystem::remove(path);

    std::filesystem::create_directory(path);
    EXPECT_EQ(error_of().code, ErrorCode::io) << "a directory";
    std::filesystem::remove(path);

    std::ofstream(path).close();
    std::filesystem::resize_file(path, std::uintmax_t{5} << 30);  // sparse: takes no disk
    EXPECT_EQ(error_of().code, ErrorCode::limit);
    std::filesystem::remove(path);
}

TEST(Snapshot, saving_where_nothing_can_be_written_is_an_error)
{
    const Status saved = save(make_snapshot(), snapshot_path("missing") / "deeper" / "x");
    ASSERT_FALSE(saved.ok());
    EXPECT_EQ(saved.errors().front().code, ErrorCode::io);
}

}  // namespace rattleback
