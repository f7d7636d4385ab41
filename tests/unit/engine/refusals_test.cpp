// What cannot be run or used is said so: models a solver cannot run when a simulation is made, not in the middle of a
// step, and objects that were moved from.
#include <rattleback/rattleback.h>

#include "support/throwing_checks.h"

#include <gtest/gtest.h>

#include <functional>

namespace rattleback
{

namespace
{

/// A block above four points, which have no contact function.
Model make_hill_and_block(std::uint32_t mask = 1)
{
    ModelBuilder builder;
    const MeshId mesh =
        builder.add_mesh({.vertices = {{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, .triangles = {}});
    builder.add_height_field({.rows = 2, .columns = 2, .heights = {0, 1, 1, 0}});
    builder.add_shape(kWorld, Points{mesh}, {.name = "hill", .category = mask, .mask = mask});
    const BodyId body = builder.add_body({.position = {0, 0, 1.2}});
    builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "block"});
    return builder.build().value();
}

}  // namespace

TEST(Refusals, a_block_on_points_is_refused_where_it_would_end_the_step)
{
    for (const SolverInfo* solver : all_solvers())
    {
        const std::string name(solver->name);
        const SimulationOptions options{.solver = name};
        Result<Simulation> made = Simulation::make(make_hill_and_block(), options);
        EXPECT_EQ(Batch::make(make_hill_and_block(), {.solver = name}).ok(), made.ok()) << name;
        if (solver->finds_own_contacts) continue;
        ASSERT_FALSE(made.ok()) << name;
        EXPECT_NE(to_text(made.errors()).find("shapes 'hill' and 'block'"), std::string::npos)
            << to_text(made.errors());
    }
}

TEST(Refusals, what_resists_by_less_than_nothing_is_refused_by_name_where_a_solver_cannot_have_it)
{
    const auto make = [](const char* joint, const char* solver)
    {
        const Result<Imported> loaded = parse_mjcf(std::string("<mujoco><worldbody><body><joint name='j' ") + joint +
                                                       "/><geom size='1'/></body></worldbody></mujoco>",
                                                   "refused.xml", ".");
        return Simulation::make(loaded.value().model, {.solver = solver});
    };
    for (const char* solver : {"smooth", "convex", "comfree"})
        for (const char* joint : {"stiffness='-1'", "damping='-1'", "armature='-0.1'"})
            EXPECT_TRUE(make(joint, solver).ok()) << solver << ": " << joint;
    for (const char* joint : {"stiffness='-1'", "damping='-1'"}) EXPECT_TRUE(make(joint, "avbd").ok()) << joint;
    struct Refused
    {
        const char *solver, *joint, *feature;
    };
    for (const auto& [solver, joint, feature] :
         {Refused{"ipc", "stiffness='-1'", "nonlinear_springs"}, Refused{"ipc", "damping='-1'", "nonlinear_springs"},
          Refused{"avbd", "armature='-0.1'", "negative_armature"},
          Refused{"avbd", "frictionloss='-1'", "negative_dry_friction"}})
    {
        const Result<Simulation> made = make(joint, solver);
        ASSERT_FALSE(made.ok()) << joint;
        EXPECT_NE(to_text(made.errors()).find(feature), std::string::npos) << to_text(made.errors());
    }
    EXPECT_TRUE(make("frictionloss='-1'", "convex").ok());
    const Result<Simulation> made = make("frictionloss='-1'", "comfree");
    ASSERT_FALSE(made.ok());
    EXPECT_NE(to_text(made.errors()).find("joint 'j'"), std::string::npos) << to_text(made.errors());
}

TEST(Refusals, shapes_without_a_contact_function_are_fine_where_filters_or_parameters_keep_them_apart)
{
    for (const char* name : {"convex", "avbd"})
    {
        Result<Simulation> made = Simulation::make(make_hill_and_block(2), {.solver = name});
        ASSERT_TRUE(made.ok()) << name << ": " << to_text(made.errors());
        Simulation simulation = std::move(made).value();
        simulation.run_for(1);
        // free fall: half g t^2, to the first order of the integrators in dt = 2 ms
        EXPECT_NEAR(simulation.state().position(BodyId{1}).z, 1.2 - 0.5 * 9.81, 0.5 * 9.81 * 2e-3 * 1.01) << name;
    }
    Result<Simulation> made =
        Simulation::make(make_hill_and_block(), {.solver = "convex", .parameters = {{"contact", false}}});
    ASSERT_TRUE(made.ok()) << to_text(made.errors());
    EXPECT_EQ(std::move(made).value().run_for(1).status, StepStatus::ok);
}

TEST(Refusals, a_simulation_batch_or_builder_that_was_moved_from_says_so)
{
    const ThrowingChecks checks;
    ModelBuilder builder;
    builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const Model model = builder.build().value();
    const auto complaint = [](const auto& use) -> std::string
    {
        try
        {
            use();
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        return "";
    };

    Simulation first(model, {.solver = "smooth"});
    Simulation second = std::move(first);
    const std::function<void()> uses[] = {
        [&] { first.step(); },
        [&] { first.run_for(0.1); },
        [&] { static_cast<void>(first.state()); },
        [&] { static_cast<void>(first.control()); },
        [&] { static_cast<void>(first.model()); },
        [&] { static_cast<void>(first.shared_model()); },
        [&] { static_cast<void>(first.solver()); },
        [&] { static_cast<void>(first.parameters()); },
        [&] { static_cast<void>(first.contacts()); },
        [&] { static_cast<void>(first.sensors()); },
        [&] { first.refresh(); },
        [&] { first.reset(); },
        [&] { static_cast<void>(first.energy()); },
        [&] { static_cast<void>(first.snapshot()); },
        [&] { static_cast<void>(first.restore({})); },
        [&] { static_cast<void>(first.explain({.status = StepStatus::diverged})); },
    };
    for (const auto& use : uses)
        EXPECT_NE(complaint(use).find("a Simulation that was moved from"), std::string::npos) << complaint(use);
    second.step();
    EXPECT_EQ(second.state().step[0], 1);
    first = std::move(second);
    first.step();
    EXPECT_EQ(first.state().step[0], 2) << "one that was assigned to is whole again";

    Batch batch(model, {.solver = "smooth", .world_count = 3});
    Batch other = std::move(batch);
    const std::function<void()> batch_uses[] = {
        [&] { batch.step(); },
        [&] { static_cast<void>(batch.reports()); },
        [&] { static_cast<void>(batch.state()); },
        [&] { static_cast<void>(batch.world_count()); },
        [&] { batch.reset(); },
    };
    for (const auto& use : batch_uses)
        EXPECT_NE(complaint(use).find("a Batch that was moved from"), std::string::npos) << complaint(use);

    ModelBuilder whole = std::move(builder);
    EXPECT_NE(complaint([&] { builder.add_body(); }).find("a ModelBuilder that was moved from"), std::string::npos);
    EXPECT_TRUE(whole.build().ok());
}

TEST(Refusals, a_model_that_was_spoilt_by_hand_is_not_run)
{
    const Model good = make_hill_and_block(2);
    const std::pair<const char*, std::function<void(Model&)>> edits[] = {
        {"bodies.mass[1]", [](Model& m) { m.bodies.mass[1] = -1; }},
        {"bodies.mass", [](Model& m) { m.bodies.mass.pop_back(); }},
        {"initial_q", [](Model& m) { m.initial_q.clear(); }},
        {"shapes.body[1]", [](Model& m) { m.shapes.body[1] = 7; }},
        {"height_fields[0]", [](Model& m) { m.height_fields[0].heights.pop_back(); }},
    };
    for (const SolverInfo* solver : all_solvers())
    {
        for (const auto& [place, edit] : edits)
        {
            Model model = good;
            edit(model);
            const Result<Simulation> made = Simulation::make(model, {.solver = std::string(solver->name)});
            EXPECT_NE(to_text(made.errors()).find(place), std::string::npos) << place << to_text(made.errors());
            EXPECT_FALSE(Batch::make(model, {.solver = std::string(solver->name)}).ok()) << place;
        }
    }
}

TEST(Refusals, implicit_takes_many_trees_but_no_tree_of_more_than_2000_dofs)
{
    // Bodies on ball joints, each on its own or all on the first of them: 2001 dofs.
    const auto make = [](bool joined)
    {
        ModelBuilder builder;
        BodyId parent = kWorld;
        for (int i = 0; i < 667; ++i)
        {
            const BodyId body =
                builder.add_body({.parent = parent, .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
            builder.add_joint(body, {.type = JointType::ball});
            if (joined && i == 0) parent = body;
        }
        return builder.build().value();
    };
    const SimulationOptions options{.solver = "smooth", .parameters = {{"integrator", "implicit"}}};
    EXPECT_TRUE(Simulation::make(make(false), options).ok());
    const auto made = Simulation::make(make(true), options);
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.errors().front().message.find("2000 dofs"), std::string::npos);
}

TEST(Refusals, implicit_moves_a_tree_as_if_others_were_not_there)
{
    // Two double pendulums whose dofs alternate, and the first of them alone.
    const auto make = [](bool both)
    {
        ModelBuilder builder;
        BodyId parents[2] = {kWorld, kWorld};
        for (int link = 0; link < 2; ++link)
        {
            for (int side = 0; side < (both ? 2 : 1); ++side)
            {
                BodyId& parent = parents[side];
                const Inertia inertia{.mass = 1, .position = {0.1, 0, -0.2}, .diagonal = {1, 1, 1}};
                parent = builder.add_body({.parent = parent, .position = {0, 0, -0.5}, .inertia = inertia});
                builder.add_joint(parent, {.axis = {0.0, 1, 0.5 * link}, .initial_velocity = 3.0 + side});
            }
        }
        return builder.build().value();
    };
    const SimulationOptions options{.solver = "smooth", .parameters = {{"integrator", "implicit"}}};
    Simulation both(make(true), options), alone(make(false), options);
    both.run_steps(100);
    alone.run_steps(100);
    EXPECT_EQ(both.state().q[0], alone.state().q[0]);
    EXPECT_EQ(both.state().q[2], alone.state().q[1]);
}

}  // namespace rattleback
