// Mass of the shapes that are made of a mesh, and the checks a mesh must pass first.
#pragma once

#include <rattleback/error.h>
#include <rattleback/shapes.h>

#include <optional>

#include "geometry/mass.h"

namespace rattleback
{

/// Mass properties at unit density of a hull, mesh, surface, segments or points. `rule` matters for `mesh` alone.
Result<MassProperties> compute_mesh_mass(ShapeType type, const MeshOptions& mesh, MeshMass rule);

/// The first vertex that is not finite, or the first triangle or edge that names no vertex; none if all are good.
std::optional<Error> find_mesh_error(const MeshOptions& mesh);

/// Why the triangles do not bound a solid: an edge that is not shared by exactly two triangles, in opposite directions.
/// Triangles that name a vertex twice have no area and are passed over. The indices must be good.
std::optional<Error> find_open_edge(const MeshOptions& mesh);

/// Do some edges belong to one triangle alone, and all others to two in opposite directions? The indices must be good.
bool is_open(const MeshOptions& mesh);

/// The signed pyramids from the area's centroid to all triangles of an open mesh: what MuJoCo takes for its solid.
Result<MassProperties> compute_pyramid_mass(const MeshOptions& mesh);

}  // namespace rattleback
