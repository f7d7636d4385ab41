// Gates of `avbd`: the same bits for any number of threads, in both precisions and both modes.
#include "lab/scenes/piles.h"
#include "lab/scenes/stacks.h"
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

/// Boxes that fall on a floor and each other, and beside them a hinged chain and a rod.
ModelBuilder make_mixture()
{
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < 60; ++i)
        add_box(builder, {0.45 * (i % 4), 0.45 * (i / 4 % 4), 0.3 + 0.5 * (i / 16)}, {0.2, 0.2, 0.2}, 1000);
    BodyId parent = builder.add_body({.position = {0.5, 0.5, 3}});
    builder.add_shape(parent, Sphere{.radius = 0.15});
    for (int i = 0; i < 4; ++i)
    {
        parent = builder.add_body({.parent = parent, .position = {0.4, 0, 0}});
        builder.add_shape(parent, Sphere{.radius = 0.15});
        builder.add_joint(parent, {.axis = {0, 1, 0}, .position = {-0.2, 0, 0}});
    }
    builder.add_rod({.start = {-0.5, 0.7, 2.5}, .end = {1.5, 0.8, 2.7}, .segments = 8, .radius = 0.05});
    return builder;
}

void expect_same_bits(const Model& model, const char* mode, const char* precision, int steps = 40)
{
    std::uint64_t expected = 0, start = 0;
    for (const int threads : {1, 2, 3, 8})
    {
        Simulation simulation(Model(model), {.solver = "avbd",
                                             .dt = kStep,
                                             .parameters = {{"iterations", 4},
                                                            {"threads", threads},
                                                            {"mode", std::string(mode)},
                                                            {"precision", std::string(precision)}}});
        start = hash(simulation.state());
        EXPECT_EQ(simulation.run_steps(steps).status, StepStatus::ok);
        const std::uint64_t value = hash(simulation.state());
        if (threads == 1) expected = value;
        EXPECT_EQ(value, expected) << mode << ' ' << precision << ' ' << threads;
        EXPECT_NE(value, start);
    }
}

TEST(AvbdThreads, the_number_of_threads_changes_no_bit_of_a_pyramid)
{
    const Model model = lab::build_pyramid({.layers = 8, .gap = 0.2}).value();
    for (const char* precision : {"double", "single"}) expect_same_bits(model, "augmented", precision);
    expect_same_bits(model, "penalty", "double");
}

TEST(AvbdThreads, the_number_of_threads_changes_no_bit_of_boxes_chains_and_rods)
{
    const Model model = make_mixture().build().value();
    for (const char* precision : {"double", "single"}) expect_same_bits(model, "augmented", precision);
    expect_same_bits(model, "penalty", "double");
}

TEST(AvbdThreads, the_number_of_threads_changes_no_bit_of_ragdolls)
{
    const Model model = lab::build_ragdolls({.count = 27}).value();
    for (const char* mode : {"augmented", "penalty"}) expect_same_bits(model, mode, "double");
}

TEST(AvbdThreads, more_bodies_in_one_place_than_there_are_colours_move_in_turn)
{
    // everyone touches everyone: the last hundred of them share a colour, spheres and bodies on hinges
    ModelBuilder builder;
    builder.settings().gravity = {};
    for (int i = 0; i < 160; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.01 * (i % 9), 0.01 * (i % 7), 0.01 * (i % 5)}});
        builder.add_shape(body, Sphere{.radius = 0.2});
        if (i < 140) continue;
        const BodyId arm = builder.add_body({.parent = body, .position = {0.3, 0, 0}});
        builder.add_shape(arm, Sphere{.radius = 0.05});
        builder.add_joint(arm, {.axis = {0, 1, 0}, .position = {-0.1, 0, 0}});
    }
    const Model model = builder.build().value();
    for (const char* precision : {"double", "single"}) expect_same_bits(model, "augmented", precision, 5);
}

TEST(AvbdThreads, single_precision_stands_as_well_as_double)
{
    ModelBuilder builder;
    builder.add_ground();
    BodyId top;
    for (int i = 0; i < 10; ++i) top = add_box(builder, {0, 0, 0.5 + i}, {0.5, 0.5, 0.5}, 1000);
    Simulation simulation = simulate(builder, 10, 1, kStep, {{"precision", std::string("single")}});
    simulation.run_for(10);
    EXPECT_NEAR(simulation.state().position(top).z, 9.5, 2e-3);
}

}  // namespace
}  // namespace rattleback::gates
