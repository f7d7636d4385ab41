// Actuators in simulations against closed forms: filters, muscles, adhesion, cranks, delays, motors.
#include <rattleback/batch.h>
#include <rattleback/dynamics.h>
#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

Result<Imported> load_text(const std::string& text) { return parse_mjcf(text, "actuators.xml", "."); }

/// A point mass on a slide along x, without gravity, and what drives it.
std::string make_slide(const std::string& actuators, const std::string& options = "")
{
    return "<mujoco><option gravity=\"0 0 0\" timestep=\"0.001\" " + options +
           "/><worldbody><body><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/>"
           "<geom size=\"0.1\" mass=\"2\"/></body></worldbody><actuator>" +
           actuators + "</actuator></mujoco>";
}

std::string first_error(const std::string& actuators)
{
    const Result<Imported> result = load_text(make_slide(actuators));
    return result.ok() ? "" : to_text(result.errors());
}

TEST(Actuators, an_exact_filter_follows_the_exponential_whatever_the_step)
{
    const Model model =
        load_text(make_slide(R"(<general joint="x" dyntype="filterexact" dynprm="0.3" gainprm="0"/>)")).value().model;
    for (const double dt : {0.001, 0.05})
    {
        Simulation simulation(model, {.solver = "smooth", .dt = dt});
        simulation.control().input[0] = 2;
        simulation.run_steps(10);
        EXPECT_NEAR(simulation.state().act[0], 2 * (1 - std::exp(-10 * dt / 0.3)), 1e-13);  // rounding of ten steps
    }
}

TEST(Actuators, a_muscle_at_its_optimal_length_pulls_with_its_peak_force)
{
    // range 0.5 to 1.5 over lengths -1 to 1: the optimal length, 1, is at 0
    const Model model =
        load_text(make_slide(R"(<muscle joint="x" lengthrange="-1 1" range="0.5 1.5" force="7"/>)")).value().model;
    for (const std::string solver : {"smooth", "convex", "avbd"})
    {
        SCOPED_TRACE(solver);
        Simulation simulation(model, {.solver = solver});
        simulation.state().act[0] = 1;
        simulation.control().input[0] = 1;
        simulation.refresh();
        simulation.step();
        // at rest the force is the peak's; within the step the curve changes by its slope times the speed reached
        EXPECT_NEAR(simulation.state().v[0], -7.0 / 2 * 0.001, 2e-5);
        EXPECT_NEAR(simulation.state().act[0], 1, 1e-12);
    }
}

TEST(Actuators, the_activation_of_a_muscle_rises_faster_than_it_falls)
{
    const Model model = load_text(make_slide(R"(<muscle joint="x" lengthrange="-1 1" force="1"/>)")).value().model;
    const auto reach = [&](double act, double input)
    {
        Simulation simulation(model, {.solver = "smooth"});
        simulation.state().act[0] = act;
        simulation.control().input[0] = input;
        simulation.refresh();
        simulation.step();
        return simulation.state().act[0] - act;
    };
    // tau = 0.01 (0.5 + 1.5 * 0.5) as it rises, 0.04 / (0.5 + 1.5 * 0.5) as it falls
    EXPECT_NEAR(reach(0.5, 1), 0.001 * 0.5 / (0.01 * 1.25), 1e-15);
    EXPECT_NEAR(reach(0.5, 0), -0.001 * 0.5 / (0.04 / 1.25), 1e-15);
}

TEST(Actuators, adhesion_holds_a_weight_below_a_ceiling_and_lets_it_go)
{
    const Model model = load_text(R"(<mujoco><worldbody><geom type="plane" size="5 5 1" pos="0 0 1" zaxis="0 0 -1"/>
        <body name="ball" pos="0 0 0.9"><freejoint/><geom size="0.1" mass="1"/></body></worldbody>
        <actuator><adhesion body="ball" ctrlrange="0 1" gain="20"/></actuator></mujoco>)")
                            .value()
                            .model;
    for (const std::string solver : {"convex", "comfree", "avbd"})
    {
        SCOPED_TRACE(solver);
        Simulation simulation(model, {.solver = solver});
        simulation.control().input[0] = 1;  // twice its weight
        simulation.run_steps(500);
        EXPECT_NEAR(simulation.state().q[2], 0.9, 1e-3);
        // the contact bears what adhesion gives beyond the weight
        EXPECT_NEAR(norm(simulation.contact_forces().items.at(0).force), 20 - 9.81, 0.05);
        simulation.control().input[0] = 0;
        simulation.run_steps(100);
        EXPECT_LT(simulation.state().q[2], 0.9 - 0.1);
    }
}

