// Pairs that have parted by a hair: found, looked at once more, aimed.
#include "solvers/convex/parted.h"

#include "solvers/shared/swept_contacts.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::convex
{

/// Pairs that have fewer contacts than anchors; the largest hair among them, 0: there are none.
double PartedPairs::find_lost(const Contacts& contacts, std::span<const Anchor> anchors)
{
    constexpr double kHair = 1e-3;  // of the smaller shape
    lost_.clear();
    double widest = 0;
    std::size_t c = 0;
    // Both lists are sorted by pairs: one walk.
    for (std::size_t a = 0; a < anchors.size();)
    {
        const Anchor& anchor = anchors[a];
        const std::pair wanted(anchor.first_shape, anchor.second_shape);
        const std::size_t begin = a;
        while (a < anchors.size() && std::pair(anchors[a].first_shape, anchors[a].second_shape) == wanted) ++a;
        if (anchor.rests_on_points == 0) continue;
        const auto pair_at = [&](std::size_t i)
        { return std::pair(contacts.items[i].first_shape.index, contacts.items[i].second_shape.index); };
        while (c < contacts.items.size() && pair_at(c) < wanted) ++c;
        std::size_t end = c;
        while (end < contacts.items.size() && pair_at(end) == wanted) ++end;
        if (end - c >= a - begin) continue;
        const double size = std::min(model_.shapes.bounding_radius[at(anchor.first_shape)],
                                     model_.shapes.bounding_radius[at(anchor.second_shape)]);
        lost_.push_back({anchor.first_shape, anchor.second_shape, kHair * size});
        widest = std::max(widest, lost_.back().hair);
    }
    return widest;
}

const PartedPairs::Pair* PartedPairs::find_pair(ShapeId first, ShapeId second) const
{
    const std::pair wanted(first.index, second.index);
    const auto found = std::lower_bound(lost_.begin(), lost_.end(), wanted, [](const Pair& p, const auto& shapes)
                                        { return std::pair(p.first, p.second) < shapes; });
    return found != lost_.end() && std::pair(found->first, found->second) == wanted ? &*found : nullptr;
}

const Contacts& PartedPairs::keep(const Contacts& contacts, std::span<const Anchor> anchors, const Workspace<double>& w,
                                  std::span<const double> friction, StageContacts& finder, ColliderMemory& memory)
{
    const double widest = find_lost(contacts, anchors);
    if (!(widest > 0)) return contacts;
    // In place of what is left of their contacts come all that are near: a face may be named by the other shape now.
    kept_.replace(contacts);
    std::erase_if(kept_.items, [&](const Contact& c) { return find_pair(c.first_shape, c.second_shape) != nullptr; });
    const auto is_lost = [this](ShapeId first, ShapeId second) { return find_pair(first, second) != nullptr; };
    finder.find_near(w, friction, widest, is_lost, memory, near_);
    for (Contact& contact : near_.items)
    {
        const double hair = find_pair(contact.first_shape, contact.second_shape)->hair;
        if (contact.distance >= contact.margin + hair) continue;
        contact.margin += hair;
        const auto place = std::lower_bound(kept_.items.begin(), kept_.items.end(), contact,
                                            [](const Contact& a, const Contact& b) { return key(a) < key(b); });
        kept_.items.insert(place, contact);
    }
    return kept_;
}

void PartedPairs::aim(const Contacts& contacts, ConstraintRows& rows) const
{
    if (lost_.empty()) return;
    for (const RowCone& cone : rows.cones)
    {
        const Contact& contact = contacts.items[at(cone.contact)];
        // Those have a gap of their own to aim at.
        if (contact.feature == kSweptFeature) continue;
        const Pair* const pair = find_pair(contact.first_shape, contact.second_shape);
        if (pair == nullptr) continue;
        const bool elliptic = rows.kind[cone.row] == RowKind::cone;
        for (int i = 0; i < (elliptic ? 1 : cone.row_count); ++i)
            rows.reference[cone.row + i] -= cone.stiffness * pair->hair;
    }
}

}  // namespace rattleback::convex
