// Sleep: blocks that have come to rest are left alone until something touches, moves, pushes or drives them.
#pragma once

#include "solvers/avbd/contact_rows.h"
#include "solvers/avbd/forces.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// What a world remembers of blocks at rest. Empty while nothing has ever been slow.
struct SleepState
{
    std::vector<int> island;  ///< [block] blocks that fell asleep together have one number; -1: awake
    std::vector<int> quiet;   ///< [block] steps for which it has been slow
    std::vector<Pose> pose;   ///< [body] where sleeping bodies lie
};

class Sleep
{
public:
    Sleep(const Layout& layout, double tolerance);

    /// Takes up `state` and wakes blocks whose bodies were moved or pushed from outside, with their islands. `moves`
    /// says which kinematic bodies move in this step, in the order of Layout::kinematic.
    void wake_moved(const WorldView& world, const ExternalForces& external, const std::vector<char>& moves,
                    const SleepState& state);
    /// Wakes the island of a body, if it has one, and begins its count of quiet steps anew.
    void disturb_body(int body) { disturb_group(layout_.group_of_body[static_cast<std::size_t>(body)]); }
    void disturb_group(int group);
    /// Wakes islands that something awake touches.
    void wake_touched(const Contacts& contacts);
    /// After a step: blocks that were slow for long enough fall asleep, islands as a whole, at velocity zero.
    void settle(const std::vector<Manifold>& manifolds, const std::vector<Body>& bodies, const WorldView& world);

    /// True when no body moves in this step.
    bool all_asleep() const;
    bool is_asleep(int group) const;
    /// True for contacts with nothing awake on either side.
    bool both_asleep(const Contact& contact) const;
    const SleepState& state() const { return state_; }

private:
    void wake(int block);
    bool is_awake(int group) const;
    int find_root(int block);
    void join(int first_group, int second_group);

    const Layout& layout_;
    double tolerance_;            ///< [m/s, rad/s]
    std::vector<char> restless_;  ///< [block] driven, or carried by a kinematic body: never sleeps
    std::vector<char> moves_;     ///< [group] kinematic and moving
    std::vector<int> root_;       ///< [block] of the island; scratch
    std::vector<int> name_;       ///< [block] of the island with this root; scratch
    SleepState state_;
};

}  // namespace rattleback::avbd
