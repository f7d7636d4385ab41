// A zip archive without compression, whose entries are laid out first and filled in any order.
#pragma once

#include "base/file.h"

#include <vector>

namespace rattleback
{

/// Entries have known sizes, so that one pass over a recording can fill all of them.
class ZipWriter
{
public:
    explicit ZipWriter(NewFile file) : file_(std::move(file)) {}

    /// Makes room for an entry of `size` bytes; its number. The name is ASCII.
    std::size_t add(std::string name, std::uint64_t size);
    /// False when the archive needs more than the 4 GiB that plain zip can address.
    bool fits() const;
    /// Appends to what the entry holds so far.
    Status append(std::size_t entry, std::span<const std::byte> bytes);
    /// Writes the directories. Every entry must be full.
    Status finish();

private:
    struct Entry
    {
        std::string name;
        std::uint64_t offset = 0;  ///< of its header
        std::uint64_t size = 0;
        std::uint64_t filled = 0;
        std::uint32_t checksum = 0;
    };

    NewFile file_;
    std::vector<Entry> entries_;
    std::uint64_t end_ = 0;
};

}  // namespace rattleback
