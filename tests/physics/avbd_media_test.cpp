// Gates of `avbd`: media against terminal velocities in closed form, and `smooth` as the step shrinks.
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

Simulation fall(const Medium& medium, double dt, Parameters parameters = {})
{
    ModelBuilder builder;
    add_box(builder, {0, 0, 100}, {0.3, 0.2, 0.1}, 50);
    builder.settings().medium = medium;
    return simulate(builder, 10, 1, dt, std::move(parameters));
}
constexpr double kMass = 50 * 0.6 * 0.4 * 0.2;

TEST(AvbdMedia, a_box_falls_with_its_terminal_velocity)
{
    // drag on the face below: m g = density v^2 A / 2
    for (const char* mode : {"augmented", "penalty"})
    {
        Simulation simulation = fall({.density = 80}, kStep, {{"mode", std::string(mode)}});
        simulation.run_for(4);
        const double expected = std::sqrt(2 * kMass * kGravity / (80 * 0.6 * 0.4));
        EXPECT_NEAR(simulation.state().velocity(BodyId{1}).linear.z, -expected, 1e-9) << mode;
    }
}

TEST(AvbdMedia, a_viscous_fluid_brakes_as_stokes_says)
{
    // m g = 3 pi d viscosity v, d the mean side
    Simulation simulation = fall({.viscosity = 10}, kStep);
    simulation.run_for(4);
    const double expected = kMass * kGravity / (3 * kPi * 0.4 * 10);
    EXPECT_NEAR(simulation.state().velocity(BodyId{1}).linear.z, -expected, 1e-9);
}

TEST(AvbdMedia, a_wind_takes_a_body_along)
{
    Simulation simulation = fall({.density = 500, .viscosity = 50, .wind = {3, -2, 0}}, kStep);
    simulation.run_for(20);
    const Vec3 velocity = simulation.state().velocity(BodyId{1}).linear;
    EXPECT_NEAR(velocity.x, 3, 1e-6);
    EXPECT_NEAR(velocity.y, -2, 1e-6);
}

TEST(AvbdMedia, a_dense_fluid_stops_a_fast_body_without_ringing)
{
    // h |df/dv| is 1e4 times the mass: an explicit step would throw it back
    Simulation simulation = fall({.density = 1e5}, kStep, {{"iterations", 10}});
    simulation.state().body_velocity[1] = {{0, 0, -300}, {20, 5, 0}};
    simulation.refresh();
    double speed = 300;
    for (int i = 0; i < 60; ++i)
    {
        simulation.step();
        const double now = norm(simulation.state().velocity(BodyId{1}).linear);
        EXPECT_LE(now, speed * (1 + 1e-9) + 0.1);
        speed = now;
    }
    EXPECT_LT(speed, 0.1);
}

/// A card that tumbles in the wind, by the box of its inertia or as an ellipsoid.
Model make_card(bool ellipsoid)
{
    const std::string shape = ellipsoid ? R"(fluidshape="ellipsoid")" : "";
    Model model = parse_mjcf(R"(<mujoco><option density="1.2" viscosity="0.002" wind="1 0.5 0"/><worldbody>
        <body pos="0 0 10"><freejoint/><geom type="box" size="0.3 0.2 0.01" mass="0.05" )" +
                                 shape + R"(/>
          <body pos="0.3 0 0"><joint axis="0 1 0" damping="0.01"/>
            <geom type="box" size="0.1 0.1 0.01" pos="0.1 0 0" mass="0.02" )" +
                                 shape + R"(/></body></body></worldbody></mujoco>)",
                             "card", ".")
                      .value()
                      .model;
    model.initial_v[3] = 3;
    model.initial_v[4] = 1;
    return model;
}

TEST(AvbdMedia, a_card_tumbles_as_in_smooth)
{
    for (const bool ellipsoid : {false, true})
    {
        const Model model = make_card(ellipsoid);
        const auto find_end = [&](const char* solver, double dt)
        {
            Simulation simulation(model, {.solver = solver, .dt = dt});
            simulation.run_for(0.3);
            return std::vector<double>(simulation.state().q.begin(), simulation.state().q.end());
        };
        const std::vector<double> exact = find_end("smooth", 1e-4);
        const auto error = [&](double dt)
        {
            const std::vector<double> end = find_end("avbd", dt);
            double worst = 0;
            for (std::size_t i = 0; i < end.size(); ++i) worst = std::max(worst, std::abs(end[i] - exact[i]));
            return worst;
        };
        const double coarse = error(4e-3), fine = error(1e-3);
        EXPECT_LT(fine, 5e-3) << ellipsoid;
        EXPECT_LT(fine, 0.35 * coarse) << ellipsoid;  // first order: a quarter
    }
}

TEST(AvbdMedia, a_body_at_rest_in_still_air_stays_there)
{
    // on the ground, where the derivative of the drag is that of a speed of zero
    for (const bool ellipsoid : {false, true})
    {
        const std::string text =
            R"(<mujoco><option density="1.2" viscosity="1e-5"/><worldbody><geom type="plane" size="1 1 1"/>
            <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" )" +
            std::string(ellipsoid ? R"(fluidshape="ellipsoid")" : "") + R"(/></body></worldbody></mujoco>)";
        Simulation simulation(parse_mjcf(text, "box", ".").value().model, {.solver = "avbd", .dt = kStep});
        EXPECT_EQ(simulation.run_for(1).status, StepStatus::ok);
        EXPECT_LT(norm(simulation.state().velocity(BodyId{1}).linear), 1e-6);
        EXPECT_NEAR(simulation.state().position(BodyId{1}).z, 0.1, 2e-3);  // the impedance of MJCF gives way
    }
}

}  // namespace
}  // namespace rattleback::gates
