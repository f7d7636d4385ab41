// Particles of a world as bytes.
#include "solvers/particles/particle_memory.h"

#include "base/bytes.h"

namespace rattleback::particles
{

template <class T>
void ParticleMemory<T>::reset()
{
    Memory::reset();
    // Without particles the next step places them from the State.
    cloud.resize(0);
    rotation.clear();
    q.clear();
    v.clear();
}

template <class T>
void ParticleMemory<T>::save(std::vector<std::byte>& bytes) const
{
    // Positions and velocities as they are: a loaded world goes on with the same bits.
    Memory::save(bytes);
    for (const auto& list : cloud.x) append(bytes, list);
    for (const auto& list : cloud.v) append(bytes, list);
    append(bytes, rotation);
    append(bytes, q);
    append(bytes, v);
}

template <class T>
bool ParticleMemory<T>::load(std::span<const std::byte>& bytes)
{
    bool complete = Memory::load(bytes);
    // Lists of different lengths would be no cloud: such bytes are refused as a whole.
    for (auto& list : cloud.x) complete = complete && read(bytes, list) && list.size() == cloud.x[0].size();
    for (auto& list : cloud.v) complete = complete && read(bytes, list) && list.size() == cloud.x[0].size();
    complete = complete && read(bytes, rotation) && read(bytes, q) && read(bytes, v);
    // Half a memory is none: particles are then placed from the State, as at first.
    if (!complete) reset();
    return complete;
}

template struct ParticleMemory<float>;
template struct ParticleMemory<double>;

}  // namespace rattleback::particles
