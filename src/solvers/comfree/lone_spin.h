// A bound on the spin that implicit gyroscopic forces leave to free bodies that carry nothing.
#pragma once

#include "dynamics/free_body.h"
#include "math/symmetric3.h"

namespace rattleback::comfree
{

/// Inertia about the centre of mass, in world axes.
template <class T>
Symmetric3<T> find_central_inertia(const SpatialInertia<T>& inertia, const Vector3<T>& offset)
{
    Symmetric3<T> central;
    for (int c = 0; c < 3; ++c)
    {
        Vector3<T> axis;
        axis[c] = T(1.0);
        const Vector3<T> column = turn_inertia(inertia, offset, axis);
        // The lower triangle by rows.
        for (int r = c; r < 3; ++r) central.m[r * (r + 1) / 2 + c] = column[r];
    }
    return central;
}

/// Integrators that have gyroscopic forces of lone bodies linearised and implicit in v_s.
inline bool turns_implicitly(Integrator integrator)
{
    return integrator == Integrator::implicitfast || integrator == Integrator::discrete;
}

// Gyroscopic forces do no work. Linearised and implicit, as turns_implicitly() says of whom, they take energy from what
// turns by less than some three radians in a step, and give some to what turns faster. So the rotational energy after
// them is at most that before the step, or that which the torques alone would have made of it, whichever is more.

/// Slows the predicted spin v_s of lone bodies to that energy; their centres of mass move as predicted. `w` has the
/// acceleration without constraints. True where some body was too fast.
template <class T>
bool bound_lone_spin(Workspace<T>& w, double dt)
{
    constexpr double kRounding = kIsSingle<T> ? 1e-6 : 1e-12;  // of an energy
    const ModelView& model = w.tree->arrays;
    bool bounded = false;
    for (const int body : w.tree->lone_bodies)
    {
        const int first = model.bodies.v_begin[body];
        const Matrix3<T>& axes = w.matrix[body];
        const SpatialInertia<T>& composite = w.composite[body];
        const Vector3<T> offset = (T(1.0) / composite.mass) * composite.moment, spin = w.velocity[body].angular;
        const auto triple = [&](std::span<const T> list, int d)
        { return Vector3<T>{list[d], list[d + 1], list[d + 2]}; };
        const Vector3<T> predicted = axes * (triple(w.v, first + 3) + T(dt) * triple(w.qacc, first + 3));
        // 2 T = w.I w, before the step and as predicted.
        const auto find_energy = [&](const Vector3<T>& turn)
        { return dot(turn, turn_inertia(composite, offset, turn)); };
        const T before = find_energy(spin), after = find_energy(predicted), slack(1 + kRounding);
        const auto fast = T(dt * dt) * dot(spin, spin) > T(1.0);
        if (!any(both(fast, after > slack * before))) continue;
        // What torques about the centre of mass, all forces but those of the motion itself, would make of it.
        const Vector3<T> s = w.center[body] + offset - w.position[body];
        const Vector3<T> force = triple(w.total, first) + triple(w.bias, first);
        const Vector3<T> torque = axes * (triple(w.total, first + 3) + triple(w.bias, first + 3)) - cross(s, force);
        const Cholesky3<T> inverse(find_central_inertia(composite, offset));
        const T most = maximum(before, find_energy(spin + T(dt) * inverse.solve(torque)));
        const auto gains = both(fast, after > slack * most);
        const T scale = select(gains, sqrt(most / after), T(1.0));
        bounded = bounded || any(gains);
        // The frame moves so that the centre of mass goes on as it would.
        const Vector3<T> lost = (scale - T(1.0)) * predicted, turned = transpose_times(axes, lost);
        const Vector3<T> shift = cross(s, lost);
        for (int k = 0; k < 3; ++k)
        {
            // Lanes that gain nothing keep their bits, the sign of a zero too.
            T &linear = w.qacc[first + k], &angular = w.qacc[first + 3 + k];
            linear = select(gains, linear + T(1 / dt) * shift[k], linear);
            angular = select(gains, angular + T(1 / dt) * turned[k], angular);
        }
    }
    return bounded;
}

}  // namespace rattleback::comfree
