// Equalities between bodies, joints and tendons: how far apart what they tie is, and how fast that changes.
#pragma once

#include "dynamics/jacobian.h"

#include <array>
#include <cmath>

namespace rattleback
{

/// A frame of an equality in the world, and how its body moves there.
struct TieFrame
{
    int body = 0;
    Vec3 position, velocity, acceleration;
    Quat rotation;
    Vec3 spin, spin_rate;  ///< angular velocity and acceleration, world axes
};

inline TieFrame place_frame(const Workspace<double>& w, int body, const Pose& frame)
{
    // Accelerations here are those without any joint acceleration: velocity products J' v, and kinematic bodies.
    TieFrame placed;
    placed.body = body;
    placed.position = w.position[body] + w.matrix[body] * frame.position;
    placed.rotation = w.rotation[body] * frame.rotation;
    placed.velocity = body_point_velocity(w, body, placed.position);
    placed.acceleration = body_point_acceleration(w, body, placed.position);
    placed.spin = body_angular_velocity(w, body);
    placed.spin_rate = body_angular_acceleration(w, body);
    return placed;
}

/// Motion of one dof at the two frames, first minus second.
struct FrameDifference
{
    Vec3 linear, angular;
};
inline FrameDifference find_difference(const Workspace<double>& w, const TieFrame& first, const TieFrame& second,
                                       int dof, int side)
{
    // A dof above both bodies moves both frames; what it moves alike cancels in the difference.
    const Motion<double>& motion = w.dof[dof];
    FrameDifference difference;
    if ((side & 1) != 0)
    {
        // A motion of a dof is given about the tree's reference point; point_velocity carries it to the anchor.
        // Side bit 1: the dof moves the first body, bit 2: the second.
        difference.linear = point_velocity(w, motion, first.body, first.position);
        difference.angular = motion.angular;
    }
    if ((side & 2) != 0)
    {
        difference.linear -= point_velocity(w, motion, second.body, second.position);
        difference.angular -= motion.angular;
    }
    return difference;
}

/// Vector part of conj(q2) p q1.
inline Vec3 sandwich(const Quat& q2, const Quat& p, const Quat& q1)
{
    // conj(q2) p q1 is linear in p: with p = (0, w) it is twice the rate of the relative quaternion.
    const Quat q = conjugate(q2) * p * q1;
    return {q.x, q.y, q.z};
}

/// The matrix that takes the difference of angular velocities to the rate of vec(conj(q2) q1) = sin(angle / 2) axis.
inline Mat3 make_rotation_rate(const Quat& q1, const Quat& q2, double scale)
{
    Mat3 rate;
    for (int k = 0; k < 3; ++k)
    {
        // With q1' = w1 q1 / 2 and q2' = w2 q2 / 2: d/dt (conj(q2) q1) = conj(q2) (w1 - w2) q1 / 2, linear in the
        // difference; columns by unit vectors.
        const Vec3 column = sandwich(q2, {0, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}, q1);
        for (int i = 0; i < 3; ++i) rate(i, k) = 0.5 * scale * column[i];
    }
    return rate;
}

/// Six numbers of a connect (the first three) or weld: residual, rate, and acceleration without the joints' own.
struct TieResidual
{
    std::array<double, 6> position{}, velocity{}, product{};

    void set(int begin, const Vec3& r, const Vec3& rate, const Vec3& acceleration)
    {
        for (int k = 0; k < 3; ++k)
        {
            position[begin + k] = r[k];
            velocity[begin + k] = rate[k];
            product[begin + k] = acceleration[k];
        }
    }
    double norm() const
    {
        double sum = 0;
        // Impedance of a connect or weld depends on the length of the whole residual, not on single rows.
        for (const double x : position) sum += x * x;
        return std::sqrt(sum);
    }
};

inline TieResidual find_tie_residual(const TieFrame& first, const TieFrame& second, const Mat3& rate, double scale,
                                     bool weld)
{
    TieResidual residual;
    // Where the two anchors are apart; of a weld also how far the second frame is turned against the first.
    residual.set(0, first.position - second.position, first.velocity - second.velocity,
                 first.acceleration - second.acceleration);
    if (!weld) return residual;
    // vec(conj(q2) q1) = sin(angle / 2) axis: smooth where the frames agree, unlike an axis and an angle.
    const Quat turn = conjugate(second.rotation) * first.rotation;
    const Vec3 spin = first.spin - second.spin;
    // d/dt of vec(conj(q2) spin q1) / 2 with q' = (0, w) q / 2; the products of w1, w2 and their difference add up
    const Vec3 turning = cross(first.spin, second.spin);
    const Quat products{-dot(spin, spin), 2 * turning.x, 2 * turning.y, 2 * turning.z};
    const Vec3 moving = (0.25 * scale) * sandwich(second.rotation, products, first.rotation);
    residual.set(3, scale * Vec3{turn.x, turn.y, turn.z}, rate * spin,
                 rate * (first.spin_rate - second.spin_rate) + moving);
    return residual;
}

/// y - y0 - p(x - x0) of a coupling, and p'.
struct TieCoupling
{
    double residual = 0, slope = 0;
};
inline TieCoupling evaluate_coupling(const std::array<double, 5>& polynomial, double y, double x, bool constant)
{
    // Without a second joint the first is held at p_0.
    if (constant) return {y - polynomial[0], 0};
    // Horner's rule for p and p'.
    double p = 0, slope = 0;
    // Highest coefficient first.
    for (int k = 4; k >= 0; --k)
    {
        slope = slope * x + p;
        p = p * x + polynomial[k];
    }
    return {y - p, slope};
}

}  // namespace rattleback
