// Lists of the broad phase, made once for a model in O(n log n).
#include "collide/broad_layout.h"

#include "base/index.h"
#include "collide/manifold.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr int kFewShapes = 4;  // a body with more gets a tree

// Everything that does not depend on poses is decided here once: which shapes can meet anything, which move together
// and so share a box, which never move, and which pairs are spoken for by name.

PairCandidate key(const ShapePair& pair) { return {ShapeId{pair.first}, ShapeId{pair.second}}; }

}  // namespace

BroadLayout::BroadLayout(const Model& model_of_shapes) : model(model_of_shapes)
{
    // Each list needs the ones before it: explicit pairs decide which shapes count, shapes which proxies there are.
    list_explicit_pairs();
    list_shapes();
    list_proxies();
}

void BroadLayout::list_explicit_pairs()
{
    is_explicit.assign(at(model.shape_count()), 0);
    // Given in any order and perhaps twice; looked up by bisection later.
    std::vector<std::pair<PairCandidate, std::size_t>> sorted;  // of equal pairs the first counts
    for (std::size_t i = 0; i < model.pairs.size(); ++i)
    {
        const auto [first, second] = std::minmax(model.pairs[i].first, model.pairs[i].second);
        is_explicit[at(first)] = is_explicit[at(second)] = 1;
        // Planes and height fields have no contact among themselves.
        if (never_touch(model.shapes.type[at(first)], model.shapes.type[at(second)])) continue;
        sorted.emplace_back(PairCandidate{ShapeId{first}, ShapeId{second}}, i);
    }
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [shapes_of_pair, i] : sorted)
    {
        if (!explicit_pairs.empty() && key(explicit_pairs.back()) == shapes_of_pair) continue;
        ShapePair& pair = explicit_pairs.emplace_back(model.pairs[i]);
        pair.first = shapes_of_pair.first.index;
        pair.second = shapes_of_pair.second.index;
    }
}

void BroadLayout::list_shapes()
{
    const Bodies& bodies = model.bodies;
    for (int body = 0; body < model.body_count(); ++body)
    {
        // Shapes of a body, in three kinds: with masks and bounded, planes, and those in explicit pairs alone.
        const auto first = bodies.shapes_of_body.begin() + bodies.shape_begin[at(body)];
        const auto last = bodies.shapes_of_body.begin() + bodies.shape_begin[at(body) + 1];
        // A shape without category and mask is met only where somebody named it.
        const auto has_masks = [&](int shape)
        { return (model.shapes.category[at(shape)] | model.shapes.mask[at(shape)]) != 0; };
        const auto is_plane = [&](int shape) { return model.shapes.type[at(shape)] == ShapeType::plane; };

        Carrier carrier{.body = body, .begin = static_cast<int>(shapes.size())};
        // Bounded shapes with masks: these are what boxes and trees are for.
        std::copy_if(first, last, std::back_inserter(shapes),
                     [&](int shape) { return has_masks(shape) && !is_plane(shape); });
        carrier.middle = static_cast<int>(shapes.size());
        // The rest is placed as well, but met by other ways: planes by half-spaces, explicit pairs one by one.
        std::copy_if(first, last, std::back_inserter(shapes),
                     [&](int shape)
                     {
                         return (is_plane(shape) && has_masks(shape)) ||
                                (is_explicit[at(shape)] != 0 && (is_plane(shape) || !has_masks(shape)));
                     });
        carrier.end = static_cast<int>(shapes.size());
        // Planes once more in a list of their own: every box is held against each of them.
        std::copy_if(shapes.begin() + carrier.middle, shapes.end(), std::back_inserter(planes), is_plane);
        std::sort(shapes.begin() + carrier.begin, shapes.begin() + carrier.middle);
        if (carrier.begin == carrier.end) continue;
        // A body that is welded to the world never moves: its shapes go into a tree of their own, built once.
        const bool moves = bodies.weld[at(body)] != 0;
        // A few boxes are tested one by one; from here on a tree pays.
        if (moves && carrier.middle - carrier.begin > kFewShapes) carrier.compound = compound_count++;
        (moves ? moving : fixed).push_back(carrier);
    }
    std::sort(planes.begin(), planes.end());
}

