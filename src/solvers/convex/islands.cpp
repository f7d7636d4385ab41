// Trees that rows connect, and the compact copy of one island.
#include "solvers/convex/islands.h"

#include <algorithm>

namespace rattleback::convex
{

// Rows couple kinematic trees; trees that no chain of rows connects have nothing to do with each other, and the problem
// of the world falls apart into islands. Each is copied into a Problem: dofs numbered from zero, rows sorted by class,
// rows with the same columns side by side as dense blocks, so that products with J run over whole packs of numbers.

namespace
{

constexpr int kMaxBlockRows = 12;  // ten edges of the largest pyramid and some room

/// Equality, dry friction, one-sided, elliptic.
int class_of(RowKind kind)
{
    switch (kind)
    {
        // The order in which a Problem keeps its rows: each class has its own loop there.
        case RowKind::equality:
            return 0;
        case RowKind::dry_friction:
            return 1;
        case RowKind::cone:
            return 3;
        default:
            return 2;
    }
}

bool same_columns(const ConstraintRows& rows, int a, int b)
{
    // Columns are sorted by index, so equal sets are equal lists.
    return std::equal(rows.column.begin() + rows.begin[a], rows.column.begin() + rows.begin[a + 1],
                      rows.column.begin() + rows.begin[b], rows.column.begin() + rows.begin[b + 1]);
}

}  // namespace

/// Trees with a column in the same row belong to one island.
void Islands::connect_trees(const WorldProblem& world)
{
    const ConstraintRows& rows = *world.rows;
    for (int r = 0; r < rows.count(); ++r)
    {
        if (cone_of_[r] >= 0 && rows.cones[cone_of_[r]].row != r) continue;  // all rows of a contact have its columns
        // Rows of sleepers are left out, so they connect nobody.
        if (!world.asleep.empty() && world.asleep[world.tree[rows.column[rows.begin[r]]]] >= 0) continue;
        int last = -1;
        for (int k = rows.begin[r]; k < rows.begin[r + 1]; ++k)
        {
            // Columns of one tree follow each other: one look per tree, not per dof.
            const int tree = world.tree[rows.column[k]];
            if (tree == last) continue;
            touched_[tree] = 1;
            if (last >= 0) trees_.join(last, tree);
            last = tree;
        }
    }
}

void Islands::find(const WorldProblem& world, bool together)
{
    const ConstraintRows& rows = *world.rows;
    // Every tree alone at first; which contact a row belongs to is needed for joining and for sorting.
    const int trees = world.tree.empty() ? 0 : 1 + *std::max_element(world.tree.begin(), world.tree.end());
    trees_.reset(static_cast<std::size_t>(trees));
    touched_.assign(static_cast<std::size_t>(trees), 0);
    // -1: a row of no contact.
    cone_of_.assign(static_cast<std::size_t>(rows.count()), -1);
    for (std::size_t c = 0; c < rows.cones.size(); ++c)
    {
        const RowCone& cone = rows.cones[c];
        std::fill_n(cone_of_.begin() + cone.row, cone.row_count, static_cast<int>(c));
    }
    // Union-find over the rows, islands numbered by their first tree, then dofs and rows sorted by island.
    connect_trees(world);
    sort_dofs(world, number_islands(together));
    sort_rows(world);
}

/// Islands in the order of their first tree, which is the name of its set. Returns how many there are.
int Islands::number_islands(bool together)
{
    island_of_.assign(trees_.count(), -1);
    int count = 0;
    for (int t = 0; t < static_cast<int>(trees_.count()); ++t)
    {
        // With `together` every island is number 0.
        const int first = trees_.find(t);
        // A tree without rows is in no island: it moves with a_s.
        if (!touched_[t]) continue;
        // Numbers do not depend on the order of the rows.
        if (island_of_[first] < 0) island_of_[first] = together && count > 0 ? 0 : count++;
        island_of_[t] = island_of_[first];
    }
    return count;
}

/// Dofs by island, in it as they come; those of no island are loose.
void Islands::sort_dofs(const WorldProblem& world, int island_count)
{
    const int dof_count = static_cast<int>(world.tree.size());
    const auto island_of_dof = [&](int d) { return island_of_[world.tree[d]]; };
    // How many dofs each island has, where each begins, then every dof to its place.
    dof_begin_.assign(static_cast<std::size_t>(island_count) + 1, 0);
    for (int d = 0; d < dof_count; ++d)
    {
        // Counting sort again: dofs of an island next to each other, in the model's order.
        const int island = island_of_dof(d);
        if (island >= 0) ++dof_begin_[island + 1];
    }
    for (int i = 0; i < island_count; ++i) dof_begin_[i + 1] += dof_begin_[i];
    loose_.clear();
    dofs_.resize(static_cast<std::size_t>(dof_begin_[island_count]));
    cursor_.assign(dof_begin_.begin(), dof_begin_.end());
    local_.resize(static_cast<std::size_t>(dof_count));
    for (int d = 0; d < dof_count; ++d)
    {
        const int island = island_of_dof(d);
        if (island < 0)
        {
            loose_.push_back(d);
            continue;
        }
        // The dof's number inside its island, by which columns of M and J are renamed.
        local_[d] = cursor_[island] - dof_begin_[island];
        dofs_[cursor_[island]++] = d;
    }
}

/// Rows by island, in it by class, in it as they come.
void Islands::sort_rows(const WorldProblem& world)
{
    constexpr int kClasses = 4;
    const ConstraintRows& rows = *world.rows;
    // Counting sort: how many rows in each bin, where each bin begins, then rows into their bins.
    cursor_.assign(static_cast<std::size_t>(kClasses * count()) + 1, 0);
    bin_.resize(static_cast<std::size_t>(rows.count()));
    for (int r = 0; r < rows.count(); ++r)
    {
        // All columns of a row lie in one island; its first tells which. Rows of sleepers have none and are left out.
        const int island = island_of_[world.tree[rows.column[rows.begin[r]]]];
        bin_[r] = island < 0 ? -1 : kClasses * island + class_of(rows.kind[r]);
        if (island >= 0) ++cursor_[bin_[r] + 1];
    }
    for (std::size_t b = 1; b < cursor_.size(); ++b) cursor_[b] += cursor_[b - 1];
    rows_.resize(static_cast<std::size_t>(cursor_.back()));
    row_begin_.clear();
    for (int i = 0; i <= count(); ++i) row_begin_.push_back(cursor_[kClasses * i]);
    for (int r = 0; r < rows.count(); ++r)
    {
        if (bin_[r] >= 0) rows_[cursor_[bin_[r]]++] = r;
    }
}

void Islands::find_cones(const ConstraintRows& rows, int island, std::vector<int>& cones) const
{
    cones.clear();
    for (const int r : this->rows(island))
    {
        // A contact is listed where its first row is.
        if (cone_of_[r] >= 0 && rows.cones[cone_of_[r]].row == r) cones.push_back(cone_of_[r]);
    }
}

/// Pattern and numbering; nothing to do when the problem holds the same dofs already.
void Islands::gather_pattern(const WorldProblem& world, int island, Problem& problem)
{
    const std::span<const int> list = dofs(island);
    // From step to step most islands keep their dofs, and with them pattern, groups and trees.
    if (std::equal(problem.dofs.begin(), problem.dofs.end(), list.begin(), list.end())) return;
    problem.dofs.assign(list.begin(), list.end());
    problem.mass_begin.assign(1, 0);
    problem.mass_column.clear();
    problem.group.clear();
    problem.tree.clear();
    // Columns of M in the island's own numbers; trees numbered as they come.
    cursor_.assign(island_of_.size(), -1);
    int trees = 0;
    for (const int d : list)
    {
        // A row of M holds the dof and its ancestors, all of one tree and so of one island.
        for (int k = world.mass_begin[d]; k < world.mass_begin[d + 1]; ++k)
        {
            problem.mass_column.push_back(local_[world.mass_column[k]]);
        }
        problem.mass_begin.push_back(static_cast<int>(problem.mass_column.size()));
        problem.group.push_back(world.group[d]);
        int& tree = cursor_[world.tree[d]];
        if (tree < 0) tree = trees++;
        problem.tree.push_back(tree);
    }
}

void Islands::gather_mass(const WorldProblem& world, int island, Problem& problem)
{
    gather_pattern(world, island, problem);
    const std::span<const int> list = dofs(island);
    problem.dof_count = static_cast<int>(list.size());
    problem.mass.resize(problem.mass_column.size());
    problem.force.resize(list.size());
    problem.smooth.resize(list.size() + kPadding);
    // M, a_s and M a_s; 1 / trace(M) is the scale by which improvements and gradients are judged.
    double trace = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const int d = list[i];
        // A row of M ends with its diagonal.
        std::copy(world.mass.begin() + world.mass_begin[d], world.mass.begin() + world.mass_begin[d + 1],
                  problem.mass.begin() + problem.mass_begin[i]);
        trace += problem.mass[problem.mass_begin[i + 1] - 1];
        problem.smooth[i] = world.smooth[d];
        problem.force[i] = world.force[d];
    }
    std::fill(problem.smooth.begin() + problem.dof_count, problem.smooth.end(), 0.0);
    // As the 1 / (mean inertia x dofs) of MuJoCo, at the present pose.
    problem.scale = 1 / trace;
}

