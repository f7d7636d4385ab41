// Hash and comparison of recordings: equal runs are equal, and the first difference is named.
#include "made_frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace rattleback
{

namespace
{

constexpr int kFrames = 20;

/// Records frames 0 .. 19, some of them changed.
Recording record_changed(const std::shared_ptr<const Model>& model, const std::set<int>& changed,
                         const std::function<void(MadeFrame&)>& change,
                         const RecorderOptions& options = {.contacts = true})
{
    const std::filesystem::path path = temporary_path("compare.rec");
    Recorder recorder = Recorder::open(path, model, options).value();
    for (int i = 0; i < kFrames; ++i)
    {
        MadeFrame frame(*model, i);
        if (changed.contains(i)) change(frame);
        EXPECT_TRUE(recorder.append(frame.input()).ok());
    }
    EXPECT_TRUE(recorder.close().ok());
    std::vector<std::byte> bytes = read_bytes(path);
    std::filesystem::remove(path);
    return to_recording(std::move(bytes)).value();
}

Recording record(const std::shared_ptr<const Model>& model, const RecorderOptions& options = {.contacts = true})
{
    return record_changed(model, {}, nullptr, options);
}

}  // namespace

TEST(Compare, equal_runs_are_the_same_and_have_one_hash)
{
    const auto model = make_gallery();
    Recording a = record(model), b = record(model, {.contacts = true, .frames_per_chunk = 3});
    const RecordingDifference difference = compare(a, b).value();
    EXPECT_TRUE(difference.same);
    EXPECT_EQ(difference.frames_compared, kFrames);
    EXPECT_EQ(difference.first.frame, -1);
    EXPECT_EQ(hash(a).value(), hash(b).value());
}

TEST(Compare, names_the_first_frame_and_body_that_differ_and_the_largest_difference)
{
    const auto model = make_gallery();
    const int body = model->find_body("rod")->index;
    Recording a = record(model);
    Recording b = record_changed(model, {13, 17},
                                 [&](MadeFrame& frame)
                                 {
                                     frame.state.body_pose[static_cast<std::size_t>(body)].position.y += 0.5;
                                     if (frame.state.step[0] == 3 * 17) frame.state.body_pose[2].position.z -= 2;
                                 });
    const RecordingDifference difference = compare(a, b).value();
    EXPECT_FALSE(difference.same);
    EXPECT_EQ(difference.first.frame, 13);
    EXPECT_EQ(difference.first.quantity, "body_pose");
    EXPECT_EQ(difference.first.body, "rod");
    EXPECT_EQ(difference.first.index, body);
    EXPECT_NEAR(difference.first.difference, 0.5, 1e-12);
    EXPECT_EQ(difference.largest.frame, 17);
    EXPECT_EQ(difference.largest.quantity, "body_pose");
    EXPECT_EQ(difference.largest.body, "body 1");
    EXPECT_NEAR(difference.largest.difference, 2, 1e-12);
    EXPECT_NE(hash(a).value(), hash(b).value());
}

TEST(Compare, one_bit_is_a_difference_unless_a_tolerance_allows_it)
{
    const auto model = make_single_box();
    Recording a = record(model);
    Recording b = record_changed(model, {7}, [](MadeFrame& f) { f.state.q[3] = std::nextafter(f.state.q[3], 9); });
    const RecordingDifference exact = compare(a, b).value();
    EXPECT_FALSE(exact.same);
    EXPECT_EQ(exact.first.frame, 7);
    EXPECT_EQ(exact.first.quantity, "q");
    EXPECT_EQ(exact.first.index, 3);
    EXPECT_TRUE(compare(a, b, 1e-9).value().same);
    EXPECT_NE(hash(a).value(), hash(b).value());
}

TEST(Compare, every_recorded_quantity_counts)
{
    const auto model = make_gallery();
    Recording plain = record(model);
    const std::uint64_t plain_hash = hash(plain).value();
    // Frame 11 has forces and three contacts.
    const std::vector<std::pair<std::string, std::function<void(MadeFrame&)>>> changes{
        {"time", [](MadeFrame& f) { f.state.time[0] += 1; }},
        {"step", [](MadeFrame& f) { f.state.step[0] += 1; }},
        {"q", [](MadeFrame& f) { f.state.q.back() += 1; }},
        {"v", [](MadeFrame& f) { f.state.v.back() += 1; }},
        {"act", [](MadeFrame& f) { f.state.act.back() += 1; }},
        {"body_pose", [](MadeFrame& f) { f.state.body_pose.back().rotation.z += 1; }},
        {"body_velocity", [](MadeFrame& f) { f.state.body_velocity[3].angular.z += 1; }},
        {"input", [](MadeFrame& f) { f.control.input.back() += 1; }},
        {"target", [](MadeFrame& f) { f.control.target.back().position.x += 1; }},
        {"joint_force", [](MadeFrame& f) { f.control.joint_force.back() += 1; }},
        {"body_wrench", [](MadeFrame& f) { f.control.body_wrench.back().torque.z += 1; }},
        {"status", [](MadeFrame& f) { f.report.status = StepStatus::capacity; }},
        {"iterations", [](MadeFrame& f) { f.report.iterations += 1; }},
        {"residual", [](MadeFrame& f) { f.report.residual += 1; }},
        {"contact_count", [](MadeFrame& f) { f.report.contact_count += 1; }},
        {"deepest_penetration", [](MadeFrame& f) { f.report.deepest_penetration += 1; }},
        {"culprit_dof", [](MadeFrame& f) { f.report.culprit_dof += 1; }},
        {"culprit_shapes", [](MadeFrame& f) { f.report.culprit_shapes.first = ShapeId{0}; }},
        {"needed_capacity", [](MadeFrame& f) { f.report.needed_capacity += 1; }},
        {"recorded_contacts", [](MadeFrame& f) { f.contacts.items.pop_back(); }},
        {"contact_pair", [](MadeFrame& f) { f.contacts.items[2].feature += 1; }},
        {"contact_point", [](MadeFrame& f) { f.contacts.items[2].point.z += 1; }},
        {"contact_frame", [](MadeFrame& f) { f.contacts.items[2].frame(2, 2) += 1; }},
        {"contact_distance", [](MadeFrame& f) { f.contacts.items[2].distance += 1; }},
        {"contact_friction", [](MadeFrame& f) { f.contacts.items[2].friction.x += 1; }},
        {"contact_restitution", [](MadeFrame& f) { f.contacts.items[2].restitution += 1; }},
        {"contact_force", [](MadeFrame& f) { f.forces.items[2].torque.z += 1; }},
        {"sensors", [](MadeFrame& f) { f.sensors.back() += 1; }},
    };
    for (const auto& [quantity, change] : changes)
    {
        Recording other = record_changed(model, {11}, change);
        const RecordingDifference difference = compare(plain, other).value();
        EXPECT_FALSE(difference.same) << quantity;
        EXPECT_EQ(difference.first.frame, 11) << quantity;
        EXPECT_EQ(difference.first.quantity, quantity);
        EXPECT_NE(hash(other).value(), plain_hash) << quantity;
    }
}

TEST(Compare, timings_do_not_count)
{
    const auto model = make_single_box();
    Recording a = record(model);
    Recording b = record_changed(model, {5}, [](MadeFrame& f) { f.report.seconds[2] += 1; });
    EXPECT_TRUE(compare(a, b).value().same);
    EXPECT_EQ(hash(a).value(), hash(b).value());
}

TEST(Compare, a_shorter_run_differs_even_if_its_frames_agree)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("short.rec");
    write_recording(path, model, 12, {.contacts = true});
    Recording a = record(model), b = load_recording(path).value();
    std::filesystem::remove(path);
    const RecordingDifference difference = compare(a, b).value();
    EXPECT_FALSE(difference.same);
    EXPECT_EQ(difference.frames_compared, 12);
    EXPECT_EQ(difference.first.frame, -1) << "no frame differs";
    ASSERT_EQ(difference.remarks.size(), 1);
    EXPECT_EQ(difference.remarks[0], "20 and 12 frames");
}

