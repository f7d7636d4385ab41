// Minimising a whole world's cost: islands one by one, from the better of two starting points, by the chosen method.
#pragma once

#include "solvers/convex/cg.h"
#include "solvers/convex/islands.h"
#include "solvers/convex/pgs.h"
#include "solvers/convex/stick.h"

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

    /// Of a step with several solves: iterations add up, the worst counts.
    void add(const SolveReport& other);
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
    /// Acceleration, row forces and joint forces Jᵀf at the minimum of
    ///   1/2 (a - a_s)ᵀ M (a - a_s) + s(J a - a_ref).
    /// `warm`: an acceleration to begin with; empty: none. `stick`: may change references of the rows between two
    /// solves of an island; null: does not.
    SolveReport minimise(const WorldProblem& world, const SolveOptions& options, std::span<const double> warm,
                         const Solution& solution, Stick* stick = nullptr);

    /// Of the last solve.
    const Islands& islands() const { return islands_; }

private:
    /// Where an island is solved. What is known about its pattern lasts until another comes here.
    struct IslandWorkspace
    {
        Problem problem;
        Newton newton;
    };
    IslandWorkspace& find_workspace(int dof_count, int dense_limit);
    void set_loose_dofs(const WorldProblem& world, const Solution& solution) const;
    void find_start(const Problem& problem, std::span<const int> dofs, std::span<const double> warm);
    double find_largest_residual(const Problem& problem) const;
    void move_references(const ConstraintRows& rows, int island, Problem& problem);
    void store(const Problem& problem, int island, bool has_gradient, const Solution& solution);

    // In the order of use: islands, their workspaces, the point of the island at hand, the methods.
    Islands islands_;
    std::vector<IslandWorkspace> workspaces_;  ///< the first for all small islands, then one for each large one
    std::size_t large_islands_ = 0;
    std::vector<int> cones_;  ///< of one island
    Point point_, other_;
    ConjugateGradients cg_;
    ProjectedGaussSeidel pgs_;
    NoSlip noslip_;
};

}  // namespace rattleback::convex
