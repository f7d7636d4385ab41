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

    // The same island by island, for who wants to change references of rows in between: `begin`; then for each island
    // `solve_island`, `solve_again` while its references change, and `finish_island`. What `begin` was given must live.
    int begin(const System& system, const SolveOptions& options, const Solution& solution);
    /// Leaves the acceleration of the island in the solution, nothing else yet.
    void solve_island(int island, std::span<const double> warm);
    void solve_again(int island);
    void finish_island(int island);
    const SolveReport& report() const { return report_; }

    /// Of the last solve.
    const Islands& islands() const { return islands_; }

private:
    /// Where an island is solved. What is known about its pattern lasts until another comes here.
    struct Place
    {
        Problem problem;
        Newton newton;
    };
    Place& find_place(int dof_count);
    void start(const Problem& problem, std::span<const int> dofs, std::span<const double> warm);
    Outcome run(bool again);
    void keep_acceleration(int island);
    void store(int island);

    System system_;
    SolveOptions options_;
    Solution solution_;
    SolveReport report_;
    Outcome outcome_;
    Islands islands_;
    std::vector<Place> places_;  ///< the first for all small islands, then one for each large one
    Place* place_ = nullptr;     ///< of the present island
    std::size_t large_islands_ = 0;
    Point point_, other_;
    ConjugateGradients cg_;
    ProjectedGaussSeidel pgs_;
    NoSlip noslip_;
};

}  // namespace rattleback::convex
