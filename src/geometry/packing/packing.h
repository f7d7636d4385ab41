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
    /// Spheres, capsules and cylinders become grids of spheres that are drawn inside, so that they touch the surface
    /// and none sticks out; for methods to which a body is nothing but the centres of its spheres.
    bool grids = false;
    bool graded = false;  ///< at the surface spheres of that radius, further in of twice, four times ... as much
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

/// Points of a shape's surface on which it stands: corners of boxes, hulls and meshes' hulls, sixteen points on either
/// rim of a cylinder. None of shapes that are round all over. They hold the true support of a flat face up to its
/// edges, which spheres inside never reach.
std::vector<Vec3> find_support_points(const PackedShape& shape);

/// Cells of a grid, and which of them are inside a solid.
struct CellGrid
{
    std::array<int, 3> counts{};
    std::vector<char> inside;  ///< [x][y][z]

    std::size_t index(int i, int j, int k) const
    {
        return (static_cast<std::size_t>(i) * static_cast<std::size_t>(counts[1]) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(counts[2]) +
               static_cast<std::size_t>(k);
    }
};
/// A cube of cells that becomes one sphere: 2^level cells wide, from cell `first` on.
struct MergedCells
{
    std::array<int, 3> first{};
    int level = 0;
};
/// Cells inside as few cubes: those at the surface stay single, a cube of 2^level cells lies at least 2^(level - 1)
/// cells from everything outside. Every cell inside is in exactly one cube.
std::vector<MergedCells> merge_cells(const CellGrid& grid);

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
