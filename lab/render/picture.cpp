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
        return table_[static_cast<std::size_t>(keep_within(linear / kMost, 0, 1) * (kSize - 1) + 0.5)];
    }

private:
    static constexpr std::size_t kSize = 1U << 15;
    static constexpr double kMost = 4;
    std::vector<std::uint8_t> table_ = std::vector<std::uint8_t>(kSize);
};

using Ids = std::array<std::uint32_t, kSamples>;

/// The light of the pixels of one tile. A surface is shaded once per pixel, at the middle of its samples; what it gets
/// from the sky changes slowly along it, and is interpolated where it may be.
class TileLight
{
public:
    TileLight(const DrawnScene& scene, const Camera& camera, const Shader& shader)
        : scene_(scene), camera_(camera), shader_(shader)
    {
    }

    /// Before find(): a tile with its samples, or one that shows a single surface.
    void start(const Tile& tile)
    {
        start(tile.x0, tile.y0);
        tile_ = &tile;
        for (std::size_t i = 0; i < kTile * kTile; ++i)
        {
            key_[i] = find_common_key(tile.id[i]);
            shown_[i] = tile.id[i][kMiddle];
        }
        fill_sky();
    }
    void start(std::array<int, 2> corner, std::uint32_t only)
    {
        start(corner[0], corner[1]);
        key_.fill(find_key(only));
        shown_.fill(only);
        fill_sky();
    }

    Light find(int x, int y) const
    {
        const std::size_t pixel = at((y - y0_) * kTile + x - x0_);
        if (key_[pixel] != kMixed) return shader_.shade(shown_[pixel], x + 0.5, y + 0.5, sky_[pixel]);
        return find_mixed(pixel, x, y);
    }

    int x0() const { return x0_; }
    int y0() const { return y0_; }
    int x1() const { return x0_ + wide_; }
    int y1() const { return y0_ + high_; }

private:
    static constexpr int kBlock = 16;           // [pixels] over which the sky's light is interpolated at most
    static constexpr float kTolerance = 0.02F;  // and by how much it may differ there: about a byte
    static constexpr float kUnknown = -1;
    static constexpr std::uint32_t kMixed = 0xFFFFFFFE;  // neither a triangle nor a plane: there are not that many
    static constexpr std::uint32_t kRound = 0x40000000;  // and the number of the instance
    static constexpr std::size_t kMiddle = 6;            // the sample nearest to the middle of a pixel
    static_assert(kPattern[kMiddle][0] == 104 && kPattern[kMiddle][1] == 104);

    void start(int x0, int y0)
    {
        x0_ = x0;
        y0_ = y0;
        wide_ = std::min(kTile, camera_.width - x0);
        high_ = std::min(kTile, camera_.height - y0);
    }

    void fill_sky()
    {
        sky_.fill(kUnknown);
        for (int y = 0; y < high_; y += kBlock)
        {
            for (int x = 0; x < wide_; x += kBlock) fill_sky(x, y, kBlock);
        }
    }

    /// Triangles of a round thing count as one surface.
    std::uint32_t find_key(std::uint32_t id) const
    {
        if ((id & SampleId::kPlane) != 0) return id;  // nothing, too
        const std::uint32_t instance = scene_.instance_of[id];
        return scene_.instances[instance].round ? kRound | instance : id;
    }

    std::uint32_t find_common_key(const Ids& ids) const
    {
        bool same = true;
        for (const std::uint32_t id : ids) same &= id == ids[0];
        const std::uint32_t key = find_key(ids[0]);
        if (same || (key & (SampleId::kPlane | kRound)) != kRound) return same ? key : kMixed;
        for (const std::uint32_t id : ids)
        {
            if (find_key(id) != key) return kMixed;
        }
        return key;
    }

    /// Planes and things: their light may be interpolated across triangles.
    std::uint32_t find_owner(std::size_t pixel) const
    {
        const std::uint32_t key = key_[pixel];
        if ((key & SampleId::kPlane) != 0) return key;
        return (key & kRound) != 0 ? key & ~kRound : scene_.instance_of[key];
    }

