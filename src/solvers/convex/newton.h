// Newton's method on the convex problem: exact Hessian, exact line search.
#pragma once

#include "solvers/convex/hessian.h"
#include "solvers/convex/line_search.h"

namespace rattleback::convex
{

/// When to stop.
struct Limits
{
    int iterations = 100;
    double tolerance = 1e-8;  ///< of improvement and gradient, both over trace(M)
    int line_iterations = 50;
    double line_tolerance = 0.01;  ///< of the line search, relative to `tolerance`
};

/// How an iteration ended.
struct Outcome
{
    int iterations = 0;
    double improvement = 0;  ///< of the cost in the last iteration, over trace(M)
    double gradient = 0;     ///< length, over trace(M)
    bool converged = false;
    int bad_dof = -1;  ///< whose pivot is not positive
};

/// Finds the minimum from p.a. Keeps scratch.
class Newton
{
public:
    /// `again`: the problem of the last call with other references, whose factor is still good.
    Outcome minimise(const Problem& problem, const Limits& limits, Point& p, bool again = false);

    /// Systems up to this many dofs are factored dense.
    int dense_limit = 60;

private:
    int start_factor(const Problem& problem, const Point& p);
    int refresh_factor(const Problem& problem, const Point& p);
    int factorize(const Problem& problem, const Point& p);
    int factorize(const Problem& problem, const Point& p, double rise);
    bool change_factor(const Problem& problem, const Point& p);

    // weight_ is what H contains of every row; the difference to the states at hand is what must change.
    Hessian hessian_;
    Line line_;
    std::vector<double> weight_, change_;  ///< of rows in H; scratch
    bool conic_ = false;                   ///< the factor holds cones of the conic zone
    bool has_factor_ = false;              ///< of the present problem
};

/// Both primal methods: alpha at the exact minimum along line.search; 0: no descent beyond round-off.
double search_line(const Problem& problem, const Limits& limits, const Point& p, Line& line);
/// Both primal methods, after a move by `alpha` from where the cost was `before`: the gradient there, and how much was
/// gained; true when it is time to stop.
bool judge_step(const Problem& problem, const Limits& limits, const Line& line, double alpha, double before, Point& p,
                Outcome& outcome);

}  // namespace rattleback::convex
