// Accounts of momentum and energy of what touches in a step, and what is done where they do not balance.
#include "solvers/ipc/balance.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "solvers/ipc/grip_slip.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// R I Rᵀ w.
Vec3 find_own_spin(const Group& group, const Placement& now, const Vec3& angular)
{
    return now.matrix * (group.inertia * transpose_times(now.matrix, angular));
}

double find_kinetic(const Group& group, const Placement& now, const Velocity& v)
{
    return 0.5 * group.mass * dot(v.linear, v.linear) + 0.5 * dot(v.angular, find_own_spin(group, now, v.angular));
}

Symmetric3<double> find_own_inertia(const Group& group, const Placement& now)
{
    const Mat3 own = turn_tensor(now.rotation, group.inertia);
    return {{own.m[0], own.m[3], own.m[4], own.m[6], own.m[7], own.m[8]}};
}

}  // namespace

Balance::Balance(const Model& model, const Layout& layout)
    : model_(model),
      layout_(layout),
      changes_(layout.groups.size()),
      was_asleep_(layout.groups.size()),
      cluster_of_(layout.groups.size()),
      clusters_(layout.groups.size()),
      is_ball_(layout.groups.size(), 1),
      is_smooth_(layout.groups.size()),
      island_of_(layout.groups.size()),
      accounts_(layout.groups.size()),
      lags_(layout.groups.size())
{
    met_.reserve(find_contact_room(layout));
    constexpr double kRounding = 1e-12;
    for (std::size_t p = 0; p < layout.pieces.size(); ++p)
    {
        const Piece& piece = layout.pieces[p];
        const bool is_ball = piece.vertices.size() == 1 && norm(piece.vertices[0]) <= kRounding * piece.round;
        if (!is_ball) is_ball_[at(piece.group)] = 0;
    }
}

void Balance::add_barriers(const Potential& potential, double sign)
{
    // Places are sums of a centre and a turned arm, known to some tens of units of rounding; below what the force does
    // along that, differences say nothing (a cube that walls 1e-4 d̂ away hold from both sides: 10^16 N, 60 J).
    constexpr double kRounding = 32 * 0x1p-52;
    // Half of it belongs to each of the two; to what is fixed or on a track nothing.
    for (const Touch& touch : potential.touches())
    {
        const bool first = layout_.groups[at(touch.first)].dynamic, second = layout_.groups[at(touch.second)].dynamic;
        const double size = norm(touch.on_first) + layout_.groups[at(first ? touch.first : touch.second)].radius;
        const double unknown = kRounding * size * potential.find_force(touch);
        const double part = (sign * potential.find_stored(touch) - unknown) / (first && second ? 2 : 1);
        if (first) changes_[at(touch.first)] += part;
        if (second) changes_[at(touch.second)] += part;
    }
}

void Balance::begin(const Newton& newton, std::span<const Body> bodies, const Vec3& gravity, double dt)
{
    gravity_ = gravity;
    dt_ = dt;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        was_asleep_[g] = newton.is_asleep(static_cast<int>(g)) ? 1 : 0;
        changes_[g] =
            group.dynamic ? -find_kinetic(group, bodies[g].start, {bodies[g].velocity, bodies[g].angular}) : 0;
    }
    add_barriers(newton.potential(), -1);
    met_.clear();
    for (const Touch& touch : newton.potential().touches())
        if (met_.empty() || met_.back() != std::array{touch.first, touch.second})
            met_.push_back({touch.first, touch.second});
}

