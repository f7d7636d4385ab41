// The solver convex as users see it: forces that balance, friction that holds, bits that repeat, trouble that is named.
#include "support/counting_allocator.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{

namespace
{

constexpr double kGravity = 9.81;

struct SlopeOptions
{
    double friction = 0.5;
    double tangent = 0;  ///< of the slope's angle
    int dimension = 3;
};

/// A box of 8 kg on a slope, seen in the slope's axes: gravity leans instead.
Model make_slope(const SlopeOptions& options)
{
    ModelBuilder builder("slope");
    const double angle = std::atan(options.tangent);
    builder.settings().gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    const MaterialId material = builder.add_material({.friction = options.friction,
                                                      .spinning_friction = 0.01,
                                                      .rolling_friction = 0.001,
                                                      .dimension = options.dimension,
                                                      .softness = Impedance{}});
    builder.add_ground({.material = material});
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = material, .density = 1000});
    return builder.build().value();
}

Simulation simulate(const Model& model, const Parameters& parameters = {}, double dt = 0.002)
{
    return Simulation::make(model, {.solver = "convex", .dt = dt, .parameters = parameters}).value();
}

Parameters with(const char* cone, const char* method = "Newton")
{
    return {{"cone", std::string(cone)}, {"solver", std::string(method)}};
}

/// A heap of spheres and boxes that fall, roll and come to rest.
Model make_heap()
{
    ModelBuilder builder("heap");
    builder.add_ground();
    for (int i = 0; i < 12; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.13 * (i % 3), 0.11 * (i % 4), 0.3 + 0.25 * i},
                                              .linear_velocity = {0.3, 0.1 * i, 0},
                                              .angular_velocity = {1, 2, 0.5 * i}});
        if (i % 2 == 0)
            builder.add_shape(body, Sphere{.radius = 0.1});
        else
            builder.add_shape(body, Box{.half_extents = {0.1, 0.08, 0.06}});
    }
    return builder.build().value();
}

/// An object of 45 g between two pads that press with what holds it `margin` times.
Model make_grasp(double margin, const Shape& object, int dimension)
{
    constexpr double kMass = 0.045, kFriction = 0.5;
    ModelBuilder builder("grasp");
    builder.settings().integrator = Integrator::implicitfast;
    const MaterialId material = builder.add_material(
        {.friction = kFriction, .spinning_friction = 0.005, .dimension = dimension, .softness = Impedance{}});
    const BodyId held = builder.add_body({.name = "object", .position = {0, 0, 1}});
    builder.add_shape(held, object, {.material = material, .mass = kMass});
    const double force = margin * kMass * kGravity / (2 * kFriction);
    for (const double side : {-1.0, 1.0})
    {
        const BodyId pad = builder.add_body({.position = {side * 0.0301, 0, 1}});
        const JointId slide = builder.add_joint(pad, {.type = JointType::slide, .axis = {-side, 0, 0}, .damping = 2});
        builder.add_shape(pad, Box{.half_extents = {0.01, 0.02, 0.02}}, {.material = material, .mass = 0.1});
        builder.add_actuator(slide, {.gain = {0, 0, 0}, .bias = {force, 0, 0}});
    }
    return builder.build().value();
}

/// Micrometres per second along the slope, over the last of three seconds.
double find_creep(Simulation& simulation)
{
    simulation.run_for(2);
    const Vec3 start = simulation.state().position(BodyId{1});
    simulation.run_for(1);
    return 1e6 * norm(simulation.state().position(BodyId{1}) - start);
}

}  // namespace

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

TEST(Convex, a_box_on_a_slope_creeps_less_than_a_micrometre_per_second)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        for (const double margin : {2.0, 20.0})
        {
            for (const double dt : {0.002, 0.01})
            {
                Simulation simulation = simulate(make_slope({.tangent = 0.5 / margin}), with(cone), dt);
                EXPECT_LT(find_creep(simulation), 1e-3) << cone << ", margin " << margin << ", dt " << dt;
            }
        }
    }
}

TEST(Convex, a_grasped_object_creeps_less_than_a_micrometre_per_second)
{
    const Shape objects[] = {Box{.half_extents = {0.02, 0.02, 0.02}}, Capsule{.radius = 0.02, .half_length = 0.03}};
    for (const Shape& object : objects)
    {
        for (const char* cone : {"pyramidal", "elliptic"})
        {
            for (const double margin : {2.0, 20.0})
            {
                Simulation simulation = simulate(make_grasp(margin, object, 4), with(cone));
                EXPECT_LT(find_creep(simulation), 1e-2) << cone << ", margin " << margin;
                EXPECT_NEAR(simulation.state().position(BodyId{1}).z, 1, 2e-3) << cone << ", margin " << margin;
            }
        }
    }
}

