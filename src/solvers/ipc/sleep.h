// Sleep: islands that have come to rest are left alone until something comes near, moves or pushes them.
#pragma once

#include "solvers/ipc/newton.h"
#include "solvers/shared/sleep.h"

namespace rattleback::ipc
{

/// What a world remembers of its sleepers. Empty before the first step, and without sleep.
struct GroupSleepState : SleepState
{
    std::vector<Pose> pose;        ///< [body] where sleepers lie, and what is no sleeper's to move
    Vec3 gravity;                  ///< under which they fell asleep
    std::vector<double> friction;  ///< [shape] with which; empty: the model's
};

/// Units are groups; what hangs on a joint, is driven, or has no free body never sleeps.
class Sleep
{
public:
    Sleep(const Model& model, const Layout& layout, const Settings& settings);

    bool is_on() const { return is_on_; }
    /// Takes up `state`, and wakes islands that were moved, thrown or pushed from outside; all of them where gravity,
    /// friction or the pose of a body that no force moves was written. [group] the island it sleeps in, -1: awake.
    std::span<const int> begin(const ConstWorldView& world, std::span<const Body> bodies, const Vec3& gravity,
                               std::span<const double> friction, GroupSleepState& state);
    /// After a step: who was woken in it is awake, islands that were slow for long enough fall asleep, at velocity
    /// zero. A step that did not converge puts nobody to sleep.
    void settle(const Newton& newton, bool is_whole, std::span<Velocity> velocities, GroupSleepState& state);
    /// Keeps where sleepers and what carries them lie, to see whether somebody moves them.
    void store(const ConstWorldView& world, GroupSleepState& state) const;

private:
    bool was_carrier_moved(const ConstWorldView& world, const GroupSleepState& state) const;
    bool was_disturbed(std::size_t body, const ConstWorldView& world, std::span<const Body> bodies,
                       const GroupSleepState& state) const;

    const Layout& layout_;
    bool is_on_;
    double tolerance_;            ///< [m/s]
    std::vector<char> restless_;  ///< [group]
    std::vector<int> awake_;      ///< [group] -1
    std::vector<int> island_of_;  ///< [group] scratch
    std::vector<int> names_;      ///< scratch
};

}  // namespace rattleback::ipc