void Balance::find_clusters(Newton& newton, std::span<const Body> bodies, bool is_whole)
{
    const auto visit = [&](auto&& note)
    {
        for (const auto& [first, second] : met_) note(first, second);
        for (const Touch& touch : newton.potential().touches()) note(touch.first, touch.second);
        for (const Grip& grip : newton.potential().grips()) note(grip.first, grip.second);
        const auto find_group = [&](int shape) { return layout_.group_of_body[at(model_.shapes.body[at(shape)])]; };
        for (const ToldForce& told : newton.potential().way_forces())
            note(find_group(told.first_shape), find_group(told.second_shape));
        newton.potential().joints().note_pairs(note);
    };
    sets_.reset(layout_.groups.size());
    visit(
        [&](int first, int second)
        {
            if (layout_.groups[at(first)].dynamic && layout_.groups[at(second)].dynamic) sets_.join(first, second);
        });
    if (!is_whole) newton.join_met(sets_);
    std::fill(clusters_.begin(), clusters_.end(), Cluster{});
    for (std::size_t g = 0; g < cluster_of_.size(); ++g)
    {
        cluster_of_[g] = sets_.find(static_cast<int>(g));
        if (layout_.groups[g].dynamic) cluster_of(static_cast<int>(g)).mass += layout_.groups[g].mass;
        if (cluster_of_[g] != static_cast<int>(g)) cluster_of(static_cast<int>(g)).can_turn = true;
        // Who sleeps lies on something that is not looked at.
        if (newton.is_asleep(static_cast<int>(g))) cluster_of(static_cast<int>(g)).is_anchored = true;
    }
    visit(
        [&](int first, int second)
        {
            if (layout_.groups[at(first)].dynamic && layout_.groups[at(second)].dynamic) return;
            cluster_of(first).is_anchored = cluster_of(second).is_anchored = true;
        });
    is_smooth_ = is_ball_;
    for (const Grip& grip : newton.potential().grips()) is_smooth_[at(grip.first)] = is_smooth_[at(grip.second)] = 0;
    newton.potential().joints().note_pairs([&](int first, int second)
                                           { is_smooth_[at(first)] = is_smooth_[at(second)] = 0; });
    open_accounts(newton, bodies);
}

void Balance::open_accounts(const Newton& newton, std::span<const Body> bodies)
{
    newton.list_islands(island_of_);
    std::fill(accounts_.begin(), accounts_.end(), Account{});
    const Candidates& candidates = newton.potential().candidates();
    for (const CandidateSet& set : candidates.sets())
        account_of(candidates.first_group(set)).is_alone = account_of(candidates.second_group(set)).is_alone = false;
    for (std::size_t g = 0; g < island_of_.size(); ++g)
    {
        // Barriers between those who slept were not measured at the start. What a track carries would be slowed
        // against the world, not against the track.
        const int group = static_cast<int>(g);
        const bool has_woken = was_asleep_[g] != 0 && !newton.is_asleep(group);
        const bool is_led = layout_.groups[g].kinematic && find_rest(bodies[g].start, bodies[g].target) != Vector6{};
        if (has_woken || is_led) account_of(group).is_open = true;
    }
    // Springs, dampers, motors and multipliers have energies of their own.
    newton.potential().joints().note_pairs([&](int first, int second)
                                           { account_of(first).is_open = account_of(second).is_open = true; });
}

void Balance::sum_centers(const Newton& newton, std::span<const Body> bodies)
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.dynamic) continue;
        Cluster& cluster = cluster_of(static_cast<int>(g));
        cluster.center += (group.mass / cluster.mass) * newton.placements()[g].center;
        cluster.before += (group.mass / cluster.mass) * bodies[g].start.center;
    }
}

std::span<const Vec3> Balance::find_lags(const Newton& newton, std::span<const Body> bodies)
{
    std::fill(lags_.begin(), lags_.end(), Vec3{});
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.dynamic)
            lags_[at(cluster_of_[g])] += group.mass * (bodies[g].target.center - newton.placements()[g].center);
    }
    // The first group of a cluster comes before the others.
    for (std::size_t g = bodies.size(); g-- > 0;)
    {
        const Cluster& cluster = cluster_of(static_cast<int>(g));
        const bool is_free = layout_.groups[g].dynamic && !cluster.is_anchored;
        lags_[g] = is_free ? (1 / cluster.mass) * lags_[at(cluster_of_[g])] : Vec3{};
    }
    return lags_;
}

Vec3 Balance::find_force(std::size_t g, std::span<const Body> bodies) const
{
    const Group& group = layout_.groups[g];
    return ((1 - group.gravity_compensation) * group.mass) * gravity_ + bodies[g].external.force;
}

Vec3 Balance::find_owed_spin(std::size_t g, std::span<const Body> bodies) const
{
    return find_own_spin(layout_.groups[g], bodies[g].start, bodies[g].angular) + dt_ * bodies[g].external.torque;
}

