// The minimisation of the incremental potential within a step.
#include "solvers/ipc/newton.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/ipc/drive.h"
#include "solvers/ipc/own_insets.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// [group] a quarter of the edges of its finest piece are shorter [m]; without edges: the spacing of its points.
std::vector<double> find_grains(const Layout& layout)
{
    std::vector<double> grains(layout.groups.size(), HUGE_VAL), lengths;
    for (std::size_t p = 0; p < layout.pieces.size(); ++p)
    {
        const Piece& piece = layout.pieces[p];
        lengths.clear();
        for (const auto& e : piece.edges) lengths.push_back(norm(piece.vertices[at(e[1])] - piece.vertices[at(e[0])]));
        double grain = 2 * (piece.radius + piece.round) / std::sqrt(static_cast<double>(piece.vertices.size()));
        if (!lengths.empty())
        {
            const auto quarter = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 4);
            std::nth_element(lengths.begin(), quarter, lengths.end());
            grain = *quarter;
        }
        grains[at(piece.group)] = std::min(grains[at(piece.group)], grain);
    }
    return grains;
}

/// The speed [m/s] to which steps with friction are solved: a tenth of the tolerance, or of that within which smooth
/// friction changes all of its force, unless the tolerance is so far above it that no such forces are asked for.
double find_finer_aim(const Settings& settings, double tolerance)
{
    constexpr double kPart = 0.1, kFarAbove = 10;
    const double stretch = (settings.anchor ? kAnchorPart : 1) * settings.static_speed;
    const bool is_far = tolerance > kFarAbove * settings.static_speed;
    return kPart * (is_far ? tolerance : std::min(tolerance, stretch));
}

}  // namespace

Newton::Newton(const Model& model, const Layout& layout, const Settings& settings)
    : layout_(layout),
      pool_(settings.threads == 1 ? nullptr : std::make_unique<ThreadPool>(settings.threads)),
      exact_hessian_(settings.exact_hessian),
      interval_ccd_(settings.interval_ccd),
      lagrangian_drive_(settings.lagrangian_drive && !layout.kinematic_bodies.empty()),
      subdivision_(settings.subdivision),
      deviations_(settings.deviations),
      separation_(settings.separation),
      tolerance_(layout.tolerance),
      finer_aim_(find_finer_aim(settings, layout.tolerance)),
      joint_tolerance_(settings.joint_tolerance > 0 ? settings.joint_tolerance : 1e-3 * layout.reach),
      max_iterations_(settings.max_iterations),
      friction_lags_(settings.friction_lags),
      potential_(model, layout, settings),
      placements_(layout.groups.size()),
      trial_(layout.groups.size()),
      is_alone_(layout.groups.size()),
      gradient_(at(layout.row_count)),
      direction_(at(layout.row_count)),
      straight_(at(layout.row_count)),
      bend_(at(layout.row_count)),
      skins_(layout.groups.size()),
      first_skins_(layout.groups.size()),
      skin_limits_(layout.groups.size()),
      grains_(find_grains(layout)),
      covered_(layout.groups.size()),
      sleep_of_(layout.groups.size(), -1),
      is_woken_(layout.groups.size()),
      wider_skins_(layout.groups.size()),
      rests_(layout.groups.size()),
      slacks_(layout.groups.size()),
      moves_(layout.groups.size()),
      first_moves_(layout.groups.size()),
      tracks_(layout.groups.size()),
      island_of_(layout.groups.size()),
      parts_(layout.groups.size()),
      steps_(layout.groups.size()),
      values_(layout.groups.size()),
      products_(layout.groups.size()),
      noise_(layout.groups.size()),
      is_pending_(layout.groups.size()),
      island_speeds_(layout.groups.size()),
      is_cut_(layout.groups.size()),
      starts_(layout.groups.size()),
      kept_direction_(at(layout.row_count)),
      first_done_(layout.groups.size()),
      driven_done_(layout.groups.size()),
      is_converged_(layout.groups.size()),
      is_done_(layout.groups.size()),
      is_active_(layout.groups.size(), 1),
      speeds_(layout.groups.size())
{
    potential_.set_pool(pool_.get());
    const std::size_t room = find_contact_room(layout);
    hessian_.reserve(layout.row_count);
    queries_.reserve(room);
    set_parts_.reserve(room);
    wider_sets_.reserve(room);
    is_bound_.reserve(room);
    stopped_.reserve(room);
    for (std::size_t g = 0; g < slacks_.size(); ++g)
        slacks_[g] = layout_.groups[g].row < 0 ? 0 : layout_.reach + kGrains * grains_[g];
}

