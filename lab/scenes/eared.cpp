// The bumpy solid with ears, its bowl, and many of them in it.
#include "lab/scenes/eared.h"

#include "base/index.h"
#include "lab/scenes/parts.h"
#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace rattleback::lab
{

namespace
{

constexpr double kRoom = 3.2;  // of the size: above twice the ears' reach

/// How far the surface is from the middle in a unit direction, for a solid of size 1.
double find_radius(const Vec3& u)
{
    const double bumps = 0.1 * std::sin(5 * u.x + 1) * std::sin(4 * u.y + 2) + 0.06 * std::sin(7 * u.z);
    // Ears lean out by 27 degrees and are a quarter of a radian wide.
    const double right = (0.45 * u.x + 0.9 * u.z) / std::sqrt(0.45 * 0.45 + 0.9 * 0.9);
    const double left = (-0.45 * u.x + 0.9 * u.z) / std::sqrt(0.45 * 0.45 + 0.9 * 0.9);
    return 1 + bumps + 0.5 * (std::exp((right - 1) / 0.03) + std::exp((left - 1) / 0.03));
}

/// The vertex at a lattice point of the cube's surface, coordinates 0 to `cells`.
Vec3 find_vertex(const std::array<int, 3>& lattice, int cells, double size)
{
    const auto place = [&](int i) { return std::tan(0.25 * kPi * (2.0 * i / cells - 1)); };
    const Vec3 u = make_unit(Vec3{place(lattice[0]), place(lattice[1]), place(lattice[2])});
    return size * (cells == 1 ? 1 : find_radius(u)) * u;
}

}  // namespace

MeshOptions make_eared(int cells, double size)
{
    MeshOptions mesh{.name = "eared", .vertices = {}, .triangles = {}};
    std::map<std::array<int, 3>, int> numbers;
    const auto number = [&](const std::array<int, 3>& lattice)
    {
        const auto [place, is_new] = numbers.try_emplace(lattice, static_cast<int>(mesh.vertices.size()));
        if (is_new) mesh.vertices.push_back(find_vertex(lattice, cells, size));
        return place->second;
    };
    // Six sides: the axis that stays, and the two along it in right-handed order seen from outside.
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
        for (const int end : {0, cells})
        {
            const std::size_t first = (axis + (end == 0 ? 2 : 1)) % 3, second = 3 - axis - first;
            for (int row = 0; row < cells; ++row)
            {
                for (int column = 0; column < cells; ++column)
                {
                    const auto corner = [&](int right, int up)
                    {
                        std::array<int, 3> lattice{};
                        lattice[axis] = end;
                        lattice[first] = column + right;
                        lattice[second] = row + up;
                        return number(lattice);
                    };
                    const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
                    mesh.triangles.push_back({a, b, c});
                    mesh.triangles.push_back({a, c, d});
                }
            }
        }
    }
    return mesh;
}

MeshOptions make_bowl(double radius, double wall, int around, int up)
{
    MeshOptions mesh{.name = "bowl", .vertices = {}, .triangles = {}};
    const auto add_ring = [&](double distance, int k)
    {
        const double angle = 0.5 * kPi * k / up;
        for (int i = 0; i < around; ++i)
        {
            const double turn = 2 * kPi * i / around;
            mesh.vertices.push_back({distance * std::sin(angle) * std::cos(turn),
                                     distance * std::sin(angle) * std::sin(turn), -distance * std::cos(angle)});
        }
    };
    for (int k = 1; k <= up; ++k) add_ring(radius, k);
    for (int k = up; k >= 1; --k) add_ring(radius + wall, k);
    const int rings = 2 * up, inner = static_cast<int>(mesh.vertices.size()), outer = inner + 1;
    mesh.vertices.push_back({0, 0, -radius});
    mesh.vertices.push_back({0, 0, -radius - wall});
    for (int i = 0; i < around; ++i)
    {
        const int next = (i + 1) % around, last = (rings - 1) * around;
        mesh.triangles.push_back({inner, i, next});
        mesh.triangles.push_back({outer, last + next, last + i});
        for (int k = 0; k + 1 < rings; ++k)
        {
            const int a = k * around + i, b = k * around + next, c = a + around, d = b + around;
            mesh.triangles.push_back({a, c, d});
            mesh.triangles.push_back({a, d, b});
        }
    }
    return mesh;
}

double find_bowl_radius(const EaredBowlOptions& options)
{
    if (options.radius > 0) return options.radius;
    // Wide enough for four layers of a square: a deep heap would roll over the rim.
    return kRoom * options.size * std::max(2.0, std::sqrt(options.count / 4.0)) / 1.2;
}

Result<Model> build_eared_bowl(const EaredBowlOptions& options)
{
    ModelBuilder builder("eared_bowl");
    const double radius = find_bowl_radius(options), cell = kRoom * options.size;
    const MeshId bowl = builder.add_mesh(make_bowl(radius, 0.1 * radius, 48, 16));
    builder.add_shape(kWorld, Mesh{.mesh = bowl, .collide = MeshCollide::exact}, {.name = "bowl", .colour = kSteel});
    const MeshId mesh = builder.add_mesh(make_eared(options.cells, options.size));
    // Layers of a square that fits into the bowl's opening.
    const int side = std::max(1, static_cast<int>(std::floor(1.2 * radius / cell)));
    Random random(options.seed);
    for (int i = 0; i < options.count; ++i)
    {
        const int column = i % side, row = i / side % side, layer = i / (side * side);
        const Vec3 place{column - 0.5 * (side - 1), row - 0.5 * (side - 1), layer - 0.3 * radius / cell};
        const BodyId body = builder.add_body(
            {.name = "eared " + std::to_string(i + 1), .position = cell * place, .rotation = draw_rotation(random)});
        builder.add_shape(body, Mesh{.mesh = mesh, .collide = MeshCollide::exact}, {.colour = colour_of(i)});
    }
    return builder.build();
}

}  // namespace rattleback::lab