void Balance::keep_spins(const Newton& newton, std::span<const Body> bodies, std::span<Velocity> velocities) const
{
    constexpr double kRounding = 1e-12;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        const Vec3 owed = find_owed_spin(g, bodies);
        if (!group.dynamic || is_smooth_[g] == 0) continue;
        const Vec3 missing = owed - find_own_spin(group, newton.placements()[g], velocities[g].angular);
        if (norm(missing) > kRounding * norm(owed))
            velocities[g].angular += Cholesky3<double>(find_own_inertia(group, newton.placements()[g])).solve(missing);
    }
}

void Balance::sum_momenta(const Newton& newton, std::span<const Body> bodies, std::span<const Velocity> velocities)
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.dynamic) continue;
        Cluster& cluster = cluster_of(static_cast<int>(g));
        const Placement &start = bodies[g].start, &now = newton.placements()[g];
        const Vec3 arm = now.center - cluster.center, first_arm = start.center - cluster.before;
        const Vec3 first = group.mass * bodies[g].velocity, last = group.mass * velocities[g].linear;
        const Vec3 force = find_force(g, bodies);
        cluster.momentum += last;
        cluster.owed += first + dt_ * force;
        cluster.spin += cross(arm, last);
        cluster.owed_spin += cross(first_arm, first) + dt_ * cross(arm, force);
        // m (r² 1 - r rᵀ) + R I Rᵀ.
        add_diagonal(cluster.inertia, group.mass * dot(arm, arm));
        add_outer(cluster.inertia, -group.mass, arm);
        // Places are known to some units of rounding, and velocities to those over h.
        constexpr double kRounding = 32 * 0x1p-52;
        const double unknown =
            kRounding * (norm(first) + norm(last) + group.mass / dt_ * (norm(start.center) + norm(now.center)));
        cluster.unknown += unknown;
        cluster.unknown_spin += (norm(first_arm) + norm(arm)) * unknown;
        if (is_smooth_[g] != 0) continue;
        cluster.can_turn = true;
        cluster.is_smooth = false;
        const Vec3 last_spin = find_own_spin(group, now, velocities[g].angular), owed_spin = find_owed_spin(g, bodies);
        const Symmetric3<double> own = find_own_inertia(group, now);
        cluster.spin += last_spin;
        cluster.owed_spin += owed_spin;
        cluster.unknown_spin +=
            kRounding * (norm(owed_spin) + norm(last_spin) + (own.m[0] + own.m[2] + own.m[5]) / dt_);
        cluster.inertia += own;
    }
}

void Balance::give_momenta(const Newton& newton, std::span<Velocity> velocities)
{
    for (Cluster& cluster : clusters_)
    {
        if (cluster.mass == 0) continue;
        // Nothing is owed to what is anchored.
        if (cluster.is_anchored)
        {
            cluster.owed = cluster.momentum;
            cluster.owed_spin = cluster.spin;
        }
        const Vec3 missing = cluster.owed - cluster.momentum, missing_spin = cluster.owed_spin - cluster.spin;
        // What rounding may have taken says nothing.
        const bool is_known = norm(missing) > cluster.unknown || norm(missing_spin) > cluster.unknown_spin;
        cluster.drift.linear = (1 / cluster.mass) * cluster.owed;
        if (is_known) cluster.given.linear = (1 / cluster.mass) * missing;
        if (!cluster.can_turn) continue;
        // Two smooth balls have no inertia about the line of their centres, and no momentum.
        constexpr double kLeast = 1e-9;
        if (cluster.is_smooth)
            add_diagonal(cluster.inertia,
                         kLeast * (cluster.inertia.m[0] + cluster.inertia.m[2] + cluster.inertia.m[5]));
        const Cholesky3<double> inertia(cluster.inertia);
        cluster.drift.angular = inertia.solve(cluster.owed_spin);
        if (is_known) cluster.given.angular = inertia.solve(missing_spin);
    }
    for (std::size_t g = 0; g < velocities.size(); ++g)
    {
        const Cluster& cluster = cluster_of(static_cast<int>(g));
        if (!layout_.groups[g].dynamic || cluster.given == Velocity{}) continue;
        const Vec3 arm = newton.placements()[g].center - cluster.center;
        velocities[g].linear += cluster.given.linear + cross(cluster.given.angular, arm);
        if (is_smooth_[g] == 0) velocities[g].angular += cluster.given.angular;
    }
}

