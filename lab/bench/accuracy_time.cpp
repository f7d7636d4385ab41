// Computation time against the number of spheres ([PBD-R] Fig. 4), MuJoCo and the plain version beside it.
#include "lab/accuracy/naive.h"
#include "lab/bench/accuracy.h"
#include "lab/measure/measure.h"
#include "lab/scenes/rabbit.h"

#include "geometry/packing/packing.h"

#include <fmt/format.h>

#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Seconds for some frames of a test, the making left out: CPU time, or on the wall where there are several threads.
Result<double> time_frames(const AccuracySetup& setup, int test_number, const Contestant& who, int frames,
                           bool wall = false)
{
    setup.say(who.name);
    const Result<AccuracyCase> test = setup.make(test_number, who);
    if (!test.ok()) return test.errors();
    const AccuracyRun run = run_case(test.value(), who, frames);
    if (!run.refused.empty()) return Error{ErrorCode::unsupported, who.name, run.refused, ""};
    return wall ? run.seconds : run.cpu_seconds;
}

void add_seconds(std::string name, double seconds, std::string precision, BenchReport& report,
                 std::optional<double> bar = std::nullopt, std::string unit = "s", bool higher = false)
{
    report.figures.push_back({.name = std::move(name),
                              .value = seconds,
                              .unit = std::move(unit),
                              .bar = bar,
                              .higher_is_better = higher,
                              .precision = std::move(precision)});
}

/// Our solver against the plain version, in turn; how many times faster.
double find_speedup(const std::function<double()>& ours, const std::function<double()>& naive, int rounds)
{
    const std::vector<std::function<double()>> both = {ours, naive};
    const std::vector<double> medians = median_of_alternating(both, rounds);
    return medians[1] / medians[0];
}

}  // namespace

Status measure_time(const AccuracySetup& setup, BenchReport& report)
{
    const bool quick = setup.options.quick;
    struct Size
    {
        int n, frames;
    };
    // n^3 spheres: 125, 1e3, 1.06e4, 9.7e4, 1e6, 1e7
    std::vector<Size> sizes = {{5, 100}, {10, 100}, {22, 100}, {46, quick ? 10 : 100}};
    if (!quick) sizes.insert(sizes.end(), {{100, 5}, {215, 5}});
    std::vector<double> log_count, log_time;
    Plot plot{
        .title = "pushed box", .x_label = "spheres", .y_label = "seconds per frame", .log_x = true, .log_y = true};
    for (const int threads : {1, 2})
    {
        Curve curve{.name = fmt::format("pbdr, {} thread(s)", threads)};
        for (const Size& size : sizes)
        {
            const double count = std::pow(size.n, 3);
            const Contestant who = make_contestant(fmt::format("{:.3g} spheres, {} thread(s)", count, threads), "pbdr",
                                                   {{"across", size.n}, {"threads", threads}});
            const Result<double> seconds = time_frames(setup, 1, who, size.frames, threads > 1);
            if (!seconds.ok()) return seconds.errors();
            add_seconds(fmt::format("{} frames, {}, {}", size.frames, who.name, threads > 1 ? "wall" : "CPU"),
                        seconds.value(), "float", report);
            curve.x.push_back(count);
            curve.y.push_back(seconds.value() / size.frames);
            if (threads != 1 || size.n < 22 || size.n > 100) continue;
            log_count.push_back(std::log(count));
            log_time.push_back(std::log(seconds.value() / size.frames));
        }
        plot.curves.push_back(std::move(curve));
    }
    const Status drawn = setup.draw(plot, "time", report);
    if (!drawn.ok()) return drawn.errors();
    if (log_count.size() >= 2)
        add_seconds("growth exponent from 1e4 spheres on",
                    (log_time.back() - log_time.front()) / (log_count.back() - log_count.front()), "float", report, 1.1,
                    "");
    for (const Contestant& c : setup.contestants)
    {
        if (!c.solver.empty()) continue;
        const Result<double> seconds = time_frames(setup, 1, c, 100);
        if (seconds.ok()) add_seconds("100 frames, " + c.name, seconds.value(), "double", report);
    }
    const auto box = [&]
    { return time_frames(setup, 1, make_contestant("64 spheres", "pbdr", {{"across", 4}}), 100).value(); };
    const auto naive_box = []
    {
        const double begin = process_seconds();
        run_naive_box(4, 100);
        return process_seconds() - begin;
    };
    const int rounds = quick ? 3 : 7;
    setup.say("against the plain version");
    add_seconds("64 spheres, times faster than the plain version", find_speedup(box, naive_box, rounds), "float",
                report, 2, "times", true);

    const MeshOptions mesh = make_rabbit();
    const Result<std::vector<PackedSphere>> packed =
        pack_shape({.type = ShapeType::mesh, .mesh = &mesh}, {.radius = 0.005});
    if (!packed.ok()) return packed.errors();
    std::vector<float> flat;
    for (const PackedSphere& s : packed.value())
        for (int k = 0; k < 3; ++k) flat.push_back(static_cast<float>(s.center[k]));
    const int count = static_cast<int>(packed.value().size());
    const auto rabbit = [&]
    { return time_frames(setup, 4, make_contestant("rabbit", "pbdr", {{"radius", 0.005}}), quick ? 20 : 100).value(); };
    const auto naive_rabbit = [&]
    {
        const double begin = process_seconds();
        run_naive(reinterpret_cast<const float(*)[3]>(flat.data()), count, 0.005F, 2.18F, 10, quick ? 20 : 100);
        return process_seconds() - begin;
    };
    add_seconds(fmt::format("{} spheres, times faster than the plain version", count),
                find_speedup(rabbit, naive_rabbit, rounds), "float", report, 2, "times", true);
    return {};
}

}  // namespace rattleback::lab
