// Laws that solver `ipc` promises: nothing ever passes through anything, and what rests, slides or is driven does so.
#include "geometry/certified_impact.h"
#include "math/rotation.h"
#include "physics/contact_laws.h"
#include "support/counting_allocator.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

Simulation make_ipc(const Model& model, double dt, const Parameters& parameters = {})
{
    return Simulation::make(model, {.solver = "ipc", .dt = dt, .parameters = parameters}).value();
}

/// Lowest corner of a box at its pose [m].
double find_lowest_corner(const Pose& pose, const Vec3& half)
{
    double lowest = HUGE_VAL;
    for (int i = 0; i < 8; ++i)
    {
        const Vec3 corner{(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                          (i & 4) != 0 ? half.z : -half.z};
        lowest = std::min(lowest, (pose.position + rotate(pose.rotation, corner)).z);
    }
    return lowest;
}

/// A ring around the z axis, welded, with outward faces.
MeshOptions make_ring_mesh(double radius, double thickness, int around, int across)
{
    MeshOptions mesh;
    for (int i = 0; i < around; ++i)
    {
        for (int j = 0; j < across; ++j)
        {
            const double a = 2 * kPi * i / around, b = 2 * kPi * j / across;
            const double r = radius + thickness * std::cos(b);
            mesh.vertices.push_back({r * std::cos(a), r * std::sin(a), thickness * std::sin(b)});
            const int i1 = (i + 1) % around, j1 = (j + 1) % across;
            const int p = i * across + j, q = i1 * across + j, s = i1 * across + j1, t = i * across + j1;
            mesh.triangles.push_back({p, q, s});
            mesh.triangles.push_back({p, s, t});
        }
    }
    return mesh;
}

}  // namespace

TEST(IpcContacts, a_tumbling_cube_comes_to_rest_above_the_ground_and_is_never_in_it)
{
    ModelBuilder builder;
    builder.add_ground();
    const Vec3 half{0.1, 0.1, 0.1};
    const BodyId cube = builder.add_body({.position = {0, 0, 0.3}, .angular_velocity = {1, 0.5, 0}});
    builder.add_shape(cube, Box{.half_extents = half}, {.density = 1000});
    Simulation simulation = make_ipc(builder.build().value(), 0.01);
    for (int i = 0; i < 300; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        ASSERT_GT(find_lowest_corner(simulation.state().pose(cube), half), 0) << i;
    }
    // d̂ is 0.005 of the radius, and the barrier holds the weight somewhere below it
    EXPECT_LT(find_lowest_corner(simulation.state().pose(cube), half), 0.005 * 0.1733);
    EXPECT_LT(norm(simulation.state().velocity(cube).linear), 1e-4);
}

TEST(IpcContacts, bodies_keep_the_minimum_separation_while_they_fall_and_rest)
{
    // [RigidIPC] 4.3: whatever moves ends every step more than d_min away, and rests within d-hat of that.
    constexpr double kSeparation = 0.02, kReach = 1e-3, kRadius = 0.1;  // [m]
    ModelBuilder builder;
    builder.add_ground();
    const Vec3 half{0.1, 0.1, 0.1};
    const BodyId cube = builder.add_body({.position = {0, 0, 0.4}, .angular_velocity = {3, 2, 0}});
    const BodyId upper = builder.add_body({.position = {0.02, 0.01, 0.8}});
    const BodyId ball = builder.add_body({.position = {1, 0, 0.5}});
    for (const BodyId box : {cube, upper}) builder.add_shape(box, Box{.half_extents = half}, {.density = 1000});
    builder.add_shape(ball, Sphere{.radius = kRadius}, {.density = 1000});
    Simulation simulation = make_ipc(builder.build().value(), 0.01, {{"dmin", kSeparation}, {"dhat", kReach}});
    double least = HUGE_VAL;
    for (int i = 0; i < 400; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        const State& state = simulation.state();
        for (const BodyId box : {cube, upper}) ASSERT_GT(find_lowest_corner(state.pose(box), half), kSeparation) << i;
        ASSERT_GT(state.position(ball).z - kRadius, kSeparation) << i;
        for (const Contact& contact : simulation.contacts().items) least = std::min(least, contact.distance);
    }
    // Box on box, too.
    EXPECT_GT(least, kSeparation);
    const State& state = simulation.state();
    EXPECT_LT(std::min(find_lowest_corner(state.pose(cube), half), find_lowest_corner(state.pose(upper), half)),
              kSeparation + kReach);
    EXPECT_LT(state.position(ball).z - kRadius, kSeparation + kReach);
}

