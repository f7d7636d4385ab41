// Loading, contacts, rows, prediction, and the end of a step.
#include "solvers/avbd/phases.h"
#include "solvers/shared/world_friction.h"

#include "base/index.h"
#include "solvers/avbd/actuator_wrenches.h"
#include "solvers/avbd/rolling.h"
#include "solvers/avbd/springs.h"
#include "solvers/avbd/sticky_surfaces.h"
#include "solvers/avbd/swing.h"
#include "solvers/avbd/tendon_rows.h"
#include "solvers/avbd/write_back.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/stage_seconds.h"

#include <algorithm>
#include <limits>

namespace rattleback::avbd
{

namespace
{

/// Contacts are looked for as far as the fastest body comes in a step, within reason.
double find_margin(const Layout& layout, const std::vector<Body>& bodies, const Vec3& gravity, double dt)
{
    // the fastest point of any group, and the mean size of them all
    double fastest = 0, size = 0;
    int count = 0;
    for (std::size_t g = 1; g < layout.groups.size(); ++g)
    {
        const RigidGroup& group = layout.groups[g];
        if (!group.dynamic) continue;
        const Velocity& v = bodies[g].velocity;
        fastest = std::max(fastest, norm(v.linear) + group.reach * norm(v.angular));
        size += group.extent;
        ++count;
    }
    if (count == 0) return 0;
    size /= count;
    // how far that comes in the step, with twice what gravity adds, between 0.2 % and 20 % of the size
    const double fall = norm(gravity) * dt * dt;
    return std::clamp(dt * fastest + 2 * fall, 0.002 * size, 0.2 * size);
}

double find_deepest(const Contacts& contacts, Piece range)
{
    double deepest = 0;
    for (int c = range.begin; c < range.end; ++c) deepest = std::max(deepest, -contacts.items[at(c)].distance);
    return deepest;
}

void freeze_sleepers(const Sleep* sleep, std::vector<Body>& bodies)
{
    // a sleeper has x = x_t in every sweep; awake neighbours push against it as against a wall
    for (int g = 0; sleep != nullptr && g < static_cast<int>(bodies.size()); ++g)
    {
        if (!sleep->is_asleep(g)) continue;
        bodies[at(g)].delta = {};
        bodies[at(g)].rotation_now = bodies[at(g)].rotation;
    }
}

/// A loop or coupling that is switched off, or was until now, remembers nothing but whether it is broken.
void switch_loops(const Layout& layout, std::span<const int> active, BlockWork& work)
{
    const auto set = [&](int equality, auto& memory)
    {
        const int off = active[at(equality)] == 0 ? 1 : 0;
        if (off != 0 || memory.off != 0) memory = {.broken = memory.broken, .off = off};
    };
    // lambda and k of a row that comes back would push with the forces of another time
    for (std::size_t l = 0; l < layout.loops.size(); ++l) set(layout.loops[l].equality, work.loop_memory[l]);
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
    {
        if (layout.tendon_rows[r].equality >= 0) set(layout.tendon_rows[r].equality, work.tendon_memory[r]);
    }
}

/// What a loop or coupling held, or is to hold, moves differently from now on.
void wake_switched(const Layout& layout, const AvbdMemory& before, const BlockWork& now, Sleep& sleep)
{
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
    {
        // only a change wakes: a coupling that stays on or off holds its groups as it did
        if (before.tendons[r].off == now.tendon_memory[r].off) continue;
        for (const int group : layout.groups_of(layout.tendon_rows[r])) sleep.disturb_group(group);
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        // a joint coupling moves four groups: child and parent of both links
        if (before.loops[l].off == now.loop_memory[l].off) continue;
        const Loop& loop = layout.loops[l];
        sleep.disturb_group(loop.first);
        sleep.disturb_group(loop.second);
        if (loop.second_link >= 0) sleep.disturb_group(layout.links[at(loop.second_link)].child);
    }
}

}  // namespace

StepState::StepState(const Model& model, const Settings& options, bool trees, double fraction)
    : settings(options),
      error_fraction(fraction),
      tree_blocks(trees),
      layout(model, trees),
      // kept as the Model has it: memories are made from it, while `layout` follows the masses of a world
      model_layout(std::make_shared<const Layout>(layout)),
      smooth_blocks(find_smooth_blocks(layout)),
      pool(options.threads),
      // four points hold a face at rest; more would share the same load at more cost
      collider(model, {.thread_count = options.threads, .max_points = 4}),
      surfaces(model),
      external(layout),
      work(layout),
      armature(layout, trees),
      tells_limits(asks_constraint_forces(model)),
      yields(has_yield(model))
{
    work.drives = make_drives(model);
    work.tendon_drives = make_tendon_drives(model);
    work.scratch.resize(at(pool.worker_count()));
}

void load_world(const StepInput& input, const WorldView& world, AvbdMemory& memory, StepState& state)
{
    // masses of the world's own
    state.masses.apply(input.parameters.mass, state.tree_blocks, memory.masses, state.layout);
    state.armature.follow_masses();
    BlockWork& work = state.work;
    // h of all equations is that of a substep; contacts are found once per step, and followed by their points
    work.dt = input.dt / state.settings.substeps;
    work.error_fraction = state.error_fraction;
    // x_t and v_t, and the velocity before for the adaptive first guess
    for_each_range(state.pool, 0, state.group_count(),
                   [&](Piece groups)
                   {
                       load_bodies(state.layout, world, groups, work.bodies);
                       for (std::size_t g = at(groups.begin); g < at(groups.end); ++g)
                       {
                           work.bodies[g].previous = memory.velocity[g];
                           work.bodies[g].has_previous = memory.stepped != 0;
                       }
                   });
    // lambda of joints from the last step
    work.link_memory = memory.links;
    work.loop_memory = memory.loops;
    work.tendon_memory = memory.tendons;
    if (state.yields) load_tendon_yields(*state.layout.model, world.act, work);
    work.link_ramps = memory.link_ramps;
    work.loop_ramps = memory.loop_ramps;
    switch_loops(state.layout, input.control.equality_active, work);
    // surfaces that run, and who may touch whom at all
    state.surfaces.load(input.control.surface_velocity);
    state.surfaces.place([&](int body) { return world.body_pose[at(body)]; }, 0.5 * work.dt);
    state.collider.set_filter(input.contact_filter);
    // what is given from outside: motions of kinematic groups, forces, drives of actuators
    find_motions(state.layout, input, world, state.kinematic);
    find_external_forces(state.layout, input, world, work, state.external);
}

bool wake_islands(const WorldView& world, const AvbdMemory& memory, StepState& state)
{
    // without sleep every island is awake
    if (!state.sleep) return true;
    Sleep& sleep = *state.sleep;
    sleep.wake_moved(world, state.external, state.kinematic.moves, memory.sleep);
    wake_switched(state.layout, memory, state.work, sleep);
    wake_on_running(state.surfaces, memory.contacts, [&](int body) { sleep.disturb_body(body); });
    return !state.sleep->all_asleep();
}

StepReport skip_step(const WorldView& world, AvbdMemory& memory, const StepState& state)
{
    // activations go on; everything else stays
    std::copy(state.external.act.begin(), state.external.act.end(), world.act.begin());
    memory.sleep = state.sleep->state();
    // the contacts of the last step that did anything are what reports and sensors see of a world at rest
    StepReport report;
    report.contact_count = memory.contacts.count();
    report.deepest_penetration = find_deepest(memory.contacts, {0, memory.contacts.count()});
    return report;
}

void detect_contacts(const StepInput& input, const WorldView& world, AvbdMemory& memory, StepState& state)
{
    state.gravity = input.parameters.find_gravity(*state.layout.model);
    // a pair further apart than this cannot touch within the step, unless swept rows catch it
    const double margin = find_margin(state.layout, state.work.bodies, state.gravity, input.dt);
    // fast groups: the boxes of the broad phase grow by the motion of the step, so that swept rows find their pairs
    if (state.settings.swept) find_fast_groups(state.layout, state.work.bodies, margin, input.dt, state.swept);
    const double motion = state.swept.any_fast ? input.dt : 0;
    // C(x_t) of all pairs within the margin; with recycling, points of pairs that hardly moved are kept
    if (state.settings.recycling)
        recycle_contacts(state.collider, world, margin, memory.collider, memory.kept_manifolds, state.kept_manifolds,
                         state.contacts, motion);
    else
        state.collider.find_contacts(world, margin, memory.collider, state.contacts, motion);
    set_friction(*state.layout.model, input.parameters.friction, state.contacts);
    // adhesion pulls where bodies touch, so it waits for the contacts; it enters y as an external force
    if (state.external.adhesive)
        add_adhesion(state.layout, input, world, state.work.bodies, state.contacts, state.external);
    if (state.external.sticky) add_sticky_pull(state.layout, state.work.bodies, state.contacts, state.external);
    // what sleeps and is touched by something awake, or by a surface that runs, wakes up
    if (!state.sleep) return;
    wake_on_running(state.surfaces, state.contacts, [&](int body) { state.sleep->disturb_body(body); });
    state.sleep->wake_touched(state.contacts);
}

void start_rows(StepState& state)
{
    // one row for each contact; those of the swept test are appended
    const std::size_t count = state.contacts.items.size(), pieces = count_pieces(count, kRowsPerTask);
    state.rows.rows.resize(count);
    if (state.rows.pieces.size() < pieces) state.rows.pieces.resize(pieces);
    state.rows.deepest.assign(pieces + 1, 0);
}

Piece build_piece(const AvbdMemory& memory, Piece piece, StepState& state)
{
    RowSet& set = state.rows;
    // points of one pair are matched together: no pair is cut in two
    const std::size_t index = at(piece.begin / kRowsPerTask);
    const Piece range = whole_pairs(state.contacts, piece);
    build_rows({state.layout, state.settings, state.work.bodies, state.sleeping(), state.work.dt}, state.contacts,
               {memory.rows, memory.dt}, range, set.rows);
    find_manifolds(set.rows, range, set.pieces[index]);
    set.deepest[index] = find_deepest(state.contacts, range);
    return range;
}

void join_pieces(StepState& state)
{
    RowSet& set = state.rows;
    // in the order of the contacts, whoever made them
    set.manifolds.clear();
    for (std::size_t k = 0; k + 1 < set.deepest.size(); ++k)
        set.manifolds.insert(set.manifolds.end(), set.pieces[k].begin(), set.pieces[k].end());
}

void place_range(Piece range, StepState& state)
{
    place_rows(state.work.bodies, state.work.dt, range, state.rows.rows);
}

void find_drifts(StepState& state)
{
    state.work.drift.clear();
    if (!state.surfaces.any()) return;
    const std::vector<ContactRow>& rows = state.rows.rows;
    state.work.drift.resize(rows.size());
    for (Manifold& manifold : state.rows.manifolds)
    {
        // drift is taken at the first body's point; the second one is a gap away
        const Vec3& center = state.work.bodies[at(manifold.first)].center;
        for (int r = manifold.begin; r < manifold.end; ++r)
        {
            // rows of the swept test have no shapes and no friction
            const ContactRow& row = rows[at(r)];
            if (row.first_shape < 0) continue;
            const ShapeId first{row.first_shape}, second{row.second_shape};
            if (!state.surfaces.runs(first) && !state.surfaces.runs(second)) continue;
            state.work.drift[at(r)] = state.surfaces.find_drift(first, second, center + row.first_arm, manifold.normal);
            manifold.drifts = true;
        }
    }
}

/// Anchors lie on the surfaces: those on one that runs have gone on with it.
void carry_anchors(StepState& state)
{
    if (!state.surfaces.any()) return;
    const BlockWork& work = state.work;
    const auto carry = [&](int group, int shape, const Vec3& arm, Vec3& anchor)
    {
        // the surface's own velocity against its body, over the substep, in the body's axes
        const Body& body = work.bodies[at(group)];
        const Vec3 velocity = state.surfaces.at_point(ShapeId{shape}, body.center + arm).linear;
        anchor += rotate(conjugate(body.rotation), work.dt * velocity);
    };
    for (const Manifold& manifold : state.rows.manifolds)
    {
        for (int r = manifold.begin; manifold.drifts && r < manifold.end; ++r)
        {
            ContactRow& row = state.rows.rows[at(r)];
            carry(row.first, row.first_shape, row.first_arm, row.first_anchor);
            carry(row.second, row.second_shape, row.second_arm, row.second_anchor);
        }
    }
}

void start_joints(int substep, const WorldView& world, StepState& state)
{
    BlockWork& work = state.work;
    const Layout& layout = state.layout;
    // the last correction counted all errors; sweeps count 1 - alpha of them again
    work.error_fraction = state.error_fraction;
    work.correcting = false;
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        // q of the world is read once; later substeps go on from the q that the link has found
        const Link& link = layout.links[l];
        if (substep == 0)
            start_link(layout, link, work.bodies, world.q, work.dt, state.settings.joint_stiffness, work.links[l],
                       world.act);
        else
            restart_link(layout, link, work.bodies, work.links[l]);
        // external forces act along the dofs, inside the rows of the link
        for (int i = 0; i < link.dof_count; ++i)
            work.links[l].dofs[at(i)].applied = state.external.dof_force[at(link.v_begin + i)];
    }
    // any first sweep closes the links further than infinity
    std::fill(work.violation.begin(), work.violation.end(), std::numeric_limits<double>::infinity());
    start_loops(layout, state.settings.joint_stiffness, work);
    std::optional<double> gamma = substep == 0 ? state.settings.keep : 1;
    if (state.settings.penalty) gamma.reset();  // its decay comes with start_penalties()
    start_tendons(layout, gamma, state.settings.joint_stiffness, work);
}

