// Candidates of a step: skins, islands, sleepers that wake, and what part of a direction is covered.
#include "base/index.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Skins of what hardly moves, over the length of its short edges.
constexpr double kGrains = 0.1;
/// Skins over the way that is expected.
constexpr double kRoom = 1.25;

}  // namespace

void Newton::set_first_skins(std::span<const Body> bodies)
{
    slack_growth_ = 1;
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

void Newton::find_candidates(std::span<const Placement> from, std::span<const Vector6> moves)
{
    mark(Stage::rows);
    for (std::size_t g = 0; g < slacks_.size(); ++g)
        slacks_[g] = layout_.groups[g].row < 0 ? 0 : slack_growth_ * (layout_.reach + kGrains * grains_[g]);
    do
    {
        potential_.candidates().find(from, {skins_, slacks_, moves}, friction_, rests_);
        find_islands();
    } while (wake_touched());
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

double Newton::find_covered_part(std::span<const Placement> from)
{
    const Candidates& candidates = potential_.candidates();
    // Candidates hold until a group has moved by its skin from where they were found, or two of a set by theirs.
    std::fill(parts_.begin(), parts_.end(), 1.0);
    double least = 1;
    const auto bound = [&](int group, double way, double left)
    {
        if (way <= left) return;
        double& part = part_of(group);
        part = std::min(part, std::max(0.0, left / way * (1 - 1e-12)));
        least = std::min(least, part);
    };
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row < 0) continue;
        const double way = find_reach(layout_.groups[g], direction_[at(row)]);
        bound(static_cast<int>(g), way, skins_[g] - candidates.find_way(static_cast<int>(g), from[g]));
    }
    set_moves(1);
    for (const CandidateSet& set : candidates.sets())
    {
        // Both are in one island, and take the same part of their directions.
        if (set.skin.shift >= set.skin.most) continue;  // the groups' own skins are all that binds them
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        const PairMove motion = candidates.find_motion(set, from, moves_);
        const PairMove way = candidates.find_way_from_reference(set, from);
        for (const double arm : {0.0, set.arm})
            bound(layout_.groups[at(a)].row >= 0 ? a : b, motion.find(arm), set.skin.find(arm) - way.find(arm));
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
    if (find_covered_part(from) < 1 && cover == Cover::all)
    {
        // What is not covered is found anew from here.
        for (std::size_t g = 0; g < from.size(); ++g)
        {
            const int row = layout_.groups[g].row;
            if (row >= 0) skins_[g] = layout_.reach + kRoom * find_reach(layout_.groups[g], direction_[at(row)]);
        }
        // The direction is what is asked for, with room: slacks that grew for directions that changed are not needed.
        slack_growth_ = 1;
        set_moves(kRoom);
        find_candidates(from, moves_);
        find_covered_part(from);
    }
    covered_ = parts_;
}

bool Newton::widen_skins(std::span<const Placement> from)
{
    constexpr double kEnough = 0.25, kGrowth = 3;
    bool grows = false;
    for (std::size_t g = 0; g < from.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        wider_skins_[g] = 0;
        if (row < 0 || rests_[g] == Rest::sleeps) continue;
        const auto island = at(island_of_[g]);
        const double way = find_reach(layout_.groups[g], direction_[at(row)]);
        const double left = skins_[g] - potential_.candidates().find_way(static_cast<int>(g), from[g]);
        // An island that gets far enough, or is stopped by what it touches, has what it needs.
        const bool is_short = parts_[island] <= kEnough && parts_[island] == covered_[island] && way > left;
        // Used up: found anew as they were. Fresh, and still too narrow: wider.
        if (is_short && 1.5 * left >= skin_limits_[g]) skin_limits_[g] *= 2;
        // A direction that is far too long is not worth candidates for all of it.
        const double wanted = std::min(kRoom * way, first_skins_[g]);
        // For all groups: candidates are found from here on.
        wider_skins_[g] = std::min(layout_.reach + wanted, skin_limits_[g]);
        grows = grows || (is_short && wider_skins_[g] > 1.5 * left);
    }
    // The same for two that move against each other.
    bool is_narrow = false;
    set_moves(1);
    const Candidates& candidates = potential_.candidates();
    for (const CandidateSet& set : candidates.sets())
    {
        const int a = candidates.first_group(set), b = candidates.second_group(set);
        const auto island = at(island_of_[at(layout_.groups[at(a)].row >= 0 ? a : b)]);
        if (!(parts_[island] <= kEnough && parts_[island] == covered_[island])) continue;
        if (set.skin.shift >= set.skin.most) continue;
        const PairMove motion = candidates.find_motion(set, from, moves_);
        const PairMove way = candidates.find_way_from_reference(set, from);
        const double most = wider_skins_[at(a)] + wider_skins_[at(b)];
        for (const double arm : {0.0, set.arm})
        {
            const double skin = set.skin.find(arm), left = skin - way.find(arm);
            if (motion.find(arm) <= left) continue;
            const bool is_fresh = 1.5 * left >= skin;
            const double wider = is_fresh ? skin + (kGrowth - 1) * (slacks_[at(a)] + slacks_[at(b)]) : skin;
            if (!(std::min(most, wider) > 1.5 * left)) continue;
            is_narrow = is_narrow || is_fresh;
            grows = true;
        }
    }
    if (!grows) return false;
    if (is_narrow) slack_growth_ *= kGrowth;
    skins_ = wider_skins_;
    find_candidates(from, first_moves_);
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
    for (std::size_t g = 0; g < island_of_.size(); ++g) island_of_[g] = sets_.find(static_cast<int>(g));
    potential_.set_islands(island_of_);
    is_current_ = false;
}

}  // namespace rattleback::ipc
