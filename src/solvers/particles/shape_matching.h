// Shape matching of one group, and the momentum that it must not change ([PBD-R] Algorithm 1, lines 9 and 12).
#pragma once

#include "solvers/particles/rigid_motion.h"

namespace rattleback::particles
{

/// What the particles of a group are measured from: x = place + shape rest + u, v = velocity + spin rest + f. With the
/// motion that a body without contacts would make, u and f are as small as what contact and shape matching change, and
/// floats have digits for them at any place and any step. All zero: from the world's origin, as in the authors' code.
struct GroupFrame
{
    Vec3 place, velocity;
    Mat3 shape, spin;
};

/// Where a particle is whose x is `u` [m].
template <class T>
Vec3 find_position(const GroupFrame& frame, const Vec3& rest, const Vector3<T>& u)
{
    return frame.place + frame.shape * rest + widen(u);
}

/// A rigid displacement that restores momentum (Eqs. 3 and 4) and has been found but not been made yet.
template <class T>
struct MomentumCorrection
{
    Vector3<T> center;            ///< of mass [m]
    Vector3<T> velocity;          ///< to add to all [m/s]
    Vector3<T> angular_velocity;  ///< to take away [rad/s]

    /// To add to the velocity of a particle at x and, times dt, to its position.
    Vector3<T> at(const Vector3<T>& x) const { return velocity - cross(angular_velocity, x - center); }
};

/// The rigid motion of the rest shape that is nearest to the particles.
template <class T>
struct ShapeFit
{
    Vector3<T> center;  ///< of mass, from the frame's place
    Matrix3<T> turn;    ///< rotation less the frame's shape
};

/// Sums over the particles of a group, about a reference point and velocity; a = shape rest + u - reference.
template <class T>
struct GroupSums
{
    Vector3<T> first;      ///< sum of m (u - reference)
    Matrix3<T> shape;      ///< sum of m (u - reference) rest^T
    Vector3<T> moved;      ///< as `first`, where it is taken after contact corrections
    Vector3<T> linear;     ///< sum of m (f - reference velocity)
    Vector3<T> angular;    ///< sum of m a x (f - reference velocity)
    Symmetric3<T> second;  ///< sum of m a a^T
    Vector3<T> place;      ///< sum of m x, where centres are taken about the world's origin
};

/// A group in the iterations of a step.
template <class T>
struct GroupState
{
    bool world_frame = false;
    GroupFrame frame;       ///< of this step
    Matrix3<T> arms, spin;  ///< frame.shape and frame.spin in the solver's precision
    double mass = 1;        ///< what the masses of its particles add up to: 1 where they are parts of the whole
    Vector3<T> reference, reference_velocity;  ///< centre of mass and its velocity, as predicted, from the frame's
    Quat rotation;                             ///< of the last fit, from which the next one starts
    ShapeFit<T> fit;
    Vector3<T> linear;   ///< momentum before shape matching less mass times reference velocity
    Vector3<T> angular;  ///< momentum before shape matching about fit.center
    MomentumCorrection<T> pending;

    /// shape rest: where a particle's u begins.
    Vector3<T> arm(const Vector3<T>& rest) const { return arms * rest; }
    /// Of centres about the world's origin ([PBD-R]'s code): the mass as its particles add up one by one, 0 where
    /// centres are exact, and what the rest shape's centre misses for it, in body axes.
    T added_mass = 0;
    Vector3<T> rest_shift;
};

/// Line 9: the fit of a group from the sums before shape matching, and the momentum there.
template <class T>
void fit_shape(const RigidGroup& group, const GroupSums<T>& sums, bool fast_polar, GroupState<T>& state);

/// Line 12: the corrections of Eq. 3 (where `linear`) and Eq. 4 (where `angular`), from the sums after shape matching.
template <class T>
void find_momentum_correction(const GroupSums<T>& sums, bool linear, bool angular, GroupState<T>& state);

/// The motion of a group whose momentum is that of its particles: P / M and I^-1 L at the pose of the fit.
template <class T>
RigidMotion find_motion(const RigidGroup& group, const GroupState<T>& state);

}  // namespace rattleback::particles
