// Y, A, and the small problem of one contact's friction.
#include "solvers/convex/dual.h"

#include <algorithm>
#include <array>

namespace rattleback::convex
{

// A row j of J touches few trees; y = M^-1 jᵀ is not zero on these trees alone. Rows of Y = J M^-1 are kept in the same
// block form as J, so that a change df of the forces of a contact moves the acceleration by Yᵀ df in a few packs.

namespace
{

constexpr int kMaxBall = kMaxConeRows - 1;

/// x = -(A + shift)^-1 b by Cholesky; also |x|^2 and d|x|^2 / dshift. False when not positive definite.
bool solve_shifted(int n, const double* a, const double* b, double shift, double* x, double& square, double& rate)
{
    // A + shift I = L Lᵀ, of at most five friction directions: no library would be as quick.
    std::array<double, kMaxBall * kMaxBall> l{};
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j <= i; ++j)
        {
            double sum = a[i * n + j] + (i == j ? shift : 0);
            for (int k = 0; k < j; ++k) sum -= l[i * kMaxBall + k] * l[j * kMaxBall + k];
            if (i == j && !(sum > 0)) return false;
            l[i * kMaxBall + j] = i == j ? std::sqrt(sum) : sum / l[j * kMaxBall + j];
        }
    }
    const auto forward = [&](double* v)
    {
        for (int i = 0; i < n; ++i)
        {
            for (int k = 0; k < i; ++k) v[i] -= l[i * kMaxBall + k] * v[k];
            v[i] /= l[i * kMaxBall + i];
        }
    };
    // x = - (L Lᵀ)^-1 b.
    for (int i = 0; i < n; ++i) x[i] = -b[i];
    forward(x);
    for (int i = n - 1; i >= 0; --i)
    {
        for (int k = i + 1; k < n; ++k) x[i] -= l[k * kMaxBall + i] * x[k];
        x[i] /= l[i * kMaxBall + i];
    }
    // d|x|^2 / dshift = - 2 xᵀ (A + shift)^-1 x = - 2 |L^-1 x|^2.
    std::array<double, kMaxBall> w{};
    square = rate = 0;
    for (int i = 0; i < n; ++i)
    {
        w[i] = x[i];
        square += x[i] * x[i];
    }
    forward(w.data());
    for (int i = 0; i < n; ++i) rate -= 2 * w[i] * w[i];
    return true;
}

}  // namespace

void solve_in_ball(int n, const double* a, const double* b, const double* bound, double r, double* y)
{
    constexpr int kIterations = 30;
    std::array<double, kMaxBall * kMaxBall> scaled{};
    std::array<double, kMaxBall> force{};
    // Scaled by the bounds the ellipsoid is a ball.
    for (int i = 0; i < n; ++i)
    {
        force[i] = b[i] * bound[i];
        for (int j = 0; j < n; ++j) scaled[i * n + j] = a[i * n + j] * bound[i] * bound[j];
    }
    // The minimum inside the ball, or on its surface with a multiplier `shift` > 0: (A + shift) x = - b, |x| = r.
    double shift = 0, square = 0, rate = 0;
    for (int k = 0; k < kIterations; ++k)
    {
        // A singular block: a contact that no force moves sideways gets none.
        if (!solve_shifted(n, scaled.data(), force.data(), shift, y, square, rate))
        {
            std::fill(y, y + n, 0.0);
            return;
        }
        // Inside the ball no multiplier is needed.
        if (shift == 0 && square <= r * r) break;
        // Newton on 1/|x| - 1/r, which is nearly linear in the shift (Conn, Gould and Toint 2000, ch. 7.3)
        // The secular equation |x(shift)| = r of a trust region; rate is d|x|^2 / dshift and negative.
        const double length = std::sqrt(square), step = 2 * square * (length - r) / (r * -rate);
        if (!(std::abs(step) > 1e-15 * (shift + step))) break;
        shift = std::max(0.0, shift + step);
    }
    if (square > r * r)  // what rounding left outside
    {
        const double back = r / std::sqrt(square);
        for (int i = 0; i < n; ++i) y[i] *= back;
    }
    // Back from the ball to the ellipsoid.
    for (int i = 0; i < n; ++i) y[i] *= bound[i];
}

