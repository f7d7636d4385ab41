// What becomes of the options of an attached model.
#pragma once

#include "import/mjcf/spec.h"

namespace rattleback::mjcf
{

/// Options of `child`, which `attach` puts into `parent`: as compiler `conflict` of the parent says they are passed
/// over with a warning, merged, or an error where both models say something else.
void merge_options(const Spec& child, const Element& attach, Spec& parent, Log& log);

}  // namespace rattleback::mjcf
