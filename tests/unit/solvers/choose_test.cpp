// The solver that "auto" takes, and why.
#include <rattleback/builder.h>
#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

ModelBuilder make_pendulum()
{
    ModelBuilder builder;
    const BodyId arm = builder.add_body({.name = "arm", .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    builder.add_joint(arm, {.name = "hinge"});
    return builder;
}

ModelBuilder make_ball(const MaterialOptions& material = {})
{
    ModelBuilder builder;
    const MaterialId rubber = builder.add_material(material);
    builder.add_ground({.name = "floor"});
    builder.add_shape(builder.add_body({.name = "ball", .position = {0, 0, 1}}), Sphere{.radius = 0.1},
                      {.name = "skin", .material = rubber});
    return builder;
}

std::string name_of(const ModelBuilder& builder, const Parameters& overrides = {})
{
    const Result<SolverChoice> choice = choose_solver(builder.build().value(), overrides);
    return choice.ok() ? std::string(choice->info->name) : to_text(choice.errors());
}

std::string reason_of(const ModelBuilder& builder, const Parameters& overrides = {})
{
    return choose_solver(builder.build().value(), overrides).value().reason;
}

}  // namespace

TEST(ChooseSolver, takes_smooth_where_nothing_touches_and_convex_where_something_can)
{
    EXPECT_EQ(name_of(make_pendulum()), "smooth");
    EXPECT_EQ(reason_of(make_pendulum()), "the model has no contact and nothing else that it lacks");
    EXPECT_EQ(name_of(make_ball()), "convex");
    EXPECT_EQ(reason_of(make_ball()),
              "shapes 'floor' and 'skin': uses contact, which solver 'smooth' does not support");
}

TEST(ChooseSolver, goes_on_to_the_first_that_runs_the_model)
{
    const ModelBuilder bouncing = make_ball({.name = "rubber", .restitution = 0.5});
    EXPECT_EQ(name_of(bouncing), "avbd");
    EXPECT_NE(reason_of(bouncing).find("restitution, which solver 'comfree' does not support"), std::string::npos)
        << reason_of(bouncing);
}

TEST(ChooseSolver, follows_the_settings_of_the_model_unless_that_solver_refuses)
{
    ModelBuilder builder = make_ball();
    builder.settings().solver = "avbd";
    EXPECT_EQ(name_of(builder), "avbd");
    EXPECT_EQ(reason_of(builder), "the model's settings name it");
    builder.settings().solver = "auto";
    EXPECT_EQ(name_of(builder), "convex");
    builder.settings().solver = "smooth";
    EXPECT_EQ(name_of(builder), "convex");
    EXPECT_NE(reason_of(builder).find("settings name 'smooth', which refuses: shapes 'floor' and 'skin'"),
              std::string::npos)
        << reason_of(builder);
    builder.settings().solver = "convx";
    EXPECT_EQ(name_of(builder), "model settings: solver: there is no solver 'convx' (did you mean 'convex'?)");
}

TEST(ChooseSolver, a_start_that_the_named_solver_calls_a_mistake_is_no_reason_for_another)
{
    ModelBuilder builder;
    builder.settings().solver = "ipc";
    for (const char* name : {"one", "other"})
        builder.add_shape(builder.add_body({.name = name}), Box{{0.1, 0.1, 0.1}}, {.name = name});
    EXPECT_NE(name_of(builder).find("shape 0 'one': touches or intersects shape 1 'other'"), std::string::npos)
        << name_of(builder);
}

TEST(ChooseSolver, a_parameter_that_a_solver_does_not_take_rules_it_out)
{
    EXPECT_EQ(name_of(make_ball(), {{"ignore", std::string("contact")}}), "smooth");
    EXPECT_EQ(name_of(make_ball(), {{"substeps", 2}}), "avbd");
    EXPECT_EQ(name_of(make_ball(), {{"refined", true}}), "pbdr");
    EXPECT_EQ(name_of(make_ball(), {{"max_spheres", 100}}), "pbdr")
        << "avbd and the others before it take no such parameter";
    EXPECT_EQ(name_of(make_pendulum(), {{"tolerance", 1e-9}}), "convex");
    EXPECT_EQ(name_of(make_ball(), {{"tolerence", 1e-9}}),
              "solver 'convex': solver 'convex' has no parameter 'tolerence' (did you mean 'tolerance'?)")
        << "known to nobody: the words of the solver that would have run";
}

TEST(ChooseSolver, where_nobody_runs_a_model_every_solver_says_why)
{
    // points that may touch a ball: a contact of ipc and the particles alone; a hinge: not the particles; a tendon: not
    // ipc
    ModelBuilder builder = make_pendulum();
    builder.add_fixed_tendon({{JointId{0}, 1.0}}, {.stiffness = 1});
    const MeshId mesh = builder.add_mesh({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
    builder.add_shape(builder.add_body({.name = "cloud"}), Points{mesh}, {.name = "points", .mass = 1});
    builder.add_shape(builder.add_body({.name = "ball"}), Sphere{.radius = 0.1}, {.name = "skin"});
    const std::string errors = name_of(builder);
    EXPECT_NE(errors.find("model: no solver runs it"), std::string::npos) << errors;
    for (const SolverInfo* info : all_solvers())
        EXPECT_NE(errors.find("solver '" + std::string(info->name) + "': refuses it: "), std::string::npos) << errors;
}

TEST(ChooseSolver, a_file_may_name_its_solver)
{
    const std::string mjcf =
        R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom size="0.1"/></body>
        </worldbody><custom><text name="rattleback" data='{"settings":{"solver":"avbd"}}'/></custom></mujoco>)";
    const Result<Imported> imported = parse_mjcf(mjcf, "test.xml", ".");
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    EXPECT_EQ(choose_solver(imported->model)->info->name, "avbd");
}

TEST(ChooseSolver, is_what_simulations_do_when_no_solver_is_named)
{
    Result<Simulation> simulation = Simulation::make(make_ball().build().value());
    ASSERT_TRUE(simulation.ok()) << to_text(simulation.errors());
    EXPECT_EQ(simulation->solver().name, "convex");
    EXPECT_NE(simulation->solver_reason().find("contact"), std::string::npos);
    EXPECT_EQ(simulation.value().run_for(2).status, StepStatus::ok);
    EXPECT_NEAR(simulation->state().position(BodyId{1}).z, 0.1, 1e-3) << "the ball lies on the floor";

    const Result<Simulation> named = Simulation::make(make_ball().build().value(), {.solver = "avbd"});
    EXPECT_EQ(named->solver_reason(), "");
}

TEST(ChooseSolver, a_solver_that_refuses_names_one_that_does_not)
{
    const Result<Simulation> refused = Simulation::make(make_ball().build().value(), {.solver = "smooth"});
    ASSERT_EQ(refused.errors().size(), 1U);
    EXPECT_NE(refused.errors()[0].hint.find("solver 'convex' runs it"), std::string::npos) << to_text(refused.errors());
}

}  // namespace rattleback
