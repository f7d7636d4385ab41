// Candidates of a step: skins, islands, sleepers that wake, and what part of a direction is covered.
#include "base/index.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

void Newton::set_first_skins(std::span<const Body> bodies)
{
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        skins_[g] = first_skins_[g] = skin_limits_[g] = 0;
        first_moves_[g] = {};
        if (group.row < 0) continue;
        // Wide enough for the way to the target, and for what contacts add to it.
        first_skins_[g] = layout_.reach + kRoom * find_reach(group, find_rest(bodies[g].start, bodies[g].target));
        // What others hold goes nowhere near its target (h^2 g is a millimetre, a tenth of what a thread is cut to),
        // and the candidates within a distance grow with the square of that over the length of edges: no more of it
        // than velocities and edges suggest, until a direction asks for more (widen_skins()).
        const Vec3 shift = dt_ * bodies[g].velocity, turn = dt_ * bodies[g].angular;
        const Vector6 move{shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
        const double way = find_reach(group, move);
        skin_limits_[g] = layout_.reach + std::max(kRoom * way, kGrains * grains_[g]);
        if (group.kinematic) skin_limits_[g] = first_skins_[g];
        const Vector6 expected = group.kinematic ? find_rest(bodies[g].start, bodies[g].target) : move;
        for (std::size_t i = 0; i < 6; ++i) first_moves_[g][i] = kRoom * expected[i];
        skins_[g] = rests_[g] == Rest::sleeps ? 0 : std::min(first_skins_[g], skin_limits_[g]);
    }
}

void Newton::find_candidates(std::span<const Placement> from, std::span<const Vector6> moves, Found found)
{
    mark(Stage::rows);
    Candidates& candidates = potential_.candidates();
    if (found == Found::anew) candidates.find(from, {skins_, slacks_, moves}, friction_, rests_);
    if (found == Found::more) candidates.find_more(from, {skins_, slacks_, moves}, friction_, rests_);
    find_islands();
    while (wake_touched())
    {
        candidates.find_more(from, {skins_, slacks_, moves}, friction_, rests_);
        find_islands();
    }
    if (binds_way_) bind_stopped();
    mark(Stage::collide);
}

bool Newton::wake_touched()
{
    // Pairs of what is still are no candidates: whoever is near a sleeper moves. It wakes with all of its island.
    bool woke = false;
    const Candidates& candidates = potential_.candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        for (const int group : {candidates.first_group(set), candidates.second_group(set)})
        {
            const int name = sleep_of_[at(group)];
            if (name < 0) continue;
            for (std::size_t g = 0; g < sleep_of_.size(); ++g)
            {
                if (sleep_of_[g] != name) continue;
                sleep_of_[g] = -1;
                rests_[g] = Rest::none;
                is_done_[g] = 0;
                is_woken_[g] = has_lagged_ ? 1 : 0;
                skins_[g] = std::min(first_skins_[g], skin_limits_[g]);
            }
            woke = true;
        }
    }
    return woke;
}

void Newton::list_islands(std::span<int> islands) const
{
    for (std::size_t g = 0; g < islands.size(); ++g) islands[g] = is_alone_[g] != 0 ? -1 : island_of_[g];
}

void Newton::join_met(DisjointSets& sets)
{
    for (int g = 0; g < static_cast<int>(met_.count()); ++g) sets.join(g, met_.find(g));
}

double Newton::find_covered_part(const CandidateSet& set, std::span<const Placement> from,
                                 std::span<const Vector6> moves) const
{
    // The list holds whatever is within min(S(arm), M) of the reach, S = shift + turn arm. A way and a motion beside
    // it, each shift + turn arm and `most` at most, are covered where the first stays below that at both ends of the
    // arm, or the second does, or each below its own.
    const PairMove way = potential_.candidates().find_way_from_reference(set, from);
    const PairMove motion = potential_.candidates().find_motion(set, from, moves);
    const auto find_part = [](double go, double left)
    { return go <= left ? 1 : std::max(0.0, left / go * (1 - 1e-12)); };
    const auto find_bent = [&](double most)
    {
        double part = 1;
        for (const double arm : {0.0, set.arm})
            part = std::min(part, find_part(motion.find(arm), std::min(most, set.skin.find(arm)) - way.find(arm)));
        return part;
    };
    const auto find_straight = [&](double most) { return find_part(motion.most, most - way.most); };
    const PairMove& skin = set.skin;
    return std::max({find_bent(skin.most), find_straight(std::min(skin.shift, skin.most)),
                     std::min(find_bent(HUGE_VAL), find_straight(skin.most))});
}

double Newton::find_covered_parts(std::span<const Placement> from)
{
    const Candidates& candidates = potential_.candidates();
    // Candidates hold until a group has moved by its skin from where they were found, or two of a set by theirs.
    std::fill(parts_.begin(), parts_.end(), 1.0);
    double least = 1;
    const auto bound = [&](int group, double part)
    {
        part_of(group) = std::min(part_of(group), part);
        least = std::min(least, part);
    };
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row < 0) continue;
        const double way = find_reach(layout_.groups[g], direction_[at(row)]);
        const double left = skins_[g] - candidates.find_way(static_cast<int>(g), from[g]);
        if (way > left) bound(static_cast<int>(g), std::max(0.0, left / way * (1 - 1e-12)));
    }
    set_moves(1);
    set_parts_.resize(candidates.sets().size());
    for (std::size_t s = 0; s < set_parts_.size(); ++s)
    {
        // Both are in one island, and take the same part of their directions.
        const CandidateSet& set = candidates.sets()[s];
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        set_parts_[s] = find_covered_part(set, from, moves_);
        if (set_parts_[s] < 1) bound(layout_.groups[at(a)].row >= 0 ? a : b, set_parts_[s]);
    }
    return least;
}

