// ParticleMemory: what `pbd` and `pbdr` keep of a world between steps.
#pragma once

#include "solvers/particles/cloud.h"
#include "solvers/particles/shape_matching.h"
#include "solvers/particles/varied_worlds.h"

#include <rattleback/solver.h>

namespace rattleback::particles
{

template <class T>
struct ParticleMemory final : VariedMemory
{
    Cloud<T> cloud;                  ///< from the frames
    std::vector<GroupFrame> frames;  ///< [group]
    std::vector<Quat> rotation;      ///< [group] of the last fit
    std::vector<double> q, v;        ///< as left in the State: where it differs, the caller has placed the body anew

    void reset() override;
    void save(std::vector<std::byte>& bytes) const override;
    bool load(std::span<const std::byte>& bytes) override;
};

}  // namespace rattleback::particles
