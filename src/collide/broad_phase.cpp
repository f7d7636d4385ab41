// From overlapping proxies to pairs of shapes: compounds, planes and explicit pairs.
#include "collide/broad_phase.h"

#include "base/index.h"
#include "collide/filter.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr std::size_t kPairsPerTask = 2048;

}  // namespace

// Three ways to a pair of shapes: bounded shapes by boxes of bodies, then of shapes; planes against everything;
// explicit pairs one by one. The answer is a function of the poses alone, whatever was kept of earlier steps.

std::span<const PairCandidate> BroadPhase::find_pairs(const ConstWorldView& world, const Reach& reach, PairOrder order,
                                                      BroadMemory& memory, ThreadPool* pool)
{
    const bool same_order = order == order_;
    // Nothing has moved and the order is the same: the last answer stands.
    if (!placement_.update(world, reach, pool) && same_order) return pairs_;
    order_ = order;
    // Fat boxes and the tree, then pairs of three kinds, then sorted: the order of finding does not matter.
    update_memory(reach.margin, memory, pool);
    pairs_.clear();
    add_plane_pairs(pool);
    add_bounded_pairs(memory.pairs, pool);
    add_explicit_pairs(reach);
    sorter_.sort(pairs_, layout_.model.shape_count());
    return pairs_;
}

void BroadPhase::add_pair(int first_shape, int second_shape, std::vector<PairCandidate>& pairs) const
{
    if (first_shape > second_shape) std::swap(first_shape, second_shape);
    // Contact functions take the lower type first; of equal types the lower index.
    if (order_ == PairOrder::by_type)
    {
        const std::vector<PlacedShape>& shapes = placement_.shapes;
        if (shapes[at(second_shape)].type < shapes[at(first_shape)].type) std::swap(first_shape, second_shape);
    }
    pairs.push_back({ShapeId{first_shape}, ShapeId{second_shape}});
}

void BroadPhase::add_bounded_pairs(const std::vector<ProxyPair>& proxy_pairs, ThreadPool* pool)
{
    // Prefetching hides the way to memory: pairs are sorted by the first proxy, the second is anywhere.
    constexpr std::size_t kAhead = 16;  // the second box is anywhere: ask for it in time
    const Aabb* boxes = placement_.proxy_boxes.data();
    const std::size_t workers = pool != nullptr ? at(pool->worker_count()) : 1;
    near_.resize(workers);
    touched_.resize(workers);
    const auto find =
        [&](std::size_t begin, std::size_t end, int /*task*/, int worker, std::vector<PairCandidate>& found)
    {
        // Lists per worker: no locks, and no false sharing of the counts.
        std::vector<ProxyPair>& near = near_[at(worker)];
        near.resize(end - begin);
        std::size_t count = 0;
        // First the boxes alone, in one tight loop; about half of the kept pairs do not touch at the moment.
        for (std::size_t i = begin; i < end; ++i)
        {
            const Aabb* later = boxes + proxy_pairs[std::min(i + kAhead, end - 1)].second;
            __builtin_prefetch(&later->lower.x);
            __builtin_prefetch(&later->upper.z);
            const ProxyPair pair = proxy_pairs[i];
            near[count] = pair;  // no branch: about every second one stays
            count += static_cast<std::size_t>(overlaps(boxes[pair.first], boxes[pair.second]));
        }
        near.resize(count);
        for (const ProxyPair& pair : near)
        {
            // One shape on either side is the common case, and its pair is known.
            const int first = layout_.shape_of_proxy[at(pair.first)], second = layout_.shape_of_proxy[at(pair.second)];
            if (first >= 0 && second >= 0)
                add_pair(first, second, found);
            else
                add_compound_pairs(layout_.proxies[at(pair.first)], layout_.proxies[at(pair.second)],
                                   touched_[at(worker)], found);
        }
    };
    collect_pairs(pool, proxy_pairs.size(), kPairsPerTask, found_, pairs_, find);
}

