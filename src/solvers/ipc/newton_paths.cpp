// Paths of Newton's method: how far a direction is free, and the certified path of a step.
#include "base/index.h"
#include "math/rotation.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

void Newton::rebase(std::span<const Placement> from)
{
    // What each group would move along its part of the direction.
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        moves_[g] = {};
        if (row < 0) continue;
        for (std::size_t i = 0; i < 6; ++i) moves_[g][i] = part_of(static_cast<int>(g)) * direction_[at(row)][i];
    }
    potential_.candidates().rebase(from, moves_);
}

void Newton::set_moves(double factor)
{
    for (std::size_t g = 0; g < moves_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        moves_[g] = {};
        for (std::size_t i = 0; i < 6 && row >= 0; ++i) moves_[g][i] = factor * direction_[at(row)][i];
    }
}

namespace
{

/// Of paths that touch something on the way: what slides over a side that turns is proven by very short advances.
constexpr int kMostAdvances = 10'000;

}  // namespace

CertifiedImpact Newton::find_impact(const CandidateSet& set, const Candidate& candidate,
                                    std::span<const Placement> from, const Keep& keep, double part, double motion) const
{
    const Candidates& candidates = potential_.candidates();
    const int a = candidates.first_group(set), b = candidates.second_group(set);
    const Simplex first = candidates.first_simplex(set, candidate);
    // Proven only as far as an earlier pair has left the way open: the earliest time is shared.
    CertifiedOptions options;
    options.latest = part;
    if (binds_way_) options.max_advances = kMostAdvances;
    // What flats lack to planes may be more than the gap: nothing is free then.
    bool is_open = true;
    const auto set_options = [&](double gap)
    {
        const double kept = std::max(0.0, keep.find(gap));
        // Sums rounded to nearest lack 4 * 2^-53 of it at most; the certified test takes 64 * 2^-53 more (kOutward).
        options.separation = separation_ + set.flatness + set.round + kept;
        options.tolerance = 0.5 * kept;
        is_open = gap > 0;
        return gap - kept > part * motion;  // the motion of both cannot use it up
    };
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        const double height = dot(space.normal, from[at(a)].place(first.corner[0])) - space.offset;
        if (set_options(height - set.round - separation_ - set.flatness)) return {CertifiedState::apart, part, 0};
        if (!is_open) return {CertifiedState::touch, 0, 0};
        return certified_time_of_impact(tracks_[at(a)], first.corner[0], space, options);
    }
    // The simpler of the two first, as the certified test wants it.
    const Simplex second = candidates.second_simplex(set, candidate);
    const bool turned = first.count > second.count;
    const int one = turned ? b : a, two = turned ? a : b;
    const Simplex &mine = turned ? second : first, &other = turned ? first : second;
    const double distance = norm(find_nearest(place(from[at(one)], mine), place(from[at(two)], other)).between);
    if (set_options(distance - set.round - separation_ - set.flatness)) return {CertifiedState::apart, part, 0};
    if (!is_open) return {CertifiedState::touch, 0, 0};
    if (interval_ccd_)
        return interval_time_of_impact(tracks_[at(one)], mine, tracks_[at(two)], other, options, subdivision_);
    return certified_time_of_impact(tracks_[at(one)], mine, tracks_[at(two)], other, options);
}

void Newton::find_free_part_of(Query& query, std::span<const Placement> from, const Keep& keep) const
{
    const Candidates& candidates = potential_.candidates();
    const CandidateSet& set = candidates.sets()[query.set];
    double& part = query.part;
    const double before = part;
    // Of the two against each other: what they have in common brings them no nearer.
    const PairMove whole = candidates.find_motion(set, from, moves_);
    if (whole.most == 0) return;
    const std::span<const Candidate> items = candidates.candidates(set);
    const std::span<const int> near = candidates.near(set);
    PairMove gone;
    if (query.is_from_reference) gone = candidates.find_way_from_reference(set, from);
    for (int k = query.begin; k < query.end; ++k)
    {
        // The motion of both uses up no gap of most.
        const Candidate& item = items[at(query.is_from_reference ? k : near[at(k)])];
        const double distance = query.is_from_reference ? item.distance - gone.bound(item.arm) : item.recent;
        const double gap = distance * (1 - 1e-12) - 1e-12 * set.round - separation_ - set.flatness;
        const double motion = whole.bound(item.arm) * (1 + 1e-12);
        if (gap - keep.find(gap) > part * motion) continue;
        const CertifiedImpact impact = find_impact(set, item, from, keep, part, motion);
        part = std::min(part, impact.time);
        query.work += 1 + impact.advances;
    }
    query.is_stopped = part < before;
}

