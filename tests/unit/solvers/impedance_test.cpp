// The answers of rows to their residuals: curve, guards, springs, rigid.
#include "dynamics/impedance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rattleback
{
namespace
{

constexpr double kDt = 0.002;

TEST(Impedance, the_curve_rises_from_its_least_to_its_greatest_value_over_the_width)
{
    const std::array<double, 5> solimp{0.2, 0.8, 0.01, 0.3, 2.5};
    EXPECT_DOUBLE_EQ(impedance_at(solimp, 0), 0.2);
    EXPECT_DOUBLE_EQ(impedance_at(solimp, 0.01), 0.8);
    EXPECT_DOUBLE_EQ(impedance_at(solimp, 5), 0.8);
    EXPECT_NEAR(impedance_at(solimp, 0.003), 0.2 + 0.3 * 0.6, 1e-15);  // the curve passes through (midpoint, midpoint)
    double last = 0.2;
    for (double r = 1e-4; r < 0.01; r += 1e-4)
    {
        const double d = impedance_at(solimp, r);
        EXPECT_GT(d, last) << r;
        EXPECT_EQ(d, impedance_at(solimp, -r)) << "the sign of the violation does not matter";
        last = d;
    }
}

TEST(Impedance, the_two_arcs_meet_with_one_slope)
{
    for (const double exponent : {1.0, 1.5, 2.0, 3.0, 6.5})
    {
        const std::array<double, 5> solimp{0.1, 0.9, 1, 0.4, exponent};
        const double h = 1e-6, x = 0.4;
        const double before = (impedance_at(solimp, x) - impedance_at(solimp, x - h)) / h;
        const double after = (impedance_at(solimp, x + h) - impedance_at(solimp, x)) / h;
        EXPECT_NEAR(before, after, 1e-4) << exponent;
        EXPECT_NEAR(before, exponent * 0.8, 1e-4) << exponent;  // p times the rise
    }
}

TEST(Impedance, equal_ends_or_no_width_give_a_flat_curve)
{
    for (const double r : {0.0, 1e-5, 1.0}) EXPECT_DOUBLE_EQ(impedance_at({0.3, 0.3, 0.1, 0.5, 2}, r), 0.3);
    for (const double r : {0.0, 1e-5, 1.0}) EXPECT_DOUBLE_EQ(impedance_at({0.3, 0.5, 0, 0.5, 2}, r), 0.4);
}

TEST(Impedance, values_outside_their_bounds_are_brought_back)
{
    const Impedance safe = make_safe({{0.02, 1}, {-3, 7, -1, 0, 0.2}}, kDt, true);
    EXPECT_EQ(safe.solimp, (std::array<double, 5>{1e-4, 0.9999, 0, 1e-4, 1}));
}

TEST(Impedance, unlike_signs_of_solref_give_the_default)
{
    EXPECT_EQ(make_safe({{0.5, -2}, {}}, kDt, true).solref, (std::array<double, 2>{0.02, 1}));
    EXPECT_EQ(make_safe({{-0.5, 2}, {}}, kDt, true).solref, (std::array<double, 2>{0.02, 1}));
    EXPECT_EQ(make_safe({{-5, -2}, {}}, kDt, true).solref, (std::array<double, 2>{-5, -2}));
    EXPECT_EQ(make_safe({{0, 0}, {}}, kDt, true).solref, (std::array<double, 2>{0, 0}));
}

TEST(Impedance, refsafe_keeps_time_constants_above_two_steps)
{
    EXPECT_EQ(make_safe({{0.001, 1}, {}}, kDt, true).solref[0], 2 * kDt);
    EXPECT_EQ(make_safe({{0.001, 1}, {}}, kDt, false).solref[0], 0.001);
    EXPECT_EQ(make_safe({{-0.001, -1}, {}}, kDt, true).solref[0], -0.001);
}

TEST(Impedance, time_constant_and_damping_ratio_make_the_oscillator_they_name)
{
    const Impedance soft{{0.1, 0.7}, {0.9, 0.9, 0, 0.5, 2}};
    const RowResponse response = respond(soft, 0.3, kDt, true);
    // K = 1 / (d time ratio)^2 and aref takes d K; B = 2 / (d time)
    EXPECT_NEAR(response.stiffness, 0.9 / std::pow(0.9 * 0.1 * 0.7, 2), 1e-10);
    EXPECT_NEAR(response.damping, 2 / (0.9 * 0.1), 1e-12);
    EXPECT_EQ(response.impedance, 0.9);
    EXPECT_NEAR(regulariser(response, 5), 5 * 0.1 / 0.9, 1e-15);
}

TEST(Impedance, stiffness_and_damping_may_be_given_directly)
{
    const RowResponse response = respond(Impedance{{-400, -7}, {0.5, 0.8, 0, 0.5, 2}}, 0, kDt, true);
    EXPECT_NEAR(response.stiffness, 400 / (0.8 * 0.8) * 0.65, 1e-10);
    EXPECT_NEAR(response.damping, 7 / 0.8, 1e-12);
}

TEST(Impedance, friction_of_a_pair_has_a_damper_of_its_own_or_none)
{
    EXPECT_EQ(friction_damping_of({0, 0}, 0.9, kDt, true), 0);
    EXPECT_EQ(friction_damping_of({0.1, -3}, 0.9, kDt, true), 0);
    EXPECT_NEAR(friction_damping_of({0.1, 5}, 0.9, kDt, true), 2 / 0.09, 1e-12);
    EXPECT_NEAR(friction_damping_of({0.001, 5}, 0.9, kDt, true), 2 / (0.9 * 2 * kDt), 1e-9);
    EXPECT_NEAR(friction_damping_of({0, -45}, 0.9, kDt, true), 50, 1e-12);
}

/// One step of a mass under a row: semi-implicit Euler with f = (aref - a) / R.
struct MassOnRow
{
    double mass = 1, r = 0, v = 0;

    double step(const Softness& softness, double dt, double applied)
    {
        const RowResponse response = respond(softness, r, dt, true);
        const double regularised = regulariser(response, 1 / mass);
        const double reference = -response.damping * v - response.stiffness * r;
        const double force = (reference - applied / mass) / (regularised + 1 / mass);
        v += dt * (applied + force) / mass;
        r += dt * v;
        return force;
    }
};

TEST(Impedance, a_spring_row_is_implicit_euler_of_a_spring_and_damper)
{
    for (const double dt : {1e-4, 2e-3, 0.1, 1.0})
    {
        const double m = 2.5, k = 3000, c = 40, applied = -7;
        MassOnRow row{.mass = m, .r = 0.01, .v = -0.3};
        double r = row.r, v = row.v;
        for (int i = 0; i < 50; ++i)
        {
            const double force = row.step(Spring{k, c}, dt, applied);
            // (m + dt c + dt^2 k) v' = m v + dt (applied - k r)
            v = (m * v + dt * (applied - k * r)) / (m + dt * c + dt * dt * k);
            r += dt * v;
            ASSERT_NEAR(row.v, v, 1e-12) << dt;
            ASSERT_NEAR(row.r, r, 1e-12) << dt;
            ASSERT_NEAR(force, -k * r - c * v, 1e-9) << dt;
        }
    }
}

TEST(Impedance, a_spring_gives_way_by_force_over_stiffness_whatever_the_mass)
{
    for (const double m : {1e-3, 1.0, 1e3})
    {
        MassOnRow row{.mass = m};
        for (int i = 0; i < 200'000; ++i) row.step(Spring{5e4, 1e3}, kDt, -12);
        EXPECT_NEAR(row.r, -12 / 5e4, 1e-12) << m;
    }
}

TEST(Impedance, a_rigid_row_stops_motion_in_one_step_and_never_throws_out)
{
    MassOnRow row{.mass = 3, .r = -1e-3, .v = -2};
    row.step(Rigid{}, kDt, 0);
    EXPECT_NEAR(row.v, 1e-3 / (36 * kDt), 1e-3);  // what takes away a 36th of the violation, and nothing else
    double last = row.r;
    for (int i = 0; i < 1000; ++i)
    {
        row.step(Rigid{}, kDt, 0);
        EXPECT_LE(row.r, 1e-9) << i;
        EXPECT_GE(row.r, last) << i;
        last = row.r;
    }
    EXPECT_NEAR(row.r, 0, 1e-9);
}

TEST(Impedance, a_rigid_row_damps_as_hard_as_refsafe_allows)
{
    const RowResponse rigid = respond(Softness(Rigid{}), 0.01, kDt, true);
    const RowResponse hardest = respond(Softness(Impedance{{0, 0}, {}}), 0.01, kDt, true);
    const RowResponse hard = respond(Softness(Impedance{{1e-9, 1}, {2, 2, 0, 0.5, 1}}), 0.01, kDt, true);
    EXPECT_EQ(rigid.damping, hard.damping);
    EXPECT_EQ(rigid.impedance, hard.impedance);
    EXPECT_NEAR(rigid.stiffness, hard.stiffness / 9, 1e-12 * hard.stiffness);
    EXPECT_EQ(hardest.stiffness, 0) << "solref 0 0 is no spring at all, as in MuJoCo";
}

TEST(Impedance, a_rigid_tie_loses_half_of_its_violation_with_each_step)
{
    const RowResponse tie = respond_tie(Softness(Rigid{}), 0.01, kDt, true);
    EXPECT_NEAR(tie.damping * kDt, 1, 1e-3);
    EXPECT_NEAR(tie.stiffness * kDt * kDt, 0.5, 1e-3);
    const Impedance soft{{0.1, 1}, {0.9, 0.95, 0.001, 0.5, 2}};
    EXPECT_EQ(respond_tie(soft, 0.01, kDt, true).stiffness, respond(soft, 0.01, kDt, true).stiffness);
}

TEST(Impedance, extreme_values_stay_finite)
{
    const double huge = 1e300, inf = std::numeric_limits<double>::infinity();
    const Softness all[] = {Spring{huge, huge}, Spring{1e-300, 0}, Impedance{{1e-300, 1e-300}, {0, 1, 1e-300, 0, 1e9}},
                            Impedance{{-huge, -1}, {0, 0, inf, 1, 0}}, Rigid{}};
    for (const Softness& softness : all)
    {
        for (const double dt : {0.0, 1e-9, 1.0})
        {
            for (const double violation : {0.0, -1e-300, 1e100})
            {
                const RowResponse response = respond(softness, violation, dt, true);
                EXPECT_TRUE(std::isfinite(response.damping)) << softness.index();
                for (const double diagonal : {0.0, 1.0, 1e12})
                {
                    const double r = regulariser(response, diagonal);
                    EXPECT_TRUE(std::isfinite(r) && r >= 1e-15) << softness.index() << " " << r;
                }
            }
        }
    }
}

}  // namespace
}  // namespace rattleback
