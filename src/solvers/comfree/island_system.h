// H = M + JᵀWJ of all trees that rows touch, in an order of elimination that fills little; factored as L Lᵀ.
#pragma once

#include "solvers/comfree/row_products.h"

#include "base/disjoint_sets.h"
#include "solvers/shared/minimum_degree.h"

namespace rattleback::comfree
{

class IslandSystem
{
public:
    /// `tree_of_dof`: numbers from zero.
    IslandSystem(const Model& model, std::span<const int> tree_of_dof);

    /// Finds the islands of these rows and the pattern of L.
    void start(const ConstraintRows& rows);

    int island_count() const { return island_count_; }
    /// [island] the same value for each. There is room for as many as there can be: islands come and go, and nothing is
    /// allocated for it.
    template <class T>
    void start_list(std::vector<T>& list, const T& value) const
    {
        list.reserve(touched_.size());
        list.assign(static_cast<std::size_t>(island_count_), value);
    }
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
    /// Columns of L of one tree: rows of its own dofs, then of the trees that it is still coupled with when it is
    /// eliminated. Column by column in values_.
    struct Panel
    {
        int tree = 0;
        int own = 0, height = 0;  ///< columns, rows
        std::size_t begin = 0;    ///< in values_
        std::size_t border_begin = 0, border_end = 0;
    };
    struct Border
    {
        int panel = 0, row = 0;  ///< of the other tree; its first row in the panel at hand
    };
    /// Columns of a row of J that belong to one tree: [begin, end) of its entries.
    struct Run
    {
        int panel = 0, begin = 0, end = 0;
    };

    void connect_trees(const ConstraintRows& rows);
    void number_islands();
    void lay_out_panels();
    int find_row(const Panel& panel, int other) const;
    void add_run(const ConstraintRows& rows, int row, const Run& tall, const Run& wide, const double* y, double weight);
    int factor_panel(const Panel& panel);
    void update_borders(const Panel& panel);
    void subtract_product(const Panel& panel, std::size_t from);

    std::span<const int> tree_of_dof_;
    std::span<const int> mass_begin_, mass_column_;
    std::vector<int> tree_begin_, tree_dofs_;  ///< dofs by tree
    std::vector<int> local_;                   ///< [dof] its number within the tree
    std::vector<std::pair<int, int>> edges_;   ///< trees that rows connect
    std::vector<char> touched_;                ///< [tree] by some row
    DisjointSets islands_;
    std::vector<int> island_of_tree_;
    int island_count_ = 0;
    // The pattern, kept as long as edges and touched trees stay.
    std::vector<std::pair<int, int>> last_edges_;
    std::vector<char> last_touched_;
    MinimumDegree ordering_;
    std::vector<int> trees_, weights_;  ///< [group] trees that are touched, and their dofs
    std::vector<int> group_;            ///< [tree] in trees_
    std::vector<Panel> panels_;         ///< in the order of elimination
    std::vector<int> panel_of_tree_;
    std::vector<Border> borders_;  ///< panel by panel, in the order of elimination
    std::vector<int> target_row_;  ///< [border] of the present panel, in the one that is updated
    std::vector<Run> runs_;
    std::vector<double> values_;
    std::vector<double> column_;  ///< [row of a panel]
};

}  // namespace rattleback::comfree