Velocity Balance::find_drift(std::size_t g, const Newton& newton, const Velocity& own)
{
    const Cluster& cluster = cluster_of(static_cast<int>(g));
    const Vec3 arm = newton.placements()[g].center - cluster.center;
    return {cluster.drift.linear + cross(cluster.drift.angular, arm),
            is_smooth_[g] != 0 ? own.angular : cluster.drift.angular};
}

void Balance::add_bodies(const Newton& newton, std::span<const Body> bodies, std::span<const Velocity> velocities)
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.dynamic) continue;
        const Placement& now = newton.placements()[g];
        Account& account = account_of(static_cast<int>(g));
        // W of what acts from outside, along the straight path.
        const double work = dot(find_force(g, bodies), now.center - bodies[g].start.center) +
                            dot(bodies[g].external.torque, find_step_turn(bodies[g], now));
        const Velocity drift = find_drift(g, newton, velocities[g]);
        const Velocity against{velocities[g].linear - drift.linear, velocities[g].angular - drift.angular};
        account.gain += find_kinetic(group, now, velocities[g]) + changes_[g] - work;
        account.loose += find_kinetic(group, now, against);
        if (cluster_of(static_cast<int>(g)).is_anchored) account.led += find_kinetic(group, now, drift);
    }
}

void Balance::add_friction(const Newton& newton, std::span<const Body> bodies)
{
    const Potential& potential = newton.potential();
    for (std::size_t i = 0; i < potential.grips().size(); ++i)
    {
        const Grip& grip = potential.grips()[i];
        const GripSlip slip = find_grip_slip(grip, bodies, newton.placements());
        const Vec3 force = potential.find_friction_force(i, bodies, newton.placements());
        // D: friction along the slip of this step. What an anchor remembers of others is not gone again.
        const double slipped[2] = {slip.along[0] - grip.before[0], slip.along[1] - grip.before[1]};
        const int own = layout_.groups[at(grip.first)].dynamic ? grip.first : grip.second;
        account_of(own).gain -= dot(force, slipped[0] * grip.tangent[0] + slipped[1] * grip.tangent[1]);
    }
}

double Balance::find_hardening_limit() const
{
    // Springs, motors and tracks may have paid for more.
    double lost = 0;
    for (const Account& account : accounts_)
    {
        if (account.is_open) return HUGE_VAL;
        lost -= account.is_alone ? 0 : std::min(0.0, account.gain);
    }
    return knows_energy_ && stored_ > 0 ? 1 + lost / stored_ : HUGE_VAL;
}

void Balance::finish(const Newton& newton, std::span<const Body> bodies, bool bounds_energy,
                     std::span<Velocity> velocities)
{
    sum_centers(newton, bodies);
    keep_spins(newton, bodies, velocities);
    sum_momenta(newton, bodies, velocities);
    give_momenta(newton, velocities);
    knows_energy_ = bounds_energy;
    if (!bounds_energy) return;
    stored_ = 0;
    for (const Touch& touch : newton.potential().touches()) stored_ += newton.potential().find_stored(touch);
    add_barriers(newton.potential(), 1);
    add_bodies(newton, bodies, velocities);
    add_friction(newton, bodies);
    for (Account& account : accounts_)
    {
        if (account.is_alone || account.is_open || !(account.gain > 0)) continue;
        account.scale = account.gain < account.loose ? std::sqrt(1 - account.gain / account.loose) : 0;
        const double rest = account.gain - account.loose;
        if (rest > 0) account.led_scale = rest < account.led ? std::sqrt(1 - rest / account.led) : 0;
    }
    for (std::size_t g = 0; g < velocities.size(); ++g)
    {
        const Account& account = account_of(static_cast<int>(g));
        if (!layout_.groups[g].dynamic || account.scale == 1) continue;
        const Velocity drift = find_drift(g, newton, velocities[g]);
        const Vec3 loose = velocities[g].linear - drift.linear, loose_spin = velocities[g].angular - drift.angular;
        const double led = cluster_of(static_cast<int>(g)).is_anchored ? account.led_scale : 1;
        velocities[g].linear = led * drift.linear + account.scale * loose;
        velocities[g].angular = led * drift.angular + account.scale * loose_spin;
    }
}

}  // namespace rattleback::ipc
