// Rows of dry friction in joints and tendons.
#include "solvers/shared/row_builder.h"

namespace rattleback
{

void add_friction_rows(const RowBuilder& b)
{
    const Model& m = b.model;
    // Joints: J is one, r is zero, so a_ref = - b v; the force stays within eta.
    for (int d = 0; d < m.v_count(); ++d)
    {
        const double loss = m.dofs.dry_friction[d];
        if (loss == 0) continue;
        // R from the impedance at r = 0; eta is what the force may be at most (the knee of Huber's function).
        const int row = b.rows.count();
        append_rows(b.rows, RowKind::dry_friction, d, 1, {&d, 1})[0] = 1;
        finish_row(b, row, {.velocity = b.w.v[d], .diagonal = b.w.dof_weight[d], .loss = loss},
                   b.respond_friction(m.dofs.dry_friction_softness[d]));
    }
    b.rows.ends.dof_friction = b.rows.count();

    // Tendons: J is the tendon's Jacobian.
    for (int t = 0; t < m.tendon_count(); ++t)
    {
        const double loss = m.tendons.dry_friction[t];
        if (!(loss > 0) || !append_tendon_row(b, RowKind::dry_friction, t, 1)) continue;
        finish_row(b, b.rows.count() - 1,
                   {.velocity = b.w.tendon_velocity[t], .diagonal = b.w.tendon_weight[t], .loss = loss},
                   b.respond_friction(m.tendons.dry_friction_softness[t]));
    }
    b.rows.ends.tendon_friction = b.rows.count();
}

}  // namespace rattleback
