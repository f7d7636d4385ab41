// Reads a whole regular file.
#include "import/meshes/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace rattleback
{
namespace
{

Error make_io_error(const std::filesystem::path& path, const std::string& what, int code)
{
    return {.code = ErrorCode::io,
            .where = path.string(),
            .message = what + ": " + std::error_code(code, std::generic_category()).message()};
}

const char* describe(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

Result<std::vector<std::byte>> read_open_file(int descriptor, const std::filesystem::path& path,
                                              std::uint64_t max_bytes)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) return make_io_error(path, "cannot be examined", errno);
    if (!S_ISREG(status.st_mode))
    {
        return Error{.code = ErrorCode::io,
                     .where = path.string(),
                     .message = std::string("is ") + describe(status.st_mode) + ", not a file"};
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > max_bytes)
    {
        return Error{.code = ErrorCode::limit,
                     .where = path.string(),
                     .message = std::to_string(size) + " bytes, more than " + std::to_string(max_bytes)};
    }

    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    for (std::size_t done = 0; done < bytes.size();)
    {
        const ssize_t got = ::read(descriptor, bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return make_io_error(path, "cannot be read", errno);
        if (got == 0)
        {
            return Error{.code = ErrorCode::io, .where = path.string(), .message = "became shorter while it was read"};
        }
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

}  // namespace

Result<std::vector<std::byte>> read_regular_file(const std::filesystem::path& path, std::uint64_t max_bytes)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return make_io_error(path, "cannot be opened", errno);
    Result<std::vector<std::byte>> result = read_open_file(descriptor, path, max_bytes);
    ::close(descriptor);
    return result;
}

}  // namespace rattleback
