// Replaces operator new by one that counts and notes the largest request. In a file of its own, so that no caller sees
// through it.
#include "support/counting_allocator.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace
{

std::atomic<long> count = 0;
std::atomic<std::size_t> largest_request = 0;

void note(std::size_t size)
{
    ++count;
    if (size > largest_request) largest_request = size;
}

}  // namespace

long rattleback::allocation_count() { return count; }
rattleback::AllocationWatch::AllocationWatch() { largest_request = 0; }
std::size_t rattleback::AllocationWatch::largest() const { return largest_request; }

void* operator new(std::size_t size)
{
    note(size);
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    note(size);
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    note(size);
    const auto unit = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
