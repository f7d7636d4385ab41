// The visible surface of every sample of a picture: integer edges, 16 samples per pixel, a depth buffer in tiles.
#pragma once

#include "lab/render/scene.h"

#include <array>
#include <optional>

namespace rattleback::lab
{

inline constexpr int kSamples = 16;
inline constexpr int kTile = 32;                 ///< [pixels]
inline constexpr std::int32_t kSubpixels = 256;  ///< steps of a pixel that corners are rounded to

/// Place of a sample in its pixel, in steps: a set where every row and every column of a 16 x 16 grid has one sample,
/// so that edges near the axes get 16 shades (the points of Hammersley).
inline constexpr std::array<std::array<std::int32_t, 2>, kSamples> kPattern = []
{
    std::array<std::array<std::int32_t, 2>, kSamples> pattern{};
    for (std::int32_t i = 0; i < kSamples; ++i)
    {
        const std::int32_t mirrored = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;
        pattern[static_cast<std::size_t>(i)] = {16 * i + 8, 16 * mirrored + 8};
    }
    return pattern;
}();

/// What a sample shows: nothing, a plane or a triangle.
struct SampleId
{
    static constexpr std::uint32_t kNothing = 0xFFFFFFFF;
    static constexpr std::uint32_t kPlane = 0x80000000;  ///< and the number of the plane
};

/// A triangle in the picture.
struct ScreenTriangle
{
    std::array<std::int32_t, 3> x{}, y{};  ///< corners [subpixels], clockwise in the picture (y down)
    InverseDepth inverse_depth;
    float nearest = 0, farthest = 0;  ///< bounds of 1 / depth: at the corners
    std::uint32_t id = 0;             ///< of the triangle in the scene
    std::uint16_t samples = 0xFFFF;   ///< of each pixel that it may cover: see-through surfaces leave some out
};

/// Appends the parts of a triangle that the camera may see: none if it looks away (unless two-sided), several if it is
/// cut by the near plane or far outside the picture.
void project(const Camera& camera, const std::array<Vec3, 3>& corners, bool two_sided, ScreenTriangle prototype,
             std::vector<ScreenTriangle>& out);

/// What a tile shows. Pixels of the tile row by row; sample depths as 1 / depth, larger is nearer.
struct Tile
{
    int x0 = 0, y0 = 0;  ///< first pixel
    alignas(64) std::array<std::array<float, kSamples>, kTile * kTile> depth;
    alignas(64) std::array<std::array<std::uint32_t, kSamples>, kTile * kTile> id;

    void clear(int left, int top);
    void draw(const ScreenTriangle& triangle);
    /// An infinite plane, in front of the camera.
    void draw_plane(const InverseDepth& inverse_depth, std::uint32_t id);
};

/// Triangles of a scene, sorted into tiles. The same order for any number of threads.
class TileList
{
public:
    TileList(const DrawnScene& scene, const Camera& camera, ThreadPool& pool);

    int tile_count() const { return columns_ * rows_; }
    /// Draws what lies in a tile.
    void fill(int number, Tile& tile) const;
    /// The surface that all samples of a tile show, where that is known without drawing it.
    std::optional<std::uint32_t> find_only_surface(int number) const;
    /// First pixel of a tile: column, row.
    std::array<int, 2> find_corner(int number) const { return {number % columns_ * kTile, number / columns_ * kTile}; }

private:
    void sort(const Camera& camera);

    struct VisiblePlane
    {
        InverseDepth inverse_depth;
        std::uint32_t id = 0;
    };

    int columns_ = 0, rows_ = 0;
    std::vector<VisiblePlane> planes_;
    std::vector<ScreenTriangle> triangles_;
    std::vector<std::size_t> begin_;      ///< [tile], and the end
    std::vector<std::uint32_t> members_;  ///< into triangles_
};

}  // namespace rattleback::lab
