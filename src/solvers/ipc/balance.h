// What bodies that touch have lost or gained in a step, of momentum and of energy, is put right in their velocities.
#pragma once

#include "solvers/ipc/newton.h"

#include "math/symmetric3.h"

namespace rattleback::ipc
{

/// Bodies that press on each other within a step, or are jointed, are a cluster; one that meets none is one by
/// itself. What nothing fixed has touched, a free cluster, keeps its momentum and its angular momentum but for what
/// forces from outside give it:
///     P1 = P0 + h F,  L1 = L0 + h T  (about the centre of the cluster, with the arms of the ends)
/// A minimum has the first by itself, and the second to the order of h: contacts push along the end's arms, and the
/// inertia of a large turn is not that of a small one. A step that ended before its minimum, or whose path was cut, has
/// neither: the places that it reached say nothing about impulses. The velocities then get what is missing as the
/// motion of a rigid body, which is the change of least energy and leaves alone how bodies and joints of the cluster
/// move against each other. The spin of balls without friction, which no contact can change, takes no part.
///
/// Energy: where the potential is convex on the way of the step, implicit Euler never gains any:
///     K1 + V1 + D <= K0 + V0 + W
/// with V what barriers store, D the heat of friction, W the work of gravity and wrenches. Where bodies turn or
/// slide around each other it is not convex, and steps may gain (README, "Energy"). What an island has gained is taken
/// from its velocities, all by the same factor, against the rigid motions of its clusters, whose momenta stay; what is
/// more than those can pay, from the rigid motions of anchored ones.
class Balance
{
public:
    Balance(const Model& model, const Layout& layout);

    /// Before anything moves: K0 + V0 by groups. The touches of `newton` are those of the starts.
    void begin(const Newton& newton, std::span<const Body> bodies, const Vec3& gravity, double dt);
    /// Where the minimisation has ended: what has touched what. The touches of `newton` are those of the ends. At a
    /// minimum nothing else has pushed (`is_whole`); elsewhere iterates may owe their places to what they have left.
    void find_clusters(Newton& newton, std::span<const Body> bodies, bool is_whole);
    /// [group] how far the centre of its free cluster is behind where it is led by its momentum [m].
    std::span<const Vec3> find_lags(const Newton& newton, std::span<const Body> bodies);
    /// After finish(): the factor by which barriers may harden without storing more than this step has turned into
    /// heat; infinite where nothing is known of that.
    double find_hardening_limit() const;
    /// After find_clusters() and find_velocity(). `bounds_energy`: what clusters have gained is taken from them.
    void finish(const Newton& newton, std::span<const Body> bodies, bool bounds_energy, std::span<Velocity> velocities);

private:
    /// Momenta of one cluster.
    struct Cluster
    {
        bool is_anchored = false;    ///< something has touched it that no force moves
        bool can_turn = false;       ///< it is more than one smooth ball
        bool is_smooth = true;       ///< it is nothing but smooth balls
        double mass = 0;             ///< [kg]
        Vec3 center, before;         ///< of mass, now and at the start [m]
        Vec3 momentum, owed;         ///< P1 as it is and as it should be [kg m/s]
        Vec3 spin, owed_spin;        ///< L1, about the centre, less that of smooth balls [kg m^2/s]
        double unknown = 0;          ///< below which rounding hides what is missing of P1 [kg m/s]
        double unknown_spin = 0;     ///< the same of L1 [kg m^2/s]
        Symmetric3<double> inertia;  ///< of the cluster as a rigid body [kg m^2]
        Velocity given;              ///< the rigid motion that has what was missing
        Velocity drift;              ///< the rigid motion that has the momenta owed; anchored: those that it has
    };
    /// Energy of an island: of clusters that may come near each other.
    struct Account
    {
        bool is_alone = true;  ///< nothing in it has touched anything
        bool is_open = false;  ///< it has joints or tracks, or has just woken
        double gain = 0;       ///< K1 + V1 + D - K0 - V0 - W [J]
        double loose = 0;      ///< K1 but for that of the drifts [J]
        double led = 0;        ///< of the drifts of anchored clusters [J]
        double scale = 1;      ///< of velocities against the drifts
        double led_scale = 1;  ///< of the drifts of anchored clusters
    };
    Cluster& cluster_of(int group) { return clusters_[at(cluster_of_[at(group)])]; }
    Account& account_of(int group)
    {
        const int island = island_of_[at(group)];
        return island < 0 ? nobody_ : accounts_[at(island)];
    }
    void add_barriers(const Potential& potential, double sign);
    void open_accounts(const Newton& newton, std::span<const Body> bodies);
    void sum_centers(const Newton& newton, std::span<const Body> bodies);
    void sum_momenta(const Newton& newton, std::span<const Body> bodies, std::span<const Velocity> velocities);
    void give_momenta(const Newton& newton, std::span<Velocity> velocities);
    /// The velocity of a group in the drift of its cluster. Smooth balls keep their own spin.
    Velocity find_drift(std::size_t group, const Newton& newton, const Velocity& own);
    void add_bodies(const Newton& newton, std::span<const Body> bodies, std::span<const Velocity> velocities);
    void add_friction(const Newton& newton, std::span<const Body> bodies);
    /// Of smooth balls, those that they began with and torques from outside gave them.
    void keep_spins(const Newton& newton, std::span<const Body> bodies, std::span<Velocity> velocities) const;
    Vec3 find_owed_spin(std::size_t group, std::span<const Body> bodies) const;
    Vec3 find_force(std::size_t group, std::span<const Body> bodies) const;

    const Model& model_;
    const Layout& layout_;
    Vec3 gravity_;
    double dt_ = 0;
    std::vector<double> changes_;          ///< [group] of its kinetic energy and its part of barriers [J]
    std::vector<char> was_asleep_;         ///< [group] when the step began
    std::vector<std::array<int, 2>> met_;  ///< groups that touched at the start
    DisjointSets sets_;
    std::vector<int> cluster_of_;    ///< [group]
    std::vector<Cluster> clusters_;  ///< [cluster] at its first group
    std::vector<char> is_ball_;      ///< [group] balls about its centre: what does not rub never turns it
    std::vector<char> is_smooth_;    ///< [group] such balls that nothing has rubbed in this step
    std::vector<int> island_of_;     ///< [group]; -1: it meets none
    std::vector<Account> accounts_;  ///< [island] at its first group
    Account nobody_;                 ///< of groups without an island
    std::vector<Vec3> lags_;         ///< [group]
    double stored_ = 0;              ///< V1 [J]
    bool knows_energy_ = false;      ///< of the last finish()
};

}  // namespace rattleback::ipc
