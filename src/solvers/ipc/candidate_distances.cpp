// Distances of candidates at the iterates of a step: measured where they may matter, otherwise bounded by the way
// since.
#include "base/index.h"
#include "solvers/ipc/candidates.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

double find_distance(const Simplex& a, const Simplex& b)
{
    // The simpler of the two first, as find_nearest() wants it.
    return norm((a.count > b.count ? find_nearest(b, a) : find_nearest(a, b)).between);
}

}  // namespace

void Candidates::track(CandidateSet& set, const PairPose& before, const PairMove& way)
{
    // What was further away at the reference than both have come since, and will, is not near yet: most never is.
    std::vector<Candidate>& items = lists_[at(set.list)].items;
    if (set.tracked == static_cast<int>(items.size())) return;
    PairMove gone = find_way_from_reference(set, before.places());
    const double rounding = find_rounding(set, before.places());
    gone.shift += rounding;
    gone.most += rounding;
    const double limit = reach_ + rounding + gone.bound(set.arm) + way.bound(set.arm) + set.motion.bound(set.arm);
    for (; set.tracked < static_cast<int>(items.size()); ++set.tracked)
    {
        Candidate& item = items[at(set.tracked)];
        if (item.distance > limit) break;
        item.recent = item.distance - gone.bound(item.arm);
    }
}

void Candidates::rebase(std::span<const Placement> placements, std::span<const Vector6> directions)
{
    constexpr int kPerTask = 512;
    placed_.place(placements);
    ways_of_set_.resize(sets_.size());
    is_still_.assign(sets_.size(), 0);
    shares_.clear();
    for (std::size_t s = 0; s < sets_.size(); ++s)
    {
        // By how much all distances of the set may have shrunk since they were measured. What has not moved is as far
        // as it was.
        CandidateSet& set = sets_[s];
        const auto a = at(first_group(set)), b = at(second_group(set));
        PairMove& way = ways_of_set_[s];
        way = {};
        const PairPlaces now{placements[a], placements[b]};
        const double rounding = find_rounding(set, now);
        const PairPose before = set.base;
        if (!is_same_place(now.first, set.base.first) || !is_same_place(now.second, set.base.second))
        {
            way = find_way_from_base(set, placements);
            way.shift += rounding;
            way.most += rounding;
            set.base = {now.first, now.second};
        }
        // And what rounding of places adds to a way: near the minimum it is more than the motion.
        const PairMove motion = find_motion(set, placements, directions);
        set.motion = {motion.shift * (1 + 1e-9) + rounding, motion.turn * (1 + 1e-9),
                      motion.most * (1 + 1e-9) + rounding};
        // Neither has moved, nor will: all is known.
        is_still_[s] = way.most == 0 && motion.most == 0 ? 1 : 0;
        if (is_still_[s] != 0) continue;
        track(set, before, way);
        for (int i = 0; i < set.tracked; i += kPerTask) shares_.push_back({s, i, std::min(set.tracked, i + kPerTask)});
    }
    // What may be nearest is measured; the others keep a bound until it is used up.
    const auto measure_share = [&](std::size_t begin, std::size_t end, int, int)
    {
        for (std::size_t k = begin; k < end; ++k)
        {
            const CandidateSet& set = sets_[shares_[k].set];
            for (int i = shares_[k].begin; i < shares_[k].end; ++i)
            {
                Candidate& candidate = lists_[at(set.list)].items[at(i)];
                candidate.recent -= ways_of_set_[shares_[k].set].bound(candidate.arm);
                // Nearer than this: worth a distance. Others are below their bound for longer than this iteration.
                if (candidate.recent <= reach_ + 0.1 * set.motion.bound(candidate.arm))
                    candidate.recent = measure(set, candidate);
            }
        }
    };
    run_pieces(shares_.size() > 2 ? pool_ : nullptr, shares_.size(), 1, measure_share);
    for (std::size_t s = 0; s < sets_.size(); ++s)
    {
        // Near: what the motion that is asked for could bring within reach.
        if (is_still_[s] != 0) continue;
        const CandidateSet& set = sets_[s];
        List& list = lists_[at(set.list)];
        const double limit = reach_ + find_rounding(set, set.base.places());
        list.near.clear();
        for (int i = 0; i < set.tracked; ++i)
        {
            if (list.items[at(i)].recent <= limit + set.motion.bound(list.items[at(i)].arm)) list.near.push_back(i);
        }
    }
}

bool Candidates::is_based(std::span<const Placement> placements) const
{
    // Both bounds are straight lines over the arm: the ends tell.
    return std::all_of(sets_.begin(), sets_.end(),
                       [&](const CandidateSet& set)
                       {
                           if (list_of(set).items.empty()) return true;
                           const PairMove way = find_way_from_base(set, placements);
                           return way.most <= set.motion.most && way.shift <= set.motion.shift &&
                                  way.find(set.arm) <= set.motion.find(set.arm);
                       });
}

double Candidates::measure(const CandidateSet& set, const Candidate& candidate, const PairPlaces& places) const
{
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        return dot(space.normal, places.first.place(layout_.pieces[at(set.first)].vertices[at(candidate.first)])) -
               space.offset - set.round;
    }
    return find_distance(place(places.first, first_simplex(set, candidate)),
                         place(places.second, second_simplex(set, candidate))) -
           set.round;
}

double Candidates::measure(const CandidateSet& set, const Candidate& candidate) const
{
    const std::span<const Vec3> mine = placed_.of(set.first);
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        return dot(space.normal, mine[at(candidate.first)]) - space.offset - set.round;
    }
    return find_distance(first_simplex(set, candidate, mine), second_simplex(set, candidate, placed_.of(set.second))) -
           set.round;
}

}  // namespace rattleback::ipc
