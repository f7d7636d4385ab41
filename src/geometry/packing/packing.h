// Sphere packings: a solid as a set of spheres, and weights that give them its mass, centre and inertia.
#pragma once

#include "geometry/polyhedron.h"

#include <rattleback/error.h>

#include "geometry/mass.h"

#include <vector>

namespace rattleback
{

/// One sphere of a packing, in the frame of what is packed.
struct PackedSphere
{
    Vec3 center;        ///< [m]
    double radius = 0;  ///< [m]
    double mass = 0;    ///< [kg]; until it is weighed, its share
};

struct PackOptions
{
    int across = 4;                  ///< spheres across the thinnest side, where `radius` is 0
    double radius = 0;               ///< [m]; 0: by `across`
    std::int64_t most = 20'000'000;  ///< spheres of one packing, an error beyond
    bool chains = true;              ///< capsules and cylinders twice as long as wide become one chain of spheres
};

/// What to pack: a shape of the model in its own frame.
struct PackedShape
{
    ShapeType type = ShapeType::sphere;
    Vec3 size;                          ///< as in Shapes
    const MeshOptions* mesh = nullptr;  ///< of meshes and points
    const Polyhedron* hull = nullptr;   ///< of hulls
};

/// Spheres in a shape, each with mass share 1.
/// - box: a grid whose outermost spheres touch the faces; a cube of side 2h and n across has n^3 spheres of radius h/n;
/// - sphere: itself; capsule, cylinder: a chain or, when short, as below;
/// - ellipsoid, hull, mesh: those of a grid of spacing 2r, begun at r from the lower corner of its bounds, whose
///   centres are inside ([PBD-R] section IV-B);
/// - points: one sphere at the mean of the points of every occupied cell of side 2r.
/// Errors: no sphere fits, too many, a shape without volume, a mesh that is not closed.
Result<std::vector<PackedSphere>> pack_shape(const PackedShape& shape, const PackOptions& options);

/// Centres of a grid that lie inside a closed mesh: winding number along z, in O(triangles + columns + spheres).
/// `lower` is the first centre; `counts` the number along each axis.
std::vector<Vec3> find_centers_inside(const MeshOptions& mesh, const Vec3& lower, double spacing,
                                      const std::array<int, 3>& counts);

/// Mass, centre and inertia of spheres taken as points.
MassProperties point_mass_properties(const std::vector<PackedSphere>& spheres);

/// Weighs the spheres so that, as points, they have exactly the wanted mass, centre and inertia, and otherwise stay as
/// near to their shares as possible in the sense of least squares. An error when no positive weights do it: too few
/// spheres, or all too near to the centre.
Status weigh_exactly(const MassProperties& wanted, std::vector<PackedSphere>& spheres);

}  // namespace rattleback
