// Where the camera stands: told by the user, or found so that everything that moves stays in the picture.
#pragma once

#include "lab/render/camera.h"

#include <array>
#include <limits>
#include <optional>
#include <span>

namespace rattleback::lab
{

struct FramingOptions
{
    double yaw = -60;   ///< where the camera stands: degrees about the up axis, counter-clockwise
    double pitch = 18;  ///< degrees above the horizon, below 90
    std::optional<double> distance = std::nullopt;  ///< to the target [m]; none: everything in the picture
    std::optional<Vec3> target = std::nullopt;      ///< that the camera looks at [m]; none: the middle
    double field_of_view = 30;                      ///< from bottom to top [degrees]
    int width = 1280, height = 720;
};

/// Collects points and balls and says from where a camera of fixed direction sees them all.
class Framing
{
public:
    /// `up` is a unit axis: x, y or z.
    Framing(const FramingOptions& options, const Vec3& up);

    void add(const Vec3& point, double radius = 0);
    bool empty() const { return !(low_.x <= high_.x); }
    Vec3 middle() const { return 0.5 * (low_ + high_); }
    /// Half the diagonal of the box around everything [m]; 1 where there is nothing.
    double radius() const;

    /// The camera, moved by `shift`.
    Camera make_camera(const Vec3& shift = {}) const;

private:
    /// The nearest eye that sees all points.
    Vec3 find_eye() const;

    FramingOptions options_;
    Camera camera_;  ///< directions and lens; no place yet
    Vec3 low_, high_;
    // In view axes, the four sides of the pyramid pushed outward until all points are inside: for the right side with
    // slope t it is the largest x - t z, and so on.
    std::array<double, 4> side_;
};

/// The axis nearest to the opposite of gravity; z without gravity.
Vec3 find_up(const Vec3& gravity);

}  // namespace rattleback::lab
