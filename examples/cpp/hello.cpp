// Hello world: a box falls on the ground and lies there.
#include <rattleback/rattleback.h>
#include <cstdio>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder;
    builder.add_ground();
    const rb::BodyId box = builder.add_body({.name = "box", .position = {0, 0, 1}});
    builder.add_shape(box, rb::Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});

    rb::Simulation simulation(builder.build().value());
    simulation.run_for(2.0);
    std::printf("height %.3f m\n", simulation.state().position(box).z);
}
