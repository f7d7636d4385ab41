// Impacts: their speeds, and impulses when they are over.
#include "solvers/ipc/restitution.h"

#include "base/index.h"
#include "collide/filter.h"
#include "math/matrix3.h"
#include "math/symmetric3.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

Symmetric3<double> make_symmetric(const Mat3& a) { return {{a.m[0], a.m[3], a.m[4], a.m[6], a.m[7], a.m[8]}}; }

/// Change of a group's velocities by a unit impulse n at the end of an arm.
Velocity find_answer(const Group& group, const Placement& now, const Vec3& arm, const Vec3& n)
{
    if (!group.dynamic) return {};
    const Mat3 inertia = turn_tensor(now.rotation, group.inertia);
    return {(1 / group.mass) * n, Cholesky3<double>(make_symmetric(inertia)).solve(cross(arm, n))};
}

}  // namespace

Restitution::Restitution(const Model& model, const Layout& layout)
    : model_(model), layout_(layout), before_(layout.groups.size()), starts_(layout.groups.size())
{
    for (const MaterialOptions& material : model.materials) is_on_ = is_on_ || material.restitution > 0;
    if (!is_on_) return;
    meetings_.reserve(find_contact_room(layout));
    kept_.reserve(find_contact_room(layout));
}

double Restitution::find_bounce(int first_shape, int second_shape) const
{
    // The rule of combine(): a pair's own material, else higher priority, else the larger.
    const auto [low, high] = std::minmax({first_shape, second_shape});
    const int pair = model_.pairs.empty() ? -1 : find_explicit_pair(model_, low, high);
    if (pair >= 0 && model_.pairs[at(pair)].material >= 0)
        return model_.materials[at(model_.pairs[at(pair)].material)].restitution;
    const MaterialOptions& a = model_.materials[at(model_.shapes.material[at(low)])];
    const MaterialOptions& b = model_.materials[at(model_.shapes.material[at(high)])];
    if (a.priority != b.priority) return (a.priority > b.priority ? a : b).restitution;
    return std::max(a.restitution, b.restitution);
}

void Restitution::gather(const Potential& potential, std::span<const Body> bodies, std::span<const Placement> now)
{
    // One meeting for each pair of groups: the mean point and normal of its touches, weighted by their forces.
    meetings_.clear();
    const Candidates& candidates = potential.candidates();
    for (const Touch& touch : potential.touches())
    {
        const CandidateSet& set = candidates.sets()[at(touch.set)];
        const double bounce = find_bounce(candidates.first_shape(set), candidates.second_shape(set));
        const double force = potential.find_force(touch);
        if (!(bounce > 0) || !(force > 0)) continue;
        const auto is_same = [&](const Meeting& m) { return m.first == touch.first && m.second == touch.second; };
        auto found = std::find_if(meetings_.begin(), meetings_.end(), is_same);
        if (found == meetings_.end())
        {
            meetings_.push_back({});
            found = meetings_.end() - 1;
            found->first = touch.first;
            found->second = touch.second;
        }
        Meeting& meeting = *found;
        // Sums, divided by the force at the end.
        meeting.normal += force * touch.normal;
        meeting.point += (0.5 * force) * (touch.on_first + touch.on_second);
        meeting.force += force;
        meeting.barrier += potential.find_stored(touch);
        meeting.bounce = std::max(meeting.bounce, bounce);
        if (force <= meeting.hardest) continue;
        meeting.hardest = force;
        // The points that touch now, as far as they were apart at the start.
        const Placement &a = bodies[at(touch.first)].start, &b = bodies[at(touch.second)].start;
        const Vec3 first =
            a.place(transpose_times(now[at(touch.first)].matrix, touch.first_place() - now[at(touch.first)].center));
        const Vec3 second =
            b.place(transpose_times(now[at(touch.second)].matrix, touch.second_place() - now[at(touch.second)].center));
        const double gap = dot(touch.normal, first - second) - touch.first_round - touch.second_round;
        meeting.closing = std::max(0.0, gap - touch.distance);
    }
    for (Meeting& meeting : meetings_)
    {
        meeting.normal = (1 / norm(meeting.normal)) * meeting.normal;
        meeting.point = (1 / meeting.force) * meeting.point;
    }
}

double Restitution::find_speed(const Meeting& meeting, std::span<const Body> bodies,
                               std::span<const Placement> placements, double dt) const
{
    // Implicit Euler's velocity belongs to half a step before its place: v + h a / 2 is the speed there. On the way to
    // the surface gravity adds to it: v^2 + 2 a s.
    double speed = 0, gain = 0;
    const auto add = [&](int g, double sign)
    {
        const Body& body = bodies[at(g)];
        if (layout_.groups[at(g)].row < 0) return;
        const Vec3 arm = meeting.point - placements[at(g)].center;
        const Vec3 rate = layout_.groups[at(g)].dynamic ? (1 / dt) * (body.free.linear - body.velocity) : Vec3{};
        const Vec3 velocity = body.velocity + cross(body.angular, arm) + (0.5 * dt) * rate;
        speed -= sign * dot(meeting.normal, velocity);
        gain -= sign * dot(meeting.normal, rate);
    };
    add(meeting.first, 1);
    add(meeting.second, -1);
    // Slower than what gravity gives in two steps: it rests.
    if (speed <= 2 * dt * std::max(0.0, gain)) return 0;
    return std::sqrt(std::max(0.0, speed * speed + 2 * gain * meeting.closing));
}

