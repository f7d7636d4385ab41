// Projected Gauss-Seidel on the dual problem min 1/2 fᵀ (A + R) f + fᵀ (J a_s - reference) over admissible forces.
#pragma once

#include "solvers/convex/dual.h"

namespace rattleback::convex
{

/// Finds forces and acceleration, beginning with the forces at p.a. Keeps scratch.
class ProjectedGaussSeidel
{
public:
    Outcome minimise(const Problem& problem, const Limits& limits, Point& p);

private:
    // Scratch; forces themselves live in the Point.
    Dual dual_;
    std::vector<double> slip_;
};

/// After any method: friction forces again without their regulariser, normal forces kept. Returns sweeps.
class NoSlip
{
public:
    int solve(const Problem& problem, int iterations, double tolerance, Point& p);

private:
    Dual dual_;
};

}  // namespace rattleback::convex