TEST(StickySurfaces, hold_a_weight_below_a_ceiling_and_no_more)
{
    // 20 N in all, of which 15 of the ceiling, felt across a gap: 1 kg hangs, 3 kg falls.
    for (const auto& [solver, mass] : {std::pair("convex", 1), std::pair("comfree", 1), std::pair("avbd", 1),
                                       std::pair("convex", 3), std::pair("comfree", 3), std::pair("avbd", 3)})
    {
        SCOPED_TRACE(std::string(solver) + ", " + std::to_string(mass) + " kg");
        const Model model =
            load_text(
                R"(<mujoco><worldbody><geom type="plane" size="5 5 1" pos="0 0 1" zaxis="0 0 -1" adhesion="15" gap="0.01"/>
        <body pos="0 0 0.9001"><freejoint/><geom size="0.1" adhesion="5" mass=")" +
                std::to_string(mass) + R"("/></body></worldbody></mujoco>)")
                .value()
                .model;
        Simulation simulation(model, {.solver = solver});
        simulation.run_steps(500);
        if (mass == 1)
        {
            EXPECT_NEAR(simulation.state().q[2], 0.9, 2e-3);
            // What acts between ball and ceiling is the weight: pull less push.
            EXPECT_NEAR(norm(simulation.contact_forces().items.at(0).force), 9.81, 0.05);
        }
        else
        {
            EXPECT_LT(simulation.state().q[2], 0);
        }
    }
}

TEST(StickySurfaces, hold_a_box_on_a_slope_by_friction_of_weight_and_pull)
{
    // On 50 degrees 1 kg stays while sin 50 g < mu (cos 50 g + 4 pulls of 1 N): mu above 0.7292.
    for (const std::string solver : {"convex", "comfree", "avbd"})
    {
        for (const double friction : {0.6, 0.9})
        {
            SCOPED_TRACE(solver + ", friction " + std::to_string(friction));
            const Model model =
                load_text(
                    R"(<mujoco><option gravity="7.51490 0 -6.30575" cone="elliptic" impratio="100"/><default><geom friction=")" +
                    std::to_string(friction) + R"("/></default><worldbody>
        <geom type="plane" size="5 5 1" adhesion="1" gap="0.005"/><body pos="0 0 0.0999"><freejoint/>
        <geom type="box" size="0.1 0.1 0.1" mass="1"/></body></worldbody></mujoco>)")
                    .value()
                    .model;
            Simulation simulation(model, {.solver = solver});
            simulation.run_for(1);
            // Sliding, it goes (7.515 - 0.6 * 10.306) / 2 = 0.67 m, or 1.87 m by its weight alone.
            if (friction > 0.7)
                EXPECT_LT(std::abs(simulation.state().q[0]), 1e-3);
            else
                EXPECT_NEAR(simulation.state().q[0], 0.5 * (7.5149 - friction * 10.30575), 0.005);
        }
    }
}

TEST(Actuators, sensors_feel_the_force_and_the_speed_of_adhesion)
{
    const Model model = load_text(R"(<mujoco><worldbody><geom type="plane" size="5 5 1" pos="0 0 1" zaxis="0 0 -1"/>
        <body name="ball" pos="0 0 0.901"><joint name="rail" type="slide" axis="0 0 1"/>
        <geom size="0.1" mass="1"/></body></worldbody><actuator><adhesion name="glue" body="ball" ctrlrange="0 1" gain="20"/></actuator>
        <sensor><jointactuatorfrc joint="rail"/><actuatorvel actuator="glue"/></sensor></mujoco>)")
                            .value()
                            .model;
    Simulation simulation(model, {.solver = "convex"});
    simulation.state().v[0] = 0.25;
    simulation.control().input[0] = 0.5;
    simulation.forward();
    // Its length grows towards the ceiling, along which it pulls with half of its gain.
    EXPECT_NEAR(simulation.sensors()[0], 10, 1e-12);
    EXPECT_NEAR(simulation.sensors()[1], 0.25, 1e-12);
}

