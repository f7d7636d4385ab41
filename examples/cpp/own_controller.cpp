// A controller of one's own: computed torque makes an arm follow a sine, exactly where the model is right.
#include <rattleback/rattleback.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder("arm");
    builder.settings().dt = 1e-3;
    rb::BodyId parent = rb::kWorld;
    for (const char* name : {"upper", "lower"})
    {
        const rb::BodyId link =
            builder.add_body({.name = name, .parent = parent, .position = {0, 0, parent == rb::kWorld ? 0 : -0.5}});
        const rb::JointId joint = builder.add_joint(link, {.name = name, .axis = {0, 1, 0}, .initial_velocity = 0.5});
        builder.add_shape(link, rb::Capsule{.radius = 0.04, .half_length = 0.25}, {.position = {0, 0, -0.25}});
        builder.add_motor(joint, {.name = name});
        parent = link;
    }

    rb::Simulation simulation(builder.build().value(), {.solver = "smooth"});
    rb::Dynamics dynamics(simulation.model());
    // Inverse dynamics of the wanted acceleration, and springs for what is left.
    const auto control = [&]
    {
        const double t = simulation.time();
        std::vector<double> acceleration(2);
        for (std::size_t i = 0; i < 2; ++i)
            acceleration[i] = -0.5 * std::sin(t) + 100 * (0.5 * std::sin(t) - simulation.state().q[i]) +
                              20 * (0.5 * std::cos(t) - simulation.state().v[i]);
        dynamics.update(simulation.state());
        std::ranges::copy(dynamics.inverse(acceleration),
                          simulation.control().input.begin());  // the array stays in its place
    };
    simulation.run_for(2.0, control);
    double error = 0;
    for (const double q : simulation.state().q)
        error = std::max(error, std::abs(q - 0.5 * std::sin(simulation.time())));
    std::printf("after %.1f s the joints are %.2f mrad off\n", simulation.time(), error * 1e3);
}
