// The axes that MuJoCo gives to a mesh: near its principal axes, up to what its eigen-solver leaves.
#pragma once

#include <rattleback/math.h>

namespace rattleback::mjcf
{

/// A rotation R with Rᵀ I R nearly diagonal, and that diagonal, largest first.
struct MeshAxes
{
    Quat rotation;
    Vec3 moments;
};

/// Jacobi rotations in the plane of the largest product of inertia, until none is above 1e-7 of the largest entry:
/// MuJoCo 4.0 stops there for meshes, drops what is left, and the inertias of bodies made of meshes depend on it.
/// (Found by comparing with it: the rotations of 162 meshes agree to 1e-9.)
MeshAxes find_mesh_axes(const Mat3& inertia);

}  // namespace rattleback::mjcf
