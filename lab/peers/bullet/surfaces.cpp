// Triangles and heights in Bullet's arrays.
#include "lab/peers/bullet/surfaces.h"

#include "geometry/triangle_surface.h"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

void set_triangles(const MeshSurface& mesh, BulletSurface& surface)
{
    for (const Vec3& v : mesh.vertices()) surface.numbers.insert(surface.numbers.end(), {v.x, v.y, v.z});
    for (int t = 0; t < mesh.triangle_count(); ++t)
    {
        const auto& v = mesh.triangle(t).vertex;
        surface.corners.insert(surface.corners.end(), v.begin(), v.end());
    }
    surface.triangles = std::make_unique<btTriangleIndexVertexArray>(
        mesh.triangle_count(), surface.corners.data(), static_cast<int>(3 * sizeof(int)), mesh.vertex_count(),
        surface.numbers.data(), static_cast<int>(3 * sizeof(btScalar)));
}

void set_heights(const HeightFieldOptions& field, BulletSurface& surface)
{
    surface.numbers.assign(field.heights.begin(), field.heights.end());
    const auto [least, most] = std::minmax_element(surface.numbers.begin(), surface.numbers.end());
    auto shape = std::make_unique<btHeightfieldTerrainShape>(field.columns, field.rows, surface.numbers.data(), *least,
                                                             *most, 2, true);
    shape->setLocalScaling(btVector3(2 * field.half_x / (field.columns - 1), 2 * field.half_y / (field.rows - 1), 1));
    surface.offset = {0, 0, 0.5 * (*least + *most)};
    shape->setMargin(0);
    surface.shape = std::move(shape);
}

}  // namespace

BulletSurface::BulletSurface() = default;
BulletSurface::~BulletSurface() = default;

std::unique_ptr<BulletSurface> make_bullet_surface(const PlacedShape& shape, bool moves, double margin)
{
    auto surface = std::make_unique<BulletSurface>();
    if (shape.grid != nullptr)
    {
        set_heights(shape.grid->field(), *surface);
    }
    else if (shape.mesh != nullptr)
    {
        set_triangles(*shape.mesh, *surface);
        if (moves)
        {
            auto made = std::make_unique<btGImpactMeshShape>(surface->triangles.get());
            made->setMargin(margin);
            made->updateBound();
            surface->shape = std::move(made);
        }
        else
        {
            surface->shape = std::make_unique<btBvhTriangleMeshShape>(surface->triangles.get(), true);
            surface->shape->setMargin(0);
        }
    }
    else
    {
        surface->shape = make_bullet_shape(shape, BulletMargin::inner);
    }
    return surface;
}

}  // namespace rattleback::lab
