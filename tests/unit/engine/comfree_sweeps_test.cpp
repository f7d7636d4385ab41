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
    // Seven worlds: a full pack and one with a lane to spare; each beside a simulation of its own.
    constexpr int kWorlds = 7;
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
}

TEST(ComfreeSweeps, a_lane_that_is_no_number_leaves_the_others_alone)
{
    const Model model = make_robot(3);
    const BatchOptions options{
        .solver = "comfree", .dt = 0.002, .parameters = {{"method", kSweeps}}, .world_count = 4, .thread_count = 1};
    Batch sound(model, options), broken(model, options);
    broken.control().joint_force[static_cast<std::size_t>(model.v_count())] = std::numeric_limits<double>::quiet_NaN();
    for (Batch* batch : {&sound, &broken}) batch->run_steps(200);
    EXPECT_EQ(broken.reports()[1].status, StepStatus::diverged);
    EXPECT_EQ(broken.state().step[1], 0);
    for (const int w : {0, 2, 3}) EXPECT_EQ(hash(broken.state(), w), hash(sound.state(), w)) << "world " << w;
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