/// Calls visit(shape) for the shapes of a proxy whose boxes overlap `box`.
template <class Visit>
void BroadPhase::visit_shapes(const Proxy& proxy, const Aabb& box, Visit&& visit) const
{
    if (proxy.shape >= 0)
    {
        // The proxy's box is the shape's own box.
        if (overlaps(box_of(proxy), box)) visit(proxy.shape);
        return;
    }
    const Carrier& carrier = layout_.moving[at(proxy.carrier)];
    const std::span<const int> shapes = layout_.bounded_shapes(carrier);
    // Many shapes: a tree in the body's frame, whose boxes were placed with it.
    if (carrier.compound >= 0)
    {
        placement_.compounds[at(carrier.compound)].query(box, [&](int item) { visit(shapes[at(item)]); });
        return;
    }
    for (const int shape : shapes)
    {
        if (overlaps(placement_.boxes[at(shape)], box)) visit(shape);
    }
}

void BroadPhase::add_compound_pairs(const Proxy& first, const Proxy& second, std::vector<int>& touched,
                                    std::vector<PairCandidate>& pairs) const
{
    touched.clear();
    // Shapes of the first near the box of the second; then for each of them those of the second near it.
    visit_shapes(first, box_of(second), [&](int shape) { touched.push_back(shape); });
    for (const int a : touched)
    {
        // A box of the whole first proxy where it has one shape; otherwise the shape's own.
        visit_shapes(second, first.shape >= 0 ? box_of(first) : placement_.boxes[at(a)],
                     [&](int b)
                     {
                         if (layout_.may_meet(a, b)) add_pair(a, b, pairs);
                     });
    }
}

void BroadPhase::add_plane_pair(const PlacedPlane& plane, int index, std::vector<PairCandidate>& pairs) const
{
    // The box of the whole body first, then shape by shape.
    if (!is_near(plane, placement_.proxy_boxes[at(index)])) return;
    const Proxy& proxy = layout_.proxies[at(index)];
    if (!bodies_may_collide(layout_.model, layout_.model.shapes.body[at(plane.shape)], proxy.body)) return;
    // Planes know no trees: shapes of a body are held against them one by one.
    const auto add_shape = [&](int shape)
    {
        const bool meets = proxy.shape >= 0 || is_near(plane, placement_.boxes[at(shape)]);
        if (meets && layout_.may_meet(plane.shape, shape)) add_pair(plane.shape, shape, pairs);
    };
    if (proxy.shape >= 0)
    {
        add_shape(proxy.shape);
        return;
    }
    for (const int shape : layout_.bounded_shapes(layout_.moving[at(proxy.carrier)])) add_shape(shape);
}

void BroadPhase::add_plane_pairs(ThreadPool* pool)
{
    // A plane is unbounded and in no tree: every proxy is held against every plane, of which there are few.
    for (const PlacedPlane& plane : placement_.planes)
    {
        if (!plane.has_masks) continue;
        const auto add_near = [&](const std::vector<int>& proxies)
        {
            collect_pairs(pool, proxies.size(), kPairsPerTask, found_, pairs_,
                          [&](std::size_t begin, std::size_t end, int, int, std::vector<PairCandidate>& found)
                          {
                              for (std::size_t i = begin; i < end; ++i) add_plane_pair(plane, proxies[i], found);
                          });
        };
        add_near(layout_.moving_proxies);
        // A fixed plane and fixed shapes never collide; a moving plane meets them too.
        if (plane.moving) add_near(layout_.fixed_proxies);
    }
}

bool BroadPhase::is_close(const ShapePair& pair, const Reach& reach) const
{
    // An explicit pair has a margin and gap of its own, which replace those of its shapes.
    const double extra = reach.margin + (reach.own ? std::max(0.0, pair.margin + pair.gap) : 0);
    const Aabb& first = placement_.bare_boxes[at(pair.first)];
    const Aabb& second = placement_.bare_boxes[at(pair.second)];
    const auto is_plane = [&](int shape) { return placement_.shapes[at(shape)].type == ShapeType::plane; };
    if (!is_plane(pair.first) && !is_plane(pair.second)) return overlaps(inflate(first, extra), second);
    const bool first_is_plane = is_plane(pair.first);
    PlacedPlane plane = placement_.find_plane(first_is_plane ? pair.first : pair.second);
    // The plane's own share is in `extra` already.
    plane.reach = 0;
    return is_near(plane, first_is_plane ? second : first, extra);
}

void BroadPhase::add_explicit_pairs(const Reach& reach)
{
    // Explicit pairs are few and written by hand: each is tested by itself, with its own reach.
    for (const ShapePair& pair : layout_.explicit_pairs)
    {
        if (is_close(pair, reach)) add_pair(pair.first, pair.second, pairs_);
    }
}

}  // namespace rattleback
