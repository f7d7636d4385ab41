// Pairs that have parted by a hair: found, looked at once more, aimed.
#include "solvers/convex/parted.h"

#include "solvers/shared/swept_contacts.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::convex
{

/// Whether the anchor is of points of rigid, flat shapes that may collide: memories are loaded from bytes, too.
bool PartedPairs::may_part(const Anchor& anchor) const
{
    const int first = anchor.first_shape, second = anchor.second_shape, count = model_.shape_count();
    if (anchor.rests_on_points == 0 || first < 0 || first >= count || second < 0 || second >= count) return false;
    const std::vector<ShapeType>& type = model_.shapes.type;
    return std::pair(type[at(first)], first) < std::pair(type[at(second)], second) &&
           may_collide(model_, ShapeId{first}, ShapeId{second});
}

/// Pairs that have fewer contacts than anchors; the largest hair among them, 0: there are none.
double PartedPairs::find_lost(const Contacts& contacts, std::span<const Anchor> anchors)
{
    constexpr double kHair = 1e-3;  // of the smaller shape
    lost_.clear();
    hair_.clear();
    double widest = 0;
    std::size_t c = 0;
    // Both lists are sorted by pairs: one walk.
    for (std::size_t a = 0; a < anchors.size();)
    {
        const Anchor& anchor = anchors[a];
        const PairCandidate wanted{ShapeId{anchor.first_shape}, ShapeId{anchor.second_shape}};
        const std::size_t begin = a;
        while (a < anchors.size() && anchors[a].first_shape == anchor.first_shape &&
               anchors[a].second_shape == anchor.second_shape)
            ++a;
        if (anchor.rests_on_points == 0) continue;
        const auto pair_at = [&](std::size_t i)
        { return PairCandidate{contacts.items[i].first_shape, contacts.items[i].second_shape}; };
        while (c < contacts.items.size() && pair_at(c) < wanted) ++c;
        std::size_t end = c;
        while (end < contacts.items.size() && pair_at(end) == wanted) ++end;
        if (end - c >= a - begin || !may_part(anchor)) continue;
        const double size = std::min(model_.shapes.bounding_radius[at(anchor.first_shape)],
                                     model_.shapes.bounding_radius[at(anchor.second_shape)]);
        lost_.push_back(wanted);
        hair_.push_back(kHair * size);
        widest = std::max(widest, hair_.back());
    }
    return widest;
}

/// Of the contact's pair, null: it is not among them.
const double* PartedPairs::find_hair(const Contact& contact) const
{
    const PairCandidate wanted{contact.first_shape, contact.second_shape};
    const auto found = std::lower_bound(lost_.begin(), lost_.end(), wanted);
    return found != lost_.end() && *found == wanted ? &hair_[static_cast<std::size_t>(found - lost_.begin())] : nullptr;
}

const Contacts& PartedPairs::keep(const Contacts& contacts, std::span<const Anchor> anchors,
                                  std::span<const double> friction, StageContacts& finder)
{
    const double widest = find_lost(contacts, anchors);
    if (!(widest > 0)) return contacts;
    // In place of what is left of their contacts come all that are near: a face may be named by the other shape now.
    kept_.replace(contacts);
    std::erase_if(kept_.items, [&](const Contact& c) { return find_hair(c) != nullptr; });
    finder.find_near(lost_, friction, widest, near_);
    for (Contact& contact : near_.items)
    {
        const double* const hair = find_hair(contact);
        if (hair == nullptr || contact.distance >= contact.margin + *hair) continue;
        contact.margin += *hair;
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
        const double* const hair = find_hair(contact);
        if (hair == nullptr) continue;
        const bool elliptic = rows.kind[cone.row] == RowKind::cone;
        for (int i = 0; i < (elliptic ? 1 : cone.row_count); ++i)
            rows.reference[cone.row + i] -= cone.stiffness * *hair;
    }
}

}  // namespace rattleback::convex
