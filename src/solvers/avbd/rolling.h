// Bodies that fly or roll: which they are, and how the point under a rolling body wanders within a substep.
#pragma once

#include "solvers/avbd/phases.h"

namespace rattleback::avbd
{

/// Says of every single body whether it flies (nothing near it) or rolls (it touches in one point of a round shape, as
/// it did in the last step): both move by the midpoint rule (README, "Motion of second order"), as do trees that swing
/// (choose_swings()); all others by implicit Euler. Marks the manifolds of rolling contacts; their rows get firm
/// penalties and, in later substeps, points anew.
void choose_motions(int substep, StepState& state);

/// Rolling contacts at the present increments. The rows hold still the material points that touch at x_t; those that
/// touch half way to x are what must not move ([AVBD] Eq. 15 with the arms of the middle).
void follow_rolling(const Layout& layout, const std::vector<ContactRow>& rows, BlockWork& work);

/// After the velocities were taken: where the sweeps did not find out in time whether the lone contact of a rolling
/// body presses, its increments answer to a force that it no longer has. It moves on with the impulses that are
/// reported.
void take_impulses(const Layout& layout, const Vec3& gravity, BlockWork& work);

}  // namespace rattleback::avbd
