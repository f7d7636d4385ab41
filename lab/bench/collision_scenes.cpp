// Bench `collision`, the rest: candidate pairs of many boxes, and all contacts of whole scenes.
#include "lab/bench/collision.h"
#include "lab/bench/data_folder.h"
#include "lab/measure/measure.h"
#include "lab/peers/bullet/world.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/stacks.h"

#include <rattleback/import.h>
#include <rattleback/query.h>

#include <fmt/format.h>

#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kBulletMargin = 0.02;  ///< what Bullet keeps contacts within [m]
constexpr double kBox = 0.1;            ///< edge of the boxes of the broad phase [m]

/// Free boxes scattered so that each has a few neighbours.
Result<Model> build_cloud(int count)
{
    ModelBuilder builder("cloud");
    Random random(3);
    const double side = kBox * 1.45 * std::cbrt(static_cast<double>(count));
    for (int i = 0; i < count; ++i)
    {
        const Vec3 position{random.uniform(0, side), random.uniform(0, side), random.uniform(0, side)};
        const BodyId body = builder.add_body({.position = position, .rotation = draw_rotation(random)});
        builder.add_shape(body, Box{.half_extents = {kBox / 2, kBox / 2, kBox / 2}});
    }
    return builder.build();
}

/// Moves every body by up to `reach` [m] from where the model puts it, another way for every moment.
void jitter(const Model& model, double reach, int moment, State& state)
{
    Random random(static_cast<std::uint64_t>(moment) + 11);
    const State rest(model);
    for (int body = 1; body < model.body_count(); ++body)
    {
        const auto b = static_cast<std::size_t>(body);
        if (model.bodies.root[b] != body) continue;
        const Vec3 way{random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
        state.body_pose[b].position = rest.body_pose[b].position + way;
    }
}

struct CloudTimes
{
    double moving = 0, resting = 0;  ///< CPU [ms] per call
    std::size_t pairs = 0;
};

Result<CloudTimes> time_cloud(int count, bool quick)
{
    Result<Model> model = build_cloud(count);
    if (!model.ok()) return model.errors();
    const int moments = quick ? 5 : 9;
    std::vector<State> states(static_cast<std::size_t>(moments), State(model.value()));
    for (int i = 0; i < moments; ++i) jitter(model.value(), 0.05 * kBox, i, states[static_cast<std::size_t>(i)]);
    Collider collider(model.value());
    ColliderMemory memory;
    CloudTimes times;
    const auto call = [&](State& state)
    {
        const double begin = thread_seconds();
        times.pairs = collider.find_pairs(state.world(0), 0, 0, &memory).size();
        return 1e3 * (thread_seconds() - begin);
    };
    for (State& state : states) call(state);  // warm
    std::vector<double> moving, resting;
    for (State& state : states) moving.push_back(call(state));
    for (int i = 0; i < moments; ++i) resting.push_back(call(states.back()));
    times.moving = median(moving);
    times.resting = median(resting);
    return times;
}

/// Eight moments of a scene: free bodies a tenth of a millimetre from their places, joints anywhere in their range.
std::vector<State> make_moments(const Model& model)
{
    constexpr int kMoments = 8;
    std::vector<State> states(kMoments, State(model));
    for (int moment = 0; moment < kMoments; ++moment)
    {
        State& state = states[static_cast<std::size_t>(moment)];
        Random random(static_cast<std::uint64_t>(moment) + 5);
        for (std::size_t j = 0; j < model.joints.type.size(); ++j)
        {
            const Range& range = model.joints.range[j];
            if (model.joints.type[j] != JointType::hinge || !range.limited) continue;
            state.q[static_cast<std::size_t>(model.joints.q_begin[j])] = random.uniform(range.lower, range.upper);
        }
        refresh_bodies(model, state.world(0));
        const bool free_bodies = model.actuator_count() == 0;
        if (free_bodies) jitter(model, 1e-4, moment, state);
    }
    return states;
}

/// One scene in both engines, the same moments in turn.
Status add_scene(const std::string& name, const Model& model, const BenchOptions& options, BenchReport& report)
{
    if (options.say) options.say(name);
    const int rounds = options.quick ? 5 : 11;
    std::vector<State> states = make_moments(model);
    const auto moments = static_cast<double>(states.size());
    Collider collider(model);
    ColliderMemory memory;
    auto bullet = make_bullet_world(model);
    int ours = 0, theirs = 0;
    std::vector<std::function<double()>> runs;
    runs.emplace_back(
        [&]
        {
            const double begin = thread_seconds();
            for (State& state : states) ours = collider.find_contacts(state.world(0), kBulletMargin, memory).count();
            return 1e3 * (thread_seconds() - begin) / moments;
        });
    if (bullet.ok())
    {
        runs.emplace_back(
            [&]
            {
                const double begin = thread_seconds();
                for (State& state : states) theirs = bullet.value()->find_contacts(state.world(0));
                return 1e3 * (thread_seconds() - begin) / moments;
            });
    }
    const std::vector<double> ms = median_of_alternating(runs, rounds);
    const auto add = [&](const char* what, double value, const char* unit, bool higher, std::optional<double> aim)
    {
        report.figures.push_back({.name = fmt::format("{}: {}", name, what),
                                  .value = value,
                                  .unit = unit,
                                  .aim = aim,
                                  .higher_is_better = higher});
    };
    add("contacts", ours, "", true, std::nullopt);
    add("all contacts", ms[0], "ms", false, std::nullopt);
    if (!bullet.ok()) return {};
    add("contacts, bullet", theirs, "", true, std::nullopt);
    add("all contacts, bullet", ms[1], "ms", false, std::nullopt);
    add("bullet / ours", ms[1] / ms[0], "x", true, 1.0);
    return {};
}

/// The same with one thread and with two, in turn. Here the wall counts; of all rounds the least, for other work on the
/// machine only adds to it.
void add_threads(const std::string& name, const Model& model, const BenchOptions& options, BenchReport& report)
{
    if (options.say) options.say(name + ", 1 and 2 threads");
    const int rounds = options.quick ? 21 : 81;
    std::vector<State> states = make_moments(model);
    Collider one(model), two(model, {.thread_count = 2});
    ColliderMemory one_memory, two_memory;
    double best_one = std::numeric_limits<double>::infinity(), best_two = best_one, least_one = best_one,
           least_two = best_one;  // least: of the CPU time of all threads together
    const auto time = [&](Collider& collider, ColliderMemory& memory, double& best, double& least)
    {
        const double begin = wall_seconds(), cpu_begin = process_seconds();
        for (State& state : states) collider.find_contacts(state.world(0), kBulletMargin, memory);
        const double count = 1e-3 * static_cast<double>(states.size());
        best = std::min(best, (wall_seconds() - begin) / count);
        least = std::min(least, (process_seconds() - cpu_begin) / count);
    };
    for (int i = 0; i < rounds; ++i)
    {
        time(one, one_memory, best_one, least_one);
        time(two, two_memory, best_two, least_two);
    }
    for (const auto& [what, ms] : {std::pair{"1 thread", best_one}, std::pair{"2 threads", best_two}})
    {
        report.figures.push_back(
            {.name = fmt::format("{}: {}", name, what), .value = ms, .unit = "ms (wall)", .higher_is_better = false});
    }
    report.figures.push_back(
        {.name = fmt::format("{}: 2 threads over 1", name), .value = best_one / best_two, .unit = "x"});
    report.figures.push_back({.name = fmt::format("{}: CPU time of 2 threads over 1", name),
                              .value = least_two / least_one,
                              .unit = "x",
                              .higher_is_better = false});
}

}  // namespace

