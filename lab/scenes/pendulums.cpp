// Pendulums and the spinning top.
#include "lab/scenes/pendulums.h"

#include "lab/scenes/parts.h"

namespace rattleback::lab
{

Result<Model> build_pendulum(const PendulumOptions& options)
{
    ModelBuilder builder("pendulum");
    const BodyId rod = builder.add_body({.name = "rod"});
    builder.add_joint(rod, {.name = "pivot", .axis = {0, 1, 0}, .initial_position = options.angle});
    builder.add_shape(rod, Cylinder{.radius = options.radius, .half_length = options.length / 2},
                      {.name = "rod", .position = {0, 0, -options.length / 2}, .mass = options.mass, .colour = kTeal});
    builder.add_site(rod, {.name = "tip", .position = {0, 0, -options.length}});
    return builder.build();
}

Result<Model> build_double_pendulum(const DoublePendulumOptions& options)
{
    const double l = options.length;
    const Box rod{.half_extents = {0.02, 0.01, l / 2}};

    ModelBuilder builder("double_pendulum");
    // The rods swing in parallel planes, side by side, so that they never meet.
    const BodyId upper = builder.add_body({.name = "upper"});
    builder.add_joint(upper, {.name = "shoulder", .axis = {0, 1, 0}, .initial_position = options.first_angle});
    builder.add_shape(
        upper, rod,
        {.name = "upper", .position = {0, 0, -l / 2}, .mass = 1, .category = 0, .mask = 0, .colour = kTeal});
    const BodyId lower = builder.add_body({.name = "lower", .parent = upper, .position = {0, 0.03, -l}});
    builder.add_joint(lower, {.name = "elbow", .axis = {0, 1, 0}, .initial_position = options.second_angle});
    builder.add_shape(
        lower, rod,
        {.name = "lower", .position = {0, 0, -l / 2}, .mass = 1, .category = 0, .mask = 0, .colour = kAmber});
    builder.add_site(lower, {.name = "tip", .position = {0, 0, -l}});
    return builder.build();
}

Result<Model> build_spinning_top(const SpinningTopOptions& options)
{
    ModelBuilder builder("spinning_top");
    // A thousand rounds a minute: about fifteen degrees per step at the model's usual 2 ms would be coarse.
    builder.settings().dt = 0.001;
    const BodyId top = builder.add_body({.name = "top", .rotation = from_axis_angle({0, 1, 0}, options.tilt)});
    builder.add_joint(top, {.name = "tip", .type = JointType::ball});
    builder.add_shape(top, Cylinder{.radius = 0.05, .half_length = 0.008},
                      {.name = "disc", .position = {0, 0, 0.05}, .density = 2700, .colour = kRust});
    builder.add_shape(top, Cylinder{.radius = 0.004, .half_length = 0.045},
                      {.name = "pin", .position = {0, 0, 0.045}, .density = 7800, .colour = kSteel});
    builder.add_site(top, {.name = "end", .position = {0, 0, 0.09}});

    Result<Model> built = builder.build();
    if (!built.ok()) return built;
    Model model = std::move(built).value();
    model.initial_v[2] = options.spin;  // ball joints have no velocity in JointOptions; z of the body's own axes
    return model;
}

}  // namespace rattleback::lab