void Newton::begin(std::span<const Body> bodies, double dt, double step, double gravity, double factor,
                   std::span<const double> friction)
{
    dt_ = dt;
    friction_ = friction;
    shift_ = 0;
    has_lagged_ = false;
    met_.reset(bodies.size());
    work_ = 0;
    std::fill(is_woken_.begin(), is_woken_.end(), char{0});
    // Barrier stiffness of this step, and no friction yet.
    potential_.begin(dt, step, gravity, factor, bodies);
    // The order of elimination is a function of this step alone; where its first pattern is that of the last step, it
    // is known.
    hessian_.forget();
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        placements_[g] = bodies[g].start;
        const Group& group = layout_.groups[g];
        const bool waits = group.kinematic && find_rest(bodies[g].start, bodies[g].target) == Vector6{};
        rests_[g] = waits ? Rest::waits : Rest::none;
        if (group.row < 0) rests_[g] = Rest::fixed;
        if (sleep_of_[g] >= 0) rests_[g] = Rest::sleeps;
    }
    // All pairs of simplices that may come within reach in this step, found once ([RigidIPC] section 4.3, broad phase).
    set_first_skins(bodies);
    mark(Stage::kinematics);
    find_candidates(placements_, first_moves_, Found::anew);
    // Who can meet nobody has its minimum at its target.
    for (std::size_t g = 0; g < bodies.size(); ++g)
        is_alone_[g] = deviations_.guess && !is_asleep(static_cast<int>(g)) && skins_[g] == first_skins_[g] ? 1 : 0;
    for (const CandidateSet& set : potential_.candidates().sets())
        is_alone_[at(potential_.candidates().first_group(set))] =
            is_alone_[at(potential_.candidates().second_group(set))] = 0;
    potential_.joints().note_pairs([&](int first, int second) { is_alone_[at(first)] = is_alone_[at(second)] = 0; });
}

bool Newton::is_free(bool asks_room, bool check_crossings, int& first, int& second) const
{
    // Candidates stand nearest first: the first of each pair of pieces tells.
    const Candidates& candidates = potential_.candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        if (candidates.candidates(set).empty()) continue;
        const double room = asks_room ? find_touching_gap(layout_, placements_[at(candidates.first_group(set))],
                                                          placements_[at(candidates.second_group(set))])
                                      : 0;
        const double gap = candidates.candidates(set).front().distance - separation_;
        if (gap > room) continue;
        first = candidates.first_shape(set);
        second = candidates.second_shape(set);
        return false;
    }
    // Surfaces may cross where no two of their simplices are near: a bar through the middle of a large face.
    return !check_crossings || !candidates.find_crossing(first, second);
}

double Newton::balance_start(std::span<const Body> bodies)
{
    // No softer than a thousandth of what loads ask for; without any, so soft that what starts within the barrier's
    // reach parts about as fast as the tolerance: of each kilogram it stores k b / m, with b = 10 at a hundredth of d̂.
    // The stiffness by the step alone, d̂² / (10 h²), would be a hundred kilojoules of a kilogram at a microsecond.
    constexpr double kLeast = 1e-3, kMost = 10, kStored = 10;
    const double slow = 0.5 * tolerance_ * tolerance_ / (kStored * layout_.reach);
    refresh(bodies);
    const double least = std::min(kLeast, potential_.find_part_of_loads(slow, kLeast));
    const double factor = std::clamp(potential_.find_balance(bodies, placements_), least, kMost);
    potential_.scale_stiffness(factor);
    is_current_ = false;
    return factor;
}

void Newton::set_plain_stiffness(std::span<const Body> bodies)
{
    refresh(bodies);
    potential_.set_plain_stiffness(bodies, placements_);
    is_current_ = false;
}

void Newton::refresh(std::span<const Body> bodies)
{
    if (!is_current_) potential_.evaluate(bodies, placements_);
    if (std::find(is_woken_.begin(), is_woken_.end(), char{1}) != is_woken_.end())
    {
        // Those who woke since the last lag rub against each other as they did when they fell asleep.
        potential_.grip_woken(placements_, is_woken_);
        std::fill(is_woken_.begin(), is_woken_.end(), char{0});
        potential_.evaluate(bodies, placements_);
    }
    is_current_ = true;
    mark(Stage::rows);
}

void Newton::shorten_direction()
{
    // Landing in the middle of the barrier's reach where a pair is outside of it, not at a tenth of a long way.
    find_free_parts(placements_, {0.1, deviations_.approach ? 0.5 * layout_.reach : HUGE_VAL}, Cover::shorten);
    std::fill(products_.begin(), products_.end(), 0.0);
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row < 0) continue;
        const double part = part_of(static_cast<int>(g));
        for (std::size_t i = 0; i < 6; ++i)
        {
            direction_[at(row)][i] *= part;
            products_[at(island_of_[g])] += direction_[at(row)][i] * gradient_[at(row)][i];
        }
    }
}

