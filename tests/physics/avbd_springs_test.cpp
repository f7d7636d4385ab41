// Springs and dampers of `avbd` that are no straight lines, and springs that yield: against quadratures, closed forms
// and the solver `smooth` with a small step.
#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

Model parse_springs(const std::string& bodies, const std::string& rest = "")
{
    const std::string text =
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/>"
        "<default><geom size='0.1' mass='1' contype='0' conaffinity='0'/></default><worldbody>" +
        bodies + "</worldbody>" + rest + "</mujoco>";
    const Result<Imported> loaded = parse_mjcf(text, "springs.xml", ".");
    EXPECT_TRUE(loaded.ok()) << to_text(loaded.errors());
    return loaded.value().model;
}

Simulation release(const Model& model, const std::string& solver, double dt, double q)
{
    Simulation simulation(model, {.solver = solver, .dt = dt});
    simulation.state().q[0] = q;
    simulation.refresh();
    return simulation;
}

/// Quarter of the period of m x'' = - k x - b x^3 from rest at A: the integral of 1 / v(x), x = A sin u.
double find_quarter(double k, double b, double amplitude)
{
    constexpr int kParts = 2000;
    double sum = 0;
    for (int i = 0; i < kParts; ++i)
    {
        const double s = std::sin(0.5 * 3.141592653589793 * (i + 0.5) / kParts);
        sum += 1 / std::sqrt(k + 0.5 * b * amplitude * amplitude * (1 + s * s));
    }
    return 0.5 * 3.141592653589793 * sum / kParts;
}

TEST(AvbdSprings, a_cubic_spring_swings_with_its_period_and_keeps_its_energy)
{
    const Model model = parse_springs("<body><joint type='slide' stiffness='20 0 300'/><geom/></body>");
    const double amplitude = 0.4, quarter = find_quarter(20, 300, amplitude);
    double apart[2];
    for (const int half : {0, 1})
    {
        // After ten whole periods it stands where it began, still; the rule is of second order.
        const int steps = half == 0 ? 4000 : 8000;
        Simulation simulation = release(model, "avbd", 40 * quarter / steps, amplitude);
        double least = 1e9, most = 0;
        for (int i = 0; i < steps; ++i)
        {
            ASSERT_EQ(simulation.step().status, StepStatus::ok);
            const double x = simulation.state().q[0], v = simulation.state().v[0];
            const double energy = 0.5 * v * v + 10 * x * x + 75 * x * x * x * x;
            least = std::min(least, energy);
            most = std::max(most, energy);
        }
        apart[half] = std::abs(simulation.state().v[0]);
        EXPECT_LT(most / least - 1, 2e-3);
    }
    EXPECT_LT(apart[1], 2e-3 * 2.6);  // of its largest speed
    EXPECT_NEAR(apart[0] / apart[1], 4, 0.3);
}

TEST(AvbdSprings, a_damper_of_the_square_of_speed_brakes_as_its_closed_form_says)
{
    // m v' = - a v |v|: v = v0 / (1 + a v0 t / m)
    const Model model = parse_springs("<body><joint type='slide' damping='0 0.5 0'/><geom/></body>");
    Simulation simulation(model, {.solver = "avbd", .dt = 0.002});
    simulation.state().v[0] = 3;
    simulation.refresh();
    simulation.run_for(2);
    EXPECT_NEAR(simulation.state().v[0], 3 / (1 + 0.5 * 3 * 2), 1e-4);
}

TEST(AvbdSprings, a_strong_cubic_damper_ends_a_step_at_the_root_of_implicit_euler)
{
    // v + (h b / m) v^3 = v0 with h b / m = 2 is v = 1.6; sweeps that count with the secant jump about it.
    const std::string slide = "<body><joint name='x' type='slide' damping='0 0 1000'/><geom/></body>";
    const std::string bare = "<body><joint name='x' type='slide'/><geom/></body>";
    const std::string tendon = "<tendon><fixed damping='0 0 1000'><joint joint='x' coef='1'/></fixed></tendon>";
    double root = 2;
    for (int i = 0; i < 20; ++i) root -= (root + 2 * root * root * root - 10) / (1 + 6 * root * root);
    for (const Model& model : {parse_springs(slide), parse_springs(bare, tendon)})
    {
        Simulation simulation(model, {.solver = "avbd", .dt = 0.002});
        simulation.state().v[0] = 10;
        simulation.refresh();
        simulation.step();
        EXPECT_NEAR(simulation.state().v[0], root, 1e-3);
    }
}

TEST(AvbdSprings, a_damper_whose_terms_drive_speeds_up_as_its_closed_form_says)
{
    // m v' = a v |v|: v = v0 / (1 - a v0 t / m), which no account of energy may brake
    const Model model = parse_springs("<body><joint type='slide' damping='0 -0.5 0'/><geom/></body>");
    for (const char* solver : {"avbd", "convex"})
    {
        Simulation simulation(model, {.solver = solver, .dt = 0.001});
        simulation.state().v[0] = 1;
        simulation.refresh();
        simulation.run_for(1);
        EXPECT_NEAR(simulation.state().v[0], 2, 0.01) << solver;  // first order in dt
    }
}

