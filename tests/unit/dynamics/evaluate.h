// A random model at a random state, evaluated by the fast dynamics.
#pragma once

#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"
#include "support/random_model.h"

namespace rattleback
{

template <class T>
std::vector<T> copy_of(std::span<const T> numbers)
{
    return {numbers.begin(), numbers.end()};
}

/// A symmetric matrix stored in M's pattern, dense and row-major.
inline std::vector<double> to_dense(const Model& model, std::span<const double> lower)
{
    const auto n = static_cast<std::size_t>(model.v_count());
    std::vector<double> dense(n * n);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (int k = model.dofs.row_begin[i]; k < model.dofs.row_begin[i + 1]; ++k)
        {
            const auto j = static_cast<std::size_t>(model.dofs.row_column[k]);
            dense[i * n + j] = dense[j * n + i] = lower[k];
        }
    }
    return dense;
}

/// Poses, M, forces, factor and acceleration of one world or a pack of equal worlds.
template <class T>
void evaluate(Workspace<T>& w, State& state, const Control& control, double dt)
{
    for (int lane = 0; lane < kLaneCount<T>; ++lane) load_world(w, lane, state.world(), control.world());
    StageTimer timer(false);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, dt, timer);
    factor_mass_matrix(w);
    std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
    solve_in_place<T>(w, w.qacc);
}

/// A model without kinematic bodies, at a random state with random inputs.
struct RandomCase
{
    explicit RandomCase(std::uint64_t seed, RandomModelOptions options = {})
        : model((options.kinematic_bodies = false, make_random_model(seed, options))),
          control(make_random_control(model, seed + 1)),
          state(model)
    {
        const RandomState random = make_random_state(model, seed + 2);
        state.q = random.q;
        state.v = random.v;
        state.act = random.act;
    }

    Model model;
    Control control;
    State state;
};

}  // namespace rattleback