void Newton::set_trial()
{
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        const double step = steps_[at(island_of_[g])];
        trial_[g] = row < 0 || step == 0 ? placements_[g] : move(placements_[g], direction_[at(row)], step);
    }
}

void Newton::search_line(std::span<const Body> bodies)
{
    constexpr double kArmijo = 1e-4, kRounding = 1e-13;
    constexpr int kMaxHalvings = 40;
    shorten_direction();
    // Candidates may have been found anew: values of the islands as they are now.
    refresh(bodies);
    // Values to fall below, and rounding, below which nothing can be said about a fall.
    std::copy(potential_.values().begin(), potential_.values().end(), values_.begin());
    for (std::size_t i = 0; i < steps_.size(); ++i)
    {
        noise_[i] = kRounding * std::abs(values_[i]);
        is_pending_[i] = products_[i] < 0 ? 1 : 0;
        steps_[i] = is_pending_[i];
    }
    // Sufficient decrease (Armijo), each island by itself; where surfaces meet the value is infinite.
    for (int halving = 0; halving < kMaxHalvings; ++halving)
    {
        // x + alpha d for every island that is still looking.
        set_trial();
        potential_.evaluate(bodies, trial_);
        mark(Stage::rows);
        bool is_lower = true;
        const double factor = halving + 2 < kMaxHalvings && !is_spent() ? 0.5 : 0;
        for (std::size_t i = 0; i < steps_.size(); ++i)
        {
            if (is_pending_[i] == 0) continue;
            const double most = values_[i] + kArmijo * steps_[i] * products_[i] + noise_[i];
            is_pending_[i] = potential_.values()[i] <= most ? 0 : 1;
            if (is_pending_[i] == 0) continue;
            // No decrease along a descent direction in the end: rounding, or the minimum.
            steps_[i] *= factor;
            is_lower = false;
        }
        if (is_lower && check_way(bodies, factor)) break;
    }
    placements_.swap(trial_);
}

bool Newton::is_idle() const
{
    constexpr double kLeastStep = 1.0 / 64;
    for (std::size_t i = 0; i < steps_.size(); ++i)
    {
        if (products_[i] < 0 && steps_[i] > kLeastStep) return false;
    }
    return true;
}

bool Newton::doubt_convergence(std::span<const Body> bodies)
{
    // Only of steps that are long by themselves, and not far below the tolerance: with a fine one they are not.
    constexpr double kLong = 1e-2, kPart = 0.125, kLower = 0.1;
    bool doubts = false;
    for (std::size_t i = 0; i < steps_.size(); ++i)
    {
        const double speed = island_speeds_[i];
        is_pending_[i] = steps_[i] == 1 && speed <= aim_ && speed > std::max(kLong, kPart * aim_) ? 1 : 0;
        doubts = doubts || is_pending_[i] != 0;
    }
    if (!doubts) return false;
    refresh(bodies);
    std::copy(potential_.values().begin(), potential_.values().end(), values_.begin());
    set_trial();
    potential_.evaluate(bodies, trial_);
    is_current_ = false;
    doubts = false;
    for (std::size_t i = 0; i < steps_.size(); ++i)
    {
        // The slope at the start of the step tells what a part of its fall is.
        is_pending_[i] = is_pending_[i] != 0 && potential_.values()[i] < values_[i] + kLower * products_[i] ? 1 : 0;
        doubts = doubts || is_pending_[i] != 0;
    }
    for (std::size_t g = 0; g < is_converged_.size(); ++g)
        if (is_pending_[at(island_of_[g])] != 0) is_converged_[g] = 0;
    return doubts;
}

void Newton::finish_islands(bool had_room)
{
    // The last step was taken too: it halves the digits that are wrong.
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        if (is_converged_[g] != 0 || (had_room && steps_[at(island_of_[g])] == 0)) is_done_[g] = 1;
    }
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
        if (is_alone_[g] != 0)
        {
            placements_[g] = bodies[g].target;
            is_current_ = false;
        }
        const Vec3 shift = dt_ * bodies[g].velocity, turn = dt_ * bodies[g].angular;
        Vector6& direction = direction_[at(group.row)];
        direction = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
        if (group.kinematic) direction = find_rest(bodies[g].start, bodies[g].target);
        if (is_alone_[g] != 0) direction = {};
    }
    shorten_direction();
    refresh(bodies);
    std::copy(potential_.values().begin(), potential_.values().end(), values_.begin());
    std::fill(steps_.begin(), steps_.end(), 1.0);
    set_trial();
    potential_.evaluate(bodies, trial_);
    // Taken by the islands for which it is better than where the step begins.
    is_current_ = true;
    for (std::size_t i = 0; i < steps_.size(); ++i)
    {
        if (potential_.values()[i] <= values_[i]) continue;
        steps_[i] = 0;
        is_current_ = false;
    }
    set_trial();
    placements_.swap(trial_);
}

