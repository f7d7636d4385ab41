// Deflate: matches through hash chains, then one dynamic Huffman code per block.
#include "lab/render/deflate.h"

#include "lab/render/huffman.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

constexpr std::size_t kWindow = 32768, kLongest = 258, kShortest = 3;
constexpr int kChain = 24;                // places tried for a match
constexpr std::size_t kBlock = 1U << 16;  // literals and matches under one code
constexpr int kEndOfBlock = 256;

/// A literal byte (distance 0), or a match.
struct Token
{
    std::uint16_t length = 0;  ///< or the literal
    std::uint16_t distance = 0;
};

/// A code and the extra bits that follow it.
struct Symbol
{
    int code = 0;
    int extra_bits = 0;
    std::uint32_t extra = 0;
};

/// RFC 1951, 3.2.5: codes 257 to 285, groups of four that double their width.
Symbol length_symbol(int length)
{
    if (length == 258) return {285, 0, 0};
    const int value = length - 3;
    if (value < 8) return {257 + value, 0, 0};
    int bits = 0;
    while (value >> (bits + 3) != 0) ++bits;
    return {257 + 4 * bits + (value >> bits), bits, static_cast<std::uint32_t>(value & ((1 << bits) - 1))};
}

/// Codes 0 to 29, groups of two.
Symbol distance_symbol(int distance)
{
    const int value = distance - 1;
    if (value < 4) return {value, 0, 0};
    int bits = 0;
    while (value >> (bits + 2) != 0) ++bits;
    return {2 * bits + (value >> bits), bits, static_cast<std::uint32_t>(value & ((1 << bits) - 1))};
}

/// Finds earlier places with the same next bytes.
class Matcher
{
public:
    explicit Matcher(std::span<const std::byte> bytes) : bytes_(bytes), head_(kTable, -1), previous_(kWindow, -1) {}

    void insert(std::size_t at)
    {
        if (at + kShortest > bytes_.size()) return;
        std::int64_t& head = head_[hash(at)];
        previous_[at % kWindow] = head;
        head = static_cast<std::int64_t>(at);
    }

    /// The longest match at `at` among the latest places; length 0: none.
    Token find(std::size_t at) const
    {
        Token best;
        if (at + kShortest > bytes_.size()) return best;
        const std::size_t limit = std::min(kLongest, bytes_.size() - at);
        std::int64_t place = head_[hash(at)];
        for (int tried = 0; tried < kChain && place >= 0; ++tried)
        {
            const auto from = static_cast<std::size_t>(place);
            if (at - from > kWindow) break;
            std::size_t length = 0;
            while (length < limit && bytes_[from + length] == bytes_[at + length]) ++length;
            if (length >= kShortest && length > best.length)
                best = {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(at - from)};
            if (length == limit) break;
            const std::int64_t older = previous_[from % kWindow];
            if (older >= place) break;  // its slot was taken by a later place
            place = older;
        }
        return best;
    }

private:
    static constexpr std::size_t kTable = 1U << 15;

    std::size_t hash(std::size_t at) const
    {
        const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(bytes_[at + i]); };
        return ((byte(0) | byte(1) << 8 | byte(2) << 16) * 0x9E3779B1U) >> 17;
    }

    std::span<const std::byte> bytes_;
    std::vector<std::int64_t> head_, previous_;
};

struct Codes
{
    HuffmanCode literals, distances;
};