Status measure_broad_phase(const BenchOptions& options, BenchReport& report)
{
    std::vector<int> counts{1000, 10'000, 100'000};
    std::vector<double> moving;
    for (const int count : counts)
    {
        if (options.say) options.say(fmt::format("{} boxes in the broad phase", count));
        const Result<CloudTimes> times = time_cloud(count, options.quick);
        if (!times.ok()) return times.errors();
        moving.push_back(times.value().moving);
        const auto add = [&](const char* what, double value, const char* unit)
        {
            report.figures.push_back({.name = fmt::format("{} boxes, {}", count, what),
                                      .value = value,
                                      .unit = unit,
                                      .higher_is_better = false});
        };
        add("candidate pairs", static_cast<double>(times.value().pairs), "");
        add("moving", times.value().moving, "ms");
        add("resting", times.value().resting, "ms");
    }
    report.figures.push_back({.name = "growth of moving boxes, 10k to 100k",
                              .value = std::log10(moving[2] / moving[1]),
                              .unit = "exponent",
                              .bar = 1.2,
                              .higher_is_better = false});
    return {};
}

Status measure_scenes(const BenchOptions& options, BenchReport& report)
{
    const std::pair<const char*, Result<Model>> scenes[] = {{"pyramid of 1,240 boxes", build_pyramid()},
                                                            {"bin of 1,000 things", build_bin()}};
    for (const auto& [name, model] : scenes)
    {
        if (!model.ok()) return model.errors();
        const Status added = add_scene(name, model.value(), options, report);
        if (!added.ok()) return added;
        add_threads(name, model.value(), options, report);
    }
    const std::filesystem::path path = find_data_folder() / "mjcf/menagerie/shadow_hand/scene_right.xml";
    if (!std::filesystem::exists(path))
    {
        report.notes.push_back("Shadow hand skipped: " + path.string() + " is not there");
        return {};
    }
    Result<Imported> hand = load_mjcf(path);
    if (!hand.ok()) return hand.errors();
    return add_scene("Shadow hand with object", hand.value().model, options, report);
}

}  // namespace rattleback::lab