NewtonReport Newton::solve(std::span<const Body> bodies, int max_iterations)
{
    NewtonReport report;
    std::fill(speeds_.begin(), speeds_.end(), 0.0);
    refresh(bodies);
    report.least_distance = potential_.least_distance();
    const auto is_awake = [&](std::size_t g) { return layout_.groups[g].row >= 0 && is_done_[g] == 0; };
    bool goes_on = false, is_solved = true;
    for (std::size_t g = 0; g < is_done_.size(); ++g) goes_on = goes_on || is_awake(g);
    const bool has_work = goes_on;
    // What rubs goes on to finer_aim_, for a few iterations at most.
    constexpr int kFinerIterations = 3;
    int finer_left = deviations_.finer && potential_.has_friction() ? kFinerIterations : 0;
    // On the way every trial is certified as a whole: where that leaves next to nothing of many directions in turn,
    // more of them lead nowhere.
    constexpr int kMostIdle = 25;
    int idle = 0;
    constexpr int kMostDoubts = 30;
    int doubts_left = deviations_.doubt ? kMostDoubts : 0;
    while (goes_on && report.iterations < max_iterations && idle < kMostIdle && !is_spent())
    {
        // One Newton step of E ([RigidIPC] section 4.2) for every island: direction, the part of it that is free,
        // decrease.
        ++report.iterations;
        bind_stopped();
        refresh(bodies);
        aim_ = finer_left > 0 ? finer_aim_ : tolerance_;
        // What rests or falls needs no more than two; forces are those that turning contacts will have by then.
        is_solved = find_direction(bodies, deviations_.turns && report.iterations > 2);
        if (!is_solved) break;
        if (*std::max_element(island_speeds_.begin(), island_speeds_.end()) <= tolerance_) --finer_left;
        search_line(bodies);
        idle = binds_way_ && !asks_room_ && is_idle() ? idle + 1 : 0;
        const bool had_room = !asks_room_;
        if (!had_room) give_room();
        // Of where this leads, not of the iterates before: what was near on the way says nothing about the barrier.
        report.least_distance = potential_.least_distance();
        if (doubts_left > 0 && doubt_convergence(bodies)) --doubts_left;
        finish_islands(had_room);
        goes_on = std::any_of(is_done_.begin(), is_done_.end(), [](char done) { return done == 0; });
    }
    // A system without a solution has no direction to tell how far it is from balance.
    if (!is_solved) set_gradient_speeds();
    report.residual = *std::max_element(speeds_.begin(), speeds_.end());
    // Nor is anything known where no iteration was left.
    report.converged = is_solved && report.residual <= tolerance_ && (report.iterations > 0 || !has_work);
    return report;
}

void Newton::lag_friction()
{
    potential_.lag_friction(placements_);
    has_lagged_ = true;
    find_islands();
}

NewtonReport Newton::minimise(std::span<Body> bodies)
{
    NewtonReport report;
    // Friction at first presses as the touches at the start do.
    // Eq. 12 with friction lagged: forces and tangents of the last solution, then of the one they lead to.
    if (lagrangian_drive_)
    {
        begin_drives(layout_, bodies);
        is_current_ = false;
    }
    refresh(bodies);
    if (friction_lags_ > 0) lag_friction();
    if (deviations_.guess) guess(bodies);
    for (int lag = 0; lag < std::max(1, friction_lags_); ++lag)
    {
        if (lag > 0)
        {
            // The same problem with the normal forces just found; without friction it is solved already.
            refresh(bodies);
            const bool had_friction = potential_.has_friction();
            lag_friction();
            if (!had_friction && !potential_.has_friction()) break;
        }
        // Sleepers stay, and who meets nobody is at its target already.
        for (std::size_t g = 0; g < is_done_.size(); ++g) is_done_[g] = sleep_of_[g] >= 0 || is_alone_[g] != 0 ? 1 : 0;
        const NewtonReport solved = solve_driven(bodies, max_iterations_ - report.iterations);
        report.iterations += solved.iterations;
        report.residual = solved.residual;
        report.converged = solved.converged;
        report.joint_error = solved.joint_error;
        report.least_distance =
            lag == 0 ? solved.least_distance : std::min(report.least_distance, solved.least_distance);
        if (!solved.converged) break;
        // Forces that lead no further are those of balance.
        if (lag > 0 && solved.iterations <= 1) break;
    }
    return report;
}

}  // namespace rattleback::ipc
