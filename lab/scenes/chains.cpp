// Chains.
#include "lab/scenes/chains.h"

#include "lab/scenes/parts.h"

namespace rattleback::lab
{

namespace
{

constexpr std::array kLinkColours = {kTeal, kSteel, kAmber, kSteel};

Colour link_colour(int index) { return kLinkColours[static_cast<std::size_t>(index) % kLinkColours.size()]; }

}  // namespace

Result<Model> build_chain5(const Chain5Options& options)
{
    constexpr double kThickness = 0.04;
    constexpr std::array kPattern = {1.0, -2.5, 3.0, -1.5, 4.0};  // joint velocities, so that every link turns

    ModelBuilder builder("chain5");
    builder.settings().gravity = {0, 0, 0};
    BodyId parent = kWorld;
    for (int i = 0; i < options.link_count; ++i)
    {
        const std::string number = std::to_string(i + 1);
        const Vec3 place = i == 0 ? Vec3{} : Vec3{options.length, 0, 1.25 * kThickness};
        const BodyId link = builder.add_body({.name = "link " + number, .parent = parent, .position = place});
        builder.add_joint(link, {.name = "hinge " + number,
                                 .axis = {0, 0, 1},
                                 .initial_position = i == 0 ? 0.0 : 0.3,
                                 .initial_velocity = options.speed * kPattern[static_cast<std::size_t>(i % 5)]});
        builder.add_shape(link, Box{.half_extents = {options.length / 2, 0.03, kThickness / 2}},
                          {.name = "link " + number,
                           .position = {options.length / 2, 0, 0},
                           .mass = 1,
                           .category = 0,
                           .mask = 0,
                           .colour = link_colour(i)});
        parent = link;
    }
    builder.add_site(parent, {.name = "tip", .position = {options.length, 0, 0}});
    return builder.build();
}

Result<Model> build_chain(const ChainOptions& options)
{
    ModelBuilder builder("chain");
    BodyId parent = kWorld;
    for (int i = 0; i < options.link_count; ++i)
    {
        const std::string number = std::to_string(i + 1);
        const Vec3 place = i == 0 ? Vec3{0, 0, 2.2} : Vec3{options.length, 0, 0};
        const Quat turn = i == 0 ? from_axis_angle({0, 1, 0}, kPi / 2 - options.angle) : Quat{};
        const BodyId link =
            builder.add_body({.name = "link " + number, .parent = parent, .position = place, .rotation = turn});
        builder.add_joint(link, {.name = "ball " + number, .type = JointType::ball});
        // Links pass through each other: this scene is about the joints.
        add_limb(builder, link, {}, {options.length, 0, 0}, options.radius,
                 {.name = "link " + number, .density = 2700, .category = 0, .mask = 0, .colour = link_colour(i)});
        parent = link;
    }
    builder.add_site(parent, {.name = "tip", .position = {options.length, 0, 0}});
    return builder.build();
}

}  // namespace rattleback::lab
