// A scene of one's own: a domino line; the first is pushed, the last falls.
#include <rattleback/rattleback.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
namespace rb = rattleback;

int main()
{
    constexpr int kCount = 12;
    rb::ModelBuilder builder("dominoes");
    builder.add_ground();
    const rb::Vec3 half = {0.004, 0.012, 0.024};
    std::vector<rb::BodyId> dominoes;
    for (int i = 0; i < kCount; ++i)
    {
        dominoes.push_back(
            builder.add_body({.name = "domino " + std::to_string(i), .position = {0.03 * i, 0, half.z}}));
        builder.add_shape(dominoes.back(), rb::Box{.half_extents = half}, {.density = 600});
    }

    rb::Simulation simulation(builder.build().value(), {.solver = "convex", .dt = 1e-3});
    rb::Vec3& torque = simulation.control().body_wrench[static_cast<std::size_t>(dominoes[0].index)].torque;
    torque.y = 2e-3;
    simulation.run_steps(50);
    torque = {};
    simulation.run_for(2.0);
    const auto has_fallen = [&](rb::BodyId domino)
    { return 2 * std::acos(std::min(1.0, std::abs(simulation.state().rotation(domino).w))) > 0.5; };
    std::printf("%d of %d dominoes have fallen\n", static_cast<int>(std::ranges::count_if(dominoes, has_fallen)),
                kCount);
}
