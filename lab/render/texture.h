// Textures as the renderer reads them: pictures by rule or of files, with smaller copies for what is far away.
#pragma once

#include "lab/render/colour.h"

#include <array>
#include <cstdint>
#include <vector>

namespace rattleback::lab
{

/// A place in a texture: to the right and down, 0 to 1 for one repetition.
using TexturePlace = std::array<double, 2>;

/// sRGB values, 0 to 1, as files and MJCF give them.
using Srgb = Vec3;

/// One picture and copies of half the size, a quarter, and so on down to a pixel.
class Pyramid
{
public:
    using Pixel = std::array<std::uint8_t, 3>;

    Pyramid() = default;
    Pyramid(int width, int height, std::vector<Pixel> pixels);

    int width() const { return levels_.empty() ? 0 : levels_[0].width; }
    int height() const { return levels_.empty() ? 0 : levels_[0].height; }
    const Pixel& pixel(int column, int row) const { return levels_[0].pixels[find(levels_[0], column, row)]; }

    /// The colour around a place, averaged over a square of that size [pixels of the picture]; repeated beyond its
    /// edges, or with the edges' colours there.
    Srgb sample(const TexturePlace& place, double size, bool repeat) const;

private:
    struct Level
    {
        int width = 0, height = 0;
        std::vector<Pixel> pixels;
    };
    static std::size_t find(const Level& level, int column, int row)
    {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(level.width) + static_cast<std::size_t>(column);
    }
    static Srgb sample(const Level& level, const TexturePlace& place, bool repeat);

    std::vector<Level> levels_;
};

/// A texture of a model: one picture, or the six sides of a cube.
class TextureImage
{
public:
    /// Pixels that make() will hold, smaller copies not counted; files say it in their headers.
    static std::uint64_t count_pixels(const TextureOptions& options);
    /// Patterns are those of MuJoCo 4.0 to the pixel. On an error (a file that is no PNG): white.
    static Result<TextureImage> make(const TextureOptions& options);

    bool is_cube() const { return sides_.size() == 6; }
    /// Right, left, up, down, front, back; or the one picture.
    const Pyramid& side(int index) const { return sides_[static_cast<std::size_t>(index)]; }

    /// A flat texture around `place`, averaged over the parallelogram that the steps to the neighbouring pixels of the
    /// screen span.
    Srgb sample(const TexturePlace& place, const TexturePlace& right, const TexturePlace& down) const;
    /// A cube in a direction of any length (OpenGL's faces); `spread`: angle between neighbouring pixels [rad].
    Srgb sample(const Vec3& direction, double spread) const;

private:
    std::vector<Pyramid> sides_;
};

}  // namespace rattleback::lab
