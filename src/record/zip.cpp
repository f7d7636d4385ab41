// Zip headers, as in PKWARE's APPNOTE 4.3.
#include "record/zip.h"

#include "base/bytes.h"
#include "base/checksum.h"

#include <limits>

namespace rattleback
{

namespace
{

constexpr std::uint64_t kLocalHeader = 30, kCentralHeader = 46, kEndRecord = 22;
constexpr std::uint16_t kVersion = 20;   // 2.0: the oldest that readers expect
constexpr std::uint16_t kDate = 0x0021;  // 1 January 1980, always: equal content gives equal files

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

void append_text(std::vector<std::byte>& bytes, std::string_view text)
{
    const auto raw = std::as_bytes(std::span(text.data(), text.size()));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// The fields that local and central headers share.
void append_common(std::vector<std::byte>& bytes, std::uint32_t checksum, std::uint64_t size, std::size_t name_size)
{
    append(bytes, kVersion);
    append(bytes, std::uint16_t{0});  // flags
    append(bytes, std::uint16_t{0});  // stored
    append(bytes, std::uint16_t{0});  // time
    append(bytes, kDate);
    append(bytes, checksum);
    append(bytes, low(size));
    append(bytes, low(size));
    append(bytes, static_cast<std::uint16_t>(name_size));
    append(bytes, std::uint16_t{0});  // extra field
}

}  // namespace

std::size_t ZipWriter::add(std::string name, std::uint64_t size)
{
    const std::uint64_t header = kLocalHeader + name.size();
    entries_.push_back({.name = std::move(name), .offset = end_, .size = size});
    end_ += header + size;
    return entries_.size() - 1;
}

bool ZipWriter::fits() const
{
    std::uint64_t directory = kEndRecord;
    for (const Entry& entry : entries_) directory += kCentralHeader + entry.name.size();
    return end_ + directory < std::numeric_limits<std::uint32_t>::max() && entries_.size() < 0xFFFF;
}

Status ZipWriter::append(std::size_t index, std::span<const std::byte> bytes)
{
    Entry& entry = entries_[index];
    RB_ASSERT(entry.filled + bytes.size() <= entry.size);
    entry.checksum = compute_crc32(bytes, entry.checksum);
    const std::uint64_t begin = entry.offset + kLocalHeader + entry.name.size() + entry.filled;
    entry.filled += bytes.size();
    return file_.write_at(bytes, begin);
}

Status ZipWriter::finish()
{
    std::vector<std::byte> directory;
    for (const Entry& entry : entries_)
    {
        RB_ASSERT(entry.filled == entry.size);
        std::vector<std::byte> local;
        rattleback::append(local, std::uint32_t{0x04034B50});
        append_common(local, entry.checksum, entry.size, entry.name.size());
        append_text(local, entry.name);
        const Status written = file_.write_at(local, entry.offset);
        if (!written.ok()) return written;

        rattleback::append(directory, std::uint32_t{0x02014B50});
        rattleback::append(directory, kVersion);
        append_common(directory, entry.checksum, entry.size, entry.name.size());
        directory.insert(directory.end(), 10, std::byte{0});  // comment, disk, attributes
        rattleback::append(directory, low(entry.offset));
        append_text(directory, entry.name);
    }
    const std::uint64_t directory_size = directory.size();
    rattleback::append(directory, std::uint32_t{0x06054B50});
    rattleback::append(directory, std::uint32_t{0});  // disks
    for (int i = 0; i < 2; ++i) rattleback::append(directory, static_cast<std::uint16_t>(entries_.size()));
    rattleback::append(directory, low(directory_size));
    rattleback::append(directory, low(end_));
    rattleback::append(directory, std::uint16_t{0});  // comment
    const Status written = file_.write_at(directory, end_);
    return written.ok() ? file_.finish() : written;
}

}  // namespace rattleback
