// Minimum degree with explicit elimination graphs as bit sets: islands have hundreds of groups, not millions.
#include "solvers/convex/ordering.h"

#include <bit>
#include <limits>

namespace rattleback::convex
{

namespace
{

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

void MinimumDegree::start(std::span<const int> weights)
{
    weights_ = weights;
    words_ = (weights.size() + 63) / 64;
    neighbours_.assign(weights.size() * words_, 0);
}

void MinimumDegree::connect(int a, int b)
{
    if (a == b) return;
    neighbours_[at(a) * words_ + at(b) / 64] |= std::uint64_t{1} << (at(b) % 64);
    neighbours_[at(b) * words_ + at(a) / 64] |= std::uint64_t{1} << (at(a) % 64);
}

void MinimumDegree::connect_all(std::span<const int> groups)
{
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j) connect(groups[i], groups[j]);
    }
}

int MinimumDegree::find_degree(int group) const
{
    int degree = 0;
    const std::uint64_t* bits = neighbours_.data() + at(group) * words_;
    for (std::size_t w = 0; w < words_; ++w)
    {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
        {
            degree += weights_[64 * w + at(std::countr_zero(rest))];
        }
    }
    return degree;
}

void MinimumDegree::run()
{
    constexpr int kGone = std::numeric_limits<int>::max();
    const int count = static_cast<int>(weights_.size());
    sequence.clear();
    border.clear();
    border_begin.assign(1, 0);
    degree_.resize(weights_.size());
    for (int g = 0; g < count; ++g) degree_[at(g)] = find_degree(g);
    for (int step = 0; step < count; ++step)
    {
        int best = 0;
        for (int g = 1; g < count; ++g)
        {
            if (degree_[at(g)] <= degree_[at(best)]) best = g;
        }
        if (degree_[at(best)] == kGone) break;  // cannot be: one group remains per step
        sequence.push_back(best);
        const std::uint64_t* gone = neighbours_.data() + at(best) * words_;
        for (std::size_t w = 0; w < words_; ++w)
        {
            for (std::uint64_t rest = gone[w]; rest != 0; rest &= rest - 1)
            {
                border.push_back(static_cast<int>(64 * w + at(std::countr_zero(rest))));
            }
        }
        for (std::size_t k = at(border_begin.back()); k < border.size(); ++k)
        {
            const int g = border[k];
            std::uint64_t* bits = neighbours_.data() + at(g) * words_;
            for (std::size_t w = 0; w < words_; ++w) bits[w] |= gone[w];
            bits[at(g) / 64] &= ~(std::uint64_t{1} << (at(g) % 64));
            bits[at(best) / 64] &= ~(std::uint64_t{1} << (at(best) % 64));
            degree_[at(g)] = find_degree(g);
        }
        degree_[at(best)] = kGone;
        border_begin.push_back(static_cast<int>(border.size()));
    }
}

}  // namespace rattleback::convex
