// Bench `comfree`: a hand that holds a cube - throughput ([ComFree] section IV-E) and latency of a sampling controller.
#include "lab/bench/batch.h"
#include "lab/bench/comfree.h"
#include "lab/bench/data_folder.h"
#include "lab/measure/measure.h"
#include "lab/scenes/hand.h"
#include "lab/scenes/parts.h"

#include <rattleback/import.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace rattleback::lab
{

namespace
{

constexpr ComfreeGains kControlGains = {0.1, 0.002};  ///< of the paper's controller
constexpr int kHandInputs = 16;
constexpr int kCubeAt = 16;  ///< of the cube's position in q

/// A hand of three fingers and a thumb that holds a cube.
struct HandScene
{
    std::string title, file;
    ConvexDuel duel;
    std::array<double, kHandInputs> grasp;  ///< targets of the servos [rad]
};

/// The Menagerie's Allegro hand, its object replaced by the paper's cube of 0.07 m.
Result<HandScene> make_allegro(double dt)
{
    const std::filesystem::path folder = find_data_folder() / "mjcf/menagerie/wonik_allegro";
    std::ifstream file(folder / "scene_right.xml");
    std::stringstream text;
    text << file.rdbuf();
    std::string scene = text.str();
    const std::string end = "</body>";
    const std::size_t from = scene.find("<body name=\"object\""), to = scene.find(end, from);
    if (from == std::string::npos || to == std::string::npos)
        return Error{ErrorCode::io, folder.string(), "has no scene of the Allegro hand with an object", ""};
    scene.replace(from, to + end.size() - from, R"(<body name="object" pos="0.03 0 0.05"><freejoint/>
      <geom type="box" size="0.035 0.035 0.035" friction="0.5 0.005 0.0001" density="1000"/></body>)");
    Result<Imported> imported = parse_mjcf(scene, "allegro_cube.xml", folder);
    if (!imported.ok()) return imported.errors();
    Result<ConvexDuel> duel = ConvexDuel::write(std::move(imported).value().model, {.dt = dt});
    if (!duel.ok()) return duel.errors();
    return HandScene{"Allegro hand",
                     "allegro",
                     std::move(duel).value(),
                     {0, 0.7, 0.8, 0.7, 0, 0.7, 0.8, 0.7, 0, 0.7, 0.8, 0.7, 1.3, 0.6, 0.5, 0.9}};
}

/// A hand of capsules of ours, closed round its cube of 0.05 m: every pair has a closed form.
Result<HandScene> make_own_hand(double dt)
{
    Result<Model> model = build_hand();
    if (!model.ok()) return model.errors();
    Result<ConvexDuel> duel = ConvexDuel::write(std::move(model).value(), {.dt = dt});
    if (!duel.ok()) return duel.errors();
    return HandScene{"hand of ours",
                     "hand",
                     std::move(duel).value(),
                     {0, 0.9, 0.7, 0.5, 0, 0.9, 0.7, 0.5, 0, 0.9, 0.7, 0.5, 0, 0.7, 0.6, 0.4}};
}

/// One way to run worlds, ours or theirs.
struct HandField
{
    BatchContender who;
    std::optional<Batch> ours;
    std::unique_ptr<PeerBatch> theirs;

    void start(const BatchStart& start)
    {
        if (theirs) return theirs->start(start.q, start.v, start.act);
        ours->reset();
        for (int world = 0; world < ours->world_count(); ++world)
        {
            std::ranges::copy(start.q, ours->state().world(world).q.begin());
            std::ranges::copy(start.v, ours->state().world(world).v.begin());
        }
        ours->refresh();
    }
    void rollout(int steps, std::span<const double> controls)
    {
        Rollout kept;
        if (theirs) return theirs->rollout(steps, controls);
        const Status done = ours->rollout(steps, controls, {.every = steps}, kept);
        RB_CHECK(done.ok(), "the sizes of a rollout do not fit");
    }
    Vec3 cube(int world) const
    {
        const std::span<const double> q =
            theirs ? theirs->q(world) : std::span<const double>(ours->state().world(world).q);
        return {q[kCubeAt], q[kCubeAt + 1], q[kCubeAt + 2]};
    }
};

std::vector<BatchContender> hand_contenders()
{
    return {{"as_coded (no packs)", "comfree", make_comfree("as_coded", kControlGains).parameters},
            {"stable", "comfree", {}},
            {"stable", "comfree", {{"precision", std::string("single")}}, "single"},
            {"convex", "convex", {}},
            {"MuJoCo's batch", "", {}}};
}

Result<HandField> make_hand_field(const ConvexDuel& duel, const BatchContender& who, int worlds, int threads)
{
    HandField field{.who = who, .ours = std::nullopt, .theirs = nullptr};
    if (who.solver.empty())
    {
        Result<std::unique_ptr<PeerBatch>> made = make_mujoco_batch(duel.path(), {.dt = duel.dt()}, worlds, threads);
        if (!made.ok()) return made.errors();
        field.theirs = std::move(made).value();
        return field;
    }
    Result<Batch> made = Batch::make(duel.shared_model(), {.solver = who.solver,
                                                           .dt = duel.dt(),
                                                           .parameters = who.parameters,
                                                           .world_count = worlds,
                                                           .thread_count = threads});
    if (!made.ok()) return made.errors();
    field.ours.emplace(std::move(made).value());
    return field;
}

/// The grasp after a second and a half: the keyframe that all runs begin with.
Result<BatchStart> make_grasp(const HandScene& scene)
{
    Result<Simulation> made = scene.duel.make_ours({});
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    if (simulation.model().actuator_count() != kHandInputs) return Error{.message = "not the hand that is expected"};
    std::ranges::copy(scene.grasp, simulation.control().input.begin());
    simulation.run_for(1.5);
    return BatchStart{simulation.state().q, std::vector<double>(simulation.state().v.size()), {}, {}};
}

/// Inputs [world][step][input]: new targets within `spread` of the grasp, the same for `steps` steps.
std::vector<double> make_targets(const HandScene& scene, int worlds, int steps, double spread, Random& random)
{
    std::vector<double> controls;
    controls.reserve(static_cast<std::size_t>(worlds) * static_cast<std::size_t>(steps) * kHandInputs);
    for (int world = 0; world < worlds; ++world)
    {
        double targets[kHandInputs];
        for (std::size_t i = 0; i < scene.grasp.size(); ++i)
            targets[i] = scene.grasp[i] + random.uniform(-spread, spread);
        for (int h = 0; h < steps; ++h) controls.insert(controls.end(), std::begin(targets), std::end(targets));
    }
    return controls;
}

constexpr int kHoldSteps = 1500, kTargetSteps = 50;

/// Fraction of worlds whose cube is within 6 cm of where it was grasped, after 1,500 steps.
double find_holding(const HandScene& scene, HandField& field, const BatchStart& start, int worlds)
{
    Random random(1);
    field.start(start);
    const Vec3 from = field.cube(0);
    for (int i = 0; i < kHoldSteps / kTargetSteps; ++i)
        field.rollout(kTargetSteps, make_targets(scene, worlds, kTargetSteps, 0.5, random));
    int held = 0;
    for (int world = 0; world < worlds; ++world) held += norm(field.cube(world) - from) < 0.06 ? 1 : 0;
    return static_cast<double>(held) / worlds;
}

/// Steps per CPU second of pieces of 50 steps.
Spread find_throughput(const HandScene& scene, HandField& field, const BatchStart& start, int worlds, int pieces)
{
    Random random(2);
    field.start(start);
    std::vector<double> speeds;
    for (int i = 0; i < pieces; ++i)
    {
        const std::vector<double> controls = make_targets(scene, worlds, kTargetSteps, 0.5, random);
        const double begin = thread_seconds();
        field.rollout(kTargetSteps, controls);
        speeds.push_back(worlds * kTargetSteps / (thread_seconds() - begin));
    }
    return find_spread(speeds);
}

/// One line of the table: speeds over numbers of worlds, and the part of `held` worlds that hold at the end.
Status measure_hand_row(const ComfreeBed& bed, const HandScene& scene, const BatchStart& start,
                        const BatchContender& who, std::span<const int> counts, int held, BenchTable& table, Plot& plot)
{
    BenchTable::Row row{who.name, who.precision, {}};
    Curve curve{.name = who.precision == "single" ? who.name + ", single" : who.name, .x = {}, .y = {}};
    for (const int count : counts)
    {
        bed.say(fmt::format("{}, {} worlds, {}", scene.title, count, curve.name));
        Result<HandField> field = make_hand_field(scene.duel, who, count, 1);
        if (!field.ok()) return field.errors();
        const Spread speed = find_throughput(scene, field.value(), start, count, count > 256 ? 2 : 5);
        row.values.push_back(speed.mean);
        row.values.push_back(speed.deviation);
        curve.x.push_back(count);
        curve.y.push_back(speed.mean);
    }
    Result<HandField> field = make_hand_field(scene.duel, who, held, 1);
    if (!field.ok()) return field.errors();
    row.values.push_back(find_holding(scene, field.value(), start, held));
    table.rows.push_back(std::move(row));
    plot.curves.push_back(std::move(curve));
    return {};
}

Status measure_hand(const ComfreeBed& bed, const HandScene& scene)
{
    const Result<BatchStart> start = make_grasp(scene);
    if (!start.ok()) return start.errors();
    const std::vector<int> counts =
        bed.options.quick ? std::vector{1, 64} : std::vector{1, 64, 256, 512, 1024, 2048, 4096};
    const int held = bed.options.quick ? 16 : 64;
    BenchTable table{.title = scene.title +
                              " with cube, one core: steps/s, mean and std over pieces of 50 steps; worlds that hold "
                              "after 1,500",
                     .columns = {},
                     .rows = {}};
    for (const int count : counts)
    {
        table.columns.push_back(fmt::format("{} worlds", count));
        table.columns.emplace_back("std");
    }
    table.columns.push_back(fmt::format("holding, of {}", held));
    Plot plot{.title = scene.title + " with cube",
              .x_label = "worlds",
              .y_label = "steps/s",
              .curves = {},
              .marks = true,
              .log_x = true,
              .log_y = true};
    for (const BatchContender& who : hand_contenders())
    {
        const Status measured = measure_hand_row(bed, scene, start.value(), who, counts, held, table, plot);
        if (!measured.ok()) return measured;
    }
    // Stable in double is the second line, MuJoCo the last.
    bed.add({.name = scene.title + ", stable, worlds that still hold the cube",
             .value = table.rows[1].values.back(),
             .unit = "of all",
             .bar = table.rows.back().values.back()});
    bed.report.tables.push_back(std::move(table));
    if (scene.file == "allegro")
    {
        const std::vector<double> worlds{256, 512, 1024, 2048, 4096};
        plot.curves.push_back({"ComFree, RTX 4090 (digitised)", worlds, {0.82e6, 1.4e6, 2.4e6, 3.6e6, 5.0e6}});
        plot.curves.push_back({"MJWarp, RTX 4090 (digitised)", worlds, {0.43e6, 0.73e6, 1.25e6, 1.9e6, 2.5e6}});
    }
    return bed.draw(plot, "throughput_" + scene.file);
}

}  // namespace

Status measure_hand_throughput(const ComfreeBed& bed)
{
    for (const auto make : {&make_allegro, &make_own_hand})
    {
        const Result<HandScene> scene = make(0);
        const Status measured = scene.ok() ? measure_hand(bed, scene.value()) : Status(scene.errors());
        if (!measured.ok()) return measured;
    }
    bed.note(
        "Allegro hand on an RTX 4090, single precision, digitised from the paper's chart, 256/512/1024/2048/4096 "
        "worlds: "
        "ComFree 0.82/1.4/2.4/3.6/5.0, MJWarp 0.43/0.73/1.25/1.9/2.5 million steps/s");
    return {};
}

Status measure_hand_latency(const ComfreeBed& bed)
{
    constexpr int kSamples = 256, kHorizon = 48;
    const Result<HandScene> scene = make_allegro(0.004);
    if (!scene.ok()) return scene.errors();
    const Result<BatchStart> start = make_grasp(scene.value());
    if (!start.ok()) return start.errors();
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    BenchTable table{.title =
                         "Allegro hand with cube: one rollout of 256 worlds x 48 steps of 4 ms [ms] (paper's control "
                         "step on a GPU: 14 to 28)",
                     .columns = {"1 thread, CPU", fmt::format("{} threads, wall", cores)},
                     .rows = {}};
    Random random(3);
    const std::vector<double> controls = make_targets(scene.value(), kSamples, kHorizon, 0.1, random);
    for (const BatchContender& who : hand_contenders())
    {
        bed.say("latency of a rollout, " + who.name);
        BenchTable::Row row{who.name, who.precision, {}};
        for (const int threads : {1, cores})
        {
            Result<HandField> field = make_hand_field(scene->duel, who, kSamples, threads);
            if (!field.ok()) return field.errors();
            std::vector<double> seen;
            for (int i = 0; i < (bed.options.quick ? 3 : 5); ++i)
            {
                field->start(start.value());
                const double cpu = thread_seconds(), wall = wall_seconds();
                field->rollout(kHorizon, controls);
                seen.push_back(1e3 * (threads == 1 ? thread_seconds() - cpu : wall_seconds() - wall));
            }
            row.values.push_back(median(seen));
        }
        table.rows.push_back(std::move(row));
    }
    bed.report.tables.push_back(std::move(table));
    return {};
}

}  // namespace rattleback::lab
