// PNG files by hand, right or wrong, for tests of those who read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/checksum.h"

namespace rattleback
{

inline std::string to_big_endian(std::uint32_t x)
{
    return {static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8), static_cast<char>(x)};
}

inline std::string make_png_chunk(const std::string& type, const std::string& data)
{
    const std::string body = type + data;
    return to_big_endian(static_cast<std::uint32_t>(data.size())) + body +
           to_big_endian(compute_crc32(std::as_bytes(std::span(body))));
}

/// `rows`: all rows of bytes, one after the other, of `row_bytes` each. Colour 0: grey, 2: RGB, 6: RGB with alpha.
/// `said_height`: what the header says; negative: the truth.
inline std::string make_png(std::uint32_t width, const std::string& rows, std::size_t row_bytes, char colour = 0,
                            char depth = 8, std::int64_t said_height = -1)
{
    const std::size_t height = rows.size() / row_bytes;
    std::string raw;  // each row behind the number of its filter: none
    for (std::size_t i = 0; i < height; ++i) raw += '\0' + rows.substr(i * row_bytes, row_bytes);
    // A zlib stream of one stored block.
    std::uint32_t a = 1, b = 0;
    for (const char c : raw)
    {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    const auto size = static_cast<std::uint16_t>(raw.size()), inverse = static_cast<std::uint16_t>(~size);
    const std::string block{'\x78',
                            '\x01',
                            '\x01',
                            static_cast<char>(size & 255),
                            static_cast<char>(size >> 8),
                            static_cast<char>(inverse & 255),
                            static_cast<char>(inverse >> 8)};
    const auto said = static_cast<std::uint32_t>(said_height < 0 ? static_cast<std::int64_t>(height) : said_height);
    return "\x89PNG\r\n\x1a\n" +
           make_png_chunk("IHDR", to_big_endian(width) + to_big_endian(said) + std::string{depth, colour, 0, 0, 0}) +
           make_png_chunk("IDAT", block + raw + to_big_endian(b << 16 | a)) + make_png_chunk("IEND", "");
}

}  // namespace rattleback
