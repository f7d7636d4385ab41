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
    {"scenes", &measure_batch_scenes},
    {"smooth", &measure_batch_smooth},
    {"capsules", &measure_batch_capsules},
    {"threads", &measure_batch_threads},
};

const ParameterInfo* find_parameter(const SolverInfo& info, std::string_view name)
{
    const auto found = std::ranges::find(info.parameters, name, &ParameterInfo::name);
    return found == info.parameters.end() ? nullptr : &*found;
}

/// The same once more for each choice of a parameter, where the solver has it; the default first and without a name.
std::vector<BatchContender> vary_choice(const std::vector<BatchContender>& given, const SolverInfo& info,
                                        std::string_view parameter)
{
    const ParameterInfo* known = find_parameter(info, parameter);
    if (known == nullptr) return given;
    std::vector<BatchContender> all;
    for (const BatchContender& contender : given)
    {
        for (const std::string_view choice : known->choices)
        {
            BatchContender next = contender;
            next.parameters[std::string(parameter)] = std::string(choice);
            next.name += ", " + std::string(choice);
            if (parameter == "precision") next.precision = choice;
            all.push_back(std::move(next));
        }
    }
    return all;
}

}  // namespace

std::vector<BatchContender> batch_contenders()
{
    std::vector<BatchContender> all;
    const Result<const SolverInfo*> convex = find_solver("convex"), comfree = find_solver("comfree");
    if (convex.ok())
    {
        std::vector<BatchContender> some{
            {.name = "convex", .solver = "convex", .parameters = {}},
            {.name = "convex, plain", .solver = "convex", .parameters = {{"stick", false}}}};
        some = vary_choice(some, *convex.value(), "precision");
        all.insert(all.end(), some.begin(), some.end());
    }
    if (!comfree.ok()) return all;
    std::vector<BatchContender> stable{{.name = "comfree", .solver = "comfree", .parameters = {}}};
    for (const char* parameter : {"law", "method", "precision"})
        stable = vary_choice(stable, *comfree.value(), parameter);
    all.insert(all.end(), stable.begin(), stable.end());
    all.push_back({.name = "comfree, stable, anchor", .solver = "comfree", .parameters = {{"anchor", true}}});
    return all;
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
    bed.note(
        fmt::format("CPU time of one thread, medians of {} alternating runs; {} cores here; both engines in double",
                    bed.rounds(), std::thread::hardware_concurrency()));
    for (const BatchPart& part : kParts)
    {
        if (wanted(part.name)) part.measure(bed);
    }
    return {};
}

}  // namespace rattleback::lab
