// Tests of deflate and PNG: an inflater written from RFC 1951 gets back every byte.
#include "lab/render/png.h"

#include "base/checksum.h"
#include "lab/render/deflate.h"
#include "lab/render/huffman.h"
#include "lab/scenes/parts.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace rattleback::lab
{

namespace
{

/// Reads dynamic blocks bit by bit; throws on anything else. Slow and plain.
class Inflater
{
public:
    explicit Inflater(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::vector<std::byte> run()
    {
        while (true)
        {
            const bool last = bits(1) == 1;
            if (bits(2) != 2) throw std::runtime_error("not a dynamic block");
            read_block();
            if (last) return out_;
        }
    }
    std::size_t bytes_read() const { return (at_ + 7) / 8; }

private:
    using Code = std::map<std::pair<int, unsigned>, int>;  // (length, code) -> symbol

    unsigned bit()
    {
        const auto byte = static_cast<unsigned>(bytes_[at_ / 8]);
        return byte >> (at_++ % 8) & 1;
    }
    unsigned bits(int count)
    {
        unsigned value = 0;
        for (int i = 0; i < count; ++i) value |= bit() << i;
        return value;
    }
    static Code make_code(std::span<const int> lengths)
    {
        Code code;
        unsigned next = 0;
        for (int length = 1; length <= 15; ++length)
        {
            next <<= 1;
            for (std::size_t i = 0; i < lengths.size(); ++i)
            {
                if (lengths[i] == length) code[{length, next++}] = static_cast<int>(i);
            }
        }
        return code;
    }
    int symbol(const Code& code)
    {
        unsigned value = 0;
        for (int length = 1; length <= 15; ++length)
        {
            value = value << 1 | bit();
            if (const auto found = code.find({length, value}); found != code.end()) return found->second;
        }
        throw std::runtime_error("no such code");
    }
    void read_block()
    {
        const int literal_count = static_cast<int>(bits(5)) + 257, distance_count = static_cast<int>(bits(5)) + 1;
        const int order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        std::vector<int> meta(19);
        const int meta_count = static_cast<int>(bits(4)) + 4;
        for (int i = 0; i < meta_count; ++i) meta[static_cast<std::size_t>(order[i])] = static_cast<int>(bits(3));
        const Code meta_code = make_code(meta);
        std::vector<int> lengths;
        while (static_cast<int>(lengths.size()) < literal_count + distance_count)
        {
            const int s = symbol(meta_code);
            if (s < 16) lengths.push_back(s);
            if (s == 16) throw std::runtime_error("repeats are not written");
            if (s == 17) lengths.insert(lengths.end(), 3 + bits(3), 0);
            if (s == 18) lengths.insert(lengths.end(), 11 + bits(7), 0);
        }
        const auto split = static_cast<std::size_t>(literal_count);
        const Code literals = make_code(std::span(lengths).first(split));
        const Code distances = make_code(std::span(lengths).subspan(split));
        while (true)
        {
            const int s = symbol(literals);
            if (s == 256) return;
            if (s < 256)
            {
                out_.push_back(static_cast<std::byte>(s));
                continue;
            }
            copy(s, distances);
        }
    }
    void copy(int length_symbol, const Code& distances)
    {
        const std::size_t length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                           31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
        const std::size_t distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                             33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                             1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
        const int l = length_symbol - 257;
        const std::size_t length = length_base[l] + bits(l < 8 || l == 28 ? 0 : l / 4 - 1);
        const int d = symbol(distances);
        const std::size_t distance = distance_base[d] + bits(d < 4 ? 0 : d / 2 - 1);
        if (distance > out_.size()) throw std::runtime_error("before the start");
        for (std::size_t i = 0; i < length; ++i) out_.push_back(out_[out_.size() - distance]);
    }

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    std::vector<std::byte> out_;
};
/// What a zlib stream holds; checks its head and its checksum.
std::vector<std::byte> inflate(std::span<const std::byte> stream)
{
    EXPECT_EQ(stream[0], std::byte{0x78});
    EXPECT_EQ((static_cast<int>(stream[0]) * 256 + static_cast<int>(stream[1])) % 31, 0);
    Inflater inflater(stream.subspan(2));
    std::vector<std::byte> out = inflater.run();
    const std::size_t end = 2 + inflater.bytes_read();
    EXPECT_EQ(stream.size(), end + 4);
    std::uint32_t sum = 0;
    for (std::size_t i = end; i < stream.size(); ++i) sum = sum << 8 | static_cast<std::uint32_t>(stream[i]);
    EXPECT_EQ(sum, compute_adler32(out));
    return out;
}

std::vector<std::byte> to_bytes(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::uint32_t read_big_endian(std::span<const std::byte> bytes)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint32_t>(bytes[i]);
    return value;
}

/// The image of a PNG of ours, by the filters of ISO/IEC 15948, 9.2.
Image decode(std::span<const std::byte> png)
{
    Image image;
    std::vector<std::byte> rows;
    for (std::size_t at = 8; at < png.size();)
    {
        const std::size_t length = read_big_endian(png.subspan(at));
        const auto body = png.subspan(at + 4, 4 + length);
        EXPECT_EQ(read_big_endian(png.subspan(at + 8 + length)), compute_crc32(body));
        const std::string type(reinterpret_cast<const char*>(body.data()), 4);
        if (type == "IHDR")
            image = Image(static_cast<int>(read_big_endian(body.subspan(4))),
                          static_cast<int>(read_big_endian(body.subspan(8))));
        if (type == "IDAT") rows = inflate(body.subspan(4));
        at += 12 + length;
    }
    const std::size_t length = 3 * static_cast<std::size_t>(image.width);
    EXPECT_EQ(rows.size(), (length + 1) * static_cast<std::size_t>(image.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    {
        const auto filter = static_cast<int>(rows[y * (length + 1)]);
        for (std::size_t i = 0; i < length; ++i)
        {
            std::uint8_t* place = image.rgb.data() + y * length + i;
            const int a = i >= 3 ? place[-3] : 0, b = y > 0 ? *(place - length) : 0;
            const int c = i >= 3 && y > 0 ? *(place - length - 3) : 0;
            const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
            const int guess[] = {0, a, b, (a + b) / 2, pa <= pb && pa <= pc ? a : pb <= pc ? b : c};
            *place = static_cast<std::uint8_t>(static_cast<int>(rows[y * (length + 1) + 1 + i]) + guess[filter]);
        }
    }
    return image;
}

TEST(Deflate, gives_back_every_byte)
{
    Random random(5);
    std::vector<std::byte> noise, runs, words;
    for (int i = 0; i < 200000; ++i) noise.push_back(static_cast<std::byte>(random.bits() & 0xFF));
    while (runs.size() < 300000)
        runs.insert(runs.end(), random.bits() % 700, static_cast<std::byte>(random.bits() & 3));
    while (words.size() < 100000)
    {
        const auto word = to_bytes("word " + std::to_string(random.bits() % 300));
        words.insert(words.end(), word.begin(), word.end());
    }
    for (const auto& bytes : {std::vector<std::byte>{}, to_bytes("a"), to_bytes("aaa"), to_bytes("abcabcabcabcabc"),
                              noise, runs, words, std::vector<std::byte>(100000)})
        EXPECT_TRUE(inflate(compress(bytes)) == bytes) << bytes.size();
    EXPECT_LT(compress(std::vector<std::byte>(100000)).size(), 300U) << "one byte over and over is nearly nothing";
    EXPECT_LT(compress(words).size(), words.size() / 3);
    EXPECT_LT(compress(noise).size(), noise.size() + noise.size() / 500) << "noise does not grow much";
}

TEST(Deflate, matches_reach_back_32768_bytes_and_no_further)
{
    for (const std::size_t gap : {32768U - 300, 32768U, 32769U})
    {
        Random random(gap);
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < gap; ++i) bytes.push_back(static_cast<std::byte>(random.bits() & 0xFF));
        bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + 300);
        EXPECT_TRUE(inflate(compress(bytes)) == bytes);
    }
}

TEST(Huffman, codes_are_complete_and_no_longer_than_allowed)
{
    std::vector<std::uint64_t> counts{1, 1};  // Fibonacci's numbers make the deepest trees
    while (counts.size() < 40) counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
    for (const int limit : {7, 9, 15})
    {
        const HuffmanCode code = build_huffman(counts, limit);
        double used = 0;
        for (const int length : code.lengths)
        {
            EXPECT_GT(length, 0);
            EXPECT_LE(length, limit);
            used += 1.0 / (1 << length);
        }
        EXPECT_EQ(used, 1) << "Kraft's sum";
    }
}

TEST(Png, decodes_to_the_same_pixels)
{
    Random random(9);
    for (const auto& [width, height] : {std::pair{1, 1}, {17, 5}, {64, 48}})
    {
        Image image(width, height);
        for (int y = 0; y < height; ++y)
        {
            for (int x = 0; x < width; ++x)
            {
                image.pixel(x, y)[0] = static_cast<std::uint8_t>(4 * x);
                image.pixel(x, y)[1] = static_cast<std::uint8_t>(3 * y + x);
                image.pixel(x, y)[2] = static_cast<std::uint8_t>(y % 7 == 0 ? random.bits() & 0xFF : 9);
            }
        }
        const std::vector<std::byte> png = to_png(image);
        const Image decoded = decode(png);
        EXPECT_EQ(decoded.width, width);
        EXPECT_EQ(decoded.height, height);
        EXPECT_EQ(decoded.rgb, image.rgb);
        EXPECT_EQ(to_png(image), png);
    }
}

}  // namespace

}  // namespace rattleback::lab
