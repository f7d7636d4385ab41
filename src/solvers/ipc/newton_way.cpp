// Steps whose straight path from state to state would meet something: minimised again with the barrier on the way.
#include "base/index.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

void Newton::begin_way(std::span<const Body> bodies, double room)
{
    constexpr int kLeastMoments = 4, kMostMoments = 32;
    double moments = kLeastMoments;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        starts_[g] = bodies[g].start;
        if (group.row < 0) continue;
        const Vector6& d = direction_[at(group.row)];
        // Candidates serve to the end: room for more than the way.
        skins_[g] = layout_.reach + room * find_reach(group, d);
        // Between two moments a vertex leaves its chord by angle^2 r / (8 n^2): a twentieth of d̂ at most.
        const double angle = norm(Vec3{d[3], d[4], d[5]});
        if (is_cut_[g] != 0) moments = std::max(moments, angle * std::sqrt(group.radius / (0.4 * layout_.reach)));
    }
    set_moves(room);
    find_candidates(starts_, moves_);
    // Wider skins may have joined islands: what is bound binds all of its island.
    std::fill(is_pending_.begin(), is_pending_.end(), char{0});
    for (std::size_t g = 0; g < bodies.size(); ++g)
        is_pending_[at(island_of_[g])] = std::max(is_pending_[at(island_of_[g])], is_cut_[g]);
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        is_cut_[g] = is_pending_[at(island_of_[g])];
        is_done_[g] = is_cut_[g] != 0 ? 0 : 1;
    }
    potential_.set_way(static_cast<int>(std::min<double>(kMostMoments, std::ceil(moments))), is_cut_);
    leaves_cover_ = false;
    is_current_ = false;
}

bool Newton::minimise_on_way(std::span<const Body> bodies, NewtonReport& report)
{
    // direction_ still leads from the starts to the minimum that the straight path does not reach. Contacts on the way
    // may lead further than that (a link that whips round): then once more from there, with more room. And gaps on the
    // way may have to be smaller than those at the end: then paths may come as near as these.
    constexpr double kFirstRoom = 1.5, kLastRoom = 6;
    NewtonReport solved;
    binds_way_ = true;
    counts_way_ = false;
    for (double room = kFirstRoom; room <= kLastRoom;)
    {
        begin_way(bodies, room);
        const int before = solved.iterations;
        solved = solve_with_joints(bodies, max_iterations_ - before);
        solved.iterations += before;
        if (solved.converged) break;
        if (leaves_cover_)
            room *= 2;
        else if (counts_way_)
            break;
        else
            counts_way_ = true;
        for (std::size_t g = 0; g < bodies.size(); ++g)
        {
            const int row = layout_.groups[g].row;
            if (row >= 0) direction_[at(row)] = find_rest(bodies[g].start, placements_[g]);
        }
    }
    binds_way_ = false;
    refresh(bodies);
    const double least_on_way = counts_way_ ? potential_.least_on_way() : HUGE_VAL;
    potential_.set_way(0, {});
    is_current_ = false;
    report.iterations += solved.iterations;
    report.residual = std::max(report.residual, solved.residual);
    report.converged = report.converged && solved.converged;
    // Of the end that is taken, as in solve(): where it began, certify() had cut it short.
    refresh(bodies);
    report.least_distance = potential_.least_distance();
    snap(bodies);
    if (certify(bodies, least_on_way)) return true;
    end_apart(bodies);
    return false;
}

void Newton::add_moments()
{
    // Where trials were stopped on their way the barrier acts from now on.
    if (new_moments_.empty()) return;
    for (const double time : new_moments_) potential_.add_moment(time);
    new_moments_.clear();
    is_current_ = false;
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
    // Twice what certify() will ask for. Where that was in vain, of gaps on the way too, which the barrier alone sets:
    // held to a part of those at the end, trials may stop at a wall that the potential knows nothing of. Paths that
    // come nearer cost many more queries, so this is not the first try.
    const double least =
        counts_way_ ? std::min(potential_.least_distance(), potential_.least_on_way()) : potential_.least_distance();
    const Keep keep{0.5, 0.02 * (least - separation_)};
    const bool is_free = find_free_parts(starts_, keep, Cover::keep) == 1;
    direction_ = kept_direction_;
    if (is_free) return true;
    bool is_blocked = false;
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const auto island = at(island_of_[g]);
        // An island is at the index of its first group.
        if (island != g || steps_[island] == 0 || parts_[island] == 1) continue;
        // Stopped by something, or where the candidates end.
        if (parts_[island] < covered_[island])
            new_moments_.push_back(parts_[island]);
        else
            leaves_cover_ = true;
        steps_[island] *= factor;
        is_pending_[island] = 1;
        is_blocked = true;
    }
    return !is_blocked;
}

}  // namespace rattleback::ipc
