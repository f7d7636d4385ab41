// Image: rows of red, green and blue bytes, top row first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rattleback::lab
{

struct Image
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  ///< [height][width][3], sRGB

    Image() = default;
    Image(int wide, int high)
        : width(wide), height(high), rgb(3 * static_cast<std::size_t>(wide) * static_cast<std::size_t>(high))
    {
    }
    std::uint8_t* pixel(int x, int y)
    {
        return rgb.data() +
               3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
    const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

}  // namespace rattleback::lab
