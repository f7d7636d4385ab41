// Velocities and accelerations of body points, and Jacobians, from the workspace of one world or a pack.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// Velocity of a point of `body` when the body moves as `m` (about its tree's reference).
template <class T>
Vector3<T> point_velocity(const Workspace<T>& w, const Motion<T>& m, int body, const Vector3<T>& point)
{
    const Vector3<T> arm = point - w.center[w.tree->model->bodies.root[body]];
    return m.linear + cross(m.angular, arm);
}

/// Angular velocity of the same.
template <class T>
Vector3<T> base_angular_velocity(const Workspace<T>& w, int body);

/// Velocity of a point of a body: moving, kinematic or static.
template <class T>
Vector3<T> body_point_velocity(const Workspace<T>& w, int body, const Vector3<T>& point)
{
    if (w.tree->model->bodies.last_dof[body] < 0) return base_point_velocity(w, body, point);
    return point_velocity(w, w.velocity[body], body, point);
}

/// Velocity that a point of a body has from the kinematic body that carries it, joints at rest; zero without one.
template <class T>
Vector3<T> base_point_velocity(const Workspace<T>& w, int body, const Vector3<T>& point);

/// Acceleration of a body point while the joints do not accelerate; minus gravity, for all bodies alike.
template <class T>
Vector3<T> body_point_acceleration(const Workspace<T>& w, int body, const Vector3<T>& point);

/// Acceleration that a point of a body has from the kinematic body that carries it, joints at rest; without gravity.
template <class T>
Vector3<T> base_point_acceleration(const Workspace<T>& w, int body, const Vector3<T>& point);

/// Angular velocity of a body: moving, kinematic or static.
template <class T>
Vector3<T> body_angular_velocity(const Workspace<T>& w, int body)
{
    return w.tree->model->bodies.last_dof[body] < 0 ? base_angular_velocity(w, body) : w.velocity[body].angular;
}

/// Angular acceleration of a body while the joints do not accelerate.
template <class T>
Vector3<T> body_angular_acceleration(const Workspace<T>& w, int body);

/// Dense Jacobians of the velocity of a body point and of the angular velocity, [3][v_count] each, row-major, world
/// axes.
template <class T>
void compute_jacobian(const Workspace<T>& w, int body, const Vector3<T>& point, std::span<T> linear,
                      std::span<T> angular);

}  // namespace rattleback
