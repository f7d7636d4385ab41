// Orders the two shapes of each contact, and the contacts of a step.
#include "solvers/particles/contact_list.h"

#include "base/index.h"

#include <algorithm>
#include <tuple>

namespace rattleback::particles
{

void ContactList::add(const ParticleContact& found)
{
    // The normal of a Contact points from its first shape to its second, and its force acts on the second.
    const bool own_first = found.shape < found.other_shape;
    Item item;
    item.contact.first_shape = ShapeId{std::min(found.shape, found.other_shape)};
    item.contact.second_shape = ShapeId{std::max(found.shape, found.other_shape)};
    item.contact.first_body = BodyId{model_.shapes.body[at(item.contact.first_shape)]};
    item.contact.second_body = BodyId{model_.shapes.body[at(item.contact.second_shape)]};
    item.contact.point = found.point;
    // Friction here is isotropic, so that any two tangents complete the frame.
    item.contact.frame = make_contact_frame(own_first ? -found.normal : found.normal);
    item.contact.distance = found.gap;
    item.contact.friction = {found.friction, 0, 0};
    // A feature that stays while the particle touches: its number.
    item.contact.feature = found.feature;
    item.force.force = own_first ? -found.force : found.force;
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
