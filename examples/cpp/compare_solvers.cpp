// One model, every solver: a box is thrown along the ground; how far does it slide?
#include <rattleback/rattleback.h>
#include <cstdio>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder;
    const rb::MaterialId surface = builder.add_material({.friction = 0.5});
    builder.add_ground({.material = surface});
    const rb::BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1}, .linear_velocity = {3, 0, 0}});
    builder.add_shape(box, rb::Box{.half_extents = {0.2, 0.2, 0.1}}, {.material = surface});
    const rb::Model model = builder.build().value();

    std::printf("Coulomb: v^2 / (2 mu g) = %.3f m\n", 3.0 * 3 / (2 * 0.5 * 9.81));
    for (const rb::SolverInfo* info : rb::all_solvers())
    {
        const std::string name(info->name);
        const std::vector<rb::Error> refusal = rb::find_refusal(*info, model);
        if (!refusal.empty())
        {
            std::printf("%-8s refuses: %s\n", name.c_str(), refusal.front().message.c_str());
            continue;
        }
        rb::Simulation simulation(model, {.solver = name, .dt = 1e-3});
        simulation.run_for(1.5);
        std::printf("%-8s %.2f m\n", name.c_str(), simulation.state().position(box).x);
    }
}
