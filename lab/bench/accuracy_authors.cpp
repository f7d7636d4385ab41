// What of [PBD-R] Fig. 3 comes out with the arithmetic of its authors' code instead of ours.
#include "lab/bench/accuracy.h"

#include <fmt/format.h>

#include <cmath>

namespace rattleback::lab
{

/// Tests 1 to 7 with the centre of shape matching as the authors' code takes it (sums about the world's origin over a
/// mass that was added up one by one in float), its clamp of 1e5 m/s and a rough polar decomposition. Where the mass of
/// a sphere is no binary fraction the centre is off by a constant factor d, x grows or swings as x'' = 10 d x / h^2,
/// and plain PBD runs into the clamp.
Status run_authors_arithmetic(const AccuracySetup& setup, BenchReport& report)
{
    struct Row
    {
        std::string_view name;
        Parameters parameters;
    };
    const auto text = [](const char* word) { return std::string(word); };
    const std::vector<Row> rows = {
        {"our centre", {}},
        {"authors' centre", {{"centre", text("world")}}},
        {"authors' centre and clamp", {{"centre", text("world")}, {"speed_limit", 1e5}}},
        {"authors' centre, clamp and rough polar",
         {{"centre", text("world")}, {"speed_limit", 1e5}, {"polar", text("fast")}}},
        {"authors' centre and clamp, in double",
         {{"centre", text("world")}, {"speed_limit", 1e5}, {"precision", text("double")}}},
    };
    for (int number = 1; number <= kCaseCount; ++number)
    {
        if (!setup.wants(number)) continue;
        for (const char* solver : {"pbd", "pbdr"})
        {
            for (const Row& row : rows)
            {
                Contestant who = make_contestant(fmt::format("{}, {}", solver, row.name), solver, row.parameters);
                who.parameters["radius"] = 0.005;
                setup.say(fmt::format("test {}, {}", number, who.name));
                const Result<AccuracyCase> test = setup.make(number, who);
                if (!test.ok()) return test.errors();
                const AccuracyRun run = run_case(test.value(), who, setup.options.quick ? 100 : 0);
                if (!run.trouble.empty())
                    report.notes.push_back(fmt::format("test {}, {}: {}", number, who.name, run.trouble));
                if (run.samples.empty()) continue;
                const auto add = [&](std::string_view what, double value, const char* unit)
                {
                    report.figures.push_back({.name = fmt::format("test {}, {}: {}", number, who.name, what),
                                              .value = value,
                                              .unit = unit,
                                              .higher_is_better = false,
                                              .precision = run.precision});
                };
                add("position error", run.end().position, "m");
                add("yaw error", std::abs(run.end().yaw), "degrees");
            }
        }
    }
    return {};
}

}  // namespace rattleback::lab
