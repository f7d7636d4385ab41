// Forms: unit shapes at several levels, meshes once.
#include "lab/render/triangulate.h"

#include "base/index.h"
#include "geometry/height_field.h"
#include "lab/render/simplify.h"
#include "math/elementary.h"

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr std::array<int, kLevelCount> kCorners{12, 16, 24, 32, 48, 64, 96, 128};
constexpr std::size_t kManyTriangles = 1000;  // meshes with fewer are drawn as they are
constexpr double kCoarsestCells = 16;         // of a clustered mesh along its diagonal
constexpr int kMeshLevels = 7;                // each twice as fine as the one before
constexpr std::size_t kManyFaces = 256;  // around one vertex: beyond, corners keep the normal of their own triangle

Vec3 unit_or_zero(const Vec3& a)
{
    const double length = norm(a);
    return length > 0 && std::isfinite(length) ? 1 / length * a : Vec3{};
}

/// Triangles around the points of a mesh; vertices at one place are one point.
struct Fans
{
    std::vector<int> point_of_vertex;
    std::vector<std::size_t> begin;   ///< [point], and the end
    std::vector<std::size_t> corner;  ///< 3 * triangle + corner
};

Fans find_fans(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles)
{
    Fans fans;
    std::map<std::array<double, 3>, int> points;
    for (const Vec3& v : vertices)
    {
        const auto next = static_cast<int>(points.size());
        fans.point_of_vertex.push_back(points.try_emplace({v.x, v.y, v.z}, next).first->second);
    }
    fans.begin.assign(points.size() + 1, 0);
    const auto point = [&](std::size_t i) { return at(fans.point_of_vertex[at(triangles[i / 3][i % 3])]); };
    for (std::size_t i = 0; i < 3 * triangles.size(); ++i) ++fans.begin[point(i) + 1];
    for (std::size_t i = 1; i < fans.begin.size(); ++i) fans.begin[i] += fans.begin[i - 1];
    fans.corner.resize(3 * triangles.size());
    std::vector<std::size_t> next(fans.begin);
    for (std::size_t i = 0; i < 3 * triangles.size(); ++i) fans.corner[next[point(i)]++] = i;
    return fans;
}

/// A cone of radius 1 at z = 0 with its tip at z = 1.
Drawing draw_cone()
{
    constexpr int kAround = 24;
    Drawing cone;
    const auto rim = [](int i)
    {
        double s = 0, c = 0;
        sincos(2 * kPi * (i % kAround) / kAround, s, c);
        return Vec3{c, s, 0};
    };
    for (int i = 0; i < kAround; ++i)
    {
        const Vec3 a = rim(i), b = rim(i + 1);
        const double slope = std::sqrt(0.5);
        const auto side = [&](const Vec3& r) { return Vec3{slope * r.x, slope * r.y, slope}; };
        cone.vertices.insert(cone.vertices.end(), {a, b, {0, 0, 1}, b, a, {0, 0, 0}});
        cone.normals.insert(cone.normals.end(),
                            {side(a), side(b), unit_or_zero(side(a) + side(b)), {0, 0, -1}, {0, 0, -1}, {0, 0, -1}});
    }
    for (std::uint32_t i = 0; i < cone.vertices.size(); ++i) cone.indices.push_back(i);
    return cone;
}

}  // namespace

int corners_of_level(int level) { return kCorners[at(level)]; }

int find_level(double radius)
{
    // n corners leave the circle by r (1 - cos(pi / n)), about r (pi / n)^2 / 2.
    for (int level = 0; level < kLevelCount - 1; ++level)
    {
        const double angle = kPi / corners_of_level(level);
        if (0.5 * radius * angle * angle <= 0.2) return level;
    }
    return kLevelCount - 1;
}

Drawing smooth(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles,
               std::span<const std::array<float, 2>> texcoords)
{
    std::vector<Vec3> face(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i)
    {
        const auto& [a, b, c] = triangles[i];
        face[i] = unit_or_zero(cross(vertices[at(b)] - vertices[at(a)], vertices[at(c)] - vertices[at(a)]));
    }
    const auto angle_at = [&](std::size_t corner)
    {
        const auto& triangle = triangles[corner / 3];
        const Vec3 p = vertices[at(triangle[corner % 3])];
        const Vec3 a = unit_or_zero(vertices[at(triangle[(corner + 1) % 3])] - p);
        const Vec3 b = unit_or_zero(vertices[at(triangle[(corner + 2) % 3])] - p);
        return angle_of(norm(cross(a, b)), dot(a, b));
    };
    double sine = 0, least_cosine = 0;
    sincos(kCrease, sine, least_cosine);
    const Fans fans = find_fans(vertices, triangles);
    Drawing drawing;
    // Corners at one point that have the same normal (and place in the texture) are one vertex: each point has a chain
    // of those made so far.
    constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::vector<std::uint32_t> first(fans.begin.size(), kNone), next;
    const auto find_corner = [&](std::size_t point, const Vec3& position, const Vec3& normal, std::size_t corner)
    {
        const bool placed = !texcoords.empty();
        for (std::uint32_t i = first[point]; i != kNone; i = next[i])
            if (drawing.normals[i] == normal && (!placed || drawing.texcoords[i] == texcoords[corner])) return i;
        const auto made = static_cast<std::uint32_t>(drawing.vertices.size());
        drawing.vertices.push_back(position);
        drawing.normals.push_back(normal);
        if (placed) drawing.texcoords.push_back(texcoords[corner]);
        next.push_back(first[point]);
        first[point] = made;
        return made;
    };
    for (std::size_t i = 0; i < triangles.size(); ++i)
    {
        if (face[i] == Vec3{}) continue;
        for (std::size_t k = 0; k < 3; ++k)
        {
            const int vertex = triangles[i][k];
            const std::size_t point = at(fans.point_of_vertex[at(vertex)]);
            Vec3 normal = face[i];
            if (fans.begin[point + 1] - fans.begin[point] <= kManyFaces)
            {
                normal = {};
                for (std::size_t f = fans.begin[point]; f < fans.begin[point + 1]; ++f)
                {
                    const Vec3& other = face[fans.corner[f] / 3];
                    if (dot(other, face[i]) >= least_cosine) normal += angle_at(fans.corner[f]) * other;
                }
                normal = unit_or_zero(normal);
            }
            drawing.indices.push_back(find_corner(point, vertices[at(vertex)], normal, 3 * i + k));
        }
    }
    return drawing;
}

