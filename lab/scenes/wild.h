// Wild scenes: random valid models of a few trees each, for the question whether a solver ever blows up.
#pragma once

#include <rattleback/builder.h>
#include <rattleback/control.h>

#include <cstdint>

namespace rattleback::lab
{

struct WildOptions
{
    bool servos = false;  ///< position servos on hinges and slides, with gains that a real robot could have
    /// Connects, welds, couplings, closed chains, tendons between trees, in half of the scenes a medium; with servos
    /// that has wind. Some of the ties are switched off.
    bool ties = false;
    bool adrift = false;  ///< no ground, no gravity, no still medium: all roots float, so that momenta are kept
};

/// 1 to 8 roots, trees to depth 4 of hinges, slides, balls and free bodies; primitives with densities of 1 to 1e5
/// kg/m^3, friction 0.01 to 2, springs to 1,000, limits, steps of 1 to 16 ms, three integrators, rigid and soft
/// contacts; what is placed may overlap. A function of the seed alone; without options the trees are the same as with
/// ties.
Result<Model> build_wild(std::uint64_t seed, const WildOptions& options = {});

/// Targets of the servos at a time [s]: slow swings within their ranges, a function of seed and time alone.
void drive_wild(const Model& model, std::uint64_t seed, double time, Control& control);

}  // namespace rattleback::lab
