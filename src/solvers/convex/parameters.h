// Parameters of the solver `convex`: MuJoCo's names and defaults, and a few of our own.
#pragma once

#include "solvers/convex/solve.h"

#include <rattleback/solver.h>

namespace rattleback::convex
{

/// Settings of the solver.
struct Options
{
    RowOptions rows;
    SolveOptions solve;
    Integrator integrator = Integrator::euler;
    bool warm_start = true;
    bool stick = true;
    bool continuous = true;
    bool guard = true;  ///< steps that would make energy are taken in parts
    bool sleep = false;
    double sleep_tolerance = 1e-3;  ///< [m/s, rad/s]
    bool implicit_damping = true;   ///< of joints, with Euler's method
};

std::vector<ParameterInfo> make_parameter_table();
std::vector<Feature> make_feature_list();

Options read_options(const Model& model, const Parameters& parameters);

/// Features that switches leave out; errors for switches of MuJoCo that this solver does not have.
Result<std::vector<Feature>> check_switches(const Parameters& parameters);

}  // namespace rattleback::convex
