// Formulas of the particle solvers against closed forms: contact corrections, momentum, impulses.
#include "lab/scenes/parts.h"
#include "math/random.h"
#include "solvers/particles/contact_correction.h"
#include "solvers/particles/contact_impulses.h"
#include "solvers/particles/shape_matching.h"

#include <gtest/gtest.h>

namespace rattleback::particles
{
namespace
{

TEST(ContactCorrection, goes_out_by_the_overlap_and_back_by_friction_but_not_beyond_standstill)
{
    const Vec3 n{0, 0, 1};
    const double h = 0.01, overlap = 1e-3;
    // friction reaches mu times overlap = 0.4 mm; a particle of 1 m/s slides 10 mm, one of 1 cm/s 0.1 mm
    const Vec3 fast = find_contact_correction(-overlap, n, Vec3{1, 0, 0}, 0.4, h);
    EXPECT_NEAR(norm(fast - Vec3{-4e-4, 0, 1e-3}), 0, 1e-18);
    const Vec3 slow = find_contact_correction(-overlap, n, Vec3{0, -0.01, 0}, 0.4, h);
    EXPECT_NEAR(norm(slow - Vec3{0, 1e-4, 1e-3}), 0, 1e-18);
    EXPECT_EQ(find_contact_correction(-overlap, n, Vec3{}, 0.4, h), (Vec3{0, 0, overlap}));
}

struct Point
{
    double m;
    Vec3 x, v;
};

/// Sums of points about a reference, as the passes take them.
GroupSums<double> sum(const std::vector<Point>& points, const Vec3& reference, const Vec3& velocity)
{
    GroupSums<double> sums;
    for (const Point& p : points)
    {
        const Vec3 arm = p.x - reference, momentum = p.m * (p.v - velocity);
        sums.first += p.m * arm;
        sums.moved += p.m * arm;
        sums.linear += momentum;
        sums.angular += cross(arm, momentum);
        add_outer(sums.second, p.m, arm);
    }
    return sums;
}

TEST(MomentumCorrection, gives_any_points_the_momentum_that_they_had)
{
    // Equations 3 and 4 of [PBD-R]: whatever happened to positions and velocities, P and L about the centre come back.
    Random random(5);
    const auto vector = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    for (int i = 0; i < 100; ++i)
    {
        std::vector<Point> points;
        double mass = 0;
        for (int k = 0; k < 12; ++k)
        {
            points.push_back({random.uniform(0.1, 2), vector(), vector()});
            mass += points.back().m;
        }
        GroupState<double> state;
        state.world_frame = true;
        state.mass = mass;
        state.reference_velocity = vector();
        state.fit.center = vector();
        state.linear = vector();   // P less mass times reference velocity
        state.angular = vector();  // L about the centre of mass
        find_momentum_correction(sum(points, state.fit.center, state.reference_velocity), true, true, state);

        Vec3 center, linear, angular;
        for (const Point& p : points) center += (p.m / mass) * p.x;
        for (Point& p : points)
        {
            p.v += state.pending.at(p.x);
            linear += p.m * (p.v - state.reference_velocity);
            angular += p.m * cross(p.x - center, p.v);
        }
        EXPECT_NEAR(norm(state.pending.center - center), 0, 1e-14);
        EXPECT_NEAR(norm(linear - state.linear), 0, 1e-12);    // sums of 12 numbers near 1
        EXPECT_NEAR(norm(angular - state.angular), 0, 1e-12);  // and a solve with an inertia of condition below 10
    }
}

/// A ball of mass m and radius r that touches a floor, sliding along x at one speed and falling at another.
ContactImpulses<double> make_ball_on_floor(double m, double r, double slide, double fall, double friction)
{
    ContactImpulses<double> impulses(1);
    ImpulseBody<double>& ball = impulses.bodies[0];
    const double inertia = 0.4 * m * r * r;
    ball.inverse_mass = 1 / m;
    ball.inverse_inertia = {{1 / inertia, 0, 1 / inertia, 0, 0, 1 / inertia}};
    impulses.add({.first = 0,
                  .normal = {0, 0, 1},
                  .tangent = {1, 0, 0},
                  .bitangent = {0, 1, 0},
                  .arm = {0, 0, -r},
                  .free_velocity = {slide, 0, -fall},
                  .friction = friction});
    return impulses;
}

TEST(ContactImpulses, a_ball_stops_falling_and_slides_or_rolls_as_coulomb_says)
{
    const double m = 3, r = 0.2, fall = 0.5;
    // Sliding: friction mu m fall is too little. Rolling: slip ends once 2/7 of m slide has been taken (I = 2/5 m r^2).
    for (const double slide : {4.0, 0.3})
    {
        ContactImpulses<double> impulses = make_ball_on_floor(m, r, slide, fall, 0.25);
        EXPECT_FALSE(impulses.warm_start({})) << "nothing is kept";
        for (int i = 0; i < 3; ++i) impulses.sweep(0.01);
        const ContactConstraint<double>& contact = impulses.contacts()[0];
        EXPECT_NEAR(contact.normal_impulse, m * fall, 1e-12);
        EXPECT_NEAR(contact.tangent_impulse, -std::min(0.25 * m * fall, 2 * m * slide / 7), 1e-12);
        EXPECT_NEAR(contact.bitangent_impulse, 0, 1e-12);
        EXPECT_LT(impulses.sweep(0.01), 1e-12) << "one contact alone is solved at once";
    }
}

TEST(ContactImpulses, a_gap_may_close_and_an_overlap_opens_by_a_fifth)
{
    const double m = 2, h = 0.01;
    for (const double gap : {0.001, -0.001, -1.0})
    {
        ContactImpulses<double> impulses(1);
        impulses.bodies[0].inverse_mass = 1 / m;
        impulses.add({.first = 0, .normal = {0, 0, 1}, .free_velocity = {0, 0, -3}, .gap = gap});
        impulses.sweep(h);
        const double target = gap > 0 ? -gap / h : std::min(1.0, -0.2 * gap / h);  // at most 1 m/s
        EXPECT_NEAR(impulses.bodies[0].delta_velocity.z - 3, target, 1e-12) << gap;
    }
}

}  // namespace
}  // namespace rattleback::particles
