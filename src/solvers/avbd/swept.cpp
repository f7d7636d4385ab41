// Conservative advancement (Mirtich 1996) of pairs with a fast body.
#include "solvers/avbd/swept.h"

#include "base/index.h"
#include "base/thread_pool.h"
#include "math/rotation.h"

#include <algorithm>
#include <limits>

namespace rattleback::avbd
{

namespace
{

constexpr int kMaxAdvances = 64;
constexpr std::size_t kPairsPerTask = 2048, kSuspectsPerTask = 16;
constexpr double kClose = 0.01;  // of the smaller body's size: near enough to count as met

/// Where a group is.
struct CenterPose
{
    Vec3 center;  ///< of mass [m]
    Quat rotation;
};

/// A group after `time` at its present velocity.
CenterPose move_on(const Body& body, const Vec3& gravity, bool dynamic, double time, double dt)
{
    // x_t + t v, R <- exp(t w) R
    const Vec3 velocity = body.velocity.linear + (dynamic ? dt : 0) * gravity;  // as the step will take it
    return {body.center + time * velocity, normalized(exponential(time * body.velocity.angular) * body.rotation)};
}

Pose pose_of(const Layout& layout, int body, const CenterPose& group)
{
    const int g = layout.group_of_body[at(body)];
    const Pose frame{group.center - rotate(group.rotation, layout.groups[at(g)].center), group.rotation};
    return frame * layout.in_group[at(body)];
}

Vec3 to_local(const CenterPose& group, const Vec3& point)
{
    return rotate(conjugate(group.rotation), point - group.center);
}

/// One pair on its way through the step.
struct Flight
{
    int first_body = 0, second_body = 0;  ///< of the model
    int first = 0, second = 0;            ///< groups
    ShapeId first_shape, second_shape;
    CenterPose first_end, second_end;
    ShapeGap gap;
};

/// Advances until the shapes all but touch; false when they do not within dt or when they overlap at once.
bool find_meeting(const RowContext& context, Flight& flight)
{
    const Layout& layout = context.layout;
    const std::vector<Body>& bodies = context.bodies;
    const double dt = context.dt;
    const Model& model = *layout.model;
    const RigidGroup& first = layout.groups[at(flight.first)];
    const RigidGroup& second = layout.groups[at(flight.second)];
    const Body& a = bodies[at(flight.first)];
    const Body& b = bodies[at(flight.second)];
    // near enough: a fraction of the smaller moving body
    double size = std::numeric_limits<double>::infinity();
    if (first.dynamic) size = std::min(size, first.extent);
    if (second.dynamic) size = std::min(size, second.extent);
    // relative velocity of the centres, with what gravity adds in the step; turning bounds the rest
    const Vec3& gravity = context.gravity;
    const Vec3 fall = dt * gravity;
    const Vec3 relative = b.velocity.linear + (second.dynamic ? 1.0 : 0.0) * fall - a.velocity.linear -
                          (first.dynamic ? 1.0 : 0.0) * fall;
    const double turning = first.reach * norm(a.velocity.angular) + second.reach * norm(b.velocity.angular);
    // each advance takes the time in which the gap cannot close (Mirtich 1996, conservative advancement)
    double time = 0;
    for (int i = 0; i < kMaxAdvances; ++i)
    {
        flight.first_end = move_on(a, gravity, first.dynamic, time, dt);
        flight.second_end = move_on(b, gravity, second.dynamic, time, dt);
        const std::optional<ShapeGap> gap =
            find_distance(model, flight.first_shape, pose_of(layout, flight.first_body, flight.first_end),
                          flight.second_shape, pose_of(layout, flight.second_body, flight.second_end));
        if (!gap || (i == 0 && gap->distance <= 0)) return false;
        flight.gap = *gap;
        if (gap->distance < kClose * size) return true;
        // no point comes nearer faster than the groups approach along the gap, and all turning added
        const double closing = std::max(norm(relative) * 1e-6, -dot(relative, gap->normal)) + turning;
        if (closing <= 0) return false;
        time += gap->distance / closing;
        if (time > dt) return false;
    }
    return false;
}

ContactRow make_row(const Layout& layout, const Settings& settings, const Flight& flight, double dt)
{
    const Model& model = *layout.model;
    // normal and points where they meet, fixed to the bodies
    ContactRow row;
    row.first = flight.first;
    row.second = flight.second;
    row.normal = flight.gap.normal;
    row.first_point = row.first_anchor = to_local(flight.first_end, flight.gap.on_first);
    row.second_point = row.second_anchor = to_local(flight.second_end, flight.gap.on_second);
    // k_start, and no friction: it has not touched yet
    weigh_pair(layout, row);
    row.penalty = settings.stiffness * row.mass / (dt * dt);
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
    const std::vector<int>& body = layout.model->shapes.body;
    return {.first_body = body[at(pair.first)],
            .second_body = body[at(pair.second)],
            .first = group_of(layout, pair.first),
            .second = group_of(layout, pair.second),
            .first_shape = pair.first,
            .second_shape = pair.second};
}

/// Whether a pair is in the contacts; pairs and contacts are sorted alike.
bool touches(const Contacts& contacts, const PairCandidate& pair)
{
    const auto pair_in = [](const Contact& contact)
    { return PairCandidate{contact.first_shape, contact.second_shape}; };
    const auto found = std::lower_bound(contacts.items.begin(), contacts.items.end(), pair,
                                        [&](const Contact& a, const PairCandidate& b) { return pair_in(a) < b; });
    return found != contacts.items.end() && pair_in(*found) == pair;
}

/// The pairs with a fast group.
void find_suspects(const Layout& layout, std::span<const PairCandidate> pairs, ThreadPool& pool, SweptWork& work)
{
    work.is_fast.resize(pairs.size());
    run_pieces(&pool, pairs.size(), kPairsPerTask,
               [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
               {
                   for (std::size_t i = begin; i < end; ++i)
                   {
                       const int first = group_of(layout, pairs[i].first), second = group_of(layout, pairs[i].second);
                       const bool moves = layout.groups[at(first)].dynamic || layout.groups[at(second)].dynamic;
                       const bool fast = work.fast[at(first)] != 0 || work.fast[at(second)] != 0;
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
        const Velocity& v = bodies[g].velocity;
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
    find_suspects(layout, pairs, pool, work);
    // where each of them meets, if it does
    work.found.resize(work.suspects.size());
    const auto look = [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
    {
        for (std::size_t i = begin; i < end; ++i)
        {
            const PairCandidate& pair = work.suspects[i];
            work.found[i].first = work.found[i].second = -1;
            if (touches(contacts, pair)) continue;
            Flight flight = make_flight(layout, pair);
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
