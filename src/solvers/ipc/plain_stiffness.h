// The barrier's stiffness as in [IPC]: one for all contacts, from the balance of the start of a step, within bounds.
#pragma once

namespace rattleback::ipc
{

struct Layout;

/// kappa (2 d_min d-hat + d-hat^2)^2 for the barrier in the units of barrier.h [J s^2]; h^2 is in it.
struct PlainStiffness
{
    double least = 0, most = 0;
    double small_gap = 0;  ///< below which it doubles where gaps fall [m]
};

/// Of a model whose shapes at the start have this diagonal [m].
PlainStiffness find_plain_stiffness(const Layout& layout, double separation, double diagonal);

}  // namespace rattleback::ipc
