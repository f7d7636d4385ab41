// Analysis, factorisation and solution of sparse systems of 6 x 6 blocks.
#include "solvers/ipc/block_cholesky.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback::ipc
{

namespace
{

/// c -= a bᵀ, with b given transposed.
void subtract_product(const Block6& a, const Block6& b_transposed, Block6& c)
{
    for (std::size_t r = 0; r < 6; ++r)
    {
        double* row = &c[6 * r];
        for (std::size_t k = 0; k < 6; ++k)
        {
            const double factor = a[6 * r + k];
            for (std::size_t j = 0; j < 6; ++j) row[j] -= factor * b_transposed[6 * k + j];
        }
    }
}

Block6 transpose(const Block6& a)
{
    Block6 t;
    for (std::size_t r = 0; r < 6; ++r)
    {
        for (std::size_t c = 0; c < 6; ++c) t[6 * c + r] = a[6 * r + c];
    }
    return t;
}

/// Lower Cholesky factor in place, with the inverses of its diagonal kept on the diagonal.
bool factor_block(Block6& a)
{
    for (std::size_t j = 0; j < 6; ++j)
    {
        // The pivot: what the columns before leave of the diagonal.
        double pivot = a[6 * j + j];
        for (std::size_t k = 0; k < j; ++k) pivot -= a[6 * j + k] * a[6 * j + k];
        if (!(pivot > 0) || !std::isfinite(pivot)) return false;
        // Solutions divide by the diagonal six times each: its inverse is kept.
        const double inverse = 1 / std::sqrt(pivot);
        a[6 * j + j] = inverse;
        for (std::size_t i = j + 1; i < 6; ++i)
        {
            double sum = a[6 * i + j];
            for (std::size_t k = 0; k < j; ++k) sum -= a[6 * i + k] * a[6 * j + k];
            a[6 * i + j] = sum * inverse;
        }
    }
    return true;
}

/// x <- L^-1 x for one vector of six with stride 1; L as factor_block() leaves it.
void solve_forward(const Block6& lower, double* x)
{
    for (std::size_t i = 0; i < 6; ++i)
    {
        double sum = x[i];
        for (std::size_t k = 0; k < i; ++k) sum -= lower[6 * i + k] * x[k];
        x[i] = sum * lower[6 * i + i];
    }
}
void solve_backward(const Block6& lower, double* x)
{
    for (std::size_t i = 6; i-- > 0;)
    {
        double sum = x[i];
        for (std::size_t k = i + 1; k < 6; ++k) sum -= lower[6 * k + i] * x[k];
        x[i] = sum * lower[6 * i + i];
    }
}

void insert_sorted(std::vector<int>& list, int value)
{
    const auto place = std::lower_bound(list.begin(), list.end(), value);
    if (place == list.end() || *place != value) list.insert(place, value);
}

}  // namespace

void BlockCholesky::reserve(int row_count)
{
    constexpr int kFew = 64;
    if (row_count > kFew) return;
    const std::size_t n = at(row_count), blocks = n * n / 2;
    graph_.resize(n);
    for (auto& list : graph_) list.reserve(n);
    merged_.reserve(2 * n);
    for (std::vector<int>* list : {&position_, &row_of_}) list->reserve(n);
    begin_.reserve(n + 1);
    rows_.reserve(blocks);
    blocks_.reserve(blocks);
    analysed_.reserve(4 * blocks);
}

void BlockCholesky::order(int row_count)
{
    // Eliminates rows of least degree first, of equal ones the lowest; neighbours of an eliminated row are joined.
    const auto n = at(row_count);
    position_.assign(n, -1);
    row_of_.clear();
    begin_.assign(1, 0);
    rows_.clear();
    for (int step = 0; step < row_count; ++step)
    {
        int best = -1;
        for (int r = 0; r < row_count; ++r)
        {
            if (position_[at(r)] < 0 && (best < 0 || graph_[at(r)].size() < graph_[at(best)].size())) best = r;
        }
        // Eliminated next; those it is coupled to become coupled to each other (fill).
        position_[at(best)] = step;
        row_of_.push_back(best);
        const std::vector<int>& neighbours = graph_[at(best)];
        for (const int r : neighbours)
        {
            std::vector<int>& list = graph_[at(r)];
            merged_.clear();
            std::set_union(list.begin(), list.end(), neighbours.begin(), neighbours.end(), std::back_inserter(merged_));
            std::erase_if(merged_, [&](int other) { return other == r || other == best; });
            list.swap(merged_);
        }
        // Names of rows for now; positions when all are known.
        rows_.insert(rows_.end(), neighbours.begin(), neighbours.end());
        begin_.push_back(static_cast<int>(rows_.size()));
    }
    for (std::size_t k = 0; k < n; ++k)
    {
        const auto first = rows_.begin() + begin_[k], last = rows_.begin() + begin_[k + 1];
        std::transform(first, last, first, [&](int r) { return position_[at(r)]; });
        std::sort(first, last);
    }
}

void BlockCholesky::analyse(int row_count, std::span<const std::pair<int, int>> pairs)
{
    const bool is_known =
        position_.size() == at(row_count) && std::equal(pairs.begin(), pairs.end(), analysed_.begin(), analysed_.end());
    is_analysed_ = true;
    if (is_known)
    {
        set_zero();
        return;
    }
    analysed_.assign(pairs.begin(), pairs.end());
    // The graph of rows that share a block, each list sorted.
    graph_.resize(std::max(graph_.size(), at(row_count)));
    for (auto& list : graph_) list.clear();
    for (const auto& [a, b] : pairs)
    {
        insert_sorted(graph_[at(a)], b);
        insert_sorted(graph_[at(b)], a);
    }
    // Before elimination: what a product with the matrix costs.
    std::size_t blocks = 0;
    for (int r = 0; r < row_count; ++r) blocks += graph_[at(r)].size();
    order(row_count);
    is_direct_ = find_direct_cost(blocks / 2) <= direct_limit_;
    if (!is_direct_) keep_pattern(row_count, pairs);
    diagonal_.resize(at(row_count));
    blocks_.resize(rows_.size());
    work_.resize(at(row_count));
    set_zero();
}

double BlockCholesky::find_direct_cost(std::size_t blocks) const
{
    // A column with n blocks below the diagonal updates n (n + 1) / 2 blocks, 432 operations each; a product takes 144
    // for each block off the diagonal and 72 on it.
    double work = 0;
    for (std::size_t k = 0; k + 1 < begin_.size(); ++k)
    {
        const double n = begin_[k + 1] - begin_[k];
        work += 0.5 * n * (n + 1) * 432;
    }
    return work / (144.0 * static_cast<double>(blocks) + 72.0 * static_cast<double>(begin_.size()));
}

void BlockCholesky::keep_pattern(int row_count, std::span<const std::pair<int, int>> pairs)
{
    for (auto& list : graph_) list.clear();
    for (const auto& [a, b] : pairs) insert_sorted(graph_[at(std::min(a, b))], std::max(a, b));
    rows_.clear();
    begin_.assign(1, 0);
    for (int r = 0; r < row_count; ++r)
    {
        // No elimination, no order: rows as they are, each block once.
        position_[at(r)] = row_of_[at(r)] = r;
        rows_.insert(rows_.end(), graph_[at(r)].begin(), graph_[at(r)].end());
        begin_.push_back(static_cast<int>(rows_.size()));
    }
}

bool BlockCholesky::holds(int row_count, std::span<const std::pair<int, int>> pairs) const
{
    return is_analysed_ && position_.size() == at(row_count) &&
           std::all_of(pairs.begin(), pairs.end(),
                       [&](const auto& pair) { return find(pair.first, pair.second) >= 0; });
}

int BlockCholesky::find(int row, int column) const
{
    const auto [low, high] = std::minmax({position_[at(row)], position_[at(column)]});
    const auto first = rows_.begin() + begin_[at(low)], last = rows_.begin() + begin_[at(low) + 1];
    const auto place = std::lower_bound(first, last, high);
    return place != last && *place == high ? static_cast<int>(place - rows_.begin()) : -1;
}

void BlockCholesky::set_zero()
{
    std::fill(diagonal_.begin(), diagonal_.end(), Block6{});
    std::fill(blocks_.begin(), blocks_.end(), Block6{});
}

void BlockCholesky::add(int row, int column, const Block6& block)
{
    // The kept block lies below the diagonal: its row is the one that is eliminated later.
    const bool as_given = position_[at(row)] > position_[at(column)];
    const Block6 turned = as_given ? block : transpose(block);
    Block6& kept = blocks_[at(find(row, column))];
    for (std::size_t i = 0; i < 36; ++i) kept[i] += turned[i];
}

void BlockCholesky::add_identity(double scale)
{
    for (Block6& block : diagonal_)
    {
        for (std::size_t i = 0; i < 6; ++i) block[7 * i] += scale;
    }
}

void BlockCholesky::grow_diagonal(double part)
{
    for (Block6& block : diagonal_)
    {
        for (std::size_t i = 0; i < 6; ++i) block[7 * i] *= 1 + part;
    }
}

bool BlockCholesky::factor()
{
    if (!is_direct_)
    {
        // The preconditioner: blocks of the diagonal, each factored by itself.
        factors_ = diagonal_;
        return std::all_of(factors_.begin(), factors_.end(), [](Block6& block) { return factor_block(block); });
    }
    for (std::size_t k = 0; k < diagonal_.size(); ++k)
    {
        const Block6& pivot = diagonal_[k];
        if (!factor_block(diagonal_[k])) return false;
        const int first = begin_[k], last = begin_[k + 1];
        // L_ik = A_ik L_kk^-T: a forward solution for each row of the block.
        for (int i = first; i < last; ++i)
        {
            for (std::size_t r = 0; r < 6; ++r) solve_forward(pivot, &blocks_[at(i)][6 * r]);
        }
        // A_ij -= L_ik L_jkᵀ for all i >= j below: rows of column j hold those of column k.
        for (int j = first; j < last; ++j)
        {
            const int column = rows_[at(j)];
            const Block6 turned = transpose(blocks_[at(j)]);
            subtract_product(blocks_[at(j)], turned, diagonal_[at(column)]);
            int target = begin_[at(column)];
            for (int i = j + 1; i < last; ++i)
            {
                while (rows_[at(target)] != rows_[at(i)]) ++target;
                subtract_product(blocks_[at(i)], turned, blocks_[at(target)]);
            }
        }
    }
    return true;
}

void BlockCholesky::solve(std::span<Vector6> b) const
{
    if (is_direct_)
        solve_directly(b);
    else
        solve_iteratively(b);
}

void BlockCholesky::multiply(std::span<const Vector6> x, std::span<Vector6> product) const
{
    for (std::size_t k = 0; k < diagonal_.size(); ++k)
    {
        for (std::size_t r = 0; r < 6; ++r)
        {
            // Of the diagonal.
            product[k][r] = 0;
            for (std::size_t c = 0; c < 6; ++c) product[k][r] += diagonal_[k][6 * r + c] * x[k][c];
        }
    }
    for (std::size_t k = 0; k < diagonal_.size(); ++k)
    {
        // Copies: nothing else may point at them, so that they stay in registers.
        const Vector6 mine = x[k];
        Vector6 sum = product[k];
        for (int i = begin_[k]; i < begin_[k + 1]; ++i)
        {
            // The block is at row `low` and column k, and its transpose at row k.
            const auto low = at(rows_[at(i)]);
            const Block6& block = blocks_[at(i)];
            const Vector6 other = x[low];
            Vector6 sum_low = product[low];
            for (std::size_t r = 0; r < 6; ++r)
            {
                for (std::size_t c = 0; c < 6; ++c) sum_low[r] += block[6 * r + c] * mine[c];
                for (std::size_t c = 0; c < 6; ++c) sum[c] += block[6 * r + c] * other[r];
            }
            product[low] = sum_low;
        }
        product[k] = sum;
    }
}

void BlockCholesky::solve_iteratively(std::span<Vector6> b) const
{
    // Conjugate gradients (Hestenes and Stiefel 1952) from zero: every iterate lowers the quadratic model, so that each
    // is a descent direction.
    constexpr double kReduction = 1e-12;  // of r . M^-1 r
    constexpr int kMaxIterations = 2000;
    const std::size_t n = diagonal_.size();
    const auto find_dot = [&](std::span<const Vector6> x, std::span<const Vector6> y)
    {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < 6; ++i) sum += x[k][i] * y[k][i];
        return sum;
    };
    const auto add_scaled_to = [&](double scale, std::span<const Vector6> x, std::span<Vector6> y)
    {
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < 6; ++i) y[k][i] += scale * x[k][i];
    };
    const auto precondition = [&]
    {
        // z = M^-1 r, block by block.
        work_ = rest_;
        for (std::size_t k = 0; k < n; ++k)
        {
            solve_forward(factors_[k], work_[k].data());
            solve_backward(factors_[k], work_[k].data());
        }
    };
    rest_.assign(b.begin(), b.end());
    std::fill(b.begin(), b.end(), Vector6{});
    precondition();
    // r = b, p = z, and r.z measures what is left.
    step_ = work_;
    image_.resize(n);
    double size = find_dot(rest_, work_);
    const double enough = kReduction * size;
    for (int i = 0; i < kMaxIterations && size > enough; ++i)
    {
        // x += alpha p, r -= alpha A p with alpha = r.z / p.A p.
        multiply(step_, image_);
        const double bend = find_dot(step_, image_);
        if (!(bend > 0)) return;
        add_scaled_to(size / bend, step_, b);
        add_scaled_to(-size / bend, image_, rest_);
        precondition();
        // p = z + (r.z now over before) p: conjugate to all directions so far.
        const double next = find_dot(rest_, work_);
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t c = 0; c < 6; ++c) step_[k][c] = work_[k][c] + next / size * step_[k][c];
        size = next;
    }
}

