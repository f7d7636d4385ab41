// Bench `certify`: what passes through what, in our solvers and in peers, every step audited along the way.
#include "lab/bench/bench.h"
#include "lab/bench/certify_run.h"
#include "lab/scenes/ipc/ipc_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kOwn[] = {"ipc", "convex", "avbd"};

/// Scenes of solids that all can move, where little clearance, thin sheets or speed tell solvers apart; the last of
/// sizes and heights as in games.
constexpr std::string_view kAuditedScenes[] = {"ipc/five_cubes",
                                               "ipc/cube_on_edge",
                                               "ipc/spinning_cube",
                                               "ipc/lever_arm",
                                               "ipc/mass_ratio",
                                               "ipc/tunneling",
                                               "ipc/tunnel_2",
                                               "ipc/tunnel_4",
                                               "ipc/slope_49",
                                               "ipc/arch_25",
                                               "ipc/card_house_2",
                                               "ipc/card_house_3_blocks",
                                               "ipc/cubes_125",
                                               "ipc/bolt",
                                               "ipc/chain_3",
                                               "box_stack",
                                               "wall",
                                               "pile"};
constexpr double kSeconds = 1, kQuickSeconds = 0.1;  // of each scene

Result<Mover> make_mover(const std::shared_ptr<const Model>& model, const std::string& who)
{
    const bool own = std::ranges::find(kOwn, who) != std::end(kOwn);
    return own ? make_own_mover(model, who) : make_peer_mover(model, who);
}

/// The first two of what somebody refuses, and how many there are more.
std::string summarise(const std::vector<Error>& errors)
{
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, errors.size()); ++i)
        text += (i > 0 ? "; " : "") + errors[i].message;
    return errors.size() > 2 ? fmt::format("{}; and {} more", text, errors.size() - 2) : text;
}

void add_row(const std::string& scene, const Mover& mover, const AuditedRun& run, BenchTable& table)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const AuditFinding* const worst = run.worst();
    double deepest = 0;
    for (const AuditFinding& finding : run.audit.findings) deepest = std::max(deepest, finding.deepest);
    table.rows.push_back({scene + ", " + mover.name,
                          mover.precision,
                          {static_cast<double>(run.steps), static_cast<double>(run.audit.worst()),
                           worst != nullptr && worst->size > 0 ? worst->deepest / worst->size : 0, deepest,
                           worst != nullptr ? run.audit.findings.front().first_time : kNone,
                           static_cast<double>(run.audit.findings.size()), static_cast<double>(run.audit.pairs),
                           static_cast<double>(run.audit.undecided)}});
}

/// What `ipc` promises of what it does not refuse.
void add_figure(const std::string& scene, double broken, bool has_insets, BenchReport& report)
{
    Figure figure{.name = scene + ", ipc: pairs that intersect or are not proven apart, runs cut short",
                  .value = broken,
                  .unit = "",
                  .bar = 0,
                  .higher_is_better = false};
    if (has_insets)
    {
        // The audit sees shapes as they are drawn.
        figure.bar = std::nullopt;
        report.notes.push_back(scene +
                               " starts in touch: ipc keeps surfaces apart that it has moved inwards, so shapes "
                               "as drawn may overlap by as much, and no bar is set");
    }
    report.figures.push_back(std::move(figure));
}

Status measure_scene(const Scene& scene, const BenchOptions& options, BenchTable& table, BenchReport& report)
{
    Result<Model> built = scene.build();
    if (!built.ok()) return built.errors();
    const auto model = std::make_shared<const Model>(std::move(built).value());
    const std::string name(scene.name);
    const double seconds = std::min(scene.duration, options.quick ? kQuickSeconds : kSeconds);
    const auto steps = static_cast<std::int64_t>(std::ceil(seconds / model->settings.dt));
    std::vector<std::string> movers(std::begin(kOwn), std::end(kOwn));
    for (std::string& peer : list_peer_movers()) movers.push_back(std::move(peer));
    for (const std::string& who : movers)
    {
        if (options.say) options.say(name + ", " + who);
        Result<Mover> mover = make_mover(model, who);
        if (!mover.ok())
        {
            report.notes.push_back(fmt::format("{}, {} does not run it: {}", name, who, summarise(mover.errors())));
            continue;
        }
        std::string file = name + "_" + who + ".rec";
        std::ranges::replace(file, '/', '_');
        const Result<AuditedRun> run =
            run_audited(model, *mover, steps, options.keep.empty() ? "" : std::filesystem::path(options.keep) / file);
        if (!run.ok()) return run.errors();
        add_row(name, *mover, *run, table);
        if (!run->trouble.empty())
            report.notes.push_back(fmt::format("{}, {} ends after {} steps: {}", name, who, run->steps, run->trouble));
        if (who == "ipc")
            add_figure(name,
                       static_cast<double>(run->audit.findings.size()) + static_cast<double>(run->audit.undecided) +
                           (run->trouble.empty() ? 0 : 1),
                       mover->has_insets, report);
    }
    return {};
}

}  // namespace

Status measure_certify(const BenchOptions& options, BenchReport& report)
{
    if (!options.keep.empty())
    {
        std::error_code code;
        std::filesystem::create_directories(options.keep, code);
        if (code) return Error{ErrorCode::io, "--keep " + options.keep, "cannot be made: " + code.message(), ""};
    }
    BenchTable table{.title =
                         "audits of every step along the way. Worst class by the deepest overlap over the size of the "
                         "smaller shape: 0 none, 1 below 1e-4, 2 below 1e-2, 3 tunnelled",
                     .columns = {"steps", "worst class", "of the size", "deepest [m]", "first [s]",
                                 "pairs that intersect", "pairs looked at", "undecided"},
                     .rows = {}};
    std::vector<std::string_view> names(std::begin(kAuditedScenes), std::end(kAuditedScenes));
    if (!options.scene.empty()) names = {options.scene};
    for (const std::string_view name : names)
    {
        const Result<const Scene*> scene = find_scene(name);
        if (!scene.ok()) return scene.errors();
        if (const Status measured = measure_scene(**scene, options, table, report); !measured.ok()) return measured;
    }
    report.tables.push_back(std::move(table));
    return {};
}

}  // namespace rattleback::lab
