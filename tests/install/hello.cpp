// Hello world: a box falls for two seconds.
#include <rattleback/rattleback.h>

#include <cstdio>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder;
    const rb::BodyId box = builder.add_body({.name = "box", .position = {0, 0, 1}});
    builder.add_shape(box, rb::Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});

    rb::Simulation simulation(builder.build().value(), {.solver = "smooth", .dt = 2e-3});
    simulation.run_for(2.0);
    std::printf("height %.3f m\n", simulation.state().position(box).z);
}
