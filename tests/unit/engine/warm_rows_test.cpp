// Constraint rows of a warm world are built without allocation.
#include "support/counting_allocator.h"

#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"
#include "lab/scenes/scenes.h"
#include "solvers/shared/rows.h"

#include <rattleback/state.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

/// Every body touches the world and the body before it, at four points.
Contacts make_contacts(const Model& model)
{
    Contacts contacts;
    for (int body = 1; body < model.body_count(); ++body)
    {
        for (int k = 0; k < 8; ++k)
        {
            Contact contact;
            contact.first_body = BodyId{k < 4 ? 0 : body - 1};
            contact.second_body = BodyId{body};
            contact.point = {0.1 * k, 0.2, 0.3};
            contact.frame = make_contact_frame({0, 0, 1});
            contact.distance = -0.01;
            contact.dimension = k % 2 == 0 ? 3 : 6;
            contact.friction = {1, 0.1, 0.1};
            contacts.items.push_back(contact);
        }
    }
    return contacts;
}

TEST(WarmRows, are_built_again_without_allocation)
{
    const Model model = lab::find_scene("humanoid").value()->build().value();
    const Tree tree(model);
    Workspace<double> w(tree);
    State state(model);
    const Control control(model);
    load_world(w, 0, state.world(), control.world());
    StageTimer timer(false);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, model.settings.dt, timer);
    factor_mass_matrix(w);
    const Contacts contacts = make_contacts(model);
    for (const FrictionCone cone : {FrictionCone::pyramidal, FrictionCone::elliptic})
    {
        for (const bool exact : {false, true})
        {
            ConstraintRows rows;
            build_rows(w, contacts, {.cone = cone, .exact_diagonal = exact}, rows);
            const int count = rows.count();
            const long before = allocation_count();
            build_rows(w, contacts, {.cone = cone, .exact_diagonal = exact}, rows);
            EXPECT_EQ(allocation_count(), before);
            EXPECT_EQ(rows.count(), count);
            EXPECT_GT(count, 100);
        }
    }
}

}  // namespace
}  // namespace rattleback
