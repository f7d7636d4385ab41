// Surfaces that stick (Contact::adhesion): contacts that are held together pull their bodies towards each other.
#pragma once

#include "solvers/avbd/forces.h"

namespace rattleback::avbd
{

/// Near enough for adhesion: contacts of the search reach as far as bodies may move in a step. What is held together
/// stands off by rounding and what the iterations left.
bool is_held(const Model& model, const Contact& contact);

/// Adds the pull of all contacts that are held, as an external force: the rows then push against it, and rub by what
/// they push.
void add_sticky_pull(const Layout& layout, const std::vector<Body>& bodies, const Contacts& contacts,
                     ExternalForces& forces);

/// From what the rows push to what acts between the bodies: less the pull.
void take_off_sticky_pull(const Model& model, const Contacts& contacts, ContactForces& forces);

}  // namespace rattleback::avbd
