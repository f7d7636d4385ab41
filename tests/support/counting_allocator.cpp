// Replaces operator new by one that counts and notes the largest request. In a file of its own, so that no caller sees
// through it.
#include "support/counting_allocator.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

namespace
{

std::atomic<long> count = 0;
std::atomic<std::size_t> largest_request = 0;

thread_local long left = -1;  // allocations before the next one fails; -1: none does
thread_local bool failed = false;

/// Notes a request; false: there is no memory for it.
bool note(std::size_t size)
{
    ++count;
    if (size > largest_request) largest_request = size;
    if (failed) return std::uncaught_exceptions() == 0;
    if (left < 0) return true;
    failed = left-- == 0;
    return !failed;
}

}  // namespace

long rattleback::allocation_count() { return count; }
rattleback::AllocationWatch::AllocationWatch() { largest_request = 0; }
std::size_t rattleback::AllocationWatch::largest() const { return largest_request; }
rattleback::MemoryEnds::MemoryEnds(long allocations)
{
    failed = false;
    left = allocations;
}
rattleback::MemoryEnds::~MemoryEnds()
{
    left = -1;
    failed = false;
}
bool rattleback::MemoryEnds::has_failed() const { return failed; }

void* operator new(std::size_t size)
{
    if (void* memory = note(size) ? std::malloc(size == 0 ? 1 : size) : nullptr) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return note(size) ? std::malloc(size == 0 ? 1 : size) : nullptr;
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    const auto unit = static_cast<std::size_t>(alignment);
    const std::size_t whole = (size + unit - 1) / unit * unit;
    if (void* memory = note(size) ? std::aligned_alloc(unit, whole) : nullptr) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