void predict_motion(int substep, FirstGuess guess, StepState& state)
{
    // y ([AVBD] Eq. 2) and the x that the first sweep starts from
    BlockWork& work = state.work;
    for_each_range(
        state.pool, 0, state.group_count(), [&](Piece groups)
        { predict(state.layout, state.gravity, state.external.wrench, work.dt, guess, groups, work.bodies); });
    // those that rest or whose motion is given do not follow it
    freeze_sleepers(state.sleeping(), work.bodies);
    move_groups(state.layout, state.kinematic, substep, state.settings.substeps, work.dt, work.bodies);
}

void finish_velocities(StepState& state)
{
    // joints break by the multipliers of the last sweep
    // and not by the forces of the correction, which answer to old errors
    break_joints(state.layout, state.work);
    state.armature.record_advance(state.work);
    // v = (x - x_t) / h
    for_each_range(state.pool, 0, state.group_count(),
                   [&](Piece groups) { finish_velocities(state.layout, state.work.dt, groups, state.work.bodies); });
    take_impulses(state.layout, state.gravity, state.work);
}

void finish_substep(StepState& state)
{
    BlockWork& work = state.work;
    // x_t of the next substep
    for_each_range(state.pool, 0, state.group_count(), [&](Piece groups) { commit_poses(groups, work.bodies); });
    finish_swings(work);
    // armature: velocities that fit the rates of the coordinates along the axes as they are now
    state.armature.carry_rates(work.dt, state.sleeping(), state.pool, work);
    carry_anchors(state);
    // impacts with restitution, which implicit Euler would swallow
    bounce(state.layout, state.settings.bounce_speed, state.rows.rows, state.rows.manifolds, work.bodies);
}

