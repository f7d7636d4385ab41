// The minimisation of the incremental potential within a step.
#include "solvers/ipc/newton.h"

#include "base/index.h"
#include "math/rotation.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// What is left of the way to a target, as a direction.
Vector6 find_rest(const Placement& now, const Placement& target)
{
    const Vec3 shift = target.center - now.center, turn = logarithm(target.rotation * conjugate(now.rotation));
    return {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
}

}  // namespace

Newton::Newton(const Model& model, const Layout& layout, const Settings& settings)
    : layout_(layout),
      separation_(settings.separation),
      tolerance_(settings.tolerance),
      max_iterations_(settings.max_iterations),
      friction_lags_(settings.friction_lags),
      potential_(model, layout, settings),
      placements_(layout.groups.size()),
      trial_(layout.groups.size()),
      gradient_(at(layout.row_count)),
      direction_(at(layout.row_count)),
      skins_(layout.groups.size()),
      tracks_(layout.groups.size()),
      parts_(layout.groups.size())
{
}

void Newton::begin(std::span<const Body> bodies, double dt, double gravity, double factor,
                   std::span<const double> friction)
{
    dt_ = dt;
    friction_ = friction;
    // Barrier stiffness of this step, and no friction yet.
    potential_.begin(dt, gravity, factor);
    // The order of elimination is a function of this step alone.
    hessian_.analyse(layout_.row_count, {});
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        placements_[g] = bodies[g].start;
        const Group& group = layout_.groups[g];
        skins_[g] = 0;
        if (group.row < 0) continue;
        // Wide enough for the way to the target, and for what contacts add to it.
        skins_[g] = layout_.reach + 1.25 * find_reach(group, find_rest(bodies[g].start, bodies[g].target));
    }
    // All pairs of simplices that may come within reach in this step, found once ([RigidIPC] section 4.3, broad phase).
    potential_.candidates().find(placements_, skins_, friction_);
    find_islands();
    // Who can meet nobody has its minimum at its target.
    is_alone_.assign(bodies.size(), 1);
    for (const CandidateSet& set : potential_.candidates().sets())
        is_alone_[at(potential_.candidates().first_group(set))] =
            is_alone_[at(potential_.candidates().second_group(set))] = 0;
}

bool Newton::is_free(bool check_crossings, int& first, int& second, double& distance)
{
    // Candidates stand nearest first: the first of each pair of pieces tells.
    const Candidates& candidates = potential_.candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        distance = candidates.candidates(set).front().distance;
        if (distance > separation_) continue;
        first = candidates.first_shape(set);
        second = candidates.second_shape(set);
        return false;
    }
    // Surfaces may cross where no two of their simplices are near: a bar through the middle of a large face.
    distance = 0;
    return !check_crossings || !candidates.find_crossing(first, second);
}

void Newton::cover_direction(std::span<const Placement> from)
{
    Candidates& candidates = potential_.candidates();
    bool is_inside = true;
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        const Vector6 d = row < 0 ? Vector6{} : direction_[at(row)];
        // x(t) = q + t dq, R(t) = exp(t dphi) R: the curved path of an iterate ([RigidIPC] section 4.3).
        tracks_[g] = RigidTrack({from[g].center, {d[0], d[1], d[2]}, from[g].rotation, {}, {d[3], d[4], d[5]}});
        if (row < 0) continue;
        const double way = find_reach(layout_.groups[g], d) + candidates.find_way(static_cast<int>(g), from[g]);
        is_inside = is_inside && way <= skins_[g];
    }
    if (is_inside) return;
    // The direction leads out of what the candidates cover: found anew from here.
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        skins_[g] = row < 0 ? 0 : layout_.reach + 1.25 * find_reach(layout_.groups[g], direction_[at(row)]);
    }
    candidates.find(from, skins_, friction_);
    find_islands();
}

CertifiedImpact Newton::find_impact(const CandidateSet& set, const Candidate& candidate,
                                    std::span<const Placement> from, const Keep& keep, double part, double motion) const
{
    const Candidates& candidates = potential_.candidates();
    const int a = candidates.first_group(set), b = candidates.second_group(set);
    const Simplex first = candidates.first_simplex(set, candidate);
    // Proven only as far as an earlier pair has left the way open: the earliest time is shared.
    CertifiedOptions options;
    options.latest = part;
    const auto set_options = [&](double gap)
    {
        const double kept = keep.find(gap);
        options.separation = separation_ + kept;
        options.tolerance = 0.5 * kept;
        return gap - kept > part * motion;  // the motion of both cannot use it up
    };
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        const double height = dot(space.normal, from[at(a)].place(first.corner[0])) - space.offset;
        if (set_options(height - separation_)) return {CertifiedState::apart, part, 0};
        return certified_time_of_impact(tracks_[at(a)], first.corner[0], space, options);
    }
    // The simpler of the two first, as the certified test wants it.
    const Simplex second = candidates.second_simplex(set, candidate);
    const bool turned = first.count > second.count;
    const int one = turned ? b : a, two = turned ? a : b;
    const Simplex &mine = turned ? second : first, &other = turned ? first : second;
    const double distance = norm(find_nearest(place(from[at(one)], mine), place(from[at(two)], other)).between);
    if (set_options(distance - separation_)) return {CertifiedState::apart, part, 0};
    return certified_time_of_impact(tracks_[at(one)], mine, tracks_[at(two)], other, options);
}

