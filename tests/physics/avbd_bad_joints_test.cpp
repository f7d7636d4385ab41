// Joints that no motion can satisfy, and numbers at the edge: `avbd` answers with bounded, finite motion or a status.
#include "physics/avbd_gates.h"

#include <algorithm>
#include <functional>

namespace rattleback::gates
{
namespace
{

const Inertia kUnit{.mass = 1, .diagonal = {0.1, 0.2, 0.15}};

struct BadScene
{
    const char* name;
    double
        bound;  ///< no body may become faster, falling apart [m/s]; mode penalty, which lets springs loose: 100 times
    std::function<void(ModelBuilder&)> fill;
};

void weld_twice(ModelBuilder& builder)
{
    const BodyId a = builder.add_body({.inertia = kUnit}),
                 b = builder.add_body({.position = {1, 0, 0}, .inertia = kUnit});
    builder.add_weld(a, b);
    builder.add_weld(a, b);
    builder.add_connect(a, kWorld, {});
}

void weld_apart(ModelBuilder& builder)
{
    const BodyId a = builder.add_body({.inertia = kUnit}),
                 b = builder.add_body({.position = {1, 0, 0}, .inertia = kUnit});
    builder.add_weld(a, b);
    builder.add_weld_frames(a, {}, b, {{0, 0.5, 0}, from_axis_angle({1, 1, 0}, 2)});
    builder.add_connect_points(a, {}, b, {});
    builder.add_connect(a, kWorld, {});
}

void pin_to_two_places(ModelBuilder& builder)
{
    const BodyId a = builder.add_body({.inertia = kUnit});
    builder.add_joint(a, {.axis = {0, 1, 0}});
    const BodyId b = builder.add_body({.parent = a, .position = {0.5, 0, 0}, .inertia = kUnit});
    builder.add_joint(b, {.axis = {0, 1, 0}});
    builder.add_connect_points(b, {0.5, 0, 0}, kWorld, {5, 0, 0});  // out of reach
    builder.add_connect_points(b, {0.5, 0, 0}, kWorld, {-5, 0, 0});
}

void couple_against_itself(ModelBuilder& builder)
{
    const BodyId a = builder.add_body({.inertia = kUnit}),
                 b = builder.add_body({.position = {0, 1, 0}, .inertia = kUnit});
    const JointId one = builder.add_joint(a, {.axis = {0, 1, 0}}), two = builder.add_joint(b, {.axis = {0, 1, 0}});
    builder.add_joint_coupling(one, two, {0, 1, 0, 0, 0});
    builder.add_joint_coupling(one, two, {1, 1, 0, 0, 0});
    builder.add_joint_coupling(two, one, {-3, -2, 0, 0, 0});
}

void limit_against_drive(ModelBuilder& builder)
{
    const BodyId a = builder.add_body({.inertia = kUnit});
    const JointId hinge =
        builder.add_joint(a, {.axis = {0, 1, 0}, .range = {.limited = true, .lower = -0.1, .upper = 0.1}});
    builder.add_joint_coupling(hinge, JointId{}, {2, 0, 0, 0, 0});  // holds it at 2 rad
}

void chain_with_planet(ModelBuilder& builder)
{
    BodyId parent = kWorld;
    for (const double mass : {1.0, 1e-3, 1e6})
    {
        const double m = 0.1 * mass;
        parent = builder.add_body(
            {.parent = parent, .position = {0.5, 0, 0}, .inertia = Inertia{.mass = mass, .diagonal = {m, m, m}}});
        builder.add_joint(parent, {.type = JointType::ball, .position = {-0.5, 0, 0}});
    }
}

void cable_with_planet(ModelBuilder& builder)
{
    const BodyId light = builder.add_body({.inertia = Inertia{.mass = 1e-3, .diagonal = {1e-5, 1e-5, 1e-5}}});
    const BodyId heavy =
        builder.add_body({.position = {1, 0, 0}, .inertia = Inertia{.mass = 1e6, .diagonal = {1e5, 1e5, 1e5}}});
    builder.add_cable(kWorld, light, {});
    builder.add_cable(light, heavy, {.first_frame = {{0.5, 0, 0}, {}}});
}

void extreme_cables(ModelBuilder& builder)
{
    int place = 0;
    for (const double stiffness : {0.0, 1e-300, 1e12, 1e300})
    {
        for (const double damping : {0.0, 1e-300, 1e300})
        {
            const BodyId a = builder.add_body({.position = {2.0 * place++, 0, 0}, .inertia = kUnit});
            const Spring spring{stiffness, damping};
            builder.add_cable(kWorld, a,
                              {.second_frame = Pose{{0.1, 0.2, 0.3}, from_axis_angle({1, 2, 3}, 3.1)},
                               .cable = {spring, spring, spring, spring}});
        }
    }
}

void needle(ModelBuilder& builder)
{
    // about as thin as the builder lets pass: no inertia to speak of about its axis
    const BodyId a =
        builder.add_body({.inertia = Inertia{.mass = 1, .position = {0.5, 0, 0}, .diagonal = {1e-9, 0.1, 0.1}}});
    builder.add_joint(a, {.type = JointType::ball});
    const BodyId b =
        builder.add_body({.parent = a,
                          .position = {1, 0, 0},
                          .inertia = Inertia{.mass = 1, .position = {0.5, 0, 0}, .diagonal = {1e-9, 0.1, 0.1}}});
    builder.add_joint(b, {.type = JointType::ball});
    builder.add_cable(b, a, {.cable = {.twist = {10, 0}}});
}

const BadScene kScenes[] = {
    {"welded_twice", 0.01, weld_twice},
    {"welded_apart", 20, weld_apart},
    {"pinned_to_two_places", 50, pin_to_two_places},
    {"coupled_against_itself", 20, couple_against_itself},
    {"limit_against_coupling", 20, limit_against_drive},
    {"chain_1_to_1e9", 50, chain_with_planet},
    {"cable_1_to_1e9", 50, cable_with_planet},
    {"extreme_cables", 4e5, extreme_cables},  // 1e12 N/m stretched by 0.37 m throws 1 kg at 3.7e5 m/s
    {"needle", 50, needle},
};

void expect_bounded(const BadScene& scene, const char* mode, int iterations, double dt)
{
    ModelBuilder builder;
    scene.fill(builder);
    Simulation simulation = simulate(builder, iterations, 1, dt, {{"mode", std::string(mode)}});
    double fastest = 0;
    bool named = false;  // that something went wrong
    for (int i = 0; i < 120; ++i)
    {
        const StepStatus status = simulation.step().status;
        named = named || status != StepStatus::ok;
        if (status == StepStatus::diverged) break;
        for (int b = 1; b < simulation.model().body_count(); ++b)
            fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{b}).linear));
    }
    const std::string what =
        std::string(scene.name) + ' ' + mode + ' ' + std::to_string(iterations) + ' ' + std::to_string(dt);
    EXPECT_TRUE(validate(simulation.model(), simulation.state()).empty()) << what;
    // free fall of 120 steps is allowed on top: without iterations nothing holds
    const double bound = scene.bound * (mode[0] == 'p' ? 100 : 1) + 1.1 * kGravity * 120 * dt;
    // whatever has no solution, a step of ordinary length in the default mode stays quiet
    if (!named || (dt == kStep && mode[0] == 'a'))
    {
        EXPECT_LT(fastest, bound) << what;
    }
}

