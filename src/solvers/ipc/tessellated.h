// What solver `ipc` says of curved shapes that collide as meshes.
#pragma once

#include <rattleback/model.h>

namespace rattleback::ipc
{

/// One warning that names the shape whose mesh reaches furthest beyond it, or none: `parameters` are all of the
/// solver's.
std::vector<Error> find_tessellated(const Model& model, const Parameters& parameters);

}  // namespace rattleback::ipc
