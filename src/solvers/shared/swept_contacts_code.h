// Which lanes have fast bodies, and the stage of a world that has, for any scalar.
#pragma once

#include "solvers/shared/swept_contacts.h"

#include "base/index.h"
#include "dynamics/bias.h"
#include "dynamics/forces.h"
#include "dynamics/jacobian.h"
#include "math/broadcast.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

inline constexpr double kSwing = 4;  ///< thicknesses that the end of a body may swing in a step

/// Poses and velocities of all bodies in the first lane, where a workspace stands; good until the next call.
template <class T>
ConstWorldView SweptContacts::place(const Workspace<T>& w)
{
    const auto first = [](const Vector3<T>& a) { return Vec3{lane(a.x, 0), lane(a.y, 0), lane(a.z, 0)}; };
    const Bodies& bodies = model_.bodies;
    poses_.resize(bodies.parent.size());
    velocities_.resize(bodies.parent.size());
    for (std::size_t b = 0; b < poses_.size(); ++b)
    {
        const int body = static_cast<int>(b);
        const Quaternion<T>& q = w.rotation[body];
        poses_[b] = {first(w.position[body]), {lane(q.w, 0), lane(q.x, 0), lane(q.y, 0), lane(q.z, 0)}};
        // Bodies that neither joints nor tracks move have no velocity.
        if (bodies.last_dof[b] < 0 && w.tree->kinematic_bodies.empty()) continue;
        const Vec3 center = poses_[b].position + rotate(poses_[b].rotation, bodies.inertial_pose[b].position);
        velocities_[b] = {first(body_point_velocity(w, body, broadcast<T>(center))),
                          first(body_angular_velocity(w, body))};
    }
    ConstWorldView view;
    view.body_pose = poses_;
    view.body_velocity = velocities_;
    return view;
}

template <class T>
MaskOf<T> SweptContacts::find_fast_lanes(const Workspace<T>& w, double dt) const
{
    MaskOf<T> fast = make_mask<T>(false);
    const T fall = T(dt) * norm(w.gravity[0]);
    for (std::size_t b = 1; b < fast_.size(); ++b)
    {
        if (!std::isfinite(half_thickness_[b])) continue;
        const int body = static_cast<int>(b);
        const Vector3<T> v = point_velocity(w, w.velocity[body], body, w.center[body]);
        const Vector3<T>& spin = w.velocity[body].angular;
        const T thickness(2 * half_thickness_[b]), reach(reach_[b]);
        // (x + y + z)^2 <= 3 (x^2 + y^2 + z^2): most bodies are slow beyond doubt, and need no root.
        const T square = dot(v, v) + fall * fall + reach * reach * dot(spin, spin);
        if (!any(T(3 * dt * dt) * square > thickness * thickness)) continue;
        // as any_fast() says it
        const T way = T(dt) * (norm(v) + fall), turn = T(dt) * norm(spin);
        const MaskOf<T> passes = either(way > thickness, way + reach * turn > T(kSwing) * thickness);
        fast = either(fast, both(passes, turn < T(kPi)));
    }
    return fast;
}

template <class T>
std::span<const Contact> SweptContacts::look_ahead(double dt, std::span<const T> start_q, Stepper<T>& stepper,
                                                   StageContacts& contacts, ColliderMemory& memory, Workspace<T>& w,
                                                   StageTimer& timer)
{
    const auto move = [&](bool held)
    {
        std::copy(start_q.begin(), start_q.end(), w.q.begin());
        stepper.hold_drift(held);
        stepper.move_to_stage(0, dt, w, timer);
        compute_position_stage(w, timer);
    };
    move(true);
    compute_velocities(w);
    const ConstWorldView view = place(w);
    const Vector3<T>& g = w.gravity[0];
    const Vec3 gravity{lane(g.x, 0), lane(g.y, 0), lane(g.z, 0)};
    found_.clear();
    if (any_fast(view, gravity, dt)) find(view, gravity, dt, contacts.find_pairs(view, dt, memory));
    if (found_.empty()) move(false);
    return found_;
}

}  // namespace rattleback