class AvbdBadJoints : public testing::TestWithParam<BadScene>
{
};

TEST_P(AvbdBadJoints, end_in_bounded_motion)
{
    for (const char* mode : {"augmented", "penalty"})
    {
        for (const int iterations : {0, 1, 10})
        {
            for (const double dt : {1e-4, kStep, 1.0}) expect_bounded(GetParam(), mode, iterations, dt);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Scenes, AvbdBadJoints, testing::ValuesIn(kScenes),
                         [](const auto& scene) { return std::string(scene.param.name); });

TEST(AvbdBadInput, a_body_without_inertia_about_an_axis_is_an_error_that_names_it)
{
    ModelBuilder builder;
    builder.add_body({.name = "needle", .inertia = Inertia{.mass = 1, .diagonal = {0, 1, 1}}});
    const Result<Model> model = builder.build();
    ASSERT_FALSE(model.ok());
    EXPECT_NE(model.errors()[0].text().find("body 'needle'"), std::string::npos) << model.errors()[0].text();
}

TEST(AvbdBadInput, two_welds_that_agree_hold_as_one_does)
{
    for (const int welds : {1, 2, 3})
    {
        ModelBuilder builder;
        const BodyId a = builder.add_body({.inertia = kUnit});
        const BodyId b = builder.add_body({.position = {1, 0, 0}, .inertia = kUnit});
        for (int i = 0; i < welds; ++i) builder.add_weld(a, b);
        builder.add_weld(a, kWorld);
        Simulation simulation = simulate(builder, 10);
        simulation.run_for(2);
        EXPECT_LT(norm(simulation.state().position(b) - Vec3{1, 0, 0}), 1e-5) << welds;
    }
}

TEST(AvbdBadInput, welds_that_contradict_meet_in_the_middle)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId a = builder.add_body({.inertia = kUnit});
    builder.add_weld_frames(a, {}, kWorld, {{-1, 0, 0}, {}});
    builder.add_weld_frames(a, {}, kWorld, {{1, 0, 0}, {}});
    Simulation simulation = simulate(builder, 10);
    simulation.run_for(5);
    EXPECT_LT(norm(simulation.state().position(a)), 0.01);
    EXPECT_LT(norm(simulation.state().velocity(a).linear), 0.01);
}

TEST(AvbdBadInput, a_chain_of_one_to_a_billion_kilograms_stays_closed_or_is_named)
{
    // light links between heavy ones, the heaviest first and last
    for (const bool reversed : {false, true})
    {
        ModelBuilder builder;
        BodyId parent = kWorld;
        std::vector<double> masses{1e9, 1, 1e6, 1e3};
        if (reversed) std::reverse(masses.begin(), masses.end());
        for (const double mass : masses)
        {
            parent = builder.add_body({.parent = parent, .position = {0.2, 0, 0}});
            builder.add_joint(parent, {.type = JointType::hinge, .axis = {0, 1, 0}});
            builder.add_shape(parent, Box{.half_extents = {0.1, 0.02, 0.02}},
                              {.position = {0.1, 0, 0}, .mass = mass, .mask = 0});
        }
        Simulation simulation(builder.build().value(), {.solver = "avbd", .dt = 0.002});
        const double start = simulation.energy().total();
        for (int i = 0; i < 1000; ++i)
        {
            const StepReport report = simulation.step();
            ASSERT_LT(report.status, StepStatus::diverged) << i;
            // links of 0.2 m: open by less than a millimetre unless the report says that the step was not solved
            if (report.status == StepStatus::ok)
            {
                ASSERT_LT(report.residual, 1e-3) << i;
            }
            // half a per cent of a fall by one metre is what the guard lets pass
            ASSERT_LT(simulation.energy().total(), start + 0.01 * 1.001e9 * kGravity) << i;
        }
    }
}

TEST(AvbdBadInput, a_limit_that_excludes_the_start_takes_the_joint_back_without_throwing_it)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId arm = builder.add_body();
    builder.add_joint(arm, {.axis = {0, 1, 0}, .range = {.limited = true, .lower = 1.0, .upper = 1.5}});
    builder.add_shape(arm, Box{.half_extents = {0.2, 0.02, 0.02}}, {.position = {0.2, 0, 0}, .mask = 0});
    Simulation simulation = simulate(builder, 10, 1, 0.002);
    for (int i = 0; i < 500; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        // positions are corrected without velocities
        ASSERT_LT(std::abs(simulation.state().v[0]), 0.1) << i;
    }
    EXPECT_NEAR(simulation.state().q[0], 1, 1e-3);
}

