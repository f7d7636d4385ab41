// The 6 x 6 blocks of lone free bodies, and their solution with pivots.
#include "dynamics/free_body.h"

#include "dynamics/fluid.h"
#include "math/dense.h"

#include <array>

namespace rattleback
{

namespace
{

template <class T>
using Block = std::array<T, 36>;  ///< row-major

/// Inertia about the centre of mass of a body and what is fixed on it, times a vector.
template <class T>
Vector3<T> turn_inertia(const SpatialInertia<T>& i, const Vector3<T>& offset, const Vector3<T>& a)
{
    const Vector3<T> about_reference{i.xx * a.x + i.xy * a.y + i.xz * a.z, i.xy * a.x + i.yy * a.y + i.yz * a.z,
                                     i.xz * a.x + i.yz * a.y + i.zz * a.z};
    return about_reference - cross(i.moment, cross(a, offset));
}

/// Adds dt times the derivative of the bias force by v. With s from the frame to the centre of mass and w the angular
/// velocity: force m w x (w x s), torque about the frame s x force + w x (I w).
template <class T>
void add_bias_derivative(const Workspace<T>& w, int body, double dt, Block<T>& block)
{
    const Matrix3<T>& axes = w.matrix[body];
    const SpatialInertia<T>& inertia = w.composite[body];
    const Vector3<T> offset = (T(1.0) / inertia.mass) * inertia.moment;  // from the body's own centre of mass
    const Vector3<T> s = w.center[body] + offset - w.position[body], spin = w.velocity[body].angular;
    const Vector3<T> momentum = turn_inertia(inertia, offset, spin), swing = cross(spin, s);
    for (int c = 0; c < 3; ++c)
    {
        const Vector3<T> e = axes.column(c);
        const Vector3<T> force = inertia.mass * (cross(e, swing) + cross(spin, cross(e, s)));
        const Vector3<T> torque =
            transpose_times(axes, cross(s, force) + cross(e, momentum) + cross(spin, turn_inertia(inertia, offset, e)));
        for (int r = 0; r < 3; ++r)
        {
            block[6 * r + 3 + c] += T(dt) * force[r];
            block[6 * (r + 3) + 3 + c] += T(dt) * torque[r];
        }
    }
}

}  // namespace

template <class T>
void solve_lone_bodies(const Workspace<T>& w, double dt, std::span<const T> system, std::span<const T> force,
                       std::span<T> acceleration)
{
    const Model& model = *w.tree->model;
    for (const int body : w.tree->lone_bodies)
    {
        const int first = model.bodies.v_begin[body];
        Block<T> block;
        std::array<T, 6> x;
        for (int r = 0; r < 6; ++r)
        {
            const int row = model.dofs.row_begin[first + r];  // a root's rows hold its own dofs alone
            for (int c = 0; c <= r; ++c) block[6 * r + c] = block[6 * c + r] = system[row + c];
            x[r] = force[first + r];
        }
        add_bias_derivative(w, body, dt, block);
        add_fluid_block<T>(w, body, -dt, block);
        solve_general<6>(block.data(), x.data());
        for (int r = 0; r < 6; ++r) acceleration[first + r] = x[r];
    }
}

template void solve_lone_bodies(const Workspace<double>&, double, std::span<const double>, std::span<const double>,
                                std::span<double>);
template void solve_lone_bodies(const Workspace<Pack4>&, double, std::span<const Pack4>, std::span<const Pack4>,
                                std::span<Pack4>);

}  // namespace rattleback
