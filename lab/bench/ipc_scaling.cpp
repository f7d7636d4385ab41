// A chain of dense links between two that are fixed, stepped by 1 to 16 threads.
#include "lab/bench/ipc_scaling.h"

#include "base/index.h"
#include "lab/bench/ipc_common.h"
#include "lab/bench/ipc_run.h"
#include "lab/measure/measure.h"
#include "lab/scenes/ipc/kit.h"

#include <rattleback/record.h>
#include <rattleback/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

namespace rattleback::lab
{

namespace
{

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Links in line along x, every other one turned by a right angle; the first and the last are fixed. `along` times
/// `around` vertices each (5,500 in the reference).
Result<Model> build_dense_chain(int links, int along, int around)
{
    constexpr double kBend = 0.05, kStraight = 0.1, kWire = 0.02;
    // Bent to bent: the insides of two links touch but for a gap.
    constexpr double kPitch = kStraight + 2 * (kBend - kWire) - 2e-3;
    Kit kit("dense_chain", {});
    kit.builder().settings().solver_parameters["ipc"]["tolerance"] = 0.01;
    const MeshId mesh = kit.add_mesh("link", make_link(kBend, kStraight, kWire, along, around));
    for (int i = 0; i < links + 2; ++i)
    {
        const Quat turn = i % 2 == 0 ? Quat{} : from_axis_angle({1, 0, 0}, kPi / 2);
        const bool fixed = i == 0 || i == links + 1;
        kit.add_solid(
            "link " + std::to_string(i), mesh,
            {.position = {kPitch * i, 0, 0}, .rotation = turn, .kind = fixed ? BodyKind::fixed : BodyKind::dynamic});
    }
    return kit.finish();
}

struct ScalingRun
{
    int steps = 0;
    double seconds = 0;  ///< of wall time per step
    double iterations = 0;
    std::vector<Pose> end;
};

/// Steps after the first one, which warms: at most so many, and none is begun after `budget` seconds on the wall.
Result<ScalingRun> run_chain(const Model& model, int threads, int steps, double budget)
{
    Result<Simulation> made = Simulation::make(model, {.solver = "ipc", .parameters = {{"threads", threads}}});
    if (!made.ok()) return made.errors();
    ScalingRun run;
    made->step();  // warm
    const double begin = wall_seconds();
    while (run.steps < steps && (run.steps == 0 || wall_seconds() - begin < budget))
    {
        run.iterations += made->step().iterations;
        ++run.steps;
    }
    run.seconds = (wall_seconds() - begin) / run.steps;
    run.iterations /= run.steps;
    run.end = made->state().body_pose;
    return run;
}

/// How a step grows with its contacts: chains of n links, nets of n x n rings, wires too; one thread, CPU time.
Status measure_contact_growth(const BenchOptions& options, BenchReport& report)
{
    BenchTable table{.title = "growth with contacts, one core, CPU time of the first steps",
                     .columns = {"bodies", "contacts", "s/step", "iterations/step", "us per contact and iteration"},
                     .rows = {}};
    const std::vector<std::vector<std::string_view>> families = {{"ipc/chain_3", "ipc/chain_5", "ipc/chain_10"},
                                                                 {"ipc/net_3", "ipc/net_7"},
                                                                 {"ipc/wire_net_3", "ipc/wire_net_15"}};
    for (const std::vector<std::string_view>& family : families)
    {
        std::vector<double> contacts, seconds;
        for (const std::string_view name : family)
        {
            if (options.say) options.say(name);
            const std::span<const IpcScene> scenes = all_ipc_scenes();
            const auto scene = std::find_if(scenes.begin(), scenes.end(),
                                            [&](const IpcScene& item) { return item.scene.name == name; });
            const Result<Model> model = scene->scene.build();
            if (!model.ok()) return model.errors();
            const Result<IpcOutcome> outcome =
                run_ipc(std::make_shared<const Model>(*model), {.steps = options.quick ? 3 : 40,
                                                                .budget = options.quick         ? 2.0
                                                                          : options.minutes > 0 ? 4 * options.minutes
                                                                                                : 60.0,
                                                                .audit = false});
            if (!outcome.ok()) return outcome.errors();
            contacts.push_back(std::max(1.0, outcome->contacts));
            seconds.push_back(outcome->seconds_per_step());
            table.rows.push_back(
                {std::string(name),
                 "double",
                 {find_size(*model).bodies, outcome->contacts, outcome->seconds_per_step(), outcome->iterations,
                  1e6 * seconds.back() / (contacts.back() * std::max(1.0, outcome->iterations))}});
        }
        if (contacts.back() <= contacts.front()) continue;  // nothing has met yet
        report.figures.push_back(
            {.name = fmt::format("exponent of time over contacts, {} to {}", family.front(), family.back()),
             .value = find_exponent(contacts, seconds),
             .unit = "",
             .higher_is_better = false});
    }
    report.tables.push_back(std::move(table));
    return {};
}

}  // namespace

Status measure_ipc_scaling(const BenchOptions& options, BenchReport& report)
{
    const int along = options.quick ? 40 : 110, around = options.quick ? 16 : 50, most_steps = options.quick ? 3 : 20;
    // Of --minutes one thread may use a quarter on the long chain; the others take as many steps as it did.
    const double budget = options.minutes > 0 ? 15 * options.minutes : kForever;
    const int most = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16);
    BenchTable table{
        .title = fmt::format("chains of links of {} vertices, wall time", along * around),
        .columns = {"links", "threads", "steps", "s/step", "by one thread", "iterations/step", "efficiency"},
        .rows = {}};
    bool is_same = true;
    for (const bool weak : {true, false})
    {
        ScalingRun alone;  // the same chain by one thread
        int steps = most_steps;
        for (int threads = 1; threads <= most; threads *= 2)
        {
            const int links = weak ? threads : (options.quick ? 8 : 64);
            if (options.say) options.say(fmt::format("{} links, {} threads", links, threads));
            const Result<Model> model = build_dense_chain(links, along, around);
            if (!model.ok()) return model.errors();
            const Result<ScalingRun> run = run_chain(*model, threads, steps, weak || threads > 1 ? kForever : budget);
            if (!run.ok()) return run.errors();
            if (threads == 1) alone = run.value(), steps = run->steps;
            if (weak && threads > 1)
            {
                // A longer chain swings more and takes more iterations, by however many threads.
                Result<ScalingRun> again = run_chain(*model, 1, steps, kForever);
                if (!again.ok()) return again.errors();
                alone = std::move(again).value();
            }
            is_same = is_same && alone.end == run->end;
            const double efficiency = alone.seconds / run->seconds / threads;
            table.rows.push_back(
                {weak ? "weak" : "strong",
                 "double",
                 {static_cast<double>(links), static_cast<double>(threads), static_cast<double>(run->steps),
                  run->seconds, alone.seconds, run->iterations, efficiency}});
            if (options.say) options.say(fmt::format("  {:.4f} s a step, efficiency {:.3f}", run->seconds, efficiency));
        }
    }
    report.tables.push_back(std::move(table));
    report.figures.push_back(
        {.name = "the same bits for any number of threads", .value = is_same ? 1.0 : 0.0, .unit = "", .bar = 1});
    return measure_contact_growth(options, report);
}

}  // namespace rattleback::lab
