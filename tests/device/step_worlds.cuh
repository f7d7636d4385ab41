// The kernel that steps worlds, one per thread.
#pragma once

#include "device/smooth_step.h"

namespace rattleback
{

/// Steps each world, whose inputs lie in its slab (see lay_out), and writes q, v and act there.
template <class T>
__global__ void step_worlds(TreeView tree, std::byte* slabs, std::size_t slab_size, int world_count, int steps,
                            double dt)
{
    const int world = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (world >= world_count) return;
    WorkspaceView<T> w;
    lay_out(tree, slabs + slab_size * static_cast<std::size_t>(world), w);
    for (int step = 0; step < steps; ++step) take_smooth_step(w, dt);
}

}  // namespace rattleback
