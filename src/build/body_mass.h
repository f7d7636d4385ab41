// Mass, centre and principal axes of each authored body, from its inertia or its shapes.
#pragma once

#include "build/authored.h"
#include "build/layout.h"
#include "build/names.h"
#include "geometry/mass.h"
#include "model/checker.h"

namespace rattleback
{

/// What Bodies stores, and the same as a matrix in the body frame.
struct BodyMass
{
    double mass = 0;
    Vec3 inertia;        ///< principal moments
    Pose inertial_pose;  ///< centre and principal axes in the body frame
    MassProperties properties;
};

/// Of every body. `shape_good[i]` and `body_good[i]` say whose numbers may be used. Shapes without a volume are errors
/// where something could move them; on other bodies, whose mass does not matter, they weigh nothing.
std::vector<BodyMass> find_body_masses(const Authored& authored, const Names& names,
                                       const std::vector<char>& shape_good, const std::vector<char>& body_good,
                                       Checker& checker);

/// Bodies with joints must have mass where the joints move it. Needs a valid tree and valid masses.
void check_moving_masses(const Authored& authored, const Names& names, const Layout& layout,
                         const std::vector<BodyMass>& masses, Checker& checker);

/// Type, size and asset of an authored shape, as Shapes stores them.
struct ShapeRow
{
    ShapeType type = ShapeType::plane;
    Vec3 size;
    int asset = -1;
    MeshCollide mesh_collide = MeshCollide::hull;
    MeshMass mesh_mass = MeshMass::exact;
};
ShapeRow to_row(const Shape& shape);
Shape from_row(const ShapeRow& row);

/// Does the shape refer to a mesh?
bool uses_mesh(ShapeType type);

/// The pose, with the rotation made unit.
Pose make_pose(const Vec3& position, const Quat& rotation);

/// The symmetric matrix of diagonal and products.
Mat3 to_matrix(const Inertia& inertia);

}  // namespace rattleback
