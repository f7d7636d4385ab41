// Moment arms of adhesive actuators from the contacts.
#include "solvers/convex/adhesion.h"

#include "dynamics/jacobian.h"

namespace rattleback::convex
{

namespace
{

/// Adds scale times the row of the normal velocity of a body's point.
void add_normal(const Workspace<double>& w, int body, const Vec3& point, const Vec3& normal, double scale, double* row)
{
    const ModelView& model = w.tree->arrays;
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d])
        row[d] += scale * dot(normal, point_velocity(w, w.dof[d], body, point));
}

}  // namespace

void compute_adhesion_moments(const Contacts& contacts, Workspace<double>& w)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    for (int a = 0; a < w.tree->arrays.actuator_count(); ++a)
    {
        if (actuators.transmission[a] != TransmissionType::body) continue;
        double* row = w.moment.data() + w.tree->moment.begin[a];
        int count = 0;
        for (const Contact& contact : contacts.items)
        {
            const int first = contact.first_body.index, second = contact.second_body.index;
            if (first != actuators.target[a] && second != actuators.target[a]) continue;
            ++count;
            // normals point from the first to the second body
            add_normal(w, second, contact.point, contact.frame.column(0), 1, row);
            add_normal(w, first, contact.point, contact.frame.column(0), -1, row);
        }
        for (int d = 0; d < w.tree->arrays.v_count() && count > 0; ++d) row[d] *= -1.0 / count;
    }
}

}  // namespace rattleback::convex