int Dual::start(const Problem& problem)
{
    // The factor LᵀDL of M, without fill-in.
    const int bad = metric_.factorize(problem);
    if (bad >= 0) return bad;
    // Dofs of each tree: M^-1 of a row reaches all of a tree that it touches, and nothing else.
    const int trees = problem.tree.empty() ? 0 : 1 + *std::max_element(problem.tree.begin(), problem.tree.end());
    // Counting sort of dofs by tree.
    tree_begin_.assign(static_cast<std::size_t>(trees) + 1, 0);
    for (const int t : problem.tree) ++tree_begin_[t + 1];
    for (int t = 0; t < trees; ++t) tree_begin_[t + 1] += tree_begin_[t];
    tree_dofs_.resize(problem.tree.size());
    columns_.assign(tree_begin_.begin(), tree_begin_.end());
    for (int d = 0; d < problem.dof_count; ++d) tree_dofs_[columns_[problem.tree[d]]++] = d;

    response_.clear();
    blocks_.clear();
    block_begin_.clear();
    // A column of M^-1 Jᵀ at a time, spread out over all dofs; only the trees of the block are ever touched.
    column_.assign(static_cast<std::size_t>(problem.dof_count + kPadding), 0.0);
    std::vector<double>& products = rows_;
    for (const Block& block : problem.rows.blocks)
    {
        // The trees that the block touches: only there its rows of Y are not zero.
        columns_.clear();
        for (int r = block.run_begin; r < block.run_end; ++r)
        {
            const Run& run = problem.rows.runs[r];
            for (int d = run.dof; d < run.dof + run.length; ++d)
            {
                const int t = problem.tree[d];
                const bool first =
                    std::none_of(columns_.begin(), columns_.end(), [&](int other) { return problem.tree[other] == t; });
                if (!first) continue;
                columns_.insert(columns_.end(), tree_dofs_.begin() + tree_begin_[t],
                                tree_dofs_.begin() + tree_begin_[t + 1]);
            }
        }
        std::sort(columns_.begin(), columns_.end());
        block_begin_.push_back(static_cast<int>(blocks_.size()));
        // Row by row: y = M^-1 jᵀ by substitution over these trees, and A = J y.
        const int n = block.row_count;
        const auto width = columns_.size();
        products.resize(static_cast<std::size_t>(n) * width);
        blocks_.resize(blocks_.size() + static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
        double* a = blocks_.data() + block_begin_.back();
        for (int r = 0; r < n; ++r)
        {
            // j_r = Jᵀ e_r: the row as a right-hand side.
            std::array<double, 16> unit{};
            unit[static_cast<std::size_t>(r)] = 1;
            for (const int d : columns_) column_[d] = 0;
            add_transposed(problem.rows, block, unit.data(), column_.data());
            metric_.solve(problem, columns_, column_.data());
            multiply_block(problem.rows, block, column_.data(), a + static_cast<std::ptrdiff_t>(r) * n);
            for (std::size_t c = 0; c < width; ++c)
                products[static_cast<std::size_t>(r) * width + c] = column_[columns_[c]];
        }
        for (const int d : columns_) column_[d] = 0;
        response_.add_block(columns_, products.data(), n, {});
    }
    return -1;
}

void Dual::find_acceleration(const Problem& problem, const double* force, double* a)
{
    // a = a_s + M^-1 Jᵀ f.
    std::fill(a, a + problem.dof_count + kPadding, 0.0);
    add_transposed(problem, force, a);
    metric_.solve(problem, a);
    for (int i = 0; i < problem.dof_count; ++i) a[i] += problem.smooth[i];
}

void Dual::apply(int index, const double* change, double* a) const
{
    // Yᵀ df.
    add_transposed(response_, response_.blocks[index], change, a);
}

}  // namespace rattleback::convex
