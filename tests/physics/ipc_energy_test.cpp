// Energy in solver `ipc`: no step gains any, whether it converges or not; what hangs comes to rest.
#include "lab/bench/ipc_common.h"
#include "lab/scenes/scenes.h"
#include "lab/scenes/tumblers.h"
#include "math/rotation.h"
#include "physics/contact_laws.h"

#include <gtest/gtest.h>

#include <random>

namespace rattleback
{
namespace
{

/// What barriers may hold [J]: -(1 - s)^2 ln s is nowhere more than 0.26 d̂ times its slope by the distance, s = d^2 /
/// d̂^2, so that a force F stores 0.26 d̂ F at most. Between steps the barrier may double (README, "Deviations").
double find_lent(const Simulation& simulation, double dhat)
{
    double sum = 0;
    for (const auto& contact : simulation.contact_forces().items) sum += norm(contact.force);
    return 2 * 0.26 * dhat * sum;
}

/// Steps of which none has more kinetic and potential energy than the one before, but for what barriers lent. The
/// number of those that did not converge.
int watch_energy(Simulation& simulation, double dhat, int steps)
{
    int bad = 0;
    const double first = simulation.energy().total();
    for (int i = 0; i < steps; ++i)
    {
        const double before = simulation.energy().total(), lent = find_lent(simulation, dhat);
        bad += simulation.step().status == StepStatus::ok ? 0 : 1;
        // free flight is exact to 1e-9 (turn_freely)
        EXPECT_LE(simulation.energy().total(), before + lent + 1e-8 * std::abs(first)) << i;
    }
    return bad;
}

/// Balls, boxes and thick or thin capsules, light and heavy, one above the other.
Model make_random_heap(unsigned seed, int count)
{
    std::mt19937 random(seed);
    const auto draw = [&](double low, double high)
    { return low + (high - low) * static_cast<double>(random()) / 4294967296.0; };
    ModelBuilder builder;
    const MaterialId material = builder.add_material({.friction = 0.8});
    builder.add_ground({.material = material});
    for (int i = 0; i < count; ++i)
    {
        const double size = draw(0.02, 0.06), length = draw(0.01, 0.15);
        const double density = std::array{300.0, 1000.0, 8000.0}[random() % 3];
        const Vec3 turn{draw(-kPi, kPi), draw(-kPi, kPi), draw(-kPi, kPi)};
        const BodyId body = builder.add_body(
            {.position = {draw(-0.05, 0.05), draw(-0.05, 0.05), 0.3 + 0.42 * i}, .rotation = exponential(turn)});
        const ShapeOptions options{.material = material, .density = density};
        switch (random() % 4)
        {
            case 0:
                builder.add_shape(body, Sphere{.radius = size}, options);
                break;
            case 1:
                builder.add_shape(body, Capsule{.radius = size, .half_length = length}, options);
                break;
            case 2:
                builder.add_shape(body, Capsule{.radius = size / 4, .half_length = length}, options);
                break;
            default:
                builder.add_shape(body, Box{.half_extents = {size, draw(0.02, 0.06), draw(0.02, 0.06)}}, options);
        }
    }
    return builder.build().value();
}

/// A scene of the laboratory with the common set of parameters.
struct CommonScene
{
    Model model;
    double dhat;
};
CommonScene make_common(const std::string& name)
{
    Model model = lab::find_scene(name).value()->build().value();
    const double dhat = lab::set_common_parameters(model);
    return {std::move(model), dhat};
}

}  // namespace

TEST(IpcEnergy, heaps_that_fall_never_gain_any)
{
    constexpr double kDhat = 1e-3;
    for (const unsigned seed : {1u, 2u, 3u, 7u})
    {
        SCOPED_TRACE(seed);
        Simulation simulation(make_random_heap(seed, 8),
                              {.solver = "ipc", .dt = 0.01, .parameters = {{"dhat", kDhat}}});
        watch_energy(simulation, kDhat, 150);
    }
}

TEST(IpcEnergy, a_leaning_capsule_that_spins_by_many_turns_a_step_never_gains_any)
{
    constexpr double kThin = 0.005, kLean = 0.02, kHalf = 0.1, kDhat = 2.5e-5;
    for (const double turn : {1.0, 5.0, 10.0, 20.0, 50.0})
    {
        SCOPED_TRACE(turn);
        ModelBuilder builder;
        const MaterialId material = builder.add_material({.friction = 0.5});
        builder.add_ground({.material = material});
        const BodyId stick = builder.add_body({.position = {0, 0, kThin + 2e-4 + kHalf * std::sin(kLean)},
                                               .rotation = exponential(Vec3{kPi / 2 + kLean, 0, 0}),
                                               .angular_velocity = {0, 100 * turn, 0}});
        builder.add_shape(stick, Capsule{.radius = kThin, .half_length = kHalf},
                          {.material = material, .density = 1000});
        Simulation simulation(builder.build().value(), {.solver = "ipc", .dt = 0.01, .parameters = {{"dhat", kDhat}}});
        EXPECT_LE(watch_energy(simulation, kDhat, 100), 5);
    }
}

TEST(IpcEnergy, what_rolls_swings_and_hangs_never_gains_any)
{
    for (const char* name : {"ipc/rolling_cone", "ipc/pendulum", "ipc/double_pendulum", "ipc/chain_3", "ipc/coin",
                             "ipc/spinning_cube", "ipc/lever_arm", "ipc/wire_net_3"})
    {
        SCOPED_TRACE(name);
        const CommonScene scene = make_common(name);
        Simulation simulation(scene.model, {.solver = "ipc"});
        watch_energy(simulation, scene.dhat, 100);
    }
}

TEST(IpcEnergy, nets_that_hang_come_to_rest)
{
    // Rings that pull each other outwards on their arms: whatever drives their turns, drives them for ever.
    for (const char* name : {"ipc/net_3", "ipc/wire_net_3"})
    {
        SCOPED_TRACE(name);
        const CommonScene scene = make_common(name);
        Simulation simulation(scene.model, {.solver = "ipc"});
        const double first = simulation.energy().total();
        EXPECT_EQ(watch_energy(simulation, scene.dhat, 300), 0);
        EXPECT_LT(simulation.energy().kinetic, 1e-4 * (first - simulation.energy().total()));
    }
}

TEST(IpcEnergy, a_body_that_tumbles_keeps_energy_and_momentum_by_the_order_of_its_integrator)
{
    // Spun about its unstable axis, 0.05 rad a step for ten seconds. First order loses by h w a radian, all of it in
    // the end; second order errs by (h w)^2 = 2.5e-3 over some turns, free turning (`euler`) by its fourth power.
    struct Scheme
    {
        const char* name;
        double at_least, at_most;  ///< drift
    };
    for (const Scheme& scheme :
         {Scheme{"euler", 0, 1e-6}, {"newmark", 0, 2.5e-3}, {"bdf2", 1e-3, 0.05}, {"printed", 0.3, 1}})
    {
        SCOPED_TRACE(scheme.name);
        Simulation simulation =
            Simulation::make(lab::build_tumble().value(),
                             {.solver = "ipc", .dt = 0.01, .parameters = {{"integrator", std::string(scheme.name)}}})
                .value();
        const auto find_both = [&]
        { return std::pair(simulation.energy().total(), norm(simulation.momentum().angular)); };
        const auto [energy, momentum] = find_both();
        double worst_energy = 0, worst_momentum = 0;
        for (int i = 0; i < 1000; ++i)
        {
            simulation.step();
            const auto [e, l] = find_both();
            worst_energy = std::max(worst_energy, std::abs(e / energy - 1));
            worst_momentum = std::max(worst_momentum, std::abs(l / momentum - 1));
        }
        for (const double drift : {worst_energy, worst_momentum})
        {
            EXPECT_GE(drift, scheme.at_least);
            EXPECT_LE(drift, scheme.at_most);
        }
    }
}

}  // namespace rattleback
