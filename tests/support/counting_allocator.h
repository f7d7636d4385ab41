// Counts the allocations of a whole test executable.
#pragma once

namespace rattleback
{

/// Calls of operator new since the start, by any thread.
long allocation_count();

}  // namespace rattleback
