// The list of solvers: the one line to add for a new method.
#include "solvers/smooth/smooth.h"

#include <rattleback/solver.h>

#include <array>

namespace rattleback
{

std::span<const SolverInfo* const> all_solvers()
{
    static constexpr std::array<const SolverInfo*, 1> kTable{&smooth::kInfo};
    return kTable;
}

}  // namespace rattleback
