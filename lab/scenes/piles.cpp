// Pyramid, bin, joint grid, tumbler and heaps.
#include "lab/scenes/piles.h"

#include "lab/scenes/parts.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Poses of a body that turns about y at constant speed; no stretch is longer than 30 degrees.
Track make_turning_track(double speed, double duration)
{
    Track track;
    const int count = 1 + static_cast<int>(std::ceil(speed * duration / 30));
    for (int i = 0; i <= count; ++i)
    {
        const double angle = 30.0 * i;
        track.times.push_back(angle / speed);
        track.poses.push_back({{}, from_axis_angle({0, 1, 0}, angle * kDegree)});
    }
    return track;
}

void add_drum(ModelBuilder& builder, const TumblerOptions& options)
{
    constexpr int kSides = 8;
    constexpr double kHalf = 0.1;  // of the thickness of a wall [m]
    const BodyId drum = builder.add_body({.name = "drum", .kind = BodyKind::kinematic});
    const double width = (options.radius + 2 * kHalf) * std::tan(kPi / kSides);
    for (int i = 0; i < kSides; ++i)
    {
        const Quat turn = from_axis_angle({0, 1, 0}, 2 * kPi * i / kSides);
        builder.add_shape(drum, Box{.half_extents = {width, options.half_length, kHalf}},
                          {.name = "side " + std::to_string(i + 1),
                           .position = rotate(turn, Vec3{0, 0, options.radius + kHalf}),
                           .rotation = turn,
                           .colour = kSteel});
    }
    const double reach = options.radius + 2 * kHalf;
    for (const double end : {-1.0, 1.0})
    {
        // the end towards the camera is hardly seen
        Colour colour = kSteel;
        if (end < 0) colour[3] = 0.12F;
        builder.add_shape(drum, Box{.half_extents = {reach, kHalf, reach}},
                          {.name = end < 0 ? "front" : "back",
                           .position = {0, end * (options.half_length + kHalf), 0},
                           .colour = colour});
    }
    builder.add_track(drum, make_turning_track(options.speed, options.duration));
}

}  // namespace

Result<Model> build_flat_pyramid(const FlatPyramidOptions& options)
{
    ModelBuilder builder("flat_pyramid");
    builder.add_ground({.name = "floor", .colour = kFloor});
    const double half = options.size / 2;
    for (int row = 0; row < options.base; ++row)
    {
        const int count = options.base - row;
        for (int i = 0; i < count; ++i)
        {
            const std::string name = "box " + std::to_string(row + 1) + "." + std::to_string(i + 1);
            add_box(builder, name, {(i - 0.5 * (count - 1)) * options.size, 0, half + row * options.size},
                    {half, half, half}, 1000 * options.size * options.size * options.size, colour_of(row));
        }
    }
    return builder.build();
}

Result<Model> build_mixed_bin(const MixedBinOptions& options)
{
    constexpr ShapeType kKinds[] = {ShapeType::box, ShapeType::sphere, ShapeType::capsule, ShapeType::cylinder,
                                    ShapeType::hull};
    constexpr double kCell = 0.26;  // above twice the largest radius (0.14 m, of a box)
    const int side = std::max(2, static_cast<int>(std::lround(0.8 * std::cbrt(static_cast<double>(options.count)))));
    ModelBuilder builder("mixed_bin");
    builder.add_ground({.name = "floor", .colour = kFloor});
    const int layers = (options.count + side * side - 1) / (side * side);
    constexpr Colour kGlass{kSteel[0], kSteel[1], kSteel[2], 0.2F};  // pictures show what is inside
    add_walls(builder, 0.5 * side * kCell, 0.25 * layers * kCell, {}, kGlass);
    Random random(options.seed);
    const std::vector<MeshId> rocks = add_rocks(builder, random);
    for (int i = 0; i < options.count; ++i)
    {
        const int column = i % side, row = i / side % side, layer = i / (side * side);
        const Vec3 cell{column - 0.5 * (side - 1), row - 0.5 * (side - 1), layer + 0.6};
        const std::string name = "thing " + std::to_string(i + 1);
        const BodyId body =
            builder.add_body({.name = name, .position = kCell * cell, .rotation = draw_rotation(random)});
        builder.add_shape(body, make_stone(kKinds[i % 5], 0.06, random, rocks), {.name = name, .colour = colour_of(i)});
    }
    return builder.build();
}

