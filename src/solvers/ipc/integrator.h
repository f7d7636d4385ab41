// Integrators beside the default: implicit Euler as printed, BDF2 and Newmark's method, on centres and rotation
// matrices.
//
// All are one problem: E = m/2 |q - q̃|^2 + tr((Q - Q̃) J (Q - Q̃)ᵀ) / 2 + e^2 (potentials), with a target q̃, Q̃ (any
// matrix) and an effective step e of their own ([RigidIPC] Eqs. 5 to 11).
//
// | scheme | target x̃ | e | velocity after the step |
// | printed | x + h v + h^2 a | h | (x' - x) / h |
// | bdf2 | x̄ + e v̄ + e^2 a; x̄ = (4 x - x₋) / 3, v̄ = (4 v - v₋) / 3 | 2 h / 3 | (x' - x̄) / e |
// | newmark | x + h v + h^2 (a₀ + a) / 4, a₀ = acceleration now, without contacts | h / √2 | 2 (x' - x) / h - v |
//
// Newmark's method takes contacts of the end alone (beta 1/2, gamma 1 for them; Kane, Repetto, Ortiz, Marsden 1999):
// with those of the start too, as for the other forces, every impact feeds the next.
#pragma once

#include "solvers/ipc/bodies.h"

namespace rattleback::ipc
{

/// What a group needs of the past; plain bytes.
struct Past
{
    Vec3 center, velocity;  ///< at the start of the last step
    Mat3 matrix, rate;      ///< Q and Q' there
    Mat3 next_rate;         ///< Q' after it
    Velocity left;          ///< what was written to the world: another value is a kick
};

/// [group], or empty before the first step.
struct History
{
    std::vector<Past> past;
    double dt = 0;  ///< of the last step [s]
};

/// Changes targets of dynamic groups that load_bodies() has set to those of `scheme`, and returns the effective step.
/// Without a past that fits (a first step, a kick, another dt) BDF2 takes one of implicit Euler.
double set_targets(Scheme scheme, const Layout& layout, double dt, const Vec3& gravity, const History& history,
                   std::span<Body> bodies);

/// The velocity after the step, and the past of the next one.
Velocity find_scheme_velocity(Scheme scheme, const Group& group, const Body& body, const Placement& now, double dt,
                              double step, Past& past);

}  // namespace rattleback::ipc
