// PackedGroup: the spheres of one rigid group, weighed.
#pragma once

#include "solvers/particles/particle_set.h"

#include <span>

namespace rattleback::particles
{

struct PackedGroup
{
    RigidGroup group;                   ///< without the range of its particles
    std::vector<PackedSphere> spheres;  ///< in the root's frame
    std::vector<int> shape;             ///< of each sphere; -1: a body without shapes
};

/// Packs the bodies of one rigid group, or says everything that stands against it. `shapes`, if not null, is what
/// pack_all_shapes() made of the same group with other masses.
Result<PackedGroup> pack_group(const Model& model, const ParticleOptions& options, const RigidGroups& rigid, int index,
                               const PackedGroup* shapes = nullptr);

/// [rigid group] the spheres of its shapes, each with its share and not yet weighed; of a Model whose packing has no
/// errors.
std::vector<PackedGroup> pack_all_shapes(const Model& model, const ParticleOptions& options, const RigidGroups& rigid);

/// As build_particle_set(), from shapes that are packed.
Result<ParticleSet> weigh_particle_set(const Model& model, const ParticleOptions& options,
                                       std::span<const PackedGroup> packed);

/// Memory that particles may take [byte]: most of what this machine has.
double find_particle_memory();
/// Bytes as text: "3 GB".
std::string to_gigabytes(double bytes);

inline constexpr double kBytesPerParticle = 220;  ///< scratch, memory and packing of one particle, in double

}  // namespace rattleback::particles
