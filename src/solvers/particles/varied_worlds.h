// Worlds with masses or friction of their own: each has a solver whose particles weigh and rub as its bodies do.
#pragma once

#include "solvers/particles/packed_group.h"

#include <rattleback/solver.h>

#include <optional>

namespace rattleback::particles
{

/// What a world with numbers of its own keeps beside the memory of its method; neither saved nor reset.
struct VariedMemory : Memory
{
    std::vector<double> own_mass, own_friction;  ///< for which `own` was made
    std::unique_ptr<Solver> own;
};

class VariedWorlds
{
public:
    /// Model and set outlive it.
    VariedWorlds(const Model& model, const ParticleOptions& options, const ParticleSet& set)
        : model_(model), options_(options), set_(set)
    {
        options_.threads = 1;
    }

    /// Whether a world has masses or friction in place of the Model's.
    static bool is_varied(const ParameterView& parameters)
    {
        return !parameters.mass.mass.empty() || !parameters.friction.empty();
    }

    /// One step of a varied world by the solver of its own; make(options, set) makes one. Bit for bit the step of a
    /// Model with these numbers. Where particles cannot have the masses asked for, the step diverges.
    template <class Make>
    StepReport step(const StepInput& input, const WorldView& world, VariedMemory& memory, Make make)
    {
        if (!is_known(input.parameters, memory))
        {
            std::shared_ptr<const ParticleSet> set = make_set(input.parameters);
            memory.own = set ? make(options_, std::move(set)) : nullptr;
            memory.own_mass.assign(input.parameters.mass.mass.begin(), input.parameters.mass.mass.end());
            memory.own_friction.assign(input.parameters.friction.begin(), input.parameters.friction.end());
        }
        if (!memory.own) return {.status = StepStatus::diverged};
        StepInput plain = input;
        plain.parameters.mass = {};
        plain.parameters.friction = {};
        return memory.own->step(plain, world, memory);
    }

private:
    static bool is_known(const ParameterView& parameters, const VariedMemory& memory);
    std::shared_ptr<const ParticleSet> make_set(const ParameterView& parameters);

    const Model& model_;
    ParticleOptions options_;
    const ParticleSet& set_;
    // made when first asked for: shapes are packed once, and weighed for each world
    std::optional<Model> variant_;
    std::vector<PackedGroup> packed_;
};

}  // namespace rattleback::particles
