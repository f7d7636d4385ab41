// The smooth dynamics of one world in dual numbers: exact derivatives of M, forces and activations by eight inputs at
// once.
#pragma once

#include "dynamics/tree.h"
#include "dynamics/workspace.h"

namespace rattleback
{

// A DualPack has room for eight derivatives: direction number i is lane i % 4 of rate i / 4. All lanes have one value.

inline constexpr int kDualDirections = 2 * kLaneCount<Pack4>;

inline void set_rate(DualPack& x, int direction, double rate)
{
    set_lane(x.rate[direction / kLaneCount<Pack4>], direction % kLaneCount<Pack4>, rate);
}
inline double rate_of(const DualPack& x, int direction)
{
    return lane(x.rate[direction / kLaneCount<Pack4>], direction % kLaneCount<Pack4>);
}

/// Coordinates that move with unit velocity of one dof: q' at its coordinates.
void seed_direction(const Model& model, int dof, std::span<const double> q, std::span<double> rate);

/// All that the dynamics take as values, with derivatives zero: state, inputs, parameters, poses of bases.
void copy_inputs(const Tree& tree, const Workspace<double>& w, Workspace<DualPack>& d);

/// Position and velocity stages (dynamics/forces.h); `dt` [s] as there.
void compute_dual_stages(WorkspaceView<DualPack>& d, double dt);

/// act and q after dt [s] at the velocity d.v, from the rates of the stages.
void advance_dual(WorkspaceView<DualPack>& d, double dt);

}  // namespace rattleback