void Newton::cover_direction(std::span<const Placement> from, Cover cover)
{
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        const Vector6 d = row < 0 ? Vector6{} : direction_[at(row)];
        // x(t) = q + t dq, R(t) = exp(t dphi) R: the curved path of an iterate ([RigidIPC] section 4.3).
        tracks_[g] = RigidTrack({from[g].center, {d[0], d[1], d[2]}, from[g].rotation, {}, {d[3], d[4], d[5]}});
    }
    if (find_covered_parts(from) < 1 && cover == Cover::all)
    {
        // What is not covered is found anew from here.
        widen(from);
        find_covered_parts(from);
    }
    covered_ = parts_;
}

void Newton::widen(std::span<const Placement> from)
{
    bool leaves = false;
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.row < 0) continue;
        const double way = find_reach(group, direction_[at(group.row)]);
        leaves = leaves || way > skins_[g] - potential_.candidates().find_way(static_cast<int>(g), from[g]);
        wider_skins_[g] = layout_.reach + kRoom * way;
    }
    wider_sets_.clear();
    for (std::size_t s = 0; s < set_parts_.size(); ++s)
    {
        if (set_parts_[s] < 1) wider_sets_.push_back({s, kRoom});
    }
    find_wider(from, from, leaves);
}

void Newton::find_wider(std::span<const Placement> from, std::span<const Placement> now, bool leaves_skins)
{
    mark(Stage::rows);
    set_moves(1);
    potential_.candidates().find_again(wider_sets_, from, now, moves_);
    is_current_ = false;
    mark(Stage::collide);
    if (!leaves_skins) return;
    // Who leaves its skin may meet others; sets that are there hold as they are.
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        if (layout_.groups[g].row >= 0) skins_[g] = wider_skins_[g];
    }
    find_candidates(from, moves_, Found::more);
}

bool Newton::is_short(int group, double enough) const
{
    // An island that gets far enough, or is stopped by what it touches, has what it needs.
    const auto island = at(island_of_[at(group)]);
    return parts_[island] <= enough && parts_[island] == covered_[island];
}

bool Newton::widen_skins(std::span<const Placement> from)
{
    constexpr double kEnough = 0.25, kGrowth = 4, kGain = 1.5;
    bool leaves = false;
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        wider_skins_[g] = 0;
        if (row < 0 || rests_[g] == Rest::sleeps) continue;
        const double way = find_reach(layout_.groups[g], direction_[at(row)]);
        const double left = skins_[g] - potential_.candidates().find_way(static_cast<int>(g), from[g]);
        const bool is_narrow = way > left && is_short(static_cast<int>(g), kEnough);
        // Used up: found anew as they were. Fresh, and still too narrow: wider.
        if (is_narrow && 1.5 * left >= skin_limits_[g]) skin_limits_[g] *= 2;
        // A direction that is far too long is not worth candidates for all of it: no more than for the way to the
        // target, or a few times what was there. A struck body moves away from its own target.
        const double wanted = std::min(kRoom * way, std::max(first_skins_[g], kGrowth * skins_[g]));
        // For all groups: their skins count from here on.
        wider_skins_[g] = std::min(layout_.reach + wanted, skin_limits_[g]);
        leaves = leaves || (is_narrow && wider_skins_[g] > kGain * left);
    }
    // The same for two that move against each other.
    set_moves(1);
    wider_sets_.clear();
    const Candidates& candidates = potential_.candidates();
    for (std::size_t s = 0; s < set_parts_.size(); ++s)
    {
        const CandidateSet& set = candidates.sets()[s];
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        if (set_parts_[s] > kEnough || !is_short(layout_.groups[at(a)].row >= 0 ? a : b, kEnough)) continue;
        const double motion = candidates.find_motion(set, from, moves_).find(set.arm);
        const double skin = set.skin.bound(set.arm), slack = slacks_[at(a)] + slacks_[at(b)];
        const double most = first_skins_[at(a)] + first_skins_[at(b)];
        const double wider = std::min({kRoom * motion + slack, kGrowth * std::max(skin, slack), most});
        if (wider > kGain * set_parts_[s] * motion) wider_sets_.push_back({s, std::max(0.0, wider - slack) / motion});
    }
    if (!leaves && wider_sets_.empty()) return false;
    find_wider(from, from, leaves);
    return true;
}

void Newton::find_islands()
{
    // Groups whose pieces may touch within the step; what does not move joins nobody.
    const Candidates& candidates = potential_.candidates();
    sets_.reset(layout_.groups.size());
    const auto join = [&](int a, int b)
    {
        if (layout_.groups[at(a)].row >= 0 && layout_.groups[at(b)].row >= 0) sets_.join(a, b);
    };
    for (const CandidateSet& set : candidates.sets()) join(candidates.first_group(set), candidates.second_group(set));
    // Lagged friction outlives the candidates that it came from.
    for (const Grip& grip : potential_.grips()) join(grip.first, grip.second);
    potential_.joints().note_pairs(join);
    if (!deviations_.islands)
        for (int g = 1; g < static_cast<int>(layout_.groups.size()); ++g) join(1, g);
    for (std::size_t g = 0; g < island_of_.size(); ++g) island_of_[g] = sets_.find(static_cast<int>(g));
    potential_.set_islands(island_of_);
    is_current_ = false;
}

}  // namespace rattleback::ipc
