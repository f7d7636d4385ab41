// Bench `batch`: robots, one world and 256 of them on one core, every solver of ours beside MuJoCo.
#include "lab/bench/batch.h"
#include "lab/measure/measure.h"
#include "lab/scenes/hand.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/quadruped.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr int kBatchWorlds = 256;

/// A robot of the table.
struct BatchScene
{
    PublicScene scene;
    DuelOptions options;
    int settle;       ///< steps before batches begin
    double bar, aim;  ///< of the batch in double; of one world: 3 and 5
    double single_bar, single_aim;
};

const BatchScene kBatchScenes[] = {
    {{"humanoid", "mjcf/mujoco/model/humanoid/humanoid.xml", "our humanoid", [] { return build_humanoid(); }},
     {.noise = 0.1},
     300,
     10,
     20,
     18,
     35},
    {{"our hand with cube", "", nullptr, [] { return build_hand(); }}, {.noise = 0.1}, 300, 10, 20, 18, 35},
    {{"Shadow hand", "mjcf/menagerie/shadow_hand/scene_right.xml", nullptr}, {.noise = 0.1}, 300, 5, 10, 8, 18},
    {{"G1 standing", "mjcf/menagerie/unitree_g1/scene.xml", "our quadruped", [] { return build_quadruped(); }},
     {.noise = 0.01, .keyframe = "stand"},
     300,
     5,
     10,
     8,
     18},
};

/// Means over judged runs.
struct BatchQuality
{
    RunQuality mean, error;  ///< error: standard error of each
};

template <class Engine>
BatchQuality judge_runs(const ConvexDuel& duel, Engine& engine, int steps, int runs)
{
    constexpr double RunQuality::* kValues[] = {&RunQuality::contacts, &RunQuality::penetration, &RunQuality::creep,
                                                &RunQuality::violation};
    std::vector<RunQuality> seen;
    for (int run = 0; run < runs; ++run) seen.push_back(duel.judge(engine, steps, run));
    BatchQuality quality;
    for (double RunQuality::* value : kValues)
    {
        for (const RunQuality& run : seen) quality.mean.*value += run.*value / runs;
        for (const RunQuality& run : seen) quality.error.*value += std::pow(run.*value - quality.mean.*value, 2);
        quality.error.*value = std::sqrt(quality.error.*value / std::max(1, runs - 1) / runs);
    }
    return quality;
}

/// No worse than MuJoCo's defaults: a tenth and two standard errors of room, for runs are chaotic.
bool holds_as_well(const BatchQuality& ours, const BatchQuality& theirs)
{
    // Less than a tenth of a micrometre (and of one per second) is nothing: the rounding of single precision.
    constexpr double kRoom = 1.1, kNothing = 1e-7;
    for (double RunQuality::* value : {&RunQuality::penetration, &RunQuality::creep, &RunQuality::violation})
    {
        const double room = 2 * std::hypot(ours.error.*value, theirs.error.*value);
        if (!(ours.mean.*value <= kRoom * theirs.mean.*value + room + kNothing)) return false;
    }
    return true;
}

/// One line of a scene: who, and what came out.
struct BatchLine
{
    std::string name, precision;
    double one = 0, many = 0;  ///< steps/s of one world, of a batch
    BatchQuality quality;
    bool counts = true;
};

/// State after some steps of `convex` with the scene's noise, and inputs of all worlds from there on.
Result<BatchStart> find_start(const ConvexDuel& duel, int settle, int steps)
{
    Result<Simulation> made = duel.make_ours({});
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    duel.start(simulation);
    for (int i = 0; i < settle; ++i)
    {
        duel.drive(i, simulation.control().input);
        simulation.step();
    }
    BatchStart start{simulation.state().q, simulation.state().v, simulation.state().act, {}};
    const auto width = static_cast<std::size_t>(duel.model().actuator_count());
    start.controls.resize(width * static_cast<std::size_t>(kBatchWorlds * steps));
    for (int world = 0; world < kBatchWorlds; ++world)
    {
        for (int h = 0; h < steps; ++h)
            duel.drive(settle + 7 * world + h,
                       std::span(start.controls).subspan(static_cast<std::size_t>(world * steps + h) * width, width));
    }
    return start;
}

/// Our solvers on a scene, one world and many.
struct BatchField
{
    std::vector<BatchContender> who;
    std::vector<Simulation> one;
    std::vector<Batch> many;
};

