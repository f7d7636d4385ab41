// k of mode `penalty`: warm start, ramp after each sweep, and the forces that it ends in ([VBD-R], "Adaptive Penalty").
#include "base/index.h"
#include "solvers/avbd/loops.h"
#include "solvers/avbd/penalty.h"
#include "solvers/avbd/tendon_rows.h"

#include <algorithm>
#include <limits>

namespace rattleback::avbd
{

namespace
{

constexpr std::size_t kRowsPerPiece = 256, kLinksPerPiece = 16;

/// Calls function(index) for 0 to count, pieces side by side; each writes to what is its own.
template <class Function>
void for_each_index(ThreadPool& pool, std::size_t count, std::size_t per_piece, Function function)
{
    run_pieces(&pool, count, per_piece,
               [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
               {
                   for (std::size_t i = begin; i < end; ++i) function(i);
               });
}

/// k_max of a limit; that of an impedance is press()'s to find, since it changes with the depth.
double find_limit(const Softness& softness, const Settings& settings)
{
    const Spring* spring = std::get_if<Spring>(&softness);
    return spring != nullptr && spring->stiffness > 0 ? spring->stiffness : settings.penalty_limit;
}

/// k_min and k_max of one dof's limit.
struct Bounds
{
    double least = 0, limit = 0;
};
Bounds find_bounds(const Model& model, const LinkDof& dof, const Settings& settings)
{
    const bool slides = model.joints.type[at(dof.joint)] == JointType::slide;
    return {slides ? settings.penalty_start : settings.penalty_start_angular,
            find_limit(model.joints.limit_softness[at(dof.joint)], settings)};
}

/// The penalties of a link's memory become those of its rows.
void set_link_penalties(const Link& link, double linear, const LinkRamp& ramp, LinkState& state)
{
    // moments of dofs that turn and slide at once depend on the ratio of the two
    state.placed = state.placed && linear * state.angular_penalty == state.linear_penalty * ramp.angular;
    state.linear_penalty = linear;
    state.angular_penalty = ramp.angular;
    for (std::size_t i = 0; i < at(link.dof_count); ++i) state.dofs[i].penalty = ramp.limit[i];
}

void start_link_penalties(const Layout& layout, std::size_t index, const Settings& settings, BlockWork& work)
{
    const Link& link = layout.links[index];
    LinkState& state = work.links[index];
    LinkMemory& memory = work.link_memory[index];
    const auto warm = [&](double& k, const Bounds& bounds)
    { k = warm_penalty(k, settings.keep, bounds.least, bounds.limit); };
    memory.lambda = {};
    memory.limit = memory.friction = memory.spring = {};
    LinkRamp& ramp = work.link_ramps[index];
    warm(memory.penalty, {settings.penalty_start, settings.penalty_limit});
    warm(ramp.angular, {settings.penalty_start_angular, settings.penalty_limit});
    state.slow_slip = kSlowSlip * work.dt;
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        warm(ramp.limit[i], find_bounds(*layout.model, state.dofs[i], settings));
        // a spring is an energy with its own stiffness, however stiff: no row
        state.dofs[i].spring_penalty = std::numeric_limits<double>::infinity();
    }
    set_link_penalties(link, memory.penalty, ramp, state);
}

void ramp_link_penalties(const Layout& layout, std::size_t index, const Settings& settings, BlockWork& work)
{
    const Link& link = layout.links[index];
    LinkState& state = work.links[index];
    LinkMemory& memory = work.link_memory[index];
    if (memory.broken != 0) return;
    place_link(layout, link, work.bodies, state);
    const auto grow = [&](double& k, double violation, double limit)
    { k = ramp_penalty(k, settings.penalty_ramp, violation, limit); };
    // |C| of the position and of the turn, each with its k
    LinkRamp& ramp = work.link_ramps[index];
    grow(memory.penalty, norm(linear_of(state.error)), settings.penalty_limit);
    grow(ramp.angular, norm(angular_of(state.error)), settings.penalty_limit);
    const DofForces dofs = evaluate_dofs(*layout.model, link, state, memory, work.drives, work.error_fraction, work.dt);
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
        grow(ramp.limit[i], dofs.beyond[i], find_bounds(*layout.model, state.dofs[i], settings).limit);
    set_link_penalties(link, memory.penalty, ramp, state);
}

/// k_max of a tendon's limit or of a coupling.
double find_tendon_stiffness(const Layout& layout, int index, const Settings& settings, const BlockWork& work)
{
    const LoopRowState& row = work.tendons[at(index)].row;
    if (layout.tendon_rows[at(index)].equality < 0)
        return find_limit(layout.model->tendons.limit_softness[at(index)], settings);
    return row.is_soft() ? row.softness * row.total : settings.penalty_limit;
}

}  // namespace

double ramp_penalty(double k, double beta, double violation, double limit)
{
    return std::min(k + beta * violation, limit);
}

double warm_penalty(double k, double gamma, double least, double limit)
{
    // a material softer than k_min is as soft as it is
    return std::clamp(gamma * k, std::min(least, limit), limit);
}

void start_penalties(const Layout& layout, const Settings& settings, ThreadPool& pool, std::vector<ContactRow>& rows,
                     BlockWork& work)
{
    // one rule for all, once per timestep h, which is our substep
    for_each_index(pool, rows.size(), kRowsPerPiece,
                   [&](std::size_t r)
                   {
                       rows[r].penalty = warm_penalty(rows[r].penalty, settings.keep, settings.penalty_start,
                                                      find_stiffness(rows[r], settings));
                   });
    for (std::size_t l = 0; l < layout.links.size(); ++l) start_link_penalties(layout, l, settings, work);
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const int loop = static_cast<int>(l);
        double &linear = work.loop_memory[l].penalty, &angular = work.loop_ramps[l];
        // one that is switched off comes back with the k of a new one
        if (!work.loop_memory[l].holds()) angular = 0;
        const Opening most = find_loop_stiffness(layout, loop, settings.penalty_limit, work);
        linear = warm_penalty(linear, settings.keep, settings.penalty_start, most.linear);
        angular = warm_penalty(angular, settings.keep, settings.penalty_start_angular, most.angular);
        set_loop_penalty(layout, loop, work);
    }
    for (int r = 0; r < static_cast<int>(layout.tendon_rows.size()); ++r)
    {
        const double k = warm_penalty(work.tendon_memory[at(r)].penalty, settings.keep, settings.penalty_start,
                                      find_tendon_stiffness(layout, r, settings, work));
        set_tendon_penalty(r, k, kSlowSlip * work.dt, work);
    }
}

