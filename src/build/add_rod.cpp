// Rods: a chain of capsules tied by cable joints, from the moduli of a material.
#include "build/authored.h"
#include "math/align.h"
#include "model/checker.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr int kMostSegments = 1'000'000;

bool check_rod(const RodOptions& rod, Checker& checker)
{
    checker.enter("rod", rod.name);
    checker.require(rod.segments >= 1 && rod.segments <= kMostSegments, "it has not between 1 and 1,000,000 segments");
    checker.finite(rod.start, "start");
    checker.finite(rod.end, "end");
    checker.require(!(norm(rod.end - rod.start) <= 0), "start and end are one point");
    checker.positive(rod.radius, "radius");
    checker.positive(rod.density, "density");
    checker.not_negative(rod.young, "Young's modulus");
    if (rod.shear_modulus) checker.not_negative(*rod.shear_modulus, "shear modulus");
    checker.not_negative(rod.damping_time, "damping time");
    return checker.count() == 0;
}

/// Elasticity of a joint that stands for `length` of a rod (Kirchhoff: sections stay square to the axis).
Cable make_cable(const RodOptions& rod, double length)
{
    // E A / l, E I / l and G J / l of a round section: I = pi r^4 / 4, J = 2 I.
    const double squared = rod.radius * rod.radius, area = kPi * squared, second_moment = area * squared / 4;
    // G = E / (2 (1 + nu)); a third of E is nu = 1/2, an incompressible material.
    const double shear_modulus = rod.shear_modulus.value_or(rod.young / 3);
    const auto spring = [&](double stiffness) { return Spring{stiffness, rod.damping_time * stiffness}; };
    return {.stretch = spring(rod.young * area / length),
            .bend = spring(rod.young * second_moment / length),
            .twist = spring(shear_modulus * 2 * second_moment / length)};
}

}  // namespace

Rod ModelBuilder::add_rod(const RodOptions& options)
{
    Checker checker;
    Rod rod;
    if (!check_rod(options, checker))
    {
        for (Error& error : checker.take()) impl().mistakes.push_back(std::move(error));
        return rod;
    }
    // Segments are cylinders in mass and inertia, m (3 r^2 + l^2) / 12 across; capsules in contact, so that bends have
    // no gaps.
    const Vec3 along = options.end - options.start;
    const double length = norm(along) / options.segments, r = options.radius;
    const Quat rotation = turn_z_to(along);
    const double mass = options.density * kPi * r * r * length;
    const double across = mass * (3 * r * r + length * length) / 12;
    const auto name = [&](std::size_t i) { return options.name + ' ' + std::to_string(i); };
    const std::uint32_t mask = options.collide ? 1 : 0;
    for (int i = 0; i < options.segments; ++i)
    {
        // Segments are laid out straight from start to end, each about its own middle.
        const BodyId segment =
            add_body({.name = name(rod.segments.size()),
                      .position = options.start + ((i + 0.5) / options.segments) * along,
                      .rotation = rotation,
                      .inertia = Inertia{.mass = mass, .diagonal = {across, across, mass * r * r / 2}}});
        add_shape(segment, Capsule{.radius = r, .half_length = length / 2},
                  {.name = name(rod.segments.size()), .material = options.material, .category = mask, .mask = mask});
        rod.segments.push_back(segment);
    }
    const auto tie = [&](BodyId first, double place, BodyId second, std::optional<Pose> frame, double stands_for)
    {
        rod.joints.push_back(add_cable(first, second,
                                       {.name = name(rod.joints.size()),
                                        .first_frame = {.position = {0, 0, place}},
                                        .second_frame = frame,
                                        .cable = make_cable(options, stands_for)}));
    };
    // An end joint stands for half a segment: from the clamp to the segment's middle.
    const auto clamp = [&](BodyId body, BodyId segment, double place)
    {
        if (!body.valid()) return;
        tie(segment, place, body, std::nullopt, length / 2);
        exclude(body, segment);
    };
    clamp(options.first_body, rod.segments.front(), -length / 2);
    for (std::size_t i = 0; i + 1 < rod.segments.size(); ++i)
        tie(rod.segments[i], length / 2, rod.segments[i + 1], Pose{.position = {0, 0, -length / 2}}, length);
    clamp(options.second_body, rod.segments.back(), length / 2);
    // segments whose caps overlap when the rod is straight
    for (std::size_t i = 0; i < rod.segments.size(); ++i)
    {
        for (std::size_t k = 1; i + k < rod.segments.size() && static_cast<double>(k - 1) * length <= 2 * r; ++k)
            exclude(rod.segments[i], rod.segments[i + k]);
    }
    return rod;
}

}  // namespace rattleback
