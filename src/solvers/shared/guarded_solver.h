// A solver whose steps are taken in parts where a whole step would make energy or diverge.
#pragma once

#include <rattleback/solver.h>

#include <algorithm>

namespace rattleback
{

/// All that one world has, into the arrays of another.
inline void copy_world(const ConstWorldView& from, const WorldView& to)
{
    std::copy(from.q.begin(), from.q.end(), to.q.begin());
    std::copy(from.v.begin(), from.v.end(), to.v.begin());
    std::copy(from.act.begin(), from.act.end(), to.act.begin());
    std::copy(from.body_pose.begin(), from.body_pose.end(), to.body_pose.begin());
    std::copy(from.body_velocity.begin(), from.body_velocity.end(), to.body_velocity.begin());
}

/// `plain` as it is while its steps are accepted (EnergyGuard). A step that is refused or diverged is taken again in 4,
/// then 16 parts by the solver that `make_fine` makes, of the same memory and with what is implicit that may be; the
/// report says in how many, and the next step of that world is tried in a quarter as many. Parts keep the momenta of
/// what floats; where even the smallest make energy it is taken from the motion of bodies against each other, part by
/// part (`removed_energy`, `not_converged`).
std::unique_ptr<Solver> make_guarded_solver(const Model& model, bool owns_bodies, std::unique_ptr<Solver> plain,
                                            std::function<std::unique_ptr<Solver>()> make_fine);

}  // namespace rattleback
