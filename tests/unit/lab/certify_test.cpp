// Audits of recordings, and the exact judge of intersections behind them.
#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "lab/certify/audit.h"
#include "lab/certify/certificate.h"
#include "lab/certify/exact.h"
#include "math/random.h"
#include "math/rotation.h"

namespace rattleback::lab
{
namespace
{

__extension__ using Wide = __int128;

/// Coordinates that are whole numbers, so that the determinant is one too.
Vec3 draw_whole(Random& random, int bound)
{
    const auto draw = [&] { return static_cast<double>(random.integer(-bound, bound)); };
    const double x = draw(), y = draw(), z = draw();
    return {x, y, z};
}

int find_whole_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const auto part = [&](const Vec3& v, int i) { return static_cast<Wide>(v[i]) - static_cast<Wide>(d[i]); };
    const auto minor = [&](int i, int j) { return part(b, i) * part(c, j) - part(b, j) * part(c, i); };
    const Wide volume = part(a, 0) * minor(1, 2) + part(a, 1) * minor(2, 0) + part(a, 2) * minor(0, 1);
    return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

TEST(ExactJudge, agrees_with_whole_number_arithmetic_where_rounding_would_decide)
{
    Random random(1);
    int flat = 0;
    for (int i = 0; i < 20'000; ++i)
    {
        const Vec3 a = draw_whole(random, 1 << 24), b = draw_whole(random, 1 << 24), c = draw_whole(random, 1 << 24);
        // In the plane of the three, or a single unit off it.
        Vec3 d = a + static_cast<double>(random.integer(-8, 8)) * (b - a) +
                 static_cast<double>(random.integer(-8, 8)) * (c - a);
        if (random.chance(0.5)) d[random.integer(0, 2)] += random.integer(-1, 1);
        const int expected = find_whole_sign(a, b, c, d);
        flat += expected == 0 ? 1 : 0;
        ASSERT_EQ(exact_orientation(a, b, c, d), expected) << i;
        // The same at the scale of a thread's play: powers of two change no bit but the exponent.
        const double s = 0x1p-40;
        ASSERT_EQ(exact_orientation(s * a, s * b, s * c, s * d), expected) << i;
    }
    EXPECT_GT(flat, 5'000);
}

TEST(ExactJudge, tells_triangles_that_touch_from_those_that_just_miss)
{
    const ExactTriangle floor{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const auto above = [](double z) { return ExactTriangle{{{0.2, 0.2, z}, {0.3, 0.2, 1}, {0.2, 0.3, 1}}}; };
    EXPECT_TRUE(exact_intersect(floor, above(0)));
    EXPECT_TRUE(exact_intersect(floor, above(-0x1p-60)));
    EXPECT_FALSE(exact_intersect(floor, above(0x1p-60)));
    // In one plane: overlapping, sharing a corner, side by side, one inside the other.
    EXPECT_TRUE(exact_intersect(floor, {{{0.1, 0.1, 0}, {2, 0.1, 0}, {0.1, 2, 0}}}));
    EXPECT_TRUE(exact_intersect(floor, {{{1, 0, 0}, {2, 0, 0}, {2, 1, 0}}}));
    EXPECT_FALSE(exact_intersect(floor, {{{1.0 + 0x1p-52, 0, 0}, {2, 0, 0}, {2, 1, 0}}}));
    EXPECT_TRUE(exact_intersect(floor, {{{0.2, 0.2, 0}, {0.3, 0.2, 0}, {0.2, 0.3, 0}}}));
    // Edges that cross, and edges that pass by one unit in the last place.
    EXPECT_TRUE(exact_intersect(floor, {{{0.5, -1, -1}, {0.5, 1, 1}, {5, 5, 5}}}));
    EXPECT_FALSE(exact_intersect(floor, {{{0.5, -1, -1 + 0x1p-52}, {0.5, 1, 1 + 0x1p-52}, {0.5, -1, 5}}}));
}

/// A recording in which every body is where `place` says, frame by frame.
Recording make_recording(const ModelBuilder& builder, int frames, double dt, std::int64_t stride,
                         const std::function<Pose(int body, double time)>& place)
{
    const auto model = std::make_shared<const Model>(builder.build().value());
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) /
        (std::string("certify_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".rec");
    Recorder recorder = Recorder::open(path, model, {.solver = "by hand", .dt = dt}).value();
    State state(*model);
    const Control control(*model);
    for (int i = 0; i < frames; ++i)
    {
        const double time = i * dt;
        for (int body = 1; body < model->body_count(); ++body)
            state.body_pose[static_cast<std::size_t>(body)] = place(body, time);
        recorder.append({.time = time, .step = i * stride, .world = state.world(0), .control = control.world(0)})
            .require();
    }
    recorder.close().require();
    Recording recording = load_recording(path).value();
    std::filesystem::remove(path);
    return recording;
}

TEST(Certify, poses_that_are_no_numbers_are_refused_with_their_frame_and_body)
{
    ModelBuilder builder;
    for (int i = 0; i < 2; ++i)
        builder.add_shape(builder.add_body({.name = "ball " + std::to_string(i)}), Sphere{.radius = 0.5});
    for (const Pose& odd : {Pose{{NAN, 0, 0}, {}}, Pose{{0, INFINITY, 0}, {}}, Pose{{}, {NAN, 0, 0, 0}}})
        for (const bool states : {false, true})
        {
            // They would overlap from the third frame on.
            Recording recording = make_recording(builder, 5, 0.01, 1,
                                                 [&](int body, double time)
                                                 {
                                                     if (time < 0.015) return Pose{{2.0 * body, 0, 0}, {}};
                                                     return body == 2 ? odd : Pose{{2, 0, 0}, {}};
                                                 });
            const Result<AuditReport> report = audit(recording, {.states_only = states});
            ASSERT_FALSE(report.ok());
            const std::string text = to_text(report.errors());
            EXPECT_NE(text.find("frame 2"), std::string::npos) << text;
            EXPECT_NE(text.find("'ball 1'"), std::string::npos) << text;
        }
}

TEST(Certify, balls_that_touch_are_not_accused_and_balls_that_overlap_are_measured)
{
    ModelBuilder builder;
    for (int i = 0; i < 2; ++i) builder.add_shape(builder.add_body(), Sphere{.radius = 0.5});
    const auto at_distance = [](double distance)
    { return [=](int body, double time) { return Pose{{body == 2 ? distance : 0, time, 0}, {}}; }; };
    for (const bool states : {false, true})
    {
        Recording touching = make_recording(builder, 5, 0.01, 1, at_distance(1));
        EXPECT_TRUE(audit(touching, {.states_only = states})->findings.empty());
        Recording overlapping = make_recording(builder, 5, 0.01, 1, at_distance(1 - 5e-3));
        const Result<AuditReport> report = audit(overlapping, {.states_only = states});
        ASSERT_TRUE(report.ok());
        ASSERT_EQ(report->findings.size(), 1u);
        EXPECT_NEAR(report->findings[0].deepest, 5e-3, 1e-12);
        EXPECT_EQ(report->findings[0].first_time, 0);
        EXPECT_EQ(report->worst(), OverlapClass::visible);
    }
    // They come to a millionth of a metre, and that is proven.
    const auto approach = [](int body, double time)
    { return Pose{{body == 2 ? 1 + 1e-6 + 5 * (0.04 - time) : 0, time, 0}, {}}; };
    Recording apart = make_recording(builder, 5, 0.01, 1, approach);
    const Result<AuditReport> report = audit(apart);
    EXPECT_TRUE(report->clean()) << report->undecided;
    EXPECT_EQ(report->frames, 5);
}

TEST(Certify, distances_are_proven_from_below_and_near_the_truth)
{
    // Of each pair the truth is known: gaps of spheres, boxes face to face and edge to edge, and what rests on a plane.
    ModelBuilder builder;
    builder.add_ground();
    builder.add_shape(builder.add_body(), Sphere{.radius = 0.5});
    builder.add_shape(builder.add_body(), Box{.half_extents = {0.3, 0.2, 0.1}});
    const auto check = [&](Recording recording, double truth, double share)
    {
        const Result<AuditReport> report = audit(recording, {.distances = true});
        ASSERT_TRUE(report.ok());
        ASSERT_TRUE(report->clean());
        ASSERT_NE(report->least_distance(), nullptr);
        EXPECT_LE(report->least_distance()->distance, truth * (1 + 1e-12));
        EXPECT_GE(report->least_distance()->distance, share * truth);
        EXPECT_EQ(static_cast<std::int64_t>(report->distances.size()), 3 * (report->frames - 1));
    };
    for (const double gap : {1e-2, 1e-4, 1e-6, 1e-8})
    {
        // The ball rests above the ground; the box turns above it, about the axis that keeps its top where it is.
        const auto rest = [=](int body, double time)
        {
            if (body == 1) return Pose{{0, 0, 0.5 + 2e-2}, {}};
            return Pose{{0.1, 0.05, 1 + 2e-2 + gap + 0.1}, from_axis_angle({0, 0, 1}, 20 * time)};
        };
        check(make_recording(builder, 4, 0.01, 1, rest), gap, 0.74);
        // Both fly together, the ball ahead, and close in on each other: nearest at the last frame.
        const auto fly = [=](int body, double time)
        { return Pose{{body == 1 ? 0.8 + gap + (0.02 - time) : 0, 3 * time, 5}, {}}; };
        check(make_recording(builder, 3, 0.01, 1, fly), gap, 0.74);
        // The ball slides along a side of the box.
        const auto pass = [=](int body, double time)
        { return Pose{{body == 1 ? 0.8 + gap : 0, body == 1 ? 0.15 - 30 * time : 0, 5}, {}}; };
        check(make_recording(builder, 2, 0.01, 1, pass), gap, 0.74);
    }
    // Half way between two frames nearer than in them: the box's corner sweeps past the ball.
    const double corner = std::hypot(0.3, 0.2), least = 1e-3;
    const auto sweep = [=](int body, double time)
    {
        if (body == 1) return Pose{{0.5 + corner + least, 0, 5}, {}};
        return Pose{{0, 0, 5}, from_axis_angle({0, 0, 1}, -std::atan2(0.2, 0.3) + 0.4 * (time / 0.01 - 0.5))};
    };
    check(make_recording(builder, 2, 0.01, 1, sweep), least, 0.3);
}

TEST(Certify, a_certificate_holds_the_distance_of_every_pair_and_step)
{
    ModelBuilder builder;
    builder.add_ground();
    builder.add_shape(builder.add_body(), Sphere{.radius = 0.5});
    const auto sink = [](int, double time) { return Pose{{0, 0, 0.6 - time}, {}}; };
    Recording recording = make_recording(builder, 4, 0.01, 1, sink);
    const AuditOptions options{.distances = true};
    const Result<AuditReport> report = audit(recording, options);
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "certificate_with_bounds.json";
    write_certificate(recording, options, *report, path).require();
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    ASSERT_EQ(report->distances.size(), 3u);
    std::size_t from = 0;
    for (int step = 0; step < 3; ++step)
    {
        const ProvenDistance& bound = report->distances[static_cast<std::size_t>(step)];
        EXPECT_EQ(bound.step, step);
        EXPECT_NEAR(bound.distance, 0.75 * (0.1 - 0.01 * (step + 1)), 1e-9);  // three quarters of that at its end
        from = text.find("\"bounds\":[[0,1,0.0", from);
        ASSERT_NE(from, std::string::npos);
        EXPECT_EQ(std::strtod(text.c_str() + from + 15, nullptr), bound.distance);
        ++from;
    }
    EXPECT_NE(text.find("\"bounds\":[]", from), std::string::npos);  // the last state leads nowhere
}

TEST(Certify, what_passes_a_wall_between_two_frames_is_found_on_the_way)
{
    ModelBuilder builder;
    builder.add_shape(kWorld, Box{.half_extents = {0.01, 5, 5}});
    builder.add_shape(builder.add_body(), Box{.half_extents = {0.1, 0.1, 0.1}});
    const auto fly = [](int, double time) { return Pose{{-1 + 200 * time, 0, 0}, {}}; };  // 2 m a frame
    Recording recording = make_recording(builder, 2, 0.01, 1, fly);
    EXPECT_TRUE(audit(recording, {.states_only = true})->clean());
    const Result<AuditReport> report = audit(recording);
    ASSERT_EQ(report->findings.size(), 1u);
    EXPECT_EQ(report->worst(), OverlapClass::tunnelled);
    EXPECT_NEAR(report->findings[0].first_time, 0.89 / 200, 1e-7);  // until the faces meet
}

TEST(Certify, a_turn_between_two_frames_is_followed_along_its_arc)
{
    ModelBuilder builder;
    // A bar of length 2 that turns by a right angle, and a peg that it sweeps past, or that is just out of reach.
    const BodyId bar = builder.add_body();
    builder.add_shape(bar, Box{.half_extents = {1, 0.05, 0.05}});
    const auto swing = [](int, double time) { return Pose{{}, from_axis_angle({0, 0, 1}, kPi / 2 * time / 0.01)}; };
    const double corner = std::hypot(1.0, 0.05);
    for (const bool reached : {true, false})
    {
        ModelBuilder with_peg = ModelBuilder::from(builder.build().value());
        const double radius = 0.1, away = corner + radius + (reached ? -0.02 : 1e-4);
        with_peg.add_shape(kWorld, Sphere{.radius = radius}, {.position = std::sqrt(0.5) * away * Vec3{1, 1, 0}});
        Recording recording = make_recording(with_peg, 2, 0.01, 1, swing);
        EXPECT_TRUE(audit(recording, {.states_only = true})->clean());
        const Result<AuditReport> report = audit(recording);
        EXPECT_EQ(report->findings.size(), reached ? 1u : 0u);
        EXPECT_EQ(report->undecided, 0);
    }
}

TEST(Certify, a_box_that_sinks_into_a_sheet_is_as_deep_as_it_sank)
{
    ModelBuilder builder;
    const MeshId sheet = builder.add_mesh({.name = "sheet",
                                           .vertices = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}},
                                           .triangles = {{0, 1, 2}, {0, 2, 3}}});
    builder.add_shape(kWorld, Surface{sheet});
    builder.add_shape(builder.add_body(), Box{.half_extents = {0.5, 0.5, 0.5}});
    const auto sunk = [](int, double) { return Pose{{0.1, 0.2, 0.5 - 3e-3}, {}}; };
    Recording recording = make_recording(builder, 2, 0.01, 1, sunk);
    const Result<AuditReport> report = audit(recording);
    ASSERT_EQ(report->findings.size(), 1u);
    EXPECT_NEAR(report->findings[0].deepest, 3e-3, 1e-12);
}

TEST(Certify, boxes_of_one_size_face_on_face_are_as_deep_as_one_sank_into_the_other)
{
    // All corners of both lie on sides of the other; the middles of the faces do not.
    ModelBuilder builder;
    builder.add_shape(kWorld, Box{.half_extents = {0.5, 0.5, 0.5}});
    builder.add_shape(builder.add_body(), Box{.half_extents = {0.5, 0.5, 0.5}});
    const auto sunk = [](int, double) { return Pose{{0, 0, 1 - 2.5e-3}, {}}; };
    Recording recording = make_recording(builder, 2, 0.01, 1, sunk);
    const Result<AuditReport> report = audit(recording);
    ASSERT_EQ(report->findings.size(), 1u);
    EXPECT_NEAR(report->findings[0].deepest, 2.5e-3, 1e-12);
    EXPECT_EQ(report->worst(), OverlapClass::visible);
}

TEST(Certify, a_solid_inside_another_is_found_though_no_surfaces_cross)
{
    ModelBuilder builder;
    builder.add_shape(kWorld, Box{.half_extents = {1, 1, 1}});
    builder.add_shape(builder.add_body(), Box{.half_extents = {0.1, 0.1, 0.1}});
    Recording recording = make_recording(builder, 2, 0.01, 1, [](int, double) { return Pose{}; });
    const Result<AuditReport> report = audit(recording);
    ASSERT_EQ(report->findings.size(), 1u);
    EXPECT_EQ(report->worst(), OverlapClass::tunnelled);
}

TEST(Certify, planes_joints_and_strides_are_respected)
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId ball = builder.add_body();
    builder.add_shape(ball, Sphere{.radius = 0.1});
    const auto rest = [](int, double) { return Pose{{0, 0, 0.1}, {}}; };
    Recording resting = make_recording(builder, 3, 0.01, 1, rest);
    EXPECT_TRUE(audit(resting)->findings.empty());
    Recording sunk = make_recording(builder, 3, 0.01, 1, [](int, double) { return Pose{{0, 0, 0.1 - 1e-6}, {}}; });
    EXPECT_EQ(audit(sunk)->worst(), OverlapClass::slight);
    Recording sparse = make_recording(builder, 3, 0.01, 10, rest);
    EXPECT_FALSE(audit(sparse).ok());
    EXPECT_TRUE(audit(sparse, {.states_only = true}).ok());

    // A body and its child by a hinge overlap by design.
    ModelBuilder linked;
    const BodyId upper = linked.add_body();
    linked.add_shape(upper, Sphere{.radius = 0.1});
    const BodyId lower = linked.add_body({.parent = upper, .position = {0.05, 0, 0}});
    linked.add_joint(lower, {});
    linked.add_shape(lower, Sphere{.radius = 0.1});
    Recording jointed =
        make_recording(linked, 2, 0.01, 1, [](int body, double) { return Pose{{0.05 * body, 0, 0}, {}}; });
    EXPECT_TRUE(audit(jointed)->clean());
}

TEST(Certify, the_report_is_the_same_for_any_number_of_threads)
{
    // Eight boxes that wander through each other, each on a circle of its own.
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < 8; ++i) builder.add_shape(builder.add_body(), Box{.half_extents = {0.3, 0.2, 0.1}});
    const auto wander = [](int body, double time)
    {
        const double turn = (1 + 0.3 * body) * 40 * time + body;
        return Pose{{std::cos(turn), std::sin(turn), 0.35 + 0.05 * std::sin(2 * turn)},
                    from_axis_angle(Vec3{0.6, 0, 0.8}, 3 * turn)};
    };
    for (const bool states : {false, true})
    {
        Recording recording = make_recording(builder, 6, 0.01, 1, wander);
        const Result<AuditReport> one = audit(recording, {.states_only = states, .threads = 1});
        ASSERT_TRUE(one.ok());
        EXPECT_GT(one->findings.size(), 3u);
        for (const int threads : {0, 3})
        {
            const Result<AuditReport> many = audit(recording, {.states_only = states, .threads = threads});
            ASSERT_TRUE(many.ok());
            EXPECT_EQ(many->pairs, one->pairs);
            EXPECT_EQ(many->queries, one->queries);
            EXPECT_EQ(many->undecided, one->undecided);
            ASSERT_EQ(many->findings.size(), one->findings.size());
            for (std::size_t i = 0; i < one->findings.size(); ++i)
            {
                EXPECT_EQ(many->findings[i].first_shape, one->findings[i].first_shape);
                EXPECT_EQ(many->findings[i].second_shape, one->findings[i].second_shape);
                EXPECT_EQ(many->findings[i].first_time, one->findings[i].first_time);
                EXPECT_EQ(many->findings[i].deepest, one->findings[i].deepest);
                EXPECT_EQ(many->findings[i].deepest_time, one->findings[i].deepest_time);
            }
        }
    }
}

}  // namespace
}  // namespace rattleback::lab
