// Settings: the parameters of solver `avbd`, read once.
#pragma once

#include <rattleback/model.h>

namespace rattleback::avbd
{

/// How violations that exist at the start of a step are paid back.
enum class Stabilisation
{
    post,   ///< velocities first, then one sweep that moves positions only
    alpha,  ///< a fraction 1 - alpha with every step
};

struct Settings
{
    bool penalty = false;     ///< the method of [VBD-R]: ramped penalties, no multipliers
    bool tree_blocks = true;  ///< bodies joined in a tree are one block
    int iterations = 10;
    int substeps = 1;
    double stiffness = 0.3;  ///< penalty at first, in units of effective mass over h^2
    double ramp = 10;        ///< growth of the penalty per body size of violation and iteration, in the same units
    double keep = 0.99;      ///< fraction of the penalty (and with alpha of the multiplier) that survives a step
    Stabilisation stabilisation = Stabilisation::post;
    double alpha = 0.95;
    double correction = 1;         ///< stabilisation post: fraction of an old error that the last sweep pays back
    double firmness = 4;           ///< stabilisation post: penalties of the last sweep, times those of the others
    double joint_stiffness = 100;  ///< penalty of joint rows in units of the mass they carry over h^2
    double bounce_speed = 0.2;     ///< slower impacts do not bounce [m/s]
    bool swept = true;             ///< fast bodies are stopped at what they would pass
    // mode penalty: k_min, beta, k_max and kd of [VBD-R]
    double penalty_start = 1e4;         ///< of what resists a distance [N/m]
    double penalty_start_angular = 10;  ///< of what resists a turn [N m/rad]
    double penalty_ramp = 1e7;          ///< [N/m per m, N m/rad per rad]
    double penalty_limit = 1e7;         ///< of what has no stiffness of its own [N/m, N m/rad]
    double penalty_damping = 0;         ///< of approach, per stiffness, likewise [s]
    bool recycling = true;              ///< contact points are kept while the bodies hardly move against each other
    bool guard = true;                  ///< steps that would make energy are taken in parts
    bool sleep = false;                 ///< bodies at rest are left alone until something touches them
    double sleep_tolerance = 1e-3;      ///< [m/s, rad/s]
    int threads = 1;
    bool single_precision = false;

    explicit Settings(const Parameters& parameters);
    Settings() = default;
};

}  // namespace rattleback::avbd
