// Orders the two shapes of each contact, and the contacts of a step.
#include "solvers/particles/contact_list.h"

#include "base/index.h"

#include <algorithm>
#include <tuple>

namespace rattleback::particles
{

void ContactList::add(const CarriedContact& carried)
{
    // The normal of a Contact points from its first shape to its second, and its force acts on the second.
    const bool own_first = carried.shape < carried.other_shape;
    Item item;
    item.contact.first_shape = ShapeId{std::min(carried.shape, carried.other_shape)};
    item.contact.second_shape = ShapeId{std::max(carried.shape, carried.other_shape)};
    item.contact.first_body = BodyId{model_.shapes.body[at(item.contact.first_shape)]};
    item.contact.second_body = BodyId{model_.shapes.body[at(item.contact.second_shape)]};
    item.contact.point = carried.point;
    // Friction here is isotropic, so that any two tangents complete the frame.
    item.contact.frame = make_contact_frame(own_first ? -carried.normal : carried.normal);
    item.contact.distance = carried.gap;
    item.contact.friction = {carried.friction, 0, 0};
    item.contact.feature = carried.feature;
    item.force.force = own_first ? -carried.force : carried.force;
    items_.push_back(item);
}

void ContactList::hand_over(Memory& memory)
{
    const auto key = [](const Item& item)
    { return std::tuple(item.contact.first_shape, item.contact.second_shape, item.contact.feature); };
    const auto before = [&](const Item& a, const Item& b) { return key(a) < key(b); };
    // By shapes and feature: the list is the same whichever contacts were found first.
    if (!std::is_sorted(items_.begin(), items_.end(), before)) std::sort(items_.begin(), items_.end(), before);
    memory.contacts.clear();
    memory.contact_forces.items.clear();
    for (const Item& item : items_)
    {
        memory.contacts.items.push_back(item.contact);
        memory.contact_forces.items.push_back(item.force);
    }
}

}  // namespace rattleback::particles
