// A crowd of shapes of every kind, its motions, and the pairs of shapes by brute force.
#pragma once

#include <rattleback/builder.h>
#include <rattleback/query.h>

#include <random>

namespace rattleback
{

struct CrowdOptions
{
    int shape_count = 100;  ///< at least so many
    unsigned seed = 1;
    bool every_kind = true;       ///< false: planes and spheres, for which there are contacts in any case
    double half_width = 2;        ///< of the cube that the bodies are in [m]
    Vec3 center;                  ///< of the cube [m]
    int material_count = 0;       ///< beside the default one
    double pair_fraction = 0.05;  ///< explicit pairs per shape
};

/// Planes, fixed and kinematic bodies, chains, bodies of one, a few and many shapes; random masks, margins, gaps,
/// exclusions and explicit pairs.
Model make_crowd(const CrowdOptions& options);

/// Moves bodies at random: of every five calls one moves nothing, one lets a few jump, the others move most a little.
void stir(const Model& model, const CrowdOptions& options, int call, std::mt19937_64& random, State& state);

struct PairQuestion
{
    double margin = 0;
    double motion = 0;
    bool own_margins = false;  ///< as find_contacts: with the shapes' own margins and gaps
};

/// All pairs, by testing each against the definition: filters; boxes that overlap or lie below a plane.
std::vector<PairCandidate> find_pairs_by_brute_force(const Model& model, const ConstWorldView& world,
                                                     const PairQuestion& question);

/// True if two lists of contacts agree in every bit.
bool are_identical(const Contacts& first, const Contacts& second);

}  // namespace rattleback