void ramp_penalties(const Layout& layout, const Settings& settings, ThreadPool& pool, std::vector<ContactRow>& rows,
                    BlockWork& work)
{
    const double beta = settings.penalty_ramp;
    for_each_index(pool, rows.size(), kRowsPerPiece,
                   [&](std::size_t r)
                   {
                       // a contact that is apart keeps its k
                       ContactRow& row = rows[r];
                       const PenaltyContact contact = evaluate_penalty(row, settings, work.bodies[at(row.first)],
                                                                       work.bodies[at(row.second)], work.dt);
                       row.penalty =
                           ramp_penalty(row.penalty, beta, std::max(0.0, contact.depth), find_stiffness(row, settings));
                   });
    for_each_index(pool, layout.links.size(), kLinksPerPiece,
                   [&](std::size_t l) { ramp_link_penalties(layout, l, settings, work); });
    // couplings place the links of others: in turn
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const int loop = static_cast<int>(l);
        double &linear = work.loop_memory[l].penalty, &angular = work.loop_ramps[l];
        const Opening opening = find_loop_opening(layout, loop, work);
        const Opening most = find_loop_stiffness(layout, loop, settings.penalty_limit, work);
        linear = ramp_penalty(linear, beta, opening.linear, most.linear);
        angular = ramp_penalty(angular, beta, opening.angular, most.angular);
        set_loop_penalty(layout, loop, work);
    }
    for (int r = 0; r < static_cast<int>(layout.tendon_rows.size()); ++r)
    {
        const double k = ramp_penalty(work.tendon_memory[at(r)].penalty, beta, find_tendon_violation(layout, r, work),
                                      find_tendon_stiffness(layout, r, settings, work));
        set_tendon_penalty(r, k, kSlowSlip * work.dt, work);
    }
}

void record_loads(const Layout& layout, const Settings& settings, ThreadPool& pool, std::vector<ContactRow>& rows,
                  BlockWork& work)
{
    // contacts: the force along the normal, the rest of it, and the torques
    for_each_index(pool, rows.size(), kRowsPerPiece,
                   [&](std::size_t r)
                   {
                       ContactRow& row = rows[r];
                       const PenaltyContact contact =
                           evaluate_penalty(row, settings, work.bodies[at(row.first)], work.bodies[at(row.second)],
                                            work.dt, work.drift_of(static_cast<int>(r)));
                       // what a sensor reads as the contact's force
                       row.normal_lambda = dot(contact.force, row.normal);
                       row.tangent_lambda = contact.force - row.normal_lambda * row.normal;
                       row.spin = dot(contact.torque, row.normal);
                       row.roll = contact.torque - row.spin * row.normal;
                   });
    // joints: k C, by the same functions as with multipliers, which are zero here
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        // at the poses that the last sweep ended in
        place_link(layout, layout.links[l], work.bodies, work.links[l]);
        work.link_memory[l].lambda = constraint_wrench(work.links[l], layout.links[l], {}, work.error_fraction);
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l) update_loop_dual(layout, static_cast<int>(l), work);
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
    {
        if (layout.tendon_rows[r].equality < 0) continue;
        // the other mode's bound of k is none of ours
        const double k = work.tendon_memory[r].penalty;
        update_tendon_dual(layout, static_cast<int>(r), true, 0, work);
        work.tendon_memory[r].penalty = k;
    }
}

}  // namespace rattleback::avbd
