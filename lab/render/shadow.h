// What the sun and the sky see: one map of heights per direction of light.
#pragma once

#include "lab/render/scene.h"

namespace rattleback::lab
{

/// Heights towards the light of the topmost surface, over a square across the light.
class ShadowMap
{
public:
    /// Covers the ball around `middle`. `to_light` is unit.
    ShadowMap(const Vec3& to_light, const Vec3& middle, double radius, int size);

    /// Draws the rows [row_begin, row_end) of the map: everything that casts a shadow.
    void draw(const DrawnScene& scene, int row_begin, int row_end);
    int size() const { return size_; }
    const Vec3& to_light() const { return to_light_; }

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
    double find_light(const Vec3& place) const
    {
        const double x = place.x - 0.5, y = place.y - 0.5, last = size_ - 1;
        if (!(x >= 0 && y >= 0 && x < last && y < last)) return 1;
        const auto height = static_cast<float>(place.z);
        const int ix = static_cast<int>(x), iy = static_cast<int>(y);
        const float* line = height_.data() + static_cast<std::size_t>(iy * size_ + ix);
        const double fx = x - ix, fy = y - iy;
        const auto lit = [&](float above) { return above <= height ? 1.0 : 0.0; };
        const double upper = (1 - fx) * lit(line[0]) + fx * lit(line[1]);
        const double lower = (1 - fx) * lit(line[size_]) + fx * lit(line[size_ + 1]);
        return (1 - fy) * upper + fy * lower;
    }

private:
    void draw_triangle(const std::array<Vec3, 3>& corners, int row_begin, int row_end);

    int size_;
    double texel_;                     ///< [m]
    Vec3 to_light_, x_axis_, y_axis_;  ///< the axes over the size of a texel
    Vec3 middle_;
    std::vector<float> height_;
};

/// The sun and a sky of evenly spread directions.
class Shadows
{
public:
    struct Options
    {
        Vec3 to_sun;          ///< unit
        Vec3 up{0, 0, 1};     ///< unit
        int sun_size = 2048;  ///< [texels]
        int sky_count = 64;   ///< directions; 0: no shade in corners
        int sky_size = 256;   ///< [texels]
    };
    /// `middle` and `radius`: the ball in which shadows matter.
    Shadows(const DrawnScene& scene, const Vec3& middle, double radius, const Options& options, ThreadPool& pool);

    /// Part of the sun's disc that is seen, 0 to 1.
    double find_sun(const Vec3& point, const Vec3& normal) const;
    /// Light of an evenly bright sky that reaches a surface, 0 to 1: 1 for an open surface that faces up.
    double find_sky(const Vec3& point, const Vec3& normal) const;

private:
    std::vector<ShadowMap> maps_;  ///< the sun, then the sky
    double open_sky_ = 1;          ///< what an open surface that faces up gets
    Vec3 up_, middle_;
    double reach_ = 0;  ///< beyond this distance from the middle nothing is shaded [m]
};

}  // namespace rattleback::lab
