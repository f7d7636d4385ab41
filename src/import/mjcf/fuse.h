// The compiler's option `fusestatic`.
#pragma once

#include "import/mjcf/spec.h"

namespace rattleback::mjcf
{

/// Makes frames (Element::fused) of bodies that cannot move in their parents, unless something refers to them, a site
/// of theirs measures forces, they say so (`fuse`, `sleep`), or they weigh and feel something that the parent does not:
/// another gravity compensation, a medium.
void fuse_static(Spec& spec);

}  // namespace rattleback::mjcf