TEST(AvbdBadInput, trees_that_start_deep_inside_the_ground_come_out_with_closed_joints)
{
    // a heavy body on a light foot that starts 6 cm deep: the correction of positions must not tear the foot off
    ModelBuilder builder;
    builder.add_ground();
    const BodyId heavy = builder.add_body({.position = {0, 0, 0.2}});
    builder.add_shape(heavy, Box{.half_extents = {0.1, 0.1, 0.05}}, {.mass = 200, .category = 2, .mask = 1});
    const BodyId foot = builder.add_body({.parent = heavy, .position = {0.02, 0, -0.2}});
    builder.add_joint(foot, {.axis = {0, 1, 0}, .position = {0, 0, 0.15}, .damping = 1});
    builder.add_shape(foot, Box{.half_extents = {0.05, 0.08, 0.06}}, {.mass = 0.02, .category = 2, .mask = 1});
    Simulation simulation = simulate(builder, 10, 1, 0.005);
    EXPECT_FALSE(simulation.warnings().empty());  // names the overlap
    double fastest = 0;
    for (int i = 0; i < 400; ++i)
    {
        const StepReport report = simulation.step();
        ASSERT_EQ(report.status, StepStatus::ok) << i << ' ' << report.residual;
        fastest = std::max(fastest, norm(simulation.state().velocity(heavy).linear));
    }
    EXPECT_LT(fastest, 3);  // of a fall by its own height: 2 m/s
    EXPECT_GT(simulation.state().position(foot).z, 0);
}

}  // namespace
}  // namespace rattleback::gates
