// Shadow maps: triangles drawn from above along the light, span by span.
#include "lab/render/shadow.h"

#include "base/index.h"
#include "math/elementary.h"

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
      blocks_((size + kBlock - 1) / kBlock),
      texel_(2 * radius / (size - 4)),
      to_light_(to_light),
      middle_(middle),
      height_(at(size) * at(size), kNothing),
      top_(at(blocks_) * at(blocks_), kNothing)
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
        draw_triangles(drawing, placed, row_begin, row_end);
    }
    for (int row = row_begin; row < row_end; ++row)
    {
        const float* line = height_.data() + at(row) * at(size_);
        float* top = top_.data() + at(row / kBlock) * at(blocks_);
        for (int block = 0; block < blocks_; ++block)
        {
            float most = top[block];
            for (int x = 0; x < kBlock; ++x) most = most > line[block * kBlock + x] ? most : line[block * kBlock + x];
            top[block] = most;
        }
    }
}

void ShadowMap::draw_coarse(const DrawnScene& scene)
{
    std::vector<Vec3> placed;
    for (const Instance& instance : scene.instances)
    {
        if (!casts(instance)) continue;
        const Form& form = instance.coarse;
        // From the shape's own frame straight into the map.
        const Vec3 start = to_map(instance.position), x = transpose_times(instance.rotation, x_axis_),
                   y = transpose_times(instance.rotation, y_axis_), z = transpose_times(instance.rotation, to_light_);
        placed.resize(form.drawing->vertices.size());
        for (std::size_t i = 0; i < placed.size(); ++i)
        {
            const Vec3 vertex = form.to_local(form.drawing->vertices[i]);
            placed[i] = start + Vec3{dot(x, vertex), dot(y, vertex), dot(z, vertex)};
        }
        draw_triangles(*form.drawing, placed, 0, size_);
    }
}

void ShadowMap::draw_triangles(const Drawing& drawing, const std::vector<Vec3>& placed, int row_begin, int row_end)
{
    for (std::size_t i = 0; i + 2 < drawing.indices.size(); i += 3)
    {
        const Vec3 &a = placed[drawing.indices[i]], &b = placed[drawing.indices[i + 1]],
                   &c = placed[drawing.indices[i + 2]];
        const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if (area > 0)
            draw_triangle({a, b, c}, row_begin, row_end);
        else if (drawing.two_sided)  // what looks away from the light has something above it that does not
            draw_triangle({a, c, b}, row_begin, row_end);
    }
}

void ShadowMap::draw_triangle(const std::array<Vec3, 3>& corners, int row_begin, int row_end)
{
    const auto& [a, b, c] = corners;
    // Rows and columns whose middles it may cover: small triangles often have none.
    const auto first_of = [&](double x) { return static_cast<int>(std::ceil(keep_within(x, -1, size_ + 1) - 0.5)); };
    const auto last_of = [&](double x) { return static_cast<int>(std::floor(keep_within(x, -1, size_ + 1) - 0.5)); };
    const int first = std::max(row_begin, first_of(std::min({a.y, b.y, c.y})));
    const int last = std::min(row_end - 1, last_of(std::max({a.y, b.y, c.y})));
    if (first > last || first_of(std::min({a.x, b.x, c.x})) > last_of(std::max({a.x, b.x, c.x}))) return;
    const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (!(area > 1e-12) || !(area < 1e12)) return;
    // Height as a linear function of the place.
    const double slope_x = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area;
    const double slope_y = ((c.z - a.z) * (b.x - a.x) - (b.z - a.z) * (c.x - a.x)) / area;
    const double top = std::max({a.z, b.z, c.z});
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
    for (std::size_t i = 1; i < maps_.size(); ++i)
    {
        const std::size_t lane = (i - 1) % SkyPack::kWidth;
        if (lane == 0) packs_.emplace_back();
        for (int k = 0; k < 3; ++k)
        {
            packs_.back().light[at(k)][lane] = static_cast<float>(maps_[i].to_light()[k]);
            packs_.back().column[at(k)][lane] = static_cast<float>(maps_[i].x_axis()[k]);
            packs_.back().row[at(k)][lane] = static_cast<float>(maps_[i].y_axis()[k]);
        }
    }
    const int band = pool.worker_count() == 1 ? options.sun_size : kBand;
    const int bands = (options.sun_size + band - 1) / band;
    pool.run(bands + options.sky_count,
             [&](int task, int)
             {
                 if (task < bands)
                     maps_[0].draw(scene, task * band, std::min((task + 1) * band, options.sun_size));
                 else
                     maps_[at(task - bands) + 1].draw_coarse(scene);
             });
}

