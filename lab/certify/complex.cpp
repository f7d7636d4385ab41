// Takes shapes apart into elements.
#include "lab/certify/complex.h"

#include "base/index.h"
#include "geometry/mesh_mass.h"
#include "geometry/tessellate.h"

#include <algorithm>
#include <set>

namespace rattleback::lab
{

namespace
{

constexpr int kAround = 64;  // corners of a tessellated circle: 0.12 % of the radius

/// The top of a height field, two triangles for each cell.
MeshOptions make_grid(const HeightFieldOptions& field)
{
    MeshOptions mesh;
    for (int row = 0; row < field.rows; ++row)
    {
        for (int column = 0; column < field.columns; ++column)
        {
            const double x = field.half_x * (2.0 * column / (field.columns - 1) - 1);
            const double y = field.half_y * (2.0 * row / (field.rows - 1) - 1);
            mesh.vertices.push_back({x, y, field.heights[at(row * field.columns + column)]});
            if (row + 1 == field.rows || column + 1 == field.columns) continue;
            const int corner = row * field.columns + column, above = corner + field.columns;
            mesh.triangles.push_back({corner, corner + 1, above + 1});
            mesh.triangles.push_back({corner, above + 1, above});
        }
    }
    return mesh;
}

/// The mesh that stands for a shape, in the shape's frame, and what it is then.
std::pair<MeshOptions, ShapeType> find_mesh(const RecordedModel& model, const RecordedShape& shape, Complex& complex)
{
    const double half = shape.size.y;
    switch (shape.type)
    {
        case ShapeType::plane:
            complex.plane = true;
            return {{.name = "", .vertices = {{}}, .triangles = {}}, ShapeType::points};
        case ShapeType::sphere:
            complex.radius = shape.size.x;
            return {{.name = "", .vertices = {{}}, .triangles = {}}, ShapeType::points};
        case ShapeType::capsule:
            complex.radius = shape.size.x;
            return {{.name = "", .vertices = {{0, 0, -half}, {0, 0, half}}, .triangles = {}, .edges = {{0, 1}}},
                    ShapeType::segments};
        case ShapeType::cylinder:
        case ShapeType::ellipsoid:
            complex.error = find_tessellation_error(shape.type, shape.size, kAround, Fit::inscribed);
            return {tessellate(shape.type, shape.size, kAround, Fit::inscribed), ShapeType::mesh};
        case ShapeType::box:
            return {tessellate(shape.type, shape.size, kAround, Fit::inscribed), ShapeType::mesh};
        case ShapeType::height_field:
            return {make_grid(model.height_fields[at(shape.asset)]), ShapeType::surface};
        default:
            return {model.meshes[at(shape.asset)], shape.type == ShapeType::hull ? ShapeType::mesh : shape.type};
    }
}

void add_elements(const MeshOptions& mesh, ShapeType type, Complex& complex)
{
    std::vector<char> owned(mesh.vertices.size(), 0);
    std::set<std::pair<int, int>> edges;
    const auto add = [&](std::array<int, 3> vertex, int count)
    {
        Element element{.vertex = vertex, .count = count};
        for (int k = 0; k < count; ++k) element.owns_vertex[at(k)] = std::exchange(owned[at(vertex[at(k)])], 1) == 0;
        for (int k = 0; k < element.edge_count(); ++k)
            element.owns_edge[at(k)] = edges.insert(std::minmax(vertex[at(k)], vertex[at((k + 1) % count)])).second;
        complex.elements.push_back(element);
    };
    const auto has_area = [&](const std::array<int, 3>& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; };
    if (type == ShapeType::points)
        for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i) add({i, -1, -1}, 1);
    else if (type == ShapeType::segments)
        for (const auto& [a, b] : mesh.edges) add({a, b, -1}, 2);
    else
        for (const auto& triangle : mesh.triangles)
            if (has_area(triangle)) add(triangle, 3);
}

void finish(const MeshOptions& mesh, ShapeType type, Complex& complex)
{
    complex.solid = type == ShapeType::mesh && !find_open_edge(mesh);
    add_elements(mesh, type, complex);
    std::vector<Aabb> boxes;
    Aabb all = kEmptyBox;
    for (const Element& element : complex.elements)
    {
        Aabb box = kEmptyBox;
        for (int k = 0; k < element.count; ++k)
        {
            const Vec3& v = complex.corner(element, k);
            box = merge(box, {v, v});
            complex.reach = std::max(complex.reach, norm(v) + complex.radius);
        }
        boxes.push_back(box);
        all = merge(all, box);
    }
    complex.tree.build(boxes);
    if (!boxes.empty()) complex.size = norm(all.upper - all.lower) + 2 * complex.radius;
}

}  // namespace

Complex make_complex(const RecordedModel& model, int shape_index)
{
    const RecordedShape& shape = model.shapes[at(shape_index)];
    Complex complex;
    const auto [mesh, type] = find_mesh(model, shape, complex);
    const Vec3 center = model.bodies[at(shape.body)].center;
    for (const Vec3& v : mesh.vertices)
        complex.vertices.push_back(shape.pose.position + rotate(shape.pose.rotation, v) - center);
    complex.normal = rotate(shape.pose.rotation, Vec3{0, 0, 1});
    if (!complex.plane) finish(mesh, type, complex);
    return complex;
}

Complex make_complex(const MeshOptions& mesh, ShapeType type)
{
    Complex complex;
    complex.vertices = mesh.vertices;
    finish(mesh, type, complex);
    return complex;
}

}  // namespace rattleback::lab
