// ParticlePasses: the loops over all particles, in one precision and one order of summation.
#pragma once

#include "base/thread_pool.h"
#include "solvers/particles/cloud.h"
#include "solvers/particles/group_sums.h"

namespace rattleback::particles
{

/// A change of one particle by its contacts.
template <class T>
struct ContactCorrection
{
    int particle = -1;
    Vector3<T> change;  ///< of its position [m]
};

/// What outer forces do to one group in one step, and what the frame of this step leaves of that of the last one.
template <class T>
struct ExternalKick
{
    Vector3<T> velocity;          ///< gained by all particles alike [m/s]
    Vector3<T> angular_velocity;  ///< gained about `center` [rad/s]
    Vector3<T> center;
    Vector3<T> place;        ///< from the new frame's place where the step begins to the old one [m]
    Matrix3<T> shape, spin;  ///< of the old frame less those of the new one where the step begins
};

/// Three passes per step and two per iteration. The same bits for any number of threads: blocks of particles are the
/// same, and their sums are added in order.
template <class Order>
class ParticlePasses
{
public:
    using T = typename Order::Scalar;
    using Corrections = std::span<const ContactCorrection<T>>;  ///< sorted by particle

    /// `pool` outlives the passes. With `printed_order` shape matching sees the particles before contact moved them.
    ParticlePasses(const ParticleSet& set, const ParticleOptions& options, ThreadPool& pool);

    /// Lines 1 to 5 of [PBD-R] Algorithm 1: v += kick, x += v dt, from one cloud into another. `start`, where not null,
    /// takes the positions before.
    void predict(const Cloud<T>& from, std::span<const ExternalKick<T>> kicks, T dt, Cloud<T>& to,
                 VectorList<T>* start);
    /// Makes the pending corrections of momentum and those of contacts (lines 10, 11), then sums. `start`: positions
    /// for the velocity by difference (Eq. 1), null for the incremental one (Eq. 2).
    void apply_corrections(Corrections contacts, const VectorList<T>* start, T dt, Cloud<T>& cloud);
    /// Moves all to the goal positions of their fits (lines 9 to 11); sums again where momentum is to be restored.
    void match_shapes(Corrections contacts, const VectorList<T>* start, T dt, bool sum, Cloud<T>& cloud);
    /// From the centre in the root's axes [m].
    Vector3<T> rest(int particle) const { return rest_[particle]; }

    std::vector<GroupState<T>> groups;  ///< read by the passes
    std::vector<GroupSums<T>> sums;     ///< [group], of the last pass

private:
    using V = typename Order::Lane;
    using Running = RunningSums<typename Order::Sum>;
    static constexpr int kStride = kLaneCount<V>;

    /// Particles of one group that one thread takes and sums.
    struct ParticleBlock
    {
        int group, begin, end;
    };

    template <class Function>
    void each_block(Function function);
    void add_blocks();

    void restore_momentum(const ParticleBlock& block, T dt, Cloud<T>& cloud) const;
    void move_to_goals(const ParticleBlock& block, T dt, Cloud<T>& cloud) const;
    void take_difference(const ParticleBlock& block, const VectorList<T>& start, T dt, Cloud<T>& cloud) const;
    void sum_shape(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const;
    void limit_speeds(const ParticleBlock& block, Cloud<T>& cloud) const;
    void sum_places(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const;
    void sum_momentum(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const;
    void sum_all(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const;
    void sum_inertia(const ParticleBlock& block, const Cloud<T>& cloud, Running& running) const;

    ThreadPool& pool_;
    bool printed_order_, world_frame_, world_centers_;
    T speed_limit_;  ///< [m/s]; 0: none
    std::vector<ParticleBlock> blocks_;
    std::vector<int> group_begin_;          ///< [group + 1] into blocks_
    std::vector<GroupSums<T>> block_sums_;  ///< [block]
    std::vector<T> mass_;                   ///< [particle] parts of its group's mass; in the world's frame [kg]
    VectorList<T> rest_;                    ///< [particle] r, from the centre in the root's axes
};

}  // namespace rattleback::particles