double Newton::find_free_part_of(const CandidateSet& set, std::span<const Placement> from, const Keep& keep,
                                 double part) const
{
    const Candidates& candidates = potential_.candidates();
    const int a = candidates.first_group(set), b = candidates.second_group(set);
    const auto find_motion = [&](int g)
    {
        const int row = layout_.groups[at(g)].row;
        return row < 0 ? 0 : find_reach(layout_.groups[at(g)], direction_[at(row)]) * (1 + 1e-12);
    };
    // How far both have come since the candidates' distances were measured, and how far they would go now.
    const double gone = candidates.find_way(a, from[at(a)]) + candidates.find_way(b, from[at(b)]);
    const double motion = find_motion(a) + find_motion(b);
    if (motion == 0) return part;
    for (const Candidate& candidate : candidates.candidates(set))
    {
        // Nearest first: the motion of both uses up no gap of all that follow.
        const double gap = (candidate.distance - gone) * (1 - 1e-12) - separation_;
        if (gap - keep.find(gap) > part * motion) break;
        part = std::min(part, find_impact(set, candidate, from, keep, part, motion).time);
    }
    return part;
}

double Newton::find_free_parts(std::span<const Placement> from, const Keep& keep)
{
    cover_direction(from);
    // A part of the direction per island: one pair that is near must not stop the others.
    std::fill(parts_.begin(), parts_.end(), 1.0);
    double least = 1;
    const Candidates& candidates = potential_.candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        double& part = parts_[at(islands_.find(layout_.groups[at(a)].row >= 0 ? a : b))];
        part = find_free_part_of(set, from, keep, part);
        least = std::min(least, part);
    }
    return least;
}

void Newton::find_islands()
{
    // Groups whose pieces may touch within the step; what does not move joins nobody.
    const Candidates& candidates = potential_.candidates();
    islands_.reset(layout_.groups.size());
    for (const CandidateSet& set : candidates.sets())
    {
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        if (layout_.groups[at(a)].row >= 0 && layout_.groups[at(b)].row >= 0) islands_.join(a, b);
    }
}

void Newton::scale_direction()
{
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        if (layout_.groups[g].row < 0) continue;
        for (double& x : direction_[at(layout_.groups[g].row)]) x *= parts_[at(islands_.find(static_cast<int>(g)))];
    }
}

void Newton::set_trial(double part)
{
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        trial_[g] = row < 0 ? placements_[g] : move(placements_[g], direction_[at(row)], part);
    }
}

bool Newton::find_direction(std::span<const Body> bodies)
{
    // H d = - grad E, with H of inertia, barrier and friction in blocks of 6 x 6.
    potential_.assemble(bodies, placements_, gradient_, hessian_);
    for (std::size_t r = 0; r < direction_.size(); ++r)
    {
        for (std::size_t i = 0; i < 6; ++i) direction_[r][i] = -gradient_[r][i];
    }
    // Inertia is positive and all other terms are at least not negative.
    if (!hessian_.factor()) return false;
    hessian_.solve(direction_);
    return true;
}

double Newton::find_product() const
{
    double product = 0;
    for (std::size_t r = 0; r < direction_.size(); ++r)
    {
        for (std::size_t i = 0; i < 6; ++i) product += direction_[r][i] * gradient_[r][i];
    }
    return product;
}

double Newton::find_speed() const
{
    // The largest way of any point of any body along the direction, over the step: the residual in m/s.
    double fastest = 0;
    for (const Group& group : layout_.groups)
    {
        if (group.row >= 0) fastest = std::max(fastest, find_reach(group, direction_[at(group.row)]) / dt_);
    }
    return fastest;
}

bool Newton::search_line(std::span<const Body> bodies)
{
    constexpr double kArmijo = 1e-4, kRounding = 1e-13;
    constexpr int kMaxHalvings = 40;
    // Each island goes as far as it is free; then all as far as the value falls.
    find_free_parts(placements_, {});
    scale_direction();
    const double product = find_product();
    // Beyond this a difference of values says nothing.
    const double noise = kRounding * potential_.magnitude();
    double part = 1;
    for (int halving = 0; halving < kMaxHalvings && product < 0; ++halving, part *= 0.5)
    {
        // Sufficient decrease (Armijo); a placement at which surfaces meet has the value infinity.
        set_trial(part);
        const double value = potential_.evaluate(bodies, trial_);
        if (!(value <= value_ + kArmijo * part * product + noise)) continue;
        placements_.swap(trial_);
        value_ = value;
        return true;
    }
    // No decrease along a descent direction: rounding, or the end.
    value_ = potential_.evaluate(bodies, placements_);
    return false;
}

