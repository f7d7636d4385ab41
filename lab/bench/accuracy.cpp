// Bench `accuracy`: the seven tests of [PBD-R] Table I for every solver in the list, and for MuJoCo.
#include "lab/bench/accuracy.h"

#include "base/nearest_match.h"
#include "import/meshes/mesh_file.h"
#include "lab/bench/accuracy_figures.h"
#include "lab/scenes/rabbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// What must come out: figures that have a bar.
struct Bar
{
    int test;
    std::string_view who, what;
    double value;
    bool higher = false;
};
constexpr Bar kBars[] = {
    {1, "pbd", "position", 1, true},   {1, "pbdr", "position", 0.0297},   {2, "pbdr", "yaw", 73.6},
    {3, "pbdr", "position", 0.0264},   {4, "pbdr", "rotation", 0.5},      {6, "pbdr", "rotation", 0.5},
    {7, "pbdr", "position", 0.010},    {1, "refined", "position", 0.001}, {2, "refined", "yaw", 0.1},
    {3, "refined", "position", 0.001}, {4, "refined", "position", 0.002}, {4, "refined", "rotation", 0.5},
    {5, "refined", "yaw", 0.1},        {6, "refined", "position", 0.002}, {6, "refined", "rotation", 0.5},
};

void add_figure(int test, const AccuracyRun& run, std::string_view what, double value, std::string unit,
                BenchReport& report)
{
    Figure figure{.name = fmt::format("test {}, {}: {} error", test, run.who, what),
                  .value = value,
                  .unit = std::move(unit),
                  .higher_is_better = false,
                  .precision = run.precision};
    for (const Bar& bar : kBars)
    {
        if (bar.test != test || bar.who != run.who || bar.what != what) continue;
        figure.bar = bar.value;
        figure.higher_is_better = bar.higher;
    }
    report.figures.push_back(std::move(figure));
}

void add_run(const AccuracyCase& test, const AccuracyRun& run, BenchReport& report)
{
    if (!run.refused.empty())
    {
        std::string reason = run.refused.substr(0, run.refused.find('\n'));
        report.notes.push_back(fmt::format("test {}, {}: cannot run it: {}", test.number, run.who, reason));
        return;
    }
    if (!run.trouble.empty()) report.notes.push_back(fmt::format("test {}, {}: {}", test.number, run.who, run.trouble));
    const AccuracySample& end = run.end();
    add_figure(test.number, run, "position", end.position, "m", report);
    if (test.number == 7)
        add_figure(test.number, run, "position (authors' reference)", end.printed_position, "m", report);
    add_figure(test.number, run, "yaw", std::abs(end.yaw), "degrees", report);
    add_figure(test.number, run, "rotation", end.rotation, "degrees", report);
    if (test.number == 7) return;
    add_figure(test.number, run, "linear momentum", end.linear, "kg m/s", report);
    add_figure(test.number, run, "angular momentum", end.angular, "kg m^2/s", report);
}

/// Which of ours comes nearest, and what is nearer than `refined`, by the measure that the test is about.
void compare_refined(int test, const std::vector<AccuracyRun>& runs, BenchReport& report)
{
    const bool turns = is_about_turning(test);
    const auto error = [&](const AccuracyRun& run) { return find_error(test, run); };
    const auto refined = std::find_if(runs.begin(), runs.end(), [](const auto& run) { return run.who == "refined"; });
    if (refined == runs.end()) return;
    for (const AccuracyRun& run : runs)
    {
        const bool rival = run.who == "pbdr" || run.who.starts_with("mujoco");
        if (!rival || !(error(run) < error(*refined))) continue;
        report.notes.push_back(fmt::format("test {}: {} is nearer than refined ({:.2e} against {:.2e} {})", test,
                                           run.who, error(run), error(*refined), turns ? "degrees" : "m"));
    }
}

/// What each MuJoCo is run with.
void note_settings(const AccuracySetup& setup, BenchReport& report)
{
    for (const Contestant& who : setup.contestants)
        if (who.solver.empty()) report.notes.push_back(who.name + ": " + who.settings());
}

/// "a,b" as a list.
std::vector<std::string> split(const std::string& text)
{
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

Result<std::vector<Contestant>> choose_contestants(const std::string& wanted)
{
    std::vector<Contestant> all = all_contestants(), chosen;
    if (wanted == "all") return all;
    std::vector<std::string_view> names;
    for (const Contestant& c : all) names.push_back(c.name);
    for (const std::string& word : split(wanted))
    {
        const std::size_t before = chosen.size();
        for (const Contestant& c : all)
        {
            if (c.name == word || c.name.starts_with(word + ",") || c.name.starts_with(word + " ")) chosen.push_back(c);
        }
        if (chosen.size() == before)
            return Error{ErrorCode::unknown_name, "--solver", "there is no '" + word + "'",
                         make_name_hint(word, names)};
    }
    return chosen;
}

}  // namespace

bool is_about_turning(int test) { return test == 2 || test == 5; }

double find_error(int test, const AccuracyRun& run)
{
    return run.samples.empty() ? HUGE_VAL : is_about_turning(test) ? std::abs(run.end().yaw) : run.end().position;
}

