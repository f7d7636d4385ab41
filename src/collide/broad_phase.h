// The broad phase: from poses to pairs of shapes whose boxes overlap.
#pragma once

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
    std::span<const PairCandidate> find_pairs(const WorldView& world, const Reach& reach, PairOrder order,
                                              BroadMemory& memory, ThreadPool* pool);

    const BroadLayout& layout() const { return layout_; }
    const Placement& placement() const { return placement_; }

private:
    // broad_update.cpp: from boxes to pairs of proxies
    void update_memory(double margin, BroadMemory& memory, ThreadPool* pool);
    void find_leavers(double margin, BroadMemory& memory);
    void mend_tree(BroadMemory& memory);
    std::int64_t find_proxy_pairs(const BroadMemory& memory, ThreadPool* pool);
    std::int64_t query_some(const BroadMemory& memory, std::span<const int> leavers,
                            std::vector<PairCandidate>& found) const;
    void renew_pairs(BroadMemory& memory);

    // broad_phase.cpp: from pairs of proxies to pairs of shapes
    void add_pair(int first_shape, int second_shape);
    void add_bounded_pairs(const std::vector<PairCandidate>& proxy_pairs);
    void add_compound_pairs(const Proxy& first, const Proxy& second);
    void add_plane_pairs();
    void add_explicit_pairs(const Reach& reach);
    bool is_close(const ShapePair& pair, const Reach& reach) const;
    const Aabb& box_of(const Proxy& proxy) const
    {
        return placement_.proxy_boxes[static_cast<std::size_t>(&proxy - layout_.proxies.data())];
    }
    template <class Visit>
    void visit_shapes(const Proxy& proxy, const Aabb& box, Visit&& visit) const;

    BroadLayout layout_;
    Placement placement_;
    PairSorter sorter_;
    std::vector<PairCandidate> pairs_;
    PairOrder order_ = PairOrder::by_index;

    std::vector<int> leavers_;                       ///< moving proxies that left their fat boxes, by item of the tree
    std::vector<char> has_left_;                     ///< [proxy]
    std::vector<std::vector<PairCandidate>> found_;  ///< [task]
    std::vector<std::int64_t> looked_at_;            ///< [task]
    std::vector<PairCandidate> new_pairs_;
    std::vector<PairCandidate> near_;  ///< proxies whose boxes overlap
    std::vector<int> touched_;         ///< shapes of one compound near another
};

}  // namespace rattleback
