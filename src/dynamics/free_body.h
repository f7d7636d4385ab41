// Implicit velocity steps of lone free bodies, with the derivative of their gyroscopic forces: 6 x 6 blocks, solved
// with pivots.
#pragma once

#include "dynamics/fluid_derivative.h"
#include "math/dense.h"

#include <array>

namespace rattleback
{

// implicitfast leaves derivatives of Coriolis terms out, because they make M - h D unsymmetric. For a free body that
// carries nothing they stay within one 6 x 6 block, where that does no harm, and without them a fast top gains energy
// step by step ([MuJoCo], "Gyroscopic derivatives for free bodies").

template <class T>
using FreeBodyBlock = std::array<T, 36>;  ///< row-major

/// Inertia about the centre of mass of a body and what is fixed on it, times a vector.
template <class T>
RB_HD Vector3<T> turn_inertia(const SpatialInertia<T>& i, const Vector3<T>& offset, const Vector3<T>& a)
{
    // Parallel axis theorem: what the composite inertia has about the reference, less the mass at its offset.
    const Vector3<T> about_reference{i.xx * a.x + i.xy * a.y + i.xz * a.z, i.xy * a.x + i.yy * a.y + i.yz * a.z,
                                     i.xz * a.x + i.yz * a.y + i.zz * a.z};
    return about_reference - cross(i.moment, cross(a, offset));
}

/// Adds dt times the derivative of the bias force by v. With s from the frame to the centre of mass and w the angular
/// velocity: force m w x (w x s), torque about the frame s x force + w x (I w).
template <class T>
RB_HD void add_bias_derivative(const WorkspaceView<T>& w, int body, double dt, FreeBodyBlock<T>& block)
{
    const Matrix3<T>& axes = w.matrix[body];
    const SpatialInertia<T>& inertia = w.composite[body];
    const Vector3<T> offset = (T(1.0) / inertia.mass) * inertia.moment;  // from the body's own centre of mass
    const Vector3<T> s = w.center[body] + offset - w.position[body], spin = w.velocity[body].angular;
    // I w and w x s, which all three columns share.
    const Vector3<T> momentum = turn_inertia(inertia, offset, spin), swing = cross(spin, s);
    // Columns by the body's axes, along which the dofs of the spin point; translations have no gyroscopic terms.
    for (int c = 0; c < 3; ++c)
    {
        const Vector3<T> e = axes.column(c);
        // d/dw of w x (w x s) along e: e x (w x s) + w x (e x s).
        const Vector3<T> force = inertia.mass * (cross(e, swing) + cross(spin, cross(e, s)));
        // d/dw of w x (I w) along e: e x (I w) + w x (I e).
        const Vector3<T> torque =
            transpose_times(axes, cross(s, force) + cross(e, momentum) + cross(spin, turn_inertia(inertia, offset, e)));
        for (int r = 0; r < 3; ++r)
        {
            block[6 * r + 3 + c] += T(dt) * force[r];
            block[6 * (r + 3) + 3 + c] += T(dt) * torque[r];
        }
    }
}

/// For every body in Tree::lone_bodies: solves (M - dt D) a = force over its six dofs, D the derivative by v of all
/// smooth forces, gyroscopic ones included. That block is not symmetric, yet nothing else depends on it. `system` holds
/// M - dt D without gyroscopic terms, and without the medium if `medium` shall be added, in M's pattern. Other entries
/// of `acceleration` stay.
template <class T>
RB_HD void solve_lone_bodies(const WorkspaceView<T>& w, double dt, std::span<const T> system, std::span<const T> force,
                             std::span<T> acceleration, bool medium = true)
{
    const ModelView& model = w.tree->arrays;
    for (const int body : w.tree->lone_bodies)
    {
        const int first = model.bodies.v_begin[body];
        FreeBodyBlock<T> block;
        std::array<T, 6> x;
        // The symmetric block of M - dt D, from its lower triangle.
        for (int r = 0; r < 6; ++r)
        {
            const int row = model.dofs.row_begin[first + r];  // a root's rows hold its own dofs alone
            for (int c = 0; c <= r; ++c) block[6 * r + c] = block[6 * c + r] = system[row + c];
            x[r] = force[first + r];
        }
        add_bias_derivative(w, body, dt, block);
        if (medium) add_fluid_block<T>(w, body, -dt, block);
        // With row pivots: gyroscopic terms make the block unsymmetric, and it may be far from diagonally dominant.
        solve_general<6>(block.data(), x.data());
        for (int r = 0; r < 6; ++r) acceleration[first + r] = x[r];
    }
}

#if !defined(__CUDACC__)  // compiled once, in free_body.cpp
extern template void solve_lone_bodies(const WorkspaceView<double>&, double, std::span<const double>,
                                       std::span<const double>, std::span<double>, bool);
extern template void solve_lone_bodies(const WorkspaceView<Pack4>&, double, std::span<const Pack4>,
                                       std::span<const Pack4>, std::span<Pack4>, bool);
#endif

}  // namespace rattleback