void build_solid(const HeightFieldOptions& field, std::vector<Vec3>& vertices,
                 std::vector<std::array<int, 3>>& triangles)
{
    const int columns = field.columns, rows = field.rows, bottom = rows * columns;
    vertices = find_grid_points(field);
    for (int i = 0; i < bottom; ++i) vertices.push_back({vertices[at(i)].x, vertices[at(i)].y, -field.base});
    triangles = cut_grid(rows, columns);
    for (std::size_t i = 0, count = triangles.size(); i < count; ++i)
    {
        const auto [a, b, c] = triangles[i];
        triangles.push_back({bottom + a, bottom + c, bottom + b});
    }
    const auto quad = [&](int a, int b, int c, int d)
    {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
    };
    const auto wall = [&](int from, int to) { quad(bottom + from, bottom + to, to, from); };
    for (int c = 0; c + 1 < columns; ++c)
    {
        wall(c, c + 1);
        wall((rows - 1) * columns + c + 1, (rows - 1) * columns + c);
    }
    for (int r = 0; r + 1 < rows; ++r)
    {
        wall(r * columns + columns - 1, (r + 1) * columns + columns - 1);
        wall((r + 1) * columns, r * columns);
    }
}

const Drawing* Forms::find_unit(ShapeType type, int level)
{
    const auto [entry, is_new] = units_.try_emplace({type, level});
    if (is_new) entry->second = draw_shape(type, {1, 1, 1}, nullptr, nullptr, 1, corners_of_level(level));
    return &entry->second;
}

const Drawing* Forms::find_asset(const RecordedShape& shape, double cells)
{
    const Drawing* fine = find_asset(shape);
    if (fine->indices.size() < 3 * kManyTriangles || !fine->texcoords.empty()) return fine;
    for (int level = 0; level < kMeshLevels; ++level)
    {
        const double level_cells = std::ldexp(kCoarsestCells, level);
        if (level_cells < cells) continue;
        const auto [entry, is_new] = coarse_assets_.try_emplace({shape.type, shape.asset, level});
        if (is_new) entry->second = cluster(*fine, find_diagonal(*fine) / level_cells);
        return &entry->second;
    }
    return fine;
}

const Drawing* Forms::find_asset(const RecordedShape& shape)
{
    const auto [entry, is_new] = assets_.try_emplace({shape.type, shape.asset});
    if (!is_new) return &entry->second;
    if (shape.type == ShapeType::height_field)
    {
        std::vector<Vec3> vertices;
        std::vector<std::array<int, 3>> triangles;
        build_solid(model_.height_fields[at(shape.asset)], vertices, triangles);
        entry->second = smooth(vertices, triangles);
    }
    else
    {
        const MeshOptions& mesh = model_.meshes[at(shape.asset)];
        entry->second = smooth(mesh.vertices, mesh.triangles, mesh.texcoords);
        entry->second.two_sided = shape.type == ShapeType::surface;
    }
    return &entry->second;
}

Form Forms::find(const RecordedShape& shape, int level, double cells)
{
    const double radius = shape.size.x, half_length = shape.size.y;
    switch (shape.type)
    {
        case ShapeType::sphere:
            return {find_unit(ShapeType::sphere, level), {radius, radius, radius}};
        case ShapeType::capsule:  // the unit one has half length 1
            return {find_unit(ShapeType::capsule, level), {radius, radius, radius}, half_length - radius};
        case ShapeType::cylinder:
            return {find_unit(ShapeType::cylinder, level), {radius, radius, half_length}};
        case ShapeType::box:
            return {find_unit(ShapeType::box, 0), shape.size};
        case ShapeType::ellipsoid:
            return {find_unit(ShapeType::sphere, level), shape.size};
        case ShapeType::hull:
        case ShapeType::mesh:
        case ShapeType::surface:
        case ShapeType::height_field:
            return {find_asset(shape, cells)};
        case ShapeType::plane:
        case ShapeType::points:
        case ShapeType::segments:
            break;
    }
    return {};
}

Form Forms::find_sphere(int level) { return {find_unit(ShapeType::sphere, level)}; }
Form Forms::find_cylinder(int level) { return {find_unit(ShapeType::cylinder, level)}; }
Form Forms::find_cone()
{
    if (!cone_) cone_ = draw_cone();
    return {&*cone_};
}

}  // namespace rattleback::lab
