// Steps whose straight path from state to state would meet something: minimised again with the barrier on the way.
#include "base/index.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

void Newton::start_on_way()
{
    // Not where certify() has cut the path, a hair's breadth before what it would meet, which takes many iterations to
    // leave: where a part of every gap is left.
    prove_way({0.2, 0.5 * layout_.reach}, true);
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (is_cut_[g] != 0 && row >= 0)
            placements_[g] = move(starts_[g], direction_[at(row)], part_of(static_cast<int>(g)));
    }
}

void Newton::begin_way(std::span<const Body> bodies)
{
    // Room for more than the way, since contacts on it may lead elsewhere.
    constexpr double kWayRoom = 1.5;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        starts_[g] = bodies[g].start;
        if (group.row >= 0) skins_[g] = layout_.reach + kWayRoom * find_reach(group, direction_[at(group.row)]);
    }
    set_moves(kWayRoom);
    find_candidates(starts_, moves_, Found::anew);
    // Wider skins may have joined islands: what is cut short concerns all of its island.
    spread_cuts();
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        is_done_[g] = is_cut_[g] != 0 ? 0 : 1;
        if (is_cut_[g] == 0 && layout_.groups[g].row >= 0) direction_[at(layout_.groups[g].row)] = {};
    }
    // Every pair that is in the way, not the first of each island alone.
    prove_way(way_keep_, false);
    note_stopped();
    start_on_way();
    bound_count_ = 0;
    span_count_ = 0;
    bind_stopped();
    asks_room_ = false;
    is_current_ = false;
}

bool Newton::is_spent() const
{
    // Paths that nothing frees are tried in thousands of pieces, each proven by thousands of advances. What converges
    // takes some tens of looks and advances per candidate in its worst steps (punching press 29, wrecking ball 59,
    // intermittent motion 163, all public); with few candidates, some millions (a bat that meets a ball 1e-4 d̂ deep:
    // 5).
    constexpr std::int64_t kLeast = 10'000'000, kPerCandidate = 200, kMost = 30'000'000;
    if (work() <= kLeast) return false;
    const auto candidates = static_cast<std::int64_t>(potential_.candidates().count());
    return work() > std::min(kLeast + kPerCandidate * candidates, kMost);
}

bool Newton::has_room_left() const
{
    // Of what two fine meshes have in common when one turns within the other there is no end.
    constexpr std::size_t kMost = 2'000'000;
    return potential_.candidates().count() < kMost;
}

bool Newton::widen_way(std::span<const Placement> from)
{
    constexpr double kEnough = 0.5, kGrowth = 4, kLeast = 1.25;
    bool leaves = false;
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        wider_skins_[g] = skins_[g];
        if (group.row < 0 || !is_short(static_cast<int>(g), kEnough)) continue;
        const double way = potential_.candidates().find_way(static_cast<int>(g), from[g]);
        const double motion = find_reach(group, direction_[at(group.row)]);
        wider_skins_[g] = std::max(skins_[g], std::min(layout_.reach + way + kRoom * motion, kGrowth * skins_[g]));
        leaves = leaves || (kEnough * motion > skins_[g] - way && wider_skins_[g] > kLeast * skins_[g]);
    }
    set_moves(1);
    wider_sets_.clear();
    const Candidates& candidates = potential_.candidates();
    for (std::size_t s = 0; s < set_parts_.size(); ++s)
    {
        const CandidateSet& set = candidates.sets()[s];
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        if (set_parts_[s] > kEnough || !is_short(layout_.groups[at(a)].row >= 0 ? a : b, kEnough)) continue;
        const double motion = candidates.find_motion(set, from, moves_).find(set.arm);
        const double skin = std::max(set.skin.bound(set.arm), slacks_[at(a)] + slacks_[at(b)]);
        wider_sets_.push_back({s, std::min(kRoom, (kGrowth - 1) * skin / motion)});
    }
    if ((!leaves && wider_sets_.empty()) || !has_room_left()) return false;
    find_wider(starts_, from, leaves);
    take_joined();
    return true;
}

