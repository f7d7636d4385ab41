// The dual view: forces f with a = a_s + M^-1 Jᵀ f, kept up to date while single rows or contacts change.
#pragma once

#include "solvers/convex/mass_factor.h"
#include "solvers/convex/newton.h"

namespace rattleback::convex
{

/// What PGS and the no-slip sweep share: Y = J M^-1 (over the trees each block touches) and the blocks of A = J M^-1
/// Jᵀ.
class Dual
{
public:
    /// Prepares Y and A. -1, or the dof whose pivot is not positive.
    int start(const Problem& problem);
    /// a = a_s + M^-1 Jᵀ force, from scratch; a has padding.
    void find_acceleration(const Problem& problem, const double* force, double* a);
    /// The block of A of one block of rows, [row_count][row_count].
    const double* block(int index) const { return blocks_.data() + block_begin_[index]; }
    /// a += Yᵀ change for the rows of one block.
    void apply(int index, const double* change, double* a) const;

private:
    MassFactor metric_;
    // Y has the blocks of J, widened to whole trees; A is kept for single blocks alone.
    RowMatrix response_;  ///< Y
    std::vector<double> blocks_;
    std::vector<int> block_begin_;
    std::vector<int> columns_, tree_begin_, tree_dofs_;
    std::vector<double> column_, rows_;
};

/// min 1/2 yᵀ A y + bᵀ y over |y_j / bound_j| in the ball of radius r, n <= 5; A is [n][n], positive definite. y is the
/// result.
void solve_in_ball(int n, const double* a, const double* b, const double* bound, double r, double* y);

}  // namespace rattleback::convex
