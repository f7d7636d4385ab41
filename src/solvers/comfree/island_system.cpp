// Islands, pattern and factor of H.
#include "solvers/comfree/island_system.h"

#include <algorithm>
#include <cmath>

namespace rattleback::comfree
{

// A sparse Cholesky factor whose unit is the kinematic tree: trees are eliminated in an order of minimum degree, and
// the columns of one tree are a dense panel over its own dofs and those of the trees that it meets when its turn comes
// (George and Liu 1981). In heaps a tree meets a few others, whatever the size of the heap.

namespace
{

/// Four sums side by side: quicker than one, and the same on every machine.
double sum_products(const double* a, const double* b, int n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int k = 0;
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
    // Dofs by tree, a counting sort: how many each tree has, where each begins, and then every dof to its place.
    const int trees = tree_of_dof.empty() ? 0 : 1 + *std::max_element(tree_of_dof.begin(), tree_of_dof.end());
    const auto count = at(trees);
    tree_begin_.assign(count + 1, 0);
    for (const int t : tree_of_dof) ++tree_begin_[t + 1];
    for (int t = 0; t < trees; ++t) tree_begin_[t + 1] += tree_begin_[t];
    tree_dofs_.resize(tree_of_dof.size());
    local_.resize(tree_of_dof.size());
    std::vector<int> fill(tree_begin_);
    for (std::size_t d = 0; d < tree_of_dof.size(); ++d)
    {
        const int t = tree_of_dof[d];
        local_[d] = fill[t] - tree_begin_[t];
        tree_dofs_[fill[t]++] = static_cast<int>(d);
    }
    for (auto* list : {&island_of_tree_, &group_, &panel_of_tree_}) list->resize(count);
    touched_.resize(count);
}

void IslandSystem::start(const ConstraintRows& rows)
{
    connect_trees(rows);
    number_islands();
    // The pattern is a function of who touches whom: mostly that is as in the last step of this solver.
    if (edges_ == last_edges_ && touched_ == last_touched_) return;
    last_edges_ = edges_;
    last_touched_ = touched_;
    lay_out_panels();
}

/// Trees are neighbours where a row moves both.
void IslandSystem::connect_trees(const ConstraintRows& rows)
{
    edges_.clear();
    std::fill(touched_.begin(), touched_.end(), char{0});
    for (int row = 0; row < rows.count(); ++row)
    {
        // A row moves one tree or two, and equalities and tendons may move more: every two of them.
        const int *begin = rows.column.data() + rows.begin[row], *end = rows.column.data() + rows.begin[row + 1];
        for (const int* a = begin; a != end; ++a)
        {
            const int tree = tree_of_dof_[*a];
            touched_[tree] = 1;
            if (a != begin && tree_of_dof_[a[-1]] == tree) continue;
            int last = -1;
            for (const int* b = begin; b != a; ++b)
            {
                const int other = tree_of_dof_[*b];
                if (other == tree || other == last) continue;
                last = other;
                // Rows of one pair of bodies follow each other: most repetitions are the last edge.
                const std::pair edge(other, tree);
                if (edges_.empty() || edges_.back() != edge) edges_.push_back(edge);
            }
        }
    }
}

void IslandSystem::number_islands()
{
    islands_.reset(touched_.size());
    for (const auto& [a, b] : edges_) islands_.join(a, b);
    island_count_ = 0;
    for (int t = 0; t < static_cast<int>(touched_.size()); ++t)
    {
        // Trees without rows move by v_s alone and are in no system; others have the number of their first tree.
        const int first = islands_.find(t);
        island_of_tree_[t] = touched_[t] == 0 ? -1 : first == t ? island_count_++ : island_of_tree_[first];
    }
}

/// Order of elimination, and what of L may be other than zero.
void IslandSystem::lay_out_panels()
{
    // Groups of the ordering are the trees that rows touch, as heavy as they have dofs.
    trees_.clear();
    weights_.clear();
    for (int t = 0; t < static_cast<int>(touched_.size()); ++t)
    {
        if (touched_[t] == 0) continue;
        group_[t] = static_cast<int>(trees_.size());
        trees_.push_back(t);
        weights_.push_back(tree_begin_[t + 1] - tree_begin_[t]);
    }
    // Least degree first: the tree whose elimination couples the fewest others.
    ordering_.start(weights_);
    for (const auto& [a, b] : edges_) ordering_.connect(group_[a], group_[b]);
    ordering_.run();
    // Panels stand in that sequence, so that L is built from left to right.
    const std::vector<int>& sequence = ordering_.sequence;
    for (std::size_t s = 0; s < sequence.size(); ++s) panel_of_tree_[trees_[sequence[s]]] = static_cast<int>(s);
    panels_.clear();
    borders_.clear();
    std::size_t size = 0;
    int tallest = 0;
    for (std::size_t s = 0; s < sequence.size(); ++s)
    {
        Panel panel{.tree = trees_[sequence[s]], .own = weights_[sequence[s]], .begin = size};
        panel.border_begin = borders_.size();
        for (int k = ordering_.border_begin[s]; k < ordering_.border_begin[s + 1]; ++k)
            borders_.push_back({panel_of_tree_[trees_[ordering_.border[k]]], 0});
        panel.border_end = borders_.size();
        // The border in the order of elimination: a later panel has what is left of it in the same order.
        std::sort(borders_.begin() + static_cast<std::ptrdiff_t>(panel.border_begin), borders_.end(),
                  [](const Border& a, const Border& b) { return a.panel < b.panel; });
        // Rows of a panel: the tree itself, then its border, tree by tree.
        panel.height = panel.own;
        for (std::size_t k = panel.border_begin; k < panel.border_end; ++k)
        {
            borders_[k].row = panel.height;
            panel.height += weights_[sequence[at(borders_[k].panel)]];
        }
        // Dense below the diagonal, by columns: inner loops run along memory.
        size += at(panel.own) * at(panel.height);
        tallest = std::max(tallest, panel.height);
        panels_.push_back(panel);
    }
    values_.resize(size);
    column_.resize(at(tallest));
}

/// Where the dofs of another panel's tree begin among the rows of this panel.
int IslandSystem::find_row(const Panel& panel, int other) const
{
    for (std::size_t k = panel.border_begin; k < panel.border_end; ++k)
        if (borders_[k].panel == other) return borders_[k].row;
    return 0;
}

void IslandSystem::assemble_mass(std::span<const double> mass)
{
    // H = M + Jᵀ Z J: M first, the lower triangle of each tree's own square. All else starts at zero.
    std::fill(values_.begin(), values_.end(), 0.0);
    for (const Panel& panel : panels_)
    {
        for (int k = tree_begin_[panel.tree]; k < tree_begin_[panel.tree + 1]; ++k)
        {
            const int dof = tree_dofs_[k];
            for (int e = mass_begin_[dof]; e < mass_begin_[dof + 1]; ++e)
                values_[panel.begin + at(local_[mass_column_[e]] * panel.height + local_[dof])] = mass[e];
        }
    }
}

void IslandSystem::add_outer(const ConstraintRows& rows, int row, const double* y, double weight)
{
    // H += weight y yᵀ over the dofs of one row, tree by tree: Z of a contact has several such terms.
    const int* column = rows.column.data() + rows.begin[row];
    // Columns of a row increase, and dofs of a tree may be apart: runs of neighbours in one tree.
    const int n = rows.begin[row + 1] - rows.begin[row];
    runs_.clear();
    for (int k = 0; k < n; ++k)
    {
        const int panel = panel_of_tree_[tree_of_dof_[column[k]]];
        if (runs_.empty() || runs_.back().panel != panel) runs_.push_back({panel, k, k});
        runs_.back().end = k + 1;
    }
    for (std::size_t a = 0; a < runs_.size(); ++a)
    {
        for (std::size_t b = 0; b <= a; ++b)
        {
            // The lower triangle alone: what is eliminated later stands below.
            const bool later = runs_[a].panel >= runs_[b].panel;
            add_run(rows, row, runs_[later ? a : b], runs_[later ? b : a], y, weight);
        }
    }
}

void IslandSystem::add_run(const ConstraintRows& rows, int row, const Run& tall, const Run& wide, const double* y,
                           double weight)
{
    const Panel& panel = panels_[at(wide.panel)];
    const int* column = rows.column.data() + rows.begin[row];
    double* out = values_.data() + panel.begin;
    if (tall.panel != wide.panel)
    {
        // Two trees: a rectangle of the border of the one that is eliminated first.
        out += find_row(panel, tall.panel);
        for (int k = wide.begin; k < wide.end; ++k)
        {
            double* to = out + local_[column[k]] * panel.height;
            const double scaled = weight * y[k];
            for (int i = tall.begin; i < tall.end; ++i) to[local_[column[i]]] += scaled * y[i];
        }
        return;
    }
    // Within a tree: every two entries once, the later dof's row.
    const bool same = tall.begin == wide.begin;
    for (int k = wide.begin; k < wide.end; ++k)
    {
        for (int i = same ? k : tall.begin; i < tall.end; ++i)
        {
            const auto [low, high] = std::minmax(local_[column[i]], local_[column[k]]);
            out[low * panel.height + high] += weight * y[k] * y[i];
        }
    }
}

int IslandSystem::factor()
{
    // Panel by panel: its own columns of L, then what they take from the columns of its border.
    for (const Panel& panel : panels_)
    {
        const int bad = factor_panel(panel);
        if (bad >= 0) return bad;
        update_borders(panel);
    }
    return -1;
}

/// Cholesky's factor of the panel's square, and the rows below it: column after column.
int IslandSystem::factor_panel(const Panel& panel)
{
    double* column = values_.data() + panel.begin;
    for (int k = 0; k < panel.own; ++k, column += panel.height)
    {
        // Without a positive pivot H is not definite: the dof names the culprit.
        const double pivot = column[k];
        if (!(pivot > 0)) return tree_dofs_[tree_begin_[panel.tree] + k];
        // L_kk = sqrt(H_kk), L_ik = H_ik / L_kk; then H_ij -= L_ik L_jk within the panel.
        const double root = std::sqrt(pivot), inverse = 1 / root;
        column[k] = root;
        for (int i = k + 1; i < panel.height; ++i) column[i] *= inverse;
        double* next = column + panel.height;
        for (int j = k + 1; j < panel.own; ++j, next += panel.height)
        {
            const double part = column[j];
            for (int i = j; i < panel.height; ++i) next[i] -= part * column[i];
        }
    }
    return -1;
}

/// H -= L Lᵀ over the border: trees that are eliminated later see this one no more.
void IslandSystem::update_borders(const Panel& panel)
{
    for (std::size_t from = panel.border_begin; from < panel.border_end; ++from)
    {
        // What follows in the border stands in the other panel too, in the same order: one walk finds its rows.
        const Panel& target = panels_[at(borders_[from].panel)];
        target_row_.assign(1, 0);
        std::size_t place = target.border_begin;
        for (std::size_t k = from + 1; k < panel.border_end; ++k)
        {
            while (borders_[place].panel != borders_[k].panel) ++place;
            target_row_.push_back(borders_[place].row);
        }
        subtract_product(panel, from);
    }
}

/// The columns that one tree of the border gets, from its own dofs downwards.
void IslandSystem::subtract_product(const Panel& panel, std::size_t from)
{
    const Panel& target = panels_[at(borders_[from].panel)];
    const double* l = values_.data() + panel.begin;
    double* sum = column_.data();
    for (int j = 0; j < target.own; ++j)
    {
        // Column j of the product: L of the rows below times L of row j.
        const int first = borders_[from].row + j;
        std::fill(sum + first, sum + panel.height, 0.0);
        for (int k = 0; k < panel.own; ++k)
        {
            const double* column = l + k * panel.height;
            const double part = column[first];
            for (int i = first; i < panel.height; ++i) sum[i] += part * column[i];
        }
        double* out = values_.data() + target.begin + j * target.height;
        for (std::size_t k = from; k < panel.border_end; ++k)
        {
            const int begin = borders_[k].row, to = target_row_[k - from];
            const int count = panels_[at(borders_[k].panel)].own;
            for (int i = k == from ? j : 0; i < count; ++i) out[to + i] -= sum[begin + i];
        }
    }
}

void IslandSystem::solve(std::span<double> x)
{
    // Dofs of no island get nothing.
    for (std::size_t d = 0; d < x.size(); ++d)
        if (touched_[tree_of_dof_[d]] == 0) x[d] = 0;
    const auto each_row = [&](const Panel& panel, const auto& visit)
    {
        // A panel's rows lie apart in x: gathered, worked on, and put back.
        const auto visit_tree = [&](int tree, int row)
        {
            for (int k = tree_begin_[tree]; k < tree_begin_[tree + 1]; ++k) visit(row++, x[tree_dofs_[k]]);
        };
        visit_tree(panel.tree, 0);
        for (std::size_t k = panel.border_begin; k < panel.border_end; ++k)
            visit_tree(panels_[at(borders_[k].panel)].tree, borders_[k].row);
    };
    double* y = column_.data();
    // L y = x, first panel first.
    for (const Panel& panel : panels_)
    {
        each_row(panel, [&](int row, const double& value) { y[row] = value; });
        const double* column = values_.data() + panel.begin;
        for (int k = 0; k < panel.own; ++k, column += panel.height)
        {
            // Forward: y_k = (x_k - what came before) / L_kk, passed on to all rows below.
            y[k] /= column[k];
            for (int i = k + 1; i < panel.height; ++i) y[i] -= column[i] * y[k];
        }
        each_row(panel, [&](int row, double& value) { value = y[row]; });
    }
    // Lᵀ x = y, last panel first.
    for (std::size_t s = panels_.size(); s-- > 0;)
    {
        const Panel& panel = panels_[s];
        each_row(panel, [&](int row, const double& value) { y[row] = value; });
        for (int k = panel.own - 1; k >= 0; --k)
        {
            // Backward: the rows below are known, border included.
            const double* column = values_.data() + panel.begin + k * panel.height;
            y[k] = (y[k] - sum_products(column + k + 1, y + k + 1, panel.height - k - 1)) / column[k];
        }
        for (int k = 0; k < panel.own; ++k) x[tree_dofs_[tree_begin_[panel.tree] + k]] = y[k];
    }
}

}  // namespace rattleback::comfree
