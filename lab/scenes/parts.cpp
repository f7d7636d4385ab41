// Implementation of the scenes' common parts.
#include "lab/scenes/parts.h"

#include <cmath>

namespace rattleback::lab
{

Range degrees(double lower, double upper) { return {true, lower * kDegree, upper * kDegree}; }

Range limits(double lower, double upper) { return {true, lower, upper}; }

ShapeId add_limb(ModelBuilder& builder, BodyId body, const Vec3& from, const Vec3& to, double radius,
                 ShapeOptions options)
{
    const Vec3 along = to - from;
    options.position = 0.5 * (from + to);
    options.rotation = turn_z_to(along);
    return builder.add_shape(body, Capsule{.radius = radius, .half_length = 0.5 * norm(along)}, options);
}

Colour colour_of(int index)
{
    constexpr std::array kColours = {kTeal, kAmber, kPaper, kRust};
    return kColours[static_cast<std::size_t>(index) % kColours.size()];
}

void add_box(ModelBuilder& builder, const std::string& name, const Vec3& position, const Vec3& half_extents,
             double mass, Colour colour)
{
    const BodyId body = builder.add_body({.name = name, .position = position});
    builder.add_shape(body, Box{.half_extents = half_extents}, {.name = name, .mass = mass, .colour = colour});
}

std::vector<MeshId> add_rocks(ModelBuilder& builder, Random& random)
{
    constexpr int kRocks = 8, kPoints = 32;
    std::vector<MeshId> rocks;
    for (int rock = 0; rock < kRocks; ++rock)
    {
        MeshOptions mesh{.name = "rock " + std::to_string(rock + 1)};
        const Vec3 radii{random.uniform(0.05, 0.09), random.uniform(0.05, 0.09), random.uniform(0.05, 0.09)};
        for (int i = 0; i < kPoints; ++i)
        {
            const Vec3 u = rotate(draw_rotation(random), Vec3{0, 0, 1});
            mesh.vertices.push_back({radii.x * u.x, radii.y * u.y, radii.z * u.z});
        }
        rocks.push_back(builder.add_mesh(mesh));
    }
    return rocks;
}

Shape make_stone(ShapeType type, double longest, Random& random, const std::vector<MeshId>& rocks)
{
    const auto size = [&] { return random.uniform(0.05, 0.08); };
    switch (type)
    {
        case ShapeType::box:
            return Box{.half_extents = {size(), size(), size()}};
        case ShapeType::sphere:
            return Sphere{.radius = size()};
        case ShapeType::capsule:
            return Capsule{.radius = random.uniform(0.04, 0.06), .half_length = random.uniform(0.03, longest)};
        case ShapeType::cylinder:
            return Cylinder{.radius = size(), .half_length = size()};
        case ShapeType::ellipsoid:
            return Ellipsoid{.radii = {size(), size(), size()}};
        default:
            return Hull{.mesh = rocks[random.bits() % rocks.size()]};
    }
}

void add_walls(ModelBuilder& builder, double half_width, double height, MaterialId material, Colour colour)
{
    constexpr double kThickness = 0.05;
    for (int wall = 0; wall < 4; ++wall)
    {
        const bool along_x = wall < 2;
        const double offset = (wall % 2 == 0 ? -1 : 1) * (half_width + kThickness);
        const Vec3 half =
            along_x ? Vec3{kThickness, half_width + 2 * kThickness, height} : Vec3{half_width, kThickness, height};
        builder.add_shape(kWorld, Box{.half_extents = half},
                          {.name = "wall " + std::to_string(wall + 1),
                           .position = along_x ? Vec3{offset, 0, height} : Vec3{0, offset, height},
                           .material = material,
                           .colour = colour});
    }
}

Quat draw_rotation(Random& random)
{
    // A point drawn in the unit ball of four dimensions, pushed onto its surface.
    for (;;)
    {
        const Quat q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const double length = norm(q);
        if (length > 0.1 && length < 1) return normalized(q);
    }
}

}  // namespace rattleback::lab