BatchField make_field(const BatchBed& bed, const std::string& title, const ConvexDuel& duel)
{
    BatchField field;
    for (const BatchContender& contender : batch_contenders())
    {
        Result<Simulation> one = Simulation::make(
            duel.shared_model(), {.solver = contender.solver, .dt = duel.dt(), .parameters = contender.parameters});
        Result<Batch> many = Batch::make(duel.shared_model(), {.solver = contender.solver,
                                                               .dt = duel.dt(),
                                                               .parameters = contender.parameters,
                                                               .world_count = kBatchWorlds,
                                                               .thread_count = 1});
        if (!one.ok() || !many.ok())
        {
            bed.note(fmt::format("{}, {} not measured: {}", title, contender.name, to_text(one.errors())));
            continue;
        }
        field.who.push_back(contender);
        field.one.push_back(std::move(one).value());
        field.many.push_back(std::move(many).value());
    }
    return field;
}

/// Microseconds per stage of a step of one world, medians.
void add_stages(const ConvexDuel& duel, const std::string& title, const BatchField& field, int steps,
                BenchReport& report)
{
    BenchTable table{.title = title + ", one world: where a step's time goes, medians [us]", .columns = {}, .rows = {}};
    for (int i = 0; i < kStageCount; ++i) table.columns.emplace_back(to_string(static_cast<Stage>(i)));
    for (const BatchContender& contender : field.who)
    {
        Result<Simulation> made = Simulation::make(
            duel.shared_model(),
            {.solver = contender.solver, .dt = duel.dt(), .parameters = contender.parameters, .timings = true});
        if (!made.ok()) continue;
        Simulation simulation = std::move(made).value();
        duel.start(simulation);
        std::vector<std::vector<double>> seen(kStageCount);
        for (int i = 0; i < steps; ++i)
        {
            duel.drive(i, simulation.control().input);
            const StepReport step = simulation.step();
            for (std::size_t k = 0; k < seen.size(); ++k) seen[k].push_back(1e6 * step.seconds[k]);
        }
        // Medians: stages are timed by the wall, and a step during which the machine did something else is no stage.
        BenchTable::Row row{contender.name, contender.precision, {}};
        for (const std::vector<double>& stage : seen) row.values.push_back(median(stage));
        table.rows.push_back(std::move(row));
    }
    report.tables.push_back(std::move(table));
}

/// Speeds of all, in turns.
Result<std::vector<BatchLine>> time_field(const BatchBed& bed, const ConvexDuel& duel, BatchField& field,
                                          const DuelPeer& fastest, const BatchStart& start, int steps, int batch_steps)
{
    Result<std::unique_ptr<PeerBatch>> made = make_mujoco_batch(duel.path(), fastest.options, kBatchWorlds, 1);
    if (!made.ok()) return made.errors();
    PeerBatch& peers = *made.value();
    std::vector<std::function<double()>> one, many;
    std::vector<BatchLine> lines;
    for (std::size_t i = 0; i < field.who.size(); ++i)
    {
        lines.push_back({.name = field.who[i].name, .precision = field.who[i].precision});
        one.emplace_back([&, i] { return steps / duel.run(field.one[i], steps); });
        many.emplace_back([&, i] { return run_batch(field.many[i], start, batch_steps); });
    }
    lines.push_back({.name = fmt::format("{} ({})", fastest.peer->name(), fastest.settings), .precision = "double"});
    one.emplace_back([&] { return steps / duel.run(*fastest.peer, steps); });
    many.emplace_back([&] { return run_batch(peers, start, batch_steps, kBatchWorlds); });
    const std::vector<double> ones = median_of_alternating(one, bed.rounds());
    const std::vector<double> manys = median_of_alternating(many, bed.rounds());
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        lines[i].one = ones[i];
        lines[i].many = manys[i];
    }
    return lines;
}

