// Choosing motions of second order, and the points of rolling contacts.
#include "solvers/avbd/rolling.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/swing.h"
#include "solvers/shared/rolling_pair.h"

#include <rattleback/query.h>

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

// Penalty of a lone contact, in effective mass / h^2: ten sweeps leave a millionth of an error. Firmer ones push so
// hard at the first guess that the force is cut at zero, sweep after sweep (at 100 the rattleback loses half its spin).
constexpr double kFirm = 3;
constexpr double kBalanced = 0.01;  // of its weight and force: a body whose increments answer to other forces
constexpr double kJump = 0.5;       // of the arm's length: a point that comes further in half a substep is another one

/// A single body without joints, loops, tendons or a medium.
bool is_lone(const StepState& state, int group)
{
    const Layout& layout = state.layout;
    const RigidGroup& rigid = layout.groups[at(group)];
    return rigid.dynamic && rigid.link < 0 && !layout.blocks[at(rigid.block)].tree && layout.medium_parts.empty() &&
           (!state.sleep || !state.sleep->is_asleep(group));
}

/// A group that touches in nothing but one point, or that does not move.
bool allows_rolling(const StepState& state, int group)
{
    const RigidGroup& rigid = state.layout.groups[at(group)];
    if (!rigid.dynamic)
        return std::find(state.layout.kinematic.begin(), state.layout.kinematic.end(), group) ==
               state.layout.kinematic.end();
    return is_lone(state, group) && state.work.active_count[at(group)] == 1;
}

bool may_roll(const StepState& state, const Manifold& manifold)
{
    const ContactRow& row = state.rows.rows[at(manifold.begin)];
    // one rigid point that pressed in the last step; what bounces, sticks to belts or turns with friction has its own
    // rows
    if (manifold.end - manifold.begin != 1 || row.first_shape < 0) return false;
    const std::vector<ShapeType>& type = state.layout.model->shapes.type;
    return point_wanders(type[at(row.first_shape)], type[at(row.second_shape)]) && row.normal_lambda > 0 &&
           row.compliance == 0 && row.restitution == 0 && row.friction > 0 && !manifold.turning && !manifold.drifts &&
           allows_rolling(state, row.first) && allows_rolling(state, row.second);
}

/// The body of a shape, whose group has its centre of mass and rotation as given.
Pose place_body(const Layout& layout, int group, int shape, const Vec3& center, const Quat& rotation)
{
    const Vec3 origin = center - rotate(rotation, layout.groups[at(group)].center);
    return Pose{origin, rotation} * layout.in_group[at(layout.model->shapes.body[at(shape)])];
}

/// The two points that touch when a fraction of the increments is done, from the centres of mass.
struct Touch
{
    Vec3 first_arm, second_arm;
    ShapeGap gap;
};
std::optional<Touch> find_touch(const Layout& layout, const ContactRow& row, const std::vector<Body>& bodies,
                                double fraction)
{
    const Body &a = bodies[at(row.first)], &b = bodies[at(row.second)];
    const Vec3 first = a.center + fraction * a.delta.linear, second = b.center + fraction * b.delta.linear;
    const Quat first_turn = exponential(fraction * a.delta.angular) * a.rotation;
    const Quat second_turn = exponential(fraction * b.delta.angular) * b.rotation;
    const std::optional<ShapeGap> gap = find_distance(
        *layout.model, ShapeId{row.first_shape}, place_body(layout, row.first, row.first_shape, first, first_turn),
        ShapeId{row.second_shape}, place_body(layout, row.second, row.second_shape, second, second_turn));
    if (!gap) return std::nullopt;
    return Touch{gap->on_first - first, gap->on_second - second, *gap};
}

/// The point that touches now: contacts are found once per step, and else stay where they were on their bodies.
void find_point_anew(const StepState& state, Manifold& manifold, std::vector<ContactRow>& rows)
{
    ContactRow& row = rows[at(manifold.begin)];
    const std::vector<Body>& bodies = state.work.bodies;
    const std::optional<Touch> touch = find_touch(state.layout, row, bodies, 0);
    if (!touch) return;
    row.normal = manifold.normal = touch->gap.normal;
    row.first_point = rotate(conjugate(bodies[at(row.first)].rotation), touch->first_arm);
    row.second_point = rotate(conjugate(bodies[at(row.second)].rotation), touch->second_arm);
    place_rows(bodies, state.work.dt, {manifold.begin, manifold.end}, rows);
}

}  // namespace