/// Lengths of both codes, as RFC 1951 3.2.7 wants them; runs of equal lengths are not shortened except zeros.
void write_codes(const Codes& codes, BitWriter& writer)
{
    constexpr std::array kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::vector<int> lengths(codes.literals.lengths);
    lengths.insert(lengths.end(), codes.distances.lengths.begin(), codes.distances.lengths.end());
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < lengths.size();)
    {
        std::size_t run = 1;
        while (i + run < lengths.size() && run < 138 && lengths[i + run] == lengths[i]) ++run;
        if (lengths[i] == 0 && run >= 11)
            symbols.push_back({18, 7, static_cast<std::uint32_t>(run - 11)});
        else if (lengths[i] == 0 && run >= 3)
            symbols.push_back({17, 3, static_cast<std::uint32_t>(run - 3)});
        else
        {
            symbols.push_back({lengths[i], 0, 0});
            run = 1;
        }
        i += run;
    }
    std::vector<std::uint64_t> counts(19);
    for (const Symbol& symbol : symbols) ++counts[static_cast<std::size_t>(symbol.code)];
    const HuffmanCode code = build_huffman(counts, 7);
    writer.put(static_cast<std::uint32_t>(codes.literals.lengths.size() - 257), 5);
    writer.put(static_cast<std::uint32_t>(codes.distances.lengths.size() - 1), 5);
    writer.put(19 - 4, 4);
    for (const int symbol : kOrder)
        writer.put(static_cast<std::uint32_t>(code.lengths[static_cast<std::size_t>(symbol)]), 3);
    for (const Symbol& symbol : symbols)
    {
        code.write(symbol.code, writer);
        writer.put(symbol.extra, symbol.extra_bits);
    }
}

void write_block(std::span<const Token> tokens, bool last, BitWriter& writer)
{
    std::vector<std::uint64_t> literal_counts(286), distance_counts(30);
    for (const Token& token : tokens)
    {
        if (token.distance == 0)
        {
            ++literal_counts[token.length];
            continue;
        }
        ++literal_counts[static_cast<std::size_t>(length_symbol(token.length).code)];
        ++distance_counts[static_cast<std::size_t>(distance_symbol(token.distance).code)];
    }
    ++literal_counts[kEndOfBlock];
    const Codes codes{build_huffman(literal_counts, 15), build_huffman(distance_counts, 15)};
    writer.put(last ? 1 : 0, 1);
    writer.put(2, 2);  // dynamic codes
    write_codes(codes, writer);
    for (const Token& token : tokens)
    {
        if (token.distance == 0)
        {
            codes.literals.write(token.length, writer);
            continue;
        }
        const Symbol length = length_symbol(token.length), distance = distance_symbol(token.distance);
        codes.literals.write(length.code, writer);
        writer.put(length.extra, length.extra_bits);
        codes.distances.write(distance.code, writer);
        writer.put(distance.extra, distance.extra_bits);
    }
    codes.literals.write(kEndOfBlock, writer);
}

}  // namespace

std::vector<std::byte> compress(std::span<const std::byte> bytes)
{
    BitWriter writer;
    writer.put(0x78, 8);  // deflate with a window of 32 KiB
    writer.put(0x9C, 8);
    Matcher matcher(bytes);
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < bytes.size();)
    {
        Token token = matcher.find(at);
        matcher.insert(at);
        if (token.length > 0 && token.length < 32 && matcher.find(at + 1).length > token.length) token.length = 0;
        if (token.length == 0) token = {static_cast<std::uint16_t>(bytes[at]), 0};
        const std::size_t step = token.distance == 0 ? 1 : token.length;
        for (std::size_t i = 1; i < step; ++i) matcher.insert(at + i);
        at += step;
        tokens.push_back(token);
        if (tokens.size() < kBlock || at == bytes.size()) continue;
        write_block(tokens, false, writer);
        tokens.clear();
    }
    write_block(tokens, true, writer);
    std::vector<std::byte> out = std::move(writer).finish();
    const std::uint32_t sum = compute_adler32(bytes);
    for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<std::byte>(sum >> shift & 0xFF));
    return out;
}

std::uint32_t compute_adler32(std::span<const std::byte> bytes)
{
    constexpr std::uint32_t kPrime = 65521;
    std::uint32_t a = 1, b = 0;
    for (std::size_t i = 0; i < bytes.size();)
    {
        const std::size_t end = std::min(bytes.size(), i + 5552);  // so far the sums stay below 2^32
        for (; i < end; ++i)
        {
            a += static_cast<std::uint32_t>(bytes[i]);
            b += a;
        }
        a %= kPrime;
        b %= kPrime;
    }
    return b << 16 | a;
}

}  // namespace rattleback::lab
