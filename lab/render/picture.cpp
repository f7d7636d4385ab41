// A tile at a time: which surface each sample shows, then the light of each surface once per pixel.
#include "lab/render/picture.h"

#include "base/index.h"
#include "lab/render/shading.h"

#include <algorithm>
#include <memory>

namespace rattleback::lab
{

namespace
{

/// Bytes by table: twice as fine as bytes are where they are finest.
class Encoder
{
public:
    Encoder()
    {
        for (std::size_t i = 0; i < kSize; ++i) table_[i] = to_byte(kMost * static_cast<double>(i) / (kSize - 1));
    }
    std::uint8_t operator()(double linear) const
    {
        return table_[static_cast<std::size_t>(std::lround(keep_within(linear / kMost, 0, 1) * (kSize - 1)))];
    }

private:
    static constexpr std::size_t kSize = 1U << 15;
    static constexpr double kMost = 4;
    std::vector<std::uint8_t> table_ = std::vector<std::uint8_t>(kSize);
};

/// The mean over the samples of a pixel; a surface is shaded once, at the middle of its samples.
Light resolve(const Shader& shader, const std::array<std::uint32_t, kSamples>& ids, int x, int y)
{
    Light sum;
    std::array<bool, kSamples> done{};
    for (std::size_t i = 0; i < kSamples; ++i)
    {
        if (done[i]) continue;
        int count = 0;
        double dx = 0, dy = 0;
        for (std::size_t k = i; k < kSamples; ++k)
        {
            if (ids[k] != ids[i]) continue;
            done[k] = true;
            ++count;
            dx += kPattern[k][0];
            dy += kPattern[k][1];
        }
        sum += count * shader.shade(ids[i], x + dx / (count * kSubpixels), y + dy / (count * kSubpixels));
    }
    return 1.0 / kSamples * sum;
}

}  // namespace

Vec3 find_sun(const Camera& camera, const Vec3& up)
{
    const Vec3 back = -camera.forward + dot(camera.forward, up) * up;
    const double length = norm(back);
    const Vec3 horizontal = length > 1e-9 ? 1 / length * back : camera.up;
    const Vec3 direction = 0.55 * horizontal - 0.62 * camera.right + 1.15 * up;
    return 1 / norm(direction) * direction;
}

double find_grid_step(double extent)
{
    const double wanted = std::clamp(extent, 1e-9, 1e9) / 4;
    double step = 1e-12;
    while (10 * step <= wanted) step *= 10;
    return 5 * step <= wanted ? 5 * step : 2 * step <= wanted ? 2 * step : step;
}

Image draw_picture(const DrawnScene& scene, const Camera& camera, const PictureOptions& options, ThreadPool& pool)
{
    const TileList tiles(scene, camera, pool);
    // Shadows of things far outside the picture are left out: the maps would be too coarse for the rest.
    const bool near = norm(scene.middle - options.focus) + scene.radius <= 3 * options.extent;
    const Shadows shadows(
        scene, near ? scene.middle : options.focus,
        near               ? scene.radius
        : scene.radius > 0 ? 3 * options.extent
                           : 0,
        {.to_sun = find_sun(camera, options.up), .up = options.up, .sky_count = options.draft ? 0 : 64}, pool);
    const Shader shader(scene, camera, options, &shadows);
    const Encoder encode;
    Image image(camera.width, camera.height);
    std::vector<std::unique_ptr<Tile>> memory(at(pool.worker_count()));
    for (auto& tile : memory) tile = std::make_unique<Tile>();
    // Neighbouring tiles cost alike: dealt out in turn, every worker gets its part of each region.
    const int count = tiles.tile_count(), workers = pool.worker_count(), share = (count + workers - 1) / workers;
    pool.run(workers * share,
             [&](int task, int worker)
             {
                 const int number = task % share * workers + task / share;
                 if (number >= count) return;
                 Tile& tile = *memory[at(worker)];
                 tiles.fill(number, tile);
                 for (int y = tile.y0; y < std::min(tile.y0 + kTile, camera.height); ++y)
                 {
                     for (int x = tile.x0; x < std::min(tile.x0 + kTile, camera.width); ++x)
                     {
                         const Light light = resolve(shader, tile.id[at((y - tile.y0) * kTile + x - tile.x0)], x, y);
                         std::uint8_t* pixel = image.pixel(x, y);
                         for (int k = 0; k < 3; ++k) pixel[k] = encode(light[k]);
                     }
                 }
             });
    return image;
}

}  // namespace rattleback::lab
