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

Result<Model> build_tippe_top(const TippeTopOptions& options)
{
    ModelBuilder builder("tippe_top");
    builder.settings().dt = 0.001;
    const MaterialId material = add_floor(builder, options.friction);
    const Quat tilt = from_axis_angle({0, 1, 0}, options.tilt);
    const Vec3 stem = rotate(tilt, Vec3{0, 0, 1});
    // The body's origin is its centre of mass, the ball above it along the stem.
    const BodyId body = builder.add_body(
        {.name = "top",
         .position = Vec3{0, 0, options.radius} - options.offset * stem,
         .rotation = tilt,
         .inertia = Inertia{.mass = options.mass, .diagonal = {options.transverse, options.transverse, options.axial}},
         .angular_velocity = {0, 0, options.spin}});
    builder.add_shape(body, Sphere{.radius = options.radius},
                      {.name = "ball", .position = {0, 0, options.offset}, .material = material, .colour = kTeal});
    const double top = options.offset + options.radius;
    add_limb(builder, body, {0, 0, top}, {0, 0, top + 0.4 * options.radius}, 0.12 * options.radius,
             {.name = "stem", .category = 0, .mask = 0, .colour = kAmber});
    // A stripe, by which the eye sees it spin.
    builder.add_shape(body, Cylinder{.radius = 1.01 * options.radius, .half_length = 0.06 * options.radius},
                      {.name = "stripe",
                       .position = {0, 0, options.offset},
                       .rotation = from_axis_angle({1, 0, 0}, 0.5 * kPi),
                       .category = 0,
                       .mask = 0,
                       .colour = kPaper});
    return builder.build();
}

}  // namespace rattleback::lab
