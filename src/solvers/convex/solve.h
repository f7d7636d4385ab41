// Solving a whole world: islands one by one, from the better of two starting points, by the chosen method.
#pragma once

#include "solvers/convex/cg.h"
#include "solvers/convex/islands.h"
#include "solvers/convex/pgs.h"

namespace rattleback::convex
{

enum class Method
{
    newton,
    cg,
    pgs,
};

struct SolveOptions
{
    Method method = Method::newton;
    Limits limits;
    int noslip_iterations = 0;
    double noslip_tolerance = 1e-6;
    bool islands = true;   ///< false: all trees with rows as one problem
    int dense_limit = 60;  ///< Newton: larger systems are factored sparse
};

/// How a solve went: iterations of the slowest island, the largest remainders.
struct SolveReport
{
    int iterations = 0;
    int islands = 0;
    double residual = 0;  ///< largest gradient (improvement, for pgs) over trace(M)
    bool converged = true;
    int bad_dof = -1;  ///< whose pivot is not positive
};

/// Where the answer goes.
struct Solution
{
    std::span<double> acceleration;  ///< [dof]
    std::span<double> joint_force;   ///< [dof] Jᵀ f
    std::span<double> row_force;     ///< [row] f
};

class WorldSolver
{
public:
    /// From `warm` (an acceleration; empty: none) to the acceleration, row forces and Jᵀ forces.
    SolveReport solve(const System& system, const SolveOptions& options, std::span<const double> warm,
                      const Solution& solution);

    /// Of the last solve.
    const Islands& islands() const { return islands_; }

private:
    void start(std::span<const int> dofs, std::span<const double> warm);
    Outcome run(const SolveOptions& options);
    void store(int island, const Solution& solution);

    Islands islands_;
    Problem problem_;
    Point point_, other_;
    Newton newton_;
    ConjugateGradients cg_;
    ProjectedGaussSeidel pgs_;
    NoSlip noslip_;
};

}  // namespace rattleback::convex
