// Our meshes and height fields as Bullet's.
#pragma once

#include "lab/peers/bullet/shapes.h"

#include <vector>

class btTriangleIndexVertexArray;

namespace rattleback::lab
{

/// One shape with all that it refers to.
struct BulletSurface
{
    BulletSurface();
    ~BulletSurface();

    std::vector<btScalar> numbers;  ///< vertices, or heights
    std::vector<int> corners;
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btCollisionShape> shape;  ///< null: Bullet has none
    Vec3 offset;  ///< of Bullet's origin in our frame: it puts that of a height field into the middle of its box
};

/// A mesh or height field, or any convex shape with its inner margin. `moves`: by GImpact, which two meshes need, as
/// much thicker as `margin` [m] says.
std::unique_ptr<BulletSurface> make_bullet_surface(const PlacedShape& shape, bool moves, double margin = 0);

}  // namespace rattleback::lab
