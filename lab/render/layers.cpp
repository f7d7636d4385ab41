// One sample per pixel of the rasteriser's sixteen: the camera is moved so that it lies in the middle of the pixel.
#include "lab/render/layers.h"

#include "base/file.h"
#include "base/index.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <memory>

namespace rattleback::lab
{

namespace
{

constexpr std::size_t kCentral = 6;  // the sample nearest to the middle of a pixel
constexpr double kOffset = static_cast<double>(kPattern[kCentral][0]) / kSubpixels - 0.5;  // from there, right and down
static_assert(kPattern[kCentral][0] == kPattern[kCentral][1]);

/// Index of the shape that a sample shows; -1: none.
std::int32_t find_shape(const DrawnScene& scene, std::uint32_t id)
{
    if (id == SampleId::kNothing) return -1;
    if ((id & SampleId::kPlane) != 0) return scene.planes[id & ~SampleId::kPlane].shape;
    return scene.instances[scene.instance_of[id]].shape;
}

Status write_array(const char* type, const std::string& shape, std::span<const std::byte> values,
                   const std::filesystem::path& path)
{
    static_assert(std::endian::native == std::endian::little);
    constexpr std::size_t kStart = 10, kAlignment = 64;  // magic, version and length; numbers begin at a multiple
    std::string words = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
    words.append(kAlignment - (kStart + words.size() + 1) % kAlignment, ' ');
    words.push_back('\n');
    std::string head("\x93NUMPY\x01\x00", 8);
    head.push_back(static_cast<char>(words.size() & 0xFF));
    head.push_back(static_cast<char>(words.size() >> 8));
    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    NewFile file = std::move(opened).value();
    Status written = file.write(head + words);
    if (written.ok()) written = file.write(values);
    return written.ok() ? file.finish() : written;
}

}  // namespace

Surfaces draw_surfaces(DrawnScene scene, Camera camera, ThreadPool& pool)
{
    for (Instance& instance : scene.instances) instance.opacity = 1;
    camera.shift_x += kOffset;
    camera.shift_y += kOffset;
    const TileList tiles(scene, camera, pool);
    const std::size_t pixels = at(camera.width) * at(camera.height);
    Surfaces surfaces{camera.width, camera.height, std::vector<float>(pixels), std::vector<std::int32_t>(pixels)};
    std::vector<std::unique_ptr<Tile>> memory(at(pool.worker_count()));
    for (auto& tile : memory) tile = std::make_unique<Tile>();
    pool.run(tiles.tile_count(),
             [&](int number, int worker)
             {
                 Tile& tile = *memory[at(worker)];
                 tiles.fill(number, tile);
                 for (std::size_t i = 0; i < kTile * kTile; ++i)
                 {
                     const int x = tile.x0 + static_cast<int>(i % kTile), y = tile.y0 + static_cast<int>(i / kTile);
                     if (x >= camera.width || y >= camera.height) continue;
                     const std::size_t pixel = at(y) * at(camera.width) + at(x);
                     const float inverse = tile.depth[i][kCentral];
                     const double depth = 1 / static_cast<double>(inverse) - camera.setback;
                     surfaces.depth[pixel] =
                         inverse > 0 ? static_cast<float>(depth) : std::numeric_limits<float>::infinity();
                     surfaces.shape[pixel] = find_shape(scene, tile.id[i][kCentral]);
                 }
             });
    return surfaces;
}

Status write_numpy(const Surfaces& surfaces, Layer layer, const std::filesystem::path& path)
{
    const std::string shape = fmt::format("{}, {}", surfaces.height, surfaces.width);
    return layer == Layer::depth ? write_array("<f4", shape, std::as_bytes(std::span(surfaces.depth)), path)
                                 : write_array("<i4", shape, std::as_bytes(std::span(surfaces.shape)), path);
}

Status write_numpy(const Image& image, const std::filesystem::path& path)
{
    return write_array("|u1", fmt::format("{}, {}, 3", image.height, image.width), std::as_bytes(std::span(image.rgb)),
                       path);
}

}  // namespace rattleback::lab
