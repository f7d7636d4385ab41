// Starts a child on one end of a pair of sockets and speaks with it in lines.
#include "lab/peers/line_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace rattleback::lab
{

namespace
{

using Clock = std::chrono::steady_clock;

Error make_error(const std::string& what, int code = 0)
{
    return {.code = ErrorCode::io,
            .where = "",
            .message = code == 0 ? what : what + ": " + std::strerror(code),
            .hint = ""};
}

/// Waits until the socket can be read or written; false: too long.
bool wait_for(int socket, short event, Clock::time_point end)
{
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wanted{.fd = socket, .events = event, .revents = 0};
    return left > 0 && (poll(&wanted, 1, static_cast<int>(left)) != 0);
}

}  // namespace

Result<LineProcess> LineProcess::start(const std::vector<std::string>& command)
{
    // A pair of sockets and not pipes: send() can be told not to raise SIGPIPE when the child has ended.
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return make_error("no socket", errno);
    std::vector<char*> arguments;
    std::vector<std::string> words(command);
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t child = -1;
    const int failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure != 0)
    {
        close(ends[0]);
        return make_error("cannot start " + command[0], failure);
    }
    return LineProcess(child, ends[0]);
}

LineProcess::LineProcess(LineProcess&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      received_(std::move(other.received_))
{
}

LineProcess& LineProcess::operator=(LineProcess&& other) noexcept
{
    std::swap(child_, other.child_);
    std::swap(socket_, other.socket_);
    std::swap(received_, other.received_);
    return *this;
}

LineProcess::~LineProcess()
{
    if (child_ < 0) return;
    close(socket_);
    kill(child_, SIGKILL);  // it holds nothing that must be put in order
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR)
    {
    }
}

Result<std::string> LineProcess::ask(const std::string& line, std::chrono::milliseconds patience)
{
    const Clock::time_point end = Clock::now() + patience;
    const std::string sent = line + '\n';
    for (std::size_t done = 0; done < sent.size();)
    {
        if (!wait_for(socket_, POLLOUT, end)) return make_error("the child process does not listen");
        const ssize_t count = send(socket_, sent.data() + done, sent.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EINTR && errno != EAGAIN) return make_error("the child process has ended", errno);
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    std::size_t searched = 0;
    while (true)
    {
        if (const std::size_t newline = received_.find('\n', searched); newline != std::string::npos)
        {
            std::string answer = received_.substr(0, newline);
            received_.erase(0, newline + 1);
            return answer;
        }
        searched = received_.size();
        if (!wait_for(socket_, POLLIN, end)) return make_error("the child process does not answer");
        std::array<char, 65536> chunk;
        const ssize_t count = recv(socket_, chunk.data(), chunk.size(), MSG_DONTWAIT);
        if (count == 0) return make_error("the child process has ended");
        if (count < 0 && errno != EINTR && errno != EAGAIN) return make_error("cannot hear the child process", errno);
        if (count > 0) received_.append(chunk.data(), static_cast<std::size_t>(count));
    }
}

}  // namespace rattleback::lab
