// Sleep: blocks that have come to rest are left alone until something touches, moves, pushes or drives them.
#pragma once

#include "base/disjoint_sets.h"
#include "solvers/avbd/contact_rows.h"
#include "solvers/avbd/forces.h"
#include "solvers/shared/sleep.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// What a world remembers of its blocks. Empty before the first step, and without sleep.
struct BlockSleepState : SleepState
{
    std::vector<Pose> pose;  ///< [body] where sleeping bodies lie
};

class Sleep
{
public:
    Sleep(const Layout& layout, double tolerance);

    /// Takes up `state` and wakes blocks whose bodies were moved or pushed from outside, with their islands. `moves`
    /// says which kinematic bodies move in this step, in the order of Layout::kinematic.
    void wake_moved(const WorldView& world, const ExternalForces& external, const std::vector<char>& moves,
                    const BlockSleepState& state);
    /// Wakes the island of a body, if it has one, and begins its count of quiet steps anew.
    void disturb_body(int body) { disturb_group(layout_.group_of_body[at(body)]); }
    void disturb_group(int group);
    /// Wakes islands that something awake touches.
    void wake_touched(const Contacts& contacts);
    /// After a step: blocks that were slow for long enough fall asleep, islands as a whole, at velocity zero.
    void settle(const std::vector<Manifold>& manifolds, const std::vector<Body>& bodies, const WorldView& world);

    /// True when no body moves in this step.
    bool all_asleep() const;
    bool is_asleep(int group) const { return unit_of(group) >= 0 && state_.sleeps(unit_of(group)); }
    /// True for contacts with nothing awake on either side.
    bool both_asleep(const Contact& contact) const;
    const BlockSleepState& state() const { return state_; }

private:
    /// The block that a group is in; -1: its motion is given.
    int unit_of(int group) const { return layout_.groups[at(group)].dynamic ? layout_.groups[at(group)].block : -1; }
    bool is_awake(int group) const { return unit_of(group) >= 0 ? !is_asleep(group) : moves_[at(group)] != 0; }
    void put_to_sleep(const WorldView& world);
    void join(int first_group, int second_group);
    void find_islands(const std::vector<Manifold>& manifolds);
    void stop_sleepers(const WorldView& world);

    const Layout& layout_;
    double tolerance_;            ///< [m/s, rad/s]
    std::vector<char> restless_;  ///< [block] driven, or carried by a kinematic body: never sleeps
    std::vector<char> moves_;     ///< [group] kinematic and moving
    BlockSleepState state_;

    // scratch
    DisjointSets sets_;           ///< of blocks
    std::vector<int> island_of_;  ///< [block]
    std::vector<int> names_;
};

}  // namespace rattleback::avbd
