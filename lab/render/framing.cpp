// Framing in closed form: two pairs of planes with known directions give the eye.
#include "lab/render/framing.h"

#include "math/elementary.h"

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFilled = 0.9;  // part of the picture that the points fill

}  // namespace

Vec3 find_up(const Vec3& gravity)
{
    int axis = 2;
    for (int i = 0; i < 2; ++i)
    {
        if (std::abs(gravity[i]) > std::abs(gravity[axis])) axis = i;
    }
    Vec3 up;
    up[axis] = gravity[axis] > 0 ? -1 : 1;
    return up;
}

Framing::Framing(const FramingOptions& options, const Vec3& up)
    : options_(options),
      low_{kInfinity, kInfinity, kInfinity},
      high_{-kInfinity, -kInfinity, -kInfinity},
      side_{-kInfinity, -kInfinity, -kInfinity, -kInfinity}
{
    double sin_yaw = 0, cos_yaw = 0, sin_pitch = 0, cos_pitch = 0, sin_view = 0, cos_view = 0;
    sincos(options.yaw * kDegree, sin_yaw, cos_yaw);
    sincos(options.pitch * kDegree, sin_pitch, cos_pitch);
    sincos(0.5 * options.field_of_view * kDegree, sin_view, cos_view);
    // The horizontal axes that follow up in the order x y z.
    const Vec3 first{std::abs(up.z), std::abs(up.x), std::abs(up.y)};
    const Vec3 second = cross(up, first);
    const Vec3 horizontal = cos_yaw * first + sin_yaw * second;
    camera_.forward = -(cos_pitch * horizontal + sin_pitch * up);
    camera_.right = cos_yaw * second - sin_yaw * first;
    camera_.up = cross(camera_.right, camera_.forward);
    camera_.width = options.width;
    camera_.height = options.height;
    camera_.focal = 0.5 * options.height * cos_view / sin_view;
}

void Framing::add(const Vec3& point, double radius)
{
    for (int i = 0; i < 3; ++i)
    {
        low_[i] = std::min(low_[i], point[i] - radius);
        high_[i] = std::max(high_[i], point[i] + radius);
    }
    const Vec3 view = camera_.to_view(point);
    const double tx = kFilled * 0.5 * camera_.width / camera_.focal,
                 ty = kFilled * 0.5 * camera_.height / camera_.focal;
    // A ball reaches beyond its middle by the radius times the length of the side's normal (1, -t).
    const double rx = radius * std::sqrt(1 + tx * tx), ry = radius * std::sqrt(1 + ty * ty);
    side_[0] = std::max(side_[0], view.x - tx * view.z + rx);
    side_[1] = std::max(side_[1], -view.x - tx * view.z + rx);
    side_[2] = std::max(side_[2], view.y - ty * view.z + ry);
    side_[3] = std::max(side_[3], -view.y - ty * view.z + ry);
}

double Framing::radius() const { return empty() ? 1 : std::max(0.5 * norm(high_ - low_), 1e-6); }

Vec3 Framing::find_eye() const
{
    // Inside the right side: x - t z <= x_e - t z_e for all points; left, top and bottom alike. The sum of a pair
    // bounds z_e, the difference centres the other coordinate.
    const double tx = kFilled * 0.5 * camera_.width / camera_.focal,
                 ty = kFilled * 0.5 * camera_.height / camera_.focal;
    const double z = std::min(-(side_[0] + side_[1]) / (2 * tx), -(side_[2] + side_[3]) / (2 * ty));
    const double x = 0.5 * (side_[0] - side_[1]), y = 0.5 * (side_[2] - side_[3]);
    return x * camera_.right - y * camera_.up + z * camera_.forward;
}

Camera Framing::make_camera(const Vec3& shift) const
{
    Camera camera = camera_;
    const Vec3 target = options_.target ? *options_.target : empty() ? Vec3{} : middle();
    if (options_.distance)
        camera.eye = target - *options_.distance * camera.forward;
    else if (empty())
        camera.eye = target - 5 * camera.forward;
    else
    {
        camera.eye = find_eye();
        if (options_.target)  // as far as the best place, but looking at the target
            camera.eye = target + dot(camera.eye - target, camera.forward) * camera.forward;
    }
    camera.near = 0.002 * std::max(norm(camera.eye - target), 1e-6);
    camera.eye += shift;
    return camera;
}

}  // namespace rattleback::lab
