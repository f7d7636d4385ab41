// The broad phase: from poses to pairs of shapes whose boxes overlap.
#pragma once

#include "base/thread_pool.h"
#include "collide/broad_memory.h"
#include "collide/broad_placement.h"
#include "collide/pair_sorter.h"

namespace rattleback
{

/// Which shape of a pair comes first.
enum class PairOrder
{
    by_index,
    by_type,  ///< the lower type, then the lower index: what contact functions take
};

/// Finds pairs of shapes that pass the filters and whose boxes (see Placement) overlap, or whose box is near a plane;
/// for explicit pairs the bare boxes come within the pair's own reach. Fat boxes and trees only prune: what was kept
/// of earlier calls never changes the answer.
class BroadPhase
{
public:
    explicit BroadPhase(const Model& model) : layout_(model), placement_(layout_) {}
    BroadPhase(const BroadPhase&) = delete;
    BroadPhase& operator=(const BroadPhase&) = delete;

    /// Sorted, each pair once. Valid until the next call.
    std::span<const PairCandidate> find_pairs(const ConstWorldView& world, const Reach& reach, PairOrder order,
                                              BroadMemory& memory, ThreadPool* pool);

    /// Those of the last call.
    std::span<const PairCandidate> pairs() const { return pairs_; }

    const BroadLayout& layout() const { return layout_; }
    const Placement& placement() const { return placement_; }

private:
    /// What a moving proxy does to its fat box.
    enum class Leaving : char
    {
        stays,
        leaves,  ///< the new one overlaps the old one
        jumps,
    };

    // broad_update.cpp: from boxes to pairs of proxies
    void update_memory(double margin, BroadMemory& memory, ThreadPool* pool);
    void find_leavers(double margin, BroadMemory& memory, ThreadPool* pool);
    Leaving renew_fat_box(int item, double margin, BroadMemory& memory) const;
    void mend_tree(BroadMemory& memory);
    std::int64_t find_proxy_pairs(const BroadMemory& memory, ThreadPool* pool);
    std::int64_t query_some(const BroadMemory& memory, std::span<const int> leavers,
                            std::vector<ProxyPair>& found) const;
    void renew_pairs(BroadMemory& memory);

    // broad_phase.cpp: from pairs of proxies to pairs of shapes
    void add_pair(int first_shape, int second_shape, std::vector<PairCandidate>& pairs) const;
    void add_bounded_pairs(const std::vector<ProxyPair>& proxy_pairs, ThreadPool* pool);
    void add_compound_pairs(const Proxy& first, const Proxy& second, std::vector<int>& touched,
                            std::vector<PairCandidate>& pairs) const;
    void add_plane_pairs(ThreadPool* pool);
    void add_plane_pair(const PlacedPlane& plane, int proxy, std::vector<PairCandidate>& pairs) const;
    void add_explicit_pairs(const Reach& reach);
    bool is_close(const ShapePair& pair, const Reach& reach) const;
    const Aabb& box_of(const Proxy& proxy) const
    {
        return placement_.proxy_boxes[static_cast<std::size_t>(&proxy - layout_.proxies.data())];
    }
    /// Calls function(begin, end, task, worker, found) for pieces of [0, count) and appends what they find to `pairs`,
    /// in the order of the `pieces`, which are scratch.
    template <class Pair, class Function>
    static void collect_pairs(ThreadPool* pool, std::size_t count, std::size_t per_task,
                              std::vector<std::vector<Pair>>& pieces, std::vector<Pair>& pairs, Function function)
    {
        // Small jobs stay on the caller's thread; the result is the same, as pieces are joined in order.
        if (pool == nullptr || count <= per_task)
        {
            if (count > 0) function(std::size_t{0}, count, 0, 0, pairs);
            return;
        }
        const std::size_t tasks = count_pieces(count, per_task);
        if (pieces.size() < tasks) pieces.resize(tasks);
        run_pieces(pool, count, per_task,
                   [&](std::size_t begin, std::size_t end, int task, int worker)
                   {
                       std::vector<Pair>& found = pieces[static_cast<std::size_t>(task)];
                       found.clear();
                       function(begin, end, task, worker, found);
                   });
        for (std::size_t task = 0; task < tasks; ++task)
            pairs.insert(pairs.end(), pieces[task].begin(), pieces[task].end());
    }
    template <class Visit>
    void visit_shapes(const Proxy& proxy, const Aabb& box, Visit&& visit) const;

    BroadLayout layout_;
    Placement placement_;
    PairSorter<PairCandidate> sorter_;
    PairSorter<ProxyPair> proxy_sorter_;
    std::vector<PairCandidate> pairs_;
    PairOrder order_ = PairOrder::by_index;

    std::vector<int> leavers_;                       ///< moving proxies that left their fat boxes, by item of the tree
    std::vector<char> has_left_;                     ///< [proxy]
    std::vector<std::vector<PairCandidate>> found_;  ///< [task]
    std::vector<std::vector<ProxyPair>> found_proxies_;  ///< [task]
    std::vector<std::int64_t> looked_at_;                ///< [task]
    std::vector<ProxyPair> new_pairs_, merged_;
    std::vector<Leaving> leaving_;              ///< [moving proxy]
    std::vector<std::vector<ProxyPair>> near_;  ///< [worker] proxies whose boxes overlap
    std::vector<std::vector<int>> touched_;     ///< [worker] shapes of one compound near another
};

}  // namespace rattleback
