// Solver `ipc`: intersection-free rigid bodies by incremental potential contact.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::ipc
{

extern const SolverInfo kInfo;

}  // namespace rattleback::ipc
