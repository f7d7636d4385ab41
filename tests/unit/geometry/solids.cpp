// Meshes, random poses and brute-force integrals that the geometry tests share.
#include "unit/geometry/solids.h"

#include <algorithm>
#include <map>

namespace rattleback::testing_geometry
{

double ShapeRandom::uniform(double low, double high)
{
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
}

Vec3 ShapeRandom::vector()
{
    const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    return {x, y, z};
}

Vec3 ShapeRandom::direction()
{
    for (;;)
    {
        const Vec3 v = vector();
        const double length = norm(v);
        if (length > 0.1 && length < 1) return (1 / length) * v;
    }
}

Quat ShapeRandom::rotation()
{
    for (;;)
    {
        const Vec3 v = vector();
        const Quat q{uniform(-1, 1), v.x, v.y, v.z};
        if (norm(q) > 0.1 && norm(q) < 1) return normalized(q);
    }
}

MeshOptions make_box_mesh(const Vec3& half)
{
    MeshOptions mesh;
    for (int i = 0; i < 8; ++i)
    {
        mesh.vertices.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

MeshOptions make_corner_tetrahedron()
{
    return {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

MeshOptions make_icosphere(double radius, int levels)
{
    const double g = (1 + std::sqrt(5.0)) / 2;
    MeshOptions mesh;
    mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int level = 0; level < levels; ++level)
    {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b)
        {
            const auto [entry, added] =
                middles.try_emplace(std::minmax({a, b}), static_cast<int>(mesh.vertices.size()));
            if (added)
            {
                mesh.vertices.push_back(mesh.vertices[static_cast<std::size_t>(a)] +
                                        mesh.vertices[static_cast<std::size_t>(b)]);
            }
            return entry->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles)
        {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.triangles = finer;
        for (Vec3& v : mesh.vertices) v = (1 / norm(v)) * v;
    }
    for (Vec3& v : mesh.vertices) v = (radius / norm(v)) * v;
    return mesh;
}

MeshOptions make_angle_bracket(const Vec3& offset)
{
    constexpr std::array<std::array<double, 2>, 6> outline{{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2.5}, {0, 2.5}}};
    MeshOptions mesh;
    for (const double z : {0.0, 0.75})
    {
        for (const auto& [x, y] : outline) mesh.vertices.push_back(offset + Vec3{x, y, z});
    }
    for (int i = 1; i < 5; ++i)
    {
        mesh.triangles.push_back({0, i + 1, i});
        mesh.triangles.push_back({6, i + 6, i + 7});
    }
    for (int i = 0; i < 6; ++i)
    {
        const int j = (i + 1) % 6;
        mesh.triangles.push_back({i, j, j + 6});
        mesh.triangles.push_back({i, j + 6, i + 6});
    }
    return mesh;
}

MeshOptions mapped(MeshOptions mesh, const Mat3& m, const Vec3& t)
{
    for (Vec3& v : mesh.vertices) v = m * v + t;
    return determinant(m) < 0 ? turned_inside_out(std::move(mesh)) : mesh;
}

MeshOptions turned_inside_out(MeshOptions mesh)
{
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return mesh;
}

bool is_inside(ShapeType type, const Vec3& size, const Vec3& p, double slack)
{
    const double across = std::sqrt(p.x * p.x + p.y * p.y);
    switch (type)
    {
        case ShapeType::sphere:
            return norm(p) <= size.x + slack;
        case ShapeType::capsule:
            return norm(p - Vec3{0, 0, std::clamp(p.z, -size.y, size.y)}) <= size.x + slack;
        case ShapeType::box:
            return std::abs(p.x) <= size.x + slack && std::abs(p.y) <= size.y + slack &&
                   std::abs(p.z) <= size.z + slack;
        case ShapeType::cylinder:
            return across <= size.x + slack && std::abs(p.z) <= size.y + slack;
        case ShapeType::ellipsoid:
            return norm(Vec3{p.x / (size.x + slack), p.y / (size.y + slack), p.z / (size.z + slack)}) <= 1;
        default:
            return false;
    }
}

/// Half sizes of a box around a primitive at its origin.
static Vec3 find_box(ShapeType type, const Vec3& size)
{
    if (type == ShapeType::sphere) return {size.x, size.x, size.x};
    if (type == ShapeType::capsule) return {size.x, size.x, size.x + size.y};
    if (type == ShapeType::cylinder) return {size.x, size.x, size.y};
    return size;
}

Vec3 sample_inside(ShapeType type, const Vec3& size, ShapeRandom& random)
{
    const Vec3 box = find_box(type, size);
    for (;;)
    {
        const Vec3 u = random.vector(), p{box.x * u.x, box.y * u.y, box.z * u.z};
        if (is_inside(type, size, p)) return p;
    }
}

MassProperties integrate_by_samples(ShapeType type, const Vec3& size, int cells, ShapeRandom& random)
{
    const Vec3 box = find_box(type, size);
    const double n = cells, weight = 8 * box.x * box.y * box.z / (n * n * n);
    double mass = 0;
    Vec3 first, squares, products;  // integrals of p, of (x², y², z²) and of (yz, xz, xy)
    const auto place = [&](int i, double half) { return half * (2 * (i + random.uniform()) / n - 1); };
    for (int i = 0; i < cells * cells * cells; ++i)
    {
        const double x = place(i % cells, box.x), y = place(i / cells % cells, box.y);
        const Vec3 p{x, y, place(i / cells / cells, box.z)};
        if (!is_inside(type, size, p)) continue;
        mass += weight;
        first += weight * p;
        squares += weight * Vec3{p.x * p.x, p.y * p.y, p.z * p.z};
        products += weight * Vec3{p.y * p.z, p.x * p.z, p.x * p.y};
    }
    // About the origin, where the centre of every primitive is.
    return {.mass = mass,
            .center = (1 / mass) * first,
            .inertia = {{squares.y + squares.z, -products.z, -products.y, -products.z, squares.x + squares.z,
                         -products.x, -products.y, -products.x, squares.x + squares.y}}};
}

double determinant(const Mat3& m) { return dot(m.column(0), cross(m.column(1), m.column(2))); }

double find_difference(const Mat3& a, const Mat3& b)
{
    double largest = 0;
    for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(a.m[i] - b.m[i]));
    return largest;
}

double find_difference(const Vec3& a, const Vec3& b)
{
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

}  // namespace rattleback::testing_geometry
