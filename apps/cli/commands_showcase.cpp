// `rattleback run --showcase`: a few scenes with every solver, moving before the newcomer's eyes, then compared.
#include "commands.h"
#include "motion.h"
#include "report_page.h"
#include "setup.h"
#include "table.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback::cli
{

namespace
{

struct Act
{
    std::string_view scene;
    double seconds;      ///< to simulate [s]
    int sketch_count;    ///< instants to draw
    double sketch_span;  ///< that the drawings cover [s]
};
constexpr Act kActs[] = {{"chain", 5, 5, 1.6}, {"arm", 3, 4, 0.6}, {"t_handle", 10, 6, 5}, {"astronaut", 10, 4, 3}};

/// What became of one scene with one solver.
struct Outcome
{
    ReportRow row;
    Motion motion;
    bool ran = false;
    bool failed = false;
};

Parameters leave_out(const SolverInfo& solver, const lab::Scene& scene)
{
    if (scene.ignore.empty() || !takes(solver, "ignore")) return {};
    return {{"ignore", std::string(scene.ignore)}};
}

std::string make_command(const lab::Scene& scene, const SolverInfo& solver, const Parameters& parameters,
                         double seconds)
{
    std::string command = fmt::format("rattleback run {} --solver {} --seconds {:g}", scene.name, solver.name, seconds);
    for (const auto& [name, value] : parameters) command += fmt::format(" --set \"{}={}\"", name, to_text(value));
    return command;
}

Outcome refuse(Outcome outcome, const std::vector<Error>& errors, bool json)
{
    outcome.row.good = false;
    outcome.row.status = "refuses: " + (errors.empty() ? std::string("?") : errors.front().text());
    if (!json) fmt::print("  {}\n", outcome.row.status);
    return outcome;
}

Outcome play(const Act& act, const lab::Scene& scene, const std::shared_ptr<const Model>& model,
             const SolverInfo& solver, bool json)
{
    const Parameters parameters = leave_out(solver, scene);
    Outcome outcome;
    outcome.row.scene = scene.name;
    outcome.row.solver = solver.name;
    outcome.row.command = make_command(scene, solver, parameters, act.seconds);
    if (!json) fmt::print("\n{}\n", paint("$ " + outcome.row.command, Style::bold));

    Result<Simulation> made = Simulation::make(model, {.solver = std::string(solver.name), .parameters = parameters});
    if (!made.ok()) return refuse(std::move(outcome), made.errors(), json);
    std::vector<Feature> ignored;
    const Result<Parameters> all = make_parameters(solver, *model, parameters);
    if (all.ok() && solver.ignored) ignored = solver.ignored(all.value()).value();

    Simulation simulation = std::move(made).value();
    RunCommand lengths;
    lengths.seconds = act.seconds;
    outcome.motion = run_motion(simulation, ignored,
                                {.label = fmt::format("{} · {}", scene.name, solver.name),
                                 .steps = count_steps(lengths, act.seconds, simulation.dt()).value(),
                                 .row_count = 5,
                                 .sketch_count = act.sketch_count,
                                 .sketch_span = act.sketch_span,
                                 .print = !json,
                                 .quiet = json});
    const Motion& motion = outcome.motion;
    outcome.ran = true;
    outcome.failed = motion.report.status == StepStatus::diverged || motion.report.status == StepStatus::capacity;
    outcome.row.status = to_string(motion.report.status);
    outcome.row.good = !outcome.failed;
    outcome.row.real_time_factor = fmt::format("{:.0f}", motion.real_time_factor());
    outcome.row.energy_drift = drift_text(motion.drift.energy, motion.conserved.energy);
    outcome.row.linear_drift = drift_text(motion.drift.linear, motion.conserved.linear);
    outcome.row.angular_drift = drift_text(motion.drift.angular, motion.conserved.angular);
    outcome.row.steps = std::to_string(motion.steps);
    return outcome;
}

Result<std::vector<Outcome>> play_scene(const Act& act, const lab::Scene& scene, bool json, ReportScene& page)
{
    Result<Model> built = scene.build();
    if (!built.ok()) return built.errors();
    const auto model = std::make_shared<const Model>(std::move(built).value());
    page.name = scene.name;
    page.summary = scene.summary;
    if (!json) fmt::print("\n{}: {}\n", paint(scene.name, Style::bold), scene.summary);
    std::vector<Outcome> outcomes;
    for (const SolverInfo* solver : all_solvers())
    {
        outcomes.push_back(play(act, scene, model, *solver, json));
        const Outcome& outcome = outcomes.back();
        page.rows.push_back(outcome.row);
        if (!outcome.ran || !page.svg.empty()) continue;
        page.svg = draw_svg(outcome.motion.sketches);  // one picture per scene: the first solver that runs it
        if (!json) fmt::print("\n{}", draw_text(outcome.motion.sketches, 7));
    }
    return outcomes;
}

nlohmann::json row_json(const Outcome& outcome)
{
    nlohmann::json json{{"scene", outcome.row.scene},
                        {"solver", outcome.row.solver},
                        {"status", outcome.row.status},
                        {"runs", outcome.ran},
                        {"command", outcome.row.command}};
    if (!outcome.ran) return json;
    const Motion& motion = outcome.motion;
    const auto drift = [](double value, bool conserved)
    { return conserved ? nlohmann::json(value) : nlohmann::json(); };
    json["steps"] = motion.steps;
    json["real_time_factor"] = motion.real_time_factor();
    json["energy_drift"] = drift(motion.drift.energy, motion.conserved.energy);
    json["linear_momentum_drift"] = drift(motion.drift.linear, motion.conserved.linear);
    json["angular_momentum_drift"] = drift(motion.drift.angular, motion.conserved.angular);
    return json;
}

void print_comparison(const std::vector<ReportScene>& pages)
{
    Table table({{"scene"},
                 {"solver"},
                 {"× real time", Align::right},
                 {"energy drift", Align::right},
                 {"lin. momentum", Align::right},
                 {"ang. momentum", Align::right},
                 {"steps", Align::right},
                 {"status"}});
    for (const ReportScene& page : pages)
    {
        for (const ReportRow& row : page.rows)
        {
            table.add({row.scene, row.solver, row.real_time_factor, row.energy_drift, row.linear_drift,
                       row.angular_drift, row.steps, paint(row.status, row.good ? Style::good : Style::bad)});
        }
    }
    fmt::print("\n{}  (drift: largest deviation as a fraction; -: the scene does not conserve it)\n", table.text());
}

}  // namespace

int run_showcase(const ShowcaseCommand& command)
{
    std::vector<ReportScene> pages;
    nlohmann::json rows = nlohmann::json::array();
    bool failed = false;
    for (const Act& act : kActs)
    {
        const Result<const lab::Scene*> scene = lab::find_scene(act.scene);
        if (!scene.ok()) return report_errors(scene.errors(), command.json);
        ReportScene page;
        const Result<std::vector<Outcome>> outcomes = play_scene(act, *scene.value(), command.json, page);
        if (!outcomes.ok()) return report_errors(outcomes.errors(), command.json);
        for (const Outcome& outcome : outcomes.value())
        {
            rows.push_back(row_json(outcome));
            failed = failed || outcome.failed;
        }
        pages.push_back(std::move(page));
    }
    const Result<std::filesystem::path> path = write_report_page(pages, command.report);
    if (!path.ok()) return report_errors(path.errors(), command.json);
    if (command.json)
    {
        print_json(nlohmann::json{{"ok", !failed}, {"runs", rows}, {"page", path.value().string()}});
    }
    else
    {
        print_comparison(pages);
        fmt::print("\nThe same as a page: {}\n", path.value().string());
    }
    return failed ? 1 : 0;
}

}  // namespace rattleback::cli
