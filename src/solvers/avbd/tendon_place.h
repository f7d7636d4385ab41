// Where a tendon runs at the present poses of its groups: its length, and how the groups' motions change it.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// Length and gradient of one tendon into work.tendons and work.tendon_gradient; the ends of the straight parts of a
/// spatial tendon into work.tendon_ends.
void place_tendon(const Layout& layout, int tendon, BlockWork& work);

/// The same for a row: its tendon, or both tendons of a coupling and J = J_1 - p' J_2 of the two.
void place_tendon_row(const Layout& layout, int row, BlockWork& work);

/// J u, u the motions of the groups of a row: `motion(group)` has linear and angular parts.
template <class Motion>
double rate_of(const Layout& layout, const TendonRow& row, const BlockWork& work, Motion motion)
{
    double sum = 0;
    for (int k = row.group_begin; k < row.group_end; ++k)
    {
        const Vector6& gradient = work.tendon_gradient[static_cast<std::size_t>(k)];
        const auto& u =
            motion(work.bodies[static_cast<std::size_t>(layout.tendon_groups[static_cast<std::size_t>(k)])]);
        sum += dot(linear_of(gradient), u.linear) + dot(angular_of(gradient), u.angular);
    }
    return sum;
}

}  // namespace rattleback::avbd