    float find_sky(std::size_t pixel)
    {
        if (sky_[pixel] == kUnknown)
        {
            const double x = x0_ + static_cast<int>(pixel % kTile) + 0.5,
                         y = y0_ + static_cast<int>(pixel / kTile) + 0.5;
            sky_[pixel] = static_cast<float>(shader_.find_sky(shown_[pixel], x, y));
        }
        return sky_[pixel];
    }

    /// A square of pixels: interpolated between its corners where they belong together, else in four parts.
    void fill_sky(int left, int top, int size)
    {
        const auto index = [&](int x, int y) { return at((top + y) * kTile + left + x); };
        if (left >= wide_ || top >= high_) return;
        if (size == 1)
        {
            const std::size_t pixel = index(0, 0);
            if (key_[pixel] != kMixed) find_sky(pixel);
            return;
        }
        const int last = size - 1;
        const std::array<std::size_t, 4> corners{index(0, 0), index(last, 0), index(0, last), index(last, last)};
        const std::uint32_t owner = find_owner(corners[0]);
        bool together = left + last < wide_ && top + last < high_;
        for (const std::size_t corner : corners)
            together = together && key_[corner] != kMixed && find_owner(corner) == owner;
        if (together)
        {
            std::array<float, 4> value{};
            for (std::size_t i = 0; i < 4; ++i) value[i] = find_sky(corners[i]);
            const auto [least, most] = std::ranges::minmax(value);
            together = most - least <= kTolerance;
            for (int y = 0; together && y < size; ++y)
            {
                const float v = static_cast<float>(y) / static_cast<float>(last);
                const float from = value[0] + v * (value[2] - value[0]), to = value[1] + v * (value[3] - value[1]);
                for (int x = 0; x < size; ++x)
                {
                    const std::size_t pixel = index(x, y);
                    if (sky_[pixel] == kUnknown && key_[pixel] != kMixed && find_owner(pixel) == owner)
                        sky_[pixel] = from + static_cast<float>(x) / static_cast<float>(last) * (to - from);
                }
            }
        }
        const int half = size / 2;
        bool known = together;
        for (int y = 0; known && y < size; ++y)
        {
            for (int x = 0; x < size; ++x) known &= sky_[index(x, y)] != kUnknown || key_[index(x, y)] == kMixed;
        }
        if (known) return;
        for (const auto& [x, y] : {std::array{0, 0}, std::array{half, 0}, std::array{0, half}, std::array{half, half}})
            fill_sky(left + x, top + y, half);
    }

    /// The mean over the samples.
    Light find_mixed(std::size_t pixel, int x, int y) const
    {
        const Ids& ids = tile_->id[pixel];
        Ids keys{};
        for (std::size_t i = 0; i < kSamples; ++i) keys[i] = find_key(ids[i]);
        Light sum;
        std::array<bool, kSamples> done{};
        for (std::size_t i = 0; i < kSamples; ++i)
        {
            if (done[i]) continue;
            int count = 0;
            double dx = 0, dy = 0;
            for (std::size_t k = i; k < kSamples; ++k)
            {
                if (keys[k] != keys[i]) continue;
                done[k] = true;
                ++count;
                dx += kPattern[k][0];
                dy += kPattern[k][1];
            }
            const double px = x + dx / (count * kSubpixels), py = y + dy / (count * kSubpixels);
            const float near = find_sky_nearby(pixel, keys[i]);
            const double sky = near != kUnknown ? static_cast<double>(near) : shader_.find_sky(ids[i], px, py);
            sum += count * shader_.shade(ids[i], px, py, sky);
        }
        return 1.0 / kSamples * sum;
    }

    /// What the sky gives the same surface in a neighbouring pixel, if there is one.
    float find_sky_nearby(std::size_t pixel, std::uint32_t key) const
    {
        const int x = static_cast<int>(pixel % kTile), y = static_cast<int>(pixel / kTile);
        for (const auto& [dx, dy] : {std::array{-1, 0}, std::array{1, 0}, std::array{0, -1}, std::array{0, 1}})
        {
            if (x + dx < 0 || y + dy < 0 || x + dx >= wide_ || y + dy >= high_) continue;
            const std::size_t other = at((y + dy) * kTile + x + dx);
            if (key_[other] == key) return sky_[other];
        }
        return kUnknown;
    }

