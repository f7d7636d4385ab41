// What the sun and the sky see: one map of heights per direction of light.
#pragma once

#include "lab/render/scene.h"

#include <algorithm>
#include <array>
#include <limits>

namespace rattleback::lab
{

/// Heights towards the light of the topmost surface, over a square across the light.
class ShadowMap
{
public:
    /// Covers the ball around `middle`. `to_light` is unit.
    ShadowMap(const Vec3& to_light, const Vec3& middle, double radius, int size);

    /// Draws the rows [row_begin, row_end) of the map: everything that casts a shadow. Both are multiples of kBlock.
    void draw(const DrawnScene& scene, int row_begin, int row_end);
    /// Draws the whole map from the coarse forms; is_open() does not know of it.
    void draw_coarse(const DrawnScene& scene);
    /// Is nothing within kNear texels (columns, rows) of a place higher than it?
    bool is_open(const Vec3& place) const
    {
        const auto block = [&](double x) { return static_cast<int>(keep_within(x, 0, size_ - 1.0)) / kBlock; };
        const int left = block(place.x - kNear), right = block(place.x + kNear);
        const int low = block(place.y - kNear), high = block(place.y + kNear);
        float top = -std::numeric_limits<float>::infinity();
        for (int y = low; y <= high; ++y)
        {
            for (int x = left; x <= right; ++x) top = std::max(top, top_[static_cast<std::size_t>(y * blocks_ + x)]);
        }
        return top <= static_cast<float>(place.z);
    }
    int size() const { return size_; }
    const Vec3& to_light() const { return to_light_; }
    const Vec3& x_axis() const { return x_axis_; }  ///< along columns, 1 / texel long
    const Vec3& y_axis() const { return y_axis_; }

    double texel() const { return texel_; }

    /// Column, row [texels] and height [m] of a point.
    Vec3 to_map(const Vec3& point) const
    {
        const Vec3 d = point - middle_;
        return {dot(d, x_axis_) + 0.5 * size_, dot(d, y_axis_) + 0.5 * size_, dot(d, to_light_)};
    }
    /// How much the height of a surface with that normal changes from texel to texel [m], along columns and rows.
    std::array<double, 2> find_slope(const Vec3& normal) const
    {
        const double steepness = std::max(dot(normal, to_light_), 0.1), squared = texel_ * texel_ / steepness;
        return {-squared * dot(normal, x_axis_), -squared * dot(normal, y_axis_)};
    }
    /// Part of the light that reaches a place of the map, from four neighbouring texels.
    float find_light(float column, float row, float height) const
    {
        const float x = column - 0.5F, y = row - 0.5F, last = static_cast<float>(size_ - 1);
        if (!(x >= 0 && y >= 0 && x < last && y < last)) return 1;
        const int ix = static_cast<int>(x), iy = static_cast<int>(y);
        const float* line = height_.data() + static_cast<std::size_t>(iy * size_ + ix);
        const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
        const auto lit = [&](float above) { return above <= height ? 1.0F : 0.0F; };
        const float upper = lit(line[0]) + fx * (lit(line[1]) - lit(line[0]));
        const float lower = lit(line[size_]) + fx * (lit(line[size_ + 1]) - lit(line[size_]));
        return upper + fy * (lower - upper);
    }

    static constexpr int kBlock = 16;   ///< [texels] side of the squares whose highest point is known
    static constexpr double kNear = 4;  ///< [texels]

private:
    /// `placed`: the drawing's vertices in the map.
    void draw_triangles(const Drawing& drawing, const std::vector<Vec3>& placed, int row_begin, int row_end);
    void draw_triangle(const std::array<Vec3, 3>& corners, int row_begin, int row_end);

    int size_, blocks_;
    double texel_;                     ///< [m]
    Vec3 to_light_, x_axis_, y_axis_;  ///< the axes over the size of a texel
    Vec3 middle_;
    std::vector<float> height_;
    std::vector<float> top_;  ///< [block row][block column] highest of its texels
};

/// The sun and a sky of evenly spread directions.
class Shadows
{
public:
    struct Options
    {
        Vec3 to_sun;          ///< unit
        Vec3 up{0, 0, 1};     ///< unit
        int sun_size = 2048;  ///< [texels], a multiple of ShadowMap::kBlock
        int sky_count = 64;   ///< directions; 0: no shade in corners
        int sky_size = 256;   ///< [texels], likewise
    };
    /// `middle` and `radius`: the ball in which shadows matter.
    Shadows(const DrawnScene& scene, const Vec3& middle, double radius, const Options& options, ThreadPool& pool);

    /// Part of the sun's disc that is seen, 0 to 1.
    double find_sun(const Vec3& point, const Vec3& normal) const;
    /// Light of an evenly bright sky that reaches a surface, 0 to 1: 1 for an open surface that faces up.
    double find_sky(const Vec3& point, const Vec3& normal) const;

private:
    /// Eight directions of the sky; those beyond the last get no light.
    struct SkyPack
    {
        static constexpr std::size_t kWidth = 8;
        using Row = std::array<float, kWidth>;
        std::array<Row, 3> light{}, column{}, row{};  ///< x, y and z of the maps' axes
    };

    std::vector<ShadowMap> maps_;  ///< the sun, then the sky
    std::vector<SkyPack> packs_;   ///< of the sky
    double open_sky_ = 1;          ///< what an open surface that faces up gets
    Vec3 up_, middle_;
    double reach_ = 0;  ///< beyond this distance from the middle nothing is shaded [m]
};

}  // namespace rattleback::lab