TEST(Convex, without_stick_the_box_creeps_as_in_mujoco)
{
    // measured with MuJoCo 4.0.0 at 2 ms
    const struct
    {
        const char* cone;
        double margin, speed;
    } cases[] = {{"pyramidal", 2, 882}, {"pyramidal", 20, 81}, {"elliptic", 2, 619}, {"elliptic", 20, 64}};
    for (const auto& c : cases)
    {
        Parameters parameters = with(c.cone);
        parameters["stick"] = false;
        Simulation simulation = simulate(make_slope({.tangent = 0.5 / c.margin}), parameters);
        EXPECT_NEAR(find_creep(simulation) / c.speed, 1, 0.01) << c.cone << ", margin " << c.margin;
    }
}

TEST(Convex, a_box_beyond_the_friction_angle_slides_with_the_right_acceleration)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Simulation simulation = simulate(make_slope({.friction = 0.3, .tangent = 0.5}), with(cone));
        simulation.run_for(0.5);
        const double v = simulation.state().v[0];
        simulation.run_for(0.5);
        const double angle = std::atan(0.5), expected = kGravity * (std::sin(angle) - 0.3 * std::cos(angle));
        // soft convex contact lifts what slides: MuJoCo has the same error
        EXPECT_NEAR((simulation.state().v[0] - v) / 0.5 / expected, 1, 2e-2) << cone;
    }
}

TEST(Convex, stick_does_not_brake_a_ball_that_rolls)
{
    ModelBuilder builder("roll");
    builder.add_ground();
    const BodyId ball =
        builder.add_body({.position = {0, 0, 0.1}, .linear_velocity = {1, 0, 0}, .angular_velocity = {0, 10, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.1});
    const Model model = builder.build().value();
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Simulation simulation = simulate(model, with(cone));
        simulation.run_for(5);
        EXPECT_NEAR(simulation.state().v[0], 1, 2e-3) << cone;
        EXPECT_NEAR(simulation.state().position(ball).x, 5, 2e-2) << cone;
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

TEST(Convex, no_slip_holds_without_stick)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Parameters parameters = with(cone);
        parameters["stick"] = false;
        parameters["noslip_iterations"] = 10;
        // a pyramid's opposite edges keep their sum, so half of the friction is out of reach
        Simulation simulation = simulate(make_slope({.tangent = 0.1}), parameters);
        EXPECT_LT(find_creep(simulation), 1) << cone;
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

TEST(Convex, a_step_that_diverges_changes_neither_state_nor_memory)
{
    Simulation simulation = simulate(make_heap());
    simulation.run_steps(500);
    const Snapshot before = simulation.snapshot();
    const std::uint64_t bits = hash(simulation.state());
    simulation.control().joint_force[7] = std::nan("");
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::diverged);
    EXPECT_GE(report.culprit, 0);
    EXPECT_EQ(hash(simulation.state()), bits);
    EXPECT_EQ(simulation.snapshot().memories, before.memories);
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

TEST(Convex, a_box_that_slides_fast_stays_on_the_ground)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        ModelBuilder builder("slide");
        const MaterialId material = builder.add_material({.friction = 0.8});
        builder.add_ground({.material = material});
        const BodyId box = builder.add_body({.position = {0, 0, 0.05}, .linear_velocity = {4, 1, 0}});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
        Simulation simulation = simulate(builder.build().value(), with(cone));
        for (int i = 0; i < 500; ++i)
        {
            simulation.step();
            ASSERT_NEAR(simulation.state().position(box).z, 0.05, 1e-3) << cone << ", step " << i;
        }
    }
}

TEST(Convex, a_box_turned_on_ice_turns_by_its_moment_and_stays_down)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        for (const double friction : {0.0, 1e-5})  // edges of so flat a pyramid are the same row but for rounding
        {
            ModelBuilder builder("ice");
            const MaterialId ice = builder.add_material({.friction = friction});
            builder.add_ground({.material = ice});
            const BodyId box = builder.add_body({.position = {0, 0, 0.1}});
            builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = ice, .mass = 4});
            Simulation simulation = simulate(builder.build().value(), with(cone), 0.001);
            simulation.control().body_wrench[1].torque = {0, 0, 0.01};
            for (int i = 0; i < 2000; ++i)
            {
                ASSERT_EQ(simulation.step().status, StepStatus::ok) << cone << ", friction " << friction;
                ASSERT_NEAR(simulation.state().position(box).z, 0.1, 1e-4) << cone << ", friction " << friction;
            }
            const double expected = 2 * 0.01 / (4 * 0.04 / 6);
            EXPECT_NEAR(simulation.state().velocity(box).angular.z / expected, 1, friction == 0 ? 1e-9 : 0.01) << cone;
        }
    }
}

TEST(Convex, deep_overlap_at_the_start_is_resolved_without_an_explosion)
{
    ModelBuilder builder("overlap");
    builder.add_ground();
    for (int i = 0; i < 4; ++i)
    {
        const BodyId box = builder.add_body({.position = {0.02 * i, 0, 0.05 + 0.03 * i}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    Simulation simulation = simulate(builder.build().value());
    double fastest = 0;
    for (int i = 0; i < 2000; ++i)
    {
        ASSERT_NE(simulation.step().status, StepStatus::diverged);
        for (int b = 1; b <= 4; ++b) fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{b}).linear));
    }
    EXPECT_LT(fastest, 10) << "0.17 m over 36 steps of 2 ms is 2.4 m/s, and three such overlaps add up";
    EXPECT_LT(simulation.step().deepest_penetration, 1e-4);
}

