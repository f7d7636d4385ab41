// Files: whole writes, reads at a place, and outputs that appear when finished.
#pragma once

#include <rattleback/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace rattleback
{

/// An error of the system, `code` from errno.
Error io_error(const std::filesystem::path& path, const std::string& what, int code);

/// An open file; closes itself. Failures leave errno.
class File
{
public:
    File() = default;
    /// `flags` as for open(2).
    File(const std::filesystem::path& path, int flags);
    ~File();
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;

    bool is_open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

    /// A file that would grow beyond what the process may write fails with EFBIG and raises no signal.
    bool write_all(std::span<const std::byte> bytes) const;
    bool write_all_at(std::span<const std::byte> bytes, std::uint64_t offset) const;
    /// From where the file stands; fewer bytes than asked for is a failure.
    bool read_all(std::span<std::byte> bytes) const;
    bool read_all_at(std::span<std::byte> bytes, std::uint64_t offset) const;
    void close();

    /// A lock that another open file may hold instead, in this process or another (flock); it ends with this one. False
    /// where one does hold it; true also where the file system knows no locks.
    bool try_lock() const;

private:
    int descriptor_ = -1;
};

/// Opens a regular file for reading and says its size; pipes, devices and folders are refused.
Result<File> open_regular(const std::filesystem::path& path, std::uint64_t& size);

/// Whether a path lies in a folder or below it, links followed on both sides. False where that cannot be told.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Where to write what shall take the place of `path` when it is finished: beside it, with this process's number.
std::filesystem::path make_temporary_path(const std::filesystem::path& path);
/// Puts the finished file, or the folder, at its place in one move: who looks there sees the old one or the whole new
/// one.
Status replace(const std::filesystem::path& path, const std::filesystem::path& temporary);

/// A file that is written beside `path` and takes its place in finish(). Without that nothing remains of it. Where
/// `path` is something else than a file (/dev/stdout), it is written directly.
class NewFile
{
public:
    static Result<NewFile> open(const std::filesystem::path& path);
    ~NewFile();
    NewFile(NewFile&& other) noexcept;
    NewFile& operator=(NewFile&&) = delete;

    Status write(std::span<const std::byte> bytes);
    Status write(std::string_view text);
    /// Replaces bytes that were written before.
    Status write_at(std::span<const std::byte> bytes, std::uint64_t offset);
    std::uint64_t size() const { return size_; }
    /// Opens it as a file that has one writer: refused where the one at `path` is still locked by its own; otherwise
    /// this one takes the place with its lock, which the File of release() keeps.
    static Result<NewFile> open_alone(const std::filesystem::path& path);

    /// Syncs and renames.
    Status finish();
    /// The same, and hands over the file for appending.
    Result<File> release();

private:
    NewFile(std::filesystem::path path, std::filesystem::path temporary, File file);

    std::filesystem::path path_;
    std::filesystem::path temporary_;  ///< empty: written directly, or done
    File file_;
    File folder_;  ///< of open_alone: locked until the new file is at its place
    std::uint64_t size_ = 0;
};

/// The whole file in one call, by a NewFile.
Status write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace rattleback
