// Textures by their closed forms, maps from shapes to them, and cameras by where known points land.
#include "lab/render/looks.h"
#include "lab/render/picture.h"
#include "made_scene.h"

#include <gtest/gtest.h>

namespace rattleback::lab
{
namespace
{

TextureImage make(const TextureOptions& options)
{
    Result<TextureImage> made = TextureImage::make(options);
    EXPECT_TRUE(made.ok()) << to_text(made.errors());
    return std::move(made).value();
}

TextureOptions make_checker(TextureType type = TextureType::flat)
{
    return {.type = type,
            .pattern = TexturePattern::checker,
            .first = {1, 0, 0},
            .second = {0, 0, 1},
            .width = 64,
            .height = 64};
}

TEST(Texture, of_a_checker_has_its_first_colour_above_left_and_below_right)
{
    const TextureImage image = make(make_checker());
    const TexturePlace none{};
    for (const auto& [place, colour] :
         {std::pair{TexturePlace{0.25, 0.25}, Srgb{1, 0, 0}}, std::pair{TexturePlace{0.75, 0.25}, Srgb{0, 0, 1}},
          std::pair{TexturePlace{0.25, 0.75}, Srgb{0, 0, 1}}, std::pair{TexturePlace{-0.25, 7.75}, Srgb{1, 0, 0}}})
        EXPECT_LT(norm(image.sample(place, none, none) - colour), 1e-12) << place[0] << ' ' << place[1];
    // Over a whole repetition both colours are half.
    EXPECT_LT(norm(image.sample({0.3, 0.4}, {1, 0}, {0, 1}) - Srgb{0.5, 0, 0.5}), 0.01);
}

TEST(Texture, marks_stand_where_mujoco_puts_them)
{
    TextureOptions options = make_checker();
    options.mark = TextureMark::edge;
    options.mark_colour = {0, 1, 0};
    const TextureImage edge = make(options);
    const Pyramid::Pixel green{0, 255, 0}, red{255, 0, 0};
    EXPECT_EQ(edge.side(0).pixel(0, 30), green);
    EXPECT_EQ(edge.side(0).pixel(63, 0), green);
    EXPECT_EQ(edge.side(0).pixel(1, 1), red);
    options.mark = TextureMark::cross;
    const TextureImage cross = make(options);
    EXPECT_EQ(cross.side(0).pixel(32, 5), green);
    EXPECT_EQ(cross.side(0).pixel(5, 32), green);
    EXPECT_EQ(cross.side(0).pixel(31, 31), red);
    options.mark = TextureMark::random;
    options.random = 0.25;
    const TextureImage random = make(options);
    int count = 0;
    for (int i = 0; i < 64 * 64; ++i) count += random.side(0).pixel(i % 64, i / 64) == green ? 1 : 0;
    EXPECT_NEAR(count, 1024, 140);  // five standard deviations
}

TEST(Texture, of_a_sky_goes_from_one_colour_to_the_other_with_the_height)
{
    TextureOptions options = make_checker(TextureType::skybox);
    options.pattern = TexturePattern::gradient;
    options.width = 33;
    const TextureImage sky = make(options);
    ASSERT_TRUE(sky.is_cube());
    // The middle of the side above is at the zenith, of those around on the horizon, where the sigmoid is a half.
    EXPECT_EQ(sky.side(2).pixel(16, 16), (Pyramid::Pixel{255, 0, 0}));
    EXPECT_EQ(sky.side(3).pixel(16, 16), (Pyramid::Pixel{0, 0, 255}));
    EXPECT_EQ(sky.side(4).pixel(16, 16), (Pyramid::Pixel{127, 0, 127}));
    EXPECT_LT(norm(sky.sample(Vec3{0, 5, 0}, 0) - Srgb{1, 0, 0}), 1e-12);
}

TEST(Texture, of_a_cube_shows_each_side_in_its_direction)
{
    TextureOptions options{.type = TextureType::cube, .pattern = TexturePattern::flat, .first = {1, 1, 0}, .width = 4};
    options.second = {0, 1, 1};
    const TextureImage cube = make(options);
    EXPECT_LT(norm(cube.sample(Vec3{0.1, -2, 0.3}, 0) - Srgb{0, 1, 1}), 1e-12);  // below
    EXPECT_LT(norm(cube.sample(Vec3{0.1, 0.2, 3}, 0) - Srgb{1, 1, 0}), 1e-12);
}

TEST(Looks, repeat_a_texture_on_an_endless_plane_every_two_metres_over_its_repetitions)
{
    const SurfaceLook look{.type = ShapeType::plane, .repeat = {5, 4}};
    const Vec3 up{0, 0, 1};
    const TexturePlace here = find_place(look, {0.3, 0.7, 0}, up),
                       there = find_place(look, {0.3 + 0.4, 0.7 - 0.5, 0}, up);
    EXPECT_NEAR(there[0] - here[0], 1, 1e-12);
    EXPECT_NEAR(there[1] - here[1], 1, 1e-12);  // down is against y
}

TEST(Looks, stretch_a_texture_over_a_plane_that_ends_and_over_solids)
{
    SurfaceLook look{.type = ShapeType::plane, .repeat = {2, 3}, .plane_size = {10, 5}};
    const Vec3 up{0, 0, 1};
    EXPECT_EQ(find_place(look, {-10, 5, 0}, up), (TexturePlace{0, 0}));
    EXPECT_EQ(find_place(look, {10, -5, 0}, up), (TexturePlace{2, 3}));
    look.uniform = true;
    EXPECT_EQ(find_place(look, {10, -5, 0}, up), (TexturePlace{20, 15}));
    const SurfaceLook box{.type = ShapeType::box, .size = {1, 2, 3}};
    EXPECT_EQ(find_place(box, {-1, 2, 3}, up), (TexturePlace{0, 0}));
    EXPECT_EQ(find_place(box, {1, -2, -3}, {1, 0, 0}), (TexturePlace{0, 1}));  // seen from +x, -y is on the left
    const SurfaceLook ball{.type = ShapeType::sphere, .size = {2, 2, 2}};
    const TexturePlace side = find_place(ball, {0, 2, 0}, {0, 1, 0});
    EXPECT_NEAR(side[0], 0.25, 1e-12);
    EXPECT_NEAR(side[1], 0.5, 1e-12);
    EXPECT_NEAR(find_place(ball, {0, 0, 2}, up)[1], 0, 1e-12);
}

/// A body that weighs 1 kg at its origin and hangs on nothing, and a camera on it.
RecordedModel make_camera_model(const CameraOptions& options, const Pose& reference = {})
{
    RecordedModel model = make_model({{.type = ShapeType::sphere, .size = {0.1, 0, 0}}});
    model.bodies[1].mass = 1;
    model.appearance.cameras = {options};
    model.appearance.camera_reference = {reference};
    return model;
}

std::array<double, 2> find_pixel(const Camera& camera, const Vec3& point)
{
    const Vec3 view = camera.to_view(point);
    return {camera.to_x(view), camera.to_y(view)};
}

TEST(ModelCamera, shows_a_known_point_at_a_known_pixel)
{
    // 90 degrees: half the height at depth z is z. The camera looks along -z of its frame, here down.
    const RecordedModel model = make_camera_model({.position = {0, 0, 2}, .field_of_view = 90});
    const std::vector<Pose> poses(2);
    const Camera camera = make_model_camera(model, 0, poses, 400, 200, 1);
    const auto [x, y] = find_pixel(camera, {0.5, 1, 0});
    EXPECT_NEAR(x, 200 + 100 * 0.5 / 2, 1e-9);
    EXPECT_NEAR(y, 100 - 100 * 1.0 / 2, 1e-9);
}

TEST(ModelCamera, with_a_lens_projects_by_its_matrix)
{
    const RecordedModel model = make_camera_model({.field_of_view = 60,
                                                   .resolution = {640, 480},
                                                   .sensor_size = {0.0064, 0.0048},
                                                   .focal = {0.006, 0.005},
                                                   .principal = {0.0001, 0.0002}});
    const Camera camera = make_model_camera(model, 0, std::vector<Pose>(2), 640, 480, 1);
    // 1e5 pixels per metre of the sensor: focal lengths 600 and 500, the axis 10 left of and 20 above the middle.
    const auto [x, y] = find_pixel(camera, {0.3, 0.4, -2});
    EXPECT_NEAR(x, 320 - 10 + 600 * 0.15, 1e-9);
    EXPECT_NEAR(y, 240 - 20 - 500 * 0.2, 1e-9);
}

TEST(ModelCamera, that_is_orthographic_does_not_mind_the_depth)
{
    const RecordedModel model = make_camera_model({.orthographic = true, .field_of_view = 2});
    const Camera camera = make_model_camera(model, 0, std::vector<Pose>(2), 100, 100, 1);
    for (const double depth : {0.0, 1.0, 5.0})  // 5 m from 2000 m away: a four hundredth of the half picture
    {
        const auto [x, y] = find_pixel(camera, {0.5, -0.25, -depth});
        EXPECT_NEAR(x, 75, 0.13);
        EXPECT_NEAR(y, 62.5, 0.13);
    }
}

TEST(ModelCamera, goes_along_as_its_mode_says)
{
    const Pose reference{{0, -3, 1}, {0.6, 0.8, 0, 0}};
    std::vector<Pose> poses(2);
    poses[1] = {{4, 5, 6}, {0.6, 0, 0, 0.8}};
    CameraOptions options{.body = BodyId{1}, .position = {1, 0, 0}, .mode = FollowMode::track};
    const Pose tracking = find_camera_pose(make_camera_model(options, reference), 0, poses);
    EXPECT_EQ(tracking.position, (Vec3{4, 2, 7}));
    EXPECT_EQ(tracking.rotation, reference.rotation);
    options.mode = FollowMode::fixed;
    const Pose fixed = find_camera_pose(make_camera_model(options), 0, poses);
    EXPECT_LT(norm(fixed.position - (poses[1].position + rotate(poses[1].rotation, Vec3{1, 0, 0}))), 1e-12);
    options.mode = FollowMode::target_body;
    options.target = BodyId{0};
    const Pose looking = find_camera_pose(make_camera_model(options), 0, poses);
    const Vec3 forward = rotate(looking.rotation, Vec3{0, 0, -1}), right = rotate(looking.rotation, Vec3{1, 0, 0});
    EXPECT_LT(norm(forward + 1 / norm(fixed.position) * fixed.position), 1e-12);
    EXPECT_NEAR(right.z, 0, 1e-12);
    options.body = options.target = BodyId{1};
    options.position = {};  // at the place that it looks at: the rotation that it has
    EXPECT_EQ(find_camera_pose(make_camera_model(options), 0, poses).rotation, poses[1].rotation);
}

/// A textured floor, a box with a cube texture and a ball under two lamps and a sky.
RecordedModel make_dressed_model()
{
    RecordedModel model = make_model({{.type = ShapeType::plane},
                                      {.type = ShapeType::box, .pose = {{0, 0, 0.5}, {}}, .size = {0.5, 0.5, 0.5}},
                                      {.type = ShapeType::sphere, .pose = {{1.2, 0, 0.4}, {}}, .size = {0.4, 0, 0}}});
    Appearance& looks = model.appearance;
    looks.textures = {make_checker(), make_checker(TextureType::cube), make_checker(TextureType::skybox)};
    looks.materials = {
        {.texture = TextureId{0}, .repeat = {2, 2}}, {.texture = TextureId{1}}, {.texture = TextureId{0}}};
    looks.shapes = {{VisualMaterialId{0}, {}}, {VisualMaterialId{1}, {}}, {VisualMaterialId{2}, {}}};
    for (RecordedShape& shape : model.shapes) shape.colour = {1, 1, 1, 1};
    looks.lights = {{.position = {0, 0, 4}, .type = LightType::directional},
                    {.position = {2, -2, 3}, .direction = {-0.5, 0.5, -0.7}}};
    looks.light_reference.resize(2);
    return model;
}

Image draw_dressed(const RecordedModel& model, const Camera& camera, int threads)
{
    const Looks looks(model);
    EXPECT_TRUE(looks.notes().empty());
    ThreadPool pool(threads);
    SceneMaker maker(model, {.extent = 1.5, .looks = &looks});
    return draw_picture(maker.make(make_moment(model), camera, pool), camera, {.extent = 1.5}, pool);
}

TEST(Looks, leave_out_textures_that_are_too_large_together_and_say_so_once)
{
    RecordedModel model = make_dressed_model();
    // Six sides of 8192 x 8192 pixels in a few bytes, on two shapes; nothing of it is painted.
    TextureOptions& huge = model.appearance.textures[1];
    huge.width = huge.height = 8192;
    model.appearance.shapes[2].material = VisualMaterialId{1};
    EXPECT_EQ(TextureImage::count_pixels(huge), 6ULL * 8192 * 8192);
    const Looks looks(model);
    EXPECT_NE(looks.of_shape(0).texture, nullptr);
    EXPECT_EQ(looks.of_shape(1).texture, nullptr);
    EXPECT_EQ(looks.of_shape(2).texture, nullptr);
    ASSERT_EQ(looks.notes().size(), 1U);
    EXPECT_EQ(looks.notes()[0].code, ErrorCode::limit);
}

TEST(Picture, with_textures_and_lamps_has_the_same_bytes_for_any_number_of_threads)
{
    const RecordedModel model = make_dressed_model();
    const Camera camera = make_camera(5, 25);
    EXPECT_EQ(draw_dressed(model, camera, 1).rgb, draw_dressed(model, camera, 3).rgb);
}

TEST(Picture, shows_the_squares_of_a_checked_floor_in_their_colours)
{
    // From above, one square is half a metre: 2 m over 2 repetitions of 2 squares. Only the headlight, without shine.
    RecordedModel model = make_dressed_model();
    model.shapes.resize(1);
    model.appearance.shapes.resize(1);
    model.appearance.lights.clear();
    model.appearance.light_reference.clear();
    model.appearance.headlight =
        HeadlightOptions{.ambient = {0.3, 0.3, 0.3}, .diffuse = {0.6, 0.6, 0.6}, .specular = {}};
    model.appearance.cameras = {{.position = {0, 0, 2}, .field_of_view = 90}};
    model.appearance.camera_reference.resize(1);
    const Camera camera = make_model_camera(model, 0, make_moment(model).pose, 200, 200, 1);
    const Image image = draw_dressed(model, camera, 1);
    for (const Vec3& point : {Vec3{0.2, 0.2, 0}, Vec3{-0.3, 0.2, 0}, Vec3{-0.3, -0.3, 0}, Vec3{0.7, -0.3, 0}})
    {
        const TexturePlace place = find_place({.type = ShapeType::plane, .repeat = {2, 2}}, point, {0, 0, 1});
        const auto half = [](double u) { return u - std::floor(u) < 0.5; };
        const bool first = half(place[0]) == half(place[1]);
        const auto [x, y] = find_pixel(camera, point);
        const std::uint8_t* pixel = image.pixel(static_cast<int>(x), static_cast<int>(y));
        // Full of one colour at 0.3 + 0.6 cos(0), nothing of the other but a little haze and shine.
        EXPECT_NEAR(pixel[first ? 0 : 2], 255 * 0.9, 20);
        EXPECT_LT(pixel[first ? 2 : 0], 110);
    }
}

}  // namespace
}  // namespace rattleback::lab