double Shadows::find_sun(const Vec3& point, const Vec3& normal) const
{
    if (maps_.empty()) return 1;
    constexpr int kTaps = 12;
    constexpr int kFirst = 5;          // the middle and the rim: where these agree, so will the others
    constexpr double kSoftness = 2.2;  // texels
    static_assert(kSoftness + 1.5 < ShadowMap::kNear);
    static constexpr std::array<std::array<double, 2>, kTaps> kDisc{{{0.2, 0.1},
                                                                     {0.9, -0.1},
                                                                     {-0.9, 0.0},
                                                                     {-0.2, 0.95},
                                                                     {0.0, -0.75},
                                                                     {-0.25, 0.15},
                                                                     {0.05, -0.3},
                                                                     {0.6, 0.25},
                                                                     {0.1, 0.65},
                                                                     {-0.55, 0.35},
                                                                     {-0.5, -0.4},
                                                                     {0.55, -0.45}}};
    const ShadowMap& map = maps_[0];
    Vec3 place = map.to_map(point + kOffset * map.texel() * normal);
    place.z += kBias * map.texel();
    const auto [slope_x, slope_y] = map.find_slope(normal);
    const double fall = kSoftness * (std::abs(slope_x) + std::abs(slope_y));
    if (map.is_open({place.x, place.y, place.z - fall})) return 1;
    double sum = 0;
    for (std::size_t i = 0; i < kTaps; ++i)
    {
        if (i == kFirst && (sum == 0 || sum == kFirst)) return sum / kFirst;
        const auto& [x, y] = kDisc[i];
        sum += static_cast<double>(map.find_light(
            static_cast<float>(place.x + kSoftness * x), static_cast<float>(place.y + kSoftness * y),
            static_cast<float>(place.z + kSoftness * (slope_x * x + slope_y * y))));  // along the surface
    }
    return sum / kTaps;
}

double Shadows::find_sky(const Vec3& point, const Vec3& normal) const
{
    const Vec3 d = point - middle_;
    if (maps_.size() < 2 || dot(d, d) > reach_ * reach_) return 0.5 + 0.5 * dot(normal, up_);
    const double texel = maps_[1].texel();
    const Vec3 lifted = d + kOffset * texel * normal;
    using Row = SkyPack::Row;
    const auto along = [](const std::array<Row, 3>& axes, const Vec3& vector, float start)
    {
        const auto x = static_cast<float>(vector.x), y = static_cast<float>(vector.y), z = static_cast<float>(vector.z);
        Row result;
        for (std::size_t i = 0; i < SkyPack::kWidth; ++i)
            result[i] = axes[0][i] * x + axes[1][i] * y + axes[2][i] * z + start;
        return result;
    };
    const auto half = static_cast<float>(0.5 * maps_[1].size()), bias = static_cast<float>(kBias * texel);
    float sum = 0;
    const ShadowMap* map = &maps_[1];
    for (const SkyPack& pack : packs_)
    {
        const Row cosine = along(pack.light, normal, 0), column = along(pack.column, lifted, half),
                  row = along(pack.row, lifted, half), height = along(pack.light, lifted, bias);
        for (std::size_t i = 0; i < SkyPack::kWidth; ++i)
        {
            if (cosine[i] > 0) sum += cosine[i] * map[i].find_light(column[i], row[i], height[i]);
        }
        map += SkyPack::kWidth;
    }
    return std::min(1.0, static_cast<double>(sum) / open_sky_);
}

}  // namespace rattleback::lab
