// Vectors over the twelve freedoms of two bodies, and rank-one terms of Newton's system.
#pragma once

#include "base/index.h"
#include "solvers/ipc/block_cholesky.h"

#include <rattleback/math.h>

#include <span>

namespace rattleback::ipc
{

/// Rows of two groups; -1: it does not move.
struct RowPair
{
    int first = -1, second = -1;
};
using PairVector = std::array<Vector6, 2>;

/// How a distance along the unit vector n from a point of the second body to one of the first changes with the bodies'
/// translations and turns.
inline PairVector make_pair_vector(const Vec3& n, const Vec3& first_arm, const Vec3& second_arm)
{
    const Vec3 a = cross(first_arm, n), b = cross(second_arm, n);
    return {Vector6{n.x, n.y, n.z, a.x, a.y, a.z}, Vector6{-n.x, -n.y, -n.z, -b.x, -b.y, -b.z}};
}

inline void set_angular(PairVector& v, const Vec3& first, const Vec3& second)
{
    for (int i = 0; i < 3; ++i)
    {
        v[0][at(3 + i)] = first[i];
        v[1][at(3 + i)] = second[i];
    }
}

inline void add_scaled(const RowPair& rows, double scale, const PairVector& v, std::span<Vector6> sum)
{
    for (std::size_t i = 0; i < 6; ++i)
    {
        if (rows.first >= 0) sum[at(rows.first)][i] += scale * v[0][i];
        if (rows.second >= 0) sum[at(rows.second)][i] += scale * v[1][i];
    }
}

/// The product of a vector over two bodies with a direction of all.
inline double find_product(const RowPair& rows, const PairVector& v, std::span<const Vector6> direction)
{
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
    {
        if (rows.first >= 0) sum += v[0][i] * direction[at(rows.first)][i];
        if (rows.second >= 0) sum += v[1][i] * direction[at(rows.second)][i];
    }
    return sum;
}

/// Adds scale a bᵀ.
inline void add_outer(double scale, const Vector6& a, const Vector6& b, Block6& block)
{
    for (std::size_t i = 0; i < 6; ++i)
    {
        const double factor = scale * a[i];
        for (std::size_t j = 0; j < 6; ++j) block[6 * i + j] += factor * b[j];
    }
}

/// Adds scale v vᵀ to the blocks of the two bodies.
inline void add_rank_one(const RowPair& rows, double scale, const PairVector& v, BlockCholesky& hessian)
{
    if (rows.first >= 0) add_outer(scale, v[0], v[0], hessian.diagonal(rows.first));
    if (rows.second >= 0) add_outer(scale, v[1], v[1], hessian.diagonal(rows.second));
    if (rows.first < 0 || rows.second < 0) return;
    Block6 block{};
    add_outer(scale, v[0], v[1], block);
    hessian.add(rows.first, rows.second, block);
}

/// Sums rank-one terms of two bodies, which mostly come one after the other, before they go to the system.
class PairSum
{
public:
    explicit PairSum(BlockCholesky& hessian) : hessian_(hessian) {}
    PairSum(const PairSum&) = delete;
    PairSum& operator=(const PairSum&) = delete;
    ~PairSum() { flush(); }

    /// Adds scale v vᵀ.
    void add(const RowPair& rows, double scale, const PairVector& v)
    {
        if (rows.first != rows_.first || rows.second != rows_.second) flush();
        rows_ = rows;
        if (rows.first >= 0) add_outer(scale, v[0], v[0], first_);
        if (rows.second >= 0) add_outer(scale, v[1], v[1], second_);
        if (rows.first >= 0 && rows.second >= 0) add_outer(scale, v[0], v[1], mixed_);
    }

private:
    void flush()
    {
        const auto move_to = [](Block6& from, Block6& to)
        {
            for (std::size_t i = 0; i < 36; ++i) to[i] += from[i];
            from = {};
        };
        if (rows_.first >= 0) move_to(first_, hessian_.diagonal(rows_.first));
        if (rows_.second >= 0) move_to(second_, hessian_.diagonal(rows_.second));
        if (rows_.first < 0 || rows_.second < 0) return;
        hessian_.add(rows_.first, rows_.second, mixed_);
        mixed_ = {};
    }

    BlockCholesky& hessian_;
    RowPair rows_;
    Block6 first_{}, second_{}, mixed_{};
};

}  // namespace rattleback::ipc