/// The table of a scene; its figures are those of the fastest that hold as well as MuJoCo.
void report_lines(const BatchBed& bed, const BatchScene& scene, const std::string& title,
                  const std::vector<BatchLine>& lines)
{
    BenchTable table{.title = fmt::format("{}: steps/s on one core, and how well constraints hold", title),
                     .columns = {"one world", "over MuJoCo", "256 worlds", "over MuJoCo's batch", "contacts",
                                 "penetration [mm]", "creep [mm/s]", "violation [mm, mrad]", "as well as MuJoCo"},
                     .rows = {}};
    const BatchLine& mujoco = lines.back();
    for (const BatchLine& line : lines)
    {
        table.rows.push_back(
            {line.name,
             line.precision,
             {line.one, line.one / mujoco.one, line.many, line.many / mujoco.many, line.quality.mean.contacts,
              1e3 * line.quality.mean.penetration, 1e3 * line.quality.mean.creep, 1e3 * line.quality.mean.violation,
              line.counts ? 1.0 : 0.0}});
    }
    bed.report.tables.push_back(std::move(table));
    for (const std::string precision : {"double", "single"})
    {
        const BatchLine *one = nullptr, *many = nullptr;
        for (const BatchLine& line : std::span(lines).first(lines.size() - 1))
        {
            if (!line.counts || line.precision != precision) continue;
            if (one == nullptr || line.one > one->one) one = &line;
            if (many == nullptr || line.many > many->many) many = &line;
        }
        if (one != nullptr && precision == "double")
            bed.add_ratio(fmt::format("{}, one world, {}", title, one->name), one->one / mujoco.one, 3, 5);
        if (many != nullptr)
            bed.add_ratio(fmt::format("{}, {} worlds, {}", title, kBatchWorlds, many->name), many->many / mujoco.many,
                          precision == "double" ? scene.bar : scene.single_bar,
                          precision == "double" ? scene.aim : scene.single_aim, precision);
    }
}

/// Steps/s against penetration and creep, a point each.
void draw_front(const BatchBed& bed, const std::string& title, const std::vector<BatchLine>& lines)
{
    if (bed.options.plots.empty()) return;
    std::string file = title;
    std::ranges::replace(file, ' ', '_');
    for (const bool creep : {false, true})
    {
        Plot plot{.title = fmt::format("{}, {} worlds", title, kBatchWorlds),
                  .x_label = creep ? "creep [mm/s]" : "mean penetration [mm]",
                  .y_label = "steps/s",
                  .curves = {},
                  .marks = true,
                  .log_y = true};
        for (const BatchLine& line : lines)
            plot.curves.push_back(
                {line.name, {1e3 * (creep ? line.quality.mean.creep : line.quality.mean.penetration)}, {line.many}});
        const auto path = std::filesystem::path(bed.options.plots) /
                          fmt::format("batch_{}_{}.png", file, creep ? "creep" : "penetration");
        const Status written = write_plot(plot, path);
        bed.note(written.ok() ? "plot: " + path.string() : "no plot: " + to_text(written.errors()));
    }
}

void measure_scene(const BatchBed& bed, const BatchScene& scene, const FoundScene& found)
{
    const std::string& title = found.title;
    const bool quick = bed.options.quick;
    const int steps = quick ? 300 : 1000, batch_steps = quick ? 10 : 50;
    const auto skip = [&](const std::vector<Error>& errors)
    { bed.note(fmt::format("{} not measured: {}", title, to_text(errors))); };
    bed.say(title);
    const Result<ConvexDuel> made = ConvexDuel::load(found, scene.scene.build, scene.options);
    if (!made.ok()) return skip(made.errors());
    const ConvexDuel& duel = made.value();
    Result<DuelPeer> fastest = duel.find_fastest(steps), standard = duel.make_theirs({.method = "Newton"});
    if (!fastest.ok()) return skip(fastest.errors());
    if (!standard.ok()) return skip(standard.errors());
    const Result<BatchStart> start = find_start(duel, scene.settle, batch_steps);
    if (!start.ok()) return skip(start.errors());
    BatchField field = make_field(bed, title, duel);
    // Speed, in turns.
    Result<std::vector<BatchLine>> timed =
        time_field(bed, duel, field, fastest.value(), start.value(), steps, batch_steps);
    if (!timed.ok()) return skip(timed.errors());
    std::vector<BatchLine> lines = std::move(timed).value();
    // What the speed buys: the same runs, judged by MuJoCo's contacts.
    bed.say(title + ", judged");
    const int runs = quick ? 2 : 8;
    const BatchQuality theirs = judge_runs(duel, *standard.value().peer, steps, runs);
    for (std::size_t i = 0; i < field.one.size(); ++i)
    {
        lines[i].quality = judge_runs(duel, field.one[i], steps, runs);
        lines[i].counts = holds_as_well(lines[i].quality, theirs) && std::isfinite(lines[i].one + lines[i].many);
    }
    lines.back().quality = theirs;
    report_lines(bed, scene, title, lines);
    add_stages(duel, title, field, steps, bed.report);
    draw_front(bed, title, lines);
}

}  // namespace

void measure_batch_scenes(const BatchBed& bed)
{
    for (const BatchScene& scene : kBatchScenes)
        measure_public_scene(scene.scene, bed.report,
                             [&](const FoundScene& found) { measure_scene(bed, scene, found); });
}

}  // namespace rattleback::lab
