// Watches the allocations of a whole test executable.
#pragma once

#include <cstddef>

namespace rattleback
{

/// Calls of operator new since the start, by any thread.
long allocation_count();

/// The largest piece of memory asked for while it lives.
class AllocationWatch
{
public:
    AllocationWatch();
    std::size_t largest() const;  ///< [bytes]
};

}  // namespace rattleback
