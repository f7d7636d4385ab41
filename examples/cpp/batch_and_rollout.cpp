// Many worlds at once: the best of 256 random pushes brings a cart to rest at one metre.
#include <rattleback/rattleback.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder("cart");
    builder.settings().dt = 0.01;
    const rb::BodyId cart =
        builder.add_body({.name = "cart", .inertia = rb::Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const rb::JointId rail = builder.add_joint(cart, {.name = "rail", .type = rb::JointType::slide, .axis = {1, 0, 0}});
    builder.add_motor(rail, {.name = "push", .input_range = rb::Range{.limited = true, .lower = -5, .upper = 5}});

    constexpr int kWorlds = 256, kSteps = 100, kKnots = 10, kBest = 16;
    rb::Batch batch(builder.build().value(), {.world_count = kWorlds, .thread_count = 2});
    std::mt19937 random(0);
    std::normal_distribution<double> normal;
    std::array<double, kKnots> mean{};
    std::vector<std::array<double, kKnots>> knots(kWorlds);
    std::vector<double> controls(kWorlds * kSteps), cost(kWorlds);
    std::vector<int> order(kWorlds);
    rb::Rollout kept;
    double spread = 2;
    for (int round = 0; round < 12; ++round, spread *= 0.8)
    {
        for (std::size_t world = 0; world < kWorlds; ++world)
        {
            for (std::size_t i = 0; i < kKnots; ++i) knots[world][i] = mean[i] + spread * normal(random);
            for (std::size_t step = 0; step < kSteps; ++step)
                controls[world * kSteps + step] = knots[world][step * kKnots / kSteps];
        }
        batch.reset();
        batch.rollout(kSteps, controls, {}, kept).require();
        for (std::size_t world = 0; world < kWorlds; ++world)
        {
            const double x = kept.q[(world + 1) * kSteps - 1], v = kept.v[(world + 1) * kSteps - 1];
            cost[world] = (x - 1) * (x - 1) + v * v;
            for (const double knot : knots[world]) cost[world] += 1e-4 * knot * knot;
        }
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](int world) { return cost[static_cast<std::size_t>(world)]; });
        mean = {};
        for (std::size_t i = 0; i < kKnots; ++i)
            for (std::size_t best = 0; best < kBest; ++best)
                mean[i] += knots[static_cast<std::size_t>(order[best])][i] / kBest;
    }
    const auto end = static_cast<std::size_t>((order[0] + 1) * kSteps - 1);
    std::printf("%d worlds x %d steps, best end: %.1f m at %.1f m/s\n", kWorlds, kSteps, kept.q[end],
                std::abs(kept.v[end]));
}
