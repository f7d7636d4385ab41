// Random worlds for the convex solver: forests with positive definite inertia in the tree's pattern, rows of every
// kind.
#pragma once

#include "solvers/convex/islands.h"

#include <random>

namespace rattleback::convex
{

struct RandomOptions
{
    unsigned seed = 1;
    int trees = 3;
    int bodies = 4;  ///< per tree
    int contacts = 6;
    bool elliptic = true;  ///< contacts as cones, otherwise as pyramids
    bool other_rows = true;
    double softness = 0.1;  ///< scale of R
};

/// Owns the arrays of a WorldProblem.
struct RandomSystem
{
    explicit RandomSystem(const RandomOptions& options);

    WorldProblem view() const;
    int dof_count() const { return static_cast<int>(tree.size()); }

    std::vector<int> mass_begin{0}, mass_column, tree, group;
    std::vector<double> mass, smooth, force;
    ConstraintRows rows;

private:
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    void add_tree(int index, int bodies);
    void fill_inertia();
    std::vector<int> chain(int dof) const;
    std::vector<int> random_columns();
    void add_rows(RowKind kind, int element, int count, const std::vector<int>& columns, double softness);
    void add_contact(bool elliptic, double softness);

    std::mt19937 random_;
    std::vector<int> parent_;  ///< [dof]
};

}  // namespace rattleback::convex
