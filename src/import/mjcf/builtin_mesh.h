// Meshes that MJCF describes by a word and a few numbers (`builtin` and `params`).
#pragma once

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// The mesh of an asset with `builtin`; without triangles where its convex hull is meant. Nothing: the log says why.
std::optional<MeshOptions> make_builtin_mesh(const Element& asset, Log& log);

}  // namespace rattleback::mjcf