void BlockCholesky::solve_directly(std::span<Vector6> b) const
{
    const std::size_t n = diagonal_.size();
    // In the order of elimination.
    for (std::size_t k = 0; k < n; ++k) work_[k] = b[at(row_of_[k])];
    for (std::size_t k = 0; k < n; ++k)
    {
        // L y = b, column by column.
        solve_forward(diagonal_[k], work_[k].data());
        for (int i = begin_[k]; i < begin_[k + 1]; ++i)
        {
            Vector6& x = work_[at(rows_[at(i)])];
            for (std::size_t r = 0; r < 6; ++r)
            {
                for (std::size_t c = 0; c < 6; ++c) x[r] -= blocks_[at(i)][6 * r + c] * work_[k][c];
            }
        }
    }
    // Lᵀ x = y, from the last row up.
    for (std::size_t k = n; k-- > 0;)
    {
        for (int i = begin_[k]; i < begin_[k + 1]; ++i)
        {
            const Vector6& x = work_[at(rows_[at(i)])];
            for (std::size_t r = 0; r < 6; ++r)
            {
                for (std::size_t c = 0; c < 6; ++c) work_[k][c] -= blocks_[at(i)][6 * r + c] * x[r];
            }
        }
        solve_backward(diagonal_[k], work_[k].data());
    }
    for (std::size_t k = 0; k < n; ++k) b[at(row_of_[k])] = work_[k];
}

}  // namespace rattleback::ipc
