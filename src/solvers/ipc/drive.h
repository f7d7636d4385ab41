// Kinematic bodies by an augmented Lagrangian ([RigidIPC] section 4.4, after [IPC]).
//
//   E += κ_q m / 2 |q - q̂|² - sqrt(m) λ·(q - q̂)  +  κ_Q / 2 tr((Q - Q̂) J (Q - Q̂)ᵀ) - tr(Λᵀ (Q - Q̂) J^½)
//
// is, but for a constant, the inertia of a body of κ_q m and κ_Q J whose target lies beyond the place q̂, Q̂ on the track
// by λ / (κ_q sqrt(m)) and Λ J^-½ / κ_Q: what a Body holds as center_hold, turn_hold, pull and goal.
#pragma once

#include "solvers/ipc/bodies.h"

namespace rattleback::ipc
{

/// How much of their way kinematic bodies have gone, η_q and η_Q: 1 is all of it.
struct DriveProgress
{
    double center = 1, turn = 1;

    double least() const { return center < turn ? center : turn; }
};
DriveProgress find_progress(const Layout& layout, std::span<const Body> bodies, std::span<const Placement> now);

/// Multipliers zero, stiffnesses 10³.
void begin_drives(const Layout& layout, std::span<Body> bodies);
/// After a minimum was found, for what is not yet on its way: the stiffness is doubled below η = 0.99 and 10⁸,
/// otherwise λ ← λ - κ sqrt(m) (q - q̂), and the like for Λ.
void raise_drives(const Layout& layout, const DriveProgress& progress, std::span<const Placement> now,
                  std::span<Body> bodies);
/// The way is gone: kinematic bodies are held where their tracks lead by `mass` [kg] instead of an augmented
/// Lagrangian.
void fix_drives(const Layout& layout, double mass, std::span<Body> bodies);

}  // namespace rattleback::ipc
