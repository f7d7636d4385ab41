// One free body in solver `avbd` against the full six-residual Newton iteration of [VBD-R], Steps 1 to 4.
#include "solvers/avbd/bodies.h"
#include "unit/solvers/avbd/block_scene.h"

namespace rattleback::avbd
{
namespace
{

/// A free body under a constant force and torque.
struct Toss
{
    double mass = 2;
    Mat3 inertia{{1, 0, 0, 0, 2, 0, 0, 0, 3}};  ///< body axes
    Vec3 velocity{0.5, -1, 2}, spin{0.8, 3, -1.1};
    Vec3 force{1, 2, -3}, torque{0.4, -0.2, 0.3};
};

/// F(dx, dtheta) of the text, body axes for the rotation: m (dx / h^2 - v / h) - f, and
/// I (u / h^2 - w / h) + u x I u / h^2 - torque.
Vector6 find_residual(const Toss& toss, const Vec3& dx, const Vec3& u, double dt)
{
    const double inverse = 1 / (dt * dt);
    return make_vector6(
        toss.mass * (inverse * dx - (1 / dt) * toss.velocity) - toss.force,
        toss.inertia * (inverse * u - (1 / dt) * toss.spin) + inverse * cross(u, toss.inertia * u) - toss.torque);
}

/// Newton's method from the explicit guess, with the Jacobian by differences and elimination with pivots.
Vector6 solve_by_newton(const Toss& toss, double dt)
{
    Vector6 x = make_vector6(dt * toss.velocity, dt * toss.spin);
    for (int iteration = 0; iteration < 20; ++iteration)
    {
        const Vector6 f = find_residual(toss, linear_of(x), angular_of(x), dt);
        double a[6][7];
        for (std::size_t c = 0; c < 6; ++c)
        {
            Vector6 up = x, down = x;
            up[c] += 1e-6;
            down[c] -= 1e-6;
            const Vector6 high = find_residual(toss, linear_of(up), angular_of(up), dt);
            const Vector6 low = find_residual(toss, linear_of(down), angular_of(down), dt);
            for (std::size_t r = 0; r < 6; ++r) a[r][c] = (high[r] - low[r]) / 2e-6;
        }
        for (std::size_t r = 0; r < 6; ++r) a[r][6] = -f[r];
        const Vector6 step = eliminate(a);
        for (std::size_t k = 0; k < 6; ++k) x[k] += step[k];
    }
    return x;
}

/// Velocities after one step of the solver, world axes (the body's at the start).
Velocity step_once(const Toss& toss, double dt, const char* mode)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId body =
        builder.add_body({.inertia = Inertia{.mass = toss.mass,
                                             .diagonal = {toss.inertia(0, 0), toss.inertia(1, 1), toss.inertia(2, 2)}},
                          .linear_velocity = toss.velocity,
                          .angular_velocity = toss.spin});
    Simulation simulation(builder.build().value(),
                          {.solver = "avbd", .dt = dt, .parameters = {{"mode", std::string(mode)}}});
    simulation.control().body_wrench[1] = {toss.force, toss.torque};
    EXPECT_EQ(simulation.step().status, StepStatus::ok);
    return simulation.state().velocity(body);
}

TEST(AvbdFreeBody, follows_the_six_residuals_of_the_text_with_their_coriolis_term)
{
    const Toss toss;
    for (const char* mode : {"augmented", "penalty"})
    {
        std::vector<double> errors;
        for (const double dt : {0.02, 0.01, 0.005})
        {
            const Vector6 x = solve_by_newton(toss, dt);
            const Vector6 left = find_residual(toss, linear_of(x), angular_of(x), dt);
            for (const double value : left) EXPECT_NEAR(value, 0, 1e-6);
            const Velocity v = step_once(toss, dt, mode);
            // the regularisation of the text changes nothing for a free body, whose residual is zero at the target
            EXPECT_NEAR(norm(v.linear - (1 / dt) * linear_of(x)), 0, 1e-9) << mode;
            errors.push_back(norm(v.angular - (1 / dt) * angular_of(x)));
        }
        // exp(u) I u against I u + u x I u: they part with the square of the step, the Coriolis term itself is h
        EXPECT_LT(errors[0], 0.02) << mode;
        EXPECT_NEAR(errors[0] / errors[1], 4, 0.8) << mode;
        EXPECT_NEAR(errors[1] / errors[2], 4, 0.8) << mode;
        const Vec3 coriolis = 0.02 * cross(toss.spin, toss.inertia * toss.spin);
        EXPECT_GT(norm(coriolis), 5 * errors[0]) << "without the term the difference would be much larger";
    }
}

TEST(AvbdFreeBody, a_free_spin_keeps_angular_momentum_to_rounding_and_a_fast_one_to_a_ten_millionth)
{
    const Mat3 inertia{{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    const Vec3 spin{0.3, 5, 0.3};
    for (const double dt : {0.005, 0.05})  // four Newton steps, at 0.025 and at 0.25 rad
    {
        const Vec3 after = spin_freely(inertia, spin, {}, dt);
        const Vec3 momentum = rotate(exponential(dt * after), inertia * after);
        EXPECT_LT(norm(momentum - inertia * spin), (dt < 0.01 ? 1e-12 : 1e-7) * norm(inertia * spin)) << dt;
    }
}

TEST(AvbdFreeBody, a_torque_that_would_turn_a_light_body_far_is_held_in_full)
{
    // alone the body would turn by 28 rad in a step; a spring holds it at 0.1 rad
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1e-5, 2e-5, 1.5e-5}}});
    builder.add_cable(kWorld, bob, {.cable = {.bend = {10, 0}, .twist = {10, 0}}});
    Simulation simulation(builder.build().value(), {.solver = "avbd", .dt = 1.0 / 60});
    simulation.control().body_wrench[1].torque = {0.6, 0, 0.8};
    simulation.run_for(1);
    EXPECT_NEAR(norm(logarithm(simulation.state().rotation(bob)) - Vec3{0.06, 0, 0.08}), 0, 1e-9);
}

}  // namespace
}  // namespace rattleback::avbd
