// Running programs from a benchmark, and counting their instructions.
#include "lab/measure/measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace rattleback::lab
{

namespace
{

Error make_error(std::string message) { return {.code = ErrorCode::io, .message = std::move(message)}; }

std::string read_text(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

bool is_on_path(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::stringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
    {
        if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

/// A file name of our own in the temporary folder, removed at the end.
struct TemporaryFile
{
    TemporaryFile()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "rattleback-XXXXXX").string();
        const int descriptor = mkstemp(pattern.data());
        if (descriptor >= 0) close(descriptor);
        path = pattern;
    }
    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    std::filesystem::path path;
};

std::vector<std::string> concatenate(std::vector<std::string> first, const std::vector<std::string>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// The number after `key` in a callgrind file ("totals: 123456").
Result<double> read_callgrind(const std::vector<std::string>& arguments)
{
    const TemporaryFile file;
    const Result<int> code = run_program(
        concatenate({"valgrind", "--tool=callgrind", "--callgrind-out-file=" + file.path.string()}, arguments));
    if (!code.ok()) return code.errors();
    const std::string text = read_text(file.path);
    for (const std::string key : {"\ntotals: ", "\nsummary: "})
    {
        const std::size_t place = text.find(key);
        if (place != std::string::npos) return std::strtod(text.c_str() + place + key.size(), nullptr);
    }
    return make_error("callgrind wrote no totals");
}

/// "123456,,instructions:u,..." as written by perf stat -x,.
Result<double> read_perf(const std::vector<std::string>& arguments)
{
    const TemporaryFile file;
    const Result<int> code = run_program(
        concatenate({"perf", "stat", "-x,", "-e", "instructions:u", "-o", file.path.string(), "--"}, arguments));
    if (!code.ok()) return code.errors();
    std::stringstream text(read_text(file.path));
    for (std::string line; std::getline(text, line);)
    {
        if (line.find("instructions") == std::string::npos) continue;
        const double value = std::strtod(line.c_str(), nullptr);
        if (value > 0) return value;
    }
    return make_error("perf counts no instructions on this machine");
}

}  // namespace

std::string own_program()
{
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::string() : path.string();
}

Result<int> run_program(const std::vector<std::string>& arguments)
{
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return make_error("cannot start " + arguments[0]);

    int status = 0;
    if (waitpid(child, &status, 0) < 0) return make_error("lost " + arguments[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<double> count_instructions(const std::vector<std::string>& arguments)
{
    if (is_on_path("valgrind"))
    {
        Result<double> counted = read_callgrind(arguments);
        if (counted.ok()) return counted;
    }
    if (is_on_path("perf")) return read_perf(arguments);
    return make_error("neither valgrind nor perf is installed");
}

}  // namespace rattleback::lab
