// Energy accounts of islands over a step, and what is done where they do not balance.
#include "solvers/ipc/energy_bound.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "solvers/ipc/grip_slip.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

double find_kinetic(const Group& group, const Placement& now, const Velocity& v)
{
    const Vec3 own = transpose_times(now.matrix, v.angular);
    return 0.5 * group.mass * dot(v.linear, v.linear) + 0.5 * dot(own, group.inertia * own);
}

}  // namespace

EnergyBound::EnergyBound(const Layout& layout)
    : layout_(layout),
      changes_(layout.groups.size()),
      was_asleep_(layout.groups.size()),
      island_of_(layout.groups.size()),
      accounts_(layout.groups.size())
{
}

EnergyBound::Account& EnergyBound::account_of(int group)
{
    const int island = island_of_[at(group)];
    return island < 0 ? nobody_ : accounts_[at(island)];
}

void EnergyBound::add_barriers(const Potential& potential, double sign)
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

void EnergyBound::begin(const Newton& newton, std::span<const Body> bodies)
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        was_asleep_[g] = newton.is_asleep(static_cast<int>(g)) ? 1 : 0;
        changes_[g] =
            group.dynamic ? -find_kinetic(group, bodies[g].start, {bodies[g].velocity, bodies[g].angular}) : 0;
    }
    add_barriers(newton.potential(), -1);
}

void EnergyBound::open_accounts(const Newton& newton, std::span<const Body> bodies)
{
    newton.list_islands(island_of_);
    std::fill(accounts_.begin(), accounts_.end(), Account{});
    const Candidates& candidates = newton.potential().candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        const int first = candidates.first_group(set), second = candidates.second_group(set);
        account_of(first).is_open = account_of(second).is_open = false;
        if (layout_.groups[at(first)].dynamic && layout_.groups[at(second)].dynamic) continue;
        account_of(first).is_anchored = account_of(second).is_anchored = true;
    }
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

void EnergyBound::add_bodies(const Newton& newton, std::span<const Body> bodies, const Vec3& gravity,
                             std::span<const Velocity> velocities)
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.dynamic) continue;
        const Placement& now = newton.placements()[g];
        Account& account = account_of(static_cast<int>(g));
        // W of what acts from outside, along the straight path.
        const Vec3 force = ((1 - group.gravity_compensation) * group.mass) * gravity + bodies[g].external.force;
        const double work = dot(force, now.center - bodies[g].start.center) +
                            dot(bodies[g].external.torque, find_step_turn(bodies[g], now));
        const double kinetic = find_kinetic(group, now, velocities[g]);
        account.gain += kinetic + changes_[g] - work;
        account.kinetic += kinetic;
        account.mass += group.mass;
        account.drift += group.mass * velocities[g].linear;
    }
}

void EnergyBound::add_friction(const Newton& newton, std::span<const Body> bodies)
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

void EnergyBound::find_scale(Account& account) const
{
    if (account.is_open || !(account.gain > 0)) return;
    // What nothing holds keeps its momentum: its parts are slowed against each other.
    account.drift = account.is_anchored ? Vec3{} : (1 / account.mass) * account.drift;
    const double loose = account.kinetic - 0.5 * account.mass * dot(account.drift, account.drift);
    account.scale = account.gain < loose ? std::sqrt(1 - account.gain / loose) : 0;
}

void EnergyBound::finish(const Newton& newton, std::span<const Body> bodies, const Vec3& gravity,
                         std::span<Velocity> velocities)
{
    open_accounts(newton, bodies);
    add_barriers(newton.potential(), 1);
    add_bodies(newton, bodies, gravity, velocities);
    add_friction(newton, bodies);
    for (Account& account : accounts_) find_scale(account);
    for (std::size_t g = 0; g < velocities.size(); ++g)
    {
        if (!layout_.groups[g].dynamic || island_of_[g] < 0) continue;
        const Account& account = accounts_[at(island_of_[g])];
        if (account.scale == 1) continue;
        velocities[g].linear = account.drift + account.scale * (velocities[g].linear - account.drift);
        velocities[g].angular = account.scale * velocities[g].angular;
    }
}

}  // namespace rattleback::ipc
