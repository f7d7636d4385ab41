// Bench `ipc`: seconds per step on the reference's own scenes and on ours, with the audit of every step beside them.
#include "lab/bench/bench.h"
#include "lab/bench/data_folder.h"
#include "lab/bench/ipc_common.h"
#include "lab/bench/ipc_deviations.h"
#include "lab/bench/ipc_run.h"
#include "lab/bench/ipc_scaling.h"
#include "lab/scenes/ipc/public_criteria.h"

#include <rattleback/import.h>
#include <rattleback/solver.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace rattleback::lab
{

namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A scene of the reference: what it and the paper need per step, and our bar on one core. NaN: not known.
struct ReferenceScene
{
    const char* name;
    const char* file;          ///< below rigid-ipc/fixtures/3D
    const char* ours;          ///< under which the paper's figures stand
    double reference;          ///< measured on one core of a machine like ours [s/step]
    double bar, aim;           ///< one core [s/step]
    std::int64_t window;       ///< steps
    double whole_bar = kNone;  ///< of a run to the scene's end [s/step]
};

constexpr ReferenceScene kPublic[] = {
    {"bolt", "mechanisms/bolt.json", "bolt", 6.5, 0.35, 0.025, 100},
    {"piston", "mechanisms/507-movements/092-piston.json", "piston", 15.6, 0.3, 0.03, 100},
    {"punch", "mechanisms/507-movements/140-punching-press.json", "punching_press", 17.7, 0.3, 0.03, 100},
    {"arch 25", "friction/arch/arch-25-stones.json", "arch_25", kNone, kNone, kNone, 100},
    {"arch 101", "friction/arch/arch-101-stones.json", "arch_101", 1.8, 0.05, 0.005, 82},
    {"Lewis", "mechanisms/507-movements/493-Lewis.json", "lewis", 0.060, 0.005, 0.001, 200},
    {"wrecking ball", "chain/wrecking-ball.json", "wrecking_ball", 1.35, 0.13, 0.03, 98, 0.4},
    {"chain net 4x4", "chain/chain-net/chain-net-4x4.json", "net_3", 1.63, 0.1, 0.02, 100},
    {"pendulum", "pendulum/pendulum.json", "pendulum", kNone, kNone, kNone, 100},
    {"turntable 0.5", "friction/turntable/turntable-mu=0.5.json", "turntable_50", kNone, kNone, kNone, 100},
    {"wire net 4x4", "codimensional/edges/chain-net-4x4.json", "", kNone, kNone, kNone, 100},
    {"five cubes", "unit-tests/5-cubes.json", "", kNone, kNone, kNone, 200},
};

/// Adds what was measured, with the paper's figures beside it.
void add_row(const std::string& name, const IpcOutcome& outcome, const PaperRun& paper, double reference,
             BenchTable& table, BenchReport& report)
{
    const auto percent = [&](Stage stage) { return 100 * outcome.part(stage); };
    table.rows.push_back({name,
                          "double",
                          {static_cast<double>(outcome.steps),
                           outcome.seconds_per_step(),
                           paper.step,
                           reference,
                           outcome.iterations,
                           paper.iterations,
                           outcome.contacts,
                           outcome.pairs,
                           paper.contacts,
                           1e3 * outcome.least_distance,
                           outcome.memory,
                           paper.memory,
                           percent(Stage::collide),
                           percent(Stage::rows),
                           percent(Stage::factor),
                           percent(Stage::solve),
                           static_cast<double>(outcome.not_converged),
                           static_cast<double>(outcome.audit.findings.size()),
                           static_cast<double>(outcome.audit.undecided),
                           outcome.seconds,
                           paper.total,
                           paper.deformable}});
    report.figures.push_back({.name = name + ": pairs that intersect on the way",
                              .value = static_cast<double>(outcome.audit.findings.size()),
                              .unit = "",
                              .bar = 0,
                              .higher_is_better = false});
}

/// The time is judged where the run came to its end, nothing intersected and the criterion, if there is one, was met;
/// else it is shown without a bar, and why.
void add_time(const std::string& name, const IpcOutcome& outcome, std::int64_t steps, bool criterion_met, double bar,
              double aim, BenchReport& report)
{
    if (std::isnan(bar) || outcome.steps == 0) return;
    std::string why;
    if (outcome.steps < steps) why = fmt::format(", the first {} of {} steps", outcome.steps, steps);
    if (outcome.failed) why = fmt::format(", {} steps until one was refused", outcome.steps);
    if (why.empty() && !criterion_met) why = ", of a run that failed its criterion";
    if (!outcome.audit.findings.empty()) why = ", of a run with intersections";
    const bool judged = why.empty();
    report.figures.push_back({.name = name + ": time per step on one core" + why,
                              .value = outcome.seconds_per_step(),
                              .unit = "s",
                              .bar = judged ? std::optional(bar) : std::nullopt,
                              .aim = judged ? std::optional(aim) : std::nullopt,
                              .higher_is_better = false});
}

void add_criterion(const std::string& name, bool met, BenchReport& report)
{
    report.figures.push_back({.name = name + ": criterion met", .value = met ? 1.0 : 0.0, .unit = "", .bar = 1});
}

void add_verdict(const std::string& name, const IpcVerdict& verdict, BenchReport& report)
{
    report.notes.push_back(name + (verdict.passed ? " passes: " : " FAILS: ") + verdict.text);
}

std::filesystem::path find_fixtures() { return find_data_folder() / "rigid-ipc/fixtures/3D"; }

/// Windows of the reference's scenes.
void measure_public(const BenchOptions& options, BenchTable& table, BenchReport& report)
{
    const std::filesystem::path folder = find_fixtures();
    if (!std::filesystem::exists(folder))
    {
        report.notes.push_back("the reference's scenes are not here: " + folder.generic_string());
        return;
    }
    for (const ReferenceScene& scene : kPublic)
    {
        if (!options.scene.empty() && options.scene != scene.name) continue;
        if (options.say) options.say(std::string("the reference's ") + scene.name);
        Result<Imported> imported = load_model(folder / scene.file);
        if (!imported.ok())
        {
            report.notes.push_back(std::string(scene.name) + ": " + imported.errors().front().text());
            continue;
        }
        if (options.common) set_common_parameters(imported->model);
        const Result<IpcOutcome> outcome =
            run_ipc(std::make_shared<const Model>(imported->model),
                    {.steps = options.quick ? std::min<std::int64_t>(10, scene.window) : scene.window,
                     .budget = options.minutes > 0 ? 60 * options.minutes
                               : options.quick     ? 2.0
                                                   : 60.0,
                     .welded = find_paper_run(scene.ours).welded});
        if (!outcome.ok())
            report.notes.push_back(std::string(scene.name) + " is not run: " + outcome.errors().front().text());
        if (!outcome.ok()) continue;
        add_row(scene.name, outcome.value(), find_paper_run(scene.ours), scene.reference, table, report);
        const IpcVerdict verdict = judge_public_scene(std::filesystem::path(scene.file).stem().string(), outcome->run);
        add_verdict(scene.name, verdict, report);
        const bool met = verdict.passed && !outcome->failed;
        if (outcome->steps >= scene.window || outcome->failed) add_criterion(scene.name, met, report);
        // Bars are for scenes as authored.
        if (options.common) continue;
        add_time(scene.name, outcome.value(), scene.window, met, scene.bar, scene.aim, report);
    }
}

/// Bodies, vertices and triangles beside the paper's of the scene that one of ours stands for; what d-hat it runs with.
void add_size_row(const std::string& name, std::string_view stands_for, const Model& model, double dhat,
                  BenchTable& table)
{
    const SceneSize ours = find_size(model), paper = find_paper_size(stands_for);
    table.rows.push_back(
        {name,
         "double",
         {ours.bodies, paper.bodies, ours.vertices, paper.vertices, ours.faces, paper.faces, model.settings.dt, dhat}});
}

/// With --plots: the least distance over time.
Status draw(const BenchOptions& options, const std::string& name, const IpcRun& run, BenchReport& report)
{
    if (options.plots.empty()) return {};
    std::string file = name.substr(name.find('/') + 1);
    std::replace(file.begin(), file.end(), '/', '_');
    const Result<std::filesystem::path> drawn = draw_least_distance(run, options.plots, file);
    if (!drawn.ok()) return drawn.errors();
    report.notes.push_back("plot: " + drawn->generic_string());
    return {};
}

/// A scene that is run to its end where the budget allows it: then its criterion speaks.
struct WholeScene
{
    std::string name;
    std::string_view stands_for;  ///< that of ours with the paper's figures
    std::int64_t steps = 0;       ///< to its end
    double reference = kNone, bar = kNone, aim = kNone;
    std::function<IpcVerdict(const IpcRun&)> judge;
};

Status measure_whole(const WholeScene& scene, Model model, const BenchOptions& options, BenchTable& table,
                     BenchTable& sizes, BenchReport& report)
{
    if (options.say) options.say(scene.name);
    const double dhat = options.common ? set_common_parameters(model) : find_ipc_parameter(model, "dhat");
    add_size_row(scene.name, scene.stands_for, model, dhat, sizes);
    // A scene that is asked for by name is run whole, within minutes.
    const double usual = options.quick ? 0.5 : options.scene.empty() ? 30.0 : 300.0;
    const PaperRun paper = find_paper_run(scene.stands_for);
    const Result<IpcOutcome> outcome =
        run_ipc(std::make_shared<const Model>(std::move(model)),
                {.steps = options.quick && options.scene.empty() ? std::min<std::int64_t>(scene.steps, 5) : scene.steps,
                 .budget = options.minutes > 0 ? 60 * options.minutes : usual,
                 .welded = paper.welded});
    if (!outcome.ok())
    {
        report.notes.push_back(scene.name + " is not run: " + outcome.errors().front().text());
        return {};
    }
    add_row(scene.name, outcome.value(), paper, scene.reference, table, report);
    if (Status drawn = draw(options, scene.name, outcome->run, report); !drawn.ok()) return drawn;
    if (outcome->steps < scene.steps) return {};
    const IpcVerdict verdict = scene.judge(outcome->run);
    add_time(scene.name, outcome.value(), scene.steps, verdict.passed, scene.bar, scene.aim, report);
    add_verdict(scene.name, verdict, report);
    add_criterion(scene.name, verdict.passed, report);
    return {};
}

Status measure_own(const BenchOptions& options, BenchTable& table, BenchTable& sizes, BenchReport& report)
{
    for (const IpcScene& scene : all_ipc_scenes())
    {
        const std::string name(scene.scene.name);
        if (!options.scene.empty() && options.scene != name) continue;
        Result<Model> model = scene.scene.build();
        if (!model.ok()) continue;
        const PaperRun paper = find_paper_run(name);
        const Status measured =
            measure_whole({.name = name,
                           .stands_for = name,
                           .steps = static_cast<std::int64_t>(std::ceil(scene.scene.duration / model->settings.dt)),
                           .bar = paper.bar,
                           .aim = paper.aim,
                           .judge = scene.judge},
                          std::move(model).value(), options, table, sizes, report);
        if (!measured.ok()) return measured;
    }
    return {};
}

/// Whether a scene is asked for by the reference's file.
bool is_file(const std::string& scene) { return scene.ends_with(".json"); }

/// Any scene of the reference by its file.
Status measure_file(const BenchOptions& options, BenchTable& table, BenchTable& sizes, BenchReport& report)
{
    const std::string& file = options.scene;
    Result<Imported> imported = load_model(find_fixtures() / file);
    if (!imported.ok()) return imported.errors();
    WholeScene scene{
        .name = file,
        .steps = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::ceil(imported->duration / imported->model.settings.dt - 1e-9))),
        .judge = [&](const IpcRun& run)
        { return judge_public_scene(std::filesystem::path(file).stem().string(), run); }};
    for (const ReferenceScene& known : kPublic)
    {
        if (file != known.file) continue;
        scene.stands_for = known.ours;
        scene.reference = known.reference;
        // Bars are for scenes as authored.
        if (!options.common) scene.bar = known.whole_bar;
    }
    return measure_whole(scene, std::move(imported->model), options, table, sizes, report);
}