TEST(IpcContacts, five_boxes_stand_on_each_other_and_none_slides)
{
    ModelBuilder builder;
    builder.add_ground();
    std::vector<BodyId> boxes;
    for (int i = 0; i < 5; ++i)
    {
        boxes.push_back(builder.add_body({.position = {0, 0, 0.1005 + 0.2005 * i}}));
        builder.add_shape(boxes.back(), Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    }
    Simulation simulation = make_ipc(builder.build().value(), 0.01);
    simulation.run_for(5);
    double below = 0;
    for (const BodyId box : boxes)
    {
        const Vec3 place = simulation.state().position(box);
        // The criterion of the reference's scene: sideways less than 1 mm, heights within d̂ of the ideal.
        EXPECT_LT(std::hypot(place.x, place.y), 1e-3);
        EXPECT_GT(place.z - 0.1, below);
        EXPECT_LT(place.z - 0.1, below + 1e-3);
        below = place.z + 0.1;
    }
    EXPECT_LT(simulation.energy().kinetic, 1e-7);
}

TEST(IpcContacts, equal_boxes_without_friction_stand_corner_over_corner)
{
    // Without rims the barrier pushes a corner that is e beyond another's outwards by e / d of its load: from rounding
    // a millimetre in ten seconds (rims.h). They fall onto each other first.
    ModelBuilder builder;
    const MaterialId smooth = builder.add_material({.friction = 0});
    builder.add_ground({.material = smooth});
    std::vector<BodyId> boxes;
    for (int i = 0; i < 5; ++i)
    {
        boxes.push_back(builder.add_body({.position = {0.1, 0.3, 0.55 + 1.05 * i}}));
        builder.add_shape(boxes.back(), Box{.half_extents = {0.5, 0.5, 0.5}}, {.material = smooth, .density = 1000});
    }
    Simulation simulation = make_ipc(builder.build().value(), 0.01, {{"dhat", 1e-3}});
    simulation.run_for(10);
    for (const BodyId box : boxes)
    {
        const Vec3 place = simulation.state().position(box);
        EXPECT_LT(std::hypot(place.x - 0.1, place.y - 0.3), 1e-6);
    }
}

TEST(IpcContacts, a_cube_at_a_thousand_metres_a_second_stays_on_its_side_of_a_thin_wall)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    builder.add_shape(kWorld, Box{.half_extents = {0.001, 1, 1}}, {.position = {3, 0, 0}});
    const BodyId cube = builder.add_body({.linear_velocity = {1000, 0, 0}});
    builder.add_shape(cube, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    Simulation simulation = make_ipc(builder.build().value(), 0.01);
    for (int i = 0; i < 100; ++i)
    {
        simulation.step();
        ASSERT_LT(simulation.state().position(cube).x, 3 - 0.001 - 0.1);
    }
}

TEST(IpcContacts, friction_holds_a_box_below_the_angle_of_Coulomb_and_lets_it_slide_above)
{
    const auto slide = [](double friction)
    {
        ModelBuilder builder;
        const double angle = std::atan(0.5);
        builder.settings().gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
        const MaterialId material = builder.add_material({.friction = friction});
        builder.add_ground({.material = material});
        const BodyId box = builder.add_body({.position = {0, 0, 0.0506}});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
        Simulation simulation = make_ipc(builder.build().value(), 0.01, {{"static_speed", 1e-5}});
        simulation.run_for(1);
        return simulation.state().position(box).x;
    };
    // holds: it creeps no faster than the speed below which friction is less than Coulomb's, after it has settled
    EXPECT_LT(slide(0.51), 1e-3);
    // slides with g (sin - mu cos): half of it in the first second, to the first order of the step and its settling
    const double acceleration = kGravity * (0.5 - 0.4) * 2 / std::sqrt(5.0);
    EXPECT_NEAR(slide(0.4), 0.5 * acceleration, 0.05 * 0.5 * acceleration);
}

TEST(IpcContacts, friction_with_anchors_does_not_creep_and_without_creeps_by_its_law)
{
    // A load of 5/6 of Coulomb's bound. Smooth friction bears it at the speed x eps_v with 2 x - x^2 = 5/6, for ever.
    constexpr double kStaticSpeed = 1e-3;
    const auto creep = [&](bool anchor)
    {
        ModelBuilder builder;
        const double angle = std::atan(0.5);
        builder.settings().gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
        const MaterialId material = builder.add_material({.friction = 0.6});
        builder.add_ground({.material = material});
        const BodyId box = builder.add_body({.position = {0, 0, 0.0506}});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
        Simulation simulation =
            make_ipc(builder.build().value(), 0.01, {{"static_speed", kStaticSpeed}, {"anchor", anchor}});
        simulation.run_for(0.5);
        const double before = simulation.state().position(box).x;
        simulation.run_for(2);
        return simulation.state().position(box).x - before;
    };
    EXPECT_NEAR(creep(false), (1 - std::sqrt(1.0 / 6)) * kStaticSpeed * 2, 0.01 * kStaticSpeed * 2);
    // A thousandth of what sticks may slip in one step.
    EXPECT_LT(std::abs(creep(true)), 1e-3 * kStaticSpeed * 0.01);
}

TEST(IpcContacts, a_heap_of_round_and_square_bodies_converges)
{
    // Where Newton's method once took all its iterations: sliding points of tessellated shapes, at which friction turns
    // round. A step cut short by its certificate would say so too.
    ModelBuilder builder;
    const MaterialId rough = builder.add_material({.friction = 0.6});
    builder.add_ground({.material = rough});
    for (int i = 0; i < 6; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.03 * (i % 2), 0.02 * (i % 3), 0.06 + 0.11 * i},
                                              .rotation = from_axis_angle({0.6, 0, 0.8}, 0.4 * i)});
        if (i % 3 == 0) builder.add_shape(body, Box{.half_extents = {0.05, 0.04, 0.03}}, {.material = rough});
        if (i % 3 == 1) builder.add_shape(body, Sphere{.radius = 0.05}, {.material = rough});
        if (i % 3 == 2) builder.add_shape(body, Capsule{.radius = 0.03, .half_length = 0.03}, {.material = rough});
    }
    Simulation simulation = make_ipc(builder.build().value(), 0.002, {{"corners", 8}});
    int iterations = 0, failures = 0;
    for (int i = 0; i < 400; ++i)
    {
        const StepReport report = simulation.step();
        iterations += report.iterations;
        failures += report.status == StepStatus::ok ? 0 : 1;
    }
    // The chord of a step may dip below an edge that the iterates went round: at most a few, and said.
    EXPECT_LE(failures, 2);
    EXPECT_LT(iterations, 400 * 12);
}