void Newton::guess(std::span<const Body> bodies)
{
    // Where the present velocities lead: of what slides, rolls or falls a good part of the way. Kinematic bodies go all
    // of it if nothing is in their way.
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.row < 0) continue;
        // Nothing within reach: the target it is.
        if (is_alone_[g] != 0) placements_[g] = bodies[g].target;
        const Vec3 shift = dt_ * bodies[g].velocity, turn = dt_ * bodies[g].angular;
        Vector6& direction = direction_[at(group.row)];
        direction = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
        if (group.kinematic) direction = find_rest(bodies[g].start, bodies[g].target);
        if (is_alone_[g] != 0) direction = {};
    }
    // Taken only where it is free and better than where the step begins.
    value_ = potential_.evaluate(bodies, placements_);
    if (find_speed() == 0) return;
    find_free_parts(placements_, {});
    scale_direction();
    set_trial(1);
    const double value = potential_.evaluate(bodies, trial_);
    if (value <= value_)
    {
        placements_.swap(trial_);
        value_ = value;
    }
    else
    {
        potential_.evaluate(bodies, placements_);
    }
}

NewtonReport Newton::solve(std::span<const Body> bodies, int max_iterations)
{
    NewtonReport report;
    value_ = potential_.evaluate(bodies, placements_);
    report.least_distance = potential_.least_distance();
    while (report.iterations < max_iterations)
    {
        // One Newton step of E ([RigidIPC] section 4.2): direction, the part of it that is free, decrease.
        const bool is_positive = find_direction(bodies);
        ++report.iterations;
        report.residual = find_speed();
        // The last step is taken too: it halves the digits that are wrong.
        report.converged = report.residual <= tolerance_;
        if (!is_positive || report.residual == 0) break;
        const bool went_on = search_line(bodies);
        report.least_distance = std::min(report.least_distance, potential_.least_distance());
        if (report.converged || !went_on) break;
    }
    return report;
}

NewtonReport Newton::minimise(std::span<const Body> bodies)
{
    NewtonReport report;
    // Friction at first presses as the touches at the start do.
    value_ = potential_.evaluate(bodies, placements_);
    if (friction_lags_ > 0) potential_.lag_friction(placements_);
    guess(bodies);
    for (int lag = 0; lag < std::max(1, friction_lags_); ++lag)
    {
        if (lag > 0)
        {
            // The same problem with the normal forces just found; without friction it is solved already.
            potential_.evaluate(bodies, placements_);
            const bool had_friction = potential_.has_friction();
            potential_.lag_friction(placements_);
            if (!had_friction && !potential_.has_friction()) break;
        }
        const NewtonReport solved = solve(bodies, max_iterations_ - report.iterations);
        report.iterations += solved.iterations;
        report.residual = solved.residual;
        report.converged = solved.converged;
        report.least_distance =
            lag == 0 ? solved.least_distance : std::min(report.least_distance, solved.least_distance);
        if (!solved.converged) break;
    }
    return report;
}

bool Newton::certify(std::span<const Body> bodies)
{
    // From state to state: the centre in a straight line, R0 to R1 at constant rate, in place of the bent path that the
    // iterates took.
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        trial_[g] = bodies[g].start;
        if (row >= 0) direction_[at(row)] = find_rest(bodies[g].start, placements_[g]);
    }
    // A hundredth of the least gap at the end is kept all the way: far more than what is written to the world is
    // rounded by. Of a gap that was smaller at the start, half.
    potential_.evaluate(bodies, placements_);
    if (find_free_parts(trial_, {0.5, 0.01 * (potential_.least_distance() - separation_)}) == 1) return true;
    // Islands whose path is not free end where it is last proven to be.
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        const double part = parts_[at(islands_.find(static_cast<int>(g)))];
        if (row >= 0 && part < 1) placements_[g] = move(bodies[g].start, direction_[at(row)], part);
    }
    return false;
}

bool Newton::is_on_track(std::span<const Body> bodies) const
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.kinematic && find_reach(group, find_rest(placements_[g], bodies[g].target)) > 1e-6 * layout_.reach)
            return false;
    }
    return true;
}

void Newton::snap(std::span<const Body> bodies)
{
    // Kinematic bodies come to within a hundredth of d̂ by their mass alone; the rest of the way at once, if it is free.
    bool moved = false;
    direction_.assign(direction_.size(), {});
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.kinematic) continue;
        const Vector6 rest = find_rest(placements_[g], bodies[g].target);
        const double way = find_reach(group, rest);
        if (way == 0 || way > 0.01 * layout_.reach) continue;
        direction_[at(group.row)] = rest;
        moved = true;
    }
    if (!moved || find_free_parts(placements_, {}) < 1) return;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.kinematic && direction_[at(group.row)] != Vector6{}) placements_[g] = bodies[g].target;
    }
}

}  // namespace rattleback::ipc