bool AccuracySetup::wants(int test) const
{
    return options.tests.empty() || std::find(options.tests.begin(), options.tests.end(), test) != options.tests.end();
}

void AccuracySetup::say(const std::string& what) const
{
    if (options.say) options.say(what);
}

Result<AccuracyCase> AccuracySetup::make(int test, const Contestant& contestant, CaseOptions changes) const
{
    changes.mesh = mesh ? &*mesh : nullptr;
    if (contestant.solver.empty())
    {
        changes.free_rod = true;
        changes.capsule_rod = contestant.capsule_rod;
        changes.frictionless_rows = contestant.frictionless_rows;
        changes.softness = contestant.softness;
    }
    return make_case(test, changes);
}

Status AccuracySetup::draw(const Plot& plot, const std::string& name, BenchReport& report) const
{
    if (options.plots.empty()) return {};
    const std::filesystem::path path = std::filesystem::path(options.plots) / (name + ".png");
    const Status written = write_plot(plot, path);
    if (written.ok()) report.notes.push_back("plot: " + path.string());
    return written;
}

Contestant make_contestant(std::string name, std::string solver, Parameters parameters)
{
    return as_published({.name = std::move(name), .solver = std::move(solver), .parameters = std::move(parameters)});
}

Status compare_all(const AccuracySetup& setup, BenchReport& report)
{
    report.notes.push_back(
        "10 s at 1 ms; errors at the end; yaw: integral of the angular velocity about z, rotation: true angle, tilt "
        "too");
    for (int number = 1; number <= kCaseCount; ++number)
    {
        if (!setup.wants(number)) continue;
        std::vector<AccuracyRun> runs;
        std::vector<double> floors;
        for (const Contestant& contestant : setup.contestants)
        {
            setup.say(fmt::format("test {} ({}), {}", number, case_name(number), contestant.name));
            const Result<AccuracyCase> test = setup.make(number, contestant);
            if (!test.ok()) return test.errors();
            // plain PBD on 2,000 spheres is known to fail; a short look is enough when in a hurry
            const bool hurry = setup.options.quick && number >= 4 && number <= 6;
            runs.push_back(run_case(test.value(), contestant, hurry ? 100 : 0));
            if (hurry && !runs.back().samples.empty()) runs.back().who += " (1 s)";
            add_run(test.value(), runs.back(), report);
            floors.push_back(test.value().floor);
        }
        if (!floors.empty() && floors[0] > 0)
            report.notes.push_back(fmt::format("test {} ({}): a first-order integrator is off by a h t / 2 = {:.1f} mm",
                                               number, case_name(number), 1000 * floors[0]));
        compare_refined(number, runs, report);
        for (const bool turn : {false, true})
        {
            Plot plot{.title = fmt::format("test {} ({})", number, case_name(number)),
                      .x_label = "time [s]",
                      .y_label = turn ? "rotation error [degrees]" : "position error [m]",
                      .log_y = true};
            for (const AccuracyRun& run : runs)
            {
                if (run.samples.empty()) continue;
                Curve curve{.name = run.who};
                for (const AccuracySample& sample : run.samples)
                {
                    curve.x.push_back(sample.time);
                    curve.y.push_back(turn ? sample.rotation : sample.position);
                }
                plot.curves.push_back(std::move(curve));
            }
            const Status drawn =
                setup.draw(plot, fmt::format("test_{}_{}", number, turn ? "rotation" : "position"), report);
            if (!drawn.ok()) return drawn.errors();
        }
    }
    return {};
}

Status measure_accuracy(const BenchOptions& options, BenchReport& report)
{
    AccuracySetup setup{.options = options, .contestants = {}, .mesh = std::nullopt};
    Result<std::vector<Contestant>> chosen = choose_contestants(options.solver);
    if (!chosen.ok()) return chosen.errors();
    setup.contestants = std::move(chosen).value();
    if (!options.mesh.empty())
    {
        Result<MeshOptions> loaded = load_mesh_file(options.mesh, {}, {.groups = ObjGroups::all});
        if (!loaded.ok()) return loaded.errors();
        Result<MeshOptions> fit = make_fit(std::move(loaded).value(), 0.2, report.notes);
        if (!fit.ok()) return fit.errors();
        setup.mesh = std::move(fit).value();
    }
    note_settings(setup, report);
    if (!options.figures.empty()) return make_paper_figures(setup, report);
    using Experiment = Status (*)(const AccuracySetup&, BenchReport&);
    const std::vector<std::pair<std::string_view, Experiment>> experiments = {
        {"", &compare_all},          {"friction", &sweep_friction}, {"resolution", &sweep_resolution},
        {"ablation", &run_ablation}, {"time", &measure_time},       {"authors", &run_authors_arithmetic},
        {"path", &follow_paths},     {"mujoco", &search_mujoco}};
    bool known = false;
    for (const auto& [name, experiment] : experiments)
    {
        if (options.sweep != name && options.sweep != "all") continue;
        known = true;
        const Status done = experiment(setup, report);
        if (!done.ok()) return done.errors();
    }
    if (!known)
        return Error{ErrorCode::unknown_name, "--sweep", "there is no sweep '" + options.sweep + "'",
                     "use friction, resolution, ablation, time, authors, path, mujoco or all"};
    return {};
}

}  // namespace rattleback::lab
