// Centres of mass, roots of inertias, and predicted velocities of free bodies.
#include "solvers/comfree/crowd_bodies.h"

#include "solvers/comfree/lone_spin.h"

namespace rattleback::comfree
{

namespace
{

Vec3 to_vector(const double* from) { return {from[0], from[1], from[2]}; }
Vec3 to_vector(std::span<const double> list, int begin) { return to_vector(list.data() + begin); }
void write_vector(const Vec3& from, double* to)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

/// From the frame of a body to the centre of mass of it and what is fixed on it.
Vec3 find_arm(const Workspace<double>& w, int body)
{
    const SpatialInertia<double>& composite = w.composite[body];
    return w.center[body] + (1 / composite.mass) * composite.moment - w.position[body];
}

}  // namespace

CrowdBodies::CrowdBodies(const Tree& tree) : place_(at(tree.model->body_count())), bodies_(1), body_(1)
{
    const Model& model = *tree.model;
    for (const int body : tree.lone_bodies) body_.push_back(body);
    bodies_.resize(body_.size());
    // What is fixed on a body moves with it.
    std::vector<int> place_of_root(place_.size());
    for (std::size_t k = 1; k < body_.size(); ++k) place_of_root[at(body_[k])] = static_cast<int>(k);
    for (int b = 0; b < model.body_count(); ++b)
        if (model.bodies.last_dof[at(b)] >= 0) place_[at(b)] = place_of_root[at(model.bodies.root[at(b)])];
}

bool CrowdBodies::serves(const Tree& tree)
{
    const Model& model = *tree.model;
    if (6 * tree.lone_bodies.size() != at(model.v_count()) || !tree.kinematic_bodies.empty()) return false;
    for (int d = 0; d < model.v_count(); ++d)
        if (model.dofs.armature[at(d)] != 0 || model.dofs.dry_friction[at(d)] > 0) return false;
    return model.tendon_count() == 0;
}

void CrowdBodies::place(const Workspace<double>& w, double dt)
{
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        const int b = body_[k], first = w.tree->arrays.bodies.v_begin[b];
        CrowdBody& body = bodies_[k];
        const SpatialInertia<double>& composite = w.composite[b];
        const Vec3 offset = (1 / composite.mass) * composite.moment, center = w.center[b] + offset;
        write_vector(center, body.center);
        body.center[3] = std::sqrt(1 / composite.mass);
        // B = D^-1/2 L^-1, L unit lower triangular.
        const Cholesky3<double> factor(find_central_inertia(composite, offset));
        const double root[3] = {std::sqrt(factor.i0), std::sqrt(factor.i1), std::sqrt(factor.i2)};
        body.turn[0] = root[0];
        body.turn[1] = -root[1] * factor.l10;
        body.turn[2] = root[1];
        body.turn[3] = root[2] * (factor.l10 * factor.l21 - factor.l20);
        body.turn[4] = -root[2] * factor.l21;
        body.turn[5] = root[2];
        // v_s = v + a dt (Eq. 2): of the frame, and about the body's axes; here of the centre, in world axes.
        const Vec3 linear = to_vector(w.v, first) + dt * to_vector(w.qacc, first);
        const Vec3 spin = w.matrix[b] * (to_vector(w.v, first + 3) + dt * to_vector(w.qacc, first + 3));
        write_vector(spin, body.spin);
        write_vector(linear + cross(spin, center - w.position[b]), body.velocity);
    }
}

void CrowdBodies::find_change(const Workspace<double>& w, std::span<const CrowdImpulse> z,
                              std::span<double> change) const
{
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        const int b = body_[k], first = w.tree->arrays.bodies.v_begin[b];
        const double *turn = bodies_[k].turn, *a = z[k].angular;
        // Velocity of the centre and spin; then of the frame, and about the body's axes.
        const Vec3 spin{turn[0] * a[0] + turn[1] * a[1] + turn[3] * a[2], turn[2] * a[1] + turn[4] * a[2],
                        turn[5] * a[2]};
        const Vec3 center = bodies_[k].center[3] * to_vector(z[k].linear);
        write_vector(center - cross(spin, to_vector(bodies_[k].center) - w.position[b]), change.data() + first);
        write_vector(transpose_times(w.matrix[b], spin), change.data() + first + 3);
    }
}

void CrowdBodies::find_force(const Workspace<double>& w, std::span<const CrowdImpulse> z,
                             std::span<const double> change, double rate, std::span<double> force) const
{
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        const int b = body_[k], first = w.tree->arrays.bodies.v_begin[b];
        const SpatialInertia<double>& composite = w.composite[b];
        const Vec3 offset = (1 / composite.mass) * composite.moment, arm = find_arm(w, b);
        const Vec3 spin = w.matrix[b] * to_vector(change, first + 3);
        // sqrt(m) z = m (z / sqrt(m)) at the centre of mass, and I times the change of spin about it.
        const Vec3 push = composite.mass * bodies_[k].center[3] * to_vector(z[k].linear);
        const Vec3 torque = turn_inertia(composite, offset, spin) + cross(arm, push);
        write_vector(rate * push, force.data() + first);
        write_vector(rate * transpose_times(w.matrix[b], torque), force.data() + first + 3);
    }
}

}  // namespace rattleback::comfree
