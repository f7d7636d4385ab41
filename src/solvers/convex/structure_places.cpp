// Where every entry of M and of JᵀDJ stands in the storage of the fronts.
#include "solvers/convex/structure.h"

#include "solvers/convex/front.h"

#include <algorithm>

namespace rattleback::convex
{

int Structure::find_offset(int front, int group) const
{
    // Fronts hold a handful of groups: a walk is quicker than a search.
    for (int k = fronts[front].group_begin; k < fronts[front].group_end; ++k)
    {
        if (groups[k].group == group) return groups[k].offset;
    }
    return -1;
}

void Structure::place_entries(const Problem& problem)
{
    mass_place.resize(problem.mass.size());
    // Places of M's entries are found group by group, those of J block by block.
    for (std::size_t g = 0; g < weights_.size(); ++g) place_mass(problem, static_cast<int>(g));

    // Every pair of runs of a block of J writes a rectangle of H: into the rows of whichever group is eliminated first.
    run_row.resize(problem.rows.runs.size());
    run_stride.resize(problem.rows.runs.size());
    pair_begin.clear();
    pair_column.clear();
    for (const Block& block : problem.rows.blocks)
    {
        pair_begin.push_back(static_cast<int>(pair_column.size()));
        for (int i = block.run_begin; i < block.run_end; ++i)
        {
            const int row_dof = problem.rows.runs[i].dof, row_group = group_of_[row_dof];
            // Row of the run's first dof in the panel of the front that eliminates it.
            run_stride[i] = fronts[front_of[row_group]].stride;
            run_row[i] = row_begin_[row_group] + (row_dof - group_begin[row_group]) * run_stride[i];
            for (int j = block.run_begin; j < block.run_end; ++j)
            {
                const int dof = problem.rows.runs[j].dof, g = group_of_[dof];
                // Of the two places (i, j) and (j, i) the one in the rows of the group that goes first; inside a group
                // the lower triangle.
                const bool here = g == row_group ? j <= i : rank_[row_group] < rank_[g];
                pair_column.push_back(here ? find_offset(front_of[row_group], g) + dof - group_begin[g] : -1);
            }
        }
    }
}

/// Places of M's entries between a group and its ancestors.
void Structure::place_mass(const Problem& problem, int group)
{
    // All dofs of the group have the ancestors of its first one, and those of the group before themselves: one walk
    // over columns places the entries of all its rows.
    const int first = group_begin[group], row_length = problem.mass_begin[first + 1] - problem.mass_begin[first];
    const int* columns = problem.mass_column.data() + problem.mass_begin[first];
    int other = -1, place = 0, row_step = 0, column_step = 0;  // of the ancestor's group
    for (int k = 0; k < row_length + weights_[group] - 1; ++k)
    {
        // ancestors first, then the group's own dofs
        const int column = k < row_length ? columns[k] : first + k - row_length + 1;
        const int column_group = group_of_[column];
        if (column_group != other)
        {
            other = column_group;
            // The rows of the one eliminated first hold the entry; the other's place in its front is the column.
            const bool in_own_row = rank_[group] <= rank_[other];
            const int row = in_own_row ? group : other, across = in_own_row ? other : group;
            const int stride = fronts[front_of[row]].stride;
            place = row_begin_[row] + find_offset(front_of[row], across);
            row_step = in_own_row ? stride : 1;
            column_step = in_own_row ? 1 : stride;
        }
        const int own_begin = other == group ? column - first : 0;  // lower triangle of the group's own block
        for (int r = own_begin; r < weights_[group]; ++r)
        {
            mass_place[problem.mass_begin[first + r] + k] =
                place + r * row_step + (column - group_begin[other]) * column_step;
        }
    }
}

/// One front of all dofs in their own order: nothing to order, every place is known.
void Structure::place_dense(const Problem& problem)
{
    dof_count = problem.dof_count;
    // Forgotten, so that a sparse problem that follows is analysed anew.
    key_.clear();
    const int n = dof_count, stride = front_stride(n);
    // Everything in one front of n rows.
    fronts.assign(1, {.size = n, .own = n, .stride = stride, .group_end = 1});
    groups.assign(1, {});
    children.clear();
    group_begin.assign({0, n});
    front_of.assign(1, 0);
    storage_size = n * stride;
    largest_front = n;
    largest_stack = 0;
    // n^3 / 6 products, and n^2 / 2 for a change by one row.
    factor_work = n / 6.0 * n * n;
    path_work.assign(1, n * (0.5 * n + kPivotWork));
    mass_place.resize(problem.mass.size());
    for (int i = 0; i < n; ++i)
    {
        // The lower triangle of a dense matrix, row after row.
        for (int k = problem.mass_begin[i]; k < problem.mass_begin[i + 1]; ++k)
        {
            mass_place[k] = i * stride + problem.mass_column[k];
        }
    }
    // Every run of J writes into rows that begin at dof times stride.
    run_row.clear();
    for (const Run& run : problem.rows.runs) run_row.push_back(run.dof * stride);
    run_stride.assign(problem.rows.runs.size(), stride);
    // Runs in order: the lower triangle is where the later run meets the earlier.
    pair_begin.clear();
    pair_column.clear();
    for (const Block& block : problem.rows.blocks)
    {
        pair_begin.push_back(static_cast<int>(pair_column.size()));
        for (int i = block.run_begin; i < block.run_end; ++i)
        {
            for (int j = block.run_begin; j < block.run_end; ++j)
            {
                pair_column.push_back(j <= i ? problem.rows.runs[j].dof : -1);
            }
        }
    }
}

}  // namespace rattleback::convex
