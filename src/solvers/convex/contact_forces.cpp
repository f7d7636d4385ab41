// Wrenches of contacts.
#include "solvers/convex/contact_forces.h"

namespace rattleback::convex
{

void find_contact_forces(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> forces,
                         std::vector<Wrench>& wrenches)
{
    wrenches.assign(contacts.items.size(), {});
    // Contacts whose bodies no dof moves have no cone, and no force.
    for (const RowCone& cone : rows.cones)
    {
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

}  // namespace rattleback::convex