TEST(IpcContacts, a_step_that_pivots_about_a_corner_is_whole)
{
    // A cube that spins at 6 rad/s lands on an edge and turns about it: the straight path of the centre would take the
    // edge into the ground in the middle of the step, by more than d̂. Contacts on the way keep it out.
    ModelBuilder builder;
    builder.add_shape(kWorld, Box{.half_extents = {5, 5, 0.5}}, {.position = {0, 0, -0.5}});
    const Vec3 half{0.5, 0.5, 0.5};
    const BodyId cube = builder.add_body({.position = {0, 0, 0.95}, .angular_velocity = {0, 6, 0.5}});
    builder.add_shape(cube, Box{.half_extents = half}, {.density = 1000});
    for (const char* integrator : {"euler", "bdf2", "newmark"})
    {
        Simulation simulation =
            make_ipc(builder.build().value(), 0.01, {{"dhat", 1e-4}, {"integrator", std::string(integrator)}});
        const double energy = simulation.energy().kinetic + simulation.energy().potential;
        for (int i = 0; i < 100; ++i)
        {
            const Pose before = simulation.state().pose(cube);
            EXPECT_EQ(simulation.step().status, StepStatus::ok) << integrator << ' ' << i;
            // the promise: above the ground along the straight path too
            const RigidPath path = make_path(before, simulation.state().pose(cube), {});
            for (int k = 0; k <= 20; ++k)
            {
                const Pose at_k{path.center + (k / 20.0) * path.motion,
                                exponential((k / 20.0) * path.turning) * path.rotation};
                ASSERT_GT(find_lowest_corner(at_k, half), 0) << integrator << ' ' << i << ' ' << k;
            }
        }
        // a pivot on the way costs what the impact takes, it gives nothing
        EXPECT_LT(simulation.energy().kinetic + simulation.energy().potential, 1.001 * energy) << integrator;
    }
}