TEST(Actuators, a_solver_without_adhesion_says_so)
{
    const Model model =
        load_text(R"(<mujoco><worldbody><body name="ball"><freejoint/><geom size="0.1"/></body></worldbody>
        <actuator><adhesion name="glue" body="ball" ctrlrange="0 1"/></actuator></mujoco>)")
            .value()
            .model;
    const auto made = Simulation::make(model, {.solver = "refined"});
    ASSERT_FALSE(made.ok());
    EXPECT_NE(to_text(made.errors()).find("adhesion"), std::string::npos);
    EXPECT_NE(to_text(made.errors()).find("glue"), std::string::npos);
}

TEST(Actuators, a_delayed_motor_pushes_late)
{
    const Model model =
        load_text(make_slide(R"(<motor joint="x" delay="0.005" nsample="5"/><motor joint="x"/>)")).value().model;
    for (const std::string solver : {"smooth", "convex", "avbd"})
    {
        SCOPED_TRACE(solver);
        Simulation simulation(model, {.solver = solver});
        simulation.control().input[0] = 2;
        simulation.run_steps(5);
        EXPECT_EQ(simulation.state().v[0], 0);
        simulation.run_steps(10);
        EXPECT_NEAR(simulation.state().v[0], 10 * 0.001 * 2.0 / 2, 1e-9);  // force over mass for ten steps
    }
}

TEST(Actuators, a_delay_measures_time_not_steps)
{
    const Model model = load_text(make_slide(R"(<motor joint="x" delay="0.01" nsample="10"/>)")).value().model;
    Simulation simulation(model, {.solver = "smooth", .dt = 0.002});
    simulation.control().input[0] = 2;
    simulation.run_steps(5);
    EXPECT_EQ(simulation.state().v[0], 0);
    simulation.step();
    EXPECT_GT(simulation.state().v[0], 0);
}

TEST(Actuators, a_dc_motor_turns_at_its_speed_without_load)
{
    const Model model = load_text(make_slide(R"(<dcmotor joint="x" motorconst="2" resistance="0.05"/>)")).value().model;
    Simulation simulation(model, {.solver = "smooth", .parameters = {{"integrator", std::string("implicitfast")}}});
    simulation.control().input[0] = 0.6;
    simulation.run_steps(500);
    EXPECT_NEAR(simulation.state().v[0], 0.6 / 2, 1e-6);  // V / K; the time constant is m R / K^2 = 0.025 s
}

TEST(Actuators, a_pid_brings_a_pushed_mass_back_without_error)
{
    const Model model =
        load_text(make_slide(R"(<pid joint="x" kp="200" kv="40" ki="400" input="pos"/>)")).value().model;
    Simulation simulation(model, {.solver = "smooth"});
    simulation.control().joint_force[0] = 10;
    simulation.control().input[0] = 0.3;
    simulation.run_steps(20000);
    EXPECT_NEAR(simulation.state().q[0], 0.3, 1e-9);
    EXPECT_NEAR(400 * simulation.state().act[0], -10, 1e-6);  // the integral bears the load
}

