// The convex solids of the meshes whose hull can touch something.
#pragma once

#include "build/authored.h"
#include "build/names.h"
#include "geometry/polyhedron.h"
#include "model/checker.h"

namespace rattleback
{

/// One per mesh, as Model::hulls: empty where no shape that can collide needs it. A shape that can collide and whose
/// hull has no volume is an error. `shape_good[i]` says which shapes may be used.
std::vector<Polyhedron> find_mesh_hulls(const Authored& authored, const Names& names,
                                        const std::vector<char>& shape_good, Checker& checker);

}  // namespace rattleback