TEST(IpcContacts, the_paper_s_Hessian_and_collision_test_lead_to_the_same_minimum)
{
    const auto run = [](const char* hessian, const char* ccd)
    {
        ModelBuilder builder;
        builder.add_ground();
        const BodyId low = builder.add_body({.position = {0, 0, 0.12}, .angular_velocity = {0.5, 0, 0}});
        builder.add_shape(low, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
        const BodyId high =
            builder.add_body({.position = {0.03, 0.02, 0.34}, .rotation = exponential(Vec3{0.1, 0, 0.4})});
        builder.add_shape(high, Box{.half_extents = {0.08, 0.08, 0.08}}, {.density = 1000});
        Simulation simulation =
            make_ipc(builder.build().value(), 0.005,
                     {{"hessian", std::string(hessian)}, {"ccd", std::string(ccd)}, {"tolerance", 1e-6}});
        for (int i = 0; i < 40; ++i)
            EXPECT_EQ(simulation.step().status, StepStatus::ok) << hessian << ' ' << ccd << ' ' << i;
        return simulation.state().pose(high);
    };
    const Pose ours = run("chords", "directions"), hessian = run("paper", "directions"), ccd = run("chords", "paper");
    // each step is minimised to 1e-6 m/s; impacts between the two multiply what is left
    EXPECT_LT(norm(ours.position - hessian.position), 1e-4);
    EXPECT_LT(norm(logarithm(ours.rotation * conjugate(hessian.rotation))), 1e-3);
    EXPECT_LT(norm(ours.position - ccd.position), 1e-4);
    EXPECT_LT(norm(logarithm(ours.rotation * conjugate(ccd.rotation))), 1e-3);
}

TEST(IpcContacts, a_step_allocates_nothing_once_warm)
{
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < 3; ++i)
    {
        const BodyId box = builder.add_body({.position = {0.01 * i, 0, 0.1005 + 0.201 * i}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    }
    const Model model = builder.build().value();
    for (const char* hessian : {"chords", "paper"})
    {
        for (const char* integrator : {"euler", "bdf2"})
        {
            Simulation simulation =
                make_ipc(model, 0.01, {{"hessian", std::string(hessian)}, {"integrator", std::string(integrator)}});
            for (int i = 0; i < 100; ++i) simulation.step();
            const long before = allocation_count();
            for (int i = 0; i < 20; ++i) simulation.step();
            EXPECT_EQ(allocation_count() - before, 0) << hessian << ' ' << integrator;
        }
    }
}

TEST(IpcContacts, threads_do_not_change_a_bit)
{
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < 12; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.03 * (i % 3), 0.02 * (i % 2), 0.08 + 0.145 * i},
                                              .rotation = from_axis_angle({0.6, 0, 0.8}, 0.4 * i)});
        builder.add_shape(body, Capsule{.radius = 0.03, .half_length = 0.04});
    }
    const Model model = builder.build().value();
    const auto run = [&](int threads)
    {
        Simulation simulation = make_ipc(model, 0.005, {{"threads", threads}, {"corners", 12}});
        for (int i = 0; i < 40; ++i) simulation.step();
        return simulation.state().body_pose;
    };
    const std::vector<Pose> one = run(1);
    EXPECT_EQ(one, run(2));
    EXPECT_EQ(one, run(3));
}

