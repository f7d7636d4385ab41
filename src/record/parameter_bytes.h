// Parameters of a solver as bytes: names, and values with their kind (0 switch, 1 i32, 2 f64, 3 text).
#pragma once

#include <rattleback/model.h>

#include <cstddef>

namespace rattleback
{

void append_parameters(std::vector<std::byte>& bytes, const Parameters& parameters);
/// Takes them from the front of `bytes`; false when they do not fit or are not in the order of their names.
bool read_parameters(std::span<const std::byte>& bytes, Parameters& parameters);

}  // namespace rattleback
