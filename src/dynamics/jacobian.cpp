// Point velocities and Jacobians.
#include "dynamics/jacobian.h"

#include <algorithm>

namespace rattleback
{

namespace
{

int find_kinematic(const Model& model, int body)
{
    int b = body;
    while (b > 0 && model.bodies.kind[b] != BodyKind::kinematic) b = model.bodies.parent[b];
    return b;
}

}  // namespace

template <class T>
Vector3<T> base_point_velocity(const Workspace<T>& w, int body, const Vector3<T>& point)
{
    const int b = find_kinematic(*w.tree->model, body);
    if (b == 0) return {};
    const Motion<T>& v = w.base_velocity[b];
    return v.linear + cross(v.angular, point - w.center[b]);
}

template <class T>
Vector3<T> base_angular_velocity(const Workspace<T>& w, int body)
{
    return w.base_velocity[find_kinematic(*w.tree->model, body)].angular;
}

template <class T>
Vector3<T> body_point_acceleration(const Workspace<T>& w, int body, const Vector3<T>& point)
{
    const Model& model = *w.tree->model;
    if (model.bodies.last_dof[body] >= 0)
    {
        // a spatial acceleration is that of the point passing by; the body point's own adds omega x velocity
        const Motion<T>& a = w.acceleration[body];
        return point_velocity(w, a, body, point) + cross(w.velocity[body].angular, body_point_velocity(w, body, point));
    }
    return -w.gravity + base_point_acceleration(w, body, point);
}

template <class T>
Vector3<T> base_point_acceleration(const Workspace<T>& w, int body, const Vector3<T>& point)
{
    const int b = find_kinematic(*w.tree->model, body);
    if (b == 0) return {};
    const Vector3<T> r = point - w.center[b];
    const Motion<T>& v = w.base_velocity[b];
    const Motion<T>& a = w.base_acceleration[b];
    return a.linear + cross(a.angular, r) + cross(v.angular, cross(v.angular, r));
}

template <class T>
Vector3<T> body_angular_acceleration(const Workspace<T>& w, int body)
{
    const Model& model = *w.tree->model;
    if (model.bodies.last_dof[body] >= 0) return w.acceleration[body].angular;
    return w.base_acceleration[find_kinematic(model, body)].angular;
}

template <class T>
void compute_jacobian(const Workspace<T>& w, int body, const Vector3<T>& point, std::span<T> linear,
                      std::span<T> angular)
{
    const Model& model = *w.tree->model;
    const auto count = static_cast<std::size_t>(model.v_count());
    std::fill(linear.begin(), linear.end(), T(0.0));
    std::fill(angular.begin(), angular.end(), T(0.0));
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d])
    {
        const Vector3<T> velocity = point_velocity(w, w.dof[d], body, point);
        for (int k = 0; k < 3; ++k)
        {
            linear[static_cast<std::size_t>(k) * count + static_cast<std::size_t>(d)] = velocity[k];
            angular[static_cast<std::size_t>(k) * count + static_cast<std::size_t>(d)] = w.dof[d].angular[k];
        }
    }
}

template Vector3<double> base_point_velocity(const Workspace<double>&, int, const Vector3<double>&);
template Vector3<Pack4> base_point_velocity(const Workspace<Pack4>&, int, const Vector3<Pack4>&);
template Vector3<double> base_angular_velocity(const Workspace<double>&, int);
template Vector3<Pack4> base_angular_velocity(const Workspace<Pack4>&, int);
template Vector3<double> body_point_acceleration(const Workspace<double>&, int, const Vector3<double>&);
template Vector3<Pack4> body_point_acceleration(const Workspace<Pack4>&, int, const Vector3<Pack4>&);
template Vector3<double> base_point_acceleration(const Workspace<double>&, int, const Vector3<double>&);
template Vector3<Pack4> base_point_acceleration(const Workspace<Pack4>&, int, const Vector3<Pack4>&);
template Vector3<double> body_angular_acceleration(const Workspace<double>&, int);
template Vector3<Pack4> body_angular_acceleration(const Workspace<Pack4>&, int);
template void compute_jacobian(const Workspace<double>&, int, const Vector3<double>&, std::span<double>,
                               std::span<double>);
template void compute_jacobian(const Workspace<Pack4>&, int, const Vector3<Pack4>&, std::span<Pack4>, std::span<Pack4>);

}  // namespace rattleback