void choose_motions(int substep, StepState& state)
{
    BlockWork& work = state.work;
    std::vector<int>&near = work.near_count, &active = work.active_count;
    near.assign(work.bodies.size(), 0);
    active.assign(work.bodies.size(), 0);
    for (const Manifold& manifold : state.rows.manifolds)
    {
        for (const int group : {manifold.first, manifold.second})
        {
            near[at(group)] += manifold.end - manifold.begin;
            active[at(group)] += manifold.active;
        }
    }
    for (std::size_t g = 0; g < work.bodies.size(); ++g)
    {
        Body& body = work.bodies[g];
        body.free = near[g] == 0 && is_lone(state, static_cast<int>(g));
        body.pivot = body.free ? 0.5 : 1;
        body.swings = false;
    }
    choose_swings(state);
    stiffen_touched(state.layout, work);
    for (Manifold& manifold : state.rows.manifolds)
    {
        manifold.rolling = may_roll(state, manifold);
        if (!manifold.rolling) continue;
        if (substep > 0) find_point_anew(state, manifold, state.rows.rows);
        ContactRow& row = state.rows.rows[at(manifold.begin)];
        // between two that move, the one which a sweep moves last answers for all of a firm row's error
        const auto moves = [&](int group) { return state.layout.groups[at(group)].dynamic; };
        if (!moves(row.first) || !moves(row.second))
            row.penalty = std::max(row.penalty, kFirm * row.mass / (work.dt * work.dt));
        for (const int group : {row.first, row.second})
            if (state.layout.groups[at(group)].dynamic) work.bodies[at(group)].pivot = 0.5;
    }
}

void take_impulses(const Layout& layout, const Vec3& gravity, BlockWork& work)
{
    for (std::size_t g = 0; g < work.bodies.size(); ++g)
    {
        const Piece range{work.contact_begin[g], work.contact_begin[g + 1]};
        const auto rolls = [&](const BlockContact& contact) { return contact.rolling; };
        if (std::none_of(work.contacts.begin() + range.begin, work.contacts.begin() + range.end, rolls)) continue;
        Wrench sum;
        for (int c = range.begin; c < range.end; ++c)
        {
            const HalfContact<double>& half = work.contacts[at(c)].half;
            const Vec3 force = half.normal_lambda * half.normal + half.tangent_lambda;
            sum.force += force;
            sum.torque += cross(half.arm, force);
        }
        // what the increments say of the forces: M (x - y) / h^2
        Body& body = work.bodies[g];
        const Vec3 answered = (body.mass / (work.dt * work.dt)) * (body.delta.linear - body.target.linear);
        if (norm(answered - sum.force) <= kBalanced * (norm(sum.force) + body.mass * norm(gravity))) continue;
        body.velocity.linear = (1 / work.dt) * body.target.linear + (work.dt / body.mass) * sum.force;
        body.velocity.angular = find_spin(layout.groups[g], body, (1 / work.dt) * body.momentum + work.dt * sum.torque);
    }
}

void follow_rolling(const Layout& layout, const std::vector<ContactRow>& rows, BlockWork& work)
{
    for (BlockContact& contact : work.contacts)
    {
        if (!contact.rolling) continue;
        const ContactRow& row = rows[at(contact.row)];
        const std::optional<Touch> touch = find_touch(layout, row, work.bodies, 0.5);
        if (!touch) continue;
        // J of the middle less J of the start, times the increments: second body against first
        const Vec3 first = touch->first_arm - row.first_arm, second = touch->second_arm - row.second_arm;
        const auto jumps = [&](int group, const Vec3& way, const Vec3& arm)
        { return layout.groups[at(group)].dynamic && norm(way) > kJump * norm(arm); };
        Vec3 shift;
        if (!jumps(row.first, first, row.first_arm) && !jumps(row.second, second, row.second_arm))
            shift = contact.side * (cross(work.bodies[at(row.second)].delta.angular, second) -
                                    cross(work.bodies[at(row.first)].delta.angular, first));
        add_shift(shift - contact.shift, contact.half);
        contact.shift = shift;
    }
}

}  // namespace rattleback::avbd
