// Sparse symmetric systems in blocks of 6 x 6, one row of blocks to a body: Cholesky's factorisation, or conjugate
// gradients where that would fill up.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace rattleback::ipc
{

using Vector6 = std::array<double, 6>;
using Block6 = std::array<double, 36>;  ///< row-major

/// A symmetric positive matrix of blocks. The pattern is analysed once for a set of pairs of bodies: elimination in the
/// order of least degree, which keeps islands apart and chains without fill. Where large piles would fill up all the
/// same, the matrix is kept as it is and solve() goes by conjugate gradients, preconditioned by the diagonal blocks.
class BlockCholesky
{
public:
    /// Factorise where it costs at most so many times a product with the matrix.
    void set_direct_limit(double products)
    {
        direct_limit_ = products;
        position_.clear();
    }
    /// Room for any pattern of so many rows, where they are few.
    void reserve(int row_count);
    bool is_direct() const { return is_direct_; }
    /// Pairs of different rows, any order, repeated or not. All blocks zero afterwards. The same pairs as the last time
    /// are not analysed again.
    void analyse(int row_count, std::span<const std::pair<int, int>> pairs);
    /// From now on nothing is in the pattern until the next analyse(), which is then a function of its pairs alone.
    void forget() { is_analysed_ = false; }
    /// True when all pairs are in the pattern.
    bool holds(int row_count, std::span<const std::pair<int, int>> pairs) const;

    void set_zero();
    Block6& diagonal(int row) { return diagonal_[static_cast<std::size_t>(position_[static_cast<std::size_t>(row)])]; }
    /// Adds to the block (row, column), or its transpose to (column, row): whichever is kept.
    void add(int row, int column, const Block6& block);

    void add_identity(double scale);
    /// Before factor(): every entry of the diagonal by a part of itself.
    void grow_diagonal(double part);

    /// In place; false where a pivot is not positive.
    bool factor();
    /// After factor(): solution of A x = b, in place; by conjugate gradients to 1e-6 of b, in the norm of the
    /// preconditioner, and a descent direction wherever they end.
    void solve(std::span<Vector6> b) const;

private:
    int find(int row, int column) const;
    void order(int row_count);
    /// Work of a factorisation over that of a product with the matrix, which has so many blocks off the diagonal.
    double find_direct_cost(std::size_t blocks) const;
    void keep_pattern(int row_count, std::span<const std::pair<int, int>> pairs);
    void solve_directly(std::span<Vector6> b) const;
    void solve_iteratively(std::span<Vector6> b) const;
    void multiply(std::span<const Vector6> x, std::span<Vector6> product) const;

    std::vector<int> position_, row_of_;  ///< place of a row in the elimination, and back
    std::vector<Block6> diagonal_;        ///< [position]
    std::vector<int> begin_;              ///< [position + 1] into rows_ and blocks_
    std::vector<int> rows_;               ///< positions below the diagonal, increasing in each column
    std::vector<Block6> blocks_;
    std::vector<std::vector<int>> graph_;  ///< scratch of analyse()
    std::vector<int> merged_;
    mutable std::vector<Vector6> work_;
    std::vector<std::pair<int, int>> analysed_;  ///< pairs of the last analyse()
    bool is_analysed_ = false;
    double direct_limit_ = 200;
    bool is_direct_ = true;
    std::vector<Block6> factors_;  ///< of the diagonal blocks, where it is not direct
    mutable std::vector<Vector6> rest_, step_, image_;
};

}  // namespace rattleback::ipc
