// Prefix codes of limited length, and bits packed as deflate packs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rattleback::lab
{

/// Bits into bytes, lowest bit first.
class BitWriter
{
public:
    /// The lowest `count` bits of `bits`; at most 16.
    void put(std::uint32_t bits, int count)
    {
        pending_ |= static_cast<std::uint64_t>(bits) << pending_count_;
        pending_count_ += count;
        while (pending_count_ >= 8)
        {
            bytes_.push_back(static_cast<std::byte>(pending_ & 0xFF));
            pending_ >>= 8;
            pending_count_ -= 8;
        }
    }
    /// All bytes; the last is filled up with zeros.
    std::vector<std::byte> finish() &&
    {
        if (pending_count_ > 0) put(0, 8 - pending_count_);
        return std::move(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
    std::uint64_t pending_ = 0;
    int pending_count_ = 0;
};

struct HuffmanCode
{
    std::vector<int> lengths;          ///< [symbol] bits; 0: never used
    std::vector<std::uint32_t> codes;  ///< [symbol] first bit lowest

    void write(int symbol, BitWriter& writer) const
    {
        const auto i = static_cast<std::size_t>(symbol);
        writer.put(codes[i], lengths[i]);
    }
};

/// A complete code for the symbols with a count, none longer than `limit` bits; the canonical one of RFC 1951. At least
/// two symbols get a code, as some readers want.
HuffmanCode build_huffman(std::span<const std::uint64_t> counts, int limit);

}  // namespace rattleback::lab
