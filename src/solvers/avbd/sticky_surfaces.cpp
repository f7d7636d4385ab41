// Who is held, and the pull there.
#include "solvers/avbd/sticky_surfaces.h"

#include "base/index.h"
#include "solvers/shared/explicit_pair.h"

namespace rattleback::avbd
{

bool is_held(const Model& model, const Contact& contact)
{
    constexpr double kStandOff = 1e-4;
    const ShapePair* const pair = find_pair(model, contact);
    const auto& gaps = model.shapes.gap;
    const double gap =
        pair != nullptr ? pair->gap : gaps[at(contact.first_shape.index)] + gaps[at(contact.second_shape.index)];
    return contact.distance < contact.margin + gap + kStandOff;
}

void add_sticky_pull(const Layout& layout, const std::vector<Body>& bodies, const Contacts& contacts,
                     ExternalForces& forces)
{
    for (const Contact& contact : contacts.items)
    {
        if (contact.adhesion == 0 || !is_held(*layout.model, contact)) continue;
        // normals point from the first to the second body
        const Vec3 pull = contact.adhesion * contact.normal();
        const auto add = [&](BodyId body, const Vec3& force)
        {
            const int group = layout.group_of_body[at(body.index)];
            if (layout.groups[at(group)].dynamic) add_force(bodies, group, contact.point, force, {}, forces.wrench);
        };
        add(contact.first_body, pull);
        add(contact.second_body, -pull);
    }
}

void take_off_sticky_pull(const Model& model, const Contacts& contacts, ContactForces& forces)
{
    for (std::size_t i = 0; i < contacts.items.size(); ++i)
    {
        const Contact& contact = contacts.items[i];
        if (contact.adhesion != 0 && is_held(model, contact))
            forces.items[i].force -= contact.adhesion * contact.normal();
    }
}

}  // namespace rattleback::avbd
