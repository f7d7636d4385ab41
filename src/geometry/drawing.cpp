// Drawings of shapes: round ones by turning a profile about z, the others from their corners.
#include "geometry/drawing.h"

#include "geometry/height_field.h"
#include "geometry/profile.h"

namespace rattleback
{

namespace
{

// For eyes only: corners lie on the surface, normals are smooth, and seams need not close.

void add_vertex(Drawing& drawing, const ProfilePoint& point, double angle)
{
    double c = 0, s = 0;
    // The profile lies in the half plane of x and z; a turn about z makes the surface.
    sincos(angle, s, c);
    // Position and normal turn alike: the normal has a radial part and one along z.
    drawing.vertices.push_back({point.radius * c, point.radius * s, point.z});
    drawing.normals.push_back({point.normal_radius * c, point.normal_radius * s, point.normal_z});
}

/// Turns a profile, given from bottom to top, about z, with `around` corners to the circle.
Drawing turn(const Profile& profile, int around)
{
    Drawing drawing;
    for (std::size_t i = 0; i < profile.size(); ++i)
    {
        // Each row of the profile is a ring of corners of its own, with the normal of that row.
        for (int j = 0; j < around; ++j) add_vertex(drawing, profile[i], 2 * kPi * j / around);
        // A row that is not joined begins a new surface: same place, another normal, hence a sharp rim.
        if (i == 0 || !profile[i].joined) continue;
        for (int j = 0; j < around; ++j)
        {
            const auto corner = [&](std::size_t row, int turned)
            {
                return static_cast<std::uint32_t>(row) * static_cast<std::uint32_t>(around) +
                       static_cast<std::uint32_t>(turned % around);
            };
            // Two triangles per quad, in the sense seen from outside.
            const std::uint32_t a = corner(i - 1, j), b = corner(i - 1, j + 1);
            const std::uint32_t c = corner(i, j + 1), d = corner(i, j);
            // At a pole a quad has only one triangle.
            if (profile[i - 1].radius > 0) drawing.indices.insert(drawing.indices.end(), {a, b, c});
            if (profile[i].radius > 0) drawing.indices.insert(drawing.indices.end(), {a, c, d});
        }
    }
    return drawing;
}

Drawing draw_ellipsoid(const Vec3& radii, int around)
{
    // A unit sphere, stretched.
    Drawing drawing = turn(make_capsule_profile(1, 0, around), around);
    for (std::size_t i = 0; i < drawing.vertices.size(); ++i)
    {
        Vec3& vertex = drawing.vertices[i];
        vertex = {radii.x * vertex.x, radii.y * vertex.y, radii.z * vertex.z};
        // A unit sphere's normal n, stretched by the radii, is along n / radii.
        const Vec3& unit = drawing.normals[i];
        // Multiplied by all three radii: no division, and flat ellipsoids have normals too.
        const Vec3 normal{unit.x * radii.y * radii.z, unit.y * radii.x * radii.z, unit.z * radii.x * radii.y};
        const double length = norm(normal);
        if (length > 0) drawing.normals[i] = 1 / length * normal;
    }
    return drawing;
}

Drawing draw_box(const Vec3& half)
{
    Drawing drawing;
    // Each face has corners of its own, with its own normal.
    for (int axis = 0; axis < 3; ++axis)
    {
        for (const double side : {-1.0, 1.0})
        {
            // Four corners per face, since corners of a box have three normals.
            const auto first = static_cast<std::uint32_t>(drawing.vertices.size());
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            // All four corners of a face share it.
            Vec3 normal;
            normal[axis] = side;
            for (const auto& [du, dv] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
            {
                Vec3 corner;
                corner[axis] = side * half[axis];
                corner[u] = side * du * half[u];  // mirrored with the side, so that the order stays
                corner[v] = dv * half[v];
                drawing.vertices.push_back(corner);
                drawing.normals.push_back(normal);
            }
            for (const std::uint32_t k : {0U, 1U, 2U, 0U, 2U, 3U}) drawing.indices.push_back(first + k);
        }
    }
    return drawing;
}

Drawing draw_plane(double size)
{
    // A square patch of the endless plane, as large as the caller says.
    return {.vertices = {{-size, -size, 0}, {size, -size, 0}, {size, size, 0}, {-size, size, 0}},
            .normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
            .indices = {0, 1, 2, 0, 2, 3}};
}

Drawing draw_mesh(const MeshOptions& mesh, bool two_sided)
{
    // Without normals: whoever draws it makes them.
    Drawing drawing{.two_sided = two_sided, .vertices = mesh.vertices};
    for (const auto& triangle : mesh.triangles)
    {
        for (const int corner : triangle) drawing.indices.push_back(static_cast<std::uint32_t>(corner));
    }
    return drawing;
}

Drawing draw_segments(const MeshOptions& mesh)
{
    Drawing drawing{.mode = Drawing::Mode::lines, .vertices = mesh.vertices};
    for (const auto& edge : mesh.edges)
    {
        for (const int end : edge) drawing.indices.push_back(static_cast<std::uint32_t>(end));
    }
    return drawing;
}

Drawing draw_points(const MeshOptions& mesh)
{
    Drawing drawing{.mode = Drawing::Mode::points, .vertices = mesh.vertices};
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) drawing.indices.push_back(static_cast<std::uint32_t>(i));
    return drawing;
}

Drawing draw_height_field(const HeightFieldOptions& field)
{
    // Only the surface is drawn, and seen from below too.
    Drawing drawing{.two_sided = true, .vertices = find_grid_points(field)};
    for (const std::array<int, 3>& triangle : cut_grid(field.rows, field.columns))
    {
        for (const int corner : triangle) drawing.indices.push_back(static_cast<std::uint32_t>(corner));
    }
    return drawing;
}

}  // namespace

Drawing draw_shape(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                   double plane_size, int around)
{
    // What is drawn is what collides: the same sizes, the same cut of height fields.
    switch (type)
    {
        case ShapeType::plane:
            return draw_plane(plane_size);
        case ShapeType::sphere:
            return turn(make_capsule_profile(size.x, 0, around), around);
        case ShapeType::capsule:
            return turn(make_capsule_profile(size.x, size.y, around), around);
        case ShapeType::box:
            return draw_box(size);
        case ShapeType::cylinder:
            return turn(make_cylinder_profile(size.x, size.y), around);
        case ShapeType::ellipsoid:
            return draw_ellipsoid(size, around);
        case ShapeType::hull:
        case ShapeType::mesh:
            return draw_mesh(*mesh, false);
        case ShapeType::height_field:
            return draw_height_field(*field);
        case ShapeType::points:
            return draw_points(*mesh);
        case ShapeType::segments:
            return draw_segments(*mesh);
        case ShapeType::surface:
            return draw_mesh(*mesh, true);
    }
    return {};
}

}  // namespace rattleback
