// Replaces operator new by one that notes the largest request. In a file of its own, so that no caller sees through it.
#include "allocation_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace
{

std::atomic<std::size_t> largest_request = 0;

}  // namespace

rattleback::AllocationWatch::AllocationWatch() { largest_request = 0; }
std::size_t rattleback::AllocationWatch::largest() const { return largest_request; }

void* operator new(std::size_t size)
{
    if (size > largest_request) largest_request = size;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