/// Of the loose piles: libuipc's published time per step on an H200 [ms].
constexpr std::pair<std::string_view, double> kLibuipc[] = {
    {"ipc/cubes_125", 48}, {"ipc/cubes_512", 165}, {"ipc/cubes_1000", 287}};

void compare_piles(const BenchTable& table, BenchReport& report)
{
    for (const auto& [scene, published] : kLibuipc)
        for (const BenchTable::Row& row : table.rows)
            if (row.name == scene)
                report.figures.push_back({.name = std::string(scene) + ": ms per step; libuipc on an H200",
                                          .value = 1e3 * row.values[1],
                                          .unit = "ms",
                                          .aim = published,
                                          .higher_is_better = false});
}

/// A scene that is asked for is one of the reference's or of ours; a file is told of where it is read.
Status check_scene(const std::string& name)
{
    bool known = name.empty() || is_file(name);
    for (const ReferenceScene& scene : kPublic) known = known || name == scene.name;
    for (const IpcScene& scene : all_ipc_scenes()) known = known || name == scene.scene.name;
    if (known) return {};
    return Error{.code = ErrorCode::unknown_name,
                 .where = "bench ipc --scene",
                 .message = "there is no scene '" + name + "'",
                 .hint =
                     "ours are the ipc/... of `rattleback scenes`; windows of the reference's are named like \"bolt\" "
                     "and \"arch 101\", whole runs by file, like \"mechanisms/bolt.json\""};
}

}  // namespace

