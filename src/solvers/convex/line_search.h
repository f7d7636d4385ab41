// The exact minimum of the convex cost along a line.
#pragma once

#include "solvers/convex/problem.h"

namespace rattleback::convex
{

/// A line a + alpha * search through a point.
struct Line
{
    std::vector<double> search;   ///< [dof], with padding
    std::vector<double> product;  ///< M search
    std::vector<double> rows;     ///< J search, [row]

    // With these five sums a point of the line costs a cone a few products, whatever its dimension.
    // of each cone: N, T^2 = uu + 2 alpha uv + alpha^2 vv
    struct ConeLine
    {
        double n = 0, dn = 0, uu = 0, uv = 0, vv = 0;
    };
    std::vector<ConeLine> cones;
    double slope = 0, curvature = 0;  ///< at alpha = 0, of the terms that stay quadratic everywhere
    double descent = 0;               ///< slope of the whole cost at alpha = 0

    void resize(const Problem& problem);
};

/// First and second derivative of the cost along the line.
struct Derivatives
{
    double first = 0, second = 0;
};

/// From search: product, rows, cones, slope, curvature.
void prepare_line(const Problem& problem, const Point& p, Line& line);
Derivatives find_derivatives(const Problem& problem, const Point& p, const Line& line, double alpha);

/// The alpha at which the first derivative is zero, to `tolerance` or to round-off, by Newton's method inside a
/// shrinking bracket; 0 when the cost does not fall along the line. At most `iterations` evaluations.
double find_step(const Problem& problem, const Point& p, const Line& line, double tolerance, int iterations);

/// p <- p + alpha * line: a, product, residual.
void move_along(const Problem& problem, const Line& line, double alpha, Point& p);

}  // namespace rattleback::convex