double Restitution::find_parting(const Meeting& meeting, std::span<const Placement> placements,
                                 std::span<const Velocity> velocities) const
{
    const auto find = [&](int g)
    {
        const Vec3 arm = meeting.point - placements[at(g)].center;
        return dot(meeting.normal, velocities[at(g)].linear + cross(velocities[at(g)].angular, arm));
    };
    return find(meeting.first) - find(meeting.second);
}

double Restitution::find_mass(const Meeting& meeting, std::span<const Placement> placements) const
{
    double inverse = 0;
    for (const int g : {meeting.first, meeting.second})
    {
        const Vec3 arm = meeting.point - placements[at(g)].center;
        const Velocity answer = find_answer(layout_.groups[at(g)], placements[at(g)], arm, meeting.normal);
        inverse += dot(meeting.normal, answer.linear + cross(answer.angular, arm));
    }
    return inverse > 0 ? 1 / inverse : 0;
}

void Restitution::push(const Meeting& meeting, std::span<const Placement> placements, double impulse,
                       std::span<Velocity> velocities) const
{
    for (const int g : {meeting.first, meeting.second})
    {
        const Vec3 arm = meeting.point - placements[at(g)].center;
        const Velocity answer = find_answer(layout_.groups[at(g)], placements[at(g)], arm, meeting.normal);
        const double sign = g == meeting.first ? impulse : -impulse;
        velocities[at(g)].linear += sign * answer.linear;
        velocities[at(g)].angular += sign * answer.angular;
    }
}

double Restitution::find_energy(std::span<const Placement> placements, std::span<const Velocity> velocities,
                                const Vec3& gravity) const
{
    double energy = 0;
    for (std::size_t g = 0; g < placements.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.dynamic) continue;
        const Vec3 spin = transpose_times(placements[g].matrix, velocities[g].angular);
        energy += 0.5 * group.mass * dot(velocities[g].linear, velocities[g].linear) +
                  0.5 * dot(spin, group.inertia * spin) -
                  (1 - group.gravity_compensation) * group.mass * dot(gravity, placements[g].center);
    }
    return energy;
}

void Restitution::finish(const Potential& potential, std::span<const Body> bodies,
                         std::span<const Placement> placements, double dt, const Vec3& gravity,
                         std::vector<Impact>& impacts, double& energy, std::span<Velocity> velocities)
{
    gather(potential, bodies, placements);
    if (impacts.empty())
    {
        // What the world has before the first impact, with velocities of the places where they are.
        for (std::size_t g = 0; g < bodies.size(); ++g)
        {
            starts_[g] = bodies[g].start;
            before_[g] = {0.5 * (bodies[g].velocity + bodies[g].free.linear), bodies[g].angular};
        }
        energy = find_energy(starts_, before_, gravity);
    }
    kept_.clear();
    bool is_driven = false, is_pushed = false;
    std::copy(velocities.begin(), velocities.end(), before_.begin());
    for (const Meeting& meeting : meetings_)
    {
        const auto is_same = [&](const Impact& i) { return i.first == meeting.first && i.second == meeting.second; };
        const auto found = std::find_if(impacts.begin(), impacts.end(), is_same);
        const double speed = found != impacts.end() ? found->speed : find_speed(meeting, bodies, placements, dt);
        if (!(speed > 0)) continue;
        const double parting = find_parting(meeting, placements, before_);
        const double mass = find_mass(meeting, placements);
        // What the barrier has stored it will give back itself.
        const double square = meeting.bounce * meeting.bounce * speed * speed - 2 * meeting.barrier / mass;
        const double wanted = std::sqrt(std::max(0.0, square));
        const bool is_over = parting > -0.05 * speed && wanted > parting;
        if (!is_over)
        {
            if (parting < wanted) kept_.push_back({meeting.first, meeting.second, speed});
            continue;
        }
        is_pushed = true;
        is_driven =
            is_driven || layout_.groups[at(meeting.first)].kinematic || layout_.groups[at(meeting.second)].kinematic;
        push(meeting, placements, mass * (wanted - find_parting(meeting, placements, velocities)), velocities);
    }
    impacts.swap(kept_);
    if (!is_pushed || is_driven) return;
    // Several impulses at once may give more than the impacts took: all are then as much smaller.
    const double none = find_energy(placements, before_, gravity), all = find_energy(placements, velocities, gravity);
    if (all <= energy) return;
    double squares = 0;  // K(s) = none + s (all - none - squares) + s^2 squares
    for (std::size_t g = 0; g < placements.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.dynamic) continue;
        const Vec3 change = velocities[g].linear - before_[g].linear;
        const Vec3 spin = transpose_times(placements[g].matrix, velocities[g].angular - before_[g].angular);
        squares += 0.5 * group.mass * dot(change, change) + 0.5 * dot(spin, group.inertia * spin);
    }
    const double half = 0.5 * (all - none - squares), room = std::max(0.0, energy - none);
    const double scale = squares > 0 ? (std::sqrt(half * half + squares * room) - half) / squares : 0;
    for (std::size_t g = 0; g < placements.size(); ++g)
    {
        velocities[g].linear = before_[g].linear + scale * (velocities[g].linear - before_[g].linear);
        velocities[g].angular = before_[g].angular + scale * (velocities[g].angular - before_[g].angular);
    }
}

}  // namespace rattleback::ipc
