// Bench `piles`: `avbd` beside Bullet and ODE, cost of a step with sink, shake, overlap and joint errors beside it.
#include "lab/bench/piles.h"

#include "base/nearest_match.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr double kNotesMultiplyAdds = 112;  ///< of the core that the bars were set on [GFLOP/s]

/// What is set against what: the same precision. The portable build has the peers' instruction set, too; the bars are
/// for the release build.
struct PilePair
{
    std::string_view ours, peer;
    bool judged;
};
constexpr PilePair kPilePairs[] = {{"avbd double", "bullet", true},
                                   {"avbd single", "bullet_single", true},
                                   {"avbd portable double", "bullet", false},
                                   {"avbd portable single", "bullet_single", false}};

BenchTable make_table(const PileRun& run)
{
    BenchTable table{
        .title = fmt::format("{}: {}, {} bodies, h = {:.3g} ms", run.scene->name, run.scene->title,
                             run.model->body_count() - 1, 1e3 * run.scene->dt),
        .columns = {"step [ms]", "broad", "narrow", "rows+colours", "solve", "rest", "contacts", "deepest [mm]",
                    "mean overlap [mm]", "sink [mm]", "drift [mm]", "shake [J/kg]", "joints [mm]", "escaped"}};
    for (const PileOutcome& o : run.outcomes)
    {
        const bool joints = run.model->equality_count() > 0 || run.model->joint_count() + 1 > run.model->body_count();
        const double joint_error = joints || o.quality.joint_error > 0 ? 1e3 * o.quality.joint_error : std::nan("");
        table.rows.push_back({o.name,
                              o.precision + ", " + o.instructions,
                              {o.ms, o.split.broad, o.split.narrow, o.split.rows, o.split.solve, o.split.rest,
                               o.contacts, 1e3 * o.quality.deepest, 1e3 * o.quality.mean_overlap, 1e3 * o.sink,
                               1e3 * o.drift, o.quality.shake, joint_error, static_cast<double>(o.quality.escaped)}});
    }
    return table;
}

void add_escapes(const PileRun& run, BenchReport& report)
{
    int escaped = 0;
    for (const PileOutcome& outcome : run.outcomes)
    {
        if (!outcome.engine.starts_with("avbd")) continue;
        escaped = std::max(escaped, outcome.quality.escaped);
        if (!outcome.trouble.empty()) escaped = run.model->body_count() - 1;  // a run that stops keeps nobody in
    }
    report.figures.push_back({.name = fmt::format("{}, avbd, bodies escaped at the worst setting", run.scene->name),
                              .value = static_cast<double>(escaped),
                              .unit = "bodies",
                              .bar = 0,
                              .higher_is_better = false});
}

void survey_body_peers(BenchReport& report)
{
    const Model nothing = ModelBuilder("nothing").build().value();
    for (const BodyPeerInfo& info : all_body_peers())
    {
        const Result<std::unique_ptr<BodyPeer>> peer = info.make(nothing, {});
        if (peer.ok())
            report.peers_found.push_back(peer.value()->name());
        else
            report.peers_skipped.push_back(to_text(peer.errors()));
    }
}

/// What --scene may name: a scene, or one of the figures about many boxes.
Status check_name(const std::string& name)
{
    std::vector<std::string_view> names;
    for (const PileScene& scene : all_pile_scenes()) names.push_back(scene.name);
    names.insert(names.end(), {"growth", "threads"});
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return {};
    std::string hint = make_name_hint(name, names);
    return Error{.code = ErrorCode::unknown_name,
                 .where = "--scene",
                 .message = "there is no scene '" + name + "' in bench piles",
                 .hint = std::move(hint)};
}

}  // namespace

