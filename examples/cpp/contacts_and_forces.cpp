// Contacts and forces: three boxes in a stack; each pair of surfaces bears what lies above.
#include <rattleback/rattleback.h>
#include <cstdio>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder;
    builder.add_ground({.name = "floor"});
    for (int i = 0; i < 3; ++i)
    {
        const std::string name = "box " + std::to_string(i);
        const rb::BodyId body = builder.add_body({.name = name, .position = {0, 0, 0.1 + 0.2 * i}});
        builder.add_shape(body, rb::Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = name, .mass = 2});
    }

    rb::Simulation simulation(builder.build().value(), {.solver = "convex"});
    simulation.run_for(1.0);
    const auto& contacts = simulation.contacts().items;
    for (int shape = 1; shape < 4; ++shape)
    {
        double force = 0;
        int points = 0;
        rb::ShapeId below{};
        for (std::size_t i = 0; i < contacts.size(); ++i)
        {
            if (contacts[i].second_shape.index != shape) continue;
            force += simulation.contact_forces().items[i].force.z;
            below = contacts[i].first_shape;
            ++points;
        }
        std::printf("%s carries %.1f N in %d points\n",
                    simulation.model().shapes.name[static_cast<std::size_t>(below.index)].c_str(), force, points);
    }
}
