// Boxes on boxes, the random pile and the full bin.
#include "lab/scenes/stacks.h"

#include "lab/scenes/parts.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

Shape random_shape(Random& random)
{
    switch (random.bits() % 3)
    {
        case 0:
            return Box{.half_extents = {random.uniform(0.03, 0.075), random.uniform(0.03, 0.075),
                                        random.uniform(0.03, 0.075)}};
        case 1:
            return Sphere{.radius = random.uniform(0.04, 0.1)};
        default:
            return Capsule{.radius = random.uniform(0.03, 0.055), .half_length = random.uniform(0.03, 0.07)};
    }
}

}  // namespace

Result<Model> build_box_stack(const BoxStackOptions& options)
{
    ModelBuilder builder("box_stack");
    builder.add_ground({.name = "floor", .colour = kFloor});
    const double half = options.size / 2;
    for (int i = 0; i < options.box_count; ++i)
    {
        add_box(builder, "box " + std::to_string(i + 1), {0, 0, half + options.size * i}, {half, half, half},
                1000 * options.size * options.size * options.size, colour_of(i));
    }
    return builder.build();
}

Result<Model> build_mass_ratio(const MassRatioOptions& options)
{
    ModelBuilder builder("mass_ratio");
    builder.add_ground({.name = "floor", .colour = kFloor});
    add_box(builder, "light", {0, 0, 0.1}, {0.1, 0.1, 0.1}, options.light, kPaper);
    add_box(builder, "heavy", {0, 0, 0.4}, {0.2, 0.2, 0.2}, options.light * options.ratio, kInk);
    return builder.build();
}

Result<Model> build_wall(const WallOptions& options)
{
    constexpr Vec3 kHalf{0.12, 0.055, 0.035};  // a common brick
    constexpr double kGap = 0.002;             // between neighbours, so that only the courses touch
    constexpr double kDensity = 1900;

    ModelBuilder builder("wall");
    builder.add_ground({.name = "floor", .colour = kFloor});
    for (int row = 0; row < options.rows; ++row)
    {
        for (int column = 0; column < options.columns; ++column)
        {
            const double shift = 0.5 * (row % 2) + column - 0.5 * options.columns;
            const std::string name = "brick " + std::to_string(row + 1) + "." + std::to_string(column + 1);
            add_box(builder, name, {shift * (2 * kHalf.x + kGap), 0, kHalf.z * (2 * row + 1)}, kHalf,
                    8 * kHalf.x * kHalf.y * kHalf.z * kDensity, (row + column) % 2 == 0 ? kRust : kAmber);
        }
    }
    if (options.ball_speed > 0)
    {
        const double radius = options.ball_radius;
        const double height = std::max(radius, 0.5 * 2 * kHalf.z * options.rows);
        const BodyId ball = builder.add_body({.name = "ball",
                                              .position = {0, -options.ball_distance - radius - kHalf.y, height},
                                              .linear_velocity = {0, options.ball_speed, 0}});
        builder.add_shape(ball, Sphere{.radius = radius}, {.name = "ball", .mass = options.ball_mass, .colour = kInk});
    }
    return builder.build();
}

Result<Model> build_pile(const PileOptions& options)
{
    constexpr double kSpacing = 0.32;  // above twice the largest radius (0.13) plus twice the jitter
    constexpr double kJitter = 0.02;
    constexpr int kSide = 5;

    ModelBuilder builder("pile");
    builder.add_ground({.name = "floor", .colour = kFloor});
    Random random(options.seed);
    for (int i = 0; i < options.count; ++i)
    {
        const int layer = i / (kSide * kSide);
        const Vec3 cell{i % kSide - 0.5 * (kSide - 1), i / kSide % kSide - 0.5 * (kSide - 1), 0.6 + layer};
        const Vec3 jitter{random.uniform(-kJitter, kJitter), random.uniform(-kJitter, kJitter), 0};
        const std::string name = "thing " + std::to_string(i + 1);
        const Shape shape = random_shape(random);
        const BodyId body =
            builder.add_body({.name = name, .position = kSpacing * cell + jitter, .rotation = draw_rotation(random)});
        builder.add_shape(body, shape, {.name = name, .colour = colour_of(static_cast<int>(random.bits() % 4))});
    }
    return builder.build();
}

