// Wheels with teeth of boxes.
#include "lab/scenes/gears.h"

#include "lab/scenes/parts.h"
#include "math/elementary.h"

namespace rattleback::lab
{

namespace
{

BodyId add_wheel(ModelBuilder& builder, const GearsOptions& options, const std::string& name, double x, double phase,
                 MaterialId material, Colour colour)
{
    const BodyId wheel = builder.add_body({.name = name, .position = {x, 0, 0.2}});
    const double core = options.radius - 0.8 * options.height;  // the other's teeth pass it
    // A cylinder stands along z; the wheel turns about y.
    builder.add_shape(wheel, Cylinder{.radius = core, .half_length = 0.02},
                      {.name = name + "_core",
                       .rotation = from_axis_angle({1, 0, 0}, 0.5 * kPi),
                       .material = material,
                       .colour = colour});
    // A tooth reaches from the core to half its height beyond the circle where teeth meet.
    const double half = 0.5 * (options.radius + 0.5 * options.height - core);
    for (int k = 0; k < options.tooth_count; ++k)
    {
        const double angle = phase + 2 * kPi * k / options.tooth_count;
        const Vec3 out{cos(angle), 0, -sin(angle)};
        builder.add_shape(wheel, Box{.half_extents = {half, 0.02, 0.5 * options.width}},
                          {.name = name + "_tooth" + std::to_string(k),
                           .position = (core + half) * out,
                           .rotation = from_axis_angle({0, 1, 0}, angle),
                           .material = material,
                           .colour = colour});
    }
    return wheel;
}

}  // namespace

Result<Model> build_gears(const GearsOptions& options)
{
    ModelBuilder builder("gears");
    builder.settings().integrator = Integrator::implicitfast;
    const MaterialId material = builder.add_material({.name = "teeth", .friction = 0.1});
    // Teeth of the second point between those of the first.
    const double half_tooth = kPi / options.tooth_count;
    const BodyId driver = add_wheel(builder, options, "driver", -options.radius, half_tooth, material, kAmber);
    const BodyId driven = add_wheel(builder, options, "driven", options.radius, 0, material, kTeal);
    const JointId first = builder.add_joint(driver, {.name = "driver", .axis = {0, 1, 0}, .armature = 1e-3});
    builder.add_joint(driven, {.name = "driven", .axis = {0, 1, 0}, .damping = options.load});
    builder.add_velocity_actuator(first, {.name = "motor", .gain = 1, .force_range = limits(5)});
    return builder.build();
}

}  // namespace rattleback::lab
