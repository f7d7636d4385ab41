// Rows at states nearby.
#include "solvers/comfree/row_motion.h"

#include "solvers/comfree/anchors.h"
#include "solvers/comfree/round_discs.h"
#include "solvers/shared/world_io.h"

#include <algorithm>

namespace rattleback::comfree
{

RowMotionFinder::RowMotionFinder(const Tree& tree, const Options& options)
    : tree_(tree),
      options_(options),
      workspace_(tree),
      stepper_(tree, {.integrator = options.integrator}),
      stage_contacts_(*tree.model),
      displacement_(at(tree.model->v_count()))
{
}

/// The rows there, with the contacts of the base; false where they are not the same rows.
bool RowMotionFinder::build(const RowMotionBase& base, int dof, bool of_velocity, double change, ConstraintRows& rows)
{
    Workspace<double>& w = workspace_;
    StageTimer timer(false);
    load_lane(tree_, base.input, base.world, 0, w, stepper_);
    // The state beside that of the base, along one dof.
    if (of_velocity)
    {
        w.v[dof] += change;
    }
    else
    {
        // Positions move along the dof by a unit velocity: turns of quaternions are turns about body axes.
        std::fill(displacement_.begin(), displacement_.end(), 0.0);
        displacement_[at(dof)] = change;
        advance_positions<double>(*w.tree, displacement_, 1, w.q);
    }
    // All that rows are made of: poses, motions of dofs, velocities.
    stepper_.move_to_stage(0, base.input.dt, w, timer);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, base.input.dt, timer);
    // The same contacts with the geometry that they have there; one that is gone keeps its own.
    contacts_.items = base.contacts.items;
    if ((!of_velocity || stepper_.is_midpoint()) && !contacts_.items.empty())
    {
        stage_contacts_.set_filter(base.input.contact_filter);
        const std::vector<Contact>& found = stage_contacts_.find(w, base.input.parameters.friction, memory_).items;
        // Both lists have the order of their keys: one walk matches them.
        std::size_t f = 0;
        for (Contact& contact : contacts_.items)
        {
            while (f < found.size() && key(found[f]) < key(contact)) ++f;
            if (f == found.size() || key(found[f]) != key(contact)) continue;
            contact.point = found[f].point;
            contact.frame = found[f].frame;
            contact.distance = found[f].distance;
        }
    }
    build_rows(w, contacts_, options_.rows, rows, {base.input.control.equality_active, &base.surfaces});
    if (options_.law == Law::stable) make_discs_round(rows);
    // Differences make sense of the same rows over the same dofs alone.
    const int entries = base.rows.begin.back();
    return rows.kind == base.rows.kind && rows.begin == base.rows.begin &&
           std::equal(rows.column.begin(), rows.column.begin() + entries, base.rows.column.begin());
}

bool RowMotionFinder::find(const RowMotionBase& base, int dof, bool of_velocity, RowMotion& motion)
{
    // Twice the interval apart, where both sides have the rows of the base.
    const bool after = build(base, dof, of_velocity, base.interval, after_);
    const bool before = build(base, dof, of_velocity, -base.interval, before_);
    if (!after && !before) return false;
    // Central, or to the one side where the rows are the same.
    const ConstraintRows& to = after ? after_ : base.rows;
    const ConstraintRows& from = before ? before_ : base.rows;
    const double scale = 1 / (base.interval * (after && before ? 2 : 1));
    const auto subtract = [&](const std::vector<double>& a, const std::vector<double>& b, std::size_t count,
                              std::vector<double>& difference)
    {
        difference.resize(count);
        for (std::size_t i = 0; i < count; ++i) difference[i] = scale * (a[i] - b[i]);
    };
    const std::size_t count = at(base.rows.count());
    // Rates of J, of residuals, of J v and of dJ/dt v.
    subtract(to.value, from.value, at(base.rows.begin.back()), motion.value);
    subtract(to.position, from.position, count, motion.position);
    subtract(to.velocity, from.velocity, count, motion.velocity);
    subtract(to.product, from.product, count, motion.product);
    return true;
}

}  // namespace rattleback::comfree