TEST(Compare, models_with_other_bodies_cannot_be_compared)
{
    Recording a = record(make_single_box()), b = record(make_gallery());
    const RecordingDifference difference = compare(a, b).value();
    EXPECT_FALSE(difference.same);
    EXPECT_FALSE(difference.comparable);
    EXPECT_NE(difference.remarks.at(0).find("one box"), std::string::npos);
}

TEST(Compare, another_solver_is_a_remark_not_a_difference)
{
    const auto model = make_single_box();
    Recording a = record(model, {.solver = "one", .contacts = true}),
              b = record(model, {.solver = "two", .contacts = true});
    const RecordingDifference difference = compare(a, b).value();
    EXPECT_TRUE(difference.same);
    EXPECT_EQ(difference.remarks.at(0), "solvers 'one' and 'two'");
}

namespace
{

/// A box that flies along a line and turns about z at a constant rate, recorded every `dt` seconds for `count` frames.
Recording record_flight(double dt, int count, double offset = 0)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("flight.rec");
    Recorder recorder = Recorder::open(path, model, {.dt = dt}).value();
    for (int i = 0; i < count; ++i)
    {
        MadeFrame frame(*model, 0, false);
        const double t = dt * i;
        frame.state.time[0] = t;
        const Quat turn = from_axis_angle({0, 0, 1}, 0.3 * t);
        const Vec3 place{1 + 2 * t, -t + (t > 0.5 ? offset : 0), 3};
        frame.state.q = {place.x, place.y, place.z, turn.w, turn.x, turn.y, turn.z};
        frame.state.v = {2, -1, 0, 0, 0, 0.3};
        frame.state.body_pose[1] = {place, turn};
        frame.state.body_velocity[1] = {{2, -1, 0}, {0, 0, 0.3}};
        EXPECT_TRUE(recorder.append(frame.input()).ok());
    }
    EXPECT_TRUE(recorder.close().ok());
    std::vector<std::byte> bytes = read_bytes(path);
    std::filesystem::remove(path);
    return to_recording(std::move(bytes)).value();
}

}  // namespace

