// Particle sets with the masses and the friction of one world.
#include "solvers/particles/varied_worlds.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::particles
{

bool VariedWorlds::is_known(const ParameterView& parameters, const VariedMemory& memory)
{
    const std::span<const double> mass = parameters.mass.mass, friction = parameters.friction;
    // a set is made once per world, and again when its numbers change
    return memory.own && std::equal(mass.begin(), mass.end(), memory.own_mass.begin(), memory.own_mass.end()) &&
           std::equal(friction.begin(), friction.end(), memory.own_friction.begin(), memory.own_friction.end());
}

std::shared_ptr<const ParticleSet> VariedWorlds::make_set(const ParameterView& parameters)
{
    auto set = std::make_shared<ParticleSet>(set_);
    const MassView& own = parameters.mass;
    if (!own.mass.empty())
    {
        // the Model's bodies with the world's masses; its shapes are packed as they were
        if (!variant_)
        {
            variant_ = model_;
            // packing depends on shapes alone: done once for all worlds
            packed_ = pack_all_shapes(model_, options_, set_.rigid);
        }
        for (std::size_t b = 0; b < own.mass.size(); ++b)
        {
            variant_->bodies.mass[b] = own.mass[b];
            variant_->bodies.inertia[b] = {own.moments[3 * b], own.moments[3 * b + 1], own.moments[3 * b + 2]};
        }
        Result<ParticleSet> weighed = weigh_particle_set(*variant_, options_, packed_);
        // spheres that cannot have this inertia: the step reports it
        if (!weighed.ok()) return nullptr;
        *set = std::move(weighed).value();
    }
    set->own_friction.assign(parameters.friction.begin(), parameters.friction.end());
    // pairs with obstacles hold their friction ready
    for (ObstaclePair& pair : set->obstacle_pairs)
        pair.friction = find_friction(model_, *set, pair.shape, pair.obstacle);
    return set;
}

}  // namespace rattleback::particles
