// Bench `collision`, meshes that move: eared solids of 972 triangles in a bowl of triangles, a step of solver `avbd`
// beside one of Bullet with GImpact.
#include "base/index.h"
#include "lab/bench/collision.h"
#include "lab/measure/measure.h"
#include "lab/peers/body_peer.h"
#include "lab/scenes/eared.h"

#include <rattleback/simulation.h>

#include <fmt/format.h>

#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kBowlStep = 1.0 / 60;

int count_outside(const EaredBowlOptions& options, const State& state)
{
    const double radius = find_bowl_radius(options);
    int outside = 0;
    for (int i = 1; i <= options.count; ++i)
    {
        const Vec3& p = state.body_pose[at(i)].position;
        outside += std::hypot(p.x, p.y) > radius || (p.z < 0 && norm(p) > radius) ? 1 : 0;
    }
    return outside;
}

}  // namespace

Status measure_bowl(const BenchOptions& options, BenchReport& report)
{
    const EaredBowlOptions scene{.count = options.quick ? 20 : 100};
    const int steps = options.quick ? 90 : 1200;
    const std::string name = fmt::format("{} eared solids in a bowl", scene.count);
    if (options.say) options.say(name);
    const Result<Model> model = build_eared_bowl(scene);
    if (!model.ok()) return model.errors();
    const auto add = [&](const char* what, double value, const char* unit)
    {
        report.figures.push_back(
            {.name = fmt::format("{}: {}", name, what), .value = value, .unit = unit, .higher_is_better = false});
    };
    auto simulation = Simulation::make(model.value(), {.solver = "avbd", .dt = kBowlStep});
    if (!simulation.ok()) return simulation.errors();
    double begin = thread_seconds();
    for (int i = 0; i < steps; ++i) simulation.value().step();
    const double ours = 1e3 * (thread_seconds() - begin) / steps;
    add("a step", ours, "ms");
    add("left the bowl", count_outside(scene, simulation.value().state()), "");
    const auto bullet = make_bullet_peer(model.value(), {.dt = kBowlStep});
    if (!bullet.ok())
    {
        report.notes.push_back("meshes in a bowl: bullet skipped: " + bullet.errors().front().message);
        return {};
    }
    begin = thread_seconds();
    bullet.value()->step(steps);
    const double theirs = 1e3 * (thread_seconds() - begin) / steps;
    State state(model.value());
    bullet.value()->read(state);
    add("a step, bullet with GImpact", theirs, "ms");
    add("left the bowl, bullet", count_outside(scene, state), "");
    report.figures.push_back({.name = name + ": bullet / ours", .value = theirs / ours, .unit = "x", .aim = 1.0});
    return {};
}

}  // namespace rattleback::lab
