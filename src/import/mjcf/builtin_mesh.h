// Meshes that MJCF describes by a word and a few numbers (`builtin` and `params`).
#pragma once

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// The mesh of an asset with `builtin`; without triangles where its convex hull is meant. Nothing: the log says why.
std::optional<MeshOptions> make_builtin_mesh(const Element& asset, Log& log);

/// How an asset with `builtin` is weighed: sheets have an area and no volume.
MeshMass find_builtin_rule(const Element& asset, MeshMass written);

}  // namespace rattleback::mjcf
