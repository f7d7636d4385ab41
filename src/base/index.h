// Counts and indices are int in this library, sizes of containers std::size_t: the one conversion between them.
#pragma once

#include <cstddef>

namespace rattleback
{

constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace rattleback
