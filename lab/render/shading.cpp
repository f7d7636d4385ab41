// A warm sun, a blue sky and light thrown back from the ground.
#include "lab/render/shading.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

const Light kSun{0.90, 0.845, 0.76};
const Light kSky{0.40, 0.44, 0.50};
const Light kBounce{0.17, 0.16, 0.15};
const Light kHorizon{0.79, 0.83, 0.87};
const Light kZenith{0.36, 0.53, 0.74};
const Light kDepths{0.66, 0.69, 0.73};

double square(double x) { return x * x; }

/// Length of the lines of `width` at the multiples of `step` that lie below u.
double line_length(double u, double step, double width)
{
    const double periods = std::floor(u / step);
    return periods * width + std::min(u - periods * step, width);
}

/// Mean over [u - half, u + half] of the lines around the multiples of `step`.
double line_share(double u, double half, double step, double width)
{
    const double shifted = u + 0.5 * width, reach = std::max(half, 1e-12 * step);
    return (line_length(shifted + reach, step, width) - line_length(shifted - reach, step, width)) / (2 * reach);
}

}  // namespace

Shader::Shader(const DrawnScene& scene, const Camera& camera, const PictureOptions& options, const Shadows* shadows)
    : scene_(scene),
      camera_(camera),
      options_(options),
      shadows_(shadows),
      to_sun_(find_sun(camera, options.up)),
      grid_step_(find_grid_step(options.extent))
{
}

Light Shader::find_background(const Vec3& ray) const
{
    const double height = dot(ray, options_.up) / norm(ray);
    const double t = std::min(1.0, std::abs(height) / 0.7);
    return blend(kHorizon, height > 0 ? kZenith : kDepths, t * (2 - t));
}

Light Shader::combine(const Light& colour, const Vec3& normal, const Vec3& to_eye, double sun, double sky,
                      double gloss) const
{
    const double facing = std::max(0.0, dot(normal, to_sun_)), down = 0.5 - 0.5 * dot(normal, options_.up);
    const Light light = facing * sun * kSun + sky * kSky + (0.25 + 0.75 * down) * (0.4 + 0.6 * sky) * kBounce;
    Light result = times(colour, light);
    const Vec3 middle = to_sun_ + to_eye;
    double power = std::max(0.0, dot(normal, middle) / norm(middle));
    for (int i = 0; i < 5; ++i) power *= power;  // Blinn's highlight with exponent 32
    result += gloss * power * sun * kSun;
    const double edge = square(1 - std::clamp(dot(normal, to_eye), 0.0, 1.0));
    return result + gloss * 0.5 * edge * edge * sky * kSky;
}

Light Shader::shade(std::uint32_t id, double x, double y) const
{
    if (id == SampleId::kNothing) return find_background(camera_.ray(x, y));
    if ((id & SampleId::kPlane) != 0) return shade_ground(scene_.planes[id & ~SampleId::kPlane], x, y, true);
    return shade_triangle(id, camera_.ray(x, y));
}

Light Shader::shade_triangle(std::size_t triangle, const Vec3& ray) const
{
    const Instance& instance = scene_.instances[scene_.instance_of[triangle]];
    const Corner &a = scene_.corner(triangle, 0), &b = scene_.corner(triangle, 1), &c = scene_.corner(triangle, 2);
    const Vec3 flat = cross(b.position - a.position, c.position - a.position);
    const double area = dot(flat, flat), along = dot(flat, ray);
    const double depth = along != 0 ? dot(flat, a.position - camera_.eye) / along : 0;
    const Vec3 point = camera_.eye + depth * ray;
    // Barycentric coordinates: areas of the triangles that the point makes with two corners.
    double u = dot(cross(b.position - point, c.position - point), flat) / area;
    double v = dot(cross(c.position - point, a.position - point), flat) / area;
    u = std::clamp(u, 0.0, 1.0);
    v = std::clamp(v, 0.0, 1 - u);
    Vec3 normal = u * a.normal + v * b.normal + (1 - u - v) * c.normal;
    if (!(dot(normal, normal) > 1e-12)) normal = flat;
    normal = 1 / norm(normal) * normal;
    Vec3 face = 1 / std::sqrt(area) * flat;
    if (along > 0)  // the other side of a surface
    {
        normal = -normal;
        face = -face;
    }
    const Vec3 to_eye = -1 / norm(ray) * ray;
    if (instance.marker) return (0.55 + 0.45 * std::max(0.0, dot(normal, to_eye))) * instance.colour;
    const double sun = shadows_ != nullptr && dot(normal, to_sun_) > 0 ? shadows_->find_sun(point, face) : 1;
    const double sky = shadows_ != nullptr ? shadows_->find_sky(point, normal) : 0.5 + 0.5 * dot(normal, options_.up);
    return combine(instance.colour, normal, to_eye, sun, sky, 0.12);
}

double Shader::find_lines(const ScenePlane& plane, double x, double y, double step, double width) const
{
    const Vec3 first = rotate(plane.pose.rotation, Vec3{1, 0, 0}), second = rotate(plane.pose.rotation, Vec3{0, 1, 0});
    const InverseDepth inverse = make_inverse_depth(camera_, plane.pose.position, plane.normal());
    const auto place = [&](double px, double py)
    { return camera_.eye + 1 / std::max(inverse.at(px, py), 1e-9) * camera_.ray(px, py) - plane.pose.position; };
    const Vec3 middle = place(x, y), right = place(x + 0.5, y) - middle, down = place(x, y + 0.5) - middle;
    double open = 1;
    for (const Vec3& axis : {first, second})
    {
        const double half = std::abs(dot(axis, right)) + std::abs(dot(axis, down));
        open *= 1 - line_share(dot(axis, middle), half, step, width);
    }
    return 1 - open;
}

Light Shader::shade_ground(const ScenePlane& plane, double x, double y, bool grid) const
{
    const Vec3 ray = camera_.ray(x, y), normal = plane.normal();
    const double along = dot(normal, ray);
    if (!(along < 0)) return find_background(ray);
    const double depth = dot(normal, plane.pose.position - camera_.eye) / along;
    const Vec3 point = camera_.eye + depth * ray;
    double lines = 0;
    if (grid)
    {
        const double thin = 0.9 * norm(options_.focus - camera_.eye) / camera_.focal;
        const double minor = find_lines(plane, x, y, grid_step_, std::max(0.012 * grid_step_, thin));
        const double major = find_lines(plane, x, y, 5 * grid_step_, std::max(0.02 * grid_step_, 1.7 * thin));
        lines = std::max(0.22 * minor, 0.36 * major);
    }
    const double sun = shadows_ != nullptr ? shadows_->find_sun(point, normal) : 1;
    const double sky = shadows_ != nullptr ? shadows_->find_sky(point, normal) : 0.5 + 0.5 * dot(normal, options_.up);
    const Light lit = combine((1 - lines) * plane.colour, normal, -1 / norm(ray) * ray, sun, sky, 0);
    const double far = norm(point - options_.focus) / (14 * options_.extent);
    const double haze = square(far) / (1 + square(far));
    return blend(lit, find_background(ray), haze);
}

}  // namespace rattleback::lab
