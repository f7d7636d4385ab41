// Laws of bodies that roll or slide on one point: the rattleback and the tippe top against their exact equations.
#include "lab/metrics/rolling.h"
#include "lab/scenes/tops.h"
#include "physics/laws.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

/// The toy as its exact equations see it.
lab::RollingEllipsoid make_exact_rattleback(const lab::RattlebackOptions& options)
{
    return {.radii = options.radii,
            .mass = options.mass,
            .diagonal = options.inertia,
            .products = {options.product, 0, 0},
            .angular_velocity = options.angular_velocity};
}

/// Spin about the toy's own z axis [rad/s] after ten seconds, and the most energy it had over that of its start.
struct RattlebackRun
{
    double spin = 0;
    double gain = 0;  ///< fraction of the kinetic energy at the start
};
RattlebackRun run_rattleback(const std::string& solver, const lab::RattlebackOptions& options, double dt)
{
    Simulation simulation(lab::build_rattleback(options).value(), {.solver = solver, .dt = dt});
    const Energy start = simulation.energy();
    RattlebackRun run;
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_EQ(simulation.run_for(0.1).status, StepStatus::ok);
        run.gain = std::max(run.gain, (simulation.energy().total() - start.total()) / start.kinetic);
    }
    run.spin = simulation.state().v[5];
    return run;
}

TEST(Rattleback, the_exact_equations_keep_their_energy_and_turn_the_toy_round)
{
    lab::RollingEllipsoid toy = make_exact_rattleback({});
    const double energy = toy.energy();
    // the spins after 1, 2, ... 10 s that an independent integration of the same equations gave (issue 20)
    for (const double spin : {-5.00, -4.98, -4.48, -2.49, -0.64, 1.13, 3.35, 4.69, 4.99, 5.00})
    {
        toy.advance(1);
        EXPECT_NEAR(toy.angular_velocity.z, spin, 0.006);  // two digits
        EXPECT_NEAR(toy.energy() / energy, 1, 1e-9);
    }
}

class RollingSolvers : public testing::TestWithParam<std::string>
{
};

TEST_P(RollingSolvers, the_rattleback_turns_round_with_the_spin_of_rolling_without_slip)
{
    lab::RollingEllipsoid exact = make_exact_rattleback({});
    exact.advance(10);
    // Second order: a step of 1 ms is 1/64 of the fastest rocking, (2 pi / 64)^2 / 24 is 4e-4 of its phase in a turn,
    // and what that leaves of the energy after 10 s is below 2 %; 2 ms has four times that.
    for (const double dt : {0.001, 0.002})
    {
        const RattlebackRun run = run_rattleback(GetParam(), {}, dt);
        EXPECT_NEAR(run.spin / exact.angular_velocity.z, 1, dt == 0.001 ? 0.02 : 0.05) << dt;
        // velocities of avbd are those of the middle of a step, poses those of its end: what is measured oscillates
        // with half a step of rocking, about 25 h, and does not grow
        EXPECT_LT(run.gain, 40 * dt) << dt;
    }
}

TEST_P(RollingSolvers, the_rattleback_of_the_other_hand_spins_on)
{
    const lab::RattlebackOptions other{.product = 2e-5};
    lab::RollingEllipsoid exact = make_exact_rattleback(other);
    exact.advance(10);
    const RattlebackRun run = run_rattleback(GetParam(), other, 0.001);
    EXPECT_NEAR(run.spin / exact.angular_velocity.z, 1, 0.001);  // hardly rocks: nothing to lose
    EXPECT_LT(run.gain, 0.001);
}

/// Axis of a coin in world axes.
Vec3 coin_axis(const Simulation& simulation) { return rotate(simulation.state().rotation(BodyId{1}), Vec3{0, 0, 1}); }

