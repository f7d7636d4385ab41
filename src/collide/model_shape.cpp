// From the tables of a model to one shape.
#include "collide/model_shape.h"

#include "base/index.h"

namespace rattleback
{
bool is_hull(const Shapes& shapes, int shape)
{
    const ShapeType type = shapes.type[at(shape)];
    return type == ShapeType::hull || (type == ShapeType::mesh && shapes.mesh_collide[at(shape)] == MeshCollide::hull);
}

PlacedShape make_unplaced(const Model& model, int shape)
{
    PlacedShape placed;
    placed.type = model.shapes.type[at(shape)];
    placed.size = model.shapes.size[at(shape)];
    const int asset = model.shapes.asset[at(shape)];
    if (is_hull(model.shapes, shape) && at(asset) < model.hulls.size()) placed.hull = &model.hulls[at(asset)];
    return placed;
}

PlacedShape make_placed(const Model& model, const Pose& body, int shape)
{
    const Pose pose = body * model.shapes.pose[at(shape)];
    PlacedShape placed = make_unplaced(model, shape);
    placed.position = pose.position;
    placed.rotation = to_matrix(pose.rotation);
    return placed;
}

}  // namespace rattleback
