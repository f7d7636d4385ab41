// The shape of the factor of M + JᵀDJ: which rows are eliminated together, and where every entry goes.
#pragma once

#include "solvers/convex/problem.h"
#include "solvers/shared/minimum_degree.h"

namespace rattleback::convex
{

/// Rows that are eliminated together (Duff and Reid 1983). Local order: what is eliminated last comes first, in all
/// fronts alike; so border groups, then own groups.
struct Front
{
    int size = 0, own = 0;                               ///< dofs; border = size - own
    int parent = -1;                                     ///< front in which the border's first group is eliminated
    int stride = 0;                                      ///< numbers per row
    int panel = 0;                                       ///< where its own rows begin in the storage of H and L
    int pivot = 0;                                       ///< where its own pivots begin
    int group_begin = 0, group_end = 0, border_end = 0;  ///< in Structure::groups
    int child_begin = 0, child_end = 0;                  ///< in Structure::children
    int run_begin = 0, run_end = 0;                      ///< in Structure::border_runs
    int part_begin = 0, part_end = 0;                    ///< in Structure::parts; none: all of it may be occupied
};

/// A rectangle of H's storage that M or J may write to; what lies between is zero and becomes fill.
struct FrontPart
{
    int begin = 0, rows = 0, columns = 0;
};

/// A group of dofs in a front.
struct FrontGroup
{
    int group = 0;
    int offset = 0;  ///< of its first dof in the front
};

/// Neighbours in a front's border that are neighbours in its parent as well.
struct BorderRun
{
    int offset = 0, parent_offset = 0, length = 0;
};

/// Symbolic analysis of one problem.
class Structure
{
public:
    static constexpr double kPivotWork = 20;  ///< a rotated row costs two divisions and a root as well, in products

    /// One dense front when `dense`, otherwise minimum degree over the problem's groups. True when fronts and parts are
    /// those of the last call.
    bool analyze(const Problem& problem, bool dense);

    int dof_count = 0;
    std::vector<Front> fronts;  ///< children before parents, a child's whole subtree together
    std::vector<FrontGroup> groups;
    std::vector<BorderRun> border_runs;
    std::vector<FrontPart> parts;
    std::vector<int> children;     ///< fronts
    std::vector<int> group_begin;  ///< [group + 1] dofs of each group, in the problem's order
    std::vector<int> front_of;     ///< [group]
    std::vector<int> mass_place;   ///< [entry of M] in the storage
    std::vector<int> run_row;      ///< [run of the problem] where the row of its first dof begins in the storage
    std::vector<int> run_stride;   ///< [run] of that front
    std::vector<int> pair_begin;   ///< [block] into pair_column
    std::vector<int> pair_column;  ///< [run i][run j] of a block: column of j in the front of i; -1: (j, i) holds it
    int storage_size = 0, largest_front = 0, largest_stack = 0;
    double factor_work = 0;         ///< products in a factorisation
    std::vector<double> path_work;  ///< [front] of a rank-one change that begins there

private:
    /// Groups that are eliminated together, while fronts are made.
    struct Merged
    {
        int first = -1, last = -1;  ///< own groups as a chain through next_
        int top = -1;               ///< last eliminated, by place in the sequence: its border is the front's
        int own = 0, border = 0;
        int parent = -1;
        int sibling = -1;  ///< another with the same parent
        bool gone = false;
    };
    void place_dense(const Problem& problem);
    void find_groups(const Problem& problem);
    bool is_last(const Problem& problem);
    bool pattern_is_known(const Problem& problem);
    void merge_groups();
    void find_fronts();
    void order_fronts();
    void place_fronts();
    void place_groups(const Merged& merged, Front& front);
    void find_parts();
    void find_border_runs();
    void place_rows();
    void place_entries(const Problem& problem);
    void place_mass(const Problem& problem, int group);
    int find_offset(int front, int group) const;

    // What is kept to recognise a pattern, and scratch of the analysis.
    MinimumDegree ordering_;
    std::vector<int> group_of_;  ///< [dof]
    std::vector<int> weights_;   ///< [group]
    std::vector<int> key_, last_key_;
    std::vector<int> last_mass_begin_, last_mass_column_, last_group_;  ///< of the problem analysed last
    std::vector<Run> last_runs_;
    std::vector<int> last_run_ends_;          ///< [block]
    std::vector<std::pair<int, int>> edges_;  ///< groups that M or J connect, the later first
    std::vector<int> row_begin_;              ///< [group] where its rows begin in the storage
    std::vector<int> rank_;                   ///< [group] place in the sequence
    std::vector<int> seed_;                   ///< scratch
    std::vector<Merged> merged_;
    std::vector<int> next_, merged_of_, order_, stack_;
    std::vector<int> child_;        ///< [front] first child, then [front] next sibling
    std::vector<int> first_child_;  ///< [group] last elimination whose parent it is
};

}  // namespace rattleback::convex