Status measure_ipc(const BenchOptions& options, BenchReport& report)
{
    if (const Result<const SolverInfo*> info = find_solver("ipc"); !info.ok()) return info.errors();
    if (options.deviations) return measure_ipc_deviations(options, report);
    if (options.scaling) return measure_ipc_scaling(options, report);
    if (Status known = check_scene(options.scene); !known.ok()) return known;
    BenchTable table{.title = "one core, CPU time of the steps; audit along the way from state to state",
                     .columns = {"steps",
                                 "s/step",
                                 "paper, 16 cores",
                                 "reference, 1 core",
                                 "iterations/step",
                                 "paper",
                                 "contacts",
                                 "pairs",
                                 "paper ",
                                 "least distance [mm]",
                                 "memory [MB]",
                                 "paper  ",
                                 "candidates [%]",
                                 "touches [%]",
                                 "systems [%]",
                                 "paths [%]",
                                 "not converged",
                                 "intersecting pairs",
                                 "undecided",
                                 "run [s]",
                                 "paper, whole run [s]",
                                 "deformable IPC [s]"},
                     .rows = {}};
    BenchTable sizes{
        .title = "size of our scenes and of the paper's",
        .columns = {"bodies", "paper's", "vertices", "paper's ", "faces", "paper's  ", "h [s]", "d-hat [m]"},
        .rows = {}};
    const bool by_file = is_file(options.scene);
    if (!by_file) measure_public(options, table, report);
    const Status measured = (by_file ? measure_file : measure_own)(options, table, sizes, report);
    if (!measured.ok()) return measured;
    compare_piles(table, report);
    report.tables.push_back(std::move(table));
    report.tables.push_back(std::move(sizes));
    if (options.common) report.notes.emplace_back(kCommonRule);
    report.notes.emplace_back(
        "a time is judged only if its window came to its end, nothing intersected and its criterion was met; windows "
        "are the "
        "reference's, or what the budget allowed");
    return {};
}

}  // namespace rattleback::lab
