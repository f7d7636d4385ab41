// Textures and lamps of the shader.
#include "base/index.h"
#include "lab/render/shading.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr std::size_t kMostLamps = 16;

/// Steps to the neighbouring pixels; where a texture closes around a solid the step over the seam is the short one.
TexturePlace find_step(const TexturePlace& from, const TexturePlace& to, const TexturePlace& around)
{
    TexturePlace step{to[0] - from[0], to[1] - from[1]};
    for (std::size_t k = 0; k < 2; ++k)
    {
        if (around[k] > 0 && std::abs(step[k]) > 0.5 * around[k]) step[k] -= std::copysign(around[k], step[k]);
    }
    return step;
}

}  // namespace

std::optional<Srgb> Shader::find_texture_colour(std::size_t triangle, double x, double y, const SurfaceLook& look) const
{
    if (look.texture == nullptr) return std::nullopt;
    const Instance& instance = scene_.instances[scene_.instance_of[triangle]];
    const DrawnCorner &a = scene_.corner(triangle, 0), &b = scene_.corner(triangle, 1), &c = scene_.corner(triangle, 2);
    const Vec3 flat = cross(b.position - a.position, c.position - a.position);
    const double area = dot(flat, flat);
    if (!(area > 0)) return std::nullopt;
    // Where the rays of this pixel and of its neighbours meet the plane of the triangle.
    const auto find_point = [&](double px, double py)
    {
        const Vec3 ray = camera_.ray(px, py);
        const double along = dot(flat, ray);
        return camera_.eye + (along != 0 ? dot(flat, a.position - camera_.eye) / along : 0) * ray;
    };
    const std::array<Vec3, 3> points{find_point(x, y), find_point(x + 1, y), find_point(x, y + 1)};
    const Mat3 back = transpose(instance.rotation);
    if (look.texture->is_cube())
    {
        const Vec3 here = find_direction(look, back * (points[0] - instance.position));
        const Vec3 right = find_direction(look, back * (points[1] - instance.position));
        const double size = norm(here) * norm(right);
        return look.texture->sample(here, size > 0 ? norm(cross(here, right)) / size : 0);
    }
    std::array<TexturePlace, 3> places{};
    TexturePlace around{};
    const Drawing& drawing = *instance.form.drawing;
    if (!drawing.texcoords.empty())
    {
        // Barycentric coordinates, beyond the triangle's edges too.
        const std::size_t first = 3 * (triangle - instance.first_triangle);
        for (std::size_t i = 0; i < 3; ++i)
        {
            const double u = dot(cross(b.position - points[i], c.position - points[i]), flat) / area;
            const double v = dot(cross(c.position - points[i], a.position - points[i]), flat) / area;
            TexturePlace place{};
            for (std::size_t k = 0; k < 2; ++k)
            {
                const auto corner = [&](std::size_t n)
                { return static_cast<double>(drawing.texcoords[drawing.indices[first + n]][k]); };
                place[k] = u * corner(0) + v * corner(1) + (1 - u - v) * corner(2);
            }
            places[i] = scale_place(look, place);
        }
    }
    else
    {
        const Vec3 normal = back * flat;
        const Vec3 outward = 1 / norm(normal) * normal;
        for (std::size_t i = 0; i < 3; ++i)
            places[i] = find_place(look, back * (points[i] - instance.position), outward);
        if (instance.round || look.type == ShapeType::cylinder) around = scale_place(look, {1, 1});
    }
    return look.texture->sample(places[0], find_step(places[0], places[1], around),
                                find_step(places[0], places[2], around));
}

std::optional<Srgb> Shader::find_texture_colour(const Ground& ground, double x, double y, const SurfaceLook& look) const
{
    if (look.texture == nullptr) return std::nullopt;
    const auto find_local = [&](double px, double py)
    {
        const double depth = 1 / std::max(ground.inverse_depth.at(px, py), 1e-9);
        return Vec3{ground.start[0] + depth * ground.along[0].at(px, py),
                    ground.start[1] + depth * ground.along[1].at(px, py), 0};
    };
    const Vec3 here = find_local(x, y), up{0, 0, 1};
    if (look.texture->is_cube()) return look.texture->sample(Vec3{here.x, here.y, 1}, spread_);
    const TexturePlace place = find_place(look, here, up), none{};
    return look.texture->sample(place, find_step(place, find_place(look, find_local(x + 1, y), up), none),
                                find_step(place, find_place(look, find_local(x, y + 1), up), none));
}

Light Shader::shade_in_lamps(const SurfaceLook& look, const Srgb& colour, const Surface& surface,
                             const Vec3& to_eye) const
{
    std::array<double, kMostLamps> lit{};
    const std::size_t count = std::min(scene_.lamps.size(), kMostLamps);
    for (std::size_t i = 0; i < count; ++i)
    {
        const Shadows* shadows = i < lamp_shadows_.size() ? lamp_shadows_[i] : nullptr;
        lit[i] = shadows != nullptr ? shadows->find_sun(surface.point, surface.face) : 1;
    }
    return to_shown_light(shade_with_lamps(look, colour, surface.point, surface.normal, to_eye,
                                           std::span(scene_.lamps).first(count), std::span(lit).first(count)));
}

}  // namespace rattleback::lab
