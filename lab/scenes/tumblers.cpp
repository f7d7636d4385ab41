// Free bodies without gravity or contact.
#include "lab/scenes/tumblers.h"

#include "lab/scenes/parts.h"

namespace rattleback::lab
{

Result<Model> build_tumble(const TumbleOptions& options)
{
    ModelBuilder builder("tumble");
    builder.settings().gravity = {0, 0, 0};
    builder.settings().dt = 0.001;
    const BodyId body = builder.add_body({.name = "body",
                                          .inertia = Inertia{.mass = 1, .diagonal = options.inertia},
                                          .angular_velocity = options.angular_velocity});
    builder.add_shape(body, Box{.half_extents = {0.45, 0.3, 0.15}}, {.name = "body", .colour = kAmber});
    return builder.build();
}

Result<Model> build_t_handle(const THandleOptions& options)
{
    constexpr double kDensity = 2700;  // aluminium [kg/m^3]
    const Cylinder crossbar{.radius = 0.010, .half_length = 0.060};
    const Cylinder stem{.radius = 0.012, .half_length = 0.030};
    // Both are cylinders of one material: masses go as r^2 l. The stem starts on the crossbar's axis.
    const double crossbar_mass = crossbar.radius * crossbar.radius * crossbar.half_length;
    const double stem_mass = stem.radius * stem.radius * stem.half_length;
    const double centre = stem.half_length * stem_mass / (stem_mass + crossbar_mass);

    ModelBuilder builder("t_handle");
    builder.settings().gravity = {0, 0, 0};
    const BodyId handle =
        builder.add_body({.name = "handle",
                          .position = {0, 0, 1},
                          .angular_velocity = {options.spin, options.perturbation, options.perturbation}});
    builder.add_shape(handle, crossbar,
                      {.name = "crossbar",
                       .position = {-centre, 0, 0},
                       .rotation = turn_z_to({0, 1, 0}),
                       .density = kDensity,
                       .colour = kSteel});
    builder.add_shape(handle, stem,
                      {.name = "stem",
                       .position = {stem.half_length - centre, 0, 0},
                       .rotation = turn_z_to({1, 0, 0}),
                       .density = kDensity,
                       .colour = kRust});
    builder.add_site(handle, {.name = "tip", .position = {2 * stem.half_length - centre, 0, 0}});
    return builder.build();
}

}  // namespace rattleback::lab
