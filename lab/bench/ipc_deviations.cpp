// Scenes of a few seconds with all deviations from the paper, without one, with one alone, with none.
#include "lab/bench/ipc_deviations.h"

#include "base/index.h"
#include "lab/bench/ipc_common.h"
#include "lab/bench/ipc_run.h"
#include "lab/scenes/ipc/ipc_scenes.h"
#include "solvers/ipc/method.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Each kind of contact, friction, tracks and hard impacts; whole runs of less than a second with all deviations, but
/// for the arch.
constexpr std::array<std::string_view, 12> kScenes = {
    "ipc/five_cubes",   "ipc/lever_arm", "ipc/spinning_cube", "ipc/tunnel_4", "ipc/bat",     "ipc/slope_50",
    "ipc/turntable_50", "ipc/lewis",     "ipc/card_house_2",  "ipc/chain_5",  "ipc/gears_2", "ipc/arch_25",
};

std::vector<std::string> list_methods(bool quick)
{
    std::vector<std::string> methods{"revised"};
    for (const ipc::DeviationInfo& deviation : ipc::all_deviations())
        methods.push_back("revised-" + std::string(deviation.name));
    methods.emplace_back("paper");
    for (const ipc::DeviationInfo& deviation : ipc::all_deviations())
    {
        // What belongs to the positive model does nothing without it.
        constexpr std::array<std::string_view, 4> kOfModel = {"chords", "turns", "bends", "way"};
        const bool is_idle = std::find(kOfModel.begin(), kOfModel.end(), deviation.name) != kOfModel.end();
        if (!quick && !is_idle) methods.push_back("paper+" + std::string(deviation.name));
    }
    return methods;
}

/// What a run of every method says of every scene: a table for each figure.
struct DeviationTables
{
    std::array<BenchTable, 5> tables{
        BenchTable{.title = "CPU time of a step [ms]", .columns = {}, .rows = {}},
        BenchTable{.title = "criterion met (1 or 0); nothing where the run was not whole", .columns = {}, .rows = {}},
        BenchTable{.title = "part of the scene that was run", .columns = {}, .rows = {}},
        BenchTable{.title = "steps that did not converge", .columns = {}, .rows = {}},
        BenchTable{.title = "pairs that intersect in a state or on the way to the next", .columns = {}, .rows = {}}};

    void add_scene(std::string_view scene, const std::vector<std::string>& methods)
    {
        for (BenchTable& table : tables)
        {
            table.columns.emplace_back(scene);
            for (const std::string& method : methods)
                if (table.columns.size() == 1) table.rows.push_back({method, "double", {}});
        }
    }
    void add(std::size_t row, const std::array<double, 5>& figures)
    {
        for (std::size_t t = 0; t < tables.size(); ++t) tables[t].rows[row].values.push_back(figures[t]);
    }
};

std::array<double, 5> measure(const IpcScene& scene, const Model& built, const std::string& method, double budget,
                              BenchReport& report)
{
    Model model = built;
    model.settings.solver_parameters["ipc"]["method"] = method;
    const auto steps = static_cast<std::int64_t>(std::ceil(scene.scene.duration / model.settings.dt));
    const Result<IpcOutcome> run =
        run_ipc(std::make_shared<const Model>(std::move(model)), {.steps = steps, .budget = budget});
    if (!run.ok())
    {
        report.notes.push_back(std::string(scene.scene.name) + ", " + method + ": " + run.errors().front().text());
        return {kNoFigure, kNoFigure, kNoFigure, kNoFigure, kNoFigure};
    }
    const bool is_whole = run->steps == steps;
    const IpcVerdict verdict = is_whole ? scene.judge(run->run) : IpcVerdict{};
    if (is_whole && !verdict.passed)
        report.notes.push_back(std::string(scene.scene.name) + ", " + method + ": " + verdict.text);
    return {1e3 * run->seconds_per_step(), is_whole ? (verdict.passed ? 1.0 : 0.0) : kNoFigure,
            static_cast<double>(run->steps) / static_cast<double>(steps), static_cast<double>(run->not_converged),
            static_cast<double>(run->audit.findings.size())};
}

}  // namespace

Status measure_ipc_deviations(const BenchOptions& options, BenchReport& report)
{
    const std::vector<std::string> methods = list_methods(options.quick);
    const double budget = options.minutes > 0 ? 60 * options.minutes : options.quick ? 0.2 : 10.0;  // [s]
    DeviationTables tables;
    for (const IpcScene& scene : all_ipc_scenes())
    {
        const bool is_asked = options.scene.empty()
                                  ? std::find(kScenes.begin(), kScenes.end(), scene.scene.name) != kScenes.end()
                                  : options.scene == scene.scene.name;
        if (!is_asked) continue;
        const Result<Model> model = scene.scene.build();
        if (!model.ok()) return model.errors();
        tables.add_scene(scene.scene.name, methods);
        for (std::size_t m = 0; m < methods.size(); ++m)
        {
            if (options.say) options.say(std::string(scene.scene.name) + ", " + methods[m]);
            tables.add(m, measure(scene, model.value(), methods[m], budget, report));
        }
        // The first row is the solver as it is.
        report.figures.push_back({.name = std::string(scene.scene.name) + ": criterion met with all deviations",
                                  .value = tables.tables[1].rows[0].values.back(),
                                  .unit = "",
                                  .bar = 1});
    }
    if (report.figures.empty())
        return Error{.code = ErrorCode::unknown_name,
                     .where = "bench ipc --deviations --scene",
                     .message = "there is no scene '" + options.scene + "'",
                     .hint = "one of the ipc/... of `rattleback scenes`"};
    for (BenchTable& table : tables.tables) report.tables.push_back(std::move(table));
    report.notes.emplace_back(
        "revised: all deviations, the default; revised-X: without X; paper: none; paper+X: X alone. Runs end after "
        "their scene, or after 10 s of CPU time (--minutes)");
    return {};
}

}  // namespace rattleback::lab
