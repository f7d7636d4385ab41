// A warm sun, a blue sky and light thrown back from the ground.
#include "lab/render/shading.h"

#include "base/index.h"

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

/// Length of the lines of `width` at the whole numbers that lie below u.
double line_length(double u, double width)
{
    const double periods = std::floor(u);
    return periods * width + std::min(u - periods, width);
}

/// Mean over [u - reach, u + reach] of the lines around the whole numbers; `per_reach` is 1 / reach.
double line_share(double u, double reach, double per_reach, double width)
{
    const double shifted = u + 0.5 * width;
    return 0.5 * per_reach * (line_length(shifted + reach, width) - line_length(shifted - reach, width));
}

}  // namespace

Shader::Shader(const DrawnScene& scene, const Camera& camera, const PictureOptions& options, const Shadows* shadows,
               std::vector<const Shadows*> lamp_shadows)
    : scene_(scene),
      camera_(camera),
      options_(options),
      shadows_(shadows),
      lamp_shadows_(std::move(lamp_shadows)),
      spread_(1 / camera.focal),
      to_sun_(find_sun(camera, options.up)),
      grid_step_(find_grid_step(options.extent)),
      line_width_(0.9 * norm(options.focus - camera.eye) / camera.focal)
{
    for (const ScenePlane& plane : scene.planes)
    {
        Ground ground{.normal = plane.normal(),
                      .inverse_depth = make_inverse_depth(camera, plane.pose.position, plane.normal())};
        for (std::size_t k = 0; k < 2; ++k)
        {
            const Vec3 axis = rotate(plane.pose.rotation, k == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
            ground.start[k] = dot(axis, camera.eye - plane.pose.position);
            ground.along[k] = {dot(axis, camera.ray(0, 0)), dot(axis, camera.right) / (camera.focal * camera.stretch),
                               -dot(axis, camera.up) / camera.focal};
        }
        grounds_.push_back(ground);
    }
}

Light Shader::find_background(const Vec3& ray) const
{
    // MuJoCo turns the cube so that its up is the world's.
    if (const TextureImage* sky = scene_.looks != nullptr ? scene_.looks->skybox() : nullptr)
        return to_shown_light(sky->sample({ray.x, ray.z, -ray.y}, spread_));
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
    if (gloss == 0) return result;
    const Vec3 middle = to_sun_ + to_eye;
    double power = std::max(0.0, dot(normal, middle) / norm(middle));
    for (int i = 0; i < 5; ++i) power *= power;  // Blinn's highlight with exponent 32
    result += gloss * power * sun * kSun;
    const double side = 1 - std::clamp(dot(normal, to_eye), 0.0, 1.0), edge = side * side;
    return result + gloss * 0.5 * edge * edge * sky * kSky;
}

double Shader::find_sky(const Vec3& point, const Vec3& normal) const
{
    return shadows_ != nullptr ? shadows_->find_sky(point, normal) : 0.5 + 0.5 * dot(normal, options_.up);
}

double Shader::find_sky(std::uint32_t id, double x, double y) const
{
    if (id == SampleId::kNothing || !scene_.lamps.empty()) return 1;
    const Vec3 ray = camera_.ray(x, y);
    if ((id & SampleId::kPlane) == 0)
    {
        const Surface surface = find_surface(id, ray);
        return find_sky(surface.point, surface.normal);
    }
    const std::size_t plane = id & ~SampleId::kPlane;
    return find_sky(grounds_[plane].find_point(camera_, scene_.planes[plane], ray), grounds_[plane].normal);
}

Light Shader::shade(std::uint32_t id, double x, double y, double sky) const
{
    if (id == SampleId::kNothing) return find_background(camera_.ray(x, y));
    if ((id & SampleId::kPlane) != 0) return shade_ground(id & ~SampleId::kPlane, x, y, sky, true);
    return shade_triangle(id, x, y, sky);
}

Shader::Surface Shader::find_surface(std::size_t triangle, const Vec3& ray) const
{
    const DrawnCorner &a = scene_.corner(triangle, 0), &b = scene_.corner(triangle, 1), &c = scene_.corner(triangle, 2);
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
    const double side = along > 0 ? -1 : 1;  // of a surface that is seen from behind: the other
    return {point, side / norm(normal) * normal, side / std::sqrt(area) * flat};
}

Light Shader::shade_triangle(std::size_t triangle, double x, double y, double sky) const
{
    const Instance& instance = scene_.instances[scene_.instance_of[triangle]];
    const Vec3 ray = camera_.ray(x, y);
    const Surface surface = find_surface(triangle, ray);
    const auto& [point, normal, face] = surface;
    const Vec3 to_eye = -1 / norm(ray) * ray;
    if (instance.marker) return (0.55 + 0.45 * std::max(0.0, dot(normal, to_eye))) * instance.colour;
    if (const SurfaceLook* look = find_look(instance.shape))
    {
        const std::optional<Srgb> texture = find_texture_colour(triangle, x, y, *look);
        const Srgb colour = texture ? times(*texture, look->colour) : look->colour;
        if (!scene_.lamps.empty()) return shade_in_lamps(*look, colour, surface, to_eye);
        const double sun_seen = shadows_ != nullptr && dot(normal, to_sun_) > 0 ? shadows_->find_sun(point, face) : 1;
        const Light own = texture ? to_light(colour) : instance.colour;
        return combine(own, normal, to_eye, sun_seen, sky, 0.12) + look->emission * own;
    }
    const double sun = shadows_ != nullptr && dot(normal, to_sun_) > 0 ? shadows_->find_sun(point, face) : 1;
    return combine(instance.colour, normal, to_eye, sun, sky, 0.12);
}

double Shader::find_lines(const Ground& ground, double x, double y) const
{
    const auto depth = [&](double px, double py) { return 1 / std::max(ground.inverse_depth.at(px, py), 1e-9); };
    const double middle = depth(x, y), right = depth(x + 0.5, y), down = depth(x, y + 0.5);
    const double per_step = 1 / grid_step_, thin = per_step * line_width_;
    double minor = 1, major = 1;
    for (std::size_t k = 0; k < 2; ++k)
    {
        const Linear& along = ground.along[k];
        const double here = middle * along.at(x, y);
        const double half =
            per_step * (std::abs(right * along.at(x + 0.5, y) - here) + std::abs(down * along.at(x, y + 0.5) - here));
        const double u = per_step * (ground.start[k] + here), reach = std::max(half, 1e-12), per_reach = 1 / reach;
        minor *= 1 - line_share(u, reach, per_reach, std::max(0.012, thin));
        major *= 1 - line_share(0.2 * u, 0.2 * reach, 5 * per_reach, 0.2 * std::max(0.02, 1.7 * thin));
    }
    return std::max(0.22 * (1 - minor), 0.36 * (1 - major));
}

Light Shader::shade_open_ground(std::size_t plane, double x, double y) const
{
    return shade_ground(plane, x, y, 0.5 + 0.5 * dot(grounds_[plane].normal, options_.up), false);
}

Light Shader::shade_ground(std::size_t plane, double x, double y, double sky, bool grid) const
{
    const Ground& ground = grounds_[plane];
    const Vec3 ray = camera_.ray(x, y);
    if (!(dot(ground.normal, ray) < 0)) return find_background(ray);
    const Vec3 point = ground.find_point(camera_, scene_.planes[plane], ray);
    const SurfaceLook* look = find_look(scene_.planes[plane].shape);
    const bool plain = look == nullptr || !look->given;  // with a grid to see distances by
    const double lines = grid && plain ? find_lines(ground, x, y) : 0;
    std::optional<Srgb> texture;
    if (grid && !plain) texture = find_texture_colour(ground, x, y, *look);
    const Srgb colour = !look ? Srgb{} : texture ? times(*texture, look->colour) : look->colour;
    Light lit;
    if (grid && look != nullptr && !scene_.lamps.empty())
    {
        lit = shade_in_lamps(*look, (1 - lines) * colour, {point, ground.normal, ground.normal}, -1 / norm(ray) * ray);
    }
    else
    {
        const double sun = shadows_ != nullptr ? shadows_->find_sun(point, ground.normal) : 1;
        const Light own = texture ? to_light(colour) : scene_.planes[plane].colour;
        lit = combine((1 - lines) * own, ground.normal, {}, sun, sky, 0);
    }
    const Vec3 away = 1 / (14 * options_.extent) * (point - options_.focus);
    const double far = dot(away, away), haze = far / (1 + far);
    return blend(lit, find_background(ray), haze);
}

}  // namespace rattleback::lab
