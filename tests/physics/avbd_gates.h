// What the gates of solver `avbd` share: simulations at a number of iterations, and small scenes.
#pragma once

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace rattleback::gates
{

inline constexpr double kStep = 1.0 / 60;
inline constexpr double kGravity = 9.81;

/// A simulation with the defaults of the solver but for iterations and substeps.
inline Simulation simulate(const ModelBuilder& builder, int iterations, int substeps = 1, double dt = kStep,
                           Parameters parameters = {})
{
    parameters["iterations"] = iterations;
    parameters["substeps"] = substeps;
    return Simulation(builder.build().value(), {.solver = "avbd", .dt = dt, .parameters = parameters});
}

inline BodyId add_box(ModelBuilder& builder, const Vec3& position, const Vec3& half, double density,
                      MaterialId material = {})
{
    const BodyId body = builder.add_body({.position = position});
    builder.add_shape(body, Box{.half_extents = half}, {.material = material, .density = density});
    return body;
}

}  // namespace rattleback::gates
