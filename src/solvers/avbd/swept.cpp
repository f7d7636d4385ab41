// Rows where pairs with a fast body first meet, from their time of impact.
#include "solvers/avbd/swept.h"

#include "base/index.h"
#include "base/thread_pool.h"
#include "collide/time_of_impact.h"

#include <algorithm>
#include <limits>

namespace rattleback::avbd
{

namespace
{

constexpr std::size_t kPairsPerTask = 2048, kSuspectsPerTask = 16;
constexpr double kClose = 0.01;  // of the smaller body's size: near enough to count as met

/// One pair on its way through the step.
struct Flight
{
    int first = 0, second = 0;  ///< groups
    ShapeId first_shape, second_shape;
    TimeOfImpact impact;
};

Vec3 to_local(const Pose& center, const Vec3& point)
{
    return rotate(conjugate(center.rotation), point - center.position);
}

/// The shape on its group, with the velocity that the step will take it on with: gravity's part included.
MovingShape make_moving(const RowContext& context, ShapeId shape, int group)
{
    // pose and velocity at x_t; a body that falls gains g h on the way
    const Layout& layout = context.layout;
    const RigidGroup& rigid = layout.groups[at(group)];
    const Body& body = context.bodies[at(group)];
    // a lower bound of the distance over time needs the velocity of every point: linear, angular, reach
    return {.shape = shape,
            .body = layout.in_group[at(layout.model->shapes.body[at(shape)])],
            .center_in_frame = rigid.center,
            .center = body.center,
            .rotation = body.rotation,
            .velocity = body.velocity,
            .fall = (rigid.dynamic ? context.dt : 0) * context.gravity,
            .reach = rigid.reach};
}

/// False when the shapes do not meet within the step, or overlap at once: that is a matter of the contacts.
bool find_meeting(const RowContext& context, Flight& flight)
{
    const RigidGroup& first = context.layout.groups[at(flight.first)];
    const RigidGroup& second = context.layout.groups[at(flight.second)];
    // near enough: a fraction of the smaller moving body
    double size = std::numeric_limits<double>::infinity();
    if (first.dynamic) size = std::min(size, first.extent);
    if (second.dynamic) size = std::min(size, second.extent);
    // Mirtich 1996: conservative advancement, time steps that no point can outrun
    // first moment within the step at which the gap falls below the tolerance
    const std::optional<TimeOfImpact> impact = find_time_of_impact(
        *context.layout.model, make_moving(context, flight.first_shape, flight.first),
        make_moving(context, flight.second_shape, flight.second), {.duration = context.dt, .tolerance = kClose * size});
    // shapes that overlap at once belong to the contacts; those that miss each other need no row
    if (!impact || impact->state != ImpactState::touch) return false;
    flight.impact = *impact;
    return true;
}

ContactRow make_row(const Layout& layout, const Settings& settings, const Flight& flight, double dt)
{
    const Model& model = *layout.model;
    // normal and points where they meet, fixed to the bodies
    ContactRow row;
    row.first = flight.first;
    row.second = flight.second;
    row.normal = flight.impact.gap.normal;
    // the points move on with their bodies: C of the row is their distance along the normal of the meeting
    row.first_point = row.first_anchor = to_local(flight.impact.first, flight.impact.gap.on_first);
    row.second_point = row.second_anchor = to_local(flight.impact.second, flight.impact.gap.on_second);
    // k_start, and no friction: it has not touched yet
    weigh_pair(layout, row);
    // mode penalty: a row for one step has no time to ramp
    row.penalty = settings.penalty ? settings.penalty_limit : first_penalty(settings, row.mass, dt);
    // restitution of the pair, for the bounce at the end of the substep
    const MaterialOptions& a = model.materials[at(model.shapes.material[at(flight.first_shape.index)])];
    const MaterialOptions& b = model.materials[at(model.shapes.material[at(flight.second_shape.index)])];
    row.restitution = std::max(a.restitution, b.restitution);  // the rule of combine(), without a copy of the name
    if (a.priority != b.priority) row.restitution = (a.priority > b.priority ? a : b).restitution;
    row.rolls = true;  // it has not stuck anywhere yet
    return row;
}

int group_of(const Layout& layout, ShapeId shape)
{
    return layout.group_of_body[at(layout.model->shapes.body[at(shape)])];
}

Flight make_flight(const Layout& layout, const PairCandidate& pair)
{
    return {.first = group_of(layout, pair.first),
            .second = group_of(layout, pair.second),
            .first_shape = pair.first,
            .second_shape = pair.second};
}

/// Whether a pair is in the contacts; pairs and contacts are sorted alike.
bool touches(const Contacts& contacts, const PairCandidate& pair)
{
    const auto pair_in = [](const Contact& contact)
    { return PairCandidate{contact.first_shape, contact.second_shape}; };
    // binary search among the sorted contacts
    const auto found = std::lower_bound(contacts.items.begin(), contacts.items.end(), pair,
                                        [&](const Contact& a, const PairCandidate& b) { return pair_in(a) < b; });
    // a pair with contacts has rows that stop it already
    return found != contacts.items.end() && pair_in(*found) == pair;
}

/// The pairs with a fast group.
void find_suspects(const Layout& layout, std::span<const PairCandidate> pairs, ThreadPool& pool, SweptWork& work)
{
    // marks first, side by side: the list itself must not depend on threads
    work.is_fast.resize(pairs.size());
    run_pieces(&pool, pairs.size(), kPairsPerTask,
               [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
               {
                   for (std::size_t i = begin; i < end; ++i)
                   {
                       const int first = group_of(layout, pairs[i].first), second = group_of(layout, pairs[i].second);
                       const bool moves = layout.groups[at(first)].dynamic || layout.groups[at(second)].dynamic;
                       const bool fast = work.fast[at(first)] != 0 || work.fast[at(second)] != 0;
                       // two bodies of one group cannot meet
                       work.is_fast[i] = fast && moves && first != second ? 1 : 0;
                   }
               });
    // gathered in their order
    work.suspects.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        if (work.is_fast[i] != 0) work.suspects.push_back(pairs[i]);
    }
}

}  // namespace

void find_fast_groups(const Layout& layout, const std::vector<Body>& bodies, double margin, double dt, SweptWork& work)
{
    work.any_fast = false;
    work.fast.assign(layout.groups.size(), 0);
    for (std::size_t g = 1; g < layout.groups.size(); ++g)
    {
        // no point of the group moves further than this in a step
        const Velocity& v = bodies[g].velocity;
        // slower groups cannot cross the margin of the contacts, and are found by them
        const bool fast = dt * (norm(v.linear) + layout.groups[g].reach * norm(v.angular)) > margin;
        work.fast[g] = fast ? 1 : 0;
        work.any_fast = work.any_fast || fast;
    }
}

void add_swept_rows(const RowContext& context, std::span<const PairCandidate> pairs, const Contacts& contacts,
                    ThreadPool& pool, SweptWork& work, std::vector<ContactRow>& rows)
{
    if (!work.any_fast) return;
    const Layout& layout = context.layout;
    // pairs of the broad phase with a group that outruns the margin of the contacts
    find_suspects(layout, pairs, pool, work);
    // where each of them meets, if it does
    work.found.resize(work.suspects.size());
    const auto look = [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
    {
        for (std::size_t i = begin; i < end; ++i)
        {
            const PairCandidate& pair = work.suspects[i];
            work.found[i].first = work.found[i].second = -1;
            // what touches already has rows at x_t
            if (touches(contacts, pair)) continue;
            Flight flight = make_flight(layout, pair);
            // every suspect by itself: no row depends on another, nor on threads
            if (find_meeting(context, flight)) work.found[i] = make_row(layout, context.settings, flight, context.dt);
        }
    };
    run_pieces(&pool, work.suspects.size(), kSuspectsPerTask, look);
    // in the order of the pairs, whoever found them
    for (const ContactRow& row : work.found)
    {
        if (row.first >= 0) rows.push_back(row);
    }
}

}  // namespace rattleback::avbd
