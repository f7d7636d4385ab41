// Bench `convex`: scenes beside MuJoCo, speed with accuracy.
#include "lab/bench/convex.h"

#include "lab/measure/measure.h"
#include "lab/scenes/hand.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/quadruped.h"
#include "lab/scenes/stacks.h"

#include <fmt/format.h>

#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr int kRounds = 5;

/// A scene of the table.
struct ConvexScene
{
    PublicScene scene;
    DuelOptions options;
    int steps, quick_steps;
    double bar, aim;
};

const ConvexScene kConvexScenes[] = {
    {.scene = {"humanoid falling", "mjcf/mujoco/model/humanoid/humanoid.xml", "our humanoid",
               [] { return build_humanoid(); }},
     .options = {.noise = 0.1},
     .steps = 2000,
     .quick_steps = 600,
     .bar = 1,
     .aim = 2},
    {.scene = {"our hand with cube", "", nullptr, [] { return build_hand(); }},
     .options = {.noise = 0.1},
     .steps = 2000,
     .quick_steps = 500,
     .bar = 1,
     .aim = 2},
    {.scene = {"Shadow hand", "mjcf/menagerie/shadow_hand/scene_right.xml", nullptr},
     .options = {.noise = 0.1},
     .steps = 2000,
     .quick_steps = 500,
     .bar = 1,
     .aim = 2},
    {.scene = {"G1 standing", "mjcf/menagerie/unitree_g1/scene.xml", "our quadruped", [] { return build_quadruped(); }},
     .options = {.noise = 0.01, .keyframe = "stand"},
     .steps = 2000,
     .quick_steps = 500,
     .bar = 1,
     .aim = 2},
    {.scene = {"22 humanoids", "mjcf/mujoco/model/humanoid/22_humanoids.xml", "22 humanoids of ours",
               [] { return build_humanoid({.name = "crowd", .count = 22}); }},
     .options = {.noise = 0.1},
     .steps = 1000,
     .quick_steps = 150,
     .bar = 1,
     .aim = 3},
    {.scene = {"100 humanoids", "mjcf/mujoco/model/humanoid/100_humanoids.xml", "100 humanoids of ours",
               [] { return build_humanoid({.name = "crowd", .count = 100}); }},
     .options = {.noise = 0.1},
     .steps = 500,
     .quick_steps = 60,
     .bar = 1,
     .aim = 3},
    {.scene = {"125 bunnies", "mjcf/mujoco/model/replicate/bunnies.xml", "125 rocks of ours",
               [] { return build_rocks(); }},
     .options = {},
     .steps = 300,
     .quick_steps = 150,
     .bar = 1,
     .aim = 3},
};

/// Accuracy of an engine over the judged runs of a scene.
using Qualities = std::vector<RunQuality>;

template <class Engine>
Qualities judge(const ConvexDuel& duel, Engine& engine, int steps)
{
    constexpr int kSmall = 100;  // dofs: with more, one run says enough
    const int runs = duel.has_noise() && duel.model().v_count() < kSmall ? 8 : 1;
    Qualities all;
    for (int run = 0; run < runs; ++run) all.push_back(duel.judge(engine, steps, run));
    return all;
}

/// Mean of a value over runs, and its variance.
std::pair<double, double> summarise(const Qualities& runs, double RunQuality::* value)
{
    double mean = 0, squares = 0;
    const auto n = static_cast<double>(runs.size());
    for (const RunQuality& run : runs) mean += run.*value / n;
    for (const RunQuality& run : runs) squares += (run.*value - mean) * (run.*value - mean);
    return {mean, n > 1 ? squares / (n - 1) / n : 0};
}

/// The bars are MuJoCo's figures, with room for chaos: a tenth, and two standard errors where there are several runs.
void add_quality(const std::string& title, const Qualities& ours, const Qualities* theirs, BenchReport& report)
{
    constexpr double kRoom = 1.1;
    constexpr double kNothing = 1e-9;  // below this all are zero
    const auto add = [&](const char* what, const char* unit, double RunQuality::* value, double scale)
    {
        const auto [mean, variance] = summarise(ours, value);
        Figure figure{
            .name = fmt::format("{}, {}", title, what), .value = scale * mean, .unit = unit, .higher_is_better = false};
        if (theirs != nullptr)
        {
            const auto [their_mean, their_variance] = summarise(*theirs, value);
            figure.bar = scale * std::max(kNothing, kRoom * their_mean + 2 * std::sqrt(variance + their_variance));
        }
        report.figures.push_back(figure);
    };
    report.figures.push_back(
        {.name = title + ", contacts", .value = summarise(ours, &RunQuality::contacts).first, .unit = ""});
    add("mean penetration", "mm", &RunQuality::penetration, 1e3);
    add("creep", "mm/s", &RunQuality::creep, 1e3);
    add("largest violation", "mm or mrad", &RunQuality::violation, 1e3);
}

