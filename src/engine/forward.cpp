// Contacts of the present state.
#include "engine/forward.h"

#include <algorithm>
#include <tuple>

namespace rattleback
{

namespace
{

auto key(const Contact& contact) { return std::tuple(contact.first_shape, contact.second_shape, contact.feature); }

}  // namespace

void Forward::find_contacts(const Model& model, const ContactFilter& filter, const ConstWorldView& world,
                            Memory& memory, Contacts& found, ContactForces& found_forces)
{
    // Made when first asked for: most simulations never call forward().
    if (!collider_) collider_ = std::make_unique<Collider>(model);
    collider_->set_filter(filter);
    collider_->find_contacts(world, 0, memory.collider, found);
    found_forces.items.assign(found.items.size(), Wrench{});
    // Both lists are sorted alike.
    const std::vector<Contact>& known = memory.contacts.items;
    const std::vector<Wrench>& known_forces = memory.contact_forces.items;
    for (std::size_t i = 0, k = 0; i < found.items.size(); ++i)
    {
        // A contact is the same while the same features of the same shapes touch: then its last force is the best
        // guess.
        while (k < known.size() && key(known[k]) < key(found.items[i])) ++k;
        if (k < std::min(known.size(), known_forces.size()) && key(known[k]) == key(found.items[i]))
            found_forces.items[i] = known_forces[k];
    }
}

}  // namespace rattleback
