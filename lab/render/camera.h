// Camera: a pinhole with square pixels. Pixel (x, y) covers [x, x + 1) x [y, y + 1), y down.
#pragma once

#include <rattleback/math.h>

namespace rattleback::lab
{

struct Camera
{
    Vec3 eye;                                            ///< world [m]
    Vec3 right{1, 0, 0}, up{0, 0, 1}, forward{0, 1, 0};  ///< unit, world
    int width = 1280, height = 720;                      ///< [pixels]
    double focal = 1344;                                 ///< distance of the picture plane [pixels]
    double near = 1e-3;                                  ///< nothing is drawn nearer than this depth [m]
    double stretch = 1;                                  ///< of the picture along x
    double shift_x = 0, shift_y = 0;  ///< where the axis meets the picture, from its middle, right and down [pixels]
    double setback = 0;  ///< the eye stands so far behind the place that it stands for (orthographic pictures) [m]

    /// A point at depth 1 along the ray through a place of the picture, relative to the eye.
    Vec3 ray(double x, double y) const
    {
        return forward + (x - 0.5 * width - shift_x) / (focal * stretch) * right -
               (y - 0.5 * height - shift_y) / focal * up;
    }
    /// Right, down and depth [m] from the eye.
    Vec3 to_view(const Vec3& point) const
    {
        const Vec3 d = point - eye;
        return {dot(d, right), -dot(d, up), dot(d, forward)};
    }
    /// Place in the picture of a point given in the view, depth above zero.
    double to_x(const Vec3& view) const { return 0.5 * width + shift_x + focal * stretch * view.x / view.z; }
    double to_y(const Vec3& view) const { return 0.5 * height + shift_y + focal * view.y / view.z; }
};

/// 1 / depth along the rays of a camera, on a plane: a linear function of the place in the picture.
struct InverseDepth
{
    double at_origin = 0, per_x = 0, per_y = 0;

    double at(double x, double y) const { return at_origin + per_x * x + per_y * y; }
};

/// For the plane through `point`. The ray r(x, y) meets it at depth n.(p - e) / n.r. A plane through the eye: zero.
inline InverseDepth make_inverse_depth(const Camera& camera, const Vec3& point, const Vec3& normal)
{
    const double offset = dot(normal, point - camera.eye);
    if (offset == 0) return {};
    const double scale = 1 / offset;
    return {scale * dot(normal, camera.ray(0, 0)), scale * dot(normal, camera.right) / (camera.focal * camera.stretch),
            -scale * dot(normal, camera.up) / camera.focal};
}

}  // namespace rattleback::lab