void Islands::gather_rows(const WorldProblem& world, int island, bool split, Problem& problem)
{
    const ConstraintRows& source = *world.rows;
    const std::span<const int> list = rows(island);
    int ends[4] = {};
    for (std::size_t i = 0; i < list.size();)
    {
        // Rows of a contact, or neighbours of one class with the same columns, become one dense block of J.
        const int first = list[i], row_class = class_of(source.kind[first]), cone = cone_of_[first];
        int count = 1;
        if (cone >= 0)
            count = source.cones[cone].row_count;
        else
            while (count < kMaxBlockRows && i + static_cast<std::size_t>(count) < list.size() &&
                   list[i + static_cast<std::size_t>(count)] == first + count &&
                   class_of(source.kind[first + count]) == row_class && cone_of_[first + count] < 0 &&
                   same_columns(source, first, first + count))
                ++count;
        // The block's columns in the island's numbers; large islands split runs at groups, where the sparse factor is
        // cut too.
        columns_.clear();
        for (int k = source.begin[first]; k < source.begin[first + 1]; ++k)
            columns_.push_back(local_[source.column[k]]);
        problem.rows.add_block(columns_, source.value.data() + source.begin[first], count,
                               split ? std::span<const int>(problem.group) : std::span<const int>());
        Block& block = problem.rows.blocks.back();
        // Edges of a pyramid: no-slip treats opposite ones as a pair.
        block.edges = row_class == 2 && cone >= 0 && source.cones[cone].dimension > 1;
        for (int r = first; r < first + count; ++r)
        {
            // a_ref, R, D and eta of the row.
            problem.reference.push_back(source.reference[r]);
            problem.regulariser.push_back(source.regulariser[r]);
            problem.stiffness.push_back(source.stiffness[r]);
            problem.loss.push_back(source.loss[r]);
        }
        if (row_class == 3)
        {
            // An elliptic contact: slope and scales of its cone beside the rows.
            const RowCone& from = source.cones[cone];
            Cone to{.row = block.row, .dimension = count, .mu = from.mu, .stiffness = source.stiffness[first]};
            to.block = static_cast<int>(problem.rows.blocks.size()) - 1;
            to.scale[0] = from.mu;
            for (int j = 1; j < count; ++j) to.scale[j] = from.friction[j - 1];
            problem.cones.push_back(to);
        }
        ends[row_class] += count;
        i += static_cast<std::size_t>(count);
    }
    // Rows stand in the order equality, dry friction, one-sided, elliptic: three ends tell them apart.
    problem.row_count = problem.rows.row_count;
    problem.equality_end = ends[0];
    problem.friction_end = problem.equality_end + ends[1];
    problem.one_sided_end = problem.friction_end + ends[2];
}

void Islands::gather(const WorldProblem& world, int island, int dense_limit, Problem& problem)
{
    // M, a_s and M a_s first, for they fix the numbering; then J, a_ref, R.
    problem.clear_rows();
    gather_mass(world, island, problem);
    gather_rows(world, island, problem.dof_count > dense_limit, problem);
}

}  // namespace rattleback::convex
