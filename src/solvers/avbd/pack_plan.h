// PackPlan: which groups move side by side, and in which slots their contacts lie.
#pragma once

#include "solvers/avbd/colours.h"

#include <array>

namespace rattleback::avbd
{

inline constexpr int kMaxLanes = 8;

/// Groups of one colour that move together, one per lane.
struct PackBatch
{
    std::array<int, kMaxLanes> group;  ///< -1: none
    int begin = 0, end = 0;            ///< slots
    bool watched = false;              ///< by groups that move outside of packs
};

/// A side of one manifold of rows per lane, and the slots of its points: one slot for the k-th point of every lane.
struct ManifoldSlot
{
    std::array<int, kMaxLanes> side;  ///< see PackPlan::side_of; -1: none
    int begin = 0, end = 0;           ///< points
};

/// Colour by colour the packed groups, those with many points first; of each group its manifolds, in their order.
class PackPlan
{
public:
    /// A function of its arguments alone.
    void make(const Layout& layout, const Colouring& colouring, const std::vector<char>& packed,
              const std::vector<Manifold>& manifolds, int width);

    static int manifold_of(int side) { return side >> 2; }
    static bool is_second(int side) { return (side & 1) != 0; }
    /// One side of every manifold owns it: it carries the manifold's multipliers back.
    static bool owns(int side) { return (side & 2) != 0; }

    std::vector<PackBatch> batches;  ///< colour by colour
    std::vector<int> batch_begin;    ///< [colours + 1]
    int serial = 0;  ///< the colour whose groups may touch each other: batches of one, to be moved in turn
    std::vector<ManifoldSlot> slots;
    int point_count = 0;

private:
    void index_manifolds(const Layout& layout, const std::vector<char>& packed, const std::vector<Manifold>& manifolds);
    void sort_members();
    void add_batch(std::size_t begin, const std::vector<Manifold>& manifolds, int width);

    std::vector<int> side_begin_;  ///< [groups + 1] into sides_
    std::vector<int> sides_, fill_, members_, sorted_;
    std::vector<int> points_;  ///< [group] of all its sides
    std::vector<char> watched_;
};

}  // namespace rattleback::avbd
