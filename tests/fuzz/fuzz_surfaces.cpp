// Any bytes as two triangle surfaces, or one and a convex shape: soups, fans on one edge and solids, laid on each
// other, with claims that contacts must keep.
#include "collide/surface/touch_surface.h"
#include "fuzz/bytes.h"
#include "fuzz/fuzz.h"
#include "geometry/hull.h"
#include "geometry/triangle_surface.h"
#include "math/finite.h"
#include "support/brute_triangles.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace rattleback
{
namespace
{

/// A shape and what it points to.
struct DrawnShape
{
    PlacedShape shape;
    std::unique_ptr<MeshSurface> surface;
    std::unique_ptr<GridSurface> grid;
};

/// Quarter turns half of the time: faces and edges lie on each other.
Mat3 draw_turn(Bytes& bytes)
{
    if (bytes.draw(2) == 0)
    {
        Mat3 m = to_matrix(from_axis_angle({0, 0, 1}, 0.5 * kPi * bytes.draw(4)) *
                           from_axis_angle({1, 0, 0}, 0.5 * kPi * bytes.draw(4)));
        for (double& entry : m.m) entry = std::round(entry);
        return m;
    }
    const Vec3 v = bytes.vector();
    const Quat q{bytes.signed_fraction(), v.x, v.y, v.z};
    return norm(q) > 0 ? to_matrix(normalized(q)) : to_matrix(Quat{});
}

MeshOptions draw_soup(Bytes& bytes)
{
    MeshOptions mesh;
    const int vertices = 3 + bytes.draw(10), triangles = 1 + bytes.draw(24);
    for (int i = 0; i < vertices; ++i) mesh.vertices.push_back(bytes.vector());
    for (int i = 0; i < triangles; ++i)
    {
        const int a = bytes.draw(vertices), b = bytes.draw(vertices);
        mesh.triangles.push_back({a, b, bytes.draw(vertices)});
    }
    return mesh;
}

bool draw_solid(Bytes& bytes, MeshOptions& mesh)
{
    std::vector<Vec3> cloud;
    const int count = 4 + bytes.draw(12);
    const Vec3 scale = bytes.draw(4) == 0 ? Vec3{1, 1, 1.0 / 128} : Vec3{1, 1, 1};
    for (int i = 0; i < count; ++i)
    {
        const Vec3 v = bytes.vector();
        cloud.push_back({scale.x * v.x, scale.y * v.y, scale.z * v.z});
    }
    Result<MeshOptions> hull = compute_hull(cloud);
    if (!hull) return false;
    mesh = hull.value();
    return true;
}

void draw_grid(Bytes& bytes, DrawnShape& drawn)
{
    HeightFieldOptions field;
    field.rows = 2 + bytes.draw(5);
    field.columns = 2 + bytes.draw(5);
    for (int i = 0; i < field.rows * field.columns; ++i) field.heights.push_back(0.5 + 0.5 * bytes.signed_fraction());
    drawn.shape.type = ShapeType::height_field;
    drawn.grid = std::make_unique<GridSurface>(field);
    drawn.shape.grid = drawn.grid.get();
}

/// False: the bytes give no shape.
bool draw_surface(Bytes& bytes, DrawnShape& drawn, bool may_be_grid)
{
    const int kind = bytes.draw(may_be_grid ? 4 : 3);
    drawn.shape.rotation = draw_turn(bytes);
    if (kind == 3) return draw_grid(bytes, drawn), true;
    MeshOptions mesh;
    const bool is_solid = kind != 0;
    if (!is_solid) mesh = draw_soup(bytes);
    if (is_solid && !draw_solid(bytes, mesh)) return false;
    drawn.shape.type = is_solid ? ShapeType::mesh : ShapeType::surface;
    drawn.surface = std::make_unique<MeshSurface>(mesh, is_solid);
    drawn.shape.mesh = drawn.surface.get();
    return drawn.surface->triangle_count() > 0;
}

bool draw_other(Bytes& bytes, DrawnShape& drawn)
{
    if (bytes.draw(2) == 0) return draw_surface(bytes, drawn, false);
    constexpr ShapeType kTypes[] = {ShapeType::plane, ShapeType::sphere,   ShapeType::capsule,
                                    ShapeType::box,   ShapeType::cylinder, ShapeType::ellipsoid};
    drawn.shape.type = kTypes[bytes.draw(6)];
    for (int i = 0; i < 3; ++i) drawn.shape.size[i] = (1 + bytes.draw(128)) / 128.0;
    drawn.shape.rotation = draw_turn(bytes);
    return true;
}

/// What holds whatever the shapes are.
void require_sound_points(const SurfaceScratch& scratch, double reach)
{
    for (std::size_t i = 0; i < scratch.points.size(); ++i)
    {
        const ManifoldPoint& point = scratch.points[i];
        require(is_finite(point.point) && std::isfinite(point.distance), "contacts are finite");
        require(std::abs(norm(point.normal) - 1) < 1e-9, "normals are unit vectors");
        require(point.distance <= reach, "contacts are within the reach");
        require(norm(point.point) < 20, "contacts are near the shapes");
        require(i == 0 || scratch.points[i - 1].feature <= point.feature, "features are in order");
    }
}

double find_nearest_contact(const SurfaceScratch& scratch)
{
    double nearest = 1e9;
    for (const ManifoldPoint& point : scratch.points) nearest = std::min(nearest, point.distance);
    return nearest;
}

/// Two convex solids: where no triangles cross and neither is in the other, the nearest contact is as far as brute
/// force says.
void require_true_gap(const DrawnShape& first, const DrawnShape& second, double reach, const SurfaceScratch& scratch)
{
    const std::vector<Corners> a = find_world_triangles(first.shape), b = find_world_triangles(second.shape);
    const double gap = find_brute_distance(a, b);
    if (gap < 1e-6) return;  // touching: which side of the fence is a matter of rounding
    const bool is_nested = find_brute_signed_distance(a[0][0], b) < 0 || find_brute_signed_distance(b[0][0], a) < 0;
    if (is_nested) return;
    const double found = std::min(find_nearest_contact(scratch), reach);
    require(std::abs(found - std::min(gap, reach)) < 1e-6, "the nearest contact is as far as the triangles are");
}

}  // namespace
}  // namespace rattleback

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    Bytes bytes(data, size);
    DrawnShape first, second;
    if (!draw_surface(bytes, first, true) || !draw_other(bytes, second)) return 0;
    if (!can_touch_surface(first.shape, second.shape) || never_touch(first.shape.type, second.shape.type)) return 0;
    second.shape.position = 2 * bytes.vector();
    const double reach = bytes.draw(128) / 256.0;
    SurfaceScratch scratch, again;
    const bool is_swapped = bytes.draw(2) == 1;
    const PlacedShape& a = is_swapped ? second.shape : first.shape;
    const PlacedShape& b = is_swapped ? first.shape : second.shape;
    touch_surface(a, b, reach, 8, scratch);
    require_sound_points(scratch, reach);
    touch_surface(a, b, reach, 8, again);
    require(again.points.size() == scratch.points.size(), "the answer depends on nothing but the poses");
    for (std::size_t i = 0; i < again.points.size(); ++i)
    {
        const ManifoldPoint &x = scratch.points[i], &y = again.points[i];
        require(x.distance == y.distance && norm(x.point - y.point) == 0 && norm(x.normal - y.normal) == 0 &&
                    x.feature == y.feature,
                "the same poses give the same bits");
    }
    const auto is_solid = [](const DrawnShape& shape) { return shape.surface && shape.surface->has_inside(); };
    if (is_solid(first) && is_solid(second)) require_true_gap(first, second, reach, scratch);
    return 0;
}