void BroadLayout::list_proxies()
{
    const Shapes& all = model.shapes;
    for (std::size_t i = 0; i < moving.size(); ++i)
    {
        // One box per moving body, around all its bounded shapes: most pairs of bodies end there.
        const std::span<const int> bounded = bounded_shapes(moving[i]);
        if (bounded.empty()) continue;
        Proxy proxy{.body = moving[i].body, .carrier = static_cast<int>(i)};
        if (bounded.size() == 1) proxy.shape = bounded.front();
        for (const int shape : bounded)
        {
            // The union of the masks lets a pair of bodies through when any of its shapes might meet; shapes are asked
            // later.
            proxy.category |= all.category[at(shape)];
            proxy.mask |= all.mask[at(shape)];
        }
        proxies.push_back(proxy);
    }
    // Fixed shapes each for themselves: a body such as a landscape may be as large as the world.
    for (const Carrier& carrier : fixed)
    {
        for (const int shape : bounded_shapes(carrier))
        {
            proxies.push_back({.body = carrier.body,
                               .shape = shape,
                               .category = all.category[at(shape)],
                               .mask = all.mask[at(shape)]});
        }
    }
    // Exclusions are few: a flag per body keeps the search for them out of the common case.
    std::vector<char> excluded(at(model.body_count()), 0);
    for (const auto& [first, second] : model.excluded_bodies) excluded[at(first)] = excluded[at(second)] = 1;
    for (Proxy& proxy : proxies)
    {
        proxy.filter = make_body_filter(model, proxy.body);
        proxy.excluded = excluded[at(proxy.body)] != 0;
        proxy.is_explicit = proxy.shape >= 0 && is_explicit[at(proxy.shape)] != 0;
        proxy.is_ground = proxy.shape >= 0 && all.type[at(proxy.shape)] == ShapeType::height_field;
    }
    // Proxies in the order of their lowest shapes: pairs of proxies in order give pairs of shapes nearly in order.
    const auto lowest = [&](const Proxy& proxy)
    { return proxy.shape >= 0 ? proxy.shape : bounded_shapes(moving[at(proxy.carrier)]).front(); };
    std::sort(proxies.begin(), proxies.end(), [&](const Proxy& a, const Proxy& b) { return lowest(a) < lowest(b); });
    // Moving and fixed proxies by number: the two trees count them from zero.
    for (int i = 0; i < static_cast<int>(proxies.size()); ++i)
    {
        const int carrier = proxies[at(i)].carrier;
        shape_of_proxy.push_back(proxies[at(i)].shape);
        (carrier >= 0 ? moving_proxies : fixed_proxies).push_back(i);
        if (carrier >= 0) moving[at(carrier)].proxy = i;
    }
}

std::span<const int> BroadLayout::bounded_shapes(const Carrier& carrier) const
{
    return std::span(shapes).subspan(at(carrier.begin), at(carrier.middle - carrier.begin));
}

std::span<const int> BroadLayout::other_shapes(const Carrier& carrier) const
{
    return std::span(shapes).subspan(at(carrier.middle), at(carrier.end - carrier.middle));
}

const ShapePair* BroadLayout::find_explicit(int first_shape, int second_shape) const
{
    // Two flags answer for nearly all pairs; the list is searched only where both are in some explicit pair.
    if (is_explicit[at(first_shape)] == 0 || is_explicit[at(second_shape)] == 0) return nullptr;
    const PairCandidate wanted{ShapeId{std::min(first_shape, second_shape)},
                               ShapeId{std::max(first_shape, second_shape)}};
    const auto found =
        std::lower_bound(explicit_pairs.begin(), explicit_pairs.end(), wanted,
                         [](const ShapePair& pair, const PairCandidate& other) { return key(pair) < other; });
    return found != explicit_pairs.end() && key(*found) == wanted ? &*found : nullptr;
}

bool BroadLayout::may_meet(int first_shape, int second_shape) const
{
    return masks_match(model.shapes, first_shape, second_shape) &&
           !never_touch(model.shapes.type[at(first_shape)], model.shapes.type[at(second_shape)]) &&
           find_explicit(first_shape, second_shape) == nullptr;
}

bool BroadLayout::may_meet(const Proxy& first, const Proxy& second) const
{
    // Cheapest first: masks, then bodies, then lists.
    if ((first.category & second.mask) == 0 && (second.category & first.mask) == 0) return false;
    if (!may_collide(first.filter, second.filter)) return false;
    if (first.excluded && second.excluded && are_excluded(model, first.body, second.body)) return false;
    // A proxy without a single shape is none of these.
    if (first.is_ground && second.is_ground) return false;
    return !(first.is_explicit && second.is_explicit && find_explicit(first.shape, second.shape) != nullptr);
}

}  // namespace rattleback
