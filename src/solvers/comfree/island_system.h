// H = M + JᵀWJ of all trees that rows touch, island by island, in an order of small profile; factored as L Lᵀ.
#pragma once

#include "solvers/comfree/row_products.h"

namespace rattleback::comfree
{

class IslandSystem
{
public:
    /// `tree_of_dof`: numbers from zero.
    IslandSystem(const Model& model, std::span<const int> tree_of_dof);

    /// Finds the islands of these rows, an order of their dofs (Cuthill and McKee 1969) and the profile of H.
    void start(const ConstraintRows& rows);

    int island_count() const { return island_count_; }
    /// The island of the trees that a row touches.
    int island_of_row(const ConstraintRows& rows, int row) const
    {
        return island_of_tree_[tree_of_dof_[rows.column[rows.begin[row]]]];
    }
    int island_of_dof(int dof) const { return island_of_tree_[tree_of_dof_[dof]]; }  ///< -1: no row touches its tree

    /// H = M.
    void assemble_mass(std::span<const double> mass);
    /// H += weight yᵀ y, y over the columns of a row.
    void add_outer(const ConstraintRows& rows, int row, const double* y, double weight);
    /// H = L Lᵀ in place. -1, or the dof whose pivot is not positive.
    int factor();
    /// x <- H^-1 x, [dof]; zero on trees that no row touches.
    void solve(std::span<double> x);

private:
    void connect_trees(const ConstraintRows& rows);
    void order_trees();
    int visit_island(int root, int island, std::size_t begin);
    void find_profile(const ConstraintRows& rows);

    std::span<const int> tree_of_dof_;
    std::span<const int> mass_begin_, mass_column_;
    std::vector<int> tree_begin_, tree_dofs_;    ///< dofs by tree
    std::vector<std::pair<int, int>> edges_;     ///< trees that rows connect
    std::vector<int> begin_, neighbour_, fill_;  ///< the same as lists
    std::vector<char> touched_;                  ///< [tree] by some row
    std::vector<int> island_of_tree_, visited_, order_;
    int island_count_ = 0;
    std::vector<int> place_, dof_at_;       ///< [dof] -> [place] or -1, and back
    std::vector<int> first_;                ///< [place] first column of its row of L
    std::vector<std::size_t> row_;          ///< [place] where column 0 of its row would be, in values_
    std::vector<double> values_, ordered_;  ///< rows of L; a vector by places
};

}  // namespace rattleback::comfree
