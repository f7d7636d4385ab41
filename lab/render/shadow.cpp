// Shadow maps: triangles drawn from above along the light, span by span.
#include "lab/render/shadow.h"

#include "base/index.h"
#include "math/elementary.h"

#include <algorithm>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr int kBand = 256;                    // rows of the sun's map that one task draws
constexpr double kReach = 8;                  // radii: from there on only light from near the horizon is kept away
constexpr double kOffset = 1.5, kBias = 0.5;  // texels by which points are moved off their surface and to the light
constexpr double kGolden = 0.61803398874989484820;

/// Directions spread evenly over the upper half of a sphere: equal steps of height, turned by the golden angle.
Vec3 sky_direction(int index, int count, const Vec3& up)
{
    const Vec3 first{std::abs(up.z), std::abs(up.x), std::abs(up.y)};
    const double height = (index + 0.5) / count, flat = std::sqrt(1 - height * height);
    double s = 0, c = 0;
    sincos(2 * kPi * kGolden * index, s, c);
    return height * up + flat * c * first + flat * s * cross(up, first);
}

bool casts(const Instance& instance) { return !instance.marker && instance.opacity >= 0.5; }

}  // namespace

ShadowMap::ShadowMap(const Vec3& to_light, const Vec3& middle, double radius, int size)
    : size_(size),
      texel_(2 * radius / (size - 4)),
      to_light_(to_light),
      middle_(middle),
      height_(at(size) * at(size), kNothing)
{
    const Vec3 helper = std::abs(to_light.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 across = cross(helper, to_light);
    x_axis_ = 1 / (texel_ * norm(across)) * across;
    y_axis_ = cross(to_light, x_axis_);
}

void ShadowMap::draw(const DrawnScene& scene, int row_begin, int row_end)
{
    std::vector<Vec3> placed;
    for (const Instance& instance : scene.instances)
    {
        if (!casts(instance)) continue;
        const Drawing& drawing = *instance.form.drawing;
        placed.resize(drawing.vertices.size());
        for (std::size_t i = 0; i < placed.size(); ++i)
            placed[i] = to_map(scene.corners[instance.first_vertex + i].position);
        for (std::size_t i = 0; i + 2 < drawing.indices.size(); i += 3)
        {
            draw_triangle({placed[drawing.indices[i]], placed[drawing.indices[i + 1]], placed[drawing.indices[i + 2]]},
                          row_begin, row_end);
        }
    }
}

void ShadowMap::draw_triangle(const std::array<Vec3, 3>& corners, int row_begin, int row_end)
{
    const auto& [a, b, c] = corners;
    const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (!(std::abs(area) > 1e-12) || !(std::abs(area) < 1e12)) return;
    if (area < 0)
    {
        draw_triangle({a, c, b}, row_begin, row_end);
        return;
    }
    // Height as a linear function of the place.
    const double slope_x = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area;
    const double slope_y = ((c.z - a.z) * (b.x - a.x) - (b.z - a.z) * (c.x - a.x)) / area;
    const double top = std::max({a.z, b.z, c.z}), low = std::min({a.y, b.y, c.y}), high = std::max({a.y, b.y, c.y});
    const int first = std::max(row_begin, static_cast<int>(std::ceil(keep_within(low, -1, size_ + 1) - 0.5)));
    const int last = std::min(row_end - 1, static_cast<int>(std::floor(keep_within(high, -1, size_ + 1) - 0.5)));
    for (int row = first; row <= last; ++row)
    {
        const double y = row + 0.5;
        double left = 0, right = size_;
        for (std::size_t k = 0; k < 3; ++k)
        {
            // Inside is where (q - p) x (point - p) >= 0.
            const Vec3 &p = corners[k], &q = corners[(k + 1) % 3];
            const double rise = q.y - p.y, value = (q.x - p.x) * (y - p.y);
            if (rise > 0)
                right = std::min(right, p.x + value / rise);
            else if (rise < 0)
                left = std::max(left, p.x + value / rise);
            else if (value < 0)
                right = -1;
        }
        if (!(left <= right)) continue;
        const int x0 = std::max(0, static_cast<int>(std::ceil(left - 0.5)));
        const int x1 = std::min(size_ - 1, static_cast<int>(std::floor(right - 0.5)));
        float* line = height_.data() + at(row) * at(size_);
        const double base = a.z + slope_y * (y - a.y) + slope_x * (0.5 - a.x);
        for (int x = x0; x <= x1; ++x)
        {
            const auto height = static_cast<float>(std::min(top, base + slope_x * x));
            line[x] = line[x] > height ? line[x] : height;
        }
    }
}

Shadows::Shadows(const DrawnScene& scene, const Vec3& middle, double radius, const Options& options, ThreadPool& pool)
    : up_(options.up), middle_(middle), reach_(kReach * radius)
{
    if (!(radius > 0)) return;
    maps_.reserve(at(options.sky_count) + 1);
    maps_.emplace_back(options.to_sun, middle, radius, options.sun_size);
    double open = 0;
    for (int i = 0; i < options.sky_count; ++i)
    {
        maps_.emplace_back(sky_direction(i, options.sky_count, options.up), middle, radius, options.sky_size);
        open += dot(maps_.back().to_light(), options.up);
    }
    if (options.sky_count > 0) open_sky_ = open;
    const int bands = (options.sun_size + kBand - 1) / kBand;
    pool.run(bands + options.sky_count,
             [&](int task, int)
             {
                 if (task < bands)
                     maps_[0].draw(scene, task * kBand, std::min((task + 1) * kBand, options.sun_size));
                 else
                     maps_[at(task - bands) + 1].draw(scene, 0, options.sky_size);
             });
}

double Shadows::find_sun(const Vec3& point, const Vec3& normal) const
{
    if (maps_.empty()) return 1;
    constexpr int kTaps = 12;
    constexpr double kSoftness = 2.2;  // texels
    static constexpr std::array<std::array<double, 2>, kTaps> kDisc{{{0.2, 0.1},
                                                                     {-0.25, 0.15},
                                                                     {0.05, -0.3},
                                                                     {0.6, 0.25},
                                                                     {0.1, 0.65},
                                                                     {-0.55, 0.35},
                                                                     {-0.5, -0.4},
                                                                     {0.0, -0.75},
                                                                     {0.55, -0.45},
                                                                     {0.9, -0.1},
                                                                     {-0.9, 0.0},
                                                                     {-0.2, 0.95}}};
    const ShadowMap& map = maps_[0];
    Vec3 place = map.to_map(point + kOffset * map.texel() * normal);
    place.z += kBias * map.texel();
    const auto [slope_x, slope_y] = map.find_slope(normal);
    double sum = 0;
    for (const auto& [x, y] : kDisc)
        sum += map.find_light(place + kSoftness * Vec3{x, y, slope_x * x + slope_y * y});  // along the surface
    return sum / kTaps;
}

double Shadows::find_sky(const Vec3& point, const Vec3& normal) const
{
    const Vec3 d = point - middle_;
    if (maps_.size() < 2 || dot(d, d) > reach_ * reach_) return 0.5 + 0.5 * dot(normal, up_);
    const double texel = maps_[1].texel();
    const Vec3 lifted = point + kOffset * texel * normal;
    double sum = 0;
    for (std::size_t i = 1; i < maps_.size(); ++i)
    {
        const double cosine = dot(normal, maps_[i].to_light());
        if (!(cosine > 0)) continue;
        Vec3 place = maps_[i].to_map(lifted);
        place.z += kBias * texel;
        sum += cosine * maps_[i].find_light(place);
    }
    return std::min(1.0, sum / open_sky_);
}

}  // namespace rattleback::lab
