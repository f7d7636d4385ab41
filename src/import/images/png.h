// PNG as heights or colours: decodes an untrusted file to 8 bits within limits.
#pragma once

#include <rattleback/error.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rattleback
{

struct GreyImage
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;  ///< [height][width], the top row first
};

/// Decodes a PNG file of any kind. As MuJoCo 4.0 does: of colours the red part counts, of 16 bits the upper 8, palettes
/// are looked up, transparency and gamma are passed over. More than `max_pixels` are refused before memory is taken for
/// them.
Result<GreyImage> parse_png(std::span<const std::byte> bytes, const std::string& name, std::uint64_t max_pixels);

struct ColourImage
{
    int width = 0, height = 0;
    std::vector<std::array<std::uint8_t, 3>> pixels;  ///< [height][width], red, green, blue, the top row first
};

/// The same with all three colours; grey has them equal.
Result<ColourImage> parse_png_colours(std::span<const std::byte> bytes, const std::string& name,
                                      std::uint64_t max_pixels);

struct PngSize
{
    int width = 0, height = 0;
};
/// What the front of the file says; the rest is not looked at.
Result<PngSize> read_png_size(std::span<const std::byte> bytes, const std::string& name);

}  // namespace rattleback
