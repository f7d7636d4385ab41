// What the laws of contact share: a fixture over all solvers that know contact, a box on a slope, a heap.
#pragma once

#include "physics/laws.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{

/// The solvers that know contact.
inline std::vector<const SolverInfo*> contact_solvers()
{
    std::vector<const SolverInfo*> found;
    for (const SolverInfo* solver : all_solvers())
    {
        if (supports(*solver, Feature::contact)) found.push_back(solver);
    }
    return found;
}

class ContactLaw : public Law
{
protected:
    std::optional<Simulation> make(const Model& model, double dt = 0.002)
    {
        // Scenes that start touching: its surfaces lie a millimetre inside the shapes, where the barrier begins.
        const Parameters parameters =
            GetParam()->name == "ipc" ? Parameters{{"inset", 1e-3}, {"corners", 12}} : Parameters{};
        return make_simulation(*GetParam(), model, dt, parameters);
    }
    double bar(std::string_view law) const { return tolerance(*GetParam(), law); }
};

inline constexpr double kGravity = 9.81;

struct SlopeOptions
{
    double friction = 0.5;
    double angle = 0;  ///< [rad]
    double speed = 0;  ///< at first, downhill along x [m/s]
};

/// A flat box on a slope, seen in the slope's axes: gravity leans towards x instead. It cannot tip below 75 degrees.
inline Model make_slope(const SlopeOptions& options)
{
    ModelBuilder builder("slope");
    builder.settings().gravity = {kGravity * std::sin(options.angle), 0, -kGravity * std::cos(options.angle)};
    const MaterialId material = builder.add_material({.friction = options.friction});
    builder.add_ground({.material = material});
    const BodyId box = builder.add_body({.position = {0, 0, 0.05}, .linear_velocity = {options.speed, 0, 0}});
    builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
    return builder.build().value();
}

/// Spheres, capsules and boxes that fall, roll and come to rest.
inline Model make_heap(int count)
{
    ModelBuilder builder("heap");
    builder.add_ground();
    for (int i = 0; i < count; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.13 * (i % 3), 0.11 * (i % 4), 0.3 + 0.25 * i},
                                              .linear_velocity = {0.3, 0.1 * i, 0},
                                              .angular_velocity = {1, 2, 0.5 * i}});
        if (i % 3 == 0) builder.add_shape(body, Sphere{.radius = 0.1});
        if (i % 3 == 1) builder.add_shape(body, Box{.half_extents = {0.1, 0.08, 0.06}});
        if (i % 3 == 2) builder.add_shape(body, Capsule{.radius = 0.06, .half_length = 0.08});
    }
    return builder.build().value();
}

}  // namespace rattleback