TEST(CompareByTime, runs_of_other_timesteps_agree_where_their_motion_does)
{
    Recording coarse = record_flight(0.1, 11), fine = record_flight(0.03, 40);
    EXPECT_FALSE(compare(coarse, fine, 1e-9).value().same) << "frame by frame they are of other times";
    // Lines are exact; halves of a turn of 0.03 rad by normalised interpolation: below 0.03^3 / 100.
    const RecordingDifference difference = compare_by_time(coarse, fine, 1e-6).value();
    EXPECT_TRUE(difference.same) << difference.first.quantity << " " << difference.first.difference;
    EXPECT_EQ(difference.frames_compared, 11);
    EXPECT_TRUE(compare_by_time(fine, coarse, 1e-5).value().same);  // 34 frames between others 0.1 s apart
}

TEST(CompareByTime, frames_of_the_same_time_are_compared_bit_for_bit)
{
    Recording every = record_flight(0.125, 9), second = record_flight(0.25, 5);  // times are exact
    const RecordingDifference difference = compare_by_time(second, every).value();
    EXPECT_TRUE(difference.same) << difference.first.quantity << " " << difference.first.difference;
    EXPECT_EQ(difference.frames_compared, 5);
}

TEST(CompareByTime, names_the_first_common_time_at_which_they_part)
{
    Recording plain = record_flight(0.1, 11), moved = record_flight(0.03, 40, 0.25);
    const RecordingDifference difference = compare_by_time(plain, moved, 1e-4).value();
    EXPECT_FALSE(difference.same);
    EXPECT_EQ(difference.first.frame, 5);  // 0.5 s, two thirds of the way from 0.48 to 0.51 s
    EXPECT_NEAR(difference.first.difference, 0.25 * 2 / 3, 1e-6);
    EXPECT_NEAR(difference.largest.difference, 0.25, 1e-6);
}

TEST(CompareByTime, only_common_times_count_and_without_any_they_differ)
{
    Recording longer = record_flight(0.1, 21), shorter = record_flight(0.1, 6);
    const RecordingDifference difference = compare_by_time(longer, shorter, 1e-9).value();
    EXPECT_TRUE(difference.same);
    EXPECT_EQ(difference.frames_compared, 6);
    ASSERT_FALSE(difference.remarks.empty());
    EXPECT_NE(difference.remarks.back().find("common times"), std::string::npos);
    Recording none = record_flight(0.1, 0);
    EXPECT_FALSE(compare_by_time(longer, none).value().same);
}

}  // namespace rattleback
