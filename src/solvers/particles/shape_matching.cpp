// The rotation and centre of a group from sums over its particles, and Eqs. 3 and 4 of [PBD-R].
#include "solvers/particles/shape_matching.h"

#include "solvers/particles/polar.h"

namespace rattleback::particles
{

template <class T>
void fit_shape(const RigidGroup& group, const GroupSums<T>& sums, bool fast_polar, GroupState<T>& state)
{
    const T share = static_cast<T>(1 / group.points.mass);

    // Müller et al. 2005: the rotation nearest to the particles is the orthogonal factor of A = sum of m (x - c) r^T.
    // As the m r add up to zero, A is the same about any point, and the sum about the reference does.
    Mat3 a;
    for (int k = 0; k < 9; ++k) a.m[k] = static_cast<double>(sums.shape.m[k]);
    state.rotation = fast_polar ? find_rotation_fast(a) : find_rotation(a, state.rotation);
    const Mat3 rotation = to_matrix(state.rotation);
    for (int k = 0; k < 9; ++k) state.fit.rotation.m[k] = static_cast<T>(rotation.m[k]);

    // c = sum of m x / M.
    state.fit.center = state.reference + share * sums.first;
    // As the authors' code has it: a mass that is wrong by d shrinks or stretches the centre's way from the origin by
    // d in every iteration, and nothing in plain PBD takes that back.
    if (state.added_mass > 0)
        state.fit.center = (1 / state.added_mass) * sums.place + state.fit.rotation * state.rest_shift;
    state.pending = {state.fit.center, {}, {}};

    // P = sum of m v and L = sum of m (x - c) x v before shape matching. L about the centre is L about the reference
    // less (c - reference) x P, and M (c - reference) is the first moment.
    state.linear = sums.linear;
    state.angular = sums.angular - share * cross(sums.moved, sums.linear);
}

template <class T>
void find_momentum_correction(const RigidGroup& group, const GroupSums<T>& sums, bool linear, bool angular,
                              GroupState<T>& state)
{
    // Line 12 of Algorithm 1. P and L were kept by fit_shape, before shape matching; the sums are those after it.
    const T mass = static_cast<T>(group.points.mass), share = 1 / mass;
    // The goals R r + c have their centre of mass at c only to rounding, so it is measured and not assumed.
    const Vector3<T> shift = share * sums.moved;  // of the centre of mass from the fit's
    MomentumCorrection<T>& pending = state.pending;
    pending.center = state.fit.center + shift;

    // Eq. 3: v += dv, x += h dv with dv = (P_before - P_after) / M. Both are relative to the same reference velocity.
    if (linear) pending.velocity = share * (state.linear - sums.linear);
    if (!angular) return;

    // Eq. 4: v -= omega x r, x -= h omega x r with omega = I^-1 (L_after - L_before).
    const Vector3<T> after = sums.angular - cross(shift, sums.linear);
    // I = sum of m (|r|^2 1 - r r^T) about the centre of mass: second moments about the fit's centre less those of the
    // whole mass there (parallel axis theorem).
    const T* s = sums.second.m;
    const T xx = s[0] - mass * shift.x * shift.x, yy = s[2] - mass * shift.y * shift.y;
    const T zz = s[5] - mass * shift.z * shift.z;
    const Symmetric3<T> inertia{{yy + zz,                                   //
                                 mass * shift.x * shift.y - s[1], xx + zz,  //
                                 mass * shift.x * shift.z - s[3], mass * shift.y * shift.z - s[4], xx + yy}};
    pending.angular_velocity = solve_or_zero(inertia, after - state.angular);
}

template <class T>
RigidMotion find_motion(const RigidGroup& group, const GroupState<T>& state)
{
    // v = P / M; the sum was taken of velocities relative to the reference.
    const Vec3 velocity = widen(state.reference_velocity) + (1 / group.points.mass) * widen(state.linear);
    // omega = (R I R^T)^-1 L with the inertia of the points, not of the solid.
    const Vec3 angular_velocity =
        solve_or_zero(rotate_inertia(group.points.inertia, state.rotation), widen(state.angular));
    return {state.rotation, widen(state.fit.center), velocity, angular_velocity};
}

template void fit_shape(const RigidGroup&, const GroupSums<float>&, bool, GroupState<float>&);
template void fit_shape(const RigidGroup&, const GroupSums<double>&, bool, GroupState<double>&);
template void find_momentum_correction(const RigidGroup&, const GroupSums<float>&, bool, bool, GroupState<float>&);
template void find_momentum_correction(const RigidGroup&, const GroupSums<double>&, bool, bool, GroupState<double>&);
template RigidMotion find_motion(const RigidGroup&, const GroupState<float>&);
template RigidMotion find_motion(const RigidGroup&, const GroupState<double>&);

}  // namespace rattleback::particles