TEST_P(RollingSolvers, a_coin_circles_on_its_rim_with_the_rate_of_its_tilt)
{
    // Steady motion with the centre at rest: W^2 sin(tilt) = 4 g / a (Moffatt 2000); the angular velocity lies in the
    // coin, w = W (z - cos(tilt) n).
    for (const double degrees : {15.0, 30.0})
    {
        lab::CoinOptions options{.tilt = degrees * kDegree};
        const double s = std::sin(options.tilt), c = std::cos(options.tilt);
        const double rate = std::sqrt(4 * 9.81 / (options.radius * s));
        options.angular_velocity = rate * (Vec3{0, 0, 1} - c * Vec3{s, 0, c});
        Simulation simulation(lab::build_coin(options).value(), {.solver = GetParam()});
        double turned = 0, before = 0, steepest = 0, flattest = kPi;
        for (int i = 0; i < 500; ++i)
        {
            ASSERT_EQ(simulation.step().status, StepStatus::ok);
            const Vec3 axis = coin_axis(simulation);
            const double azimuth = std::atan2(axis.y, axis.x), tilt = std::acos(axis.z);
            turned += std::remainder(azimuth - before, 2 * kPi);
            before = azimuth;
            steepest = std::max(steepest, tilt);
            flattest = std::min(flattest, tilt);
        }
        // an ellipsoid of 1/50 of its radius in thickness is a disc within 2 %
        EXPECT_NEAR(turned / (0.5 * rate), 1, 0.03) << degrees;
        EXPECT_NEAR(steepest / options.tilt, 1, 0.05) << degrees;
        EXPECT_NEAR(flattest / options.tilt, 1, 0.05) << degrees;
    }
}

TEST_P(RollingSolvers, a_ring_rolls_upright_above_its_critical_speed_and_falls_below_it)
{
    // A hoop rolls upright while w^2 > g / (4 a) (Routh).
    const double critical = std::sqrt(9.81 / (4 * 0.1));
    for (const double factor : {1.6, 0.5})
    {
        // its axis along x, so that it rolls along y; a little push to the side
        const lab::CoinOptions options{
            .hollow = true, .tilt = kPi / 2, .angular_velocity = {factor * critical, 0.02, 0}};
        Simulation simulation(lab::build_coin(options).value(), {.solver = GetParam()});
        double lean = 0;
        for (int i = 0; i < 2500 && lean < 0.5; ++i)
        {
            ASSERT_NE(simulation.step().status, StepStatus::diverged);
            lean = std::max(lean, std::abs(std::asin(coin_axis(simulation).z)));
        }
        if (factor > 1)
            EXPECT_LT(lean, 0.05);
        else
            EXPECT_GE(lean, 0.5);
    }
}

INSTANTIATE_TEST_SUITE_P(solvers, RollingSolvers, testing::Values("avbd", "convex"),
                         [](const auto& solver) { return solver.param; });

/// The top as its exact equations see it.
lab::SlidingTop make_exact_top(const lab::TippeTopOptions& options)
{
    lab::SlidingTop top{.radius = options.radius,
                        .offset = options.offset,
                        .mass = options.mass,
                        .transverse = options.transverse,
                        .axial = options.axial,
                        .friction = options.friction};
    top.axis = {std::sin(options.tilt), 0, std::cos(options.tilt)};
    top.set_angular_velocity({0, 0, options.spin});
    return top;
}

TEST(TippeTop, the_exact_equations_keep_jelletts_integral_lose_energy_and_turn_the_top_over)
{
    lab::SlidingTop top = make_exact_top({});
    const double jellett = top.jellett();
    double energy = top.energy();
    for (int i = 0; i < 60; ++i)
    {
        top.advance(0.1);
        EXPECT_NEAR(top.jellett() / jellett, 1, 1e-7);  // conserved whatever the friction; what is left is rounding
        EXPECT_LT(top.energy(), energy);
        energy = top.energy();
    }
    EXPECT_LT(top.axis.z, -0.94);  // nearly overhead it comes to roll, and rises no further
    // overhead it spins with J = C n' (R + a), by which it has slowed down
    EXPECT_NEAR(top.angular_velocity().z * top.axial * (top.radius + top.offset) / jellett, 1, 0.01);
}

