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

constexpr int kMostAdvances = 64;
constexpr std::size_t kPairsPerTask = 2048, kSuspectsPerTask = 16;
constexpr double kClose = 0.01;  // of the smaller body's size: near enough to count as met

/// Where a part is.
struct Place
{
    Vec3 center;  ///< of mass [m]
    Quat rotation;
};

/// A part after `time` at its present velocity.
Place move_on(const Body& body, const Vec3& gravity, bool dynamic, double time, double dt)
{
    const Vec3 velocity = body.velocity.linear + (dynamic ? dt : 0) * gravity;  // as the step will take it
    return {body.center + time * velocity, normalized(exponential(time * body.velocity.angular) * body.rotation)};
}

Pose pose_of(const Layout& layout, int body, const Place& part)
{
    const int p = layout.part_of_body[at(body)];
    const Pose frame{part.center - rotate(part.rotation, layout.parts[at(p)].center), part.rotation};
    return frame * layout.in_part[at(body)];
}

Vec3 to_local(const Place& part, const Vec3& point) { return rotate(conjugate(part.rotation), point - part.center); }

/// One pair on its way through the step.
struct Flight
{
    int first_body = 0, second_body = 0;  ///< of the model
    int first = 0, second = 0;            ///< parts
    ShapeId first_shape, second_shape;
    Place first_end, second_end;
    ShapeGap gap;
};

/// Advances until the shapes all but touch; false when they do not within dt or when they overlap at once.
bool find_meeting(const Layout& layout, const std::vector<Body>& bodies, double dt, Flight& flight)
{
    const Model& model = *layout.model;
    const Part& first = layout.parts[at(flight.first)];
    const Part& second = layout.parts[at(flight.second)];
    const Body& a = bodies[at(flight.first)];
    const Body& b = bodies[at(flight.second)];
    double size = std::numeric_limits<double>::infinity();
    if (first.dynamic) size = std::min(size, first.extent);
    if (second.dynamic) size = std::min(size, second.extent);
    const Vec3& gravity = model.settings.gravity;
    const Vec3 fall = dt * gravity;
    const Vec3 relative = b.velocity.linear + (second.dynamic ? 1.0 : 0.0) * fall - a.velocity.linear -
                          (first.dynamic ? 1.0 : 0.0) * fall;
    const double turning = first.reach * norm(a.velocity.angular) + second.reach * norm(b.velocity.angular);
    double time = 0;
    for (int i = 0; i < kMostAdvances; ++i)
    {
        flight.first_end = move_on(a, gravity, first.dynamic, time, dt);
        flight.second_end = move_on(b, gravity, second.dynamic, time, dt);
        const std::optional<ShapeGap> gap =
            find_distance(model, flight.first_shape, pose_of(layout, flight.first_body, flight.first_end),
                          flight.second_shape, pose_of(layout, flight.second_body, flight.second_end));
        if (!gap || (i == 0 && gap->distance <= 0)) return false;
        flight.gap = *gap;
        if (gap->distance < kClose * size) return true;
        // no point comes nearer faster than the parts approach along the gap, and all turning added
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
    ContactRow row;
    row.first = flight.first;
    row.second = flight.second;
    row.normal = flight.gap.normal;
    row.first_point = row.first_anchor = to_local(flight.first_end, flight.gap.on_first);
    row.second_point = row.second_anchor = to_local(flight.second_end, flight.gap.on_second);
    weigh_pair(layout, row);
    row.stiffness = settings.stiffness * row.mass / (dt * dt);
    const MaterialOptions& a = model.materials[at(model.shapes.material[at(flight.first_shape.index)])];
    const MaterialOptions& b = model.materials[at(model.shapes.material[at(flight.second_shape.index)])];
    row.restitution = std::max(a.restitution, b.restitution);  // the rule of combine(), without a copy of the name
    if (a.priority != b.priority) row.restitution = (a.priority > b.priority ? a : b).restitution;
    row.rolls = true;  // it has not stuck anywhere yet
    return row;
}

}  // namespace

void find_fast_parts(const Layout& layout, const std::vector<Body>& bodies, double margin, double dt, SweptWork& work)
{
    work.any_fast = false;
    work.fast.assign(layout.parts.size(), 0);
    for (std::size_t p = 1; p < layout.parts.size(); ++p)
    {
        const Velocity& v = bodies[p].velocity;
        const bool fast = dt * (norm(v.linear) + layout.parts[p].reach * norm(v.angular)) > margin;
        work.fast[p] = fast ? 1 : 0;
        work.any_fast = work.any_fast || fast;
    }
}

void add_swept_rows(const Layout& layout, const Settings& settings, std::span<const PairCandidate> pairs,
                    const Contacts& contacts, const std::vector<Body>& bodies, double dt, ThreadPool& pool,
                    SweptWork& work, std::vector<ContactRow>& rows)
{
    if (!work.any_fast) return;
    const Model& model = *layout.model;
    const auto part_of = [&](ShapeId shape) { return layout.part_of_body[at(model.shapes.body[at(shape)])]; };
    const auto touches = [&](const PairCandidate& pair)  // pairs and contacts are sorted alike
    {
        const auto pair_of = [](const Contact& contact)
        { return PairCandidate{contact.first_shape, contact.second_shape}; };
        const auto found = std::lower_bound(contacts.items.begin(), contacts.items.end(), pair,
                                            [&](const Contact& a, const PairCandidate& b) { return pair_of(a) < b; });
        return found != contacts.items.end() && pair_of(*found) == pair;
    };
    work.is_fast.resize(pairs.size());
    run_pieces(&pool, pairs.size(), kPairsPerTask,
               [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
               {
                   for (std::size_t i = begin; i < end; ++i)
                   {
                       const int first = part_of(pairs[i].first), second = part_of(pairs[i].second);
                       const bool moves = layout.parts[at(first)].dynamic || layout.parts[at(second)].dynamic;
                       const bool fast = work.fast[at(first)] != 0 || work.fast[at(second)] != 0;
                       work.is_fast[i] = fast && moves && first != second ? 1 : 0;
                   }
               });
    work.suspects.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        if (work.is_fast[i] != 0) work.suspects.push_back(pairs[i]);
    }
    work.found.resize(work.suspects.size());
    const auto look = [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
    {
        for (std::size_t i = begin; i < end; ++i)
        {
            const PairCandidate& pair = work.suspects[i];
            work.found[i].first = work.found[i].second = -1;
            if (touches(pair)) continue;
            Flight flight{.first_body = model.shapes.body[at(pair.first)],
                          .second_body = model.shapes.body[at(pair.second)],
                          .first = part_of(pair.first),
                          .second = part_of(pair.second),
                          .first_shape = pair.first,
                          .second_shape = pair.second};
            if (find_meeting(layout, bodies, dt, flight)) work.found[i] = make_row(layout, settings, flight, dt);
        }
    };
    run_pieces(&pool, work.suspects.size(), kSuspectsPerTask, look);
    for (const ContactRow& row : work.found)
    {
        if (row.first >= 0) rows.push_back(row);
    }
}

}  // namespace rattleback::avbd
