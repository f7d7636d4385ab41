// Dense systems of any size: elimination with row exchanges.
#pragma once

#include "base/index.h"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace rattleback
{

/// A = P L U of a square matrix, row-major; for derivatives, not for steps.
class DenseLu
{
public:
    /// False where a pivot is zero or not a number.
    bool factor(std::vector<double> matrix, int size)
    {
        size_ = at(size);
        values_ = std::move(matrix);
        order_.resize(size_);
        for (std::size_t k = 0; k < size_; ++k)
        {
            std::size_t best = k;
            for (std::size_t r = k + 1; r < size_; ++r)
                if (std::abs(entry(r, k)) > std::abs(entry(best, k))) best = r;
            order_[k] = best;
            for (std::size_t c = 0; c < size_ && best != k; ++c) std::swap(entry(k, c), entry(best, c));
            if (!(std::abs(entry(k, k)) > 0)) return false;
            for (std::size_t r = k + 1; r < size_; ++r)
            {
                const double part = entry(r, k) /= entry(k, k);
                for (std::size_t c = k + 1; c < size_ && part != 0; ++c) entry(r, c) -= part * entry(k, c);
            }
        }
        return true;
    }
    /// x <- A^-1 x.
    void solve(std::span<double> x) const
    {
        for (std::size_t k = 0; k < size_; ++k) std::swap(x[k], x[order_[k]]);
        for (std::size_t r = 0; r < size_; ++r)
            for (std::size_t c = 0; c < r; ++c) x[r] -= entry(r, c) * x[c];
        for (std::size_t r = size_; r-- > 0;)
        {
            for (std::size_t c = r + 1; c < size_; ++c) x[r] -= entry(r, c) * x[c];
            x[r] /= entry(r, r);
        }
    }

private:
    double& entry(std::size_t r, std::size_t c) { return values_[r * size_ + c]; }
    double entry(std::size_t r, std::size_t c) const { return values_[r * size_ + c]; }

    std::size_t size_ = 0;
    std::vector<double> values_;
    std::vector<std::size_t> order_;
};

}  // namespace rattleback
