// Integrates the pushing model: ellipsoidal limit surface, sticking or sliding by the motion cone.
#include "lab/accuracy/pushing.h"

#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Velocity of the box in its own axes.
struct Twist
{
    double x = 0, y = 0, turn = 0;
};

/// The motion that a pusher with velocity (ux, uy) causes at the point (rx, ry), all in the box's axes; the face looks
/// along +y. On the ellipsoid v = k f and turn = k (r x f) / c^2, so that the point moves with B f, B = 1 + p p^T /
/// c^2, p = (-ry, rx).
Twist push(double rx, double ry, double ux, double uy, double friction, double c)
{
    if (uy >= 0) return {};  // it does not press
    const double px = -ry / c, py = rx / c;
    const double determinant = 1 + px * px + py * py;
    double fx = ((1 + py * py) * ux - px * py * uy) / determinant;
    double fy = ((1 + px * px) * uy - px * py * ux) / determinant;
    if (std::abs(fx) > -friction * fy)
    {
        // sliding: the force lies on the edge of its cone, and the point follows the pusher along the normal only
        const double ex = fx > 0 ? friction : -friction, ey = -1;
        const double along = ey + py * (px * ex + py * ey);
        const double k = uy / along;
        fx = k * ex;
        fy = k * ey;
    }
    return {fx, fy, (px * fx + py * fy) / c};
}

}  // namespace

PushOptions as_printed(PushOptions options)
{
    options.rod_radius = 0;
    options.radius = std::sqrt(2 * options.half * options.half / 3);
    options.dt = options.frame;
    return options;
}

std::vector<PlanarPose> find_push_path(const PushOptions& options)
{
    PlanarPose box{options.offset, 0, 0};
    std::vector<PlanarPose> path{box};
    const int substeps = static_cast<int>(std::lround(options.frame / options.dt));
    const int frames = static_cast<int>(std::lround(options.seconds / options.frame));
    for (int i = 1; i <= frames * substeps; ++i)
    {
        const double time = i * options.dt;
        const double rod_y = options.rod_start - 0.5 * options.acceleration * time * time;
        const double speed = options.acceleration * time;
        const double c = std::cos(box.angle), s = std::sin(box.angle);
        // the rod's centre in the box's axes; it is at x = 0 in the world
        const double x = -c * box.x + s * (rod_y - box.y), y = s * box.x + c * (rod_y - box.y);
        const double surface = options.half + options.rod_radius;
        if (y <= surface && y > 0 && std::abs(x) <= options.half)
        {
            const double contact_y = options.rod_radius > 0 ? options.half : y;
            const Twist twist = push(x, contact_y, -s * speed, -c * speed, options.friction, options.radius);
            box.x += options.dt * (c * twist.x - s * twist.y);
            box.y += options.dt * (s * twist.x + c * twist.y);
            box.angle += options.dt * twist.turn;
            if (options.rod_radius > 0)
            {
                // what is left of an overlap is taken out along the face's normal
                const double deep = surface - (std::sin(box.angle) * box.x + std::cos(box.angle) * (rod_y - box.y));
                if (deep > 0)
                {
                    box.x += deep * std::sin(box.angle);
                    box.y -= deep * std::cos(box.angle);
                }
            }
        }
        if (i % substeps == 0) path.push_back(box);
    }
    return path;
}

}  // namespace rattleback::lab