TEST(AvbdSprings, a_free_body_circles_about_a_spring_that_softens)
{
    // m w^2 = k - a r: across the way to the rest the stiffness is the secant, along it the lesser tangent
    const double radius = 0.5, rate = std::sqrt(100 - 150 * radius), dt = 1e-3;
    const Model model = parse_springs("<body><joint type='free' stiffness='100 -150 0'/><geom/></body>");
    Simulation simulation = release(model, "avbd", dt, radius);
    simulation.state().v[1] = rate * radius;
    simulation.refresh();
    const int steps = 314;  // half a turn at w = 5
    for (int i = 0; i < steps; ++i) ASSERT_EQ(simulation.step().status, StepStatus::ok);
    EXPECT_NEAR(simulation.state().q[0], radius * std::cos(rate * dt * steps), 0.02 * radius);
    EXPECT_NEAR(simulation.state().q[1], radius * std::sin(rate * dt * steps), 0.02 * radius);
}

TEST(AvbdSprings, springs_that_push_away_do_so_exponentially)
{
    // x'' = 4 x from rest at 1 mm: cosh(2 t)
    const Model model = parse_springs("<body><joint type='slide' stiffness='-4'/><geom/></body>");
    Simulation simulation = release(model, "avbd", 0.001, 1e-3);
    simulation.run_for(1.5);
    EXPECT_NEAR(simulation.state().q[0], 1e-3 * std::cosh(3.0), 1e-3 * std::cosh(3.0) * 2e-3);
}

TEST(AvbdSprings, a_spring_that_yields_is_left_where_it_was_pulled_less_its_yield)
{
    // Pulled slowly to 5 cm and let go: the rest is 5 cm - 2 cm, and it swings about that within the yield.
    for (const char* joint :
         {"<joint name='j' type='slide' stiffness='500' damping='40' springyield='0.02'/>",
          "<joint name='j' axis='0 0 1' stiffness='500' damping='40' springyield='0.02' armature='1'/>"})
    {
        SCOPED_TRACE(joint);
        const Model model = parse_springs(std::string("<body>") + joint + "<geom/></body>",
                                          "<actuator><position joint='j' kp='1e5' kv='600'/></actuator>");
        Simulation simulation(model, {.solver = "avbd", .dt = 0.002});
        for (int i = 0; i <= 1000; ++i)
        {
            simulation.control().input[0] = 0.05 * i / 1000;
            simulation.step();
        }
        simulation.run_for(0.5);
        // The servo gives way by what the spring pulls: 500 * 0.02 / 1e5.
        EXPECT_NEAR(simulation.state().q[0], 0.05 - 1e-4, 1e-6);
        EXPECT_NEAR(simulation.state().act.back(), 0.05 - 1e-4 - 0.02, 1e-6);
        simulation.control().actuator_active[0] = 0;
        simulation.run_for(5);
        EXPECT_NEAR(simulation.state().q[0], 0.0299, 1e-5);
        EXPECT_NEAR(simulation.state().act.back(), 0.0299, 1e-6);
    }
}

TEST(AvbdSprings, balls_and_tendons_yield_as_in_the_solver_smooth)
{
    const std::string bodies =
        "<site name='wall'/><body pos='0.3 0 0'><joint type='slide' damping='2'/>"
        "<geom/><site name='load'/></body>"
        "<body pos='0 2 0'><joint type='ball' stiffness='30 0 50' damping='0.1' springyield='0.08'/>"
        "<geom type='box' size='0.1 0.2 0.3'/></body>";
    for (const char* band : {"0.3", "0 0.32"})
    {
        SCOPED_TRACE(band);
        const Model model =
            parse_springs(bodies, std::string("<tendon><spatial stiffness='50 0 400' damping='1 2 0' ") +
                                      "springyield='0.05' springlength='" + band +
                                      "'><site site='wall'/><site site='load'/></spatial></tendon>");
        const auto run = [&](const char* solver, double dt)
        {
            Simulation simulation(model, {.solver = solver, .dt = dt});
            const double v[] = {1.5, 4, -3, 2};
            std::copy(std::begin(v), std::end(v), simulation.state().v.begin());
            simulation.refresh();
            simulation.run_for(1.5);
            return simulation.state();
        };
        const State exact = run("smooth", 2e-5), ours = run("avbd", 5e-4);
        ASSERT_EQ(exact.act.size(), 5U);  // three of the ball, two of the tendon
        for (std::size_t i = 0; i < exact.act.size(); ++i) EXPECT_NEAR(ours.act[i], exact.act[i], 5e-3) << i;
        EXPECT_GT(norm(Vec3{exact.act[0], exact.act[1], exact.act[2]}), 0.05);
        EXPECT_GT(exact.act[4], 0.05);
        EXPECT_EQ(ours.act[3] == 0, std::string(band) == "0 0.32");  // a rope's lower end stays
    }
}

}  // namespace
}  // namespace rattleback
