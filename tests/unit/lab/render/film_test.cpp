// Tests of cameras, moments between frames, and files: complete or not there.
#include "lab/render/film.h"

#include "lab/scenes/parts.h"
#include "made_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace rattleback::lab
{

namespace
{

namespace fs = std::filesystem;

std::vector<std::string> list(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::string read(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

FilmOptions small()
{
    FilmOptions options;
    options.camera.width = 64;
    options.camera.height = 48;
    options.draft = true;
    options.threads = 1;
    return options;
}

/// The text of the errors; "" when it worked.
std::string film_errors(const fs::path& recording, const fs::path& output, const FilmOptions& options)
{
    Recording opened = load_recording(recording).value();
    return to_text(film(opened, output, options).errors());
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Framing, holds_all_points_and_touches_the_margin)
{
    Random random(2);
    for (int round = 0; round < 50; ++round)
    {
        const FramingOptions options{.yaw = random.uniform(-180, 180), .pitch = random.uniform(-80, 80)};
        Framing framing(options, round % 2 == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0});
        std::vector<Vec3> points;
        const Vec3 offset{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
        for (int i = 0; i < 20; ++i)
        {
            points.push_back(offset + Vec3{random.uniform(-1, 1), random.uniform(-3, 3), random.uniform(-1, 1)});
            framing.add(points.back());
        }
        const Camera camera = framing.make_camera();
        double reach = 0;
        for (const Vec3& point : points)
        {
            const Vec3 view = camera.to_view(point);
            EXPECT_GT(view.z, camera.near);
            reach = std::max({reach, std::abs(2 * camera.to_x(view) / camera.width - 1),
                              std::abs(2 * camera.to_y(view) / camera.height - 1)});
        }
        EXPECT_NEAR(reach, 0.9, 1e-9);
        EXPECT_NEAR(norm(camera.forward), 1, 1e-14);
        EXPECT_NEAR(dot(camera.right, camera.up), 0, 1e-14);
        EXPECT_NEAR(norm(cross(camera.right, camera.forward) - camera.up), 0, 1e-14);
    }
}

TEST(Framing, stands_where_it_is_told)
{
    const Framing framing({.yaw = 90, .pitch = 30, .distance = 4.0, .target = Vec3{1, 2, 3}}, {0, 0, 1});
    const Camera camera = framing.make_camera();
    EXPECT_NEAR(norm(camera.eye - Vec3{1, 2 + 4 * std::sqrt(0.75), 5}), 0, 1e-12);
    EXPECT_NEAR(camera.to_x(camera.to_view({1, 2, 3})), 640, 1e-9);
    EXPECT_NEAR(camera.to_y(camera.to_view({1, 2, 3})), 360, 1e-9);
    EXPECT_EQ(find_up({0, 0.5, -9}), (Vec3{0, 0, 1}));
    EXPECT_EQ(find_up({0, -9, 1}), (Vec3{0, 1, 0}));
    EXPECT_EQ(find_up({}), (Vec3{0, 0, 1}));
}

TEST(Survey, the_camera_sees_the_whole_way_but_not_what_fell_through_the_floor)
{
    const fs::path folder = make_folder("way");
    Recording recording = load_recording(record_ball(folder, 31)).value();
    const Survey whole = survey(recording, {}).value();
    EXPECT_NEAR(whole.framing.middle().x, 1.5, 1e-12);
    EXPECT_NEAR(whole.framing.radius(), std::sqrt(1.7 * 1.7 + 2 * 0.04), 1e-12);

    Recording falling = load_recording(record_ball(folder, 31, [](int frame, State& state)
                                                   { state.body_pose[1].position = {0, 0, 0.2 - 0.1 * frame}; }))
                            .value();
    const Survey seen = survey(falling, {}).value();
    EXPECT_GT(seen.framing.middle().z - seen.framing.radius(), -0.8);
    fs::remove_all(folder);
}

TEST(Survey, a_followed_body_stays_at_its_place_in_the_picture)
{
    const fs::path folder = make_folder("follow");
    Recording recording = load_recording(record_ball(folder, 31)).value();
    const Survey found = survey(recording, {.follow = "ball"}).value();
    for (const double time : {0.0, 1.23, 3.0})
    {
        const Moment moment = read_moment(recording, found, time, false).value();
        const Camera camera = found.make_camera(moment);
        const Vec3 view = camera.to_view(moment.pose[1].position);
        EXPECT_NEAR(camera.to_x(view), 640, 1e-6);
        EXPECT_NEAR(camera.to_y(view), 360, 1e-6);
    }
    EXPECT_TRUE(contains(to_text(survey(recording, {.follow = "bal"}).errors()), "no body 'bal'"));
    fs::remove_all(folder);
}

TEST(Moment, is_exact_at_frames_and_on_the_way_between_them)
{
    const fs::path folder = make_folder("moment");
    Recording recording = load_recording(record_ball(folder, 11)).value();
    const Survey found = survey(recording, {}).value();
    for (std::int64_t i = 0; i < 11; ++i)
    {
        const Pose expected = recording.frame(i).value().body_pose[1];
        const Moment moment = read_moment(recording, found, found.time[static_cast<std::size_t>(i)], false).value();
        EXPECT_EQ(moment.pose[1].position, expected.position);
        EXPECT_NEAR(moment.pose[1].rotation.z, expected.rotation.z, 1e-15);
    }
    const Moment between = read_moment(recording, found, 0.25, false).value();
    EXPECT_NEAR(between.pose[1].position.x, 0.25, 1e-12);
    EXPECT_NEAR(between.pose[1].rotation.z, std::sin(0.125), 1e-7);
    fs::remove_all(folder);
}

TEST(Film, writes_pictures_and_folders_of_them)
{
    const fs::path folder = make_folder("files");
    const fs::path ball = record_ball(folder, 11);
    EXPECT_EQ(film_errors(ball, folder / "a.png", small()), "");
    EXPECT_EQ(film_errors(ball, folder / "a.svg", small()), "");
    FilmOptions slow = small();
    slow.fps = 4;
    EXPECT_EQ(film_errors(ball, folder / "frames/", slow), "");
    EXPECT_EQ(list(folder), (std::vector<std::string>{"a.png", "a.svg", "ball.rec", "frames"}));
    EXPECT_EQ(list(folder / "frames").size(), 5U) << "at 0, 0.25 ... 1 s";
    EXPECT_EQ(read(folder / "frames" / "frame_00004.png"), read(folder / "a.png")) << "the last frame is the default";
    EXPECT_NE(read(folder / "frames" / "frame_00000.png"), read(folder / "a.png"));
    EXPECT_TRUE(contains(film_errors(ball, folder / "frames/", slow), "not empty"));
    fs::remove_all(folder);
}

TEST(Film, a_thread_at_each_picture_gives_the_same_bytes_as_one_for_all)
{
    const fs::path folder = make_folder("threads");
    const fs::path ball = record_ball(folder, 11);
    for (const int threads : {1, 3})
    {
        FilmOptions options = small();
        options.draft = false;
        options.fps = 7;
        options.threads = threads;
        EXPECT_EQ(film_errors(ball, folder / std::to_string(threads) / "", options), "");
    }
    const std::vector<std::string> names = list(folder / "1");
    EXPECT_EQ(names.size(), 8U);
    EXPECT_EQ(names, list(folder / "3"));
    for (const std::string& name : names) EXPECT_EQ(read(folder / "1" / name), read(folder / "3" / name)) << name;
    fs::remove_all(folder);
}

TEST(Film, explains_what_it_cannot_do_and_leaves_nothing_behind)
{
    const fs::path folder = make_folder("mistakes");
    const fs::path ball = record_ball(folder, 11);
    const auto expect =
        [&](const std::string& text, const fs::path& output, const std::function<void(FilmOptions&)>& change)
    {
        FilmOptions options = small();
        change(options);
        EXPECT_TRUE(contains(film_errors(ball, output, options), text)) << film_errors(ball, output, options);
    };
    const auto nothing = [](FilmOptions&) {};
    expect("no pictures as '.gif'", folder / "a.gif", nothing);
    expect("which kind", folder / "a", nothing);
    expect("cannot be created", folder / "no" / "a.png", nothing);
    expect("cannot be created", folder / "no" / "frames" / "", nothing);
    expect("--size", folder / "a.png", [](FilmOptions& o) { o.camera.width = 0; });
    expect("--size", folder / "a.png", [](FilmOptions& o) { o.camera.height = 1 << 20; });
    expect("--size", folder / "a.png", [](FilmOptions& o) { o.camera.width = o.camera.height = 8000; });
    expect("even", folder / "a.mp4", [](FilmOptions& o) { o.camera.width = 65; });
    expect("from 0 to 1 s", folder / "a.png", [](FilmOptions& o) { o.time = 1.5; });
    expect("--time", folder / "a.png", [](FilmOptions& o) { o.time = std::numeric_limits<double>::quiet_NaN(); });
    expect("--time", folder / "frames/", [](FilmOptions& o) { o.time = 0.5; });
    expect("--fps", folder / "frames/", [](FilmOptions& o) { o.fps = 0; });
    expect("--camera", folder / "a.png", [](FilmOptions& o) { o.camera.pitch = 90; });
    expect("--camera", folder / "a.png", [](FilmOptions& o) { o.camera.distance = -1; });
    expect("--follow", folder / "a.png", [](FilmOptions& o) { o.follow = "nobody"; });
    EXPECT_EQ(list(folder), std::vector<std::string>{"ball.rec"});
    fs::remove_all(folder);
}

TEST(Film, a_frame_that_is_not_finite_is_named_and_the_others_can_be_drawn)
{
    const fs::path folder = make_folder("nan");
    const fs::path ball = record_ball(folder, 11,
                                      [](int frame, State& state)
                                      {
                                          if (frame == 7)
                                              state.body_pose[1].position.y = std::numeric_limits<double>::quiet_NaN();
                                      });
    FilmOptions options = small();
    options.time = 0.7;
    EXPECT_TRUE(contains(film_errors(ball, folder / "a.png", options), "frame 7 (t = 0.7 s): the pose of body 'ball'"));
    options.time = 0.55;
    EXPECT_EQ(film_errors(ball, folder / "a.png", options), "");
    options.time = std::nullopt;
    EXPECT_TRUE(contains(film_errors(ball, folder / "frames/", options), "frame 7"));
    EXPECT_EQ(list(folder), (std::vector<std::string>{"a.png", "ball.rec"})) << "nothing of the broken folder remains";
    EXPECT_TRUE(contains(film_errors(record_ball(folder, 0), folder / "b.png", options), "no frames"));
    fs::remove_all(folder);
}

}  // namespace

}  // namespace rattleback::lab
