// The sweeps of bench `accuracy`: friction and force, number of spheres, parts of the method taken away.
#include "lab/bench/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

void add_figure(std::string name, double value, std::string unit, const AccuracyRun& run, BenchReport& report,
                std::optional<double> bar = std::nullopt)
{
    report.figures.push_back({.name = std::move(name),
                              .value = value,
                              .unit = std::move(unit),
                              .bar = bar,
                              .higher_is_better = false,
                              .precision = run.precision});
}

/// Subjects of the paper's sweeps, and every other solver that can run test 1.
std::vector<Contestant> sweep_subjects(const AccuracySetup& setup)
{
    std::vector<Contestant> subjects;
    for (const Contestant& c : setup.contestants)
    {
        const Result<AccuracyCase> test = setup.make(1, c);
        if (test.ok() && run_case(test.value(), c, 1).refused.empty()) subjects.push_back(c);
    }
    return subjects;
}

}  // namespace

/// Figure 7: test 1 for friction 0 to 0.8 and forces of 1 to 10 times the threshold (without friction: the weight's
/// tenth).
Status sweep_friction(const AccuracySetup& setup, BenchReport& report)
{
    const int side = setup.options.quick ? 3 : 8;
    for (const Contestant& contestant : sweep_subjects(setup))
    {
        AccuracyRun head{.who = contestant.name};
        double worst = 0, worst_rotation = 0;
        std::vector<double> errors;
        int tumbled = 0;
        std::string grid;
        for (int row = 0; row < side; ++row)
        {
            const double friction = 0.8 * row / (side - 1);
            for (int column = 0; column < side; ++column)
            {
                const double times = 1 + 9.0 * column / (side - 1);
                const double force = times * std::max(friction, 0.1) * 4 * kCaseGravity;
                setup.say(fmt::format("{}: friction {:.2f}, force {:.1f} N", contestant.name, friction, force));
                const Result<AccuracyCase> test = setup.make(1, contestant, {.friction = friction, .force = force});
                if (!test.ok()) return test.errors();
                const AccuracyRun run = run_case(test.value(), contestant);
                head.precision = run.precision;
                const double error = run.end().position;
                errors.push_back(error);
                worst = std::max(worst, error);
                worst_rotation = std::max(worst_rotation, run.end().rotation);
                if (run.end().rotation > 10 || !run.trouble.empty()) ++tumbled;
                grid += fmt::format(" {:.1e}", error);
            }
            grid += " |";
        }
        std::sort(errors.begin(), errors.end());
        report.notes.push_back(contestant.name + ", position error [m], rows by friction 0..0.8:" + grid);
        add_figure(contestant.name + ": median position error over the sweep", errors[errors.size() / 2], "m", head,
                   report);
        add_figure(contestant.name + ": worst position error over the sweep", worst, "m", head, report);
        add_figure(contestant.name + ": worst rotation error over the sweep", worst_rotation, "degrees", head, report);
        add_figure(contestant.name + ": runs that tumbled or broke off", tumbled, "runs", head, report);
    }
    return {};
}

/// Figures 5, 6 and 9: tests 2, 5 and 7 for several numbers of spheres.
Status sweep_resolution(const AccuracySetup& setup, BenchReport& report)
{
    const auto run_one = [&](int number, const Contestant& who, const CaseOptions& changes) -> Result<AccuracyRun>
    {
        setup.say(fmt::format("test {}, {}", number, who.name));
        const Result<AccuracyCase> test = setup.make(number, who, changes);
        if (!test.ok()) return test.errors();
        return run_case(test.value(), who);
    };
    const std::vector<int> counts = setup.options.quick ? std::vector{2, 4, 6} : std::vector{2, 3, 4, 5, 6, 8, 10};
    for (const int n : counts)
    {
        const Contestant who = make_contestant(fmt::format("pbdr, n = {}", n), "pbdr", {{"across", n}});
        const Result<AccuracyRun> turned = run_one(2, who, {});
        if (!turned.ok()) return turned.errors();
        const double law = 1074.2958 / (n * n - 1);
        add_figure(fmt::format("test 2, {} (law {:.1f}): yaw error", who.name, law), std::abs(turned.value().end().yaw),
                   "degrees", turned.value(), report, law + 2);
    }
    for (const double radius : {0.010, 0.009, 0.008, 0.007, 0.006, 0.005})
    {
        if (setup.options.quick && radius < 0.008) break;
        for (const char* packing : {"uniform", "exact"})
        {
            const Contestant who = make_contestant(fmt::format("pbdr, r = {:.0f} mm, {}", 1000 * radius, packing),
                                                   "pbdr", {{"radius", radius}, {"packing", std::string(packing)}});
            const Result<AccuracyRun> turned = run_one(5, who, {});
            if (!turned.ok()) return turned.errors();
            if (turned.value().samples.empty()) continue;
            add_figure(fmt::format("test 5, {}: yaw error", who.name), std::abs(turned.value().end().yaw), "degrees",
                       turned.value(), report);
        }
    }
    for (const double offset : {0.0, 0.01})
    {
        Curve corrected{.name = "corrected reference"}, printed{.name = "authors' reference"};
        for (const int n : counts)
        {
            const Contestant who = make_contestant(fmt::format("pbdr, n = {}", n), "pbdr", {{"across", n}});
            const Result<AccuracyRun> pushed = run_one(7, who, {.box_offset = offset});
            if (!pushed.ok()) return pushed.errors();
            for (Curve* curve : {&corrected, &printed}) curve->x.push_back(std::pow(n, 3));
            corrected.y.push_back(pushed.value().end().position);
            printed.y.push_back(pushed.value().end().printed_position);
            const std::optional<double> bar = offset == 0 && n == 4    ? std::optional(0.010)
                                              : offset == 0 && n == 10 ? std::optional(0.002)
                                                                       : std::nullopt;
            add_figure(fmt::format("test 7, offset {:.0f} mm, {}: position error", 1000 * offset, who.name),
                       pushed.value().end().position, "m", pushed.value(), report, bar);
            add_figure(
                fmt::format("test 7, offset {:.0f} mm, {}: against the authors' reference", 1000 * offset, who.name),
                pushed.value().end().printed_position, "m", pushed.value(), report);
        }
        const Status drawn = setup.draw({.title = fmt::format("test 7, offset {:.0f} mm, pbdr", 1000 * offset),
                                         .x_label = "spheres",
                                         .y_label = "position error [m]",
                                         .curves = {corrected, printed},
                                         .log_x = true,
                                         .log_y = true},
                                        fmt::format("resolution_offset_{:.0f}", 1000 * offset), report);
        if (!drawn.ok()) return drawn.errors();
    }
    return {};
}