StepReport make_report(const StepState& state)
{
    StepReport report;
    // sweeps of the whole step
    report.iterations = state.settings.iterations * state.settings.substeps;
    report.contact_count = state.contacts.count();
    report.deepest_penetration = *std::max_element(state.rows.deepest.begin(), state.rows.deepest.end());
    return report;
}

bool find_divergence(const StepState& state, StepReport& report)
{
    // a diverged step is reported and nothing of it written: the world stays at x_t
    // NaN, or further and faster than anything sensible
    const int bad = find_bad_group(state.layout, state.work.bodies);
    if (bad < 0)
    {
        // an activation belongs to no body
        if (are_finite(state.external.act)) return false;
        report.status = StepStatus::diverged;
        return true;
    }
    const Body& body = state.work.bodies[at(bad)];
    report_bad_body(state.layout.groups[at(bad)].body, body.center, body.velocity, report);
    return true;
}

void write_world(const WorldView& world, StepState& state, StepReport& report)
{
    // q and v of joints first: they place the links at the final poses
    write_links(state.layout, state.sleeping(), state.work, world);
    for_each_range(state.pool, 1, state.layout.model->body_count(), [&](Piece bodies)
                   { write_bodies(state.layout, state.sleeping(), bodies, state.work.bodies, world); });
    std::copy(state.external.act.begin(), state.external.act.end(), world.act.begin());
    if (state.yields) yield_springs(state.layout, state.work, world);
    // how far rigid joints are open
    const JointErrors joints = find_joint_errors(state.layout, state.work);
    report.residual = joints.largest;
    if (joints.parted >= 0) report.status = StepStatus::not_converged;
}

