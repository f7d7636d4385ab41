// Reinforcement learning: a linear policy learns to balance a pole, by random search over policies (Mania et al.,
// 2018), a world for each.
#include <rattleback/rattleback.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
namespace rb = rattleback;

using Policy = std::array<double, 4>;
constexpr int kDirections = 16, kSteps = 200;

/// Steps until the pole leans by more than 0.3 rad or the cart leaves the rail of 2 m, for a policy in each world.
std::vector<double> find_returns(rb::Batch& batch, const std::vector<Policy>& policies)
{
    batch.reset();
    std::vector<double> returns(policies.size(), 0);
    std::vector<bool> up(policies.size(), true);
    for (int step = 0; step < kSteps; ++step)
    {
        const std::vector<double>&q = batch.state().q, &v = batch.state().v;  // [world][2]
        for (std::size_t w = 0; w < policies.size(); ++w)
            batch.control().input[w] = policies[w][0] * q[2 * w] + policies[w][1] * q[2 * w + 1] +
                                       policies[w][2] * v[2 * w] + policies[w][3] * v[2 * w + 1];
        batch.step();
        for (std::size_t w = 0; w < policies.size(); ++w)
        {
            up[w] = up[w] && std::abs(q[2 * w + 1]) < 0.3 && std::abs(q[2 * w]) < 1;
            returns[w] += up[w] ? 1 : 0;
        }
    }
    return returns;
}

int main()
{
    rb::ModelBuilder builder("cart and pole");
    builder.settings().dt = 0.02;
    const rb::BodyId cart =
        builder.add_body({.name = "cart", .inertia = rb::Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const rb::JointId rail = builder.add_joint(cart, {.name = "rail", .type = rb::JointType::slide, .axis = {1, 0, 0}});
    const rb::BodyId pole = builder.add_body({.name = "pole", .parent = cart});
    builder.add_joint(pole, {.name = "hinge", .axis = {0, 1, 0}, .initial_position = 0.05});
    builder.add_shape(pole, rb::Capsule{.radius = 0.02, .half_length = 0.25},
                      {.position = {0, 0, 0.25}, .mass = 0.2, .mask = 0});
    builder.add_motor(rail, {.name = "push", .input_range = rb::Range{.limited = true, .lower = -10, .upper = 10}});
    rb::Batch batch(builder.build().value(), {.solver = "smooth", .world_count = 2 * kDirections, .thread_count = 1});

    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Policy policy{};
    std::vector<Policy> ways(kDirections), policies(2 * kDirections);
    for (int generation = 0; generation < 13; ++generation)
    {
        for (std::size_t d = 0; d < kDirections; ++d)
            for (std::size_t i = 0; i < policy.size(); ++i)
            {
                ways[d][i] = normal(random);
                policies[d][i] = policy[i] + 4 * ways[d][i];
                policies[d + kDirections][i] = policy[i] - 4 * ways[d][i];
            }
        const std::vector<double> returns = find_returns(batch, policies);
        double mean = 0, square = 0;
        for (const double r : returns) mean += r / (2 * kDirections);
        for (const double r : returns) square += (r - mean) * (r - mean) / (2 * kDirections);
        if (generation % 4 == 0)
            std::printf("generation %2d: a policy keeps the pole up for %.0f of %d steps\n", generation, mean, kSteps);
        for (std::size_t d = 0; d < kDirections; ++d)
            for (std::size_t i = 0; i < policy.size(); ++i)
                policy[i] +=
                    4 * (returns[d] - returns[d + kDirections]) * ways[d][i] / kDirections / (std::sqrt(square) + 1e-6);
    }
    const double learned = find_returns(batch, std::vector<Policy>(2 * kDirections, policy))[0];
    std::printf("what was learned: %.0f of %d steps\n", learned, kSteps);
}
