// Files over the system's calls, which a full disk or a signal may cut short at any place.
#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>

namespace rattleback
{

namespace
{

/// Keeps SIGXFSZ, which would end the process, from this thread while it writes: the call's EFBIG says the same.
class FileSizeSignal
{
public:
    FileSizeSignal()
    {
        ::sigemptyset(&set_);
        ::sigaddset(&set_, SIGXFSZ);
        blocked_ = ::pthread_sigmask(SIG_BLOCK, &set_, &old_) == 0 && ::sigismember(&old_, SIGXFSZ) == 0;
    }
    ~FileSizeSignal()
    {
        if (!blocked_) return;
        const int code = errno;
        // The one that this write raised is taken before signals are let through again.
        const timespec now{};
        while (::sigtimedwait(&set_, nullptr, &now) > 0)
        {
        }
        ::pthread_sigmask(SIG_SETMASK, &old_, nullptr);
        errno = code;
    }
    FileSizeSignal(const FileSizeSignal&) = delete;
    FileSizeSignal& operator=(const FileSizeSignal&) = delete;

private:
    sigset_t set_{}, old_{};
    bool blocked_ = false;
};

/// Calls `transfer` until all of `bytes` went through it.
template <class Bytes, class Transfer>
bool transfer_all(Bytes bytes, const Transfer& transfer)
{
    while (!bytes.empty())
    {
        const ssize_t count = transfer(bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        if (count == 0)  // shorter than it said: it changed while being read
        {
            errno = EIO;
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

/// After a rename the directory itself must reach the disk too. File systems without that ability are let pass.
void sync_directory(const std::filesystem::path& directory)
{
    const File file(directory.empty() ? "." : directory, O_RDONLY | O_DIRECTORY);
    if (file.is_open()) ::fsync(file.descriptor());
}

}  // namespace

Error io_error(const std::filesystem::path& path, const std::string& what, int code)
{
    return {.code = ErrorCode::io,
            .where = path.string(),
            .message = what + ": " + std::error_code(code, std::generic_category()).message()};
}

File::File(const std::filesystem::path& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
File::~File() { close(); }
File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept
{
    if (this != &other)
    {
        close();
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

void File::close()
{
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

bool File::write_all(std::span<const std::byte> bytes) const
{
    const FileSizeSignal held;
    return transfer_all(
        bytes, [&](std::span<const std::byte> rest) { return ::write(descriptor_, rest.data(), rest.size()); });
}

bool File::write_all_at(std::span<const std::byte> bytes, std::uint64_t offset) const
{
    const FileSizeSignal held;
    return transfer_all(bytes,
                        [&](std::span<const std::byte> rest)
                        {
                            const std::uint64_t done = bytes.size() - rest.size();
                            return ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
                        });
}

bool File::read_all(std::span<std::byte> bytes) const
{
    return transfer_all(bytes,
                        [&](std::span<std::byte> rest) { return ::read(descriptor_, rest.data(), rest.size()); });
}

bool File::read_all_at(std::span<std::byte> bytes, std::uint64_t offset) const
{
    return transfer_all(bytes,
                        [&](std::span<std::byte> rest)
                        {
                            const std::uint64_t done = bytes.size() - rest.size();
                            return ::pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
                        });
}

bool File::try_lock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

Result<File> open_regular(const std::filesystem::path& path, std::uint64_t& size)
{
    File file(path, O_RDONLY | O_NONBLOCK);  // a pipe must not keep us waiting
    if (!file.is_open()) return io_error(path, "cannot be opened", errno);
    struct stat status = {};
    if (::fstat(file.descriptor(), &status) != 0) return io_error(path, "cannot be examined", errno);
    if (!S_ISREG(status.st_mode))
    {
        return Error{.code = ErrorCode::io, .where = path.string(), .message = "is not a regular file"};
    }
    size = static_cast<std::uint64_t>(status.st_size);
    return file;
}

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder)
{
    namespace fs = std::filesystem;
    std::error_code code;
    const auto settle = [&](const fs::path& any)
    { return code ? fs::path() : fs::weakly_canonical(fs::absolute(any, code), code); };
    const fs::path inner = settle(path), outer = settle(folder);
    if (code || inner.empty() || outer.empty()) return false;
    const fs::path relative = inner.lexically_relative(outer);
    return !relative.empty() && *relative.begin() != "..";
}

std::filesystem::path make_temporary_path(const std::filesystem::path& path)
{
    return path.string() + ".tmp" + std::to_string(::getpid());
}

Status replace(const std::filesystem::path& path, const std::filesystem::path& temporary)
{
    if (::rename(temporary.c_str(), path.c_str()) != 0) return io_error(path, "cannot be replaced", errno);
    sync_directory(path.parent_path());
    return {};
}

NewFile::NewFile(std::filesystem::path path, std::filesystem::path temporary, File file)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file))
{
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      folder_(std::move(other.folder_)),
      size_(other.size_)
{
}

NewFile::~NewFile()
{
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<NewFile> NewFile::open(const std::filesystem::path& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    {
        File file(path, O_WRONLY);  // renaming over a device would remove it; a folder fails here
        if (!file.is_open()) return io_error(path, "cannot be written", errno);
        return NewFile(path, {}, std::move(file));
    }
    const std::filesystem::path temporary = make_temporary_path(path);
    ::unlink(temporary.c_str());  // left by a process of this number that was killed
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.is_open()) return io_error(path, "cannot be created", errno);
    return NewFile(path, temporary, std::move(file));
}

Result<NewFile> NewFile::open_alone(const std::filesystem::path& path)
{
    // Writers of one folder come one after the other: who looks at a file here sees the lock of the one that made it.
    const std::filesystem::path folder = path.parent_path();
    File gate(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
    if (gate.is_open())
    {
        while (::flock(gate.descriptor(), LOCK_EX) != 0 && errno == EINTR)
        {
        }
    }
    const File present(path, O_RDONLY | O_NONBLOCK);  // a pipe must not keep us waiting
    struct stat status = {};
    if (present.is_open() && ::fstat(present.descriptor(), &status) == 0 && S_ISREG(status.st_mode) &&
        !present.try_lock())
    {
        return Error{.code = ErrorCode::io,
                     .where = path.string(),
                     .message = "is being written by another run",
                     .hint = "wait until that ends, or write to another file"};
    }
    Result<NewFile> opened = open(path);
    if (!opened.ok() || opened->temporary_.empty()) return opened;
    opened->file_.try_lock();
    opened->folder_ = std::move(gate);
    return opened;
}

Status NewFile::write(std::span<const std::byte> bytes)
{
    if (!file_.write_all(bytes)) return io_error(path_, "cannot be written", errno);
    size_ += bytes.size();
    return {};
}

Status NewFile::write(std::string_view text) { return write(std::as_bytes(std::span(text.data(), text.size()))); }

Status NewFile::write_at(std::span<const std::byte> bytes, std::uint64_t offset)
{
    if (!file_.write_all_at(bytes, offset)) return io_error(path_, "cannot be written", errno);
    return {};
}

Status NewFile::finish()
{
    if (temporary_.empty()) return {};
    if (::fsync(file_.descriptor()) != 0) return io_error(path_, "cannot be written", errno);
    const Status replaced = replace(path_, temporary_);
    if (replaced.ok()) temporary_.clear();
    folder_.close();
    return replaced;
}

Result<File> NewFile::release()
{
    const Status finished = finish();
    if (!finished.ok()) return finished.errors();
    return std::move(file_);
}

Status write_file(const std::filesystem::path& path, std::string_view text)
{
    Result<NewFile> file = NewFile::open(path);
    if (!file.ok()) return file.errors();
    const Status written = file->write(text);
    return written.ok() ? file->finish() : written;
}

}  // namespace rattleback
