// Shapes that start inside each other.
#pragma once

#include "engine/setup.h"

namespace rattleback
{

/// Warnings, the deepest first: pairs of shapes that may collide and overlap by more than a hundredth of the thinner
/// one, and by more than a millimetre. At most ten are named, the rest is counted. Nothing where the solver knows no
/// contacts or was told to leave them out.
std::vector<Error> find_overlaps(const Setup& setup, const ConstWorldView& world);

}  // namespace rattleback
