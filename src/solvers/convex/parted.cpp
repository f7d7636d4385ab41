// Pairs that have parted by a hair: found, looked at once more, aimed.
#include "solvers/convex/parted.h"

#include "solvers/shared/swept_contacts.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::convex
{

/// Pairs that stuck and have no contact any more; the largest hair among them, 0: there are none.
double PartedPairs::find_lost(const Contacts& contacts, std::span<const Anchor> anchors)
{
    constexpr double kHair = 1e-4;  // of the smaller shape, as for bodies that roll
    lost_.clear();
    double widest = 0;
    std::size_t c = 0;
    // Both lists are sorted by pairs: one walk.
    for (const Anchor& anchor : anchors)
    {
        const std::pair wanted(anchor.first_shape, anchor.second_shape);
        const auto pair_at = [&](std::size_t i)
        { return std::pair(contacts.items[i].first_shape.index, contacts.items[i].second_shape.index); };
        while (c < contacts.items.size() && pair_at(c) < wanted) ++c;
        if (anchor.follows == 0 || (c < contacts.items.size() && pair_at(c) == wanted)) continue;
        const double size = std::min(model_.shapes.bounding_radius[at(anchor.first_shape)],
                                     model_.shapes.bounding_radius[at(anchor.second_shape)]);
        const Pair pair{anchor.first_shape, anchor.second_shape, kHair * size};
        if (!lost_.empty() && lost_.back() == pair) continue;
        lost_.push_back(pair);
        widest = std::max(widest, pair.hair);
    }
    return widest;
}

const PartedPairs::Pair* PartedPairs::find_pair(const Contact& contact) const
{
    const Pair wanted{contact.first_shape.index, contact.second_shape.index};
    const auto found = std::find(lost_.begin(), lost_.end(), wanted);
    return found == lost_.end() ? nullptr : &*found;
}

const Contacts& PartedPairs::keep(const Contacts& contacts, std::span<const Anchor> anchors, const Workspace<double>& w,
                                  std::span<const double> friction, StageContacts& finder, ColliderMemory& memory)
{
    const double widest = find_lost(contacts, anchors);
    if (!(widest > 0)) return contacts;
    kept_.replace(contacts);
    finder.find_near(w, friction, widest, memory, near_);
    for (Contact& contact : near_.items)
    {
        const Pair* const pair = find_pair(contact);
        if (pair == nullptr || contact.distance >= contact.margin + pair->hair) continue;
        contact.margin += pair->hair;
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
        const Pair* const pair = find_pair(contact);
        if (pair == nullptr) continue;
        const bool elliptic = rows.kind[cone.row] == RowKind::cone;
        for (int i = 0; i < (elliptic ? 1 : cone.row_count); ++i)
            rows.reference[cone.row + i] -= cone.stiffness * pair->hair;
    }
}

}  // namespace rattleback::convex
