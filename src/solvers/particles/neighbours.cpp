// The uniform grid: counting sort into buckets, then a look at 27 cells per particle.
#include "solvers/particles/neighbours.h"

#include <rattleback/query.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rattleback::particles
{

// Cells are hashed, so that the world need not be bounded; buckets hold particles by counting sort. Only particles
// inside the ball of another group are entered at all.

std::size_t Neighbours::hash(const Cell& cell)
{
    // Multiply and shift, number by number: neighbouring cells end in unrelated buckets.
    // Constants of splitmix64's finaliser; the xor with the shifted word mixes high bits into low ones.
    std::uint64_t h = 0x9E3779B97F4A7C15U;
    for (const std::int64_t k : cell)
    {
        h = (h ^ static_cast<std::uint64_t>(k)) * 0xBF58476D1CE4E5B9U;
        h ^= h >> 31;
    }
    return static_cast<std::size_t>(h);
}

Neighbours::Cell Neighbours::cell_of(const Vec3& p) const
{
    Cell cell{};
    for (int k = 0; k < 3; ++k)
    {
        const double place = std::floor(p[k] / cell_);
        // A runaway particle and what is not finite end in cell zero: such a step is refused anyway.
        cell[at(k)] = std::abs(place) < 1e15 ? static_cast<std::int64_t>(place) : 0;
    }
    return cell;
}

/// Groups whose balls overlap, by sweeping along x.
void Neighbours::pair_groups()
{
    const std::size_t count = bounds_.size();
    if (order_.size() != count)
    {
        order_.resize(count);
        std::iota(order_.begin(), order_.end(), 0);
    }
    // By the lower ends of the balls, so that the sweep can stop at the first one that begins beyond.
    const auto lower = [&](int g) { return bounds_[at(g)].center.x - bounds_[at(g)].radius; };
    const auto before = [&](int a, int b) { return lower(a) != lower(b) ? lower(a) < lower(b) : a < b; };
    std::sort(order_.begin(), order_.end(), before);
    near_pairs_.clear();
    for (std::size_t i = 0; i < count; ++i)
    {
        const BoundingBall& a = bounds_[at(order_[i])];
        for (std::size_t j = i + 1; j < count && lower(order_[j]) <= a.center.x + a.radius; ++j)
        {
            const BoundingBall& b = bounds_[at(order_[j])];
            const Vec3 away = a.center - b.center;
            if (dot(away, away) > (a.radius + b.radius) * (a.radius + b.radius)) continue;
            // Both ways round, because each group asks for its own neighbours.
            near_pairs_.emplace_back(order_[i], order_[j]);
            near_pairs_.emplace_back(order_[j], order_[i]);
        }
    }
    std::sort(near_pairs_.begin(), near_pairs_.end());
    // Sorted pairs as one list per group.
    near_begin_.assign(count + 1, 0);
    near_.clear();
    for (const auto& [first, second] : near_pairs_)
    {
        near_.push_back(second);
        ++near_begin_[at(first) + 1];
    }
    std::partial_sum(near_begin_.begin(), near_begin_.end(), near_begin_.begin());
}

/// Counting sort of the gathered particles by the hash of their cell.
void Neighbours::sort_into_cells(double margin)
{
    // Cells as wide as the furthest pair: neighbours lie in the same or in adjacent cells.
    double largest = 0;
    for (const int i : particles_) largest = std::max(largest, set_.spheres[at(i)].radius);
    margin_ = margin;
    cell_ = std::max(2 * (largest + margin), 1e-9);
    // A power of two, so that a mask takes the remainder, and half empty, so that few cells share one.
    std::size_t buckets = 16;
    while (buckets < 2 * particles_.size()) buckets *= 2;
    bucket_begin_.assign(buckets + 1, 0);
    // Count per bucket, running sums for the begins, then a second walk that fills (counting sort).
    cells_.resize(particles_.size());
    for (std::size_t k = 0; k < particles_.size(); ++k)
    {
        cells_[k] = cell_of(positions_[k]);
        ++bucket_begin_[(hash(cells_[k]) & (buckets - 1)) + 1];
    }
    std::partial_sum(bucket_begin_.begin(), bucket_begin_.end(), bucket_begin_.begin());
    bucket_.resize(particles_.size());
    // From the back, so that every bucket is filled in increasing order and its begin ends where it should.
    for (std::size_t k = particles_.size(); k-- > 0;)
    {
        const std::size_t h = hash(cells_[k]) & (buckets - 1);
        bucket_[at(--bucket_begin_[h + 1])] = static_cast<int>(k);
    }
    // The begin of bucket h stands at h + 1: one place to the left.
    std::rotate(bucket_begin_.begin(), bucket_begin_.begin() + 1, bucket_begin_.end());
    bucket_begin_.back() = static_cast<int>(particles_.size());
}

/// may_collide of two shapes, asked once for a run of particles of the same two.
bool Neighbours::may_touch(int first_shape, int second_shape)
{
    // Neighbouring particles belong to the same shapes more often than not: one entry of memory is enough.
    if (first_shape != last_first_ || second_shape != last_second_)
    {
        const ShapeId first{first_shape}, second{second_shape};
        last_answer_ = may_collide(model_, first, second) && (!filter_ || filter_(first, second));
        last_first_ = first_shape;
        last_second_ = second_shape;
    }
    return last_answer_;
}

/// Appends the neighbours of gathered particle k, in increasing order.
void Neighbours::look_around(std::size_t k)
{
    const int i = particles_[k];
    const auto group_of = [&](int particle)
    { return set_.group_of_body[at(model_.shapes.body[at(set_.shape[at(particle)])])]; };
    const int group = group_of(i);
    const std::size_t first = lists_.size();
    // bucket_begin_ has one entry more than there are buckets, and that number is a power of two.
    const std::size_t mask = bucket_begin_.size() - 2;
    // The 27 cells around and including the particle's own.
    for (std::int64_t c = 0; c < 27; ++c)
    {
        if (is_full()) return;
        const Cell cell{cells_[k][0] + c / 9 - 1, cells_[k][1] + c / 3 % 3 - 1, cells_[k][2] + c % 3 - 1};
        const std::size_t h = hash(cell) & mask;
        for (int b = bucket_begin_[h]; b < bucket_begin_[h + 1]; ++b)
        {
            // Another cell may share the bucket; particles of one body do not touch.
            const std::size_t other = at(bucket_[at(b)]);
            const int j = particles_[other];
            if (cells_[other] != cell || group_of(j) == group) continue;
            const Vec3 away = positions_[k] - positions_[other];
            const double reach = set_.spheres[at(i)].radius + set_.spheres[at(j)].radius + 2 * margin_;
            if (dot(away, away) >= reach * reach) continue;
            if (may_touch(std::min(set_.shape[at(i)], set_.shape[at(j)]),
                          std::max(set_.shape[at(i)], set_.shape[at(j)])))
                lists_.push_back(j);
        }
    }
    // Cells are visited in their own order; sorted by particle the list does not depend on the grid.
    std::sort(lists_.begin() + static_cast<std::ptrdiff_t>(first), lists_.end());
}

}  // namespace rattleback::particles