    const DrawnScene& scene_;
    const Camera& camera_;
    const Shader& shader_;
    const Tile* tile_ = nullptr;
    int x0_ = 0, y0_ = 0;                               // first pixel of the tile
    int wide_ = 0, high_ = 0;                           // pixels of the tile that are in the picture
    std::array<std::uint32_t, kTile * kTile> key_{};    // [pixel] of its only surface, or kMixed
    std::array<std::uint32_t, kTile * kTile> shown_{};  // [pixel] surface in its middle
    std::array<float, kTile * kTile> sky_{};            // [pixel] that shows one surface: what the sky gives it
};

/// Texels of the sun's map: about as fine as the pixels.
int find_sun_size(const Camera& camera)
{
    int size = 512;
    while (size < 2048 && 2 * size < 3 * std::max(camera.width, camera.height)) size *= 2;
    return size;
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
    constexpr std::size_t kMostCasting = 4;  // lamps with shadows
    const TileList tiles(scene, camera, pool);
    // Shadows of things far outside the picture are left out: the maps would be too coarse for the rest.
    const bool near = norm(scene.middle - options.focus) + scene.radius <= 3 * options.extent;
    const Vec3 middle = near ? scene.middle : options.focus;
    const double radius = near ? scene.radius : scene.radius > 0 ? 3 * options.extent : 0;
    const auto make_shadows = [&](const Vec3& to_sun, int sky_count)
    {
        return std::make_unique<Shadows>(
            scene, middle, radius,
            Shadows::Options{
                .to_sun = to_sun, .up = options.up, .sun_size = find_sun_size(camera), .sky_count = sky_count},
            pool);
    };
    // The model's own lamps, or our sun and sky.
    std::unique_ptr<Shadows> shadows;
    std::vector<std::unique_ptr<Shadows>> lamp_shadows;
    std::vector<const Shadows*> casting;
    if (scene.lamps.empty()) shadows = make_shadows(find_sun(camera, options.up), options.sky_count);
    for (const PlacedLight& lamp : scene.lamps)
    {
        casting.push_back(nullptr);
        if (!lamp.cast_shadow || lamp_shadows.size() >= kMostCasting) continue;
        // Of a lamp near by the rays through the middle count: its shadows are those of a lamp far away.
        const Vec3 way = lamp.position - middle;
        const double distance = norm(way);
        const bool beam = lamp.type == LightType::directional || !(distance > 1e-9);
        lamp_shadows.push_back(make_shadows(beam ? -lamp.direction : 1 / distance * way, 0));
        casting.back() = lamp_shadows.back().get();
    }
    const Shader shader(scene, camera, options, shadows.get(), casting);
    static const Encoder encode;
    Image image(camera.width, camera.height);
    struct Memory
    {
        Tile tile;
        TileLight light;
    };
    std::vector<std::unique_ptr<Memory>> memory(at(pool.worker_count()));
    for (auto& part : memory) part.reset(new Memory{.light = TileLight(scene, camera, shader)});
    // Neighbouring tiles cost alike: dealt out in turn, every worker gets its part of each region.
    const int count = tiles.tile_count(), workers = pool.worker_count(), share = (count + workers - 1) / workers;
    pool.run(workers * share,
             [&](int task, int worker)
             {
                 const int number = task % share * workers + task / share;
                 if (number >= count) return;
                 auto& [tile, light] = *memory[at(worker)];
                 if (const auto only = tiles.find_only_surface(number))
                 {
                     light.start(tiles.find_corner(number), *only);
                 }
                 else
                 {
                     tiles.fill(number, tile);
                     light.start(tile);
                 }
                 for (int y = light.y0(); y < light.y1(); ++y)
                 {
                     for (int x = light.x0(); x < light.x1(); ++x)
                     {
                         const Light seen = light.find(x, y);
                         std::uint8_t* pixel = image.pixel(x, y);
                         for (int k = 0; k < 3; ++k) pixel[k] = encode(seen[k]);
                     }
                 }
             });
    return image;
}

}  // namespace rattleback::lab
