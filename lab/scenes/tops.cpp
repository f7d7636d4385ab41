// Bodies that roll and spin on one point of a floor.
#include "lab/scenes/tops.h"

#include "lab/scenes/parts.h"

#include <cmath>

namespace rattleback::lab
{

namespace
{

/// A floor on which bodies roll: sliding friction alone.
MaterialId add_floor(ModelBuilder& builder, double friction)
{
    const MaterialId material = builder.add_material({.name = "rolling", .friction = friction});
    builder.add_shape(kWorld, Plane{}, {.name = "floor", .material = material, .colour = kFloor});
    return material;
}

}  // namespace

Result<Model> build_rattleback(const RattlebackOptions& options)
{
    ModelBuilder builder("rattleback");
    builder.settings().dt = 0.001;
    const MaterialId material = add_floor(builder, options.friction);
    // It starts level and rolls from the first step on: v = - w x r with r down to the floor.
    const Vec3 arm{0, 0, -options.radii.z};
    const BodyId body = builder.add_body(
        {.name = "rattleback",
         .position = {0, 0, options.radii.z},
         .inertia = Inertia{.mass = options.mass, .diagonal = options.inertia, .products = {options.product, 0, 0}},
         .linear_velocity = -cross(options.angular_velocity, arm),
         .angular_velocity = options.angular_velocity});
    builder.add_shape(body, Ellipsoid{.radii = options.radii},
                      {.name = "rattleback", .material = material, .colour = kAmber});
    return builder.build();
}

Result<Model> build_coin(const CoinOptions& options)
{
    ModelBuilder builder(options.hollow ? "ring" : "coin");
    builder.settings().dt = 0.001;
    const MaterialId material = add_floor(builder, options.friction);
    // The lowest point of the tilted ellipsoid.
    const double a = options.radius, b = options.half_thickness, s = std::sin(options.tilt), c = std::cos(options.tilt);
    const double height = std::sqrt(a * a * s * s + b * b * c * c);
    const Vec3 arm{(a * a - b * b) * s * c / height, 0, -height};
    const double axial = (options.hollow ? 1 : 0.5) * options.mass * a * a;
    const BodyId body =
        builder.add_body({.name = "coin",
                          .position = {0, 0, height},
                          .rotation = from_axis_angle({0, 1, 0}, options.tilt),
                          .inertia = Inertia{.mass = options.mass, .diagonal = {axial / 2, axial / 2, axial}},
                          .linear_velocity = -cross(options.angular_velocity, arm),
                          .angular_velocity = options.angular_velocity});
    builder.add_shape(body, Ellipsoid{.radii = {a, a, b}}, {.name = "coin", .material = material, .colour = kSteel});
    return builder.build();
}

}  // namespace rattleback::lab
