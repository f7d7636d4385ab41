// Velocities and accelerations of body points, and Jacobians, from the workspace of one world or a pack.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// The kinematic body that carries `body`, itself included; 0: none.
RB_HD inline int find_kinematic(const ModelView& model, int body)
{
    int b = body;
    // Up the tree: kinematic bodies carry all below them.
    while (b > 0 && model.bodies.kind[b] != BodyKind::kinematic) b = model.bodies.parent[b];
    return b;
}

/// Velocity of a point of `body` when the body moves as `m` (about its tree's reference).
template <class T>
RB_HD Vector3<T> point_velocity(const WorkspaceView<T>& w, const Motion<T>& m, int body, const Vector3<T>& point)
{
    // Motions are given at the tree's reference point; the arm carries them to this one.
    const Vector3<T> arm = point - w.center[w.tree->arrays.bodies.root[body]];
    return m.linear + cross(m.angular, arm);
}

/// Velocity that a point of a body has from the kinematic body that carries it, joints at rest; zero without one.
template <class T>
RB_HD Vector3<T> base_point_velocity(const WorkspaceView<T>& w, int body, const Vector3<T>& point)
{
    // Joints between the body and its base do not count: only what the base itself moves.
    const int b = find_kinematic(w.tree->arrays, body);
    if (b == 0) return {};
    const Motion<T>& v = w.base_velocity[b];
    return v.linear + cross(v.angular, point - w.center[b]);
}

/// Angular velocity of the same.
template <class T>
RB_HD Vector3<T> base_angular_velocity(const WorkspaceView<T>& w, int body)
{
    // Row 0 of base_velocity is the world, at rest.
    return w.base_velocity[find_kinematic(w.tree->arrays, body)].angular;
}

/// Velocity of a point of a body: moving, kinematic or static.
template <class T>
RB_HD Vector3<T> body_point_velocity(const WorkspaceView<T>& w, int body, const Vector3<T>& point)
{
    // Bodies without dofs have no motion of their own in the workspace.
    if (w.tree->arrays.bodies.last_dof[body] < 0) return base_point_velocity(w, body, point);
    return point_velocity(w, w.velocity[body], body, point);
}

/// Angular velocity of a body: moving, kinematic or static.
template <class T>
RB_HD Vector3<T> body_angular_velocity(const WorkspaceView<T>& w, int body)
{
    return w.tree->arrays.bodies.last_dof[body] < 0 ? base_angular_velocity(w, body) : w.velocity[body].angular;
}

/// Acceleration that a point of a body has from the kinematic body that carries it, joints at rest; without gravity.
template <class T>
RB_HD Vector3<T> base_point_acceleration(const WorkspaceView<T>& w, int body, const Vector3<T>& point)
{
    const int b = find_kinematic(w.tree->arrays, body);
    if (b == 0) return {};
    // v and a of a base are at its centre of mass.
    const Vector3<T> r = point - w.center[b];
    const Motion<T>& v = w.base_velocity[b];
    const Motion<T>& a = w.base_acceleration[b];
    // Rigid-body formula: tangential and centripetal part.
    return a.linear + cross(a.angular, r) + cross(v.angular, cross(v.angular, r));
}

/// Acceleration of a body point while the joints do not accelerate; minus gravity, for all bodies alike.
template <class T>
RB_HD Vector3<T> body_point_acceleration(const WorkspaceView<T>& w, int body, const Vector3<T>& point)
{
    const ModelView& model = w.tree->arrays;
    if (model.bodies.last_dof[body] >= 0)
    {
        // a spatial acceleration is that of the point passing by; the body point's own adds omega x velocity
        const Motion<T>& a = w.acceleration[body];
        return point_velocity(w, a, body, point) + cross(w.velocity[body].angular, body_point_velocity(w, body, point));
    }
    // Gravity is in the acceleration of all moving bodies (bias.h): here too, so that differences of two bodies are
    // free of it.
    return -w.gravity[0] + base_point_acceleration(w, body, point);
}

/// Angular acceleration of a body while the joints do not accelerate.
template <class T>
RB_HD Vector3<T> body_angular_acceleration(const WorkspaceView<T>& w, int body)
{
    const ModelView& model = w.tree->arrays;
    // Angular accelerations have no reference point: as they are.
    if (model.bodies.last_dof[body] >= 0) return w.acceleration[body].angular;
    return w.base_acceleration[find_kinematic(model, body)].angular;
}

/// Dense Jacobians of the velocity of a body point and of the angular velocity, [3][v_count] each, row-major, world
/// axes.
template <class T>
RB_HD void compute_jacobian(const WorkspaceView<T>& w, int body, const Vector3<T>& point, std::span<T> linear,
                            std::span<T> angular)
{
    const ModelView& model = w.tree->arrays;
    const auto count = static_cast<std::size_t>(model.v_count());
    for (T& entry : linear) entry = T(0.0);
    for (T& entry : angular) entry = T(0.0);
    // Only dofs on the path to the root move the point; all other columns stay zero.
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d])
    {
        // Column d is the velocity of the point per unit of dof d.
        const Vector3<T> velocity = point_velocity(w, w.dof[d], body, point);
        for (int k = 0; k < 3; ++k)
        {
            linear[static_cast<std::size_t>(k) * count + static_cast<std::size_t>(d)] = velocity[k];
            angular[static_cast<std::size_t>(k) * count + static_cast<std::size_t>(d)] = w.dof[d].angular[k];
        }
    }
}

#if !defined(__CUDACC__)  // compiled once, in jacobian.cpp
extern template Vector3<double> base_point_velocity(const WorkspaceView<double>&, int, const Vector3<double>&);
extern template Vector3<Pack4> base_point_velocity(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&);
extern template Vector3<double> base_angular_velocity(const WorkspaceView<double>&, int);
extern template Vector3<Pack4> base_angular_velocity(const WorkspaceView<Pack4>&, int);
extern template Vector3<double> body_point_acceleration(const WorkspaceView<double>&, int, const Vector3<double>&);
extern template Vector3<Pack4> body_point_acceleration(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&);
extern template Vector3<double> base_point_acceleration(const WorkspaceView<double>&, int, const Vector3<double>&);
extern template Vector3<Pack4> base_point_acceleration(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&);
extern template Vector3<double> body_angular_acceleration(const WorkspaceView<double>&, int);
extern template Vector3<Pack4> body_angular_acceleration(const WorkspaceView<Pack4>&, int);
extern template void compute_jacobian(const WorkspaceView<double>&, int, const Vector3<double>&, std::span<double>,
                                      std::span<double>);
extern template void compute_jacobian(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&, std::span<Pack4>,
                                      std::span<Pack4>);
#endif

}  // namespace rattleback