TEST(IpcContacts, lists_that_outlive_a_step_do_not_change_a_bit)
{
    // A heap that falls, spreads and comes to rest: pairs meet, part, slide along each other and stay. A ring falls on
    // it last, a box beside it falls asleep.
    ModelBuilder builder;
    builder.add_ground();
    const MeshId ring = builder.add_mesh(make_ring_mesh(0.05, 0.015, 8, 4));
    for (int i = 0; i < 9; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.03 * (i % 3), 0.02 * (i % 2), 0.08 + 0.13 * i},
                                              .rotation = from_axis_angle({0.6, 0, 0.8}, 0.4 * i)});
        if (i == 8)
            builder.add_shape(body, Mesh{.mesh = ring, .collide = MeshCollide::exact});
        else if (i % 2 == 0)
            builder.add_shape(body, Capsule{.radius = 0.03, .half_length = 0.03});
        else
            builder.add_shape(body, Box{.half_extents = {0.05, 0.04, 0.03}});
    }
    const BodyId sleeper = builder.add_body({.position = {1, 0, 0.035}});
    builder.add_shape(sleeper, Box{.half_extents = {0.05, 0.04, 0.03}});
    const Model model = builder.build().value();
    Simulation kept = make_ipc(model, 0.005, {{"corners", 8}, {"sleep", true}}),
               late = make_ipc(model, 0.005, {{"corners", 8}, {"sleep", true}}),
               anew = make_ipc(model, 0.005, {{"corners", 8}, {"sleep", true}, {"reuse", false}});
    std::int64_t least = 1 << 30, most = 0;
    for (int i = 0; i < 110; ++i)
    {
        const StepReport report = kept.step();
        least = std::min<std::int64_t>(least, report.contact_count);
        most = std::max<std::int64_t>(most, report.contact_count);
        EXPECT_EQ(report.iterations, anew.step().iterations) << i;
        ASSERT_EQ(kept.state().body_pose, anew.state().body_pose) << i;
        // Who begins in the middle, without any list, goes on with the same bits.
        if (i < 50) continue;
        if (i > 50) late.step();
        const bool is_begun = i > 50 || late.restore(kept.snapshot()).ok();
        ASSERT_TRUE(is_begun);
        ASSERT_EQ(kept.state().body_pose, late.state().body_pose) << i;
    }
    EXPECT_EQ(least, 0);
    EXPECT_GT(most, 10);
    EXPECT_EQ(norm(kept.state().velocity(sleeper).linear), 0);
}

TEST(IpcContacts, a_whole_turn_in_a_step_costs_no_more_than_none)
{
    // [RigidIPC] App. E: rotation vectors lose their way beyond pi; turns from iterate to iterate do not.
    const auto count = [](double turn)
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId cube = builder.add_body(
            {.position = {0, 0, 0.2}, .linear_velocity = {0, 0, -5}, .angular_velocity = {0, 0, turn}});
        builder.add_shape(cube, Box{.half_extents = {0.05, 0.05, 0.05}}, {.density = 1000});
        builder.add_ground();
        Simulation simulation = make_ipc(builder.build().value(), 0.01);
        int iterations = 0;
        for (int i = 0; i < 6; ++i)
        {
            const StepReport report = simulation.step();
            EXPECT_EQ(report.status, StepStatus::ok) << turn << ' ' << i;
            iterations += report.iterations;
        }
        EXPECT_GT(simulation.state().position(cube).z, 0.05);
        return iterations;
    };
    EXPECT_LE(count(2 * kPi / 0.01), count(0.0) + 6);
}

