// Islands, order, profile and factor of H.
#include "solvers/comfree/island_system.h"

#include <algorithm>
#include <cmath>

namespace rattleback::comfree
{

namespace
{

/// Four sums side by side: quicker than one, and the same on every machine.
double sum_products(const double* a, const double* b, std::size_t n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4)
    {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; ++k) s0 += a[k] * b[k];
    return (s0 + s1) + (s2 + s3);
}

}  // namespace

IslandSystem::IslandSystem(const Model& model, std::span<const int> tree_of_dof)
    : tree_of_dof_(tree_of_dof), mass_begin_(model.dofs.row_begin), mass_column_(model.dofs.row_column)
{
    // Dofs by tree: a counting sort.
    const int trees = tree_of_dof.empty() ? 0 : 1 + *std::max_element(tree_of_dof.begin(), tree_of_dof.end());
    const auto count = static_cast<std::size_t>(trees);
    // How many each tree has, where each begins, and then every dof to its place.
    tree_begin_.assign(count + 1, 0);
    for (const int t : tree_of_dof) ++tree_begin_[t + 1];
    for (int t = 0; t < trees; ++t) tree_begin_[t + 1] += tree_begin_[t];
    tree_dofs_.resize(tree_of_dof.size());
    fill_.assign(tree_begin_.begin(), tree_begin_.end());
    for (std::size_t d = 0; d < tree_of_dof.size(); ++d) tree_dofs_[fill_[tree_of_dof[d]]++] = static_cast<int>(d);
    // Scratch by tree and dof, made once.
    touched_.resize(count);
    island_of_tree_.resize(count);
    visited_.resize(count);
    place_.resize(tree_of_dof.size());
}

void IslandSystem::start(const ConstraintRows& rows)
{
    // Which trees rows couple, an order in which coupled ones stand together, and what of L may be other than zero.
    connect_trees(rows);
    order_trees();
    find_profile(rows);
}

/// Trees are neighbours where a row moves both.
void IslandSystem::connect_trees(const ConstraintRows& rows)
{
    edges_.clear();
    std::fill(touched_.begin(), touched_.end(), char{0});
    for (int row = 0; row < rows.count(); ++row)
    {
        // A row moves one tree or two; equalities may move more, all joined to the first.
        const int first = tree_of_dof_[rows.column[rows.begin[row]]];
        touched_[first] = 1;
        int last = first;
        for (int k = rows.begin[row] + 1; k < rows.begin[row + 1]; ++k)
        {
            const int tree = tree_of_dof_[rows.column[k]];
            if (tree == last || tree == first) continue;
            last = tree;
            touched_[tree] = 1;
            // Rows of one pair of bodies follow each other: most repetitions are the last edge.
            const std::pair edge(first, tree);
            if (edges_.empty() || edges_.back() != edge) edges_.push_back(edge);
        }
    }
    // Edges from both ends, tree by tree.
    begin_.assign(touched_.size() + 1, 0);
    for (const auto& [a, b] : edges_)
    {
        ++begin_[a + 1];
        ++begin_[b + 1];
    }
    for (std::size_t t = 0; t < touched_.size(); ++t) begin_[t + 1] += begin_[t];
    neighbour_.resize(2 * edges_.size());
    fill_.assign(begin_.begin(), begin_.end());
    for (const auto& [a, b] : edges_)
    {
        neighbour_[fill_[a]++] = b;
        neighbour_[fill_[b]++] = a;
    }
}

/// Breadth first from a tree; `order_` gets its island from `begin` on. Returns the tree that was reached last.
int IslandSystem::visit_island(int root, int island, std::size_t begin)
{
    // A second visit of the same island has the next mark: nothing is cleared between them.
    const int mark = visited_[root] + 1;
    order_.resize(begin);
    order_.push_back(root);
    visited_[root] = mark;
    for (std::size_t k = begin; k < order_.size(); ++k)
    {
        const int tree = order_[k];
        island_of_tree_[tree] = island;
        // Neighbours that were not seen yet wait at the end of the list.
        for (int e = begin_[tree]; e < begin_[tree + 1]; ++e)
        {
            if (visited_[neighbour_[e]] == mark) continue;
            visited_[neighbour_[e]] = mark;
            order_.push_back(neighbour_[e]);
        }
    }
    return order_.back();
}

/// Islands one after the other, each breadth first from one of its ends: neighbours stand near each other.
void IslandSystem::order_trees()
{
    std::fill(island_of_tree_.begin(), island_of_tree_.end(), -1);
    std::fill(visited_.begin(), visited_.end(), 0);
    order_.clear();
    island_count_ = 0;
    for (std::size_t t = 0; t < touched_.size(); ++t)
    {
        // Trees without rows move by v_s alone and are in no system.
        if (touched_[t] == 0 || island_of_tree_[t] >= 0) continue;
        // The tree farthest from any tree is near an end.
        const std::size_t begin = order_.size();
        const int end = visit_island(static_cast<int>(t), island_count_, begin);
        visit_island(end, island_count_++, begin);
    }
}

