// Muscles of a compiled model: the lengths that their transmissions can reach, and their peak forces.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>
#include <rattleback/options.h>

#include <vector>

namespace rattleback
{

/// Fills length_range where a muscle has none, and peak forces where they are given by a scale. What cannot be found is
/// an error with the actuator's name.
std::vector<Error> resolve_muscles(const LengthRangeOptions& options, Model& model);

}  // namespace rattleback
