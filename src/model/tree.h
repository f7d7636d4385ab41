// What follows from the tree of bodies and joints, by rules of its own: build() fills it in, validate() compares.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// From parents, kinds, the joints of each body and their types: where coordinates stand, what moves each body, the
/// pattern of the mass matrix, and bodies by depth.
void derive_tree(Model& model);

/// Groups the shapes by body, in increasing order within each.
void derive_shapes_of_body(Model& model);

}  // namespace rattleback
