// PNG: each row as differences to its neighbours by the filter that leaves least, then deflate.
#include "lab/render/png.h"

#include "base/checksum.h"
#include "base/file.h"
#include "lab/render/deflate.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace rattleback::lab
{

namespace
{

constexpr int kFilters = 5;  // none, left, up, average, Paeth
constexpr std::size_t kChannels = 3;

/// PNG 9.4: of left, above and upper left the one nearest to left + above - upper left.
int predict_paeth(int left, int above, int corner)
{
    const int guess = left + above - corner;
    const int to_left = std::abs(guess - left), to_above = std::abs(guess - above),
              to_corner = std::abs(guess - corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/// The filtered byte of every filter at `i` of a row; `above` is empty in the first.
std::array<std::uint8_t, kFilters> filter_byte(const std::uint8_t* row, const std::uint8_t* above, std::size_t i)
{
    const int value = row[i], left = i >= kChannels ? row[i - kChannels] : 0, up = above ? above[i] : 0;
    const int corner = above && i >= kChannels ? above[i - kChannels] : 0;
    const auto byte = [](int difference) { return static_cast<std::uint8_t>(difference & 0xFF); };
    return {byte(value), byte(value - left), byte(value - up), byte(value - (left + up) / 2),
            byte(value - predict_paeth(left, up, corner))};
}

/// The filter with the smallest sum of absolute differences, and the row filtered by it.
void append_row(const std::uint8_t* row, const std::uint8_t* above, std::size_t length, std::vector<std::byte>& out)
{
    std::array<std::vector<std::uint8_t>, kFilters> filtered;
    for (auto& bytes : filtered) bytes.resize(length);
    std::array<std::uint64_t, kFilters> sum{};
    for (std::size_t i = 0; i < length; ++i)
    {
        const auto bytes = filter_byte(row, above, i);
        for (std::size_t k = 0; k < kFilters; ++k)
        {
            filtered[k][i] = bytes[k];
            sum[k] += bytes[k] < 128 ? bytes[k] : 256U - bytes[k];
        }
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < kFilters; ++k)
    {
        if (sum[k] < sum[best]) best = k;
    }
    out.push_back(static_cast<std::byte>(best));
    const auto bytes = std::as_bytes(std::span(filtered[best]));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_big_endian(std::uint32_t value, std::vector<std::byte>& out)
{
    for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<std::byte>(value >> shift & 0xFF));
}

void append_chunk(std::string_view type, std::span<const std::byte> data, std::vector<std::byte>& out)
{
    append_big_endian(static_cast<std::uint32_t>(data.size()), out);
    const std::size_t begin = out.size();
    const auto name = std::as_bytes(std::span(type));
    out.insert(out.end(), name.begin(), name.end());
    out.insert(out.end(), data.begin(), data.end());
    append_big_endian(compute_crc32(std::span(out).subspan(begin)), out);
}

}  // namespace

std::vector<std::byte> to_png(const Image& image)
{
    const std::size_t length = kChannels * static_cast<std::size_t>(image.width);
    std::vector<std::byte> rows;
    rows.reserve((length + 1) * static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y)
        append_row(image.pixel(0, y), y > 0 ? image.pixel(0, y - 1) : nullptr, length, rows);

    std::vector<std::byte> out;
    for (const unsigned byte : {0x89U, 0x50U, 0x4EU, 0x47U, 0x0DU, 0x0AU, 0x1AU, 0x0AU})
        out.push_back(static_cast<std::byte>(byte));
    std::vector<std::byte> header;
    append_big_endian(static_cast<std::uint32_t>(image.width), header);
    append_big_endian(static_cast<std::uint32_t>(image.height), header);
    for (const unsigned byte : {8U, 2U, 0U, 0U, 0U}) header.push_back(static_cast<std::byte>(byte));  // 8 bits, RGB
    append_chunk("IHDR", header, out);
    const std::byte intent{0};
    append_chunk("sRGB", {&intent, 1}, out);
    append_chunk("IDAT", compress(rows), out);
    append_chunk("IEND", {}, out);
    return out;
}

Status write_png(const Image& image, const std::filesystem::path& path)
{
    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    NewFile file = std::move(opened).value();
    const Status written = file.write(to_png(image));
    return written.ok() ? file.finish() : written;
}

}  // namespace rattleback::lab
