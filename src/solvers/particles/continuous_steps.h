// Steps of fast bodies of particles: as far as the first meeting, through it in small hops, and on.
#pragma once

#include "solvers/particles/particle_set.h"

#include <rattleback/solver.h>

namespace rattleback::particles
{

/// `plain` as it is while no body comes further in a step than it is thick. Otherwise the step is taken in parts: one
/// as far as a fast body meets something (collide/time_of_impact.h), hops in which no point comes further than a
/// quarter of a sphere's radius while it does, and the rest. The spheres are moved as published in each of them; the
/// report says in how many. Bodies that no fast one comes near, nor what it comes near touches, take the step in one.
/// `plain` keeps `set` alive.
std::unique_ptr<Solver> make_continuous_steps(const Model& model, const ParticleSet& set,
                                              std::unique_ptr<Solver> plain);

}  // namespace rattleback::particles
