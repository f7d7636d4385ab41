// Where a loop is at the present poses of its groups: its errors, and the directions in which its rows push.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// Rows of a loop at the present poses. The force of row r acts on the first group along axis[r] at `point` (rows 0 to
/// 2) or about axis[r] (rows 3 to 5), and on the second group the other way; joint couplings act on dofs instead.
struct LoopPlace
{
    Vector6 error{};  ///< second end minus first, per row [m], [rad]; couplings: what is missing on the first dof
    Vec3 point;       ///< world
    std::array<Vec3, 6> axis{};
};

/// The axes are those of the first frame; the rows of rotation are the exact derivatives of the rotation vector from
/// the first frame to the second.
LoopPlace place_loop(const Layout& layout, int loop, BlockWork& work);

/// Force on a group, at its centre of mass, per unit force of a row.
Vector6 row_direction(const Layout& layout, const Loop& loop, const LoopPlace& place, int row, int group,
                      const BlockWork& work);

/// Calls `visit` once with each group that a loop touches.
template <class Visit>
void for_each_group(const Layout& layout, const Loop& loop, Visit visit)
{
    std::array<int, 4> groups{loop.first, loop.second, -1, -1};
    if (loop.second_link >= 0)
    {
        groups[2] = layout.links[static_cast<std::size_t>(loop.second_link)].child;
        groups[3] = layout.links[static_cast<std::size_t>(loop.second_link)].parent;
    }
    for (std::size_t i = 0; i < 4; ++i)
    {
        bool seen = groups[i] < 0;
        for (std::size_t k = 0; k < i; ++k) seen = seen || groups[k] == groups[i];
        if (!seen) visit(groups[i]);
    }
}

}  // namespace rattleback::avbd