void add_duel_figures(const PileRun& run, double multiply_adds, BenchReport& report)
{
    const std::string title(run.scene->name);
    const bool pyramid = title == "pyramid";
    for (const PilePair& pair : kPilePairs)
    {
        const auto is = [&](std::string_view engine)
        { return [engine](const PileOutcome& o) { return o.engine == engine; }; };
        const auto peer = std::ranges::find_if(run.outcomes, is(pair.peer));
        if (peer == run.outcomes.end() || std::ranges::none_of(run.outcomes, is(pair.ours))) continue;
        const PileOutcome* best = find_cheapest_as_good(run.outcomes, pair.ours, *peer);
        const std::string other = fmt::format("{} ({}, {})", peer->name, peer->precision, peer->instructions);
        std::string what = fmt::format("{}, {} over {}: no setting lies as well", title, pair.ours, other);
        if (best != nullptr)
            what = fmt::format("{}, {} ({}, {}) over {}, whole step at no worse {}", title, best->name, best->precision,
                               best->instructions, other, pyramid ? "sink and shake" : "overlap");
        report.figures.push_back({.name = std::move(what),
                                  .value = best == nullptr ? 0 : peer->ms / best->ms,
                                  .unit = "x",
                                  .bar = pair.judged ? std::optional(pyramid ? 2.0 : 1.0) : std::nullopt,
                                  .aim = pair.judged ? std::optional(pyramid ? 4.0 : 2.0) : std::nullopt,
                                  .precision = peer->precision});
    }
    if (!pyramid) return;
    for (const bool single : {false, true})
    {
        const PileOutcome* best = nullptr;
        for (const PileOutcome& o : run.outcomes)
        {
            const bool ours = o.engine == (single ? "avbd single" : "avbd double");
            if (ours && (best == nullptr || o.pass_rate > best->pass_rate)) best = &o;
        }
        if (best == nullptr) continue;
        report.figures.push_back({.name = fmt::format("{}, {}, solver alone", title, best->name),
                                  .value = 1e-6 * best->pass_rate,
                                  .unit = "M contact-iterations/s",
                                  .precision = best->precision});
        if (!single || multiply_adds <= 0) continue;
        report.figures.push_back({.name = fmt::format("{}, {}, solver alone, on a core of {:.0f} GFLOP/s", title,
                                                      best->name, kNotesMultiplyAdds),
                                  .value = 1e-6 * best->pass_rate * kNotesMultiplyAdds / multiply_adds,
                                  .unit = "M contact-iterations/s",
                                  .bar = 40,
                                  .aim = 110,
                                  .precision = best->precision});
    }
}

Status measure_piles(const BenchOptions& options, BenchReport& report)
{
    if (const Status known = check_name(options.scene); !known.ok()) return known;
    survey_body_peers(report);
    const double multiply_adds = measure_multiply_adds();
    report.figures.push_back({.name = "calibration: multiply-adds of one core",
                              .value = multiply_adds,
                              .unit = "GFLOP/s",
                              .precision = "single"});
    report.figures.push_back(
        {.name = "calibration: copying memory, read and written", .value = measure_copying(), .unit = "GB/s"});
    report.notes.emplace_back(
        "one thread, CPU time, medians of five alternating stretches; overlap, shake and joint errors by our collider "
        "from the body poses, for every engine; peers with their default iterations first, friction combined by our "
        "rule, no sleeping");
    std::vector<PileRun> runs;
    for (const PileScene& scene : all_pile_scenes())
    {
        if (!options.scene.empty() && scene.name != options.scene) continue;
        Result<PileRun> run = run_pile(scene, options, report);
        if (!run.ok()) return run.errors();
        report.tables.push_back(make_table(run.value()));
        add_escapes(run.value(), report);
        if (scene.duel) add_duel_figures(run.value(), multiply_adds, report);
        if (!options.plots.empty()) runs.push_back(std::move(run).value());
    }
    if (options.scene.empty() || options.scene == "growth")
    {
        if (const Status grown = measure_pile_growth(options, report); !grown.ok()) return grown;
    }
    if (options.scene.empty() || options.scene == "threads")
    {
        if (const Status timed = measure_pile_threads(options, report); !timed.ok()) return timed;
    }
    return options.plots.empty() ? Status() : write_pile_page(runs, report, options.plots);
}

}  // namespace rattleback::lab
