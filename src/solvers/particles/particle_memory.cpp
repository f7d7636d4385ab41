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
    frames.clear();
    rotation.clear();
    q.clear();
    v.clear();
}

template <class T>
void ParticleMemory<T>::save(std::vector<std::byte>& bytes) const
{
    // Positions and velocities as they are: a loaded world goes on with the same bits.
    Memory::save(bytes);
    for (const VectorList<T>* list : {&cloud.x, &cloud.v})
        for (int k = 0; k < 3; ++k) append(bytes, list->coordinate(k));
    append(bytes, frames);
    append(bytes, rotation);
    append(bytes, q);
    append(bytes, v);
}

template <class T>
bool ParticleMemory<T>::load(std::span<const std::byte>& bytes)
{
    bool complete = Memory::load(bytes);
    // Lists of different lengths would be no cloud: such bytes are refused as a whole.
    std::vector<T> numbers;
    bool first = true;
    for (VectorList<T>* list : {&cloud.x, &cloud.v})
    {
        for (int k = 0; k < 3; ++k)
        {
            complete = complete && read(bytes, numbers);
            if (complete && first) cloud.resize(numbers.size());
            first = false;
            complete = complete && list->set_coordinate(k, numbers);
        }
    }
    complete = complete && read(bytes, frames) && read(bytes, rotation) && read(bytes, q) && read(bytes, v);
    // Half a memory is none: particles are then placed from the State, as at first.
    if (!complete) reset();
    return complete;
}

template struct ParticleMemory<float>;
template struct ParticleMemory<double>;

}  // namespace rattleback::particles
