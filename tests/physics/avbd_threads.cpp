// Gates of `avbd`: the same bits for any number of threads, in both precisions.
#include "lab/scenes/stacks.h"
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

TEST(AvbdThreads, the_number_of_threads_changes_no_bit)
{
    for (const char* precision : {"double", "single"})
    {
        std::uint64_t expected = 0;
        for (const int threads : {1, 2, 3, 8})
        {
            Simulation simulation(
                lab::build_pyramid({.layers = 8, .gap = 0.2}).value(),
                {.solver = "avbd",
                 .dt = kStep,
                 .parameters = {{"iterations", 4}, {"threads", threads}, {"precision", std::string(precision)}}});
            simulation.run_steps(40);
            const std::uint64_t value = hash(simulation.state());
            if (threads == 1) expected = value;
            EXPECT_EQ(value, expected) << precision << ' ' << threads;
        }
    }
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
