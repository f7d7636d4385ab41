// The list of solvers: the one line to add for a new method.
#include "solvers/avbd/avbd.h"
#include "solvers/comfree/comfree.h"
#include "solvers/convex/convex.h"
#include "solvers/ipc/ipc.h"
#include "solvers/particles/particles.h"
#include "solvers/smooth/smooth.h"

#include <rattleback/solver.h>

#include <array>

namespace rattleback
{

std::span<const SolverInfo* const> all_solvers()
{
    static constexpr std::array kTable{&smooth::kInfo,   &convex::kInfo,    &comfree::kInfo,      &avbd::kInfo,
                                       &particles::kPbd, &particles::kPbdr, &particles::kRefined, &ipc::kInfo};
    return kTable;
}

}  // namespace rattleback
