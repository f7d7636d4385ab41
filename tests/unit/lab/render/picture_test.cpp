// Tests of finished pictures: the same bytes everywhere, shadows where they fall, colours as given.
#include "lab/render/picture.h"

#include "base/hash.h"
#include "lab/render/svg.h"
#include "lab/scenes/parts.h"
#include "made_scene.h"

#include <gtest/gtest.h>

namespace rattleback::lab
{

namespace
{

Image draw(const RecordedModel& model, const Moment& moment, const Camera& camera, const PictureOptions& options,
           int threads, double largest_force = 0)
{
    ThreadPool pool(threads);
    SceneMaker maker(model, {.extent = options.extent, .largest_force = largest_force});
    const DrawnScene scene = maker.make(moment, camera, pool);
    return draw_picture(scene, camera, options, pool);
}

std::uint64_t hash(const Image& image)
{
    Hasher hasher;
    for (const std::uint8_t byte : image.rgb) hasher.add(byte);
    return hasher.value();
}

int brightness(const Image& image, const Camera& camera, const Vec3& point)
{
    const Vec3 view = camera.to_view(point);
    const std::uint8_t* pixel = image.pixel(static_cast<int>(camera.to_x(view)), static_cast<int>(camera.to_y(view)));
    return pixel[0] + pixel[1] + pixel[2];
}

TEST(Picture, has_the_same_bytes_for_any_number_of_threads_and_on_any_machine)
{
    const RecordedModel model = make_parade();
    Moment moment = make_moment(model);
    moment.contacts.push_back({.point = {0, -0.5, 0.3}, .force = {{0, 3, 10}, {}}});
    const Camera camera = make_camera(6, 20, 96, 64);
    for (const int threads : {1, 2, 7})
    {
        const Image image = draw(model, moment, camera, {.extent = 3}, threads, 10);
        EXPECT_EQ(hash(image), 0xd2e7c907490c54f8U)
            << "after an intended change of the pictures write the new value here: 0x" << std::hex << hash(image);
    }
}

TEST(Picture, a_tendon_is_drawn_from_point_to_point_and_not_across_a_break)
{
    const RecordedModel model =
        make_model({{.type = ShapeType::sphere, .pose = {{0, 0, -9}, {}}, .size = {0.1, 0, 0}}});
    Moment moment = make_moment(model);
    moment.tendon_points = {{0, 1, {-1, 0, 1}}, {0, 0, {0, 0, 1}}, {0, 1, {0.5, 0, 1}}, {0, 0, {1, 0, 1}}};
    const Camera camera = make_camera(6, 20, 200, 160);
    Moment without = moment;
    without.tendon_points.clear();
    const Image drawn = draw(model, moment, camera, {.extent = 3}, 1);
    const Image plain = draw(model, without, camera, {.extent = 3}, 1);
    const auto change = [&](const Vec3& point)
    { return std::abs(brightness(drawn, camera, point) - brightness(plain, camera, point)); };
    EXPECT_GT(change({-0.5, 0, 1}), 50);
    EXPECT_GT(change({0.75, 0, 1}), 50);
    EXPECT_LT(change({0.25, 0, 1}), 10);
}

TEST(Picture, a_shadow_falls_where_the_sun_is_hidden)
{
    const Vec3 centre{0, 0, 1};
    const RecordedModel model = make_model(
        {{.type = ShapeType::plane}, {.type = ShapeType::sphere, .pose = {centre, {}}, .size = {0.3, 0, 0}}});
    const Camera camera = make_camera(8, 40, 200, 160);
    const Vec3 sun = find_sun(camera, {0, 0, 1});
    for (const int sky_count : {0, 24, 64})
    {
        const Image image = draw(model, make_moment(model), camera, {.extent = 1.5, .sky_count = sky_count}, 2);
        const Vec3 shadow = centre - centre.z / sun.z * sun;
        const int dark = brightness(image, camera, shadow);
        for (const Vec3& aside : {Vec3{1, 0, 0}, Vec3{-1, 0.2, 0}, Vec3{0.2, 1, 0}})
            EXPECT_LT(1.2 * dark, brightness(image, camera, shadow + aside)) << sky_count;
    }
}

TEST(Picture, the_ground_is_darker_where_something_stands_on_it)
{
    // A box stands to the right: its left side faces the sun, yet the ground at its foot sees half the sky.
    const RecordedModel model = make_model(
        {{.type = ShapeType::plane}, {.type = ShapeType::box, .pose = {{1, 0, 1}, {}}, .size = {0.5, 0.5, 1}}});
    const Camera camera = make_camera(8, 40, 200, 160);
    const Image image = draw(model, make_moment(model), camera, {.extent = 1.5}, 2);
    EXPECT_LT(brightness(image, camera, {0.45, -0.1, 0}), brightness(image, camera, {-0.75, -0.1, 0}) - 8);
}

TEST(Picture, shades_by_fewer_directions_of_the_sky_look_alike)
{
    const RecordedModel model = make_parade();
    const Camera camera = make_camera(6, 20, 192, 128);
    const Image fine = draw(model, make_moment(model), camera, {.extent = 3}, 1);
    const Image quick = draw(model, make_moment(model), camera, {.extent = 3, .sky_count = 24}, 1);
    double sum = 0;
    for (std::size_t i = 0; i < fine.rgb.size(); ++i) sum += std::abs(int{fine.rgb[i]} - int{quick.rgb[i]});
    EXPECT_LT(sum / static_cast<double>(fine.rgb.size()), 1.5);  // a byte and a half of 255 on average
}

TEST(Shadow, a_place_that_counts_as_open_has_light_all_around_it)
{
    const RecordedModel model = make_parade();
    const Camera camera = make_camera(6, 20, 96, 64);
    ThreadPool pool(1);
    SceneMaker maker(model, {.extent = 3});
    const DrawnScene scene = maker.make(make_moment(model), camera, pool);
    ShadowMap map(find_sun(camera, {0, 0, 1}), scene.middle, scene.radius, 256);
    map.draw(scene, 0, 256);
    Random random(4);
    int open = 0, dark = 0;
    for (int i = 0; i < 20000; ++i)
    {
        const Vec3 point = scene.middle + scene.radius * Vec3{random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2),
                                                              random.uniform(-1, 1)};
        const Vec3 place = map.to_map(point);
        const auto light = [&](double x, double y)
        {
            return map.find_light(static_cast<float>(place.x + x), static_cast<float>(place.y + y),
                                  static_cast<float>(place.z));
        };
        dark += light(0, 0) < 1 ? 1 : 0;
        if (!map.is_open(place)) continue;
        ++open;
        for (int k = 0; k < 8; ++k)
        {
            const double reach = ShadowMap::kNear - 1;  // the four texels around a place reach one further
            ASSERT_EQ(light(random.uniform(-reach, reach), random.uniform(-reach, reach)), 1);
        }
    }
    EXPECT_GT(open, 2000);
    EXPECT_GT(dark, 500);
}

TEST(Picture, markers_are_drawn_over_what_hides_them)
{
    const RecordedModel model = make_model({{.type = ShapeType::box, .size = {1, 1, 1}}});
    Moment moment = make_moment(model);
    const Camera camera = make_camera(6, 20, 96, 64);
    const Image plain = draw(model, moment, camera, {.extent = 3}, 1);
    moment.contacts.push_back({.point = {}});
    const Image marked = draw(model, moment, camera, {.extent = 3}, 1);
    EXPECT_GT(std::abs(brightness(plain, camera, {}) - brightness(marked, camera, {})), 40);
}

TEST(Picture, an_edge_is_as_bright_as_the_part_it_covers)
{
    // A dark pane whose left edge moves over a pixel: 16 steps from light to dark, never back.
    const Camera camera = make_camera(5, 0, 64, 48);
    int last = 1000, steps = 0;
    for (int i = 0; i <= 32; ++i)
    {
        const double x = (10 + i / 32.0 - 32) / camera.focal * 5;
        const RecordedModel model = make_model({{.type = ShapeType::box,
                                                 .pose = {{x - 10, 0.001, 0}, {}},
                                                 .size = {10, 0.001, 10},
                                                 .colour = {0, 0, 0, 1}}});
        const Image image = draw(model, make_moment(model), camera, {.extent = 3, .sky_count = 0}, 1);
        const int value = image.pixel(10, 20)[1];
        EXPECT_LE(value, last);
        steps += value < last ? 1 : 0;
        last = value;
    }
    EXPECT_GE(steps, 16);
}

TEST(Picture, sizes_at_the_ends_of_their_range_do_no_harm)
{
    const Camera camera = make_camera(5, 10, 64, 48);
    for (const double size : {1e300, 1e30, 1e9, 1e-30, 1e-300, 0.0, -1.0})
    {
        RecordedModel model = make_parade();
        for (RecordedShape& shape : model.shapes) shape.size = {size, size, size};
        for (Vec3& vertex : model.meshes[0].vertices) vertex = size * vertex;
        model.shapes.push_back(
            {.type = ShapeType::box, .body = 1, .pose = {{size, size, size}, {0, 0, 0, 0}}, .size = {1, 1, 1}});
        Moment moment = make_moment(model);
        moment.contacts.push_back({.point = {size, 0, 0}, .force = {{size, 0, 0}, {}}});
        for (const double extent : {1.0, std::abs(size)})
        {
            const Image image = draw(model, moment, camera, {.extent = extent}, 1, 1);
            EXPECT_EQ(image.rgb.size(), 3U * 64 * 48);
            ThreadPool pool(1);
            SceneMaker maker(model, {.extent = extent});
            EXPECT_FALSE(draw_svg(maker.make(moment, camera, pool), model, camera, {.extent = extent}).empty());
        }
    }
}

TEST(Colour, srgb_is_the_standards_curve_and_back)
{
    for (int i = 0; i <= 1000; ++i)
    {
        const double x = i / 1000.0;
        const double expected = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
        EXPECT_NEAR(to_linear(x), expected, 1e-14);
        EXPECT_NEAR(to_srgb(to_linear(x)), x, 1e-6);
    }
    EXPECT_EQ(to_byte(0), 0);
    EXPECT_EQ(to_byte(1e9), 255);
}

TEST(Colour, a_shape_without_its_own_gets_one_by_body)
{
    const RecordedShape first{.body = 1}, second{.body = 2};
    const RecordedShape painted{.body = 2, .colour = {0.25F, 0.5F, 1, 1}};
    EXPECT_NE(find_colour(first), find_colour(second));
    EXPECT_NEAR(find_colour(painted).x, to_linear(0.25), 1e-12);
    EXPECT_NEAR(find_colour(painted).z, 1, 1e-12);
    for (const RecordedShape& shape : {first, second, painted, RecordedShape{.type = ShapeType::plane}})
    {
        const std::array<float, 4> drawn = find_drawn_colour(shape);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(to_linear(static_cast<double>(drawn[static_cast<std::size_t>(k)])), find_colour(shape)[k],
                        1e-6);
        EXPECT_EQ(drawn[3], shape.colour[3]);
    }
    EXPECT_EQ(find_drawn_colour(painted), painted.colour);
}

TEST(Grid, steps_are_1_2_or_5_times_a_power_of_ten_and_fit_the_scene)
{
    for (double extent = 1e-3; extent < 1e4; extent *= 1.37)
    {
        const double step = find_grid_step(extent);
        EXPECT_LE(step, extent / 4 * (1 + 1e-9));
        EXPECT_GT(step, extent / 10.1);
        const double lead = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
        EXPECT_TRUE(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6) << lead;
    }
}

}  // namespace

}  // namespace rattleback::lab
