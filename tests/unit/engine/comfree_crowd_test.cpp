// Crowds of free bodies in the solver comfree: four contacts at a time give what one after the other gives.
#include "lab/scenes/stacks.h"
#include "unit/engine/comfree_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rattleback
{
namespace
{

/// Twenty bodies of two boxes each, the second fixed off the middle, side by side; `lever`: and a hinge far away, with
/// which the model is no crowd.
Model make_bodies(double friction, double spacing, bool lever)
{
    ModelBuilder builder("bodies");
    const MaterialId material = builder.add_material({.friction = friction});
    builder.add_ground({.material = material});
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < 20; ++i)
    {
        const BodyId body =
            builder.add_body({.position = {spacing * (i % 5), spacing * (i / 5), 0.35 + 0.01 * any(random)},
                              .rotation = normalized(Quat{1, any(random), any(random), any(random)}),
                              .linear_velocity = {any(random), any(random), -1},
                              .angular_velocity = {any(random), 3 * any(random), any(random)}});
        builder.add_shape(body, Box{.half_extents = {0.1, 0.06, 0.05}},
                          {.material = material, .density = 500.0 * (i + 1)});
        builder.add_shape(body, Sphere{.radius = 0.05},
                          {.position = {0.15, 0.05, 0.02}, .material = material, .density = 2000});
    }
    if (!lever) return builder.build().value();
    const BodyId arm = builder.add_body({.position = {50, 0, 5}});
    builder.add_joint(arm, {.axis = {0, 1, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1}, {.position = {0.3, 0, 0}});
    return builder.build().value();
}

/// A plate on which a hundred balls lie: more contacts of one body than there are colours.
Model make_plate(bool lever)
{
    ModelBuilder builder("plate");
    const MaterialId material = builder.add_material({.friction = 0, .dimension = 1});
    builder.add_ground({.material = material});
    const BodyId plate = builder.add_body({.position = {0, 0, 0.05}});
    builder.add_shape(plate, Box{.half_extents = {1, 1, 0.05}}, {.material = material});
    for (int i = 0; i < 100; ++i)
    {
        const BodyId ball = builder.add_body(
            {.position = {0.18 * (i % 10) - 0.81, 0.18 * (i / 10) - 0.81, 0.179}, .linear_velocity = {0, 0, -0.5}});
        builder.add_shape(ball, Sphere{.radius = 0.08}, {.material = material, .density = 200.0 + 30 * i});
    }
    if (!lever) return builder.build().value();
    const BodyId arm = builder.add_body({.position = {50, 0, 5}});
    builder.add_joint(arm, {.axis = {0, 1, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1}, {.position = {0.3, 0, 0}});
    return builder.build().value();
}

Simulation make_sweeping(const Model& model, int sweeps, double dt = 0.005)
{
    return Simulation(
        model, {.solver = "comfree", .dt = dt, .parameters = {{"method", std::string("sweeps")}, {"sweeps", sweeps}}});
}

/// Largest difference of the first numbers.
double find_difference(std::span<const double> a, std::span<const double> b, std::size_t count)
{
    double most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

}  // namespace

TEST(ComfreeCrowd, whose_bodies_meet_the_ground_alone_moves_as_by_single_blocks)
{
    // Contacts of one body keep their order in both: rows, friction, energy bound and pushes agree to rounding, which
    // half a second of tumbling multiplies.
    Simulation crowd = make_sweeping(make_bodies(0.6, 1, false), 5),
               blocks = make_sweeping(make_bodies(0.6, 1, true), 5);
    int contacts = 0;
    for (int i = 0; i < 100; ++i)
    {
        contacts += crowd.step().contact_count;
        blocks.step();
    }
    EXPECT_GT(contacts, 1000);
    EXPECT_LT(find_difference(crowd.state().v, blocks.state().v, 120), 1e-7);
    EXPECT_LT(find_difference(crowd.state().q, blocks.state().q, 140), 1e-8);
    // Wrenches on bodies, contact by contact.
    ASSERT_EQ(crowd.contact_forces().items.size(), blocks.contact_forces().items.size());
    for (std::size_t i = 0; i < crowd.contact_forces().items.size(); ++i)
        EXPECT_LT(norm(crowd.contact_forces().items[i].force - blocks.contact_forces().items[i].force), 1e-3) << i;
}

TEST(ComfreeCrowd, comes_to_the_same_impulses_in_another_order)
{
    // Without friction the impulses are the least of a convex function: any order of sweeps comes to its one place.
    const auto compare = [](const Model& model, const Model& with_lever, int settle, double tolerance)
    {
        Simulation crowd = make_sweeping(model, 3000), blocks = make_sweeping(with_lever, 3000);
        Simulation guide = make_sweeping(model, 10);
        guide.run_steps(settle);
        std::ranges::copy(guide.state().q, crowd.state().q.begin());
        std::ranges::copy(guide.state().v, crowd.state().v.begin());
        std::ranges::copy(guide.state().q, blocks.state().q.begin());
        std::ranges::copy(guide.state().v, blocks.state().v.begin());
        const StepReport report = crowd.step();
        blocks.step();
        EXPECT_LT(find_difference(crowd.state().v, blocks.state().v, guide.state().v.size()), tolerance);
        return report.contact_count;
    };
    EXPECT_GT(compare(make_bodies(0, 0.3, false), make_bodies(0, 0.3, true), 100, 1e-6), 40);
    EXPECT_GT(compare(make_plate(false), make_plate(true), 4, 1e-6), 100);
}

TEST(ComfreeCrowd, has_the_same_bits_in_a_batch_on_any_number_of_threads)
{
    const Model model = lab::build_capsules({.count = 30, .layers = 3}).value();
    const Parameters parameters{{"method", std::string("sweeps")}};
    Simulation alone(model, {.solver = "comfree", .dt = 0.01, .parameters = parameters});
    alone.run_steps(80);
    for (const int threads : {1, 2})
    {
        Batch batch(
            model,
            {.solver = "comfree", .dt = 0.01, .parameters = parameters, .world_count = 5, .thread_count = threads});
        batch.run_steps(80);
        const std::size_t count = alone.state().v.size();
        for (std::size_t i = 0; i < batch.state().v.size(); ++i)
            ASSERT_EQ(batch.state().v[i], alone.state().v[i % count]) << threads << " threads";
    }
}

TEST(ComfreeCrowd, whose_balls_hit_a_wall_within_a_step_stop_there_and_do_not_spin)
{
    // Nothing turns a ball without friction, wherever in its step it meets the wall. Midpoint has looked half a step
    // ahead before it is known that a ball is fast.
    for (const double way : {0.02, 0.06, 0.1})
    {
        ModelBuilder builder("balls");
        const MaterialId smooth = builder.add_material({.friction = 0, .dimension = 1});
        builder.add_shape(kWorld, Box{.half_extents = {0.01, 50, 5}}, {.position = {2, 0, 5}, .material = smooth});
        for (int i = 0; i < 20; ++i)
        {
            const BodyId ball = builder.add_body(
                {.position = {1.94 - way, 2.0 * i - 20, 5}, .linear_velocity = {11.0 + i, 0.4 * i, 0}});
            builder.add_shape(ball, Sphere{.radius = 0.05}, {.material = smooth});
        }
        Simulation crowd(builder.build().value(),
                         {.solver = "comfree",
                          .dt = 0.01,
                          .parameters = {{"method", std::string("sweeps")}, {"integrator", std::string("midpoint")}}});
        crowd.run_steps(4);
        for (int i = 0; i < 20; ++i)
        {
            const std::span<const double> v = std::span(crowd.state().v).subspan(static_cast<std::size_t>(6 * i), 6);
            EXPECT_LT(crowd.state().q[static_cast<std::size_t>(7 * i)], 1.99) << i;
            for (int k = 3; k < 6; ++k) EXPECT_LT(std::abs(v[static_cast<std::size_t>(k)]), 1e-9) << i;
        }
    }
}

TEST(ComfreeCrowd, whose_bodies_are_damped_is_carried_by_its_contacts)
{
    // Dampers of bodies at rest carry nothing: with Euler's method they take from the velocity at the end of the step.
    ModelBuilder builder("damped boxes");
    builder.add_ground();
    for (int i = 0; i < 20; ++i)
    {
        const BodyId body = builder.add_body({.position = {1.0 * i, 0, 0.1}});
        builder.add_joint(body, {.type = JointType::free, .damping = 8});
        builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 1});
    }
    Simulation boxes(
        builder.build().value(),
        {.solver = "comfree",
         .dt = 0.01,
         .parameters = {{"method", std::string("sweeps")}, {"sweeps", 30}, {"integrator", std::string("euler")}}});
    boxes.run_steps(300);
    double carried = 0;
    for (const Wrench& wrench : boxes.contact_forces().items) carried += wrench.force.z;
    EXPECT_NEAR(carried, 20 * 9.81, 1e-4 * 20 * 9.81);
}

TEST(ComfreeCrowd, at_rest_is_carried_by_its_contacts)
{
    // Boxes side by side: the ground carries what they weigh, and nothing moves.
    ModelBuilder builder("boxes");
    builder.add_ground();
    for (int i = 0; i < 20; ++i)
    {
        const BodyId body = builder.add_body({.position = {1.0 * i, 0, 0.1}});
        builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 500});
    }
    Simulation crowd = make_sweeping(builder.build().value(), 20);
    crowd.run_steps(500);
    double weight = 0, carried = 0;
    for (const double mass : crowd.model().bodies.mass) weight += 9.81 * mass;
    const auto& contacts = crowd.contacts().items;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (contacts[i].first_body.index == 0) carried += crowd.contact_forces().items[i].force.z;
    EXPECT_NEAR(carried, weight, 1e-4 * weight);
    for (const double speed : crowd.state().v) EXPECT_LT(std::abs(speed), 1e-6);
}

}  // namespace rattleback
