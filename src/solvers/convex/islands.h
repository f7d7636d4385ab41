// Islands: kinematic trees that constraint rows connect, each gathered into a compact problem of its own.
#pragma once

#include "base/disjoint_sets.h"
#include "solvers/convex/problem.h"

namespace rattleback::convex
{

/// The whole world's problem, as the dynamics and build_rows leave it. Lower triangle of M in rows, diagonal last.
struct WorldProblem
{
    std::span<const int> mass_begin, mass_column;
    std::span<const double> mass;
    std::span<const double> smooth;  ///< a_s
    std::span<const double> force;   ///< M a_s
    std::span<const int> tree;       ///< [dof] kinematic tree, from zero
    std::span<const int> group;      ///< [dof] body, say: dofs that occur in rows together
    const ConstraintRows* rows = nullptr;
    std::span<const int> asleep = {};  ///< [tree] not negative: its rows are left out; empty: all are awake
};

class Islands
{
public:
    /// Finds the islands that have rows, in the order of their first dofs. With `together`, one island of all of them.
    void find(const WorldProblem& world, bool together);

    int count() const { return static_cast<int>(dof_begin_.size()) - 1; }
    /// Dofs and rows of an island, increasing; rows by class as in Problem.
    std::span<const int> dofs(int island) const { return slice(dofs_, dof_begin_, island); }
    std::span<const int> rows(int island) const { return slice(rows_, row_begin_, island); }
    /// Contacts of an island, as entries of ConstraintRows::cones.
    void find_cones(const ConstraintRows& rows, int island, std::vector<int>& cones) const;
    /// [tree] Island of each tree; -1: no rows, or asleep.
    std::span<const int> island_of_tree() const { return island_of_; }
    /// Dofs of trees without rows, or asleep.
    std::span<const int> loose_dofs() const { return loose_; }

    /// Fills `problem`, which was empty or holds another problem of the same model; runs of J end with groups in
    /// problems of more than `dense_limit` dofs.
    void gather(const WorldProblem& world, int island, int dense_limit, Problem& problem);

private:
    static std::span<const int> slice(const std::vector<int>& list, const std::vector<int>& begin, int i)
    {
        const auto first = static_cast<std::size_t>(begin[static_cast<std::size_t>(i)]);
        return std::span(list).subspan(first, static_cast<std::size_t>(begin[static_cast<std::size_t>(i) + 1]) - first);
    }
    void connect_trees(const WorldProblem& world);
    int number_islands(bool together);
    void sort_dofs(const WorldProblem& world, int island_count);
    void sort_rows(const WorldProblem& world);
    void gather_pattern(const WorldProblem& world, int island, Problem& problem);
    void gather_mass(const WorldProblem& world, int island, Problem& problem);
    void gather_rows(const WorldProblem& world, int island, bool split, Problem& problem);

    // Numbering of the last find(); gather() reads it.
    DisjointSets trees_;          ///< connected by rows
    std::vector<int> island_of_;  ///< [tree]; -1: no rows
    std::vector<int> touched_;    ///< [tree] has rows
    std::vector<int> dof_begin_, dofs_, row_begin_, rows_, loose_;
    std::vector<int> local_;              ///< [dof] in its island
    std::vector<int> columns_, cone_of_;  ///< columns of a block; [row] entry of ConstraintRows::cones, -1: none
    std::vector<int> cursor_, bin_;
};

}  // namespace rattleback::convex