/// A box on a slope with twice the friction it needs: how fast it creeps.
void measure_creep(BenchReport& report)
{
    constexpr double kTangent = 0.25, kSeconds = 6;
    const auto build = []
    {
        ModelBuilder builder("slope");
        const MaterialId soft = builder.add_material({.friction = 2 * kTangent, .softness = Impedance{}});
        builder.add_ground({.name = "floor", .material = soft});
        const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "box", .material = soft});
        const double length = 9.81 / std::sqrt(1 + kTangent * kTangent);
        builder.settings().gravity = {kTangent * length, 0, -length};
        return builder.build();
    };
    Result<Model> model = build();
    if (!model.ok()) return;
    const Result<ConvexDuel> made = ConvexDuel::write(std::move(model).value(), {});
    if (!made.ok()) return report.notes.push_back("slope not measured: " + to_text(made.errors()));
    const ConvexDuel& duel = made.value();
    const auto add = [&](const std::string& name, double metres, std::optional<double> bar)
    {
        report.figures.push_back({.name = "box on a slope, margin 2, creep, " + name,
                                  .value = 1e6 * metres / (0.5 * kSeconds),
                                  .unit = "um/s",
                                  .bar = bar,
                                  .higher_is_better = false});
    };
    const int half = static_cast<int>(0.5 * kSeconds / duel.model().settings.dt);
    for (const bool stick : {true, false})
    {
        Result<Simulation> ours = duel.make_ours({{"stick", stick}});
        if (!ours.ok()) return report.notes.push_back("slope not measured: " + to_text(ours.errors()));
        Simulation simulation = std::move(ours).value();
        simulation.run_steps(half);
        const double before = simulation.state().q[0];
        simulation.run_steps(half);
        add(stick ? "true stick" : "plain", std::abs(simulation.state().q[0] - before),
            stick ? std::optional(1.0) : std::nullopt);
    }
    Result<DuelPeer> theirs = duel.make_theirs({.method = "Newton"});
    if (!theirs.ok()) return;
    Peer& peer = *theirs.value().peer;
    duel.start(peer);
    peer.step(half);
    const double before = peer.q()[0];
    peer.step(half);
    add(peer.name(), std::abs(peer.q()[0] - before), std::nullopt);
}

}  // namespace

void measure_duel(const std::string& title, const Result<ConvexDuel>& made, int steps, double bar, double aim,
                  const BenchOptions& options, BenchReport& report)
{
    if (options.say) options.say(title);
    const auto skip = [&](const std::vector<Error>& errors)
    { report.notes.push_back(fmt::format("{} not measured: {}", title, to_text(errors))); };
    if (!made.ok()) return skip(made.errors());
    const ConvexDuel& duel = made.value();
    Result<Simulation> made_stick = duel.make_ours({{"stick", true}}), made_plain = duel.make_ours({{"stick", false}});
    if (!made_stick.ok()) return skip(made_stick.errors());
    if (!made_plain.ok()) return skip(made_plain.errors());
    Simulation stick = std::move(made_stick).value(), plain = std::move(made_plain).value();
    Result<DuelPeer> fastest = duel.find_fastest(steps), standard = duel.make_theirs({.method = "Newton"});
    if (!fastest.ok()) skip(fastest.errors());
    if (!standard.ok()) return skip(standard.errors());
    Peer* peer = fastest.ok() ? fastest.value().peer.get() : nullptr;

    std::vector<std::function<double()>> runs{[&] { return steps / duel.run(stick, steps); },
                                              [&] { return steps / duel.run(plain, steps); }};
    if (peer != nullptr) runs.emplace_back([&] { return steps / duel.run(*peer, steps); });
    const std::vector<double> speeds = median_of_alternating(runs, options.quick ? 3 : kRounds);
    const auto add = [&](const std::string& name, double speed)
    { report.figures.push_back({.name = fmt::format("{}, {}", title, name), .value = speed, .unit = "steps/s"}); };
    const auto add_ratio = [&](const std::string& name, double ratio)
    {
        report.figures.push_back({.name = fmt::format("{}, {} over mujoco", title, name),
                                  .value = ratio,
                                  .unit = "x",
                                  .bar = bar,
                                  .aim = aim});
    };
    add("true stick", speeds[0]);
    add("plain", speeds[1]);
    if (peer != nullptr)
    {
        add(fmt::format("{} ({})", peer->name(), fastest.value().settings), speeds[2]);
        add_ratio("true stick", speeds[0] / speeds[2]);
        add_ratio("plain", speeds[1] / speeds[2]);
    }
    const Qualities theirs = judge(duel, *standard.value().peer, steps);
    add_quality(title + ", true stick", judge(duel, stick, steps), &theirs, report);
    add_quality(title + ", plain", judge(duel, plain, steps), &theirs, report);
    add_quality(title + ", mujoco's defaults", theirs, nullptr, report);
    if (!standard.value().peer->trouble().none())
        report.notes.push_back(fmt::format("{}: mujoco's defaults had {}: its accuracy is that of what remained", title,
                                           standard.value().peer->trouble().text()));
}

Status measure_convex(const BenchOptions& options, BenchReport& report)
{
    const Result<std::unique_ptr<Peer>> peer = find_mujoco();
    if (!peer.ok())
        report.notes.push_back("nothing beside MuJoCo is measured: " + to_text(peer.errors()));
    else
    {
        for (const ConvexScene& scene : kConvexScenes)
        {
            measure_public_scene(scene.scene, report,
                                 [&](const FoundScene& found)
                                 {
                                     measure_duel(found.title,
                                                  ConvexDuel::load(found, scene.scene.build, scene.options),
                                                  options.quick ? scene.quick_steps : scene.steps, scene.bar, scene.aim,
                                                  options, report);
                                 });
        }
        measure_creep(report);
    }
    measure_capsules(options, report);
    measure_convex_batch(options, report);
    return {};
}

}  // namespace rattleback::lab
