// Impulses of a world as bytes.
#include "solvers/particles/refined_memory.h"

#include "base/bytes.h"

#include <algorithm>

namespace rattleback::particles
{

void RefinedMemory::reset()
{
    Memory::reset();
    // no impulse to start from
    kept.clear();
}

void RefinedMemory::save(std::vector<std::byte>& bytes) const
{
    Memory::save(bytes);
    append(bytes, kept);
}

bool RefinedMemory::load(std::span<const std::byte>& bytes)
{
    // warm_start walks both lists in order, so that unsorted keys would lose impulses.
    const bool complete = Memory::load(bytes) && read(bytes, kept) &&
                          std::is_sorted(kept.begin(), kept.end(),
                                         [](const KeptImpulse& a, const KeptImpulse& b) { return a.key < b.key; });
    if (!complete) reset();
    return complete;
}

}  // namespace rattleback::particles
