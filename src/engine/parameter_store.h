// ParameterStore: numbers that each world of a batch has of its own, as they are written and as they are in force.
#pragma once

#include "base/thread_pool.h"
#include "engine/setup.h"

#include <array>

namespace rattleback
{

/// Two arrays [world][item] of each parameter that worlds have of their own: callers write the one, solvers read the
/// other. No parameter: nothing is stored, and solvers read the Model.
class ParameterStore
{
public:
    /// The array that callers write, made from the Model's numbers by the first call; an error where the solver does
    /// not read the parameter.
    Result<std::span<double>> vary(const Setup& setup, int world_count, WorldParameter parameter);
    /// Everything that is wrong with what was written, each with world and item.
    std::vector<Error> find_mistakes(const Model& model, int world_count) const;
    /// Has a world been written since the last apply()?
    bool is_changed(const Model& model, int world) const;
    /// What was written of some worlds is in force; what follows from their masses is found on the pool's threads.
    void apply(const Model& model, std::span<const int> worlds, ThreadPool& pool);
    /// What a solver reads.
    ParameterView find_view(const Model& model, int world) const;

private:
    void start_masses(const Model& model, int world_count);
    void derive_masses(const Model& model, int world, Model& variant);

    std::array<std::vector<double>, kWorldParameterCount> written_, in_force_;  ///< [parameter][world][item]
    /// With masses of their own: [world][moments, body weights, dof inertias, dof weights, tendon weights].
    std::vector<double> derived_;
    bool mujoco_weights_ = false;  ///< whose inverse weights the Model has
};

}  // namespace rattleback
