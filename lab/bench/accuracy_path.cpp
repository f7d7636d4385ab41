// A box pushed along a path by a controller with feedback: who is a plant like the others?
#include "lab/accuracy/path_pushing.h"
#include "lab/bench/accuracy.h"

#include <fmt/format.h>

namespace rattleback::lab
{

Status follow_paths(const AccuracySetup& setup, BenchReport& report)
{
    report.notes.push_back(
        "path: y = 0.05 m (1 - cos(2 pi x / 1 m)), 20 s at 5 cm/s, the box is seen every 10 ms; friction 0.4 on the "
        "floor, 0.05 at the rod");
    std::vector<PathPushRun> runs;
    const auto add = [&](const PathPushRun& run, const std::string& what, double value, const char* unit)
    {
        report.figures.push_back({.name = fmt::format("path, {}: {}", run.who, what),
                                  .value = value,
                                  .unit = unit,
                                  .higher_is_better = false,
                                  .precision = run.precision});
    };
    std::vector<Contestant> contestants = setup.contestants;
    // Pyramids resist least along their diagonals, and a box that is pushed finds that way: both cones are shown.
    for (const Contestant& contestant : setup.contestants)
    {
        if (contestant.name == "convex")
            contestants.push_back(
                make_contestant("convex, elliptic cones", "convex", {{"cone", std::string("elliptic")}}));
    }
    for (const Contestant& contestant : contestants)
    {
        setup.say("path, " + contestant.name);
        const PathPushOptions options{.seconds = setup.options.quick ? 8.0 : 20.0};
        PathPushRun run = push_along_path(contestant, options);
        if (!run.refused.empty())
        {
            report.notes.push_back(
                fmt::format("path, {}: cannot run it: {}", run.who, run.refused.substr(0, run.refused.find('\n'))));
            continue;
        }
        if (!run.trouble.empty()) report.notes.push_back(fmt::format("path, {}: {}", run.who, run.trouble));
        add(run, "root mean square distance from the path", 1000 * run.mean_square, "mm");
        add(run, "largest distance", 1000 * run.worst, "mm");
        add(run, "way along x", run.way, "m");
        PathPushOptions blind = options;
        blind.feedback = false;
        const PathPushRun alone = push_along_path(contestant, blind);
        add(run, "root mean square distance without feedback", 1000 * alone.mean_square, "mm");
        runs.push_back(std::move(run));
    }
    for (const PathPushRun& run : runs)
    {
        for (const PathPushRun& other : runs)
        {
            const bool judge = other.who.starts_with("convex") || other.who.starts_with("mujoco");
            if (judge && run.who == "refined")
                add(run, "root mean square distance from where " + other.who + " has the box",
                    1000 * find_path_difference(run, other), "mm");
        }
    }
    return {};
}

}  // namespace rattleback::lab
