// The triangle surfaces of meshes and height fields that collide as they are.
#include "base/index.h"
#include "build/compile.h"
#include "geometry/triangle_surface.h"

namespace rattleback
{

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
    model.surfaces = Surfaces(std::move(surfaces));
}

}  // namespace rattleback
