// Convergence of the integrators of `smooth`: the order of every quantity, measured and explained.
#include "lab/metrics/drift.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/pendulums.h"
#include "lab/scenes/tumblers.h"
#include "physics/laws.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

constexpr Integrator kAll[] = {Integrator::euler, Integrator::implicitfast, Integrator::rk4, Integrator::lie_rk4,
                               Integrator::midpoint};

Simulation simulate(const Model& model, Integrator integrator, double dt)
{
    return Simulation(model, {.solver = "smooth",
                              .dt = dt,
                              .parameters = {{"integrator", std::string(to_string(integrator))},
                                             {"ignore", std::string("contact, limits, equality, dry_friction")}}});
}

/// Distance of all body positions from those of `exact`.
double distance(const State& state, const State& exact)
{
    double sum = 0;
    for (std::size_t b = 0; b < state.body_pose.size(); ++b)
    {
        const Vec3 gap = state.body_pose[b].position - exact.body_pose[b].position;
        sum += dot(gap, gap);
    }
    return std::sqrt(sum);
}

/// What an order test expects of one integrator.
struct Expected
{
    double order;
    double dt;  ///< the largest of four timesteps, each half of the one before [s]
};

/// Measures the order of error(simulation after `seconds`) over four timesteps and compares.
template <class ErrorOf>
void expect_order(const Model& model, Integrator integrator, Expected expected, double seconds, ErrorOf error_of,
                  const char* what)
{
    std::vector<double> dts, errors;
    for (double dt = expected.dt; dts.size() < 4; dt /= 2)
    {
        Simulation simulation = simulate(model, integrator, dt);
        errors.push_back(error_of(simulation, seconds));
        dts.push_back(dt);
    }
    const double order = measured_order(dts, errors);
    EXPECT_NEAR(order, expected.order, 0.25)
        << what << ", " << to_string(integrator) << ": errors " << errors.front() << " .. " << errors.back();
}

TEST(Orders, trajectories_of_the_chain_converge_with_order_1_2_and_4)
{
    const Model model = lab::build_chain5().value();
    Simulation exact = simulate(model, Integrator::lie_rk4, 1.0 / 16384);
    exact.run_for(1);
    const auto error = [&](Simulation& simulation, double seconds)
    {
        simulation.run_for(seconds);
        return distance(simulation.state(), exact.state());
    };
    // hinges only: both Runge-Kutta methods are the classical one
    expect_order(model, Integrator::euler, {1, 1.0 / 256}, 1, error, "chain");
    expect_order(model, Integrator::implicitfast, {1, 1.0 / 256}, 1, error, "chain");
    expect_order(model, Integrator::midpoint, {2, 1.0 / 128}, 1, error, "chain");
    expect_order(model, Integrator::rk4, {4, 1.0 / 32}, 1, error, "chain");
    expect_order(model, Integrator::lie_rk4, {4, 1.0 / 32}, 1, error, "chain");
}

TEST(Orders, energy_of_the_chain_drifts_with_order_1_2_and_4)
{
    const Model model = lab::build_chain5().value();
    const auto error = [](Simulation& simulation, double seconds)
    { return lab::run_and_watch(simulation, seconds).drift.energy; };
    expect_order(model, Integrator::euler, {1, 1.0 / 256}, 2, error, "chain energy");
    expect_order(model, Integrator::midpoint, {2, 1.0 / 128}, 2, error, "chain energy");
    expect_order(model, Integrator::rk4, {4, 1.0 / 32}, 2, error, "chain energy");
}

TEST(Orders, the_period_of_a_pendulum_converges_with_order_2_even_for_semi_implicit_euler)
{
    // Semi-implicit Euler is symplectic: its trajectory is off by O(dt) in phase and energy, but it follows a nearby
    // pendulum whose period differs by O(dt^2) only.
    const double amplitude = 1.0;
    const auto error = [&](Simulation& simulation, double seconds)
    {
        const State& state = simulation.state();
        std::vector<double> crossings;
        while (state.time[0] < seconds)
        {
            const double before = state.q[0];
            simulation.step();
            const double after = state.q[0];
            if (before > 0 && after <= 0)
                crossings.push_back(state.time[0] - simulation.dt() * after / (after - before));
        }
        // the linear interpolation of crossings is off by the same amount each time, so it cancels in the mean
        const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
        const double inertia = 1.0 / 3 + 0.25 * 1e-10;
        const double expected = 4 * std::sqrt(inertia / (9.81 * 0.5)) * elliptic_integral(std::sin(amplitude / 2));
        return std::abs(period - expected);
    };
    ModelBuilder builder("rod");
    const BodyId rod = builder.add_body();
    builder.add_joint(rod, {.axis = {0, 1, 0}, .initial_position = amplitude});
    builder.add_shape(rod, Cylinder{.radius = 1e-5, .half_length = 0.5}, {.position = {0, 0, -0.5}, .mass = 1});
    const Model model = builder.build().value();
    expect_order(model, Integrator::euler, {2, 1.0 / 32}, 400, error, "period");
    expect_order(model, Integrator::midpoint, {2, 1.0 / 32}, 400, error, "period");
}

TEST(Orders, angular_momentum_of_a_tumbling_body_shows_which_runge_kutta_respects_rotations)
{
    const Model model = lab::build_tumble().value();
    const auto error = [](Simulation& simulation, double seconds)
    { return lab::run_and_watch(simulation, seconds).drift.angular; };
    expect_order(model, Integrator::euler, {1, 1.0 / 256}, 2, error, "angular momentum");
    expect_order(model, Integrator::midpoint, {2, 1.0 / 64}, 2, error, "angular momentum");
    // stages that add rotation vectors as if they commuted fall back to second order
    expect_order(model, Integrator::rk4, {2, 1.0 / 64}, 2, error, "angular momentum");
    expect_order(model, Integrator::lie_rk4, {4, 1.0 / 32}, 2, error, "angular momentum");
}

TEST(Orders, momentum_and_energy_of_the_astronaut_converge)
{
    const Model model = lab::build_astronaut().value();
    const auto angular = [](Simulation& simulation, double seconds)
    { return lab::run_and_watch(simulation, seconds).drift.angular; };
    const auto energy = [](Simulation& simulation, double seconds)
    { return lab::run_and_watch(simulation, seconds).drift.energy; };
    expect_order(model, Integrator::euler, {1, 1.0 / 512}, 0.5, angular, "astronaut, angular momentum");
    expect_order(model, Integrator::euler, {1, 1.0 / 512}, 0.5, energy, "astronaut, energy");
    expect_order(model, Integrator::midpoint, {2, 1.0 / 256}, 0.5, angular, "astronaut, angular momentum");
    expect_order(model, Integrator::midpoint, {2, 1.0 / 256}, 0.5, energy, "astronaut, energy");
    expect_order(model, Integrator::rk4, {2, 1.0 / 256}, 0.5, angular, "astronaut, angular momentum");
    expect_order(model, Integrator::lie_rk4, {4, 1.0 / 128}, 0.5, angular, "astronaut, angular momentum");
}

TEST(Orders, every_integrator_reaches_the_same_limit)
{
    const Model model = lab::build_double_pendulum().value();
    Simulation exact = simulate(model, Integrator::lie_rk4, 1.0 / 8192);
    exact.run_for(0.5);
    for (const Integrator integrator : kAll)
    {
        Simulation simulation = simulate(model, integrator, 1.0 / 8192);
        simulation.run_for(0.5);
        EXPECT_LT(distance(simulation.state(), exact.state()), 2e-3) << to_string(integrator);
    }
}

}  // namespace
}  // namespace rattleback