TEST(Actuators, a_crank_drives_its_slider_as_the_triangle_says)
{
    // pin on a circle of radius 0.3, rod 0.5, slider along z through the hinge: length = z_pin - sqrt(l^2 - x_pin^2)
    const Model model = load_text(R"(<mujoco><option gravity="0 0 0"/><worldbody><site name="rail"/>
        <body><joint name="hinge" axis="0 1 0"/><geom size="0.05" mass="1"/><site name="pin" pos="0 0 0.3"/></body></worldbody>
        <actuator><motor name="ram" cranksite="pin" slidersite="rail" cranklength="0.5"/></actuator></mujoco>)")
                            .value()
                            .model;
    Dynamics dynamics(model);
    State state(model);
    Control control(model);
    const auto length_at = [&](double angle)
    {
        state.q[0] = angle;
        dynamics.update(state, control);
        return dynamics.actuator_length()[0];
    };
    for (const double angle : {0.0, 0.4, 1.2, 2.5})
    {
        const double x = 0.3 * std::sin(angle), z = 0.3 * std::cos(angle);
        EXPECT_NEAR(length_at(angle), z - std::sqrt(0.25 - x * x), 1e-14);
        // the moment arm is the derivative of the length
        const double slope = (length_at(angle + 1e-5) - length_at(angle - 1e-5)) / 2e-5;
        control.input[0] = 1;
        length_at(angle);
        EXPECT_NEAR(dynamics.actuation()[0], slope, 1e-9);
    }
}

TEST(Actuators, worlds_of_a_batch_have_muscles_of_their_own_strength)
{
    const Model model =
        load_text(make_slide(R"(<muscle joint="x" lengthrange="-1 1" range="0.5 1.5" force="7"/>)")).value().model;
    Batch batch(model, {.solver = "smooth", .world_count = 5});
    const std::span<double> gain = batch.vary(WorldParameter::gain).value();
    for (int world = 0; world < 5; ++world)
    {
        gain[static_cast<std::size_t>(6 * world)] = world;
        batch.state().act[static_cast<std::size_t>(world)] = 1;
        batch.control().input[static_cast<std::size_t>(world)] = 1;
    }
    batch.apply_parameters().require();
    batch.refresh();
    batch.step();
    for (int world = 0; world < 5; ++world)
        EXPECT_NEAR(batch.state().v[static_cast<std::size_t>(world)], -world / 2.0 * 0.001, 1e-12);
}

TEST(Actuators, what_no_actuator_can_be_is_said)
{
    EXPECT_NE(first_error(R"(<muscle joint="x" range="1 0.5"/>)").find("range of a muscle"), std::string::npos);
    EXPECT_NE(first_error(R"(<motor joint="x" delay="-1" nsample="3"/>)").find("delay"), std::string::npos);
    EXPECT_NE(first_error(R"(<motor joint="x" delay="1"/>)").find("a delay needs samples"), std::string::npos);
    EXPECT_NE(first_error(R"(<motor joint="x" delay="1" nsample="2000000000"/>)").find("number of samples"),
              std::string::npos);
    EXPECT_NE(first_error(R"(<general joint="x" dyntype="user"/>)").find("'user' is not supported"), std::string::npos);
    EXPECT_NE(first_error(R"(<dcmotor joint="x" motorconst="1"/>)").find("resistance"), std::string::npos);
    EXPECT_NE(first_error(R"(<pid joint="x" ki="1" input="vel"/>)").find("input pos"), std::string::npos);
    EXPECT_NE(first_error(R"(<pid joint="x" input="vel pos"/>)").find("'input'"), std::string::npos);
    // a hinge that turns for ever has no length range
    const Result<Imported> endless =
        load_text(R"(<mujoco><worldbody><body><joint name="j"/><geom size="0.1" pos="0.2 0 0"/></body>
        </worldbody><actuator><muscle name="m" joint="j"/></actuator></mujoco>)");
    ASSERT_FALSE(endless.ok());
    EXPECT_NE(to_text(endless.errors()).find("length range"), std::string::npos);
    const Result<Imported> crank =
        load_text(R"(<mujoco><worldbody><site name="s"/><body><joint/><geom size="0.1"/><site name="p"/></body>
        </worldbody><actuator><motor cranksite="p" slidersite="s" cranklength="0"/></actuator></mujoco>)");
    ASSERT_FALSE(crank.ok());
    EXPECT_NE(to_text(crank.errors()).find("cranklength"), std::string::npos);
}

}  // namespace
}  // namespace rattleback
