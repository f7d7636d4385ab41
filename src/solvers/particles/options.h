// What the parameters of `pbd`, `pbdr` and `refined` say.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::particles
{

/// The three solvers of this folder.
enum class Method
{
    pbd,      ///< position-based dynamics with shape matching
    pbdr,     ///< the same with the velocity update and the momentum of [PBD-R]
    refined,  ///< impulses between the spheres of rigid bodies
};

/// Order in which a sum over particles is taken.
enum class Summation
{
    sequential,   ///< one after the other, one thread per body
    tree,         ///< eight (float) or four (double) lanes, blocks of 512 particles, then pairwise
    compensated,  ///< lanes with the error carried along (Kahan 1965)
};

/// Which velocity follows from a change of position.
enum class VelocityUpdate
{
    difference,   ///< v = (x - x at the start of the step) / dt: plain PBD
    incremental,  ///< v += change / dt: [PBD-R] Eq. 2
};

struct ParticleOptions
{
    Method method = Method::pbdr;

    // packing
    int across = 4;
    double radius = 0;  ///< [m] of solids that are not boxes; 0: by `across`
    bool exact_weights = false;
    bool graded = false;  ///< large spheres inside; weights are exact then
    int max_spheres = 200'000;
    double jitter = 0;  ///< centres are moved by up to this part of their radius, along each axis
    int jitter_seed = 1;

    // shape matching
    VelocityUpdate velocity_update = VelocityUpdate::incremental;
    bool linear_momentum = true;
    bool angular_momentum = true;
    bool printed_order = false;  ///< corrections of an iteration all from the same positions, as Algorithm 1 prints
    bool fast_polar = false;
    int iterations = 10;
    double relaxation = 0.9;  ///< of contact corrections
    double margin = 0.01;     ///< contacts are looked for within this distance [m]
    bool grid_per_iteration = false;
    bool world_frame = false;    ///< particles are measured from the world's origin, as in the authors' code
    bool world_centers = false;  ///< centres from sums about the world's origin, as the authors' code takes them
    double speed_limit = 0;      ///< of a particle [m/s]; 0: none

    bool continuous = true;  ///< bodies that are faster than thick stop at what is in their way

    // arithmetic
    bool single_precision = true;
    Summation summation = Summation::tree;
    int threads = 1;
};

/// `method` is the solver that was named: `pbdr` with `refined = true` becomes Method::refined.
ParticleOptions read_options(Method method, const Parameters& parameters);

/// Whether positions are floats from the world's origin, as in the authors' code.
inline bool has_coarse_places(const ParticleOptions& options)
{
    return options.method != Method::refined && options.world_frame && options.single_precision;
}

/// What a solver takes: what all three read first, then what is its own.
std::vector<ParameterInfo> make_parameter_list(Method method);

}  // namespace rattleback::particles
