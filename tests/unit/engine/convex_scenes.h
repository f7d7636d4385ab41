// What the tests of solver convex share: short ways to a simulation, a slope, a heap.
#pragma once

#include <rattleback/rattleback.h>

#include <cmath>

namespace rattleback::convex_scenes
{

inline constexpr double kGravity = 9.81;

struct SlopeOptions
{
    double friction = 0.5;
    double tangent = 0;  ///< of the slope's angle
    int dimension = 3;
};

/// A box of 8 kg on a slope, seen in the slope's axes: gravity leans instead.
inline Model make_slope(const SlopeOptions& options)
{
    ModelBuilder builder("slope");
    const double angle = std::atan(options.tangent);
    builder.settings().gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    const MaterialId material = builder.add_material({.friction = options.friction,
                                                      .spinning_friction = 0.01,
                                                      .rolling_friction = 0.001,
                                                      .dimension = options.dimension,
                                                      .softness = Impedance{}});
    builder.add_ground({.material = material});
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = material, .density = 1000});
    return builder.build().value();
}

inline Simulation simulate(const Model& model, const Parameters& parameters = {}, double dt = 0.002)
{
    return Simulation::make(model, {.solver = "convex", .dt = dt, .parameters = parameters}).value();
}

inline Parameters with(const char* cone, const char* method = "Newton")
{
    return {{"cone", std::string(cone)}, {"solver", std::string(method)}};
}

/// A heap of spheres and boxes that fall, roll and come to rest.
inline Model make_heap()
{
    ModelBuilder builder("heap");
    builder.add_ground();
    for (int i = 0; i < 12; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.13 * (i % 3), 0.11 * (i % 4), 0.3 + 0.25 * i},
                                              .linear_velocity = {0.3, 0.1 * i, 0},
                                              .angular_velocity = {1, 2, 0.5 * i}});
        if (i % 2 == 0)
            builder.add_shape(body, Sphere{.radius = 0.1});
        else
            builder.add_shape(body, Box{.half_extents = {0.1, 0.08, 0.06}});
    }
    return builder.build().value();
}

/// Micrometres per second along the slope, over the last of three seconds.
inline double find_creep(Simulation& simulation)
{
    simulation.run_for(2);
    const Vec3 start = simulation.state().position(BodyId{1});
    simulation.run_for(1);
    return 1e6 * norm(simulation.state().position(BodyId{1}) - start);
}

}  // namespace rattleback::convex_scenes
