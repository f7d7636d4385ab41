// What the tests of `avbd`'s blocks share: random bodies, displaced bodies, slopes.
#pragma once

#include "math/random.h"
#include "math/rotation.h"
#include "solvers/avbd/blocks.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback::avbd
{

inline Body make_body(Random& random)
{
    Body body;
    body.center = random.in_box(1);
    body.rotation = body.rotation_now = exponential(random.in_box(1));
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

/// x of A x = b, by elimination with pivots; a is [A b].
inline Vector6 eliminate(double (&a)[6][7])
{
    for (std::size_t k = 0; k < 6; ++k)
    {
        std::size_t pivot = k;
        for (std::size_t r = k; r < 6; ++r) pivot = std::abs(a[r][k]) > std::abs(a[pivot][k]) ? r : pivot;
        std::swap(a[k], a[pivot]);
        for (std::size_t r = 0; r < 6; ++r)
        {
            const double factor = r == k ? 0 : a[r][k] / a[k][k];
            for (std::size_t c = k; c < 7; ++c) a[r][c] -= factor * a[k][c];
        }
    }
    Vector6 x;
    for (std::size_t k = 0; k < 6; ++k) x[k] = a[k][6] / a[k][k];
    return x;
}

}  // namespace rattleback::avbd
