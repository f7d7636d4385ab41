// Multipliers and stiffnesses of what drives kinematic bodies.
#include "solvers/ipc/drive.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

Mat3 subtract(const Mat3& a, const Mat3& b)
{
    Mat3 difference = a;
    for (int i = 0; i < 9; ++i) difference.m[i] -= b.m[i];
    return difference;
}

double find_square(const Mat3& a)
{
    double square = 0;
    for (const double entry : a.m) square += entry * entry;
    return square;
}

template <class Visit>
void for_each_driven(const Layout& layout, Visit&& visit)
{
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        if (layout.groups[g].kinematic) visit(g);
    }
}

}  // namespace

DriveProgress find_progress(const Layout& layout, std::span<const Body> bodies, std::span<const Placement> now)
{
    // η = 1 - sqrt(Σ |rest|² / Σ |way|²). A track that stands still has no way, and of a load's push on it every rest
    // would be all of it: rests are measured against kLeast d̂ at least, turns against what moves a radius by that
    // (|R - 1|² = 2 angle²).
    constexpr double kLeast = 0.01;
    double rest = 0, way = 0, turn_rest = 0, turn_way = 0, size = 0, least = 0, turn_least = 0;
    for_each_driven(layout,
                    [&](std::size_t g)
                    {
                        const Vec3 left = bodies[g].target.center - now[g].center;
                        const Vec3 whole = bodies[g].target.center - bodies[g].start.center;
                        rest += dot(left, left);
                        way += dot(whole, whole);
                        size += dot(bodies[g].target.center, bodies[g].target.center);
                        turn_rest += find_square(subtract(bodies[g].target.matrix, now[g].matrix));
                        turn_way += find_square(subtract(bodies[g].target.matrix, bodies[g].start.matrix));
                        const double length = kLeast * layout.reach;
                        const double angle =
                            length / std::max(layout.groups[g].radius + layout.groups[g].round, length);
                        least += length * length;
                        turn_least += 2 * angle * angle;
                    });
    constexpr double kRounding = 1e-28;
    const auto find = [](double left, double whole, double rounding)
    { return left <= rounding ? 1 : 1 - std::sqrt(left / whole); };
    return {find(rest, std::max(way, least), kRounding * (1 + size)),
            find(turn_rest, std::max(turn_way, turn_least), kRounding)};
}

void begin_drives(const Layout& layout, std::span<Body> bodies)
{
    constexpr double kFirst = 1e3;
    for_each_driven(layout,
                    [&](std::size_t g)
                    {
                        bodies[g].center_hold = bodies[g].turn_hold = kFirst;
                        bodies[g].pull = {};
                        bodies[g].goal = bodies[g].target.matrix;
                    });
}

void raise_drives(const Layout& layout, const DriveProgress& progress, std::span<const Placement> now,
                  std::span<Body> bodies)
{
    constexpr double kMost = 1e8, kEnough = 0.999, kNearly = 0.99;
    for_each_driven(layout,
                    [&](std::size_t g)
                    {
                        Body& body = bodies[g];
                        if (progress.center < kNearly && body.center_hold < kMost)
                        {
                            // The multiplier stays: what it pulls beyond is halved.
                            body.center_hold *= 2;
                            body.pull = 0.5 * body.pull;
                        }
                        else if (progress.center <= kEnough)
                        {
                            body.pull -= now[g].center - body.target.center;
                        }
                        const Mat3 off = subtract(now[g].matrix, body.target.matrix);
                        const Mat3 beyond = subtract(body.goal, body.target.matrix);
                        if (progress.turn < kNearly && body.turn_hold < kMost)
                        {
                            body.turn_hold *= 2;
                            for (int i = 0; i < 9; ++i) body.goal.m[i] -= 0.5 * beyond.m[i];
                        }
                        else if (progress.turn <= kEnough)
                        {
                            for (int i = 0; i < 9; ++i) body.goal.m[i] -= off.m[i];
                        }
                    });
}

void fix_drives(const Layout& layout, double mass, std::span<Body> bodies)
{
    for_each_driven(layout,
                    [&](std::size_t g)
                    {
                        bodies[g].center_hold = bodies[g].turn_hold = mass / layout.groups[g].mass;
                        bodies[g].pull = {};
                        bodies[g].goal = bodies[g].target.matrix;
                    });
}

}  // namespace rattleback::ipc
