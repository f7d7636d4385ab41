// From row forces to wrenches of contacts and forces of other constraints.
#include "solvers/shared/contact_forces.h"

namespace rattleback
{

void find_contact_forces(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> forces,
                         std::vector<Wrench>& wrenches)
{
    wrenches.assign(contacts.items.size(), {});
    // Contacts whose bodies no dof moves have no cone, and no force.
    for (const RowCone& cone : rows.cones)
    {
        // Six components at most, whatever the dimension of the cone.
        std::array<double, 6> local{};  // normal, two tangents, spin, two rolls
        const double* f = forces.data() + cone.row;
        if (rows.kind[cone.row] == RowKind::cone || cone.dimension == 1)
        {
            // Rows of an elliptic cone are components along the contact's axes.
            for (int j = 0; j < cone.row_count; ++j) local[j] = f[j];
        }
        else
        {
            // Edges n + mu t and n - mu t of a pyramid: their sum pushes, mu times their difference rubs.
            for (int k = 0; k < cone.dimension - 1; ++k)
            {
                local[0] += f[2 * k] + f[2 * k + 1];
                local[k + 1] = cone.friction[k] * (f[2 * k] - f[2 * k + 1]);
            }
        }
        // From the contact's axes to the world's: force on the second body, and its torque about the contact point.
        const Mat3& frame = contacts.items[cone.contact].frame;
        wrenches[cone.contact] = {frame * Vec3{local[0], local[1], local[2]},
                                  frame * Vec3{local[3], local[4], local[5]}};
    }
}

namespace
{

/// A point of a body in the world.
Vec3 place_point(const Workspace<double>& w, int body, const Vec3& point)
{
    return w.position[body] + w.matrix[body] * point;
}

/// Three or six rows of a connect or weld as wrenches about the world's origin.
void add_tie(const Workspace<double>& w, int equality, std::span<const double> f, ConstraintForces& found)
{
    const Equalities& all = w.tree->model->equalities;
    const int first = all.first[equality], second = all.second[equality];
    const Pose &first_frame = all.first_frame[equality], &second_frame = all.second_frame[equality];
    const Vec3 force{f[0], f[1], f[2]};
    Vec3 torque;
    if (f.size() == 6)
    {
        // The transpose of the rate of vec(conj(q2) q1) per angular velocity, see rows_equality: conj(q2) w q1 / 2.
        const Quat q1 = w.rotation[first] * first_frame.rotation, q2 = w.rotation[second] * second_frame.rotation;
        for (int k = 0; k < 3; ++k)
        {
            const Quat turned =
                conjugate(q2) * Quat{0, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0} * q1;
            torque[k] = 0.5 * all.torque_scale[equality] * (turned.x * f[3] + turned.y * f[4] + turned.z * f[5]);
        }
    }
    // Moved to the world's origin, where wrenches of both bodies can be compared.
    found.first[equality] = {force, torque + cross(place_point(w, first, first_frame.position), force)};
    found.second[equality] = {-force, -(torque + cross(place_point(w, second, second_frame.position), force))};
}

/// The row of a coupled tendon: J of the first less p' times J of the second.
void add_coupled_tendons(const Workspace<double>& w, int equality, double force, ConstraintForces& found)
{
    const Model& model = *w.tree->model;
    const int first = model.equalities.first[equality], second = model.equalities.second[equality];
    found.tendon[first] += force;
    if (second < 0) return;
    const double x = w.tendon_length[second] - model.tendons.length[second];
    double slope = 0;
    // p'(x) by Horner's rule.
    for (int k = 4; k > 0; --k) slope = slope * x + k * model.equalities.polynomial[equality][k];
    found.tendon[second] -= slope * force;
}

}  // namespace

void find_constraint_forces(const Workspace<double>& w, const ConstraintRows& rows, std::span<const double> forces,
                            ConstraintForces& found)
{
    const Model& model = *w.tree->model;
    found.joint_limit.assign(model.joints.type.size(), 0);
    found.tendon_limit.assign(model.tendons.type.size(), 0);
    found.tendon.assign(model.tendons.type.size(), 0);
    found.first.assign(model.equalities.type.size(), {});
    found.second.assign(model.equalities.type.size(), {});
    for (int row = rows.ends.coupling; row < rows.ends.equality;)
    {
        const int equality = rows.element[row];
        const EqualityType type = model.equalities.type[equality];
        const int count = type == EqualityType::connect ? 3 : type == EqualityType::weld ? 6 : 1;
        if (count > 1) add_tie(w, equality, forces.subspan(row, count), found);
        if (type == EqualityType::tendon) add_coupled_tendons(w, equality, forces[row], found);
        row += count;
    }
    for (int row = rows.ends.dof_friction; row < rows.ends.tendon_friction; ++row)
        found.tendon[rows.element[row]] += forces[row];
    // Where both bounds act the first stands, as a sensor of the position tells.
    for (int row = rows.ends.tendon_limit; row-- > rows.ends.tendon_friction;)
    {
        const int element = rows.element[row];
        // Dry friction of a tendon acts along it.
        (row < rows.ends.joint_limit ? found.joint_limit : found.tendon_limit)[element] = forces[row];
        if (row < rows.ends.joint_limit) continue;
        // along the length: away from the lower bound, back from the upper
        const bool lower = rows.position[row] == w.tendon_length[element] - model.tendons.range[element].lower;
        found.tendon[element] += lower ? forces[row] : -forces[row];
    }
}

}  // namespace rattleback
