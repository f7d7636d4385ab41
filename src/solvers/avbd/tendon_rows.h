// What acts along tendons: springs, dampers, armature, limits, dry friction, drives; and their couplings.
#pragma once

#include "solvers/avbd/blocks.h"

#include <optional>

namespace rattleback::avbd
{

/// Lengths, rates and penalties of all rows at the start of a substep, from the penalties of the last one. `gamma`:
/// what survives of those, nothing: mode penalty has its own rule; `scale`: penalty of couplings in units of effective
/// mass / h^2.
void start_tendons(const Layout& layout, std::optional<double> gamma, double scale, BlockWork& work);

/// Adds the action of a row on the groups of a block to their systems; called with each of them, it does so once, with
/// the first. Where it moves several of them, its stiffness becomes a row of the scratch.
void add_tendon(const Layout& layout, int row, int group, LoopScratch& scratch, BlockWork& work);

/// Multipliers and penalty after a sweep; those of couplings only if it brought the block `closer`.
void update_tendon_dual(const Layout& layout, int row, bool closer, double beta, BlockWork& work);

/// Twice the energy of a coupling's penalty; 0 for a tendon.
double coupling_violation(const Layout& layout, int row, BlockWork& work);

/// Mode penalty: k of a row's limit or of its coupling [N/m], without multipliers; dry friction is smooth below
/// `slow_slip` [m].
void set_tendon_penalty(int row, double stiffness, double slow_slip, BlockWork& work);
/// By how much the length is beyond its limits, or a coupling open [m].
double find_tendon_violation(const Layout& layout, int row, BlockWork& work);

}  // namespace rattleback::avbd