Result<Model> build_joint_grid(const JointGridOptions& options)
{
    constexpr double kRadius = 0.4;
    constexpr int kHeld = 3;  // fixed balls on each side of the middle one
    ModelBuilder builder("joint_grid");
    std::vector<BodyId> balls;
    const int side = options.side;
    for (int i = 0; i < side * side; ++i)
    {
        const int row = i / side, column = i % side;
        const bool held = row == 0 && std::abs(column - side / 2) <= kHeld;
        const BodyId ball =
            builder.add_body({.name = "ball " + std::to_string(row + 1) + "." + std::to_string(column + 1),
                              .position = {column - 0.5 * (side - 1), 0, -1.0 * row},
                              .kind = held ? BodyKind::fixed : BodyKind::dynamic});
        builder.add_shape(ball, Sphere{.radius = kRadius},
                          {.category = 0, .mask = 0, .colour = held ? kInk : colour_of(row + column)});
        if (row > 0 && !(held && row == 0))
            builder.add_connect(balls[static_cast<std::size_t>(i - side)], ball, {0, 0, -0.5});
        const bool both_held = held && column - 1 >= side / 2 - kHeld;
        if (column > 0 && !both_held) builder.add_connect(balls.back(), ball, {0.5, 0, 0});
        balls.push_back(ball);
    }
    return builder.build();
}

Result<Model> build_tumbler(const TumblerOptions& options)
{
    ModelBuilder builder("tumbler");
    add_drum(builder, options);
    // A block of boxes with small gaps, as wide and as long as the drum lets it be.
    const double half = options.size / 2, pitch = 1.02 * options.size;
    const int length = static_cast<int>(std::floor(2 * (options.half_length - 0.02) / pitch));
    const int width = std::max(1, static_cast<int>(std::floor(1.4 * options.radius / pitch)));
    for (int i = 0; i < options.count; ++i)
    {
        const int column = i % width, row = i / width % length, layer = i / (width * length);
        const Vec3 position{(column - 0.5 * (width - 1)) * pitch, (row - 0.5 * (length - 1)) * pitch,
                            -0.68 * options.radius + (layer + 0.5) * pitch};
        add_box(builder, "box " + std::to_string(i + 1), position, {half, half, half},
                1000 * options.size * options.size * options.size, colour_of(layer));
    }
    return builder.build();
}

Result<Model> build_heaps(const HeapsOptions& options)
{
    constexpr int kHeap = 100, kSide = 5;
    const double cell = 1.75 * options.size;  // a little above the diagonal of a box
    const double apart = (kSide + 6) * cell;  // between the middles of heaps
    const int heaps = (options.count + kHeap - 1) / kHeap;
    const int across = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(heaps))));
    const double half = options.size / 2;
    ModelBuilder builder("heaps");
    builder.add_ground({.name = "floor", .colour = kFloor});
    Random random(options.seed);
    for (int i = 0; i < options.count; ++i)
    {
        const int heap = i / kHeap, k = i % kHeap, layer = k / (kSide * kSide);
        const int column = heap % across, row = heap / across;
        const Vec3 middle{apart * (column - 0.5 * (across - 1)), apart * (row - 0.5 * (across - 1)), 0};
        const Vec3 place{k % kSide - 0.5 * (kSide - 1), k / kSide % kSide - 0.5 * (kSide - 1), layer + 0.55};
        const BodyId body = builder.add_body({.position = middle + cell * place, .rotation = draw_rotation(random)});
        builder.add_shape(body, Box{.half_extents = {half, half, half}}, {.colour = colour_of(k)});
    }
    return builder.build();
}

}  // namespace rattleback::lab
