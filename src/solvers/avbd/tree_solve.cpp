// Elimination from the leaves to the root with 6x6 blocks, and Woodbury's identity for loops.
#include "solvers/avbd/tree_solve.h"

#include "base/index.h"
#include "math/rotation.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr double kMaxTurn = 1;  // [rad] in one Newton step of a tree; at 0.25 ten sweeps are too few for a hard landing

/// Factors the diagonal blocks from the leaves on; to_parent becomes own^-1 to_parent.
void factor_tree(const Layout& layout, const Block& block, BlockWork& work)
{
    for (int i = block.end - 1; i >= block.begin; --i)
    {
        // no fill outside of the tree: the factor costs some 6^3 operations per group
        // The order lists parents first: backwards it runs from the leaves.
        const int group = layout.order[at(i)];
        Matrix6& own = work.diagonal[at(group)];
        Matrix6& up = work.to_parent[at(group)];
        if (!factor(own))  // a pivot lost to rounding: the group rests in this sweep
        {
            own = {};
            up = {};
            continue;
        }
        // a root has nothing above it
        const int parent = layout.groups[at(group)].up;
        if (parent < 0) continue;
        // Schur complement of the parent: what is left of its block when the child answers to it
        // parent's block -= Uᵀ own^-1 U
        Matrix6 solved = up;
        solve_factored(own, solved);
        Matrix6& above = work.diagonal[at(parent)];
        for (std::size_t r = 0; r < 6; ++r)
        {
            for (std::size_t k = 0; k < 6; ++k) add_row(-up(k, r), solved, k, above, r);
        }
        up = solved;
    }
}

/// Right-hand side into solution; `value(group)` is the group's six numbers.
template <class Value>
void substitute(const Layout& layout, const Block& block, const BlockWork& work, Value value)
{
    // leaves to root: parent's right side -= Uᵀ own^-1 b
    for (int i = block.end - 1; i >= block.begin; --i)
    {
        const int group = layout.order[at(i)];
        // the same order as in factoring; U of a child is own^-1 U since then
        const int parent = layout.groups[at(group)].up;
        if (parent < 0) continue;
        const Matrix6& up = work.to_parent[at(group)];
        const Vector6& own = value(group);
        Vector6& above = value(parent);
        for (std::size_t r = 0; r < 6; ++r)
        {
            for (std::size_t k = 0; k < 6; ++k) above[r] -= up(k, r) * own[k];
        }
    }
    // root to leaves: x = own^-1 b - own^-1 U x_parent
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)];
        const int parent = layout.groups[at(group)].up;
        Vector6& own = value(group);
        // the parent is known here, which the order guarantees
        own = solve_factored(work.diagonal[at(group)], own);
        if (parent < 0) continue;
        const Vector6 from_parent = work.to_parent[at(group)] * value(parent);
        for (std::size_t k = 0; k < 6; ++k) own[k] -= from_parent[k];
    }
}

/// x <- x - Z (K^-1 + J Z)^-1 J x with Z the tree's answer to the loops' rows J (Woodbury).
void close_loops(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work)
{
    const std::size_t count = scratch.rows.size(), groups = layout.groups.size();
    // (H + Jᵀ K J)^-1 with H the tree alone: rows that close loops would fill its factor in, and they are few.
    scratch.columns.resize(count * groups);
    // room for count x count and one right-hand side behind it
    scratch.inner.resize(count * (count + 1));
    const auto along = [&](const LoopRow& row, const auto& value)
    {
        double sum = 0;
        for (std::size_t k = row.begin; k < row.end; ++k)
            sum += dot6(scratch.entries[k].direction, value(scratch.entries[k].group));
        return sum;
    };
    // Z, a column for each row of J, and K^-1 + J Z
    for (std::size_t r = 0; r < count; ++r)
    {
        const auto column = [&](int group) -> Vector6& { return scratch.columns[r * groups + at(group)]; };
        // Z_r = H^-1 J_rᵀ: one substitution with the factor that is there
        for (int i = block.begin; i < block.end; ++i) column(layout.order[at(i)]) = {};
        const LoopRow& row = scratch.rows[r];
        for (std::size_t k = row.begin; k < row.end; ++k)
            column(scratch.entries[k].group) = scratch.entries[k].direction;
        substitute(layout, block, work, column);
        for (std::size_t c = 0; c < count; ++c) scratch.inner[r * count + c] = along(scratch.rows[c], column);
        scratch.inner[r * count + r] += 1 / row.stiffness;
    }
    // y = (K^-1 + J Z)^-1 J x, by elimination without pivots: the matrix is positive
    double* a = scratch.inner.data();
    double* y = a + count * count;
    for (std::size_t r = 0; r < count; ++r)
        y[r] = along(scratch.rows[r], [&](int group) -> const Vector6& { return work.right[at(group)]; });
    // the matrix is small and dense: rows of Woodbury's identity see each other through the tree
    for (std::size_t j = 0; j < count; ++j)
    {
        for (std::size_t k = 0; k < j; ++k)
        {
            const double factor = a[j * count + k] / a[k * count + k];
            for (std::size_t c = k + 1; c < count; ++c) a[j * count + c] -= factor * a[k * count + c];
            y[j] -= factor * y[k];
        }
    }
    for (std::size_t j = count; j-- > 0;)
    {
        for (std::size_t c = j + 1; c < count; ++c) y[j] -= a[j * count + c] * y[c];
        y[j] /= a[j * count + j];
    }
    // x -= Z y
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)];
        for (std::size_t r = 0; r < count; ++r)
        {
            for (std::size_t k = 0; k < 6; ++k)
                work.right[at(group)][k] -= y[r] * scratch.columns[r * groups + at(group)][k];
        }
    }
}

/// Applies a fraction of a Newton step.
void move(const Vector6& step, double scale, Body& body)
{
    // x <- x + s d_linear, R <- exp(s d_angular) R
    body.delta.linear += scale * linear_of(step);
    body.rotation_now = normalized(exponential(scale * angular_of(step)) * body.rotation_now);
    body.delta.angular = logarithm(body.rotation_now * conjugate(body.rotation));
}

}  // namespace

void solve_tree(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work)
{
    // the tree alone, then the rows that close its loops
    factor_tree(layout, block, work);
    substitute(layout, block, work, [&](int group) -> Vector6& { return work.right[at(group)]; });
    if (!scratch.rows.empty()) close_loops(layout, block, scratch, work);
}

void move_tree(const Layout& layout, const Block& block, double fraction, BlockWork& work)
{
    // the direction is kept, its length cut where a group would turn too far
    double largest = 0;
    for (int i = block.begin; i < block.end; ++i)
        largest = std::max(largest, norm(angular_of(work.right[at(layout.order[at(i)])])));
    // one factor for all groups, or links would open
    const double scale = fraction * (largest > kMaxTurn ? kMaxTurn / largest : 1);
    for (int i = block.begin; i < block.end; ++i)
        move(work.right[at(layout.order[at(i)])], scale, work.bodies[at(layout.order[at(i)])]);
}

}  // namespace rattleback::avbd
