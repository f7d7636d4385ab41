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

/// Lets memory end on this thread, while it lives: after so many allocations the next fails, and so do those that
/// destructors ask for while its exception is on the way.
class MemoryEnds
{
public:
    explicit MemoryEnds(long allocations);
    ~MemoryEnds();
    MemoryEnds(const MemoryEnds&) = delete;
    MemoryEnds& operator=(const MemoryEnds&) = delete;

    bool has_failed() const;
};

}  // namespace rattleback
