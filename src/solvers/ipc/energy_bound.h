// Islands of free and fixed bodies do not gain energy in a step: what is too much is taken from their velocities.
#pragma once

#include "solvers/ipc/newton.h"

namespace rattleback::ipc
{

/// Where the potential is convex on the way of a step, implicit Euler never gains energy:
///     K1 + V1 + D <= K0 + V0 + W
/// with V what barriers store, D the heat of friction, W the work of gravity and wrenches. Where bodies turn or
/// slide around each other it is not convex, and steps may gain (README, "Energy"). Here each island's account is drawn
/// up after the step, and what it has gained is taken from its velocities, all by the same factor.
class EnergyBound
{
public:
    explicit EnergyBound(const Layout& layout);

    /// K0 + V0, by groups. The touches of `newton` are those of the starts.
    void begin(const Newton& newton, std::span<const Body> bodies);
    /// The touches are those of the ends.
    void finish(const Newton& newton, std::span<const Body> bodies, const Vec3& gravity,
                std::span<Velocity> velocities);

private:
    /// Of one island.
    struct Account
    {
        double gain = 0;           ///< K1 + V1 + D - K0 - V0 - W [J]
        double kinetic = 0;        ///< K1 [J]
        bool is_anchored = false;  ///< it can meet something that no force moves
        bool is_open = true;       ///< nobody meets anybody; or it has joints or tracks, or has just woken
        double mass = 0;           ///< [kg]
        Vec3 drift;                ///< momentum [kg m/s], then velocity of the centre; zero where it is anchored
        double scale = 1;          ///< of velocities against the drift
    };
    Account& account_of(int group);
    void open_accounts(const Newton& newton, std::span<const Body> bodies);
    void add_barriers(const Potential& potential, double sign);
    void add_bodies(const Newton& newton, std::span<const Body> bodies, const Vec3& gravity,
                    std::span<const Velocity> velocities);
    void add_friction(const Newton& newton, std::span<const Body> bodies);
    void find_scale(Account& account) const;

    const Layout& layout_;
    std::vector<double> changes_;    ///< [group] of its kinetic energy and its part of barriers [J]
    std::vector<char> was_asleep_;   ///< [group] when the step began
    std::vector<int> island_of_;     ///< [group]; -1: it meets nobody
    std::vector<Account> accounts_;  ///< [island] at its first group
    Account nobody_;                 ///< of groups without an island
};

}  // namespace rattleback::ipc
