// Random pairs of shapes for tests of contact formulas: generic poses and those where formulas degenerate.
#pragma once

#include "geometry/placed_shape.h"
#include "math/random.h"

#include <utility>

namespace rattleback
{

/// A turn: any, about an axis of the world by quarter turns, or none.
inline Mat3 make_turn(Random& random)
{
    const auto quarter = [&] { return kPi / 2 * random.integer(0, 3); };
    const Quat any =
        normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Quat square = from_axis_angle(axes[random.integer(0, 2)], quarter());
    const Quat tilted = from_axis_angle(axes[random.integer(0, 2)], 1e-5 * random.integer(-3, 3)) * square;
    switch (random.integer(0, 5))
    {
        case 0:
            return to_matrix(Quat{});
        case 1:
            return to_matrix(square);
        case 2:
            return to_matrix(tilted);
        default:
            return to_matrix(any);
    }
}

/// A place: any, on a coarse grid on which many surfaces meet exactly, or a hair's breadth from the origin.
inline Vec3 make_place(Random& random)
{
    const auto on_grid = [&] { return 0.25 * random.integer(-4, 4); };
    switch (random.integer(0, 5))
    {
        case 0:
            return {};
        case 1:
            return {on_grid(), on_grid(), on_grid()};
        case 2:
            return {0, 0, on_grid()};
        case 3:
            return {1e-9 * on_grid(), 1e-200 * on_grid(), 0};
        default:
            return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    }
}

/// Two shapes, both turned the same way in a fifth of the cases, so that axes are parallel.
inline std::pair<PlacedShape, PlacedShape> make_random_pair(ShapeType first, ShapeType second, Random& random)
{
    const auto make = [&](ShapeType type)
    {
        PlacedShape shape;
        shape.type = type;
        const double sizes[] = {0.25, 0.5, random.uniform(0.1, 0.6)};
        shape.size = {sizes[random.integer(0, 2)], sizes[random.integer(0, 2)], sizes[random.integer(0, 2)]};
        shape.position = make_place(random);
        shape.rotation = make_turn(random);
        return shape;
    };
    std::pair<PlacedShape, PlacedShape> pair{make(first), make(second)};
    if (random.chance(0.2)) pair.second.rotation = pair.first.rotation;
    // Beside each other along an axis of the first, as far as makes them touch or overlap.
    if (random.chance(0.2))
    {
        const double along = random.uniform(-0.6, 0.6), aside = random.chance(0.2) ? 0 : random.uniform(0, 1);
        pair.second.position = pair.first.position + pair.first.rotation * Vec3{aside, 0, along};
    }
    return pair;
}

}  // namespace rattleback