TEST(IpcContacts, a_turn_that_starts_a_whole_turn_on_takes_the_same_steps)
{
    // The case of [RigidIPC] App. E: from θ = (2π, 0, 0) on by (0, 1, 0), beside the same from 0. A pose is the same
    // rotation for both signs of its quaternion: nothing here depends on which.
    const auto count = [](const Quat& start)
    {
        ModelBuilder builder;
        const BodyId bar = builder.add_body({.position = {0, 0, 0.16},
                                             .rotation = start,
                                             .linear_velocity = {0, 0, -2},
                                             .angular_velocity = {0, 1 / 0.01, 0}});
        builder.add_shape(bar, Box{.half_extents = {0.1, 0.05, 0.05}}, {.density = 1000});
        builder.add_ground();
        Simulation simulation = make_ipc(builder.build().value(), 0.01);
        std::vector<int> iterations;
        int touching = 0;
        for (int i = 0; i < 20; ++i)
        {
            iterations.push_back(simulation.step().iterations);
            touching += simulation.contacts().count() > 0 ? 1 : 0;
        }
        EXPECT_GT(touching, 0);
        return iterations;
    };
    EXPECT_EQ(count({-1, 0, 0, 0}), count({1, 0, 0, 0}));
    EXPECT_EQ(count(exponential(Vec3{2 * kPi, 0, 0})), count({1, 0, 0, 0}));
}

TEST(IpcContacts, a_heavy_box_stands_on_one_a_thousand_times_lighter)
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId light = builder.add_body({.position = {0, 0, 0.1005}});
    builder.add_shape(light, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    const BodyId heavy = builder.add_body({.position = {0, 0, 1.2015}});
    builder.add_shape(heavy, Box{.half_extents = {1, 1, 1}}, {.density = 1000});
    Simulation simulation = make_ipc(builder.build().value(), 0.01);
    simulation.run_for(2);
    EXPECT_GT(simulation.state().position(light).z, 0.1);
    EXPECT_GT(simulation.state().position(heavy).z, 1.2);
    EXPECT_LT(simulation.state().position(heavy).z, 1.2 + 2e-3);
    EXPECT_LT(norm(simulation.state().velocity(heavy).linear), 1e-3);
}

TEST(IpcContacts, links_of_a_chain_stay_linked)
{
    ModelBuilder builder;
    const MeshId ring = builder.add_mesh(make_ring_mesh(0.1, 0.02, 16, 8));
    builder.add_shape(kWorld, Mesh{.mesh = ring, .collide = MeshCollide::exact}, {.position = {0, 0, 1}});
    std::vector<BodyId> links;
    for (int i = 1; i <= 3; ++i)
    {
        const Quat turned = i % 2 == 1 ? from_axis_angle({1, 0, 0}, 0.5 * kPi) : Quat{};
        links.push_back(builder.add_body({.position = {0.14 * i, 0, 1}, .rotation = turned}));
        builder.add_shape(links.back(), Mesh{.mesh = ring, .collide = MeshCollide::exact}, {.density = 1000});
    }
    Simulation simulation = make_ipc(builder.build().value(), 0.01, {{"dhat", 1e-3}});
    for (int i = 0; i < 100; ++i) ASSERT_NE(simulation.step().status, StepStatus::diverged);
    // Linked rings hang below each other: centres are never further apart than twice the hole's radius.
    Vec3 above{0, 0, 1};
    for (const BodyId link : links)
    {
        EXPECT_LT(norm(simulation.state().position(link) - above), 2 * 0.08);
        above = simulation.state().position(link);
    }
    EXPECT_LT(above.z, 0.75) << "the chain has swung down";
}

TEST(IpcContacts, bodies_that_start_in_each_other_are_refused_by_name)
{
    ModelBuilder builder;
    const BodyId box = builder.add_body({});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "crate"});
    builder.add_shape(kWorld, Box{.half_extents = {1, 0.01, 0.01}}, {.name = "rail"});
    const Result<Simulation> made = Simulation::make(builder.build().value(), {.solver = "ipc"});
    ASSERT_FALSE(made.ok());
    EXPECT_NE(to_text(made.errors()).find("'rail'"), std::string::npos) << to_text(made.errors());
    EXPECT_NE(to_text(made.errors()).find("'crate'"), std::string::npos) << to_text(made.errors());
}

}  // namespace rattleback
