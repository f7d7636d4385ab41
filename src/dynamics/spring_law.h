// Springs and dampers of joints and tendons: polynomials ([MuJoCo], "Polynomial forces"), and rests that move where a
// spring yields.
#pragma once

#include "dynamics/workspace.h"
#include "math/rotation.h"

namespace rattleback
{

// A spring pulls with f(x) = k x + a x^2 + b x^3 towards its rest, a damper with d v + a v |v| + b v^3 against v. Both
// are their secant times x; implicit methods want the tangent f'.

/// f(x) / x of a spring; of a damper with |v| for x.
template <class T>
RB_HD T find_secant(double first, const std::array<double, 2>& others, const T& x)
{
    return T(first) + x * (T(others[0]) + T(others[1]) * x);
}

/// f'(x) of a spring; of a damper with |v| for x.
template <class T>
RB_HD T find_tangent(double first, const std::array<double, 2>& others, const T& x)
{
    return T(first) + x * (T(2 * others[0]) + T(3 * others[1]) * x);
}

/// Integral of f from 0 to x [J].
inline double find_spring_energy(double first, const std::array<double, 2>& others, double x)
{
    return 0.5 * first * x * x + x * x * x * (others[0] / 3 + others[1] / 4 * x);
}

/// Calls visit(first dof, dof count, displacement from rest, its size) for the springs of a joint: one of a hinge,
/// slide or ball, two of a free joint. A hinge or slide has its displacement in x, and the size has its sign.
template <class T, class Visit>
RB_HD void visit_springs(const WorkspaceView<T>& w, const TreeJoint& joint, const Visit& visit)
{
    const ModelView& model = w.tree->arrays;
    const std::span<const double> rest = model.spring_q;
    const int yield = model.joints.plastic_begin[joint.joint];
    // Coordinates and dofs of a free joint: three translations, then the rotation.
    int q = joint.q, v = joint.v;
    if (joint.type == JointType::hinge || joint.type == JointType::slide)
    {
        const T x = yield < 0 ? w.q[q] - T(rest[q]) : w.q[q] - (T(rest[q]) + w.act[yield]);
        return visit(v, 1, Vector3<T>{x, T(0.0), T(0.0)}, x);
    }
    if (joint.type == JointType::free)
    {
        Vector3<T> way;
        for (int i = 0; i < 3; ++i) way[i] = w.q[q + i] - T(rest[q + i]);
        visit(v, 3, way, norm(way));
        q += 3;
        v += 3;
    }
    // log(rest^-1 q): the shortest rotation from rest to now, in body axes as the dofs of a ball are.
    const Quaternion<T> now = normalized(Quaternion<T>{w.q[q], w.q[q + 1], w.q[q + 2], w.q[q + 3]});
    Quaternion<T> from = broadcast<T>(conjugate(Quat{rest[q], rest[q + 1], rest[q + 2], rest[q + 3]}));
    if (yield >= 0) from = exponential(-Vector3<T>{w.act[yield], w.act[yield + 1], w.act[yield + 2]}) * from;
    const Vector3<T> turn = logarithm(from * now);
    visit(v, 3, turn, norm(turn));
}

/// Where the spring of a tendon begins to pull and to push; no force between the two.
template <class T>
struct SpringBand
{
    T lower, upper;
};
template <class T>
RB_HD SpringBand<T> find_spring_band(const WorkspaceView<T>& w, int t)
{
    const TendonsView& tendons = w.tree->arrays.tendons;
    const T lower = T(tendons.spring_length[t][0]), upper = T(tendons.spring_length[t][1]);
    const int yield = tendons.plastic_begin[t];
    if (yield < 0) return {lower, upper};
    return {lower + w.act[yield], upper + w.act[yield + 1]};
}

/// How far a length is outside of the band; negative below it.
template <class T>
RB_HD T find_stretch(const SpringBand<T>& band, const T& length)
{
    return select(length > band.upper, length - band.upper, select(length < band.lower, length - band.lower, T(0.0)));
}

/// What of a displacement is beyond the yield: its rest follows by so much.
template <class T>
RB_HD T find_excess(const T& x, double yield)
{
    return select(x > T(yield), x - T(yield), select(x < T(-yield), x + T(yield), T(0.0)));
}

/// Moves the rests of joint springs whose displacement at w.q is beyond their yield, as far as it is (ideal
/// plasticity).
template <class T>
RB_HD void yield_joint_springs(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    for (const int j : w.tree->yielding_joints)
    {
        const TreeJoint& joint = w.tree->joints[j];
        const int shift = model.joints.plastic_begin[joint.joint];
        const double yield = model.joints.spring_yield[joint.joint];
        const auto move = [&](int, int count, const Vector3<T>& displacement, const T& size)
        {
            const T excess = find_excess(size, yield);
            if (count == 1)
            {
                w.act[shift] += excess;
                return;
            }
            // rest <- rest exp(turn excess / angle), and of the shift only the rotation vector is kept
            const T scale = excess / select(size > T(0.0), size, T(1.0));
            const Vector3<T> old{w.act[shift], w.act[shift + 1], w.act[shift + 2]};
            const Vector3<T> next = logarithm(exponential(old) * exponential(scale * displacement));
            for (int k = 0; k < 3; ++k) w.act[shift + k] = select(excess > T(0.0), next[k], old[k]);
        };
        visit_springs(w, joint, move);
    }
}

/// The same for tendons at `length`. A slack band [0, L] is a rope's: pulled, only its upper end moves.
template <class T>
RB_HD void yield_tendon_spring(WorkspaceView<T>& w, int t, const T& length)
{
    const TendonsView& tendons = w.tree->arrays.tendons;
    const int shift = tendons.plastic_begin[t];
    const SpringBand<T> band = find_spring_band(w, t);
    const T excess = find_excess(find_stretch(band, length), tendons.spring_yield[t]);
    const auto rope = both(both(band.lower >= T(0.0), band.lower <= T(0.0)), band.upper > T(0.0));
    w.act[shift] += select(both(rope, excess > T(0.0)), T(0.0), excess);
    w.act[shift + 1] += excess;
}

}  // namespace rattleback
