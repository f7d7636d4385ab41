// The light that a surface sends to the camera.
#pragma once

#include "lab/render/picture.h"

namespace rattleback::lab
{

/// Shades the samples of one picture.
class Shader
{
public:
    /// `lamp_shadows`: of each of the scene's lamps, null where it casts none.
    Shader(const DrawnScene& scene, const Camera& camera, const PictureOptions& options, const Shadows* shadows,
           std::vector<const Shadows*> lamp_shadows = {});

    /// What the surface `id` shows at a place of the picture. `sky`: what find_sky() gives there.
    Light shade(std::uint32_t id, double x, double y, double sky) const;
    /// Share of the sky that lights the surface `id` at a place of the picture, 0 to 1.
    double find_sky(std::uint32_t id, double x, double y) const;

    /// Colour of the sky (and, without a ground, of the depths) along a ray of any length.
    Light find_background(const Vec3& ray) const;

    /// Light from a lit surface with that colour; both shares 0 to 1.
    Light combine(const Light& colour, const Vec3& normal, const Vec3& to_eye, double sun, double sky,
                  double gloss) const;

    /// The ground far from everything, without its grid.
    Light shade_open_ground(std::size_t plane, double x, double y) const;

private:
    /// A number that is linear in the place of the picture.
    struct Linear
    {
        double at_origin = 0, per_x = 0, per_y = 0;
        double at(double x, double y) const { return at_origin + per_x * x + per_y * y; }
    };
    /// A plane of the scene as the camera sees it.
    struct Ground
    {
        Vec3 normal;
        InverseDepth inverse_depth;
        std::array<double, 2> start{};  ///< the eye in the plane's own axes x and y [m]
        std::array<Linear, 2> along;    ///< the ray in these, at depth 1
        Vec3 find_point(const Camera& camera, const ScenePlane& plane, const Vec3& ray) const
        {
            return camera.eye + dot(normal, plane.pose.position - camera.eye) / dot(normal, ray) * ray;
        }
    };
    struct Surface
    {
        Vec3 point;
        Vec3 normal, face;  ///< unit; smooth, and of the triangle
    };
    Surface find_surface(std::size_t triangle, const Vec3& ray) const;
    Light shade_triangle(std::size_t triangle, double x, double y, double sky) const;
    /// What the textures show, sRGB; where a shape has none: nothing.
    std::optional<Srgb> find_texture_colour(std::size_t triangle, double x, double y, const SurfaceLook& look) const;
    std::optional<Srgb> find_texture_colour(const Ground& ground, double x, double y, const SurfaceLook& look) const;
    /// In the light of the scene's lamps. `face`: of the triangle, where `normal` is smooth.
    Light shade_in_lamps(const SurfaceLook& look, const Srgb& colour, const Surface& surface, const Vec3& to_eye) const;
    const SurfaceLook* find_look(int shape) const
    {
        return scene_.looks != nullptr && shape >= 0 ? &scene_.looks->of_shape(shape) : nullptr;
    }
    Light shade_ground(std::size_t plane, double x, double y, double sky, bool grid) const;
    double find_sky(const Vec3& point, const Vec3& normal) const;
    /// Share of grid lines, 0 to 1, averaged over the area of the pixel: fine ones and every fifth.
    double find_lines(const Ground& ground, double x, double y) const;

    const DrawnScene& scene_;
    const Camera& camera_;
    const PictureOptions& options_;
    const Shadows* shadows_;
    std::vector<const Shadows*> lamp_shadows_;
    double spread_;  ///< angle between neighbouring pixels [rad]
    Vec3 to_sun_;
    double grid_step_, line_width_;  ///< [m]; of a thin line, at the focus
    std::vector<Ground> grounds_;    ///< [plane]
};

}  // namespace rattleback::lab