void Newton::give_room()
{
    asks_room_ = false;
    direction_ = asked_;
    find_covered_parts(starts_);
    widen(starts_);
    take_joined();
}

void Newton::take_joined()
{
    spread_cuts();
    for (std::size_t g = 0; g < is_cut_.size(); ++g)
    {
        if (is_cut_[g] != 0 && layout_.groups[g].row >= 0) is_done_[g] = 0;
    }
}

double Newton::prove_way(const Keep& keep, bool shares)
{
    cover_direction(starts_, Cover::keep);
    set_moves(1);
    const Candidates& candidates = potential_.candidates();
    queries_.clear();
    for (std::size_t s = 0; s < candidates.sets().size(); ++s)
    {
        // Nearest first: the motion of the two uses up no gap of the rest.
        const CandidateSet& set = candidates.sets()[s];
        const double motion = candidates.find_motion(set, starts_, moves_).bound(set.arm);
        if (motion == 0) continue;
        const double gone = candidates.find_way_from_reference(set, starts_).bound(set.arm);
        const std::span<const Candidate> items = candidates.candidates(set);
        const double limit = 2 * (keep.most + motion + gone) + separation_ + set.flatness;
        const auto end = std::upper_bound(items.begin(), items.end(), limit,
                                          [](double value, const Candidate& item) { return value < item.distance; });
        add_queries(s, static_cast<int>(end - items.begin()), true);
    }
    mark(Stage::rows);
    run_queries(starts_, keep, shares);
    mark(Stage::solve);
    return *std::min_element(parts_.begin(), parts_.end());
}

void Newton::note_stopped()
{
    const Candidates& candidates = potential_.candidates();
    for (const Query& query : queries_)
    {
        if (!query.is_stopped) continue;
        const CandidateSet& set = candidates.sets()[query.set];
        const std::array<int, 3> name{set.first, set.second, set.is_plane ? 1 : 0};
        if (std::find(stopped_.begin(), stopped_.end(), name) == stopped_.end()) stopped_.push_back(name);
    }
}

void Newton::bind_stopped()
{
    if (!binds_way_) return;
    const Candidates& candidates = potential_.candidates();
    is_bound_.assign(candidates.sets().size(), 0);
    double bend = 0;
    for (std::size_t s = 0; s < is_bound_.size(); ++s)
    {
        const CandidateSet& set = candidates.sets()[s];
        const std::array<int, 3> name{set.first, set.second, set.is_plane ? 1 : 0};
        if (std::find(stopped_.begin(), stopped_.end(), name) == stopped_.end()) continue;
        is_bound_[s] = 1;
        for (const int g : {candidates.first_group(set), candidates.second_group(set)})
            bend = std::max(bend, find_turn(g) * std::sqrt(layout_.groups[at(g)].radius / (2 * layout_.reach)));
    }
    // Within a span a distance falls and rises once, as that of two convex things on a straight line does: what turns
    // leaves its chord by no more than a quarter of d̂, angle^2 r / (8 n^2).
    constexpr int kLeastSpans = 4, kMostSpans = 32;
    const int spans = static_cast<int>(std::clamp<double>(std::ceil(bend), kLeastSpans, kMostSpans));
    const bool is_known = bound_count_ == stopped_.size() && bound_revision_ == candidates.revision();
    if (is_known && spans <= 2 * span_count_) return;
    bound_count_ = stopped_.size();
    bound_revision_ = candidates.revision();
    span_count_ = std::max(spans, span_count_);
    potential_.set_way(span_count_, is_bound_);
    is_current_ = false;
}

double Newton::find_turn(int g) const
{
    const int row = layout_.groups[at(g)].row;
    if (row < 0) return 0;
    const Vector6 &to = first_way_[at(row)], now = find_rest(starts_[at(g)], placements_[at(g)]);
    return std::max(norm(Vec3{to[3], to[4], to[5]}), norm(Vec3{now[3], now[4], now[5]}));
}

