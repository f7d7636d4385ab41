// Bench `batch`: throughput of one world and of many beside native MuJoCo, with accuracy beside each speed.
#include "lab/bench/batch.h"

#include "base/nearest_match.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace rattleback::lab
{

namespace
{

struct BatchPart
{
    std::string_view name;
    void (*measure)(const BatchBed& bed) = nullptr;
};
constexpr BatchPart kParts[] = {
    {"scenes", &measure_batch_scenes}, {"smooth", &measure_batch_smooth},   {"capsules", &measure_batch_capsules},
    {"cubes", &measure_batch_cubes},   {"threads", &measure_batch_threads},
};

}  // namespace

std::vector<BatchContender> batch_contenders()
{
    const auto text = [](const char* value) { return std::string(value); };
    return {
        {.name = "convex", .solver = "convex", .parameters = {}},
        {.name = "convex, plain", .solver = "convex", .parameters = {{"stick", false}}},
        {.name = "comfree, sweeps", .solver = "comfree", .parameters = {{"method", text("sweeps")}}},
        {.name = "comfree, sweeps, single",
         .solver = "comfree",
         .parameters = {{"method", text("sweeps")}, {"precision", text("single")}},
         .precision = "single"},
        {.name = "comfree, direct", .solver = "comfree", .parameters = {{"method", text("direct")}}},
        {.name = "comfree, direct, anchor",
         .solver = "comfree",
         .parameters = {{"method", text("direct")}, {"anchor", true}}},
        {.name = "comfree, printed (no packs)", .solver = "comfree", .parameters = {{"law", text("printed")}}},
        {.name = "comfree, as_coded (no packs)", .solver = "comfree", .parameters = {{"law", text("as_coded")}}},
    };
}

void BatchBed::add_ratio(const std::string& name, double ratio, double bar, double aim,
                         const std::string& precision) const
{
    report.figures.push_back(
        {.name = name, .value = ratio, .unit = "x", .bar = bar, .aim = aim, .precision = precision});
}

double run_batch(Batch& batch, const BatchStart& start, int steps)
{
    batch.reset();
    for (int world = 0; world < batch.world_count(); ++world)
    {
        const WorldView view = batch.state().world(world);
        std::ranges::copy(start.q, view.q.begin());
        std::ranges::copy(start.v, view.v.begin());
        std::ranges::copy(start.act, view.act.begin());
    }
    batch.refresh();
    Rollout kept;
    const double begin = thread_seconds();
    const Status done = batch.rollout(steps, start.controls, {.every = steps}, kept);
    const double seconds = thread_seconds() - begin;
    const auto good = [](const StepReport& report)
    { return report.status == StepStatus::ok || report.status == StepStatus::not_converged; };
    if (!done.ok() || !std::ranges::all_of(batch.reports(), good)) return std::nan("");
    return static_cast<double>(steps) * batch.world_count() / seconds;
}

double run_batch(PeerBatch& batch, const BatchStart& start, int steps, int worlds)
{
    batch.start(start.q, start.v, start.act);
    const double begin = thread_seconds();
    batch.rollout(steps, start.controls);
    const double seconds = thread_seconds() - begin;
    return batch.trouble().none() ? static_cast<double>(steps) * worlds / seconds : std::nan("");
}

Status measure_batch(const BenchOptions& options, BenchReport& report)
{
    std::vector<std::string_view> names;
    for (const BatchPart& part : kParts) names.push_back(part.name);
    const auto wanted = [&](std::string_view name) { return options.scene.empty() || options.scene == name; };
    if (std::none_of(names.begin(), names.end(), wanted))
        return Error{ErrorCode::unknown_name, "--scene", "there is no part '" + options.scene + "'",
                     make_name_hint(options.scene, names)};
    if (!find_mujoco().ok()) report.notes.push_back("without MuJoCo there is nobody to compare with: nothing measured");
    if (!find_mujoco().ok()) return {};
    const BatchBed bed{options, report};
    bed.note(fmt::format("CPU time of one thread, medians of {} alternating runs; {} cores here; MuJoCo in double",
                         bed.rounds(), std::thread::hardware_concurrency()));
    for (const BatchPart& part : kParts)
    {
        if (wanted(part.name)) part.measure(bed);
    }
    return {};
}

}  // namespace rattleback::lab
