// Keeping the pairs of proxies up to date: only those that left their fat boxes are looked up again.
#include "base/index.h"
#include "collide/broad_phase.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace rattleback
{

namespace
{

// Fat boxes are larger by this part of the proxy's longest side: more and they overlap too often, less and they are
// left too often. Measured with boxes that move by 5 % of their size per step.
constexpr double kFatness = 0.15;
constexpr double kTooFat = 1.5;         // a fat box this much longer than it need be is renewed as well
constexpr double kFarthest = 1e100;     // [m]; all that is further out is treated alike, so that areas stay finite
constexpr double kBoxRounding = 1e-14;  // of a coordinate, several times what the sums here lose
constexpr std::size_t kLeaversPerTask = 64;
constexpr std::size_t kBoxesPerTask = 1024;
constexpr double kWorn = 1.5;  // a tree is built anew when queries look at so many times the nodes they once did

double sum_of_sides(const Aabb& box)
{
    const Vec3 sides = box.upper - box.lower;
    return sides.x + sides.y + sides.z;
}

double longest_side(const Aabb& box)
{
    const Vec3 sides = box.upper - box.lower;
    return std::max({sides.x, sides.y, sides.z});
}

/// The part of space that a fat box must hold: a proxy's box with the half of the margin that belongs to its partners,
/// so that fixed boxes need not know the margin.
Aabb make_core(const Aabb& box, double margin)
{
    const auto size = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    // Rounding is relative to the largest coordinate, so that boxes far from the origin grow with it.
    const double x = size(box.lower.x, box.upper.x), y = size(box.lower.y, box.upper.y);
    const double largest = std::max({x, y, size(box.lower.z, box.upper.z)});
    // An empty box has no size to be rounded to.
    return largest < HUGE_VAL ? inflate(box, 0.5 * margin + kBoxRounding * (largest + margin)) : box;
}

Aabb make_fat(const Aabb& core)
{
    // In proportion to the size: a body moves about as many of its own lengths as any other.
    const double longest = longest_side(core);
    Aabb fat = longest >= 0 ? inflate(core, kFatness * longest) : core;
    // Areas, by which the tree is built, must not overflow.
    for (int axis = 0; axis < 3; ++axis)
    {
        fat.lower[axis] = std::clamp(fat.lower[axis], -kFarthest, kFarthest);
        fat.upper[axis] = std::clamp(fat.upper[axis], -kFarthest, kFarthest);
    }
    return longest >= 0 ? fat : kEmptyBox;
}

}  // namespace

// Pairs of proxies are kept from step to step. A proxy that stays inside its fat box cannot have a new partner, so only
// the leavers are looked up: their fat boxes are renewed, the tree is mended (or built, once it is worn), and their old
// pairs give way to new ones in one merge. What is kept is a superset: boxes are compared anew in every step.

void BroadPhase::update_memory(double margin, BroadMemory& memory, ThreadPool* pool)
{
    const std::size_t moving = layout_.moving_proxies.size();
    // Another scene, or the first call: everything leaves its (empty) box, and the tree is built.
    if (memory.signature != placement_.signature || memory.fat_boxes.size() != moving)
    {
        memory.signature = placement_.signature;
        memory.fat_boxes.assign(moving, kEmptyBox);
        memory.pairs.clear();
        memory.is_worn = true;
    }
    find_leavers(margin, memory, pool);
    // Coherence: when all cores lie inside their fat boxes the kept pairs are complete, and nothing is searched.
    if (leavers_.empty()) return;
    mend_tree(memory);
    const std::int64_t looked_at = find_proxy_pairs(memory, pool);
    renew_pairs(memory);

    // The cost of a query measures how worn the tree is, whatever has moved how.
    const double cost = static_cast<double>(looked_at) / static_cast<double>(leavers_.size());
    if (memory.cost_after_build == 0) memory.cost_after_build = cost;
    memory.is_worn = cost > kWorn * memory.cost_after_build + 2;
}

/// A new fat box for an item of the tree that needs one, see Leaving.
BroadPhase::Leaving BroadPhase::renew_fat_box(int item, double margin, BroadMemory& memory) const
{
    const Aabb core = make_core(placement_.proxy_boxes[at(layout_.moving_proxies[at(item)])], margin);
    Aabb& fat = memory.fat_boxes[at(item)];
    // A box that has shrunk (slower, less margin) would keep pairs that are far apart.
    const double wanted = sum_of_sides(core) + 6 * kFatness * longest_side(core);
    if (contains(fat, core) && sum_of_sides(fat) <= kTooFat * wanted) return Leaving::stays;
    // Anew around where the proxy is, with room on all sides: motion may turn round.
    const Aabb next = make_fat(core);
    if (next == fat) return Leaving::stays;
    const Leaving leaving = overlaps(fat, next) ? Leaving::leaves : Leaving::jumps;
    fat = next;
    return leaving;
}

void BroadPhase::find_leavers(double margin, BroadMemory& memory, ThreadPool* pool)
{
    const std::size_t count = memory.fat_boxes.size();
    leaving_.resize(count);
    // Every box by itself, in parallel; lists are then made in order, so that the result does not depend on threads.
    run_pieces(pool, count, kBoxesPerTask,
               [&](std::size_t begin, std::size_t end, int /*task*/, int /*worker*/)
               {
                   for (std::size_t i = begin; i < end; ++i)
                       leaving_[i] = renew_fat_box(static_cast<int>(i), margin, memory);
               });
    // Flags by proxy and a list by item: pairs ask for the first, queries walk the second.
    has_left_.assign(layout_.proxies.size(), 0);
    leavers_.clear();
    for (std::size_t i = 0; i < count; ++i)
    {
        if (leaving_[i] == Leaving::stays) continue;
        if (leaving_[i] == Leaving::jumps) ++memory.jumps;
        leavers_.push_back(static_cast<int>(i));
        has_left_[at(layout_.moving_proxies[i])] = 1;
    }
}

/// Builds the tree anew where queries would suffer from its wear; otherwise only mends its boxes.
void BroadPhase::mend_tree(BroadMemory& memory)
{
    const auto count = static_cast<std::int64_t>(memory.fat_boxes.size());
    const auto leavers = static_cast<std::int64_t>(leavers_.size());
    // Each jump may leave a path of huge boxes that every query walks; a build costs about as much as three such steps
    // per item.
    if (memory.is_worn || memory.jumps * leavers > 3 * count)
    {
        memory.tree.build(memory.fat_boxes);
        memory.cost_after_build = 0;
        memory.jumps = 0;
        return;
    }
    // Few leavers: a leaf and its ancestors each (log n). Many: all leaves, then one pass over the tree.
    if (leavers * static_cast<std::int64_t>(std::bit_width(memory.fat_boxes.size())) < count)
    {
        for (const int item : leavers_) memory.tree.move(item, memory.fat_boxes[at(item)]);
        return;
    }
    for (const int item : leavers_) memory.tree.set_box(item, memory.fat_boxes[at(item)]);
    memory.tree.refit();
}

/// Adds the pairs of some leavers with everything. Returns the number of nodes looked at.
std::int64_t BroadPhase::query_some(const BroadMemory& memory, std::span<const int> leavers,
                                    std::vector<ProxyPair>& found) const
{
    std::int64_t looked_at = 0;
    for (const int leaver : leavers)
    {
        // Fat boxes of movers against those of all movers, and against fixed boxes that have no fat.
        const int self = layout_.moving_proxies[at(leaver)];
        const Proxy& proxy = layout_.proxies[at(self)];
        const Aabb& fat = memory.fat_boxes[at(leaver)];
        const auto add = [&](int other)
        {
            // Filters once per pair and not per step: what is kept has passed them.
            if (!layout_.may_meet(proxy, layout_.proxies[at(other)])) return;
            found.push_back({std::min(self, other), std::max(self, other)});
        };
        looked_at += memory.tree.query(fat,
                                       [&](int item)
                                       {
                                           const int other = layout_.moving_proxies[at(item)];
                                           // Two leavers find each other twice.
                                           if (has_left_[at(other)] == 0 || self < other) add(other);
                                       });
        placement_.fixed_tree.query(fat, [&](int item) { add(layout_.fixed_proxies[at(item)]); });
    }
    return looked_at;
}

std::int64_t BroadPhase::find_proxy_pairs(const BroadMemory& memory, ThreadPool* pool)
{
    // Where many leave, in the order of the tree's leaves.
    if (leavers_.size() * 64 > memory.fat_boxes.size())
    {
        // Near ones one after the other: they walk the same nodes.
        leavers_.clear();
        for (const int item : memory.tree.order())
        {
            if (has_left_[at(layout_.moving_proxies[at(item)])] != 0) leavers_.push_back(item);
        }
    }
    new_pairs_.clear();
    const std::span<const int> leavers = leavers_;
    looked_at_.assign(count_pieces(leavers.size(), kLeaversPerTask), 0);
    collect_pairs(pool, leavers.size(), kLeaversPerTask, found_proxies_, new_pairs_,
                  [&](std::size_t begin, std::size_t end, int task, int /*worker*/, std::vector<ProxyPair>& found)
                  { looked_at_[at(task)] += query_some(memory, leavers.subspan(begin, end - begin), found); });
    return std::accumulate(looked_at_.begin(), looked_at_.end(), std::int64_t{0});
}

/// Replaces all pairs of those that left by the new ones; the list stays sorted.
void BroadPhase::renew_pairs(BroadMemory& memory)
{
    proxy_sorter_.sort(new_pairs_, static_cast<int>(layout_.proxies.size()));
    // Both lists are sorted: one merge that drops old pairs of leavers.
    merged_.resize(memory.pairs.size() + new_pairs_.size());
    std::size_t count = 0;
    auto added = new_pairs_.begin();
    for (const ProxyPair& pair : memory.pairs)
    {
        while (added != new_pairs_.end() && *added < pair) merged_[count++] = *added++;
        merged_[count] = pair;  // no branch: those that left are overwritten
        count += static_cast<std::size_t>((has_left_[at(pair.first)] | has_left_[at(pair.second)]) == 0);
    }
    for (; added != new_pairs_.end(); ++added) merged_[count++] = *added;
    merged_.resize(count);
    memory.pairs.swap(merged_);
}

}  // namespace rattleback
