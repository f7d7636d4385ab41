// Looks over the elements of a URDF file: what URDF does not know, or what has no effect here.
#pragma once

#include <rattleback/import.h>

#include "import/urdf/node.h"

namespace rattleback::urdf
{

/// False, and an error: too many or too deeply nested elements, or the file is xacro.
bool check_size(const Node& root, const ImportLimits& limits);

/// Warns of unknown elements and attributes, with the nearest known one, and once for each kind of element that is read
/// over. URDF files hold much that is meant for other programs, so none of this is an error.
void check_words(const Node& root);

}  // namespace rattleback::urdf