void store_memory(const WorldView& world, AvbdMemory& memory, StepState& state)
{
    BlockWork& work = state.work;
    // islands that have been slow for long enough fall asleep
    if (state.sleep)
    {
        state.sleep->settle(state.rows.manifolds, work.bodies, world);
        memory.sleep = state.sleep->state();
    }
    // forces of the contacts, for sensors and reports
    memory.contact_forces.items.resize(state.contacts.items.size());
    for_each_range(state.pool, 0, state.contacts.count(),
                   [&](Piece range) { write_forces(state.rows.rows, range, memory.contact_forces); });
    if (state.tells_limits) write_limit_forces(state.layout, work, memory.constraint_forces);
    if (state.external.sticky) take_off_sticky_pull(*state.layout.model, state.contacts, memory.contact_forces);
    // old and new change places: nothing is copied, nothing allocated
    state.rows.rows.resize(state.contacts.items.size());  // without those of the swept test
    // the swap leaves the arrays of the step before last for the next one to fill
    std::swap(memory.rows, state.rows.rows);
    std::swap(memory.contacts, state.contacts);
    std::swap(memory.kept_manifolds, state.kept_manifolds);
    // lambda of joints, and the velocities from which the next first guess takes its share
    memory.dt = work.dt;
    memory.links = work.link_memory;
    memory.loops = work.loop_memory;
    memory.tendons = work.tendon_memory;
    memory.link_ramps = work.link_ramps;
    memory.loop_ramps = work.loop_ramps;
    for (std::size_t g = 0; g < work.bodies.size(); ++g) memory.velocity[g] = work.bodies[g].previous;
    memory.stepped = 1;
}

void finish_report(StageTimer& timer, StepReport& report)
{
    timer.mark(static_cast<int>(Stage::integrate));
    report_seconds(timer, report);
}

}  // namespace rattleback::avbd
