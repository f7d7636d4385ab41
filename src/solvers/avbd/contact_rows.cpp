// Rows from contacts: geometry, effective mass, and what is carried over from the last step.
#include "solvers/avbd/contact_rows.h"

#include "base/index.h"
#include "solvers/avbd/dof_rows.h"
#include "solvers/avbd/sleep.h"
#include "solvers/shared/rolling_pair.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

namespace rattleback::avbd
{

namespace
{

constexpr double kTouch = 1e-3;       // of the body's size: a gap that corrections leave between pressed bodies
constexpr double kSettling = 10;      // steps: what approaches faster than it would touch in these may fall on
constexpr double kSamePoint = 0.05;   // of the body's size: old and new place of one point
constexpr double kSameNormal = 0.94;  // cosine of 20 degrees: beyond, old forces push the wrong way

Vec3 to_local(const Body& body, const Vec3& arm) { return rotate(conjugate(body.rotation), arm); }
Vec3 to_world(const Body& body, const Vec3& local) { return body.center + rotate(body.rotation, local); }

/// By components: g++ would load in pieces of two what it has just stored in pieces of one, and wait for it.
void store_twice(const Vec3& from, Vec3& first, Vec3& second)
{
    first = {from.x, from.y, from.z};
    second = {from.x, from.y, from.z};
}

std::pair<int, int> pair_of(const Contact& contact) { return {contact.first_shape.index, contact.second_shape.index}; }
std::pair<int, int> pair_of(const ContactRow& row) { return {row.first_shape, row.second_shape}; }

/// `pace`: square of the last step's length over that of this one, since k has the unit of mass / h^2.
void warm_start(const ContactPoint& old, const Settings& settings, double pace, ContactRow& row)
{
    // a contact that has turned starts anew
    if (dot(old.normal, row.normal) < kSameNormal) return;
    // lambda <- alpha gamma lambda, k <- max(gamma k, k_start) ([AVBD] Eq. 19); with post-stabilisation lambda paid for
    // no old errors and is kept whole
    const bool fades = settings.stabilisation == Stabilisation::alpha && !row.both_asleep;
    const double decay = fades ? settings.alpha * settings.keep : 1;
    row.normal_lambda = decay * old.normal_lambda;
    // the tangent plane has turned with the normal: what of the old force is not in it is dropped
    row.tangent_lambda = decay * (old.tangent_lambda - dot(old.tangent_lambda, row.normal) * row.normal);
    row.spin = decay * old.spin;
    row.roll = decay * (old.roll - dot(old.roll, row.normal) * row.normal);
    // mode penalty: k as it was, gamma comes with the substep (start_penalties)
    if (settings.penalty)
        row.penalty = old.penalty;
    else
        row.penalty = std::max(row.penalty, (row.both_asleep ? 1 : settings.keep) * pace * old.penalty);
    // a point inside its cone keeps the anchors that it stuck at: its drift is an error like any other
    if (!row.rolls && old.is_stuck())
    {
        row.first_anchor = old.first_anchor;
        row.second_anchor = old.second_anchor;
    }
}

/// Rows and old points of one pair of shapes. A feature's name can change though its point stays (a corner slides past
/// the edge of the face below): such points are found by their place.
void warm_start_pair(const Settings& settings, std::span<const ContactRow> old, double pace, std::span<ContactRow> rows)
{
    // points beyond this many start cold
    constexpr std::size_t kMaxPoints = 32;
    // each old point serves one row
    std::array<bool, kMaxPoints> used{}, found{};
    const std::size_t old_count = std::min(old.size(), kMaxPoints), row_count = std::min(rows.size(), kMaxPoints);
    // by feature
    for (std::size_t r = 0; r < row_count; ++r)
    {
        for (std::size_t o = 0; o < old_count && !found[r]; ++o)
        {
            if (used[o] || old[o].feature != rows[r].feature) continue;
            used[o] = found[r] = true;
            warm_start(old[o], settings, pace, rows[r]);
        }
    }
    // by place
    for (std::size_t r = 0; r < row_count; ++r)
    {
        if (found[r]) continue;
        // the nearest point of the last step that no row has taken
        double nearest = kSamePoint * kSamePoint * rows[r].size * rows[r].size;
        std::size_t best = old_count;
        for (std::size_t o = 0; o < old_count; ++o)
        {
            const Vec3 apart = old[o].first_point - rows[r].first_point;
            if (used[o] || dot(apart, apart) >= nearest) continue;
            nearest = dot(apart, apart);
            best = o;
        }
        if (best == old_count) continue;
        used[best] = true;
        warm_start(old[best], settings, pace, rows[r]);
    }
}

/// Asks for old points that the next pairs will start from: they are far apart, and a row reads half of each.
void fetch_ahead(std::span<const ContactRow> old)
{
    // cache lines ahead of use: the old rows are read in order, but each only in part
    constexpr std::size_t kAhead = 8, kCount = 4, kLine = 64;
    for (std::size_t i = kAhead; i < std::min(kAhead + kCount, old.size()); ++i)
    {
        const auto* point = reinterpret_cast<const char*>(static_cast<const ContactPoint*>(&old[i]));
        for (std::size_t b = 0; b < sizeof(ContactPoint); b += kLine) __builtin_prefetch(point + b);
    }
}

/// Every number of a row that a step starts with, but its warm start and its penalty.
void start_row(const Layout& layout, const Contact& contact, const std::vector<Body>& bodies, double dt,
               ContactRow& row)
{
    const Model& model = *layout.model;
    // rows are between rigid groups; one that moves nothing is between the world and itself
    row.first = layout.group_of_body[at(contact.first_body)];
    row.second = layout.group_of_body[at(contact.second_body)];
    if (!layout.groups[at(row.first)].dynamic && !layout.groups[at(row.second)].dynamic) row.first = row.second = 0;
    row.first_shape = contact.first_shape.index;
    row.second_shape = contact.second_shape.index;
    row.feature = contact.feature;
    row.normal = contact.normal();
    // the contact's two points, on the surfaces of the bodies
    const Body& first = bodies[at(row.first)];
    const Body& second = bodies[at(row.second)];
    // half the distance to either side of the point in the middle
    const Vec3 half = (0.5 * contact.distance) * row.normal;
    row.first_arm = contact.point - half - first.center;
    row.second_arm = contact.point + half - second.center;
    store_twice(to_local(first, row.first_arm), row.first_point, row.first_anchor);
    store_twice(to_local(second, row.second_arm), row.second_point, row.second_anchor);
    row.margin = contact.margin;
    // effective mass (the unit of k is that over h^2), and the coefficients that the contact's dimension has
    weigh_pair(layout, row);
    row.friction = contact.dimension >= 3 ? contact.friction.x : 0;
    row.spin_friction = contact.dimension >= 4 ? contact.friction.y : 0;
    row.roll_friction = contact.dimension >= 6 ? contact.friction.z : 0;
    row.restitution = contact.restitution;
    row.rolls =
        is_round(model.shapes.type[at(contact.first_shape)]) || is_round(model.shapes.type[at(contact.second_shape)]);
    // a spring K with a damper D over h: f = (K + D / h) (C - C(x_t)) + K C(x_t)
    const Compliance soft = find_compliance(contact.softness, row.mass, contact.distance - contact.margin, dt);
    const double total = soft.stiffness + soft.damping / dt;
    row.compliance = soft.stiffness > 0 ? 1 / total : 0;
    row.softness = soft.stiffness > 0 ? soft.stiffness / total : 1;
    // without a warm start: no force
    row.normal_lambda = row.spin = 0;
    row.tangent_lambda = row.roll = {};
}

/// Gap, slip and approach of a row whose arms are known.
void place_row(const std::vector<Body>& bodies, double dt, ContactRow& row)
{
    const Body& first = bodies[at(row.first)];
    const Body& second = bodies[at(row.second)];
    // C_n(x_t) = n (r_b - r_a) - margin ([AVBD] Eq. 15)
    // C is the distance of two material points, one on each body, along a fixed n: linear in the increments
    const Vec3 between = (second.center + row.second_arm) - (first.center + row.first_arm);
    const double distance = dot(between, row.normal);
    row.gap = distance - row.margin;
    // C_t(x_t): how far the anchors have slipped
    row.slip = {};
    if (!row.rolls)
    {
        Vec3 slip = to_world(second, row.second_anchor) - to_world(first, row.first_anchor);
        slip -= dot(slip, row.normal) * row.normal;
        // a point that was carried away is a new one
        if (dot(slip, slip) > 1e-4 * row.size * row.size)
        {
            row.first_anchor = row.first_point;
            row.second_anchor = row.second_point;
            slip = between - distance * row.normal;
        }
        row.slip = slip;
    }
    // approach of the two points, for restitution and for what may touch in this step
    // velocities of the two material points, second against first
    const Vec3 velocity = second.velocity.linear + cross(second.velocity.angular, row.second_arm) -
                          first.velocity.linear - cross(first.velocity.angular, row.first_arm);
    row.approach = dot(velocity, row.normal);
    // a gap that would not close within kSettling steps is one that the last correction left
    row.gap_deferred = row.normal_lambda > 0 && row.gap + kSettling * dt * std::abs(row.approach) < kTouch * row.size;
    row.is_active = row.normal_lambda > 0 || row.gap + std::min(0.0, dt * row.approach) <= kTouch * row.size;
}

}  // namespace

double first_penalty(const Settings& settings, double mass, double dt)
{
    return settings.penalty ? settings.penalty_start : settings.stiffness * mass / (dt * dt);
}

void weigh_pair(const Layout& layout, ContactRow& row)
{
    // reduced mass of what is solved together on either side: m_a m_b / (m_a + m_b)
    // infinite until a side that moves is met: what is given has infinite mass
    double mass = std::numeric_limits<double>::infinity();
    row.size = mass;
    for (const int g : {row.first, row.second})
    {
        const RigidGroup& group = layout.groups[at(g)];
        if (!group.dynamic) continue;
        // the heavier the tree behind a body, the stiffer its contacts
        mass = reduced_mass(mass, group.block_mass);
        row.size = std::min(row.size, group.extent);
    }
    row.mass = std::isinf(mass) ? 1 : mass;
}

Piece whole_pairs(const Contacts& contacts, Piece piece)
{
    const auto snap = [&](int c)
    {
        // to the end of the pair that the piece would cut
        while (c > 0 && c < contacts.count() && pair_of(contacts.items[at(c)]) == pair_of(contacts.items[at(c - 1)]))
            ++c;
        return c;
    };
    return {snap(piece.begin), snap(piece.end)};
}

void build_rows(const RowContext& context, const Contacts& contacts, const OldRows& old_rows, Piece range,
                std::vector<ContactRow>& rows)
{
    if (range.begin >= range.end) return;
    const auto& [layout, settings, bodies, sleep, dt, gravity] = context;
    // k is kept in units of mass / h^2 when the step changes
    const double pace = old_rows.dt * old_rows.dt / (dt * dt);
    const auto earlier = [](const ContactRow& m, const Contact& c) { return pair_of(m) < pair_of(c); };
    const ContactRow* const old_end = old_rows.rows.data() + old_rows.rows.size();
    const ContactRow* old = std::lower_bound(old_rows.rows.data(), old_end, contacts.items[at(range.begin)], earlier);
    for (int begin = range.begin; begin < range.end;)
    {
        // new rows of one pair of shapes, at k_start
        const Contact& front = contacts.items[at(begin)];
        int end = begin;
        for (; end < range.end && pair_of(contacts.items[at(end)]) == pair_of(front); ++end)
        {
            ContactRow& row = rows[at(end)];
            start_row(layout, contacts.items[at(end)], bodies, dt, row);
            // a row between sleepers is kept as it is: neither decays nor moves anything
            row.both_asleep = sleep != nullptr && sleep->both_asleep(contacts.items[at(end)]);
            row.penalty = first_penalty(settings, row.mass, dt);
        }
        // its rows of the last step: both lists are sorted by pairs
        while (old != old_end && earlier(*old, front)) ++old;
        const ContactRow* const old_begin = old;
        while (old != old_end && pair_of(*old) == pair_of(front)) ++old;
        fetch_ahead({old, old_end});
        warm_start_pair(settings, {old_begin, old}, pace, std::span(rows).subspan(at(begin), at(end - begin)));
        // C(x_t) last: gaps and slips look at the lambda and the anchors that were carried over
        for (int r = begin; r < end; ++r) place_row(bodies, dt, rows[at(r)]);
        begin = end;
    }
}

void find_manifolds(const std::vector<ContactRow>& rows, Piece range, std::vector<Manifold>& manifolds)
{
    manifolds.clear();
    for (int r = range.begin; r < range.end; ++r)
    {
        const ContactRow& row = rows[at(r)];
        // rows that move nothing are in no manifold, and so in no sweep
        if (row.first == row.second || row.both_asleep) continue;
        // the points of one manifold follow each other
        const bool same = !manifolds.empty() && manifolds.back().end == r && manifolds.back().first == row.first &&
                          manifolds.back().second == row.second && manifolds.back().normal == row.normal &&
                          manifolds.back().friction == row.friction;
        if (!same)
        {
            manifolds.push_back({.first = row.first,
                                 .second = row.second,
                                 .begin = r,
                                 .end = r,
                                 .normal = row.normal,
                                 .friction = row.friction,
                                 .mass = row.mass,
                                 .size = row.size});
        }
        // what its points have, so that sweeps may leave out what none has
        Manifold& manifold = manifolds.back();
        ++manifold.end;
        if (row.is_active) ++manifold.active;
        manifold.turning = manifold.turning || row.spin_friction != 0 || row.roll_friction != 0;
        manifold.soft = manifold.soft || row.compliance != 0;
        manifold.bounces = manifold.bounces || row.restitution > 0;
    }
}

void place_rows(const std::vector<Body>& bodies, double dt, Piece range, std::vector<ContactRow>& rows)
{
    for (int r = range.begin; r < range.end; ++r)
    {
        ContactRow& row = rows[at(r)];
        // the points are fixed to their bodies for the whole step
        row.first_arm = rotate(bodies[at(row.first)].rotation, row.first_point);
        row.second_arm = rotate(bodies[at(row.second)].rotation, row.second_point);
        place_row(bodies, dt, row);
    }
}

void write_forces(const std::vector<ContactRow>& rows, Piece range, ContactForces& forces)
{
    for (int r = range.begin; r < range.end; ++r)
    {
        // lambda of all rows: force and torque on the second body
        const ContactRow& row = rows[at(r)];
        forces.items[at(r)] = {row.normal_lambda * row.normal + row.tangent_lambda, row.spin * row.normal + row.roll};
    }
}

}  // namespace rattleback::avbd
