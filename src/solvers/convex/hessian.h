// H = M + JᵀDJ and its factor LᵀDL: assembled by blocks, factored front by front, changed by single rows.
#pragma once

#include "solvers/convex/structure.h"

namespace rattleback::convex
{

class Hessian
{
public:
    /// H = M, in a structure with room for every row of the problem. Dense in one front, or sparse.
    void start(const Problem& problem, bool dense);

    /// H += sum over the block's rows of weight * rowᵀ row.
    void add_rows(const Problem& problem, int block, const double* weights);

    /// Begins a factor of H, to which add_conic and raise_diagonal may add when `added`.
    void begin_factor(bool added = false);
    /// Adds Bᵀ C B of an elliptic contact, C as find_conic_hessian writes it, to the matrix about to be factored.
    void add_conic(const Problem& problem, int block, const double* conic);
    /// The diagonal of the matrix about to be factored, by a share of itself.
    void raise_diagonal(const Problem& problem, double share);
    /// -1, or the dof whose pivot is not positive.
    int factorize();

    /// Changes the factor by weight * rowᵀ row (`row` counted in the block). False when rank was lost: factorize again.
    bool change_row(const Problem& problem, int block, int row, double weight);

    /// x <- H^-1 x; x has kPadding more entries.
    void solve(double* x);

    double factor_work() const { return structure_.factor_work; }
    /// Of change_row for a row of this block.
    double change_work(const Problem& problem, int block) const;

    int dof_count() const { return structure_.dof_count; }
    const Structure& structure() const { return structure_; }

private:
    /// storage += sum over the listed rows of weight * leftᵀ right, lower triangle.
    struct RowPair
    {
        const double* left;
        const double* right;
        double weight;
    };
    void accumulate(const Problem& problem, int block, std::span<const RowPair> rows, double* storage) const;
    template <int K>
    void accumulate_some(const Problem& problem, int block, const RowPair* rows, double* storage) const;
    void clear_parts();
    void copy_panel(const Front& front);
    int factorize_front(const Front& front, double* updates, int& top);
    void add_child(const Front& child, const double* update);
    int first_front(const Problem& problem, int block) const;
    void gather(const Front& front, const double* x);
    void scatter(int begin, int end, double* x) const;

    // Scratch lasts from call to call: a step of the same pattern allocates nothing.
    Structure structure_;
    std::vector<double> hessian_, factor_;    ///< own rows of all fronts
    bool factor_holds_matrix_ = false;        ///< what is to be factored stands in factor_, not in hessian_
    std::vector<double> diagonal_, inverse_;  ///< pivots
    std::vector<double> front_, updates_;     ///< the front at work; Schur complements that wait for their parents
    std::vector<RowPair> pairs_;
    std::vector<double> scaled_, local_, row_;  ///< weighted rows of a block; a vector in a front; a row of J
    std::vector<int> update_begin_;             ///< [front] in updates_
};

}  // namespace rattleback::convex
