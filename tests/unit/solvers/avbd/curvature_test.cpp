// The rotation-vector curvature error: rows of a rotation error taken as unit axes, against its exact derivative.
#include "unit/solvers/avbd/block_scene.h"

namespace rattleback::avbd
{
namespace
{

constexpr int kTrials = 400;

/// Largest errors over random directions, for a residual of `angle` and a Newton step of `step` [rad].
struct Errors
{
    double row = 0;          ///< of the rows: |J^-1 w - w| / |w|, w unit
    double linear_step = 0;  ///< of theta + delta, as a prediction of the residual after the step [rad]
    double exact_step = 0;   ///< of theta + J^-1 delta [rad]
    double torque = 0;       ///< of K theta as the torque of a cable whose twist is three times its bend, relative
};

Errors find_errors(double angle, double step)
{
    Errors errors;
    Random random(99);
    for (int trial = 0; trial < kTrials; ++trial)
    {
        const Vec3 theta = angle * random.direction(), w = random.direction();
        const Vec3 rate = logarithm_rate(theta, w);
        errors.row = std::max(errors.row, norm(rate - w));
        // the branch of the logarithm that continues theta
        Vec3 after = logarithm(exponential(step * w) * exponential(theta));
        if (dot(after, theta) < 0 && angle > 1) after = (1 - 2 * kPi / norm(after)) * after;
        errors.linear_step = std::max(errors.linear_step, norm(after - theta - step * w));
        errors.exact_step = std::max(errors.exact_step, norm(after - theta - step * rate));
        const Vec3 plain{theta.x, theta.y, 3 * theta.z};
        errors.torque = std::max(errors.torque, norm(logarithm_rate(-theta, plain) - plain) / norm(plain));
    }
    return errors;
}

TEST(AvbdCurvature, the_exact_rows_are_the_derivative_of_the_rotation_vector)
{
    Random random(4);
    for (const double angle : {0.0, 1e-9, 1e-4, 0.009, 0.011, 0.3, 1.5, 3.0, 3.14})
    {
        for (int trial = 0; trial < 20; ++trial)
        {
            const Vec3 theta = angle * random.direction(), w = random.direction(), v = random.direction();
            const double by = 1e-6;
            const Vec3 up = logarithm(exponential(by * w) * exponential(theta));
            const Vec3 down = logarithm(exponential(-by * w) * exponential(theta));
            if (norm(up) + by > kPi || norm(down) + by > kPi) continue;
            const Vec3 rate = logarithm_rate(theta, w);
            EXPECT_LT(norm((0.5 / by) * (up - down) - rate), 1e-8) << angle;
            EXPECT_NEAR(dot(v, rate), dot(w, logarithm_rate(-theta, v)), 1e-14) << "the transpose is that of -u";
        }
    }
}

TEST(AvbdCurvature, rows_of_unit_axes_are_wrong_by_at_most_six_tenths_of_the_angle)
{
    for (const double angle : {1e-4, 1e-3, 1e-2, 0.1, 0.5, 1.0, 2.0, 3.0})
    {
        const Errors errors = find_errors(angle, 1e-3);
        EXPECT_LT(errors.row, 0.6 * angle) << angle;
        EXPECT_GT(errors.row, 0.45 * angle) << "the error is really there, at " << angle;
        EXPECT_LT(errors.torque, 0.6 * angle) << angle;
    }
}

TEST(AvbdCurvature, a_step_with_exact_rows_misses_by_the_square_of_the_step_alone)
{
    for (const double angle : {1e-3, 1e-2, 0.1, 1.0, 2.0})
    {
        for (const double step : {1e-3, 1e-2, 0.1})
        {
            const Errors errors = find_errors(angle, step);
            EXPECT_LT(errors.exact_step, 0.25 * angle * step * step + 1e-14) << angle << ' ' << step;
            EXPECT_LT(errors.linear_step, 0.6 * angle * step + 0.25 * angle * step * step) << angle << ' ' << step;
            EXPECT_GT(errors.linear_step, 0.4 * angle * step) << angle << ' ' << step;
        }
    }
}

TEST(AvbdCurvature, equal_stiffnesses_have_no_error_of_the_torque)
{
    Random random(8);
    for (int trial = 0; trial < 50; ++trial)
    {
        const Vec3 theta = 3.1 * random.uniform(-1, 1) * random.direction();
        EXPECT_LT(norm(logarithm_rate(-theta, theta) - theta), 1e-14);
    }
}

TEST(AvbdCurvature, a_turned_weld_closes_as_fast_as_a_straight_one)
{
    // the error of the rows of a weld goes with its residual: it slows the first sweeps of a large one, nothing else
    for (const double angle : {0.01, 0.1, 0.5, 1.0})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const Inertia inertia{.mass = 1, .diagonal = {0.1, 0.2, 0.25}};
        const BodyId first = builder.add_body({.inertia = inertia, .angular_velocity = {0.3, 0, 0.4}});
        const BodyId second = builder.add_body({.inertia = inertia, .angular_velocity = {0, -0.5, 0.1}});
        builder.add_weld_frames(first, {}, second, {{}, from_axis_angle({3, 1, 2}, angle)});
        Simulation simulation(builder.build().value(),
                              {.solver = "avbd", .dt = 1.0 / 60, .parameters = {{"iterations", 4}}});
        const auto residual = [&]
        {
            const State& state = simulation.state();
            return norm(logarithm(conjugate(state.rotation(first)) * state.rotation(second) *
                                  from_axis_angle({3, 1, 2}, angle)));
        };
        simulation.run_steps(1);
        // a sweep turns no body by more than 0.25 rad
        EXPECT_LT(residual(), std::max(0.01 * angle, angle - 0.5) + 1e-6) << angle;
        simulation.run_steps(9);
        EXPECT_LT(residual(), 1e-6) << angle;
    }
}

}  // namespace
}  // namespace rattleback::avbd
