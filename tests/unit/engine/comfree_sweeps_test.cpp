// Sweeps of the solver comfree: the same law as its corrections, worlds in packs, bit for bit.
#include "lab/scenes/hand.h"
#include "lab/scenes/humanoid.h"
#include "unit/engine/comfree_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace rattleback
{
namespace
{

const std::string kSweeps = "sweeps", kDirect = "direct";

/// A base on the ground with an arm of three links; a ball lies against it. All dimensions of contact, limits, dry
/// friction.
Model make_robot(int dimension)
{
    ModelBuilder builder("robot");
    const MaterialId material = builder.add_material(
        {.friction = 0.7, .spinning_friction = 0.01, .rolling_friction = 0.004, .dimension = dimension});
    builder.add_ground({.material = material});
    BodyId link = builder.add_body({.name = "base", .position = {0, 0, 0.1}});
    builder.add_shape(link, Box{.half_extents = {0.2, 0.15, 0.1}}, {.material = material, .density = 500});
    for (int i = 0; i < 3; ++i)
    {
        link = builder.add_body({.parent = link, .position = {i == 0 ? 0.0 : 0.25, 0, i == 0 ? 0.16 : 0.0}});
        builder.add_joint(
            link,
            {.axis = {0, 1, 0}, .range = Range{true, -0.6, 0.9}, .damping = 0.02, .dry_friction = i == 1 ? 0.05 : 0.0});
        builder.add_shape(link, Capsule{.radius = 0.04, .half_length = 0.1},
                          {.position = {0.12, 0, 0},
                           .rotation = normalized(Quat{1, 0, 1, 0}),
                           .material = material,
                           .density = 1000});
    }
    const BodyId ball =
        builder.add_body({.name = "ball", .position = {0.45, 0, 0.06}, .linear_velocity = {-1, 0.1, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.06}, {.material = material, .density = 800});
    return builder.build().value();
}

/// Two arms on a base that falls by a millimetre, coupled by limited tendons across the branches, one of them with dry
/// friction.
Model make_tendon_robot()
{
    constexpr const char* kText = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <body name="base" pos="0 0 0.051">
      <freejoint/>
      <geom type="box" size="0.15 0.15 0.05"/>
      <body pos="0.15 0 0.05">
        <joint name="a1" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/>
        <body pos="0.2 0 0"><joint name="a2" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/></body>
      </body>
      <body pos="-0.15 0 0.05">
        <joint name="b1" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 -0.2 0 0"/>
        <body pos="-0.2 0 0"><joint name="b2" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 -0.2 0 0"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="across" limited="true" range="-0.1 0.15"><joint joint="a1" coef="1"/><joint joint="b1" coef="-0.7"/></fixed>
    <fixed name="along" limited="true" range="-0.2 0.1" frictionloss="0.3"><joint joint="a1" coef="0.5"/><joint joint="a2" coef="1"/></fixed>
    <fixed name="rub" frictionloss="0.2"><joint joint="b1" coef="1"/><joint joint="a2" coef="1"/></fixed>
  </tendon>
  <sensor><tendonlimitfrc tendon="across"/></sensor>
</mujoco>)";
    return parse_mjcf(kText, "tendons", ".").value().model;
}

/// Links of all kinds of solid shapes, with and without closed forms, folded up so that many of them meet.
Model make_varied_robot()
{
    ModelBuilder builder("varied");
    builder.add_ground();
    BodyId link = builder.add_body({.name = "base", .position = {0, 0, 0.35}, .angular_velocity = {1, 2, 0.5}});
    const MeshId wedge =
        builder.add_mesh({.vertices = {{-0.1, -0.06, -0.05}, {0.1, -0.06, -0.05}, {0, 0.09, -0.05}, {0.02, 0, 0.08}},
                          .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    const auto add_shape = [&](int i)
    {
        const ShapeOptions options{.position = {0.05, 0, 0}, .density = 700};
        if (i % 5 == 0) builder.add_shape(link, Box{.half_extents = {0.08, 0.05, 0.04}}, options);
        if (i % 5 == 1) builder.add_shape(link, Cylinder{.radius = 0.05, .half_length = 0.07}, options);
        if (i % 5 == 2) builder.add_shape(link, Ellipsoid{.radii = {0.09, 0.05, 0.06}}, options);
        if (i % 5 == 3) builder.add_shape(link, Hull{wedge}, options);
        if (i % 5 == 4) builder.add_shape(link, Capsule{.radius = 0.04, .half_length = 0.06}, options);
    };
    add_shape(0);
    for (int i = 1; i < 10; ++i)
    {
        link = builder.add_body({.parent = link, .position = {0.13, 0, 0}});
        builder.add_joint(link, {.axis = {i % 2 == 0 ? 1.0 : 0.0, 1, i % 3 == 0 ? 1.0 : 0.0}, .damping = 0.01});
        add_shape(i);
    }
    return builder.build().value();
}

double largest_difference(std::span<const double> a, std::span<const double> b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

/// From the same states, along a run of the sweeps: v and contact forces after one step of either method.
void expect_same_step(const Model& model, int steps, double tolerance)
{
    Simulation sweeps = make_comfree(model, {{"method", kSweeps}, {"sweeps", 3000}});
    Simulation direct = make_comfree(model, {{"method", kDirect}, {"sweeps", 100}});
    int touching = 0;
    for (int i = 0; i < steps; ++i)
    {
        direct.state() = sweeps.state();
        direct.refresh();
        const StepReport ours = sweeps.step(), theirs = direct.step();
        ASSERT_EQ(ours.status, StepStatus::ok);
        ASSERT_EQ(ours.contact_count, theirs.contact_count);
        EXPECT_EQ(ours.deepest_penetration, theirs.deepest_penetration);
        if (theirs.residual > tolerance) continue;  // corrections that did not settle are no oracle
        EXPECT_LT(largest_difference(sweeps.state().v, direct.state().v), tolerance) << "step " << i;
        touching += ours.contact_count > 0 ? 1 : 0;
    }
    EXPECT_GT(touching, steps / 4);
}

TEST(ComfreeSweeps, converge_to_the_corrections)
{
    // Radii of friction that the corrections settled to 1e-3 of themselves: of the 0.2 m/s that friction may take from
    // a light link in a step, as much.
    for (const int dimension : {1, 3, 4, 6}) expect_same_step(make_robot(dimension), 60, 5e-4);
}

TEST(ComfreeSweeps, hold_tendons_as_the_corrections_do)
{
    // Arms fall until their tendons are taut; a tenth of a second later they hang still, and limits carry their weight.
    const Model model = make_tendon_robot();
    Simulation sweeps = make_comfree(model, {{"method", kSweeps}, {"sweeps", 3000}});
    Simulation direct = make_comfree(model, {{"method", kDirect}, {"sweeps", 100}});
    for (Simulation* simulation : {&sweeps, &direct})
        for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation->step().status, StepStatus::ok);
    const double ours = sweeps.sensor(SensorId{0})[0], theirs = direct.sensor(SensorId{0})[0];
    EXPECT_GT(theirs, 1);
    EXPECT_NEAR(ours / theirs, 1, 0.01);  // two runs through impacts: 2.438 and 2.434 N
}

TEST(ComfreeSweeps, find_the_contacts_of_the_collider_among_all_shapes)
{
    // The list of near pairs in lanes must not lose one: the direct method asks the collider at the same states.
    const Model model = make_varied_robot();
    Simulation sweeps = make_comfree(model, {{"method", kSweeps}}), direct = make_comfree(model, {{"method", kDirect}});
    int most = 0;
    for (int i = 0; i < 400; ++i)
    {
        direct.state() = sweeps.state();
        direct.refresh();
        sweeps.step();
        direct.step();
        const auto& ours = sweeps.contacts().items;
        const auto& theirs = direct.contacts().items;
        ASSERT_EQ(ours.size(), theirs.size()) << "step " << i;
        for (std::size_t k = 0; k < ours.size(); ++k)
        {
            EXPECT_EQ(ours[k].first_shape.index, theirs[k].first_shape.index);
            EXPECT_EQ(ours[k].second_shape.index, theirs[k].second_shape.index);
            EXPECT_NEAR(ours[k].distance, theirs[k].distance, 1e-12);  // poses by matrices, by quaternions
        }
        most = std::max(most, static_cast<int>(ours.size()));
    }
    EXPECT_GT(most, 4);
}

TEST(ComfreeSweeps, report_the_forces_that_carry_the_weight)
{
    const Model model = make_robot(3);
    Simulation simulation = make_comfree(model, {{"method", kSweeps}});
    simulation.run_for(3.0);
    double lift = 0, weight = 0;
    for (std::size_t i = 0; i < simulation.contacts().items.size(); ++i)
    {
        const Contact& contact = simulation.contacts().items[i];
        if (contact.first_body.index == 0) lift += simulation.contact_forces().items[i].force.z;
    }
    for (const double mass : model.bodies.mass) weight += 9.81 * mass;
    EXPECT_NEAR(lift / weight, 1, 1e-3);  // at rest but for the creep of what sticks
}

void set_start(State& state, int world, int variant)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(variant));
    std::uniform_real_distribution<double> unit(-1, 1);
    for (double& v : state.world(world).v) v = 0.8 * unit(random);
}

void expect_same_bits(const Model& model, int steps)
{
    // Full packs and one with a lane to spare, of eight worlds where the processor has registers of 512 bits, and of
    // four; each world beside a simulation of its own.
    constexpr int kWorlds = 11;
    const Parameters parameters = {{"method", kSweeps}};
    Batch batch(
        model, {.solver = "comfree", .dt = 0.004, .parameters = parameters, .world_count = kWorlds, .thread_count = 1});
    for (int w = 0; w < kWorlds; ++w) set_start(batch.state(), w, w);
    batch.refresh();
    batch.run_steps(steps);
    for (int w = 0; w < kWorlds; ++w)
    {
        Simulation single = make_comfree(model, parameters, 0.004);
        set_start(single.state(), 0, w);
        single.refresh();
        for (int i = 0; i < steps; ++i) single.step();
        EXPECT_EQ(hash(batch.state(), w), hash(single.state(), 0)) << "world " << w;
        const auto& ours = batch.contact_forces(w).items;
        const auto& theirs = single.contact_forces().items;
        ASSERT_EQ(ours.size(), theirs.size());
        EXPECT_EQ(std::memcmp(ours.data(), theirs.data(), ours.size() * sizeof(Wrench)), 0) << "world " << w;
        EXPECT_EQ(ours.size(), batch.contacts(w).items.size());
    }
}

TEST(ComfreeSweeps, give_the_same_bits_in_any_place_of_a_pack)
{
    expect_same_bits(lab::build_humanoid().value(), 150);
    expect_same_bits(lab::build_hand().value(), 60);
    for (const int dimension : {1, 3, 4, 6}) expect_same_bits(make_robot(dimension), 100);
    expect_same_bits(make_tendon_robot(), 100);
    expect_same_bits(make_varied_robot(), 100);
}

TEST(ComfreeSweeps, give_worlds_of_other_stiffness_and_damping_the_bits_of_each_alone)
{
    // Eight and three worlds that differ in nothing but k and d, beside simulations with these parameters. Limits,
    // contacts and what is left of overlaps depend on both.
    constexpr int kWorlds = 11;
    const auto stiffness_of = [](int world) { return 0.05 + 0.031 * world; };
    const auto damping_of = [](int world) { return 0.0004 * (1 + (7 * world) % 11); };
    const std::pair<Model, int> cases[] = {{make_robot(3), 60}, {make_tendon_robot(), 60}};
    for (const std::string precision : {"double", "single"})
        for (const auto& [model, steps] : cases)
        {
            Parameters parameters{{"method", kSweeps}, {"precision", precision}};
            Batch batch(model, {.solver = "comfree",
                                .dt = 0.004,
                                .parameters = parameters,
                                .world_count = kWorlds,
                                .thread_count = 1});
            const std::span<double> stiffness = batch.vary(WorldParameter::stiffness).value();
            const std::span<double> damping = batch.vary(WorldParameter::damping).value();
            for (int w = 0; w < kWorlds; ++w)
            {
                stiffness[static_cast<std::size_t>(w)] = stiffness_of(w);
                damping[static_cast<std::size_t>(w)] = damping_of(w);
                set_start(batch.state(), w, 3);
            }
            batch.apply_parameters().require();
            batch.refresh();
            batch.run_steps(steps);
            for (int w = 0; w < kWorlds; ++w)
            {
                parameters["stiffness"] = stiffness_of(w);
                parameters["damping"] = damping_of(w);
                Simulation single = make_comfree(model, parameters, 0.004);
                set_start(single.state(), 0, 3);
                single.refresh();
                single.run_steps(steps);
                EXPECT_EQ(hash(batch.state(), w), hash(single.state(), 0)) << precision << ", world " << w;
                const int other = (w + 1) % kWorlds;
                EXPECT_NE(hash(batch.state(), w), hash(batch.state(), other)) << w;
            }
        }
}

TEST(ComfreeSweeps, a_lane_that_is_no_number_leaves_the_others_alone)
{
    const Model model = make_robot(3);
    for (const std::string precision : {"double", "single"})
    {
        const BatchOptions options{.solver = "comfree",
                                   .dt = 0.002,
                                   .parameters = {{"method", kSweeps}, {"precision", precision}},
                                   .world_count = 9,
                                   .thread_count = 1};
        Batch sound(model, options), broken(model, options);
        broken.control().joint_force[static_cast<std::size_t>(model.v_count())] =
            std::numeric_limits<double>::quiet_NaN();
        for (Batch* batch : {&sound, &broken}) batch->run_steps(200);
        EXPECT_EQ(broken.reports()[1].status, StepStatus::diverged);
        EXPECT_EQ(broken.state().step[1], 0);
        for (int w = 0; w < options.world_count; ++w)
        {
            if (w == 1) continue;
            EXPECT_EQ(hash(broken.state(), w), hash(sound.state(), w)) << precision << ", world " << w;
        }
    }
}

TEST(ComfreeSweeps, are_missed_by_a_warning_where_a_setting_leaves_them)
{
    const auto warnings = [](const Model& model, const Parameters& parameters)
    { return to_text(Simulation::make(model, {.solver = "comfree", .parameters = parameters})->warnings()); };
    // A robot of two links, which is swept by default.
    ModelBuilder builder("robot");
    const BodyId upper = builder.add_body();
    builder.add_joint(upper, {.axis = {0, 1, 0}});
    builder.add_shape(upper, Sphere{.radius = 0.1});
    const BodyId lower = builder.add_body({.parent = upper, .position = {0, 0, -1}});
    builder.add_joint(lower, {.axis = {0, 1, 0}});
    builder.add_shape(lower, Sphere{.radius = 0.1});
    const Model robot = builder.build().value();
    EXPECT_EQ(warnings(robot, {}), "");
    EXPECT_EQ(warnings(robot, {{"method", std::string("direct")}, {"integrator", std::string("rk4")}}), "");
    for (const std::string integrator : {"rk4", "lie_rk4"})
        EXPECT_NE(warnings(robot, {{"integrator", integrator}}).find("stages of Runge-Kutta are not swept"),
                  std::string::npos);
    EXPECT_NE(warnings(robot, {{"anchor", true}}).find("anchors are not swept"), std::string::npos);
    // What the model lacks is said where sweeps were asked for.
    builder.add_connect(lower, kWorld, {});
    const Model loop = builder.build().value();
    EXPECT_EQ(warnings(loop, {}), "");
    EXPECT_NE(warnings(loop, {{"method", std::string("sweeps")}}).find("equalities"), std::string::npos);
    Batch batch(robot, {.solver = "comfree", .parameters = {{"integrator", std::string("rk4")}}, .world_count = 4});
    EXPECT_NE(to_text(batch.warnings()).find("Runge-Kutta"), std::string::npos);
}

TEST(ComfreeSweeps, in_single_precision_follow_those_in_double)
{
    // 50 steps of 4 ms: rounding of 6e-8 at metres and at speeds near 1 m/s, grown tenfold by impacts and limits.
    constexpr int kFloatWorlds = 19, kFloatSteps = 50;
    const Model model = make_robot(3);
    const auto run = [&](const std::string& precision, int threads)
    {
        Batch batch(model, {.solver = "comfree",
                            .dt = 0.004,
                            .parameters = {{"method", kSweeps}, {"precision", precision}},
                            .world_count = kFloatWorlds,
                            .thread_count = threads});
        for (int w = 0; w < kFloatWorlds; ++w) set_start(batch.state(), w, w);
        batch.refresh();
        batch.run_steps(kFloatSteps);
        return batch.state();
    };
    const State exact = run("double", 1), single = run("single", 1), threads = run("single", 2);
    EXPECT_LT(largest_difference(exact.q, single.q), 1e-3);
    EXPECT_GT(largest_difference(exact.q, single.q), 0);
    EXPECT_EQ(single.q, threads.q);
    EXPECT_EQ(single.v, threads.v);
    // A world alone has the bits that it has in any lane.
    for (const int w : {0, 7, 10, 18})
    {
        Simulation alone = make_comfree(model, {{"method", kSweeps}, {"precision", std::string("single")}}, 0.004);
        set_start(alone.state(), 0, w);
        alone.refresh();
        for (int i = 0; i < kFloatSteps; ++i) alone.step();
        EXPECT_EQ(hash(alone.state(), 0), hash(single, w)) << "world " << w;
    }
}

TEST(ComfreeSweeps, never_add_energy_whatever_their_number)
{
    // No springs, no motors: what a step has more than the least before is the lift out of overlaps.
    for (const int count : {1, 2, 8})
    {
        for (const double dt : {0.001, 0.004, 0.016})
        {
            Simulation simulation =
                make_comfree(make_robot(count == 2 ? 6 : 3),
                             {{"method", kSweeps}, {"sweeps", count}, {"integrator", std::string("euler")}}, dt);
            const double start = simulation.energy().total();
            double least = start, deepest = 0, mass = 0;
            for (const double m : simulation.model().bodies.mass) mass += m;
            for (int i = 0; i < static_cast<int>(1.0 / dt); ++i)
            {
                const StepReport report = simulation.step();
                ASSERT_EQ(report.status, StepStatus::ok);
                deepest = std::max(deepest, report.deepest_penetration);
                const double energy = simulation.energy().total();
                EXPECT_LE(energy, start);
                EXPECT_LE(energy - least, 9.81 * mass * deepest + 1e-9)
                    << count << " sweeps, " << dt << " s, step " << i;
                least = std::min(least, energy);
            }
        }
    }
}

}  // namespace
}  // namespace rattleback
