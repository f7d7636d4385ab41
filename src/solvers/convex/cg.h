// Nonlinear conjugate gradients on the convex problem, in the metric of the mass matrix.
#pragma once

#include "solvers/convex/mass_factor.h"
#include "solvers/convex/newton.h"

namespace rattleback::convex
{

/// Finds the minimum from p.a. Keeps scratch.
class ConjugateGradients
{
public:
    Outcome minimise(const Problem& problem, const Limits& limits, Point& p);

private:
    // M^-1 as the preconditioner, and what the formula for beta needs of the last iterate.
    MassFactor metric_;
    Line line_;
    std::vector<double> descent_, last_gradient_, last_descent_;  ///< M^-1 gradient
};

}  // namespace rattleback::convex
