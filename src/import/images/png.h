// PNG as heights: decodes an untrusted file to 8-bit grey within limits.
#pragma once

#include <rattleback/error.h>

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

}  // namespace rattleback
