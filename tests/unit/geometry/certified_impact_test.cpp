// Tests of the certified time of impact: against closed forms, dense sampling and wider numbers.
#include "geometry/inclusion_impact.h"
#include "geometry/interval_impact.h"
#include "math/random.h"
#include "math/rotation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{

namespace
{

Vec3 make_impact_vector(Random& random, double size)
{
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

RigidPath make_impact_path(Random& random, double apart, double motion, double turning)
{
    RigidPath path;
    path.center = make_impact_vector(random, apart);
    path.motion = make_impact_vector(random, motion);
    path.rotation = exponential(make_impact_vector(random, 2.0));
    path.turn = random.uniform(0, 1) < 0.5 ? Vec3{} : make_impact_vector(random, 2.0);
    path.turning = make_impact_vector(random, turning);
    return path;
}

Simplex make_impact_simplex(Random& random, int count)
{
    Simplex simplex;
    simplex.count = count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        simplex.corner[i] = make_impact_vector(random, 1.0);
    return simplex;
}

Simplex place_simplex(const RigidPath& path, const Simplex& simplex, double t)
{
    Simplex placed = simplex;
    const Quat rotation = exponential(path.turn + t * path.turning) * path.rotation;
    for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
        placed.corner[i] = path.center + t * path.motion + rotate(rotation, simplex.corner[i]);
    return placed;
}

double find_sampled_distance(const RigidPath& a, const Simplex& first, const RigidPath& b, const Simplex& second,
                             double t)
{
    return norm(find_nearest(place_simplex(a, first, t), place_simplex(b, second, t)).between);
}

}  // namespace

TEST(CertifiedImpact, a_falling_corner_meets_a_face_when_its_height_is_used_up)
{
    const Simplex corner{{Vec3{}}, 1}, face{{Vec3{-1, -1, 0}, Vec3{2, -1, 0}, Vec3{-1, 2, 0}}, 3};
    const RigidPath falling{.center = {0, 0, 1}, .motion = {0.3, 0, -4}}, resting;
    const CertifiedImpact impact = certified_time_of_impact(falling, corner, resting, face, {.tolerance = 1e-9});
    EXPECT_EQ(impact.state, CertifiedState::touch);
    EXPECT_LE(impact.time, 0.25);
    EXPECT_NEAR(impact.time, 0.25, 1e-9);
    // With a separation of 0.2 m it ends where that is left.
    const CertifiedImpact early =
        certified_time_of_impact(falling, corner, resting, face, {.separation = 0.2, .tolerance = 1e-9});
    EXPECT_LE(early.time, 0.2);
    EXPECT_NEAR(early.time, 0.2, 1e-9);
}

TEST(CertifiedImpact, a_turning_rod_meets_a_rod_at_the_angle_of_geometry)
{
    // A rod of 1 m along x turns about z, by 2 rad; an upright rod stands at the angle 1.2 rad, 0.5 m away.
    const double angle = 1.2;
    const Simplex rod{{Vec3{}, Vec3{1, 0, 0}}, 2};
    const Simplex post{
        {Vec3{0.5 * std::cos(angle), 0.5 * std::sin(angle), -1}, Vec3{0.5 * std::cos(angle), 0.5 * std::sin(angle), 1}},
        2};
    const RigidPath turning{.turning = {0, 0, 2}}, resting;
    const CertifiedImpact impact = certified_time_of_impact(turning, rod, resting, post, {.tolerance = 1e-9});
    EXPECT_EQ(impact.state, CertifiedState::touch);
    EXPECT_LE(impact.time, 0.6);
    EXPECT_NEAR(impact.time, 0.6, 1e-8);
}

TEST(CertifiedImpact, gliding_close_by_takes_few_advances)
{
    // A corner 10 um above a tilted face glides 0.1 m along it and never comes nearer.
    const Quat tilt = exponential(Vec3{0.3, 0.5, 0.1});
    const Simplex corner{{Vec3{}}, 1}, face{{Vec3{-1, -1, 0}, Vec3{2, -1, 0}, Vec3{-1, 2, 0}}, 3};
    const RigidPath gliding{.center = rotate(tilt, Vec3{0, 0, 1e-5}), .motion = rotate(tilt, Vec3{0.1, 0, 0})};
    const RigidPath resting{.rotation = tilt};
    const CertifiedImpact impact = certified_time_of_impact(gliding, corner, resting, face, {.separation = 5e-6});
    EXPECT_EQ(impact.state, CertifiedState::apart);
    EXPECT_LE(impact.advances, 3);
}

TEST(CertifiedImpact, an_edge_that_ends_above_a_long_one_is_separated_from_it_however_near_it_is)
{
    // The diagonal of a floor and an upright edge of a box that rests above it: what is between the nearest
    // points leans by rounding over the gap, which is more than the gap at the ends of the diagonal; and across both
    // edges there is nothing between them.
    const Simplex floor{{Vec3{-5, -5, 0}, Vec3{5, 5, 0}}, 2},
        side{{Vec3{0.05, 0.05, -0.05}, Vec3{0.05, 0.05, 0.05}}, 2};
    Random random(7);
    for (int i = 0; i < 300; ++i)
    {
        const auto draw = [&] { return make_impact_vector(random, 1e-14); };
        const RigidPath resting{};
        const RigidPath falling{.center = draw() + Vec3{0, 0, 0.05 + 8.7e-8},
                                .motion = draw() + Vec3{0, 0, 1e-7},
                                .rotation = exponential(draw()),
                                .turning = draw()};
        const CertifiedImpact impact = certified_time_of_impact(resting, floor, falling, side, {.tolerance = 1e-10});
        EXPECT_EQ(impact.state, CertifiedState::apart) << i;
        EXPECT_LE(impact.advances, 5) << i;
    }
}

TEST(CertifiedImpact, a_corner_meets_a_half_space_where_the_face_in_its_plane_would_be)
{
    const Vec3 normal = rotate(exponential(Vec3{0.4, -0.2, 0.9}), Vec3{0, 0, 1});
    const RigidPath path{
        .center = 2.0 * normal, .motion = -2.5 * normal, .rotation = {}, .turn = {}, .turning = {1, 2, 3}};
    const Vec3 arm{0.3, 0.2, -0.1};
    const CertifiedImpact impact =
        certified_time_of_impact(RigidTrack(path), arm, HalfSpace{normal, 0.0}, {.tolerance = 1e-9});
    ASSERT_EQ(impact.state, CertifiedState::touch);
    const auto height = [&](double t)
    { return dot(normal, path.center + t * path.motion + rotate(exponential(t * path.turning), arm)); };
    EXPECT_NEAR(height(impact.time), 0, 1e-8);
    for (int i = 0; i < 1000; ++i) EXPECT_GT(height(impact.time * i / 1000.0), 0);
}

TEST(CertifiedImpact, no_sample_of_ten_thousand_random_paths_contradicts_the_certificate)
{
    Random random(7);
    int touching = 0, apart = 0, most = 0;
    for (int trial = 0; trial < 10'000; ++trial)
    {
        const bool edges = random.uniform(0, 1) < 0.5;
        const RigidPath a = make_impact_path(random, 1, 2, 3), b = make_impact_path(random, 1, 1, 1);
        const Simplex first = make_impact_simplex(random, edges ? 2 : 1),
                      second = make_impact_simplex(random, edges ? 2 : 3);
        const double separation = random.uniform(0, 1) < 0.5 ? 0 : 0.1, tolerance = 1e-4;
        const CertifiedImpact impact =
            certified_time_of_impact(a, first, b, second, {.separation = separation, .tolerance = tolerance});
        ASSERT_NE(impact.state, CertifiedState::undecided);
        most = std::max(most, impact.advances);
        (impact.state == CertifiedState::touch ? touching : apart)++;
        double least = HUGE_VAL;
        // Nothing is certified where they are near from the start.
        if (impact.time == 0) least = find_sampled_distance(a, first, b, second, 0);
        for (int i = 0; i <= 64 && impact.time > 0; ++i)
        {
            const double t = impact.time * i / 64;
            ASSERT_GT(find_sampled_distance(a, first, b, second, t), separation) << trial << " at " << t;
        }
        if (impact.state == CertifiedState::apart) continue;
        // What it calls a touch comes as near as it says, at that moment: where the last advance ended, the gap along
        // its direction was used up.
        for (int i = 0; i <= 64; ++i)
            least = std::min(least, find_sampled_distance(a, first, b, second, std::max(0.0, impact.time - i * 1e-6)));
        ASSERT_LE(least, separation + 2 * tolerance) << trial;
    }
    EXPECT_GT(touching, 300);
    EXPECT_GT(apart, 3'000);
    EXPECT_LE(most, 200);
}

TEST(CertifiedImpact, linear_paths_with_known_roots_are_never_missed)
{
    // Simplices moved to meet at a chosen time: the nearest points of the two are shifted onto each other there.
    Random random(11);
    int undecided = 0;
    for (int trial = 0; trial < 10'000; ++trial)
    {
        const bool edges = trial % 2 == 0;
        const double moment = random.uniform(0.05, 1.0);
        LinearSimplex a{make_impact_simplex(random, edges ? 2 : 1), {}},
            b{make_impact_simplex(random, edges ? 2 : 3), {}};
        a.end = make_impact_simplex(random, a.begin.count);
        b.end = make_impact_simplex(random, b.begin.count);
        const auto place = [&](const LinearSimplex& s)
        {
            Simplex now = s.begin;
            for (std::size_t i = 0; i < static_cast<std::size_t>(now.count); ++i)
                now.corner[i] = s.begin.corner[i] + moment * (s.end.corner[i] - s.begin.corner[i]);
            return now;
        };
        const Vec3 shift = find_nearest(place(a), place(b)).between;
        for (std::size_t i = 0; i < static_cast<std::size_t>(a.begin.count); ++i)
        {
            a.begin.corner[i] -= shift;
            a.end.corner[i] -= shift;
        }
        const CertifiedImpact impact = certified_time_of_impact(a, b);
        ASSERT_NE(impact.state, CertifiedState::apart) << trial;
        undecided += impact.state == CertifiedState::undecided ? 1 : 0;
        ASSERT_LE(impact.time, moment + 1e-12) << trial;
    }
    // Corners that move each on its own, into a touch at a rim: the slowest there are.
    EXPECT_LE(undecided, 10);
}

TEST(CertifiedImpact, what_passes_within_rounding_is_told_apart_by_one_coordinate)
{
    // A point, an edge or a triangle falls past a wall: the width of an atom away, and by less than the tolerance.
    const auto falling = [](double x, int count)
    {
        LinearSimplex fall;
        for (const double y : {0.9, -0.8})
        {
            Simplex& side = y > 0 ? fall.begin : fall.end;
            side = {{Vec3{x, y, 0.1}, Vec3{x, y, 0.4}, Vec3{x, y + 0.2, 0.2}}, count};
        }
        return fall;
    };
    const Simplex wall{{Vec3{0.5, 0, 0}, Vec3{0.5, 0, 1}, Vec3{0.9, 0, 0.5}}, 3}, rim{wall.corner, 2},
        post{wall.corner, 1};
    for (const double gap : {1e-10, 2e-15})
    {
        EXPECT_EQ(certified_time_of_impact(falling(0.5 - gap, 1), {wall, wall}).state, CertifiedState::apart);
        EXPECT_EQ(certified_time_of_impact(falling(0.5 - gap, 1), {rim, rim}).state, CertifiedState::apart);
        EXPECT_EQ(certified_time_of_impact(falling(0.5 - gap, 1), {post, post}).state, CertifiedState::apart);
        EXPECT_EQ(certified_time_of_impact(falling(0.5 - gap, 2), {rim, rim}).state, CertifiedState::apart);
        // With a separation that they have not.
        EXPECT_EQ(certified_time_of_impact(falling(0.5 - gap, 2), {rim, rim}, {.separation = 1e-9}).state,
                  CertifiedState::touch);
    }
    EXPECT_EQ(certified_time_of_impact(falling(0.5, 1), {wall, wall}).state, CertifiedState::touch);
    EXPECT_EQ(certified_time_of_impact(falling(0.5, 2), {rim, rim}).state, CertifiedState::touch);
    EXPECT_EQ(inclusion_time_of_impact(falling(std::nan(""), 1), {wall, wall}).state, CertifiedState::touch);
}

TEST(CertifiedImpact, bad_numbers_certify_nothing)
{
    const Simplex corner{{Vec3{}}, 1}, face{{Vec3{-1, -1, 0}, Vec3{2, -1, 0}, Vec3{-1, 2, 0}}, 3};
    for (const double bad : {std::nan(""), HUGE_VAL})
    {
        const RigidPath falling{.center = {0, 0, bad}}, moving{.center = {0, 0, 1}, .motion = {0, 0, bad}};
        const RigidPath spinning{.center = {0, 0, 1}, .turning = {bad, 0, 0}};
        for (const RigidPath& path : {falling, moving, spinning})
        {
            const CertifiedImpact impact = certified_time_of_impact(path, corner, RigidPath{}, face);
            EXPECT_NE(impact.state, CertifiedState::apart);
            EXPECT_EQ(impact.time, 0);
        }
    }
}

TEST(CertifiedImpact, places_and_velocities_are_within_the_stated_rounding)
{
    // Rodrigues' formula and its derivative in numbers of 64 bits of mantissa.
    using Wide = long double;
    Random random(5);
    double worst = 0;
    for (int trial = 0; trial < 20'000; ++trial)
    {
        const double scale = trial % 2 == 0 ? 1 : 1e-3;
        const RigidPath path = make_impact_path(random, 3, 1, 6 * scale);
        const double t = random.uniform(0, 1);
        const Vec3 arm = make_impact_vector(random, 1);
        const RigidTrack track(path);
        const RigidTrack::Moment moment = track.at(t);
        const Vec3 place = moment.center + moment.rotation * arm;
        const Vec3 start = rotate(path.rotation, arm);  // data, up to its own rounding
        const Wide u[3] = {path.turn.x + Wide(t) * path.turning.x, path.turn.y + Wide(t) * path.turning.y,
                           path.turn.z + Wide(t) * path.turning.z};
        const Wide square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], angle = std::sqrt(square);
        const Wide f = angle > 0 ? std::sin(angle) / angle : 1, g = angle > 0 ? (1 - std::cos(angle)) / square : 0.5L;
        const Wide y[3] = {start.x, start.y, start.z};
        const Wide c[3] = {u[1] * y[2] - u[2] * y[1], u[2] * y[0] - u[0] * y[2], u[0] * y[1] - u[1] * y[0]};
        const Wide cc[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2], u[0] * c[1] - u[1] * c[0]};
        const double bound = 2.220446049250313e-16 * (track.place_size() + norm(arm) * track.turn_size());
        for (int k = 0; k < 3; ++k)
        {
            const Wide exact = path.center[k] + Wide(t) * path.motion[k] + y[k] + f * c[k] + g * cc[k];
            worst = std::max(worst, static_cast<double>(std::abs(exact - Wide(place[k]))) / bound);
        }
    }
    EXPECT_LT(worst, 8) << "the bound in certified_impact.cpp allows 32";
}

TEST(IntervalImpact, proves_as_much_as_separating_directions_and_no_more_than_samples_show)
{
    // Algorithm 1 of [RigidIPC] beside ours, on bodies that turn and move past each other.
    Random random(31);
    int hits = 0, apart = 0;
    for (int i = 0; i < 400; ++i)
    {
        const bool edges = i % 2 == 0;
        const RigidPath a = make_impact_path(random, 0.7, 1.5, i % 4 < 2 ? 0.1 : 1.0),
                        b = make_impact_path(random, 0.7, 1.5, 0.3);
        const Simplex first = make_impact_simplex(random, edges ? 2 : 1),
                      second = make_impact_simplex(random, edges ? 2 : 3);
        const RigidTrack one(a), two(b);
        const CertifiedOptions options{.separation = 1e-3, .tolerance = 1e-4};
        if (find_sampled_distance(a, first, b, second, 0) < 0.01) continue;
        const CertifiedImpact ours = certified_time_of_impact(one, first, two, second, options);
        const CertifiedImpact theirs = interval_time_of_impact(one, first, two, second, options);
        for (int k = 0; k <= 200; ++k)
            ASSERT_GT(find_sampled_distance(a, first, b, second, theirs.time * k / 200), options.separation) << i;
        // what one proves apart the other can accuse only where the two nearly touch
        double nearest = 1;
        for (int k = 0; k <= 400; ++k)
            nearest = std::min(nearest, find_sampled_distance(a, first, b, second, k / 400.0));
        if (ours.state == CertifiedState::apart && nearest > 0.1)
        {
            EXPECT_EQ(theirs.state, CertifiedState::apart) << i << " nearest " << nearest;
            ++apart;
        }
        if (nearest < options.separation)
        {
            EXPECT_NE(theirs.state, CertifiedState::apart) << i;
            ++hits;
        }
    }
    EXPECT_GT(hits, 10);
    EXPECT_GT(apart, 50);
}

}  // namespace rattleback
