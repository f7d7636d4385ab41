// A shape somewhere in the world, as distances, rays and contacts see it.
#pragma once

#include "geometry/polyhedron.h"

#include <rattleback/shapes.h>

namespace rattleback
{

class MeshSurface;
class GridSurface;

struct PlacedShape
{
    ShapeType type = ShapeType::sphere;
    Vec3 position;                      ///< of the shape's origin, world [m]
    Mat3 rotation;                      ///< shape axes to world axes
    Vec3 size;                          ///< as in Shapes
    const Polyhedron* hull = nullptr;   ///< of hulls, and of meshes that collide as hulls
    const MeshSurface* mesh = nullptr;  ///< of meshes that collide exactly, and of surfaces
    const GridSurface* grid = nullptr;  ///< of height fields
};

}  // namespace rattleback
