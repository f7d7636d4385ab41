// A recorder that is killed, or whose disk is full, leaves every finished chunk.
#include "made_frames.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

namespace rattleback
{

namespace
{

constexpr int kFramesPerChunk = 100;
const RecorderOptions kOptions{.contacts = true, .frames_per_chunk = kFramesPerChunk, .seconds_per_chunk = 1e9};

/// Frames of finished chunks, in memory that child and parent share.
class SharedCount
{
public:
    SharedCount()
        : page_(::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)),
          value(*new(page_) std::atomic<std::int64_t>(0))
    {
    }
    ~SharedCount() { ::munmap(page_, sizeof(std::atomic<std::int64_t>)); }
    SharedCount(const SharedCount&) = delete;
    SharedCount& operator=(const SharedCount&) = delete;

private:
    void* page_;

public:
    std::atomic<std::int64_t>& value;
};

/// Records frames for ever.
[[noreturn]] void record_until_killed(const std::filesystem::path& path, const std::shared_ptr<const Model>& model,
                                      const std::vector<MadeFrame>& frames, std::atomic<std::int64_t>& finished)
{
    Recorder recorder = Recorder::open(path, model, kOptions).value();
    for (std::size_t i = 0;; ++i)
    {
        if (!recorder.append(frames[i % frames.size()].input()).ok()) ::_exit(3);
        if ((i + 1) % kFramesPerChunk == 0) finished = static_cast<std::int64_t>(i + 1);
    }
}

void limit_file_size(rlim_t bytes)
{
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

int count_files(const std::filesystem::path& folder)
{
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
}

}  // namespace

TEST(Recorder, slow_killed_100_times_at_random_leaves_every_finished_chunk_as_it_was_written)
{
    const auto model = make_gallery();
    std::vector<MadeFrame> frames;
    for (int i = 0; i < 64; ++i) frames.emplace_back(*model, i);
    std::mt19937 random(11);
    int cut_off = 0;
    std::int64_t checked = 0;
    for (int kill = 0; kill < 100; ++kill)
    {
        const std::filesystem::path path = temporary_path("killed.rec");
        SharedCount finished;
        const pid_t child = ::fork();
        if (child == 0) record_until_killed(path, model, frames, finished.value);
        while (!std::filesystem::exists(path)) std::this_thread::sleep_for(std::chrono::microseconds(100));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed by itself";

        Result<Recording> result = load_recording(path);
        ASSERT_TRUE(result.ok()) << to_text(result.errors());
        Recording recording = std::move(result).value();
        ASSERT_GE(recording.frame_count(), finished.value) << "a finished chunk was lost";
        ASSERT_EQ(recording.frame_count() % kFramesPerChunk, 0);
        cut_off += recording.warnings().empty() ? 0 : 1;
        for (std::int64_t i = 0; i < recording.frame_count(); ++i)
        {
            const MadeFrame& made = frames[static_cast<std::size_t>(i) % frames.size()];
            ASSERT_EQ(find_difference(*model, recording.frame(i).value(), made, true), "") << i;
        }
        checked += recording.frame_count();
        std::filesystem::remove(path);
    }
    EXPECT_GT(checked, 1000) << "the children hardly came to write";
    std::printf("100 kills: %lld frames checked, %d files ended inside a chunk\n", static_cast<long long>(checked),
                cut_off);
}

TEST(Recorder, of_a_full_device_returns_an_error)
{
    const Result<Recorder> recorder = Recorder::open("/dev/full", make_single_box());
    ASSERT_FALSE(recorder.ok());
    EXPECT_EQ(recorder.errors().front().code, ErrorCode::io);
    EXPECT_NE(recorder.errors().front().message.find("No space left"), std::string::npos);
}

TEST(Recorder, whose_disk_fills_up_says_so_and_keeps_what_is_written)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("full.rec");
    const int code = run_in_child(
        [&]
        {
            limit_file_size(20'000);
            Recorder recorder = Recorder::open(path, model, {.frames_per_chunk = 4}).value();
            for (int i = 0; i < 1000; ++i)
            {
                const Status appended = recorder.append(MadeFrame(*model, i).input());
                if (appended.ok()) continue;
                const bool again = !recorder.append(MadeFrame(*model, i).input()).ok() && !recorder.close().ok();
                return appended.errors().front().code == ErrorCode::io && again ? 0 : 1;
            }
            return 2;
        });
    EXPECT_EQ(code, 0);
    Recording recording = load_recording(path).value();
    EXPECT_TRUE(recording.warnings().empty()) << "the chunk that did not fit was taken back";
    EXPECT_GT(recording.frame_count(), 4);
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
        EXPECT_EQ(find_difference(*model, recording.frame(i).value(), MadeFrame(*model, i), false), "");
    std::filesystem::remove(path);
}

TEST(Recorder, that_cannot_begin_leaves_the_old_file_and_nothing_else)
{
    const std::filesystem::path folder = temporary_path("old");
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "run.rec") << "old";
    const int code = run_in_child(
        [&]
        {
            limit_file_size(100);
            return Recorder::open(folder / "run.rec", make_single_box()).ok() ? 1 : 0;
        });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(read_bytes(folder / "run.rec").size(), 3);
    EXPECT_EQ(count_files(folder), 1);
    std::filesystem::remove_all(folder);

    EXPECT_FALSE(Recorder::open(folder / "missing" / "run.rec", make_single_box()).ok());
    EXPECT_FALSE(Recorder::open(testing::TempDir(), make_single_box()).ok()) << "a folder";
}

TEST(Recorder, exports_that_fail_leave_nothing_behind)
{
    const auto model = make_gallery();
    const std::filesystem::path path = temporary_path("export.rec"), folder = temporary_path("exports");
    write_recording(path, model, 30, {});
    std::filesystem::create_directory(folder);
    for (const char* name : {"a.npz", "a.csv", "a.gltf", "a.glb"})
    {
        const int code = run_in_child(
            [&]
            {
                Recording recording = load_recording(path).value();
                limit_file_size(5000);
                const Status written = export_recording(recording, folder / name);
                return !written.ok() && written.errors().front().code == ErrorCode::io ? 0 : 1;
            });
        EXPECT_EQ(code, 0) << name;
        EXPECT_EQ(count_files(folder), 0) << name;
    }
    Recording recording = load_recording(path).value();
    EXPECT_FALSE(export_recording(recording, folder / "missing" / "a.npz").ok());
    const Status unknown = export_recording(recording, folder / "a.mp4");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.errors().front().code, ErrorCode::unsupported);
    std::filesystem::remove_all(folder);
    std::filesystem::remove(path);
}

}  // namespace rattleback
