// One step of the sweeps of the law `stable` for each kind of block: the impulses of its rows, all others held.
#pragma once

#include "solvers/comfree/sweep_rows.h"

namespace rattleback::comfree
{

// Each step lowers phi(f) = 1/2 fᵀ(A + 1/Z) f + fᵀ(u_s + c) over the impulses of its block within their bounds. The
// gradient of a row is g = u_s + c + (A f) + f / Z; a row alone is minimised by f - g / (A + 1/Z), clamped.

/// Impulse [2] of a disc of this radius with gradient g [2].
template <class T>
void step_disc(const BlockNumbers<T>& n, const T* g, const T& radius, T* f)
{
    // It sticks where the minimum of the two rows is inside.
    const T whole0 = f[0] - (n.disc[0] * g[0] + n.disc[1] * g[1]);
    const T whole1 = f[1] - (n.disc[1] * g[0] + n.disc[2] * g[1]);
    const auto slides = whole0 * whole0 + whole1 * whole1 > radius * radius;
    if (!any(slides))
    {
        f[0] = whole0;
        f[1] = whole1;
        return;
    }
    // It slides: a projected gradient step, which descends because no curvature is above 1 / disc_step.
    const T part0 = f[0] - n.disc_step * g[0], part1 = f[1] - n.disc_step * g[1];
    const T size = sqrt(part0 * part0 + part1 * part1);
    const T scale = select(size > radius, radius / size, T(1.0));
    f[0] = select(slides, scale * part0, whole0);
    f[1] = select(slides, scale * part1, whole1);
}

/// f >= 0. An overlap answers as its spring or as what ends the approach, whichever is less: two falling answers.
template <class T>
T step_push(const BlockNumbers<T>& n, const T& u)
{
    const T spring = n.impulse[0] - (n.base[0] + u + n.compliance[0] * n.impulse[0]) * n.inverse;
    const T stop = n.impulse[0] - (n.stop_base + u + n.stop_compliance * n.impulse[0]) * n.stop_inverse;
    return maximum(T(0.0), minimum(spring, stop));
}

/// |f| <= bound.
template <class T>
T step_bounded(const BlockNumbers<T>& n, const T& u, const T& bound)
{
    const T g = n.base[0] + u + n.compliance[0] * n.impulse[0];
    return maximum(-bound, minimum(bound, n.impulse[0] - g * n.inverse));
}

/// The normal first, then the tangents at the normal impulse that it leaves.
template <class T>
void step_contact(const BlockNumbers<T>& n, const T* u, T* f)
{
    f[0] = step_push(n, u[0]);
    const T change = f[0] - n.impulse[0];
    T g[2];
    for (int r = 0; r < 2; ++r)
    {
        f[r + 1] = n.impulse[r + 1];
        g[r] = n.base[r + 1] + (u[r + 1] + n.coupling[r] * change) + n.compliance[1] * f[r + 1];
    }
    step_disc(n, g, n.bound * f[0], f + 1);
}

/// Rolling: both rows of a disc.
template <class T>
void step_roll(const BlockNumbers<T>& n, const T* u, const T& radius, T* f)
{
    T g[2];
    for (int r = 0; r < 2; ++r)
    {
        f[r] = n.impulse[r];
        g[r] = n.base[r] + u[r] + n.compliance[1] * f[r];
    }
    step_disc(n, g, radius, f);
}

}  // namespace rattleback::comfree
