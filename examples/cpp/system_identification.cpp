// System identification: the mass and friction of a box that slides, found from its motion by Gauss-Newton.
#include <rattleback/rattleback.h>
#include <array>
#include <cstdio>
namespace rb = rattleback;

using Places = std::array<double, 10>;

/// Positions of a box that a force of 10 N pulls for a second, every tenth of it [m].
Places slide(double mass, double friction)
{
    rb::ModelBuilder builder;
    const rb::MaterialId surface = builder.add_material({.friction = friction});
    builder.add_ground({.material = surface});
    const rb::BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1}});
    builder.add_shape(box, rb::Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = surface, .mass = mass});
    rb::Simulation simulation(builder.build().value(), {.solver = "convex"});
    simulation.control().body_wrench[static_cast<std::size_t>(box.index)].force.x = 10;
    Places places{};
    for (double& place : places)
    {
        simulation.run_for(0.1);
        place = simulation.state().position(box).x;
    }
    return places;
}

int main()
{
    const Places measured = slide(2.0, 0.3);
    double mass = 1.5, friction = 0.1;
    for (int round = 0; round < 8; ++round)
    {
        const Places here = slide(mass, friction), heavier = slide(mass + 1e-4, friction),
                     rougher = slide(mass, friction + 1e-4);
        double aa = 0, ab = 0, bb = 0, ar = 0, br = 0;  // the normal equations
        for (std::size_t i = 0; i < here.size(); ++i)
        {
            const double a = (heavier[i] - here[i]) / 1e-4, b = (rougher[i] - here[i]) / 1e-4,
                         r = here[i] - measured[i];
            aa += a * a, ab += a * b, bb += b * b, ar += a * r, br += b * r;
        }
        const double determinant = aa * bb - ab * ab;
        mass -= (bb * ar - ab * br) / determinant;
        friction -= (aa * br - ab * ar) / determinant;
    }
    std::printf("mass %.2f kg, friction %.2f\n", mass, friction);
}
