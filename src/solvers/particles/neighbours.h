// Neighbours: which particles of different bodies are near each other, by a uniform grid.
#pragma once

#include "base/index.h"
#include "solvers/particles/particle_set.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace rattleback::particles
{

/// Finds pairs in time linear in the particles that lie near another body. Keeps its buffers.
class Neighbours
{
public:
    Neighbours(const Model& model, const ParticleSet& set) : model_(model), set_(set) {}

    /// Fills `particles` and the lists of their neighbours: all pairs whose surfaces are nearer than twice the
    /// largest margin of a region. `position(particle)` says where one is. Particles and lists are sorted.
    template <class Position>
    void find(std::span<const SearchRegion> regions, Position position)
    {
        // One margin for all: the widest region decides the width of a cell.
        double margin = 0;
        for (const SearchRegion& region : regions) margin = std::max(margin, region.margin);
        bounds_.clear();
        for (std::size_t g = 0; g < regions.size(); ++g)
            bounds_.push_back({regions[g].center, set_.groups[g].reach + 2 * margin});
        // Groups first, then the particles of those that are near another, then cells of the size of a contact.
        pair_groups();
        gather(position);
        sort_into_cells(margin);
        list_pairs();
    }

    /// Of the calls of find() that follow.
    void set_filter(const ContactFilter& filter)
    {
        filter_ = filter;
        last_first_ = last_second_ = -1;
    }

    std::span<const int> particles() const { return particles_; }
    // Compressed rows: the neighbours of particles_[k] are begin_[k] to begin_[k + 1] of one list.
    std::span<const int> of(std::size_t k) const
    {
        return std::span(lists_).subspan(at(begin_[k]), at(begin_[k + 1] - begin_[k]));
    }
    /// Index of the first neighbour of particle k in the list of all.
    int first(std::size_t k) const { return begin_[k]; }
    std::size_t pair_count() const { return lists_.size(); }
    /// More pairs than a step may take: what else there is was not looked for, and the step is refused (`capacity`).
    bool is_full() const { return lists_.size() > kMostPairs; }

    static constexpr std::size_t kMostPairs = 8'000'000;  ///< some 0.5 GB, and a second for ten iterations

private:
    struct BoundingBall
    {
        Vec3 center;
        double radius;
    };
    using Cell = std::array<std::int64_t, 3>;

    static std::size_t hash(const Cell& cell);
    Cell cell_of(const Vec3& p) const;

    void pair_groups();
    void sort_into_cells(double margin);
    void look_around(std::size_t k);
    bool may_touch(int first_shape, int second_shape);

    /// Particles inside the ball of another group.
    template <class Position>
    void gather(Position position)
    {
        particles_.clear();
        positions_.clear();
        for (int g = 0; g < static_cast<int>(set_.groups.size()); ++g)
        {
            // Most groups are near none, most particles of the others inside.
            if (near_begin_[at(g)] == near_begin_[at(g + 1)]) continue;
            for (int i = set_.groups[at(g)].begin; i < set_.groups[at(g)].end; ++i)
            {
                // Points of a body without shapes touch nothing; corners would catch in the dents between spheres.
                if (set_.shape[at(i)] < 0 || !(set_.spheres[at(i)].radius > 0)) continue;
                const Vec3 p = position(i);
                for (int k = near_begin_[at(g)]; k < near_begin_[at(g + 1)]; ++k)
                {
                    const BoundingBall& ball = bounds_[at(near_[at(k)])];
                    const Vec3 away = p - ball.center;
                    const double reach = ball.radius + set_.spheres[at(i)].radius;
                    if (dot(away, away) > reach * reach) continue;
                    particles_.push_back(i);
                    positions_.push_back(p);
                    break;
                }
            }
        }
    }

    void list_pairs()
    {
        begin_.assign(1, 0);
        lists_.clear();
        // In the order of particles, so that the lists are sorted without a sort of their own.
        for (std::size_t k = 0; k < particles_.size(); ++k)
        {
            if (!is_full()) look_around(k);
            begin_.push_back(static_cast<int>(lists_.size()));
        }
    }

    const Model& model_;
    const ParticleSet& set_;
    std::vector<BoundingBall> bounds_;  ///< [group]
    std::vector<int> order_;            ///< groups along x
    std::vector<std::pair<int, int>> near_pairs_;
    std::vector<int> near_begin_, near_;  ///< groups near each group
    std::vector<int> particles_, begin_, lists_;
    std::vector<Vec3> positions_;             ///< [particles_]
    double cell_ = 1;                         ///< side of a cell [m]
    double margin_ = 0;                       ///< of the group that looks furthest [m]
    std::vector<int> bucket_begin_, bucket_;  ///< indices of particles_ by hash of their cell
    std::vector<Cell> cells_;                 ///< [particles_]
    int last_first_ = -1, last_second_ = -1;  ///< shapes asked for last
    bool last_answer_ = false;
    ContactFilter filter_;
};

}  // namespace rattleback::particles
