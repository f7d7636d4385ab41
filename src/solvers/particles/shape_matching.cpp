// The rotation and centre of a group from sums over its particles, and Eqs. 3 and 4 of [PBD-R].
#include "solvers/particles/shape_matching.h"

#include "solvers/particles/polar.h"

namespace rattleback::particles
{

namespace
{

/// Sum of m rest rest^T as a part of the mass: tr(I) / 2 - I.
Mat3 find_spread(const RigidGroup& group)
{
    const Mat3& inertia = group.points.inertia;
    const double half_trace = 0.5 * (inertia(0, 0) + inertia(1, 1) + inertia(2, 2));
    Mat3 spread;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) spread(i, j) = ((i == j ? half_trace : 0) - inertia(i, j)) / group.points.mass;
    return spread;
}

/// Sum of m a x b of vectors whose sum of m a b^T is `outer`.
Vec3 find_cross_sum(const Mat3& outer)
{
    return {outer(1, 2) - outer(2, 1), outer(2, 0) - outer(0, 2), outer(0, 1) - outer(1, 0)};
}

/// What the sum of m a x f leaves of L: the sum of m u x (spin rest). (That of m (shape rest) x (spin rest) is the same
/// before and after shape matching.)
template <class T>
Vector3<T> find_angular(const GroupSums<T>& sums, const GroupState<T>& state)
{
    if (state.world_frame) return sums.angular;
    return sums.angular + cast<T>(find_cross_sum(widen(sums.shape) * transpose(state.frame.spin)));
}

}  // namespace

template <class T>
void fit_shape(const RigidGroup& group, const GroupSums<T>& sums, bool fast_polar, GroupState<T>& state)
{
    const T share = static_cast<T>(1 / state.mass);

    // Müller et al. 2005: the rotation nearest to the particles is the orthogonal factor of A = sum of m (x - c) r^T.
    // As the m r add up to zero, A is the same about any point, and the sum about the reference does.
    Mat3 a = widen(sums.shape);
    if (!state.world_frame)
    {
        // Of x = shape r + u the first part is known in double; the sums have the second.
        const Mat3 known = state.frame.shape * find_spread(group);
        for (int k = 0; k < 9; ++k) a.m[k] += known.m[k];
    }
    state.rotation = fast_polar ? find_rotation_fast(a) : find_rotation(a, state.rotation);
    const Mat3 rotation = to_matrix(state.rotation);
    for (int k = 0; k < 9; ++k) state.fit.turn.m[k] = static_cast<T>(rotation.m[k] - state.frame.shape.m[k]);

    // c = sum of m x / M.
    state.fit.center = state.reference + share * sums.first;
    // As the authors' code has it: a mass that is wrong by d shrinks or stretches the centre's way from the origin by
    // d in every iteration, and nothing in plain PBD takes that back.
    if (state.added_mass > 0)
        state.fit.center = (1 / state.added_mass) * sums.place + state.fit.turn * state.rest_shift;
    state.pending = {state.fit.center, {}, {}};

    // P = sum of m v and L = sum of m (x - c) x v before shape matching. L about the centre is L about the reference
    // less (c - reference) x P, and M (c - reference) is the first moment.
    state.linear = sums.linear;
    state.angular = find_angular(sums, state) - share * cross(sums.moved, sums.linear);
}

template <class T>
void find_momentum_correction(const GroupSums<T>& sums, bool linear, bool angular, GroupState<T>& state)
{
    // Line 12 of Algorithm 1. P and L were kept by fit_shape, before shape matching; the sums are those after it.
    const T mass = static_cast<T>(state.mass), share = 1 / mass;
    // The goals R r + c have their centre of mass at c only to rounding, so it is measured and not assumed.
    const Vector3<T> shift = share * sums.moved;  // of the centre of mass from the fit's
    MomentumCorrection<T>& pending = state.pending;
    pending.center = state.fit.center + shift;

    // Eq. 3: v += dv, x += h dv with dv = (P_before - P_after) / M. Both are relative to the same reference velocity.
    if (linear) pending.velocity = share * (state.linear - sums.linear);
    if (!angular) return;

    // Eq. 4: v -= omega x r, x -= h omega x r with omega = I^-1 (L_after - L_before).
    const Vector3<T> after = find_angular(sums, state) - cross(shift, sums.linear);
    // I = sum of m (|r|^2 1 - r r^T) about the centre of mass: second moments about the fit's centre less those of the
    // whole mass there (parallel axis theorem).
    const T* s = sums.second.m;
    const T xx = s[0] - mass * shift.x * shift.x, yy = s[2] - mass * shift.y * shift.y;
    const T zz = s[5] - mass * shift.z * shift.z;
    const Symmetric3<T> inertia{{yy + zz,                                   //
                                 mass * shift.x * shift.y - s[1], xx + zz,  //
                                 mass * shift.x * shift.z - s[3], mass * shift.y * shift.z - s[4], xx + yy}};
    if (state.world_frame)
    {
        pending.angular_velocity = solve_or_zero(inertia, after - state.angular);
        return;
    }
    // The determinant goes with the sixth power of the size, which floats do not hold for a body of a millimetre.
    Symmetric3<double> wide;
    for (int k = 0; k < 6; ++k) wide.m[k] = static_cast<double>(inertia.m[k]);
    pending.angular_velocity = cast<T>(solve_or_zero(wide, widen(after - state.angular)));
}

template <class T>
RigidMotion find_motion(const RigidGroup& group, const GroupState<T>& state)
{
    // v = P / M; the sum was taken of velocities relative to the reference.
    const Vec3 velocity =
        state.frame.velocity + widen(state.reference_velocity) + (1 / state.mass) * widen(state.linear);
    // omega = (R I R^T)^-1 L with the inertia of the points, not of the solid.
    Vec3 momentum = widen(state.angular);
    if (!state.world_frame)
    {
        const Mat3 known = state.frame.shape * find_spread(group) * transpose(state.frame.spin);
        momentum = group.points.mass * (momentum + find_cross_sum(known));
    }
    const Vec3 angular_velocity = solve_or_zero(rotate_inertia(group.points.inertia, state.rotation), momentum);
    return {state.rotation, state.frame.place + widen(state.fit.center), velocity, angular_velocity};
}

template void fit_shape(const RigidGroup&, const GroupSums<float>&, bool, GroupState<float>&);
template void fit_shape(const RigidGroup&, const GroupSums<double>&, bool, GroupState<double>&);
template void find_momentum_correction(const GroupSums<float>&, bool, bool, GroupState<float>&);
template void find_momentum_correction(const GroupSums<double>&, bool, bool, GroupState<double>&);
template RigidMotion find_motion(const RigidGroup&, const GroupState<float>&);
template RigidMotion find_motion(const RigidGroup&, const GroupState<double>&);

}  // namespace rattleback::particles
