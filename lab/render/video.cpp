// ffmpeg as a child process that reads raw frames.
#include "lab/render/video.h"

#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace rattleback::lab
{

namespace
{

std::vector<std::string> make_command(const std::filesystem::path& path, int width, int height, double fps)
{
    return {"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", fmt::format("{}x{}", width, height), "-r", fmt::format("{:g}", fps), "-i", "pipe:0", "-an",
            // Nothing in the file that depends on the day or the machine.
            "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-c:v", "libx264", "-preset",
            "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", path.string()};
}

}  // namespace

VideoWriter::VideoWriter(std::filesystem::path path, std::filesystem::path temporary, int child, int socket)
    : path_(std::move(path)), temporary_(std::move(temporary)), child_(child), socket_(socket)
{
}

VideoWriter::VideoWriter(VideoWriter&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      child_(std::exchange(other.child_, -1)),
      socket_(std::exchange(other.socket_, -1))
{
}

VideoWriter::~VideoWriter()
{
    wait();
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<VideoWriter> VideoWriter::start(const std::filesystem::path& path, int width, int height, double fps)
{
    // Made here and not by ffmpeg, so that a folder that cannot be written to is an error with a reason.
    const std::filesystem::path temporary = make_temporary_path(path);
    if (const File file(temporary, O_WRONLY | O_CREAT | O_TRUNC); !file.is_open())
        return io_error(path, "cannot be created", errno);
    // A pair of sockets and not a pipe: send() can be told not to raise SIGPIPE when the child has ended.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    {
        const int code = errno;
        ::unlink(temporary.c_str());
        return io_error(path, "no socket", code);
    }
    std::vector<std::string> words = make_command(temporary, width, height, fps);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    pid_t child = -1;
    const int failure = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failure == 0) return VideoWriter(path, temporary, child, ends[0]);
    ::close(ends[0]);
    ::unlink(temporary.c_str());
    if (failure != ENOENT) return io_error(path, "ffmpeg cannot be started", failure);
    return Error{.code = ErrorCode::unsupported,
                 .where = path.string(),
                 .message = "video needs the program ffmpeg, which is not on this machine",
                 .hint = "install it (apt install ffmpeg), or write pictures into a folder: -o frames/"};
}

Status VideoWriter::add(const Image& frame)
{
    const std::uint8_t* data = frame.rgb.data();
    std::size_t left = frame.rgb.size();
    while (left > 0)
    {
        const ssize_t sent = ::send(socket_, data, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return io_error(path_, "ffmpeg ended before the last frame", errno);
        data += sent;
        left -= static_cast<std::size_t>(sent);
    }
    return {};
}

bool VideoWriter::wait()
{
    if (child_ < 0) return false;
    ::close(std::exchange(socket_, -1));
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR)
    {
    }
    child_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Status VideoWriter::finish()
{
    if (!wait())
    {
        return Error{.code = ErrorCode::io,
                     .where = path_.string(),
                     .message = "ffmpeg failed",
                     .hint = "its own words are above; it needs the encoder libx264"};
    }
    const Status replaced = replace(path_, temporary_);
    if (replaced.ok()) temporary_.clear();
    return replaced;
}

}  // namespace rattleback::lab
