// The barrier at moments on the way from the starts: for steps whose straight path would meet something.
//
// Between the start and the end of a step a body goes q(t) = q0 + t (q - q0), R(t) = exp(t u) R0, u = log(R R0ᵀ). A
// touch at the moment t pushes the end by the transpose of what the end does to the pose at t: t for the centre, and
// t Jl(t u) Jl(u)^-1 for the turn, with the left Jacobian Jl of SO(3).
#include "base/index.h"
#include "math/rotation.h"
#include "math/sinc.h"
#include "solvers/ipc/potential.h"

#include <algorithm>

namespace rattleback::ipc
{

void Potential::set_way(int count, std::span<const char> is_bound)
{
    moments_.clear();
    way_touches_.clear();
    moment_weight_ = count > 0 ? 1.0 / count : 0;
    is_bound_.assign(is_bound.begin(), is_bound.end());
    for (int i = 1; i <= count; ++i) moments_.push_back(static_cast<double>(i) / (count + 1));
}

void Potential::add_moment(double time)
{
    constexpr std::size_t kMost = 96;
    const bool is_near =
        std::any_of(moments_.begin(), moments_.end(), [&](double t) { return std::abs(t - time) < 1e-3; });
    if (time > 0 && time < 1 && !is_near && moments_.size() < kMost) moments_.push_back(time);
}

void Potential::find_way_touches(std::span<const Body> bodies, std::span<const Placement> placements)
{
    way_touches_.clear();
    way_placements_.assign(placements.begin(), placements.end());
    for (const double time : moments_)
    {
        for (std::size_t g = 0; g < bodies.size(); ++g)
        {
            if (is_bound_[g] != 0 && layout_.groups[g].row >= 0)
                way_placements_[g] = move(bodies[g].start, find_rest(bodies[g].start, placements[g]), time);
        }
        for (const CandidateSet& set : candidates_.sets())
        {
            const int a = candidates_.first_group(set), b = candidates_.second_group(set);
            if (is_bound_[at(layout_.groups[at(a)].row >= 0 ? a : b)] == 0) continue;
            // Nearest first: the rest cannot have come within reach.
            const PairMove way = candidates_.find_way_from_reference(set, way_placements_);
            const PairMove back = candidates_.find_way_from_base(set, way_placements_);
            const auto find_limit = [&](double moved) { return (reach_ + separation_ + moved) * (1 + 1e-12); };
            const double limit = find_limit(way.bound(set.arm));
            const std::span<const Candidate> items = candidates_.candidates(set);
            found_.clear();
            for (int i = 0; i < static_cast<int>(items.size()) && items[at(i)].distance <= limit; ++i)
            {
                // Early moments are near the start, where distances are known, late ones near where they were last
                // measured: what cannot have come within reach from either is passed over.
                const Candidate& item = items[at(i)];
                if (item.distance <= find_limit(way.bound(item.arm)) && item.recent <= find_limit(back.bound(item.arm)))
                    touch(set, i, way_placements_, found_);
            }
            merge_flats(set, 0, found_);
            for (const Touch& touch : found_) add_way_touch(touch, time, bodies, placements);
        }
    }
}

void Potential::add_way_touch(const Touch& touch, double time, std::span<const Body> bodies,
                              std::span<const Placement> placements)
{
    WayTouch way{touch, find_normal(touch, way_placements_), find_turn(touch)};
    way.touch.weight = moment_weight_;
    const auto carry = [&](int g, Vector6& v)
    {
        if (layout_.groups[at(g)].row < 0) return;
        const Vector6 rest = find_rest(bodies[at(g)].start, placements[at(g)]);
        const Vec3 u{rest[3], rest[4], rest[5]};
        // Transposed Jacobians are those of the opposite turn.
        const Vec3 turn = logarithm_rate(-u, exponential_spin(-time * u, Vec3{v[3], v[4], v[5]}));
        for (int i = 0; i < 3; ++i)
        {
            v[at(i)] *= time;
            v[at(3 + i)] = time * turn[i];
        }
    };
    for (PairVector* v : {&way.normal, &way.turn})
    {
        carry(touch.first, (*v)[0]);
        carry(touch.second, (*v)[1]);
    }
    way_touches_.push_back(way);
}

}  // namespace rattleback::ipc
