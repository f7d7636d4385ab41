// From the tables of a model to one shape.
#include "collide/model_shape.h"

#include "base/index.h"
#include "geometry/triangle_surface.h"

namespace rattleback
{
bool is_hull(const Shapes& shapes, int shape)
{
    // Meshes collide as their hulls or by their triangles.
    const ShapeType type = shapes.type[at(shape)];
    return type == ShapeType::hull || (type == ShapeType::mesh && shapes.mesh_collide[at(shape)] == MeshCollide::hull);
}

PlacedShape make_unplaced(const Model& model, int shape)
{
    PlacedShape placed;
    placed.type = model.shapes.type[at(shape)];
    placed.size = model.shapes.size[at(shape)];
    const int asset = model.shapes.asset[at(shape)];
    // A hull or a surface belongs to the asset, and all shapes of it share it.
    if (is_hull(model.shapes, shape) && at(asset) < model.hulls.size()) placed.hull = &model.hulls[at(asset)];
    const TriangleSurfaces* surfaces = model.surfaces.get();
    if (surfaces == nullptr || asset < 0) return placed;
    const auto find = [&](const auto& list) { return at(asset) < list.size() ? list[at(asset)].get() : nullptr; };
    // Shared surfaces are made once per model and belong to it.
    if (placed.type == ShapeType::height_field) placed.grid = find(surfaces->grids);
    if (placed.type == ShapeType::surface) placed.mesh = find(surfaces->sheets);
    if (placed.type == ShapeType::mesh && !is_hull(model.shapes, shape)) placed.mesh = find(surfaces->solids);
    return placed;
}

PlacedShape make_placed(const Model& model, const Pose& body, int shape)
{
    // A body's frame, then the shape's in it.
    const Pose pose = body * model.shapes.pose[at(shape)];
    PlacedShape placed = make_unplaced(model, shape);
    placed.position = pose.position;
    placed.rotation = to_matrix(pose.rotation);
    return placed;
}

}  // namespace rattleback
