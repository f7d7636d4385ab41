// Moment arms of adhesive actuators from the contacts.
#include "solvers/shared/adhesion.h"

#include "dynamics/jacobian.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Adds scale times the row of the normal velocity of a body's point.
void add_normal(const Workspace<double>& w, int body, const Vec3& point, const Vec3& normal, double scale, double* row)
{
    const ModelView& model = w.tree->arrays;
    // dofs above the body, up to the root
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d])
        row[d] += scale * dot(normal, point_velocity(w, w.dof[d], body, point));
}

}  // namespace

bool has_adhesion(const Model& model)
{
    const std::vector<TransmissionType>& all = model.actuators.transmission;
    return std::find(all.begin(), all.end(), TransmissionType::body) != all.end();
}

void compute_adhesion_moments(const Contacts& contacts, Workspace<double>& w)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    for (int a = 0; a < w.tree->arrays.actuator_count(); ++a)
    {
        if (actuators.transmission[a] != TransmissionType::body) continue;
        // a dense row: any body may be touched
        double* row = w.moment.data() + w.tree->moment.begin[a];
        int count = 0;
        for (const Contact& contact : contacts.items)
        {
            const int first = contact.first_body.index, second = contact.second_body.index;
            if (first != actuators.target[a] && second != actuators.target[a]) continue;
            // [MuJoCo], "adhesion": the mean over the contacts of the body
            ++count;
            // normals point from the first to the second body
            add_normal(w, second, contact.point, contact.frame.column(0), 1, row);
            add_normal(w, first, contact.point, contact.frame.column(0), -1, row);
        }
        // pulls together: minus the rate at which the two sides part
        for (int d = 0; d < w.tree->arrays.v_count() && count > 0; ++d) row[d] *= -1.0 / count;
    }
}

namespace
{

/// Calls visit(row, pull) for the rows that bear one: the normal of an elliptic cone, all edges of a pyramid alike.
template <class Visit>
void visit_pulls(const ConstraintRows& rows, const Visit& visit)
{
    for (const RowCone& cone : rows.cones)
    {
        if (cone.adhesion == 0) continue;
        const int count = rows.kind[cone.row] == RowKind::cone ? 1 : cone.row_count;
        for (int row = cone.row; row < cone.row + count; ++row) visit(row, cone.adhesion / count);
    }
}

}  // namespace

bool has_sticky_surfaces(const Model& model)
{
    return std::any_of(model.materials.begin(), model.materials.end(),
                       [](const MaterialOptions& material) { return material.adhesion != 0; });
}

void find_pull(const ConstraintRows& rows, std::span<double> joint_force)
{
    std::fill(joint_force.begin(), joint_force.end(), 0.0);
    visit_pulls(rows,
                [&](int row, double pull)
                {
                    for (int k = rows.begin[row]; k < rows.begin[row + 1]; ++k)
                        joint_force[rows.column[k]] -= rows.value[k] * pull;
                });
}

void take_off_pull(const ConstraintRows& rows, std::span<double> row_force)
{
    visit_pulls(rows, [&](int row, double pull) { row_force[row] -= pull; });
}

}  // namespace rattleback