bool Newton::minimise_on_way(std::span<const Body> bodies, NewtonReport& report)
{
    // direction_ still leads from the starts to the minimum that the straight path does not reach.
    bool others_converged = true;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const bool is_settled = layout_.groups[g].row < 0 || is_asleep(static_cast<int>(g)) || is_alone_[g] != 0;
        others_converged = others_converged && (is_settled || is_cut_[g] != 0 || is_converged_[g] != 0);
    }
    binds_way_ = true;
    stopped_.clear();
    first_way_ = direction_;
    WaySolution found = solve_on_way(bodies);
    int iterations = found.report.iterations;
    constexpr double kDeep = 1e-2, kStuck = 1e-4;
    // An impact of many times the loads that a barrier is made for ends so deep in it that hardly a way is left along
    // the surfaces: once more, with barriers for the forces just found.
    // What has converged in spite of it may be stuck there.
    const bool is_good = found.is_free && found.report.converged;
    const double deep = (is_good ? kStuck : kDeep) * layout_.reach;
    if (found.least_on_way - separation_ < deep && !is_spent())
    {
        potential_.harden_loaded();
        direction_ = first_way_;
        found = solve_on_way(bodies);
        iterations += found.report.iterations;
    }
    report.iterations += iterations;
    // What was minimised again is in balance or not by that alone.
    const NewtonReport& solved = found.report;
    report.residual = others_converged ? solved.residual : std::max(report.residual, solved.residual);
    report.converged = (report.converged || others_converged) && solved.converged;
    report.least_distance = solved.least_distance;
    binds_way_ = false;
    if (!found.is_free) report.residual = std::max(report.residual, end_apart(bodies));
    return found.is_free;
}

Newton::WaySolution Newton::solve_on_way(std::span<const Body> bodies)
{
    WaySolution found;
    begin_way(bodies);
    found.report = solve_with_joints(bodies, max_iterations_);
    asks_room_ = false;
    // The last iteration may have found candidates anew.
    bind_stopped();
    refresh(bodies);
    found.least_on_way = std::min(potential_.least_distance(), potential_.least_on_way());
    const double least_on_way = potential_.least_on_way();
    potential_.set_way(0, {});
    is_current_ = false;
    // Of the end that is taken, as in solve(): where it began, certify() had cut it short.
    refresh(bodies);
    found.report.least_distance = potential_.least_distance();
    snap(bodies);
    found.is_free = certify(bodies, least_on_way);
    return found;
}

bool Newton::check_way(std::span<const Body> bodies, double factor)
{
    if (!binds_way_) return true;
    kept_direction_ = direction_;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row >= 0) direction_[at(row)] = is_cut_[g] != 0 ? find_rest(bodies[g].start, trial_[g]) : Vector6{};
    }
    // Twice what certify() will ask for, of gaps at the end and on the way: the barrier knows both.
    const double least = std::min(potential_.least_distance(), potential_.least_on_way());
    const Keep keep{0.5, 0.02 * (least - separation_)};
    const bool is_free = prove_way(keep, true) == 1;
    direction_.swap(kept_direction_);
    if (is_free) return true;
    note_stopped();
    bool is_blocked = false, asks_room = false;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const auto island = at(island_of_[g]);
        // An island is at the index of its first group.
        if (island != g || steps_[island] == 0 || parts_[island] == 1) continue;
        // Stopped by something, or where the candidates end.
        asks_room = asks_room || !(parts_[island] < covered_[island]);
        steps_[island] *= factor;
        is_pending_[island] = 1;
        is_blocked = true;
    }
    // Room for the shortest of them: twice what is taken now.
    if (asks_room && has_room_left())
    {
        asked_ = kept_direction_;
        asks_room_ = true;
    }
    return !is_blocked;
}

}  // namespace rattleback::ipc
