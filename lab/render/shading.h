// The light that a surface sends to the camera.
#pragma once

#include "lab/render/picture.h"

namespace rattleback::lab
{

/// Shades the samples of one picture.
class Shader
{
public:
    Shader(const DrawnScene& scene, const Camera& camera, const PictureOptions& options, const Shadows* shadows);

    /// What the surface `id` shows at a place of the picture.
    Light shade(std::uint32_t id, double x, double y) const;

    /// Colour of the sky (and, without a ground, of the depths) along a ray of any length.
    Light find_background(const Vec3& ray) const;

    /// Light from a lit surface with that colour; both shares 0 to 1.
    Light combine(const Light& colour, const Vec3& normal, const Vec3& to_eye, double sun, double sky,
                  double gloss) const;

    /// A plane, with its grid or without.
    Light shade_ground(const ScenePlane& plane, double x, double y, bool grid) const;

private:
    Light shade_triangle(std::size_t triangle, const Vec3& ray) const;
    /// Share of grid lines, 0 to 1, averaged over the area of the pixel.
    double find_lines(const ScenePlane& plane, double x, double y, double step, double width) const;

    const DrawnScene& scene_;
    const Camera& camera_;
    const PictureOptions& options_;
    const Shadows* shadows_;
    Vec3 to_sun_;
    double grid_step_;
};

}  // namespace rattleback::lab