void IslandSystem::find_profile(const ConstraintRows& rows)
{
    // Places of dofs, tree after tree.
    std::fill(place_.begin(), place_.end(), -1);
    dof_at_.clear();
    for (const int tree : order_)
    {
        for (int k = tree_begin_[tree]; k < tree_begin_[tree + 1]; ++k)
        {
            place_[tree_dofs_[k]] = static_cast<int>(dof_at_.size());
            dof_at_.push_back(tree_dofs_[k]);
        }
    }
    // Row p of L begins with the first place that M or a row of J couples with p.
    const auto n = static_cast<int>(dof_at_.size());
    first_.resize(dof_at_.size());
    for (int p = 0; p < n; ++p)
    {
        const int dof = dof_at_[p];
        first_[p] = p;  // dofs of a tree keep their order, ancestors first
        for (int e = mass_begin_[dof]; e < mass_begin_[dof + 1]; ++e)
            first_[p] = std::min(first_[p], place_[mass_column_[e]]);
    }
    for (int row = 0; row < rows.count(); ++row)
    {
        // Every dof of a row is coupled with the first of them.
        int least = n;
        for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k) least = std::min(least, place_[rows.column[k]]);
        for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k)
        {
            int& first = first_[place_[rows.column[k]]];
            first = std::min(first, least);
        }
    }
    // Rows of L one behind the other; each is addressed as if it began with column 0.
    row_.resize(dof_at_.size());
    std::size_t size = dof_at_.size();  // so that no address is below zero
    for (int p = 0; p < n; ++p)
    {
        row_[p] = size - static_cast<std::size_t>(first_[p]);
        size += static_cast<std::size_t>(p - first_[p]) + 1;
    }
    values_.resize(size);
    ordered_.resize(dof_at_.size());
}

void IslandSystem::assemble_mass(std::span<const double> mass)
{
    // H = M + Jᵀ Z J: M first. Fill between the first entry of a row and its diagonal starts at zero.
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t p = 0; p < dof_at_.size(); ++p)
    {
        const int dof = dof_at_[p];
        for (int e = mass_begin_[dof]; e < mass_begin_[dof + 1]; ++e)
            values_[row_[p] + static_cast<std::size_t>(place_[mass_column_[e]])] = mass[e];
    }
}

void IslandSystem::add_outer(const ConstraintRows& rows, int row, const double* y, double weight)
{
    // H += weight y yᵀ over the dofs of one row: Z of a contact has several such terms.
    const int* column = rows.column.data() + rows.begin[row];
    const int n = rows.begin[row + 1] - rows.begin[row];
    for (int a = 0; a < n; ++a)
    {
        const int p = place_[column[a]];
        const double scaled = weight * y[a];
        double* out = values_.data() + row_[p];
        // The lower triangle alone, by places.
        for (int b = 0; b < n; ++b)
        {
            const int other = place_[column[b]];
            if (other <= p) out[other] += scaled * y[b];
        }
    }
}

int IslandSystem::factor()
{
    // Cholesky's factor by rows, within the profile: H = L Lᵀ. Islands do not meet, since their profiles do not.
    const auto n = static_cast<int>(dof_at_.size());
    for (int i = 0; i < n; ++i)
    {
        // L_ij = (H_ij - L_i . L_j) / L_jj, where both rows have entries.
        double* li = values_.data() + row_[i];
        for (int j = first_[i]; j < i; ++j)
        {
            const double* lj = values_.data() + row_[j];
            const int k = std::max(first_[i], first_[j]);
            if (k < j) li[j] -= sum_products(li + k, lj + k, static_cast<std::size_t>(j - k));
            li[j] /= lj[j];
        }
        // Without a positive pivot H is not definite: the dof names the culprit.
        const double pivot =
            li[i] - sum_products(li + first_[i], li + first_[i], static_cast<std::size_t>(i - first_[i]));
        if (!(pivot > 0)) return dof_at_[i];
        li[i] = std::sqrt(pivot);
    }
    return -1;
}

void IslandSystem::solve(std::span<double> x)
{
    const auto n = static_cast<int>(dof_at_.size());
    double* y = ordered_.data();
    // L y = x, then Lᵀ x = y.
    for (int i = 0; i < n; ++i)
    {
        const double* li = values_.data() + row_[i];
        y[i] = (x[dof_at_[i]] - sum_products(li + first_[i], y + first_[i], static_cast<std::size_t>(i - first_[i]))) /
               li[i];
    }
    // Dofs of no island get nothing.
    std::fill(x.begin(), x.end(), 0.0);
    for (int i = n - 1; i >= 0; --i)
    {
        const double* li = values_.data() + row_[i];
        y[i] /= li[i];
        for (int k = first_[i]; k < i; ++k) y[k] -= li[k] * y[i];
        x[dof_at_[i]] = y[i];
    }
}

}  // namespace rattleback::comfree
