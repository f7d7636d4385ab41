// RefinedMemory: the impulses that `refined` keeps of contacts that last.
#pragma once

#include "solvers/particles/varied_worlds.h"

namespace rattleback::particles
{

struct RefinedMemory final : VariedMemory
{
    struct KeptImpulse
    {
        std::uint64_t key = 0;  ///< of its contact
        Vec3 impulse;           ///< on the particle's body [N s], world axes
    };
    std::vector<KeptImpulse> kept;  ///< sorted by key

    void reset() override;
    void save(std::vector<std::byte>& bytes) const override;
    bool load(std::span<const std::byte>& bytes) override;
};

}  // namespace rattleback::particles
