// The list of solvers: the one line to add for a new method.
#include "solvers/convex/convex.h"
#include "solvers/smooth/smooth.h"

#include <rattleback/solver.h>

#include <array>

namespace rattleback
{

std::span<const SolverInfo* const> all_solvers()
{
    static constexpr std::array<const SolverInfo*, 2> kTable{&smooth::kInfo, &convex::kInfo};
    return kTable;
}

}  // namespace rattleback
