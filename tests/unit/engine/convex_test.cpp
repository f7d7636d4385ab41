// The solver convex as users see it: forces that balance, bodies that rest and sleep, bits that repeat.
#include "support/counting_allocator.h"
#include "unit/engine/convex_scenes.h"

#include <gtest/gtest.h>

namespace rattleback
{

using namespace convex_scenes;

TEST(Convex, contact_forces_carry_the_weight)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        const Model model = make_slope({.tangent = 0.2});
        Simulation simulation = simulate(model, with(cone));
        simulation.run_for(2);
        Vec3 sum;
        for (const Wrench& wrench : simulation.contact_forces().items) sum = sum + wrench.force;
        const Vec3 weight = model.bodies.mass[1] * model.settings.gravity;
        EXPECT_EQ(simulation.contact_forces().items.size(), 4U);
        EXPECT_NEAR(norm(sum + weight), 0, 1e-5 * norm(weight)) << cone;
    }
}

TEST(Convex, a_heap_never_gains_energy)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        for (const bool stick : {true, false})
        {
            const Model model = make_heap();
            Parameters parameters = with(cone);
            parameters["stick"] = stick;
            Simulation simulation = simulate(model, parameters);
            double least = compute_energy(model, simulation.state().world()).total();
            const double start = least;
            for (int i = 0; i < 4000; ++i)
            {
                ASSERT_EQ(simulation.step().status, StepStatus::ok);
                const double energy = compute_energy(model, simulation.state().world()).total();
                // soft contacts store energy and give it back: no more than what the deepest overlap may hold
                ASSERT_LT(energy, least + 2e-3 * start) << cone << ", stick " << stick << ", step " << i;
                least = std::min(least, energy);
            }
        }
    }
}

TEST(Convex, a_stack_of_boxes_stands_still)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        ModelBuilder builder("stack");
        builder.add_ground();
        for (int i = 0; i < 5; ++i)
        {
            const BodyId box = builder.add_body({.position = {0, 0, 0.1 + 0.2 * i}});
            builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
        }
        const Model model = builder.build().value();
        Simulation simulation = simulate(model, with(cone));
        simulation.run_for(1);
        const Vec3 before = simulation.state().position(BodyId{5});
        simulation.run_for(5);
        EXPECT_LT(norm(simulation.state().position(BodyId{5}) - before), 1e-6) << cone;
        EXPECT_LT(simulation.energy().kinetic, 1e-10) << cone;
    }
}

TEST(Convex, all_methods_let_the_box_rest_alike)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Simulation newton = simulate(make_slope({.tangent = 0.2}), with(cone));
        newton.run_for(1);
        for (const char* method : {"CG", "PGS"})
        {
            Simulation other = simulate(make_slope({.tangent = 0.2}), with(cone, method));
            other.run_for(1);
            const Vec3 apart = other.state().position(BodyId{1}) - newton.state().position(BodyId{1});
            EXPECT_LT(norm(apart), 1e-5) << cone << " " << method;
        }
    }
}

TEST(Convex, every_integrator_rests_on_the_ground)
{
    for (const char* integrator : {"euler", "implicitfast", "rk4", "lie_rk4", "midpoint"})
    {
        Parameters parameters = with("elliptic");
        parameters["integrator"] = std::string(integrator);
        Simulation simulation = simulate(make_slope({.tangent = 0.1}), parameters);
        EXPECT_LT(find_creep(simulation), 1e-2) << integrator;
        EXPECT_NEAR(simulation.state().position(BodyId{1}).z, 0.1, 2e-4) << integrator;
    }
}

TEST(Convex, a_snapshot_continues_bit_for_bit)
{
    const Model model = make_heap();
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Simulation simulation = simulate(model, with(cone));
        simulation.run_steps(700);
        const Snapshot snapshot = simulation.snapshot();
        simulation.run_steps(300);
        Simulation other = simulate(model, with(cone));
        ASSERT_TRUE(other.restore(snapshot).ok());
        other.run_steps(300);
        EXPECT_EQ(hash(other.state()), hash(simulation.state())) << cone;
    }
}

TEST(Convex, worlds_of_a_batch_have_the_bits_of_single_runs)
{
    const Model model = make_heap();
    Batch batch = Batch::make(model, {.solver = "convex", .dt = 0.002, .world_count = 3, .thread_count = 2}).value();
    batch.run_steps(400);
    Simulation single = simulate(model);
    single.run_steps(400);
    for (int w = 0; w < 3; ++w) EXPECT_EQ(hash(batch.state(), w), hash(single.state(), 0)) << w;
}

TEST(Convex, allocates_nothing_in_a_step_once_warm)
{
    Simulation simulation = simulate(make_heap(), with("elliptic"));
    simulation.run_steps(1500);
    simulation.reset();
    simulation.run_steps(10);
    const long before = allocation_count();
    simulation.run_steps(1200);
    EXPECT_EQ(allocation_count() - before, 0);
}

TEST(Convex, bodies_at_rest_sleep_until_touched)
{
    ModelBuilder builder("sleepers");
    builder.add_ground();
    for (int i = 0; i < 3; ++i)
    {
        const BodyId box = builder.add_body({.position = {0.19999 * i, 0, 0.1}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    const BodyId ball = builder.add_body({.position = {-1, 0, 0.1}});
    builder.add_shape(ball, Sphere{.radius = 0.1});
    const Model model = builder.build().value();
    Simulation simulation = simulate(model, {{"sleep", true}});
    simulation.run_for(3);
    EXPECT_EQ(simulation.step().contact_count, 0) << "nothing that moves touches anything";
    const std::vector<double> asleep = simulation.state().q;
    simulation.run_for(1);
    EXPECT_EQ(simulation.state().q, asleep);

    simulation.state().v[18] = 2;  // the ball, towards the boxes
    simulation.refresh();
    simulation.run_for(0.2);
    EXPECT_EQ(std::vector(simulation.state().q.begin(), simulation.state().q.begin() + 21),
              std::vector(asleep.begin(), asleep.begin() + 21))
        << "not there yet";
    simulation.run_for(0.5);
    for (int i = 0; i < 3; ++i)
        EXPECT_GT(simulation.state().q[static_cast<std::size_t>(7 * i)],
                  asleep[static_cast<std::size_t>(7 * i)] + 1e-4);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_for(2);
    Simulation other = simulate(model, {{"sleep", true}});
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_for(2);
    EXPECT_EQ(hash(other.state()), hash(simulation.state()));
}

}  // namespace rattleback
