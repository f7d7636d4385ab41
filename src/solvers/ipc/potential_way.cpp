// The barrier on the way from the starts: for steps whose straight path would meet something.
//
// Between the start and the end of a step a body goes q(t) = q0 + t (q - q0), R(t) = exp(t u) R0, u = log(R R0ᵀ). The
// way is cut into spans of time, and in each of them a pair counts where its barrier, weighed by c(t), is highest:
// max c(t) w b(d(t)) over the span. So the value is infinite where the path meets something, at whatever time. By the
// envelope theorem its gradient is that of the moment t alone: a touch at t pushes the end by the transpose of what the
// end does to the pose at t, which is t for the centre, and t Jl(t u) Jl(u)^-1 for the turn, with the left Jacobian Jl
// of SO(3).
#include "base/index.h"
#include "math/rotation.h"
#include "math/sinc.h"
#include "solvers/ipc/grip_slip.h"
#include "solvers/ipc/potential.h"

#include <algorithm>

namespace rattleback::ipc
{

void Potential::note_loads()
{
    way_forces_.clear();
    for (const WayTouch& way : way_touches_) way_forces_.push_back(tell(way.touch));
    // With a stiffness of load times d̂, forces are those of the middle of a barrier's reach.
    loads_.assign(layout_.groups.size(), 0);
    const auto note = [&](const Touch& touch)
    {
        const double load = find_force(touch) / (factor_ * find_moved_mass(touch));
        for (const int g : {touch.first, touch.second}) loads_[at(g)] = std::max(loads_[at(g)], load);
    };
    if (span_count_ == 0) return;
    for (const WayTouch& way : way_touches_) note(way.touch);
    for (const Touch& touch : touches_)
        if (is_bound_[at(touch.set)] != 0) note(touch);
}

void Potential::set_way(int spans, std::span<const char> is_bound)
{
    if (spans == 0) note_loads();
    way_touches_.clear();
    span_count_ = spans;
    is_bound_.assign(is_bound.begin(), is_bound.end());
}

void Potential::find_way_touches(std::span<const Body> bodies, std::span<const Placement> placements)
{
    way_touches_.clear();
    if (span_count_ == 0) return;
    way_placements_.assign(placements.begin(), placements.end());
    way_rests_.resize(bodies.size());
    for (std::size_t g = 0; g < bodies.size(); ++g)
        way_rests_[g] = layout_.groups[g].row >= 0 ? find_rest(bodies[g].start, placements[g]) : Vector6{};
    const std::span<const CandidateSet> sets = candidates_.sets();
    for (std::size_t s = 0; s < sets.size(); ++s)
    {
        if (is_bound_[s] != 0) find_way_touches_of(sets[s], bodies);
    }
}

void Potential::find_way_touches_of(const CandidateSet& set, std::span<const Body> bodies)
{
    // Candidates were found at the starts: those that the whole way of the two can bring within reach. Its length from
    // t to t' is at most twice (t' - t) times that of the whole (PairMove: the speed grows by the bend at most).
    const auto a = at(candidates_.first_group(set)), b = at(candidates_.second_group(set));
    const PairPlaces starts{bodies[a].start, bodies[b].start};
    const PairMove way =
        find_pair_motion(layout_.groups[a], layout_.groups[b], set.pivot, starts, way_rests_[a], way_rests_[b]);
    const double reach = reach_ + separation_, span = 1.0 / span_count_;
    const std::span<const Candidate> items = candidates_.candidates(set);
    way_items_.clear();
    for (int i = 0; i < static_cast<int>(items.size()); ++i)
    {
        const Candidate& item = items[at(i)];
        if (item.distance > (reach + way.bound(set.arm)) * (1 + 1e-12)) break;
        const double most = way.bound(item.arm);
        if (item.distance > (reach + most) * (1 + 1e-12)) continue;
        if (set.is_plane || !is_within_flat(set, item)) way_items_.push_back({i, -1, 2 * span * most});
    }
    if (way_items_.empty()) return;
    const auto first = candidates_.first_group(set), second = candidates_.second_group(set);
    const auto place_at = [&](int k) -> std::array<Placement, 2>
    { return {place_on_way(first, k * span, bodies), place_on_way(second, k * span, bodies)}; };
    std::array<Placement, 2> here, there = place_at(0);
    for (int k = 0; k < span_count_; ++k)
    {
        found_.clear();
        here = there;
        there = place_at(k + 1);
        for (WayItem& item : way_items_)
        {
            // From where it was last measured it may not come within reach before this span ends.
            const double known = item.at < 0 ? items[at(item.index)].distance : item.here.distance;
            if (known - item.speed * (k + 1 - std::max(0, item.at)) > reach) continue;
            if (item.at < k) item.here = look(set, items[at(item.index)], k * span, here);
            item.at = k;
            if (item.here.distance - item.speed > reach) continue;
            const WayLook next = look(set, items[at(item.index)], (k + 1) * span, there);
            // What is as far away at both ends may have come nearer between them by half of the way.
            if (0.5 * (item.here.distance + next.distance - item.speed) <= reach)
                touch_in_span(set, item, next, bodies);
            item.here = next;
            item.at = k + 1;
        }
        merge_flats(set, 0, found_);
        for (const Touch& touch : found_) add_way_touch(touch, bodies);
    }
}

double Potential::WaySpan::weigh(double time) const
{
    const double x = (time - middle) / half;
    return 1 - kLoss * x * x;
}

double Potential::WaySpan::find_fall(const WayLook& look) const
{
    // Where nothing is within reach: the rate of the distance leads to where something may be.
    if (!(look.value > 0)) return look.rate;
    return 2 * kLoss * (look.time - middle) / (half * half) * look.value - weigh(look.time) * look.growth;
}

Placement Potential::place_on_way(int g, double time, std::span<const Body> bodies) const
{
    return layout_.groups[at(g)].row < 0 ? bodies[at(g)].start : move(bodies[at(g)].start, way_rests_[at(g)], time);
}

Potential::WayLook Potential::look(const CandidateSet& set, const Candidate& candidate, double time,
                                   std::span<const Body> bodies) const
{
    return look(set, candidate, time,
                std::array{place_on_way(candidates_.first_group(set), time, bodies),
                           place_on_way(candidates_.second_group(set), time, bodies)});
}

Potential::WayLook Potential::look(const CandidateSet& set, const Candidate& candidate, double time,
                                   const std::array<Placement, 2>& places) const
{
    ++way_looks_;
    const int first = candidates_.first_group(set), second = candidates_.second_group(set);
    const auto& [one, two] = places;
    const auto find_velocity_of = [&](int g, const Placement& place, const Vec3& point)
    { return find_shift(way_rests_[at(g)], point - place.center); };
    const auto set_barrier = [&](WayLook& at_time)
    {
        if (!(at_time.distance > separation_)) return;
        const Jet barrier = find_barrier(at_time.distance, reach_, separation_);
        at_time.value = barrier.value;
        at_time.growth = barrier.slope * at_time.rate;
    };
    const Simplex a = place(one, candidates_.first_simplex(set, candidate));
    if (set.is_plane)
    {
        const HalfSpace& space = layout_.planes[at(set.second)].space;
        const double rate = dot(space.normal, find_velocity_of(first, one, a.corner[0]));
        WayLook look{time, dot(space.normal, a.corner[0]) - space.offset - set.round, rate};
        set_barrier(look);
        return look;
    }
    const Simplex b = place(two, candidates_.second_simplex(set, candidate));
    const bool turned = a.count > b.count;
    const NearestSimplices nearest = turned ? find_nearest(b, a) : find_nearest(a, b);
    const Vec3 between = turned ? -nearest.between : nearest.between;
    const double distance = norm(between);
    const std::array<double, 3>& weights = turned ? nearest.first : nearest.second;
    Vec3 on_second = b.corner[0];
    for (std::size_t i = 1; i < 3; ++i)
    {
        if (weights[i] != 0) on_second += weights[i] * (b.corner[i] - b.corner[0]);
    }
    const Vec3 relative = find_velocity_of(first, one, on_second + between) - find_velocity_of(second, two, on_second);
    const double rate = distance > 0 ? dot(between, relative) / distance : 0;
    WayLook look{time, distance - set.round, rate};
    set_barrier(look);
    if (candidate.kind == PairKind::edge_edge && look.value > 0)
    {
        // Edges that are nearly parallel: w b, and its rate.
        const Vec3 u = a.corner[1] - a.corner[0], v = b.corner[1] - b.corner[0], across = cross(u, v);
        const Jet mollifier = find_edge_mollifier(dot(across, across), find_parallel_limit(dot(u, u), dot(v, v)));
        const Vector6 &p = way_rests_[at(first)], &q = way_rests_[at(second)];
        const Vec3 turn = Vec3{p[3], p[4], p[5]} - Vec3{q[3], q[4], q[5]};
        const double rise = -2 * mollifier.slope * dot(u, v) * dot(across, turn);
        look.growth = rise * look.value + mollifier.value * look.growth;
        look.value *= mollifier.value;
    }
    return look;
}

Potential::WayLook Potential::find_highest(const CandidateSet& set, const WayItem& item, const WayLook& next,
                                           std::span<const Body> bodies) const
{
    // The highest of the ends, the middle, and where between two of them the barrier no longer grows.
    const WaySpan span{0.5 * (item.here.time + next.time), 0.5 * (next.time - item.here.time)};
    const Candidate& candidate = candidates_.candidates(set)[at(item.index)];
    const WayLook middle = look(set, candidate, span.middle, bodies);
    WayLook best = item.here;
    const auto take = [&](const WayLook& other)
    {
        const double mine = span.weigh(best.time) * best.value, its = span.weigh(other.time) * other.value;
        if (best.distance > separation_ && (its > mine || other.distance <= separation_)) best = other;
    };
    for (const auto& [low, high] : {std::pair(item.here, middle), std::pair(middle, next)})
    {
        if (span.find_fall(low) < 0 && span.find_fall(high) > 0)
            take(find_top(set, candidate, span, low, high, bodies));
        take(high);
    }
    return best;
}

Potential::WayLook Potential::find_top(const CandidateSet& set, const Candidate& candidate, const WaySpan& span,
                                       const WayLook& from, const WayLook& to, std::span<const Body> bodies) const
{
    // Regula falsi (Illinois), then halving.
    constexpr int kSecants = 8, kMostLooks = 48;
    constexpr double kEnough = 1e-10, kNarrow = 1e-6;
    double low = from.time, high = to.time, left = span.find_fall(from), right = span.find_fall(to);
    WayLook best;
    for (int i = 0, side = 0; i < kMostLooks; ++i)
    {
        const double width = high - low, part = i < kSecants ? left / (left - right) : 0.5;
        best = look(set, candidate, low + std::clamp(part, 0.01, 0.99) * width, bodies);
        const double gap = best.distance - separation_, fall = span.find_fall(best);
        // Sides so steep that they meet within what is left: the path goes through.
        if (width < kNarrow * span.half && gap < std::abs(best.rate) * width) best.distance = separation_;
        if (!(best.distance > separation_) || std::abs(fall) * width <= kEnough * best.value) break;
        const int now = fall < 0 ? -1 : 1;
        (now < 0 ? low : high) = best.time;
        (now < 0 ? left : right) = fall;
        if (side == now) (now < 0 ? right : left) *= 0.5;
        side = now;
    }
    return best;
}

void Potential::touch_in_span(const CandidateSet& set, const WayItem& item, const WayLook& next,
                              std::span<const Body> bodies)
{
    const WayLook best = find_highest(set, item, next, bodies);
    if (best.distance >= reach_ + separation_) return;
    const int first = candidates_.first_group(set), second = candidates_.second_group(set);
    way_placements_[at(first)] = place_on_way(first, best.time, bodies);
    way_placements_[at(second)] = place_on_way(second, best.time, bodies);
    const std::size_t before = found_.size();
    touch_on_way(set, item.index, way_placements_, found_);
    if (found_.size() == before) return;
    const WaySpan span{0.5 * (item.here.time + next.time), 0.5 * (next.time - item.here.time)};
    found_.back().time = best.time;
    // Together twice what the end counts: gaps on the way decide what a certified path costs.
    found_.back().weight = 2 * span.weigh(best.time) / span_count_;
    if (best.distance == separation_) found_.back().distance = separation_;
}

void Potential::add_way_touch(const Touch& touch, std::span<const Body> bodies)
{
    const Placement first = place_on_way(touch.first, touch.time, bodies);
    const Placement second = place_on_way(touch.second, touch.time, bodies);
    WayTouch way{touch, make_pair_vector(touch.normal, touch.on_first - first.center, touch.on_second - second.center),
                 find_turn(touch)};
    const auto carry = [&](int g, Vector6& v)
    {
        if (layout_.groups[at(g)].row < 0) return;
        const Vector6& rest = way_rests_[at(g)];
        const Vec3 u{rest[3], rest[4], rest[5]};
        // Transposed Jacobians are those of the opposite turn.
        const Vec3 turn = logarithm_rate(-u, exponential_spin(-touch.time * u, Vec3{v[3], v[4], v[5]}));
        for (int i = 0; i < 3; ++i)
        {
            v[at(i)] *= touch.time;
            v[at(3 + i)] = touch.time * turn[i];
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