Result<Model> build_capsules(const CapsulesOptions& options)
{
    const double spacing = 6.4 * options.radius;  // above the length of a capsule
    const int side = static_cast<int>(std::ceil(std::sqrt(1.0 * options.count / options.layers) - 1e-9));
    ModelBuilder builder("capsules");
    const MaterialId soft = options.soft ? builder.add_material({.softness = Impedance{}}) : MaterialId{};
    builder.add_ground({.name = "floor", .material = soft, .colour = kFloor});
    Random random(options.seed);
    for (int i = 0; i < options.count; ++i)
    {
        const int layer = i / (side * side);
        const Vec3 cell{i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1), 0.6 + layer};
        const std::string name = "capsule " + std::to_string(i + 1);
        const BodyId body =
            builder.add_body({.name = name, .position = spacing * cell, .rotation = draw_rotation(random)});
        builder.add_shape(body, Capsule{.radius = options.radius, .half_length = 2 * options.radius},
                          {.name = name, .material = soft, .colour = colour_of(i)});
    }
    return builder.build();
}

Result<Model> build_rocks(const RocksOptions& options)
{
    constexpr double kCell = 0.2, kHeight = 1;
    constexpr int kSide = 5;
    ModelBuilder builder("rocks");
    const MaterialId soft = builder.add_material({.softness = Impedance{}});
    builder.add_ground({.name = "floor", .material = soft, .colour = kFloor});
    add_walls(builder, 0.5 * kSide * kCell, kHeight, soft);
    Random random(options.seed);
    const std::vector<MeshId> rocks = add_rocks(builder, random);
    for (int i = 0; i < options.count; ++i)
    {
        const int layer = i / (kSide * kSide);
        const Vec3 cell{i % kSide - 0.5 * (kSide - 1), i / kSide % kSide - 0.5 * (kSide - 1), 0.7 + layer};
        const std::string name = "rock " + std::to_string(i + 1);
        const BodyId body =
            builder.add_body({.name = name, .position = kCell * cell, .rotation = draw_rotation(random)});
        builder.add_shape(body, Hull{.mesh = rocks[random.bits() % rocks.size()]},
                          {.name = name, .material = soft, .colour = colour_of(i)});
    }
    return builder.build();
}

Result<Model> build_pyramid(const PyramidOptions& options)
{
    ModelBuilder builder("pyramid");
    builder.add_ground({.name = "floor", .colour = kFloor});
    const double half = options.size / 2;
    const double mass = 1000 * options.size * options.size * options.size;
    for (int layer = 0; layer < options.layers; ++layer)
    {
        const int side = options.layers - layer;
        for (int i = 0; i < side * side; ++i)
        {
            const int column = i % side, row = i / side;
            const Vec3 position{(column - 0.5 * (side - 1)) * options.size, (row - 0.5 * (side - 1)) * options.size,
                                half + layer * (options.size + options.gap) + options.gap};
            const std::string name = "box " + std::to_string(layer + 1) + "." + std::to_string(i + 1);
            add_box(builder, name, position, {half, half, half}, mass, colour_of(layer));
        }
    }
    return builder.build();
}

Result<Model> build_bin(const BinOptions& options)
{
    constexpr int kSide = 10;
    constexpr double kCell = 0.15, kHeight = 1.5;
    constexpr ShapeType kKinds[] = {ShapeType::box,      ShapeType::sphere,    ShapeType::capsule,
                                    ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull};
    ModelBuilder builder("bin");
    builder.add_ground({.name = "floor", .colour = kFloor});
    add_walls(builder, 0.5 * kSide * kCell + 0.02, kHeight, {});
    Random random(options.seed);
    const std::vector<MeshId> rocks = add_rocks(builder, random);
    for (int i = 0; i < options.count; ++i)
    {
        const int layer = i / (kSide * kSide);
        const int column = i % kSide, row = i / kSide % kSide;
        const Vec3 cell{column - 0.5 * (kSide - 1), row - 0.5 * (kSide - 1), layer + 0.55};
        const std::string name = "thing " + std::to_string(i + 1);
        const BodyId body =
            builder.add_body({.name = name, .position = kCell * cell, .rotation = draw_rotation(random)});
        builder.add_shape(body, make_stone(kKinds[i % 6], 0.05, random, rocks), {.name = name, .colour = colour_of(i)});
    }
    return builder.build();
}

}  // namespace rattleback::lab