double Newton::find_free_parts(std::span<const Placement> from, const Keep& keep, Cover cover)
{
    // A direction that leaves the candidates' skins is followed within them first: most are stopped there by what they
    // touch, and need no more candidates.
    constexpr int kMostRounds = 4;
    int rounds = 0;
    do
    {
        cover_direction(from, cover);
        rebase(from);
        mark(Stage::rows);
        prove_parts(from, keep);
        mark(Stage::solve);
    } while (cover == Cover::shorten && ++rounds < kMostRounds && (binds_way_ ? widen_way(from) : widen_skins(from)));
    return *std::min_element(parts_.begin(), parts_.end());
}

void Newton::prove_parts(std::span<const Placement> from, const Keep& keep)
{
    // A part of the direction per island: one pair that is near must not stop the others.
    const Candidates& candidates = potential_.candidates();
    set_moves(1);
    queries_.clear();
    for (std::size_t s = 0; s < candidates.sets().size(); ++s)
    {
        add_queries(s, static_cast<int>(candidates.near(candidates.sets()[s]).size()), false);
    }
    run_queries(from, keep, true);
}

void Newton::add_queries(std::size_t index, int count, bool is_from_reference)
{
    constexpr int kPerQuery = 64;
    const CandidateSet& set = potential_.candidates().sets()[index];
    const int a = potential_.candidates().first_group(set), b = potential_.candidates().second_group(set);
    const int group = layout_.groups[at(a)].row >= 0 ? a : b;
    for (int i = 0; i < count; i += kPerQuery)
        queries_.push_back({index, i, std::min(count, i + kPerQuery), group, is_from_reference});
}

void Newton::run_queries(std::span<const Placement> from, const Keep& keep, bool shares)
{
    // The earliest time is shared from round to round, and within a query: rounds are the same for any number of
    // threads.
    constexpr std::size_t kPerRound = 32;
    for (std::size_t begin = 0; begin < queries_.size(); begin += kPerRound)
    {
        const std::span<Query> round = std::span(queries_).subspan(begin, std::min(kPerRound, queries_.size() - begin));
        if (binds_way_ && is_spent())
        {
            // What is not looked at any more goes nowhere.
            for (const Query& query : round) part_of(query.group) = 0;
            continue;
        }
        for (Query& query : round)
            query.part = shares ? part_of(query.group) : covered_[at(island_of_[at(query.group)])];
        run_pieces(pool_.get(), round.size(), 1,
                   [&](std::size_t i, std::size_t, int, int) { find_free_part_of(round[i], from, keep); });
        for (const Query& query : round)
        {
            part_of(query.group) = std::min(part_of(query.group), query.part);
            work_ += query.work;
        }
    }
}

bool Newton::certify(std::span<const Body> bodies, double least_on_way)
{
    // From state to state: the centre in a straight line, R0 to R1 at constant rate, in place of the bent path that the
    // iterates took.
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        trial_[g] = bodies[g].start;
        if (row >= 0) direction_[at(row)] = find_rest(bodies[g].start, placements_[g]);
    }
    // A hundredth of the least gap at the end, and at moments on the way, is kept all the way: far more than what is
    // written to the world is rounded by. Of a gap that was smaller at the start, half.
    refresh(bodies);
    way_keep_ = {0.5, 0.01 * (std::min(potential_.least_distance(), least_on_way) - separation_)};
    if (find_free_parts(trial_, way_keep_, Cover::all) == 1) return true;
    // Islands whose path is not free end where it is last proven to be.
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        const double part = part_of(static_cast<int>(g));
        is_cut_[g] = row >= 0 && part < 1 ? 1 : 0;
        if (is_cut_[g] != 0) placements_[g] = move(bodies[g].start, direction_[at(row)], part);
    }
    is_current_ = false;
    return false;
}