class TippeTops : public testing::TestWithParam<std::string>
{
protected:
    struct Run
    {
        double level = 0;    ///< when the stem was first level [s]; 0: never
        double highest = 1;  ///< cosine of the stem's greatest angle
        double axis = 1;     ///< of its last
        double drift = 0;    ///< largest of Jellett's integral, of its start
        double gain = 0;     ///< energy above the start, of the kinetic energy there
    };
    /// With round friction cones, unless `pyramid`.
    Run run(const lab::TippeTopOptions& options, double seconds, bool pyramid = false)
    {
        SimulationOptions settings{.solver = GetParam()};
        if (GetParam() == "convex" && !pyramid) settings.parameters["cone"] = std::string("elliptic");
        Simulation simulation(lab::build_tippe_top(options).value(), settings);
        lab::SlidingTop seen = make_exact_top(options);
        const double jellett = seen.jellett();
        const Energy start = simulation.energy();
        Run run;
        while (simulation.time() < seconds)
        {
            const StepReport report = simulation.step();
            EXPECT_LT(report.status, StepStatus::diverged) << simulation.explain(report);
            if (report.status >= StepStatus::diverged) return run;
            seen.axis = rotate(simulation.state().rotation(BodyId{1}), Vec3{0, 0, 1});
            seen.set_angular_velocity(simulation.state().world().body_velocity[1].angular);
            if (run.level == 0 && seen.axis.z < 0) run.level = simulation.time();
            run.highest = std::min(run.highest, seen.axis.z);
            run.drift = std::max(run.drift, std::abs(seen.jellett() / jellett - 1));
            run.gain = std::max(run.gain, (simulation.energy().total() - start.total()) / start.kinetic);
        }
        run.axis = seen.axis.z;
        return run;
    }
};

TEST_P(TippeTops, a_fast_one_turns_over_as_its_exact_equations_do)
{
    const lab::TippeTopOptions options;
    lab::SlidingTop exact = make_exact_top(options);
    ASSERT_GT(options.spin, lab::find_tippe_spins(exact).inverts);
    double level = 0;
    for (; exact.axis.z > 0; level += 0.001) exact.advance(0.001);
    const Run run = this->run(options, 4);
    // first order in the turn of a step: 0.06 rad, of which the direction of slip is half behind
    EXPECT_NEAR(run.level / level, 1, 0.01);
    EXPECT_LT(run.axis, -0.94);
    EXPECT_LT(run.drift, 0.003);
    EXPECT_LE(run.gain, 0);
    // The slip turns with the top: a pyramid's friction, mu where it points along an edge and mu / sqrt 2 between two,
    // has the mean 2 sqrt 2 / pi.
    if (GetParam() != "convex") return;
    EXPECT_NEAR(this->run(options, 4, true).level / level, kPi / (2 * std::sqrt(2.0)), 0.02);
}

TEST_P(TippeTops, slow_ones_and_flat_ones_stay_upright)
{
    // below the least spin; and with A/C below 1 - a/R, where no spin is fast enough
    const lab::SlidingTop exact = make_exact_top({});
    const lab::TippeTopOptions slow{.spin = 0.8 * lab::find_tippe_spins(exact).leaves};
    const lab::TippeTopOptions flat{.transverse = 0.7 * 0.004};
    ASSERT_FALSE(std::isfinite(lab::find_tippe_spins(make_exact_top(flat)).leaves));
    for (const lab::TippeTopOptions& options : {slow, flat})
    {
        const Run run = this->run(options, 4);
        // it nods, and comes back to its axis: the greatest angle is the first
        EXPECT_GT(run.highest, std::cos(1.1 * options.tilt)) << options.spin;
        EXPECT_GT(run.axis, run.highest) << options.spin;
        EXPECT_LT(run.drift, 0.015) << options.spin;
    }
}

INSTANTIATE_TEST_SUITE_P(solvers, TippeTops, testing::Values("avbd", "comfree", "convex"),
                         [](const auto& solver) { return solver.param; });

}  // namespace
}  // namespace rattleback
