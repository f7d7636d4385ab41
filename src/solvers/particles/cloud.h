// Cloud: positions and velocities of all particles, and the passes of a step over them.
#pragma once

#include "base/thread_pool.h"
#include "solvers/particles/particle_set.h"

#include <array>

namespace rattleback::particles
{

/// Positions and velocities of particles by coordinate.
template <class T>
struct Cloud
{
    std::array<std::vector<T>, 3> x;  ///< [m], world
    std::array<std::vector<T>, 3> v;  ///< [m/s]

    void resize(std::size_t count);
    Vector3<T> position(int i) const { return get(x, i); }
    Vector3<T> velocity(int i) const { return get(v, i); }

    static Vector3<T> get(const std::array<std::vector<T>, 3>& lists, int i)
    {
        const auto k = static_cast<std::size_t>(i);
        return {lists[0][k], lists[1][k], lists[2][k]};
    }
};

/// A rigid displacement that restores momentum (equations 3 and 4) and has been found but not been made yet.
template <class T>
struct Correction
{
    Vector3<T> center;    ///< of mass [m]
    Vector3<T> velocity;  ///< to add to all [m/s]
    Vector3<T> spin;      ///< angular velocity to take away [rad/s]

    /// To add to the velocity of a particle at x and, times dt, to its position.
    Vector3<T> at(const Vector3<T>& position) const { return velocity - cross(spin, position - center); }
};

/// How a group moves in one iteration.
template <class T>
struct Fit
{
    Vector3<T> center;  ///< of mass
    Matrix3<T> rotation;
};

/// Sums over the particles of a group, about a reference point and velocity.
template <class T>
struct GroupSums
{
    Vector3<T> first;           ///< sum of m (x - reference)
    Matrix3<T> shape;           ///< sum of m (x - reference) rest^T
    Vector3<T> moved;           ///< as `first`, where it is taken after contact corrections
    Vector3<T> linear;          ///< sum of m (v - reference velocity)
    Vector3<T> angular;         ///< sum of m (x - reference) x (v - reference velocity)
    std::array<T, 6> second{};  ///< sum of m (xx, yy, zz, xy, xz, yz) of x - reference
};

/// A change of one particle by contacts.
template <class T>
struct Touch
{
    int particle = -1;
    Vector3<T> change;  ///< of its position [m]
};

/// What the passes need to know of a group.
template <class T>
struct Frame
{
    Vector3<T> reference, reference_velocity;
    Correction<T> pending;
    Fit<T> fit;
};

/// Forces of one group in one step.
template <class T>
struct Drive
{
    Vector3<T> gain;  ///< of velocity in this step, all particles alike [m/s]
    Vector3<T> turn;  ///< angular velocity gained [rad/s], about `center`
    Vector3<T> center;
};

/// The loops over particles, in one precision and one order of summation. All are deterministic for any number of
/// threads: blocks are the same, and their sums are added in order.
template <class T>
class Passes
{
public:
    virtual ~Passes() = default;

    /// v += gains; x += v dt, from one cloud into another.
    virtual void predict(const Cloud<T>& from, std::span<const Drive<T>> drives, T dt, Cloud<T>& to) = 0;
    /// Makes the pending corrections, then the touches (sorted by particle), then sums. `start`: positions for the
    /// velocity by difference, null for the incremental one.
    virtual void apply_and_sum(std::span<const Touch<T>> touches, const Cloud<T>* start, T dt, Cloud<T>& cloud) = 0;
    /// Moves all to their goal positions; sums again where momentum is to be restored.
    virtual void match(std::span<const Touch<T>> touches, const Cloud<T>* start, T dt, bool sum, Cloud<T>& cloud) = 0;

    std::vector<Frame<T>> frames;    ///< [group], read by the passes
    std::vector<GroupSums<T>> sums;  ///< [group], of the last pass
    bool printed_order = false;
};

/// `pool` outlives the result.
template <class T>
std::unique_ptr<Passes<T>> make_passes(const ParticleSet& set, Summation summation, ThreadPool& pool);

}  // namespace rattleback::particles
