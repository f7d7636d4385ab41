// What the tests of `avbd`'s blocks share: random numbers and bodies, displaced bodies, slopes.
#pragma once

#include "math/rotation.h"
#include "solvers/avbd/blocks.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback::avbd
{

/// Numbers in [-1, 1], the same for a seed everywhere.
struct Numbers
{
    std::uint64_t state;
    double next()
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11) * 0x1p-52 - 1;
    }
    Vec3 vector()
    {
        const double x = next(), y = next(), z = next();
        return {x, y, z};
    }
    Vec3 unit()
    {
        Vec3 v = vector();
        while (norm(v) < 0.1) v = vector();
        return (1 / norm(v)) * v;
    }
};

inline Body make_body(Numbers& numbers)
{
    Body body;
    body.center = numbers.vector();
    body.rotation = body.rotation_now = exponential(numbers.vector());
    body.mass = 2;
    return body;
}

/// The body displaced along one of its six directions.
inline Body displaced(Body body, int direction, double by)
{
    if (direction < 3)
    {
        body.delta.linear[direction] += by;
        return body;
    }
    Vec3 turn;
    turn[direction - 3] = by;
    body.rotation_now = exponential(turn) * body.rotation_now;
    body.delta.angular = logarithm(body.rotation_now * conjugate(body.rotation));
    return body;
}

/// Central difference at zero.
template <class Function>
double slope_of(const Function& function, double by = 1e-5)
{
    return (function(by) - function(-by)) / (2 * by);
}

}  // namespace rattleback::avbd
