// `rattleback run --showcase`: a few scenes with every solver, moving before the newcomer's eyes, then compared.
#include "commands.h"
#include "motion.h"
#include "setup.h"
#include "table.h"
#include "terminal.h"
#include "view_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::cli
{

namespace
{

struct Act
{
    std::string_view scene;
    double seconds;              ///< to simulate [s]
    int sketch_count;            ///< instants to draw
    double sketch_span;          ///< that the drawings cover [s]
    bool needs_contact = false;  ///< without contacts everything would fall out of the picture
    int across = 0;              ///< spheres across a body, for solvers that pack bodies with them; 0: their default
    int corners = 0;             ///< to a circle, for solvers that see triangles; 0: their default
};
// A robot and a crowd first: what people come for. Then what every solver can be compared by.
constexpr Act kActs[] = {{"quadruped", 3, 4, 0.6, true},
                         {"pile", 2, 4, 0.8, true, 2, 8},
                         {"rattleback", 10, 6, 6, true, 2},
                         {"t_handle", 10, 6, 5},
                         {"chain", 5, 5, 1.6},
                         {"arm", 3, 4, 0.6},
                         {"astronaut", 10, 4, 3}};
constexpr double kFrameRate = 60;  // frames of a recording per simulated second

/// What became of one scene with one solver.
struct Outcome
{
    std::string scene, solver;
    std::string detail;  ///< what the solver leaves out of the scene
    bool sees_contacts = false;
    std::string precision;  ///< "double" or "float"
    std::string status;     ///< "ok", "diverged", … or "refuses: why"
    std::string command;    ///< that makes its numbers again
    Parameters parameters;  ///< of the solver
    Motion motion;
    bool ran = false;
    bool failed = false;
    bool good() const { return ran && !failed; }
};

/// One line of a table: the first reason, and how many more there are.
std::string first_of(const std::vector<Error>& errors)
{
    const std::string first = errors.front().text();
    return errors.size() == 1 ? first : fmt::format("{} (and {} more)", first, errors.size() - 1);
}

/// What the solver needs to be told for this scene: parts that it leaves out, unless there is nothing to see without
/// them, how many spheres make a body, and how many corners a circle.
Parameters choose_parameters(const Act& act, const SolverInfo& solver, const lab::Scene& scene)
{
    Parameters parameters;
    if (!scene.ignore.empty() && takes(solver, "ignore") && !act.needs_contact)
        parameters["ignore"] = std::string(scene.ignore);
    if (act.across > 0 && takes(solver, "across")) parameters["across"] = act.across;
    if (act.corners > 0 && takes(solver, "corners")) parameters["corners"] = act.corners;
    return parameters;
}

std::string make_command(const lab::Scene& scene, const SolverInfo& solver, const Parameters& parameters,
                         double seconds)
{
    std::string command = fmt::format("rattleback run {} --solver {} --seconds {:g}", scene.name, solver.name, seconds);
    for (const auto& [name, value] : parameters) command += fmt::format(" --set \"{}={}\"", name, to_text(value));
    return command;
}

bool is_failure(StepStatus status) { return status == StepStatus::diverged || status == StepStatus::capacity; }

std::int64_t steps_of(const Act& act, double dt)
{
    RunCommand lengths;
    lengths.seconds = act.seconds;
    return count_steps(lengths, act.seconds, dt).value();
}

/// A short name of a scene with a solver, for labels and files.
Outcome announce(const Act& act, const lab::Scene& scene, const SolverInfo& solver, const Parameters& parameters)
{
    Outcome outcome;
    outcome.scene = scene.name;
    outcome.solver = solver.name;
    if (parameters.contains("ignore")) outcome.detail = fmt::format("without {}", scene.ignore);
    outcome.parameters = parameters;
    outcome.sees_contacts =
        std::find(solver.supports.begin(), solver.supports.end(), Feature::contact) != solver.supports.end();
    outcome.command = make_command(scene, solver, parameters, act.seconds);
    return outcome;
}

Outcome play(const Act& act, const lab::Scene& scene, const std::shared_ptr<const Model>& model,
             const SolverInfo& solver, bool json)
{
    const Parameters parameters = choose_parameters(act, solver, scene);
    Outcome outcome = announce(act, scene, solver, parameters);
    if (!json) say("\n{}\n", paint("$ " + outcome.command, Style::bold));

    Result<Simulation> made = Simulation::make(model, {.solver = outcome.solver, .parameters = parameters});
    if (!made.ok())
    {
        outcome.status = "refuses: " + first_of(made.errors());
        if (!json) say("  {}\n", outcome.status);
        return outcome;
    }
    std::vector<Feature> ignored;
    const Result<Parameters> all = make_parameters(solver, *model, parameters);
    if (all.ok() && solver.ignored) ignored = solver.ignored(all.value()).value();
    outcome.precision = all.ok() && all.value().contains("precision") ? to_text(all.value().at("precision")) : "double";

    Simulation simulation = std::move(made).value();
    outcome.motion = run_motion(simulation, ignored,
                                {.label = fmt::format("{} · {}", scene.name, solver.name),
                                 .steps = steps_of(act, simulation.dt()),
                                 .row_count = 5,
                                 .sketch_count = act.sketch_count,
                                 .sketch_span = act.sketch_span,
                                 .print = !json,
                                 .quiet = json});
    outcome.ran = true;
    outcome.failed = is_failure(outcome.motion.report.status);
    outcome.status = to_string(outcome.motion.report.status);
    return outcome;
}

/// The same run again, for the eyes: recorded, with timings, which the measured run above must not pay for.
Result<ViewRun> record(const Act& act, const std::shared_ptr<const Model>& model, const Outcome& outcome,
                       const std::filesystem::path& folder)
{
    Result<Simulation> made =
        Simulation::make(model, {.solver = outcome.solver, .parameters = outcome.parameters, .timings = true});
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    const std::filesystem::path path = folder / fmt::format("{}-{}.rec", outcome.scene, outcome.solver);
    Result<Recorder> opened = make_recorder(simulation, path, {.contacts = true});
    if (!opened.ok()) return opened.errors();
    Recorder recorder = std::move(opened).value();
    const auto stride = static_cast<std::int64_t>(std::max(1.0, std::round(1 / (kFrameRate * simulation.dt()))));
    const Motion motion = run_motion(simulation, {},
                                     {.label = fmt::format("recording {} · {}", outcome.scene, outcome.solver),
                                      .steps = steps_of(act, simulation.dt()),
                                      .look_count = 1,
                                      .print = false,
                                      .quiet = true,
                                      .recorder = &recorder,
                                      .record_every = stride});
    if (!motion.record_errors.empty()) return motion.record_errors;
    const Status closed = recorder.close();
    if (!closed.ok()) return closed.errors();
    Result<Recording> recording = load_recording(path);
    if (!recording.ok()) return recording.errors();
    Recording value = std::move(recording).value();
    return make_view_run(value, {.label = outcome.solver, .detail = outcome.detail});
}

/// Numbers of one line of the comparison, as text; "-" for what the scene does not conserve or nobody measured.
struct Line
{
    std::string speed, energy, penetration, iterations, linear, angular, steps;
};
Line make_line(const Outcome& outcome)
{
    if (!outcome.ran) return {};
    const Motion& motion = outcome.motion;
    const double steps = std::max(1.0, static_cast<double>(motion.steps));
    return {fmt::format("{:.0f}", motion.real_time_factor()),
            drift_text(motion.drift.energy, motion.conserved.energy),
            outcome.sees_contacts ? fmt::format("{:.2g}", motion.report.deepest_penetration) : "-",
            fmt::format("{:.3g}", motion.report.iterations / steps),
            drift_text(motion.drift.linear, motion.conserved.linear),
            drift_text(motion.drift.angular, motion.conserved.angular),
            std::to_string(motion.steps)};
}

nlohmann::json make_page_table(const std::vector<Outcome>& outcomes)
{
    const auto column = [](const char* title, const char* about, bool numeric = true)
    { return nlohmann::json{{"title", title}, {"about", about}, {"numeric", numeric}}; };
    nlohmann::json rows = nlohmann::json::array();
    for (const Outcome& outcome : outcomes)
    {
        const Line line = make_line(outcome);
        rows.push_back(
            {{"cells",
              {outcome.solver,
               outcome.ran && !outcome.detail.empty() ? outcome.status + ", " + outcome.detail : outcome.status,
               outcome.precision, line.speed, line.penetration, line.energy, line.iterations, line.linear, line.angular,
               line.steps}},
             {"good", outcome.good()},
             {"command", outcome.command}});
    }
    return {
        {"columns",
         {column("solver", "", false),
          column("status", "the worst of all steps, and what the solver leaves out of the scene", false),
          column("precision", "of the solver's numbers", false),
          column("× real time", "simulated seconds per second of CPU time of one core"),
          column("deepest penetration [m]", "of two shapes, as the solver saw it"),
          column("energy drift", "largest deviation, as a fraction"), column("iterations", "of the solver, per step"),
          column("linear momentum drift", "largest deviation, as a fraction"),
          column("angular momentum drift", "largest deviation, as a fraction"), column("steps", "taken")}},
        {"rows", rows},
        {"note",
         "One core. Drift is the largest deviation seen, as a fraction; a dash stands where the "
         "scene does not conserve the quantity, or the solver knows no contacts."}};
}

nlohmann::json outcome_json(const Outcome& outcome)
{
    nlohmann::json json{{"scene", outcome.scene},   {"solver", outcome.solver}, {"status", outcome.status},
                        {"detail", outcome.detail}, {"runs", outcome.ran},      {"command", outcome.command}};
    if (!outcome.ran) return json;
    const Motion& motion = outcome.motion;
    const auto drift = [](double value, bool conserved)
    { return conserved ? nlohmann::json(value) : nlohmann::json(); };
    json["precision"] = outcome.precision;
    json["steps"] = motion.steps;
    json["real_time_factor"] = motion.real_time_factor();
    json["deepest_penetration"] = motion.report.deepest_penetration;
    json["iterations"] = motion.report.iterations;
    json["energy_drift"] = drift(motion.drift.energy, motion.conserved.energy);
    json["linear_momentum_drift"] = drift(motion.drift.linear, motion.conserved.linear);
    json["angular_momentum_drift"] = drift(motion.drift.angular, motion.conserved.angular);
    return json;
}

/// For a line of the terminal: what is left out, and only the beginning of a long reason.
std::string short_status(const Outcome& outcome)
{
    constexpr std::size_t kMost = 60;
    std::string status = outcome.status;
    if (outcome.ran && !outcome.detail.empty()) status += ", " + outcome.detail;
    if (status.size() > kMost) status = status.substr(0, kMost - 3) + "...";
    return status;
}

void print_comparison(const std::vector<Outcome>& outcomes)
{
    Table table({{"scene"},
                 {"solver"},
                 {"precision"},
                 {"× real time", Align::right},
                 {"penetration [m]", Align::right},
                 {"energy drift", Align::right},
                 {"iterations", Align::right},
                 {"steps", Align::right},
                 {"status"}});
    for (const Outcome& outcome : outcomes)
    {
        const Line line = make_line(outcome);
        table.add({outcome.scene, outcome.solver, outcome.precision, line.speed, line.penetration, line.energy,
                   line.iterations, line.steps,
                   paint(short_status(outcome), outcome.good() ? Style::good : Style::bad)});
    }
    say("\n{}  (drift: largest deviation as a fraction; -: the scene does not conserve it)\n", table.text());
}

/// One scene with every solver. `page` grows by it unless `folder` is empty.
Result<std::vector<Outcome>> play_scene(const Act& act, const std::filesystem::path& folder, bool json, ViewPage& page)
{
    const Result<const lab::Scene*> found = lab::find_scene(act.scene);
    if (!found.ok()) return found.errors();
    const lab::Scene& scene = *found.value();
    Result<Model> built = scene.build();
    if (!built.ok()) return built.errors();
    const auto model = std::make_shared<const Model>(std::move(built).value());
    if (!json) say("\n{}: {}\n", paint(scene.name, Style::bold), scene.summary);

    ViewScene view{.name = std::string(scene.name), .summary = std::string(scene.summary)};
    std::vector<Outcome> outcomes;
    bool drawn = json;
    for (const SolverInfo* solver : all_solvers())
    {
        outcomes.push_back(play(act, scene, model, *solver, json));
        const Outcome& outcome = outcomes.back();
        if (!outcome.ran) view.refusals.push_back({{"solver", outcome.solver}, {"reason", outcome.status.substr(9)}});
        if (!outcome.ran) continue;
        if (!drawn) say("\n{}", draw_text(outcome.motion.sketches, 7));  // by the first solver that runs it
        drawn = true;
        if (folder.empty()) continue;
        Result<ViewRun> run = record(act, model, outcome, folder);
        if (!run.ok()) return run.errors();
        view.runs.push_back(std::move(run).value());
    }
    view.table = make_page_table(outcomes);
    page.scenes.push_back(std::move(view));
    return outcomes;
}

/// Makes the folder of the report; an empty path, with a note, where this build has no page to fill.
Result<std::filesystem::path> open_folder(const ShowcaseCommand& command)
{
    const std::vector<Error> missing = find_missing_viewer();
    if (!missing.empty())
    {
        say(stderr, "note: no report page: {}\n", to_text(missing));
        return std::filesystem::path{};
    }
    std::error_code failure;
    std::filesystem::create_directories(command.report, failure);
    if (std::filesystem::is_directory(command.report)) return std::filesystem::path(command.report);
    return Error{.code = ErrorCode::io,
                 .where = command.report,
                 .message = "cannot be made",
                 .hint = "choose another folder with --report"};
}

}  // namespace

int run_showcase(const ShowcaseCommand& command)
{
    const Result<std::filesystem::path> folder = open_folder(command);
    if (!folder.ok()) return report_errors(folder.errors(), command.json);
    ViewPage page{.title = "Rattleback: solvers side by side"};
    std::vector<Outcome> outcomes;
    for (const Act& act : kActs)
    {
        Result<std::vector<Outcome>> played = play_scene(act, folder.value(), command.json, page);
        if (!played.ok()) return report_errors(played.errors(), command.json);
        for (const Outcome& outcome : played.value()) outcomes.push_back(outcome);
    }
    const std::filesystem::path path = folder.value().empty() ? "" : folder.value() / "index.html";
    if (!path.empty())
    {
        const Status written = write_html(page, path);
        if (!written.ok()) return report_errors(written.errors(), command.json);
    }
    bool failed = false;
    nlohmann::json rows = nlohmann::json::array();
    for (const Outcome& outcome : outcomes)
    {
        failed = failed || outcome.failed;
        rows.push_back(outcome_json(outcome));
    }
    if (command.json)
    {
        print_json({{"ok", !failed},
                    {"runs", rows},
                    {"page", path.empty() ? nlohmann::json() : nlohmann::json(path.string())}});
        return failed ? 1 : 0;
    }
    print_comparison(outcomes);
    if (!path.empty()) say("\nThe same as a page that moves: {}\n", path.string());
    return failed ? 1 : 0;
}

}  // namespace rattleback::cli
