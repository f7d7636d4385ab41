// The triangle surfaces of meshes and height fields that collide as they are.
#include "base/index.h"
#include "base/single.h"
#include "build/compile.h"
#include "geometry/triangle_surface.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Meshes that collide by their hulls are seen by rangefinders as they are, with vertices in single precision as MuJoCo
/// keeps them.
void add_seen_meshes(const Model& model, TriangleSurfaces& surfaces)
{
    const std::vector<SensorType>& sensors = model.sensors.type;
    if (std::find(sensors.begin(), sensors.end(), SensorType::rangefinder) == sensors.end()) return;
    const Shapes& shapes = model.shapes;
    for (std::size_t s = 0; s < shapes.type.size(); ++s)
    {
        if (shapes.type[s] != ShapeType::mesh || shapes.mesh_collide[s] == MeshCollide::exact) continue;
        const auto asset = static_cast<std::size_t>(shapes.asset[s]);
        if (surfaces.sheets[asset]) continue;
        MeshOptions seen = model.meshes[asset];
        for (Vec3& v : seen.vertices) v = {round_to_single(v.x), round_to_single(v.y), round_to_single(v.z)};
        surfaces.sheets[asset] = std::make_unique<const MeshSurface>(seen, false);
    }
}

}  // namespace

void compile_surfaces(Model& model)
{
    auto surfaces = std::make_shared<TriangleSurfaces>();
    surfaces->solids.resize(model.meshes.size());
    surfaces->sheets.resize(model.meshes.size());
    surfaces->grids.resize(model.height_fields.size());
    const Shapes& shapes = model.shapes;
    // Made only where a shape collides by its triangles, and once per asset.
    for (std::size_t s = 0; s < shapes.type.size(); ++s)
    {
        const auto asset = static_cast<std::size_t>(shapes.asset[s]);
        const bool is_solid = shapes.type[s] == ShapeType::mesh && shapes.mesh_collide[s] == MeshCollide::exact;
        if (is_solid && !surfaces->solids[asset])
            surfaces->solids[asset] = std::make_unique<const MeshSurface>(model.meshes[asset], true);
        if (shapes.type[s] == ShapeType::surface && !surfaces->sheets[asset])
            surfaces->sheets[asset] = std::make_unique<const MeshSurface>(model.meshes[asset], false);
        if (shapes.type[s] == ShapeType::height_field && !surfaces->grids[asset])
            surfaces->grids[asset] = std::make_unique<const GridSurface>(model.height_fields[asset]);
    }
    add_seen_meshes(model, *surfaces);
    model.surfaces = Surfaces(std::move(surfaces));
}

}  // namespace rattleback
