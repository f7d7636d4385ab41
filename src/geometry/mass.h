// Mass, centre and inertia of shapes and meshes.
#pragma once

#include <rattleback/error.h>
#include <rattleback/shapes.h>

namespace rattleback
{

/// Mass properties of a solid, shell, wire or point set.
struct MassProperties
{
    double mass = 0;  ///< [kg]
    Vec3 center;      ///< centre of mass in the given frame [m]
    Mat3 inertia;     ///< about the centre, in the given frame's axes [kg m^2]
};

/// Whether all its numbers are finite, and so is their sum.
bool is_finite(const MassProperties& part);

/// Of a shape in its own frame. `size` and `mesh` as in Shapes; `density` [kg/m^3], shells [kg/m^2], segments [kg/m],
/// points [kg each]. Planes and height fields have no mass. Errors: a solid without volume, an open or inside-out mesh
/// with MeshMass::exact; `where` is left empty for the caller to fill.
Result<MassProperties> compute_mass(ShapeType type, const Vec3& size, const MeshOptions* mesh, MeshMass rule,
                                    double density);

/// The same with the density chosen to give `mass`.
Result<MassProperties> compute_mass_scaled(ShapeType type, const Vec3& size, const MeshOptions* mesh, MeshMass rule,
                                           double mass);

/// `part` moved by `pose`: its frame becomes the parent frame.
MassProperties transformed(const MassProperties& part, const Pose& pose);

/// Both together, in their common frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// Principal moments (largest first, as MuJoCo orders them) and the rotation whose columns are the principal axes: I =
/// R diag Rᵀ.
struct PrincipalAxes
{
    Vec3 moments;
    Quat rotation;
};
PrincipalAxes find_principal_axes(const Mat3& inertia);

}  // namespace rattleback