TEST(Convex, ten_thousand_contacts_of_one_pair_of_bodies_carry_the_weight)
{
    ModelBuilder builder("carpet");
    builder.add_ground();
    const BodyId carpet = builder.add_body({.position = {0, 0, 0.1}});
    for (int i = 0; i < 10000; ++i)
    {
        builder.add_shape(carpet, Sphere{.radius = 0.1},
                          {.position = {0.1 * (i % 100), 0.1 * (i / 100), 0}, .mass = 1e-3});
    }
    Simulation simulation = simulate(builder.build().value());
    StepReport report;
    for (int i = 0; i < 20; ++i) report = simulation.step();
    EXPECT_NE(report.status, StepStatus::diverged);
    EXPECT_EQ(report.contact_count, 10000);
    double lift = 0;
    for (const Wrench& wrench : simulation.contact_forces().items) lift += wrench.force.z;
    EXPECT_NEAR(lift / (10 * kGravity), 1, 1e-3);
}

TEST(Convex, contradictory_ties_give_a_finite_answer)
{
    ModelBuilder builder("torn");
    const BodyId box = builder.add_body();
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    builder.add_connect_points(kWorld, {0, 0, 0}, box, {});
    builder.add_connect_points(kWorld, {1, 0, 0}, box, {});  // and a metre away
    builder.add_weld_frames(kWorld, Pose{{0, 1, 0}, {}}, box, {});
    builder.add_weld_frames(kWorld, Pose{{0, 1, 0}, {}}, box, {});  // twice
    Simulation simulation = simulate(builder.build().value());
    for (int i = 0; i < 1000; ++i) ASSERT_NE(simulation.step().status, StepStatus::diverged);
    const Vec3 p = simulation.state().position(box);  // the mean of what they want
    EXPECT_NEAR(p.x, 0.25, 0.01);
    EXPECT_NEAR(p.y, 0.5, 0.01);
    EXPECT_LT(norm(simulation.state().velocity(box).linear), 1e-3);
}

TEST(Convex, a_step_of_a_second_stays_finite_and_no_step_is_refused)
{
    Simulation slow = simulate(make_heap(), {}, 1.0);
    for (int i = 0; i < 60; ++i) ASSERT_NE(slow.step().status, StepStatus::diverged);
    for (int b = 1; b <= 12; ++b)
    {
        EXPECT_LT(norm(slow.state().position(BodyId{b})), 1e4) << "no faster than what falls for some of the minute";
        EXPECT_GT(slow.state().position(BodyId{b}).z, -100);
    }
    for (const double dt : {-0.001, std::nan("")})
        EXPECT_FALSE(Simulation::make(make_heap(), {.solver = "convex", .dt = dt}).ok()) << dt;
}

TEST(Convex, names_what_is_at_fault)
{
    ModelBuilder builder("arm");
    const BodyId arm = builder.add_body({.name = "arm"});
    const JointId elbow = builder.add_joint(arm, {.name = "elbow", .axis = {0, 1, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1}, {.position = {0.3, 0, 0}});
    builder.add_motor(elbow, {.name = "biceps"});
    Simulation simulation = simulate(builder.build().value());
    EXPECT_EQ(simulation.explain(simulation.step()), "");
    simulation.control().input[0] = std::nan("");
    EXPECT_EQ(simulation.explain(simulation.step()), "the input of actuator \"biceps\" is not a finite number");
    simulation.control().input[0] = 1e308;
    simulation.control().joint_force[0] = 1e308;
    EXPECT_EQ(simulation.explain(simulation.step()), "joint \"elbow\" would leave the finite numbers");

    Simulation heap = simulate(make_heap(), {{"iterations", 0}});
    StepReport report;
    for (int i = 0; i < 500 && report.status == StepStatus::ok; ++i) report = heap.step();
    EXPECT_EQ(report.status, StepStatus::not_converged);
    EXPECT_NE(heap.explain(report).find("of shapes \""), std::string::npos) << heap.explain(report);
}

TEST(Convex, says_when_it_did_not_converge)
{
    Parameters parameters = with("elliptic");
    parameters["iterations"] = 1;
    parameters["tolerance"] = 1e-14;
    Simulation simulation = simulate(make_heap(), parameters);
    EXPECT_EQ(simulation.run_steps(600).status, StepStatus::not_converged);
}

TEST(Convex, refuses_switches_it_does_not_have)
{
    const Result<Simulation> refused = Simulation::make(
        make_heap(), {.solver = "convex", .parameters = {{"speculative", true}, {"filterparent", false}}});
    ASSERT_EQ(refused.errors().size(), 2U) << to_text(refused.errors());
    EXPECT_EQ(refused.errors()[0].code, ErrorCode::unsupported);
}

}  // namespace rattleback
