// Centres of mass, roots of inertias, and predicted velocities of free bodies.
#include "solvers/comfree/crowd_bodies.h"

#include "solvers/comfree/crowd_lanes.h"
#include "solvers/comfree/lone_spin.h"

#include "base/index.h"
#include "dynamics/integrate.h"

#include <algorithm>

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

/// B a and Bᵀ a, with B a lower triangle by rows.
Vec3 turn(const double* b, const Vec3& a)
{
    return {b[0] * a.x, b[1] * a.x + b[2] * a.y, b[3] * a.x + b[4] * a.y + b[5] * a.z};
}
Vec3 turn_back(const double* b, const Vec3& a)
{
    return {b[0] * a.x + b[1] * a.y + b[3] * a.z, b[2] * a.y + b[4] * a.z, b[5] * a.z};
}

/// The block of M of a free body, of rows of the lower triangle one behind the other.
void write_mass_matrix(Workspace<double>& w, int body)
{
    const int first = w.tree->arrays.bodies.v_begin[body];
    const SpatialInertia<double>& composite = w.composite[body];
    const Motion<double>* dof = w.dof.data() + first;
    double* row = w.mass_matrix.data() + w.tree->arrays.dofs.row_begin[first];
    // Translations along the world's axes have m alone.
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < i; ++j) *row++ = 0;
        *row++ = composite.mass;
    }
    // M_ij = S_jᵀ I S_i.
    for (int i = 3; i < 6; ++i)
    {
        const Force<double> force = composite * dof[i];
        for (int j = 0; j < 3; ++j) *row++ = force.force[j];
        for (int j = 3; j <= i; ++j) *row++ = dot(dof[j], force);
    }
}

}  // namespace

CrowdBodies::CrowdBodies(const Tree& tree) : place_(at(tree.model->body_count())), bodies_(1), body_(1), q_begin_(1)
{
    const Model& model = *tree.model;
    for (const int body : tree.lone_bodies)
    {
        body_.push_back(body);
        q_begin_.push_back(model.joints.q_begin[at(model.dofs.joint[at(model.bodies.v_begin[at(body)])])]);
    }
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

void CrowdBodies::place(Workspace<double>& w)
{
    const TreeView& tree = *w.tree;
    for (const TreeBody& body : tree.bodies) w.composite[body.body] = w.inertia[body.body];
    // What is fixed on a body comes behind it in the list.
    for (std::size_t k = tree.bodies.size(); k-- > 0;)
        if (tree.bodies[k].v_begin == tree.bodies[k].v_end)
            w.composite[tree.bodies[k].parent] += w.composite[tree.bodies[k].body];
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        write_mass_matrix(w, body_[k]);
        const SpatialInertia<double>& composite = w.composite[body_[k]];
        CrowdBody& body = bodies_[k];
        const Vec3 offset = (1 / composite.mass) * composite.moment;
        write_vector(w.center[body_[k]] + offset, body.center);
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
    }
}

void CrowdBodies::find_acceleration(Workspace<double>& w) const
{
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        const int b = body_[k], first = w.tree->arrays.bodies.v_begin[b];
        const CrowdBody& body = bodies_[k];
        const Vec3 arm = to_vector(body.center) - w.position[b];
        // Force and torque about the frame become those at the centre of mass; its acceleration, that of the frame.
        const Vec3 force = to_vector(w.total, first);
        const Vec3 torque = w.matrix[b] * to_vector(w.total, first + 3) - cross(arm, force);
        const Vec3 spin = turn_back(body.turn, turn(body.turn, torque));
        write_vector((body.center[3] * body.center[3]) * force - cross(spin, arm), w.qacc.data() + first);
        write_vector(transpose_times(w.matrix[b], spin), w.qacc.data() + first + 3);
    }
}

void CrowdBodies::predict(const Workspace<double>& w, double dt)
{
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        const int b = body_[k], first = w.tree->arrays.bodies.v_begin[b];
        CrowdBody& body = bodies_[k];
        // v_s = v + a dt (Eq. 2): of the frame, and about the body's axes; here of the centre, in world axes.
        const Vec3 linear = to_vector(w.v, first) + dt * to_vector(w.qacc, first);
        const Vec3 spin = w.matrix[b] * (to_vector(w.v, first + 3) + dt * to_vector(w.qacc, first + 3));
        write_vector(spin, body.spin);
        write_vector(linear + cross(spin, to_vector(body.center) - w.position[b]), body.velocity);
    }
}

void CrowdBodies::advance(std::span<const double> rates, double dt, Workspace<double>& w) const
{
    const Pack4 scale(dt);
    for (std::size_t begin = 1; begin < body_.size(); begin += 4)
    {
        // Four bodies at once; lanes behind the last repeat it.
        const auto place = [&](int k) { return std::min(begin + at(k), body_.size() - 1); };
        const auto q = [&](int k) { return w.q.data() + q_begin_[place(k)]; };
        const auto rate = [&](int k) { return rates.data() + w.tree->arrays.bodies.v_begin[body_[place(k)]]; };
        const Vector3<Pack4> linear = load_lanes(rate).vector;
        const Vector3<Pack4> angular = load_lanes([&](int k) { return rate(k) + 3; }).vector;
        // Seven numbers per body, read as its first and its last four.
        const LaneVector position = load_lanes(q), rotation = load_lanes([&](int k) { return q(k) + 3; });
        const Vector3<Pack4> moved = position.vector + scale * linear;
        Pack4 turned[4] = {rotation.vector.x, rotation.vector.y, rotation.vector.z, rotation.last};
        turn_quaternion(scale * angular, turned, turned);
        store_lanes({moved, turned[0]}, q);
        store_lanes({{turned[0], turned[1], turned[2]}, turned[3]}, [&](int k) { return q(k) + 3; });
    }
}

void CrowdBodies::find_change(const Workspace<double>& w, std::span<const CrowdImpulse> z,
                              std::span<double> change) const
{
    for (std::size_t k = 1; k < body_.size(); ++k)
    {
        const int b = body_[k], first = w.tree->arrays.bodies.v_begin[b];
        // Velocity of the centre and spin; then of the frame, and about the body's axes.
        const Vec3 spin = turn_back(bodies_[k].turn, to_vector(z[k].angular));
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
        const Vec3 offset = (1 / composite.mass) * composite.moment, arm = to_vector(bodies_[k].center) - w.position[b];
        const Vec3 spin = w.matrix[b] * to_vector(change, first + 3);
        // sqrt(m) z = m (z / sqrt(m)) at the centre of mass, and I times the change of spin about it.
        const Vec3 push = composite.mass * bodies_[k].center[3] * to_vector(z[k].linear);
        const Vec3 torque = turn_inertia(composite, offset, spin) + cross(arm, push);
        write_vector(rate * push, force.data() + first);
        write_vector(rate * transpose_times(w.matrix[b], torque), force.data() + first + 3);
    }
}

}  // namespace rattleback::comfree
