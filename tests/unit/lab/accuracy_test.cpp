// The references of the accuracy tests, and the solids they are made of.
#include "geometry/mass.h"
#include "geometry/mesh_mass.h"
#include "lab/accuracy/naive.h"
#include "lab/accuracy/run.h"
#include "lab/scenes/rabbit.h"

#include <rattleback/export.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::lab
{
namespace
{

TEST(Rabbit, is_closed_and_has_the_bounds_mass_and_inertia_of_the_bunny)
{
    const MeshOptions rabbit = make_rabbit();
    EXPECT_FALSE(find_open_edge(rabbit));
    Vec3 lower = rabbit.vertices.front(), upper = lower;
    for (const Vec3& v : rabbit.vertices)
        for (int k = 0; k < 3; ++k)
        {
            lower[k] = std::min(lower[k], v[k]);
            upper[k] = std::max(upper[k], v[k]);
        }
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(upper[k] - lower[k], 0.2, 1e-12);
    EXPECT_NEAR(-lower.z, 0.0729, 0.001);
    const MassProperties mass = compute_mass_scaled(ShapeType::mesh, {}, &rabbit, MeshMass::exact, 2.17621).value();
    EXPECT_LT(norm(mass.center), 1e-12);
    EXPECT_NEAR(compute_mass(ShapeType::mesh, {}, &rabbit, MeshMass::exact, 1000).value().mass, 2.176, 0.03);
    const double bunny[6] = {6.6440e-3, 8.4513e-3, 7.0775e-3, 4.103e-4, 1.5909e-3, -9.111e-4};
    const double ours[6] = {mass.inertia(0, 0), mass.inertia(1, 1), mass.inertia(2, 2),
                            mass.inertia(0, 1), mass.inertia(0, 2), mass.inertia(1, 2)};
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(ours[k], bunny[k], k < 3 ? 0.01 * bunny[k] : 5e-5) << k;
}

TEST(Rabbit, any_mesh_is_made_fit_and_its_holes_are_closed)
{
    MeshOptions open = make_rabbit();
    open.triangles.resize(open.triangles.size() - 2);
    for (Vec3& v : open.vertices) v = {3 * v.x + 1, 2 * v.y, 5 * v.z};
    std::vector<std::string> notes;
    const Result<MeshOptions> fit = make_fit(open, 0.2, notes);
    ASSERT_TRUE(fit.ok());
    EXPECT_FALSE(find_open_edge(fit.value()));
    EXPECT_EQ(notes.size(), 2U) << "says what was done";
    EXPECT_FALSE(make_fit({.name = "empty"}, 0.2, notes).ok());
}

TEST(Pushing, a_rod_in_the_middle_pushes_straight_ahead)
{
    const std::vector<PlanarPose> path = find_push_path({});
    ASSERT_EQ(path.size(), 1001U);
    EXPECT_EQ(path[100].y, 0) << "not touched yet: contact after sqrt(2 gap / a) = 1.095 s";
    EXPECT_LT(path[115].y, 0);
    EXPECT_NEAR(path.back().y, 0.16 - 2.5 - 0.13, 1e-4) << "it follows the rod's surface";
    EXPECT_EQ(path.back().x, 0);
    EXPECT_EQ(path.back().angle, 0);
    // the authors' rod has no thickness: the box starts to move when the rod's centre enters it
    EXPECT_NEAR(find_push_path(as_printed({})).back().y, 0.16 - 2.5 - 0.1, 6e-3);
}

TEST(Pushing, a_point_that_sticks_moves_with_the_pusher)
{
    // an offset of 1 cm needs a force 0.066 rad off the normal, inside the friction cone: after a short while the
    // material point of the box under the rod has moved as the rod did
    const PushOptions options{.offset = 0.01, .rod_start = 0.13, .acceleration = 0.05, .seconds = 0.5};
    const PlanarPose end = find_push_path(options).back();
    const double moved = 0.5 * 0.05 * 0.25;
    const double c = std::cos(end.angle), s = std::sin(end.angle);
    const double x = end.x + c * -0.01 - s * 0.1, y = end.y + s * -0.01 + c * 0.1;
    EXPECT_NEAR(x, 0, 1e-5);
    EXPECT_NEAR(y, 0.1 - moved, 1e-5);
    // turning rate over speed at the start: x / (c^2 + r^2) for a contact at r = (x, 0.1)
    EXPECT_NEAR(end.angle / moved, 0.01 / (0.0765 * 0.0765 + 0.1 * 0.1 + 0.01 * 0.01), 0.02);
    EXPECT_GT(end.angle, 0) << "pushed left of its centre it turns to the left";
}

TEST(Pushing, steps_ten_times_finer_change_nothing_that_matters)
{
    PushOptions options{.offset = 0.01};
    const PlanarPose coarse = find_push_path(options).back();
    options.dt = 1e-5;
    const PlanarPose fine = find_push_path(options).back();
    EXPECT_NEAR(coarse.x, fine.x, 1e-3);
    EXPECT_NEAR(coarse.y, fine.y, 1e-3);
    EXPECT_NEAR(coarse.angle, fine.angle, 1e-2);
}

TEST(AccuracyCases, expect_what_table_I_says)
{
    const double g = 9.81;
    const auto way = [](int number) { return norm(make_case(number).value().expected(1000).displacement); };
    EXPECT_NEAR(way(1), 50 * (17 - 0.4 * 4 * g) / 4, 1e-9);
    EXPECT_NEAR(way(3), 50 * g * (std::sin(kPi / 8) - 0.4 * std::cos(kPi / 8)), 1e-9);
    EXPECT_NEAR(way(4), 50 * (10 - 0.4 * 2.18 * g) / 2.18, 1e-9);
    EXPECT_NEAR(make_case(2).value().expected(1000).angle / kDegree, 1074.3, 0.1);
    EXPECT_NEAR(make_case(1).value().floor, 1.63e-3, 1e-5);
    EXPECT_FALSE(make_case(8).ok());
    for (int number = 1; number <= kCaseCount; ++number) EXPECT_TRUE(make_case(number).ok()) << number;
}

TEST(AccuracyCases, every_solver_runs_them_or_says_why_not)
{
    for (const Contestant& contestant : all_contestants())
    {
        if (contestant.solver.empty()) continue;
        for (const int number : {1, 7})
        {
            const AccuracyRun run = run_case(make_case(number).value(), contestant, 5);
            EXPECT_TRUE(run.refused.empty() ? run.samples.size() == 6 : run.refused.size() > 20) << contestant.name;
        }
    }
}

TEST(AccuracyCases, write_for_mujoco_what_its_settings_say)
{
    const auto write = [](int test, const CaseOptions& options)
    { return write_mjcf(*make_case(test, options).value().model).value(); };
    const CaseOptions plain{.free_rod = true, .softness = Impedance{}};
    CaseOptions best = plain;
    best.capsule_rod = best.frictionless_rows = true;
    EXPECT_EQ(write(2, plain).find("condim"), std::string::npos);
    EXPECT_NE(write(2, best).find("condim=\"1\""), std::string::npos);  // no friction: no rows of it
    EXPECT_EQ(write(1, best).find("condim"), std::string::npos);
    EXPECT_NE(write(7, plain).find("type=\"cylinder\""), std::string::npos);
    EXPECT_NE(write(7, best).find("type=\"capsule\""), std::string::npos);
    for (const Contestant& who : all_mujoco_settings()) EXPECT_NE(who.name.find(who.settings()), std::string::npos);
}

TEST(NaiveBox, goes_where_the_solver_goes)
{
    const AccuracyCase test = make_case(1).value();
    const AccuracyRun run = run_case(test, {.name = "pbdr", .solver = "pbdr"}, 20);
    const double ours = run.end().pose.x;
    EXPECT_NEAR(run_naive_box(4, 20), ours, 2e-4);
}

}  // namespace
}  // namespace rattleback::lab