/// Table III: test 1 with 2 N and no friction (the authors' defaults), each part of PBD-R taken away in turn.
Status run_ablation(const AccuracySetup& setup, BenchReport& report)
{
    struct Row
    {
        std::string_view name;
        Parameters parameters;
        std::string_view paper;
    };
    const std::vector<Row> rows = {
        {"nothing taken away", {}, "1.0e-3 m"},
        {"without the velocity update", {{"velocity_update", std::string("difference")}}, "1.33 m"},
        {"without linear momentum", {{"linear_momentum", false}}, "3.95 m"},
        {"without angular momentum", {{"angular_momentum", false}}, "135.85 degrees"},
    };
    for (const Row& row : rows)
    {
        for (const char* polar : {"exact", "fast"})
        {
            for (const char* summation : {"tree", "sequential", "compensated"})
            {
                Contestant who = make_contestant(
                    fmt::format("{} ({} sums, {} polar; paper {})", row.name, summation, polar, row.paper), "pbdr",
                    row.parameters);
                who.parameters["summation"] = std::string(summation);
                who.parameters["polar"] = std::string(polar);
                setup.say(who.name);
                const Result<AccuracyCase> test = setup.make(1, who, {.friction = 0.0, .force = 2.0});
                if (!test.ok()) return test.errors();
                const AccuracyRun run = run_case(test.value(), who);
                const bool barred = row.parameters.contains("velocity_update") &&
                                    std::string_view(summation) == "sequential" && std::string_view(polar) == "exact";
                add_figure(who.name + ": position error", run.end().position, "m", run, report,
                           barred ? std::optional(1.4) : std::nullopt);
                add_figure(who.name + ": yaw error", std::abs(run.end().yaw), "degrees", run, report);
                add_figure(who.name + ": rotation error", run.end().rotation, "degrees", run, report);
            }
        }
    }
    return {};
}

Status search_mujoco(const AccuracySetup& setup, BenchReport& report)
{
    report.notes.emplace_back(
        "the best of all documented settings that were tried, chosen test by test with the results in view; a run that "
        "reset itself does not count");
    for (int number = 1; number <= kCaseCount; ++number)
    {
        if (!setup.wants(number)) continue;
        const auto find_best = [&](const std::vector<Contestant>& all) -> Result<AccuracyRun>
        {
            AccuracyRun best;
            for (const Contestant& who : all)
            {
                setup.say(fmt::format("test {}, {}", number, who.name));
                const Result<AccuracyCase> test = setup.make(number, who);
                if (!test.ok()) return test.errors();
                AccuracyRun run = run_case(test.value(), who);
                if (run.trouble.empty() && find_error(number, run) < find_error(number, best)) best = std::move(run);
            }
            return best;
        };
        std::vector<Contestant> ours;
        for (const Contestant& who : setup.contestants)
            if (!who.solver.empty()) ours.push_back(who);
        for (const std::vector<Contestant>& field : {all_mujoco_settings(), ours})
        {
            const Result<AccuracyRun> best = find_best(field);
            if (!best.ok()) return best.errors();
            if (best.value().samples.empty()) continue;
            const bool turns = is_about_turning(number);
            add_figure(fmt::format("test {} ({}), best of {}: {}: {} error", number, case_name(number), field.size(),
                                   best.value().who, turns ? "yaw" : "position"),
                       find_error(number, best.value()), turns ? "degrees" : "m", best.value(), report);
            add_figure(fmt::format("test {}, the same run: rotation error", number), best.value().end().rotation,
                       "degrees", best.value(), report);
        }
    }
    return {};
}

}  // namespace rattleback::lab
