// Loose piles of cubes, the scene for which libuipc's times on a GPU are known: 0.1 m, 10 ms, d-hat 0.01 m.
#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/kit.h"
#include "lab/scenes/parts.h"

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

constexpr double kTolerance = 0.05;  // [m/s]

/// n x n x n cubes, a little turned and apart, fall on a floor.
Result<Model> build_cubes(const char* name, int n)
{
    Kit kit(name, {.dhat = 0.01, .friction = 0.5, .ground = 10});
    kit.builder().settings().solver_parameters["ipc"]["tolerance"] = kTolerance;
    Random random(21);
    constexpr double kHalf = 0.05, kApart = 0.13;  // [m]
    for (int i = 0; i < n * n * n; ++i)
    {
        const int x = i % n, y = i / n % n, z = i / (n * n);
        // Half the diagonal is 0.087 m: turned by up to 0.2 rad a cube stays within 0.06 m of its centre.
        const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        kit.add_box("cube " + std::to_string(i + 1), {kHalf, kHalf, kHalf},
                    {.position = {(x - 0.5 * (n - 1)) * kApart, (y - 0.5 * (n - 1)) * kApart, 0.08 + z * kApart},
                     .rotation = from_axis_angle((1 / norm(axis)) * axis, random.uniform(0, 0.1))});
    }
    return kit.finish();
}

/// They come to lie within a heap: none below the floor, none away, on the mean slower than the tolerance tells.
IpcVerdict judge_cubes(const IpcRun& run)
{
    double lowest = 1e300, mean = 0;
    const std::size_t count = run.end().pose.size() - 1;
    for (std::size_t b = 1; b <= count; ++b)
    {
        lowest = std::min(lowest, run.end().pose[b].position.z);
        mean += speed_of(run.end(), b) / static_cast<double>(count);
    }
    return make_verdict(lowest > 0.05, "lowest centre", lowest, "m") &&
           make_verdict(mean < kTolerance, "mean speed at the end", mean, "m/s");
}

constexpr std::array kCubes = {
    IpcScene{{"ipc/cubes_125", "a loose pile of 125 cubes", 2, "contact", [] { return build_cubes("cubes_125", 5); }},
             "",
             &judge_cubes},
    IpcScene{{"ipc/cubes_512", "a loose pile of 512 cubes", 2, "contact", [] { return build_cubes("cubes_512", 8); }},
             "",
             &judge_cubes},
    IpcScene{
        {"ipc/cubes_1000", "a loose pile of 1,000 cubes", 2, "contact", [] { return build_cubes("cubes_1000", 10); }},
        "",
        &judge_cubes},
};

}  // namespace

std::span<const IpcScene> cube_scenes() { return kCubes; }

}  // namespace rattleback::lab