bool Newton::leave_gaps(std::span<const Body> bodies, NewtonReport& report)
{
    // What has found no balance may have ended at any gap: from a millionth of d̂ the next step could not go on either.
    constexpr double kLeastPart = 1e-6;
    if (report.converged || report.least_distance - separation_ > kLeastPart * layout_.reach) return true;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        is_cut_[g] = row >= 0 && is_converged_[g] == 0 ? 1 : 0;
        if (row >= 0) direction_[at(row)] = find_rest(bodies[g].start, placements_[g]);
    }
    report.residual = std::max(report.residual, end_apart(bodies));
    return false;
}

void Newton::catch_up(std::span<const Body> bodies, std::span<const Vec3> lags)
{
    constexpr double kLeastPart = 1e-9;
    const auto is_behind = [&](std::size_t g) { return norm(lags[g]) > kLeastPart * layout_.reach; };
    bool any = false;
    refresh(bodies);
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        trial_[g] = bodies[g].start;
        if (row < 0) continue;
        Vector6& direction = direction_[at(row)];
        direction = find_rest(bodies[g].start, placements_[g]);
        if (!is_behind(g)) continue;
        any = true;
        for (int i = 0; i < 3; ++i) direction[at(i)] += lags[g][i];
    }
    if (!any) return;
    find_free_parts(trial_, {0.5, 0.01 * (potential_.least_distance() - separation_)}, Cover::all);
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        if (layout_.groups[g].row < 0 || !is_behind(g) || part_of(static_cast<int>(g)) < 1) continue;
        placements_[g] = make_placement(placements_[g].center + lags[g], placements_[g].rotation);
    }
    is_current_ = false;
}

void Newton::spread_cuts()
{
    std::fill(is_pending_.begin(), is_pending_.end(), char{0});
    for (std::size_t g = 0; g < is_cut_.size(); ++g)
        is_pending_[at(island_of_[g])] = std::max(is_pending_[at(island_of_[g])], is_cut_[g]);
    for (std::size_t g = 0; g < is_cut_.size(); ++g) is_cut_[g] = is_pending_[at(island_of_[g])];
}

double Newton::end_apart(std::span<const Body> bodies)
{
    // Forces on a way that is not taken to its end say nothing about it.
    potential_.forget_way_forces();
    // direction_ still leads to the end that certify() did not reach. A step that ends a hair's breadth before what it
    // would meet leaves a system to the next that nobody can solve: half of a gap, and of d̂, is left.
    const Keep keep{0.5, 0.5 * layout_.reach};
    for (std::size_t g = 0; g < bodies.size(); ++g) trial_[g] = bodies[g].start;
    find_free_parts(trial_, keep, Cover::all);
    // Candidates found anew may have joined islands: all of one take the same part of their ways, or nothing is proven.
    spread_cuts();
    double missing = 0;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row < 0 || is_cut_[g] == 0) continue;
        const double part = part_of(static_cast<int>(g));
        placements_[g] = move(bodies[g].start, direction_[at(row)], part);
        missing = std::max(missing, (1 - part) * find_surface_reach(layout_.groups[g], direction_[at(row)]) / dt_);
    }
    is_current_ = false;
    return missing;
}

bool Newton::is_on_track(std::span<const Body> bodies) const
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.kinematic &&
            find_surface_reach(group, find_rest(placements_[g], bodies[g].target)) > 1e-6 * layout_.reach)
            return false;
    }
    return true;
}

void Newton::snap(std::span<const Body> bodies)
{
    // Kinematic bodies come to within a hundredth of d̂ by their mass alone, or to within what the tolerance leaves of
    // any way; the rest at once, if it is free, and forces stay what they were solved for: a tenth of any gap at most.
    if (layout_.kinematic_bodies.empty()) return;
    refresh(bodies);
    const double gap = potential_.least_distance() - separation_;
    const double most = std::max(0.01 * layout_.reach, std::min(tolerance_ * dt_, 0.1 * gap));
    bool moved = false;
    direction_.assign(direction_.size(), {});
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (!group.kinematic) continue;
        const Vector6 rest = find_rest(placements_[g], bodies[g].target);
        const double way = find_surface_reach(group, rest);
        if (way == 0 || way > most) continue;
        direction_[at(group.row)] = rest;
        moved = true;
    }
    if (!moved || find_free_parts(placements_, {}, Cover::all) < 1) return;
    is_current_ = false;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.kinematic && direction_[at(group.row)] != Vector6{}) placements_[g] = bodies[g].target;
    }
}

}  // namespace rattleback::ipc
