// Tests of the rasteriser against projections written down by hand.
#include "lab/render/rasterise.h"

#include "lab/scenes/parts.h"
#include "made_scene.h"

#include <gtest/gtest.h>

#include <memory>

namespace rattleback::lab
{

namespace
{

/// The scene and the forms it points into.
struct Made
{
    Made(const std::vector<RecordedShape>& shapes, const Camera& camera)
        : model(make_model(shapes)),
          maker(model, {}),
          scene(maker.make(make_moment(model), camera, *std::make_unique<ThreadPool>(1)))
    {
    }
    RecordedModel model;
    SceneMaker maker;
    DrawnScene scene;
};

TEST(Rasterise, a_sphere_covers_the_rays_that_meet_it_at_the_depth_where_they_do)
{
    const Camera camera = make_camera(3);
    const Vec3 centre{0.4, 0.3, -0.2};
    const double radius = 0.7;
    const Made made({{.type = ShapeType::sphere, .pose = {centre, {}}, .size = {radius, 0, 0}}}, camera);
    int covered = 0;
    for_samples(made.scene, camera,
                [&](double x, double y, std::uint32_t id, double inverse_depth)
                {
                    const Vec3 ray = camera.ray(x, y), d = centre - camera.eye;
                    const double along = dot(ray, d) / dot(ray, ray), miss = norm(d - along * ray);
                    const double pixels = (miss - radius) * camera.focal / norm(d);
                    if (pixels > 0.05)
                    {
                        EXPECT_EQ(id, SampleId::kNothing) << x << " " << y;
                    }
                    if (pixels < -0.35)
                    {
                        EXPECT_NE(id, SampleId::kNothing) << x << " " << y;
                    }
                    if (id == SampleId::kNothing) return;
                    ++covered;
                    // On the surface, or below it by what flat triangles lack: a fifth of a pixel in both directions.
                    const double distance = norm(camera.eye + 1 / inverse_depth * ray - centre);
                    EXPECT_LT(distance, radius + 1e-5);
                    EXPECT_GT(distance, radius - 0.4 * norm(d) / camera.focal);
                });
    EXPECT_GT(covered, 10000);
}

TEST(Rasterise, the_faces_of_a_box_lie_where_their_planes_are)
{
    const Camera camera = make_camera(4, 25);
    const Vec3 half{0.8, 0.5, 0.6};
    const Made made({{.type = ShapeType::box, .size = half}}, camera);
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for_samples(made.scene, camera,
                [&](double x, double y, std::uint32_t id, double inverse_depth)
                {
                    // The ray enters the box at the last of the three slabs that it enters.
                    const Vec3 ray = camera.ray(x, y);
                    double enter = 0, leave = 1e9;
                    for (int k = 0; k < 3; ++k)
                    {
                        const double a = (-half[k] - camera.eye[k]) / ray[k], b = (half[k] - camera.eye[k]) / ray[k];
                        enter = std::max(enter, std::min(a, b));
                        leave = std::min(leave, std::max(a, b));
                    }
                    if (std::abs(leave - enter) < 0.02) return;  // along an edge: corners are rounded to 1/256 pixel
                    EXPECT_EQ(id != SampleId::kNothing, enter < leave) << x << " " << y;
                    if (id == SampleId::kNothing) return;
                    EXPECT_NEAR(inverse_depth * enter, 1, 1e-5);
                    left = std::min(left, x);
                    right = std::max(right, x);
                    top = std::min(top, y);
                    bottom = std::max(bottom, y);
                });
    // The outline reaches the outermost corners.
    double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
    for (int i = 0; i < 8; ++i)
    {
        const Vec3 view =
            camera.to_view({(i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y, (i & 4 ? 1 : -1) * half.z});
        x0 = std::min(x0, camera.to_x(view));
        x1 = std::max(x1, camera.to_x(view));
        y0 = std::min(y0, camera.to_y(view));
        y1 = std::max(y1, camera.to_y(view));
    }
    EXPECT_NEAR(left, x0, 0.5);
    EXPECT_NEAR(right, x1, 0.5);
    EXPECT_NEAR(top, y0, 0.5);
    EXPECT_NEAR(bottom, y1, 0.5);
}

TEST(Rasterise, a_plane_ends_at_the_horizon)
{
    const double pitch = 20;
    const Camera camera = make_camera(2, pitch);
    const Made made({{.type = ShapeType::plane}}, camera);
    const double horizon = 0.5 * camera.height - camera.focal * std::tan(pitch * kDegree);
    ASSERT_GT(horizon, 5);
    const double height = 2 * std::sin(pitch * kDegree);
    for_samples(made.scene, camera,
                [&](double x, double y, std::uint32_t id, double inverse_depth)
                {
                    if (y < horizon - 0.01)
                    {
                        EXPECT_EQ(id, SampleId::kNothing) << x << " " << y;
                    }
                    if (y < horizon + 0.01) return;
                    EXPECT_EQ(id, SampleId::kPlane);
                    // Similar triangles: the depth of the ground below the horizon.
                    const double slope = (y - horizon) / camera.focal * std::cos(pitch * kDegree);
                    EXPECT_NEAR(inverse_depth * height, slope, 1e-6);
                });
}

TEST(Rasterise, a_plane_seen_from_below_hides_nothing)
{
    const Camera camera = make_camera(3, -20);
    const Made made({{.type = ShapeType::plane}}, camera);
    for_samples(made.scene, camera,
                [&](double, double, std::uint32_t id, double) { EXPECT_EQ(id, SampleId::kNothing); });
}

TEST(Rasterise, triangles_that_share_edges_cover_every_sample_once)
{
    // A polygon cut into a fan from an inner point, corners anywhere between samples; some end on samples.
    Random random(11);
    const Camera camera{.eye = {0, -1, 0}, .width = kTile, .height = kTile, .focal = kTile};
    const auto tile = std::make_unique<Tile>();
    for (int round = 0; round < 200; ++round)
    {
        const auto corner = [&](double x, double y)
        {
            if (round % 2 == 0) x = std::floor(16 * x) / 16 + 1.0 / 32, y = std::floor(16 * y) / 16 + 1.0 / 32;
            return camera.eye + camera.ray(x, y);
        };
        std::vector<Vec3> rim;
        for (int i = 0; i < 7; ++i)
        {
            const double angle = 2 * kPi * (i + random.uniform(0, 0.9)) / 7, reach = random.uniform(10, 15);
            rim.push_back(corner(16 + reach * std::cos(angle), 16 + reach * std::sin(angle)));
        }
        const Vec3 middle = corner(random.uniform(13, 19), random.uniform(13, 19));
        std::vector<int> count(kTile * kTile * kSamples);
        std::vector<ScreenTriangle> parts;
        for (std::size_t i = 0; i < rim.size(); ++i)
        {
            parts.clear();
            project(camera, {middle, rim[i], rim[(i + 1) % rim.size()]}, true, {.id = 1}, parts);
            tile->clear(0, 0);
            for (const ScreenTriangle& part : parts) tile->draw(part);
            for (std::size_t k = 0; k < count.size(); ++k)
                count[k] += tile->id[k / kSamples][k % kSamples] == 1 ? 1 : 0;
        }
        int inside = 0;
        for (std::size_t k = 0; k < count.size(); ++k)
        {
            ASSERT_LE(count[k], 1) << round;
            inside += count[k];
            // Near the middle there is no gap.
            const double x = static_cast<double>(k / kSamples % kTile) + 0.5,
                         y = static_cast<double>(k / kSamples / kTile) + 0.5;
            if (std::hypot(x - 16, y - 16) < 6)
            {
                ASSERT_EQ(count[k], 1) << round;
            }
        }
        EXPECT_GT(inside, 3000);
    }
}

TEST(Rasterise, what_is_cut_by_the_camera_is_drawn_up_to_the_cut)
{
    // The eye stands inside a long hollow box, two-sided: every sample shows a wall.
    Camera camera = make_camera(0.5, 10);
    RecordedModel model = make_model({{.type = ShapeType::surface, .asset = 0}});
    MeshOptions mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {(i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1000.0 : -1000.0, (i & 4) != 0 ? 1.0 : -1.0});
    mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    model.meshes.push_back(mesh);
    SceneMaker maker(model, {});
    ThreadPool pool(1);
    const DrawnScene scene = maker.make(make_moment(model), camera, pool);
    int holes = 0;
    for_samples(scene, camera,
                [&](double x, double y, std::uint32_t id, double inverse_depth)
                {
                    if (id == SampleId::kNothing)
                    {
                        ++holes;
                        return;
                    }
                    const Vec3 point = camera.eye + 1 / inverse_depth * camera.ray(x, y);
                    const double wall = std::max({std::abs(point.x), std::abs(point.z), std::abs(point.y) / 1000});
                    EXPECT_NEAR(wall, 1, 2e-3) << x << " " << y;
                });
    EXPECT_EQ(holes, 0);
}

TEST(Rasterise, see_through_surfaces_cover_their_share_of_every_pixel)
{
    const Camera camera = make_camera(3);
    RecordedShape pane{.type = ShapeType::box, .size = {10, 0.1, 10}, .colour = {1, 0, 0, 0.25F}};
    const Made made({pane}, camera);
    int covered = 0, all = 0;
    for_samples(made.scene, camera,
                [&](double, double, std::uint32_t id, double)
                {
                    ++all;
                    covered += id != SampleId::kNothing ? 1 : 0;
                });
    EXPECT_EQ(4 * covered, all);
}

TEST(Rasterise, a_tile_said_to_show_one_surface_shows_no_other_when_it_is_drawn)
{
    const Camera camera = make_camera(3, 5, 320, 240);
    const std::vector<std::vector<RecordedShape>> scenes = {
        {{.type = ShapeType::sphere, .size = {0.4, 0, 0}}},
        {{.type = ShapeType::plane}, {.type = ShapeType::box, .pose = {{0, 0, 0.3}, {}}, .size = {0.3, 0.3, 0.3}}}};
    for (const auto& shapes : scenes)
    {
        const Made made(shapes, camera);
        ThreadPool pool(1);
        const TileList tiles(made.scene, camera, pool);
        const auto tile = std::make_unique<Tile>();
        int known = 0;
        for (int i = 0; i < tiles.tile_count(); ++i)
        {
            const std::optional<std::uint32_t> only = tiles.find_only_surface(i);
            if (!only) continue;
            ++known;
            tiles.fill(i, *tile);
            EXPECT_EQ((std::array{tile->x0, tile->y0}), tiles.find_corner(i));
            for (const auto& pixel : tile->id)
            {
                for (const std::uint32_t id : pixel) ASSERT_EQ(id, *only) << i;
            }
        }
        EXPECT_GT(known, tiles.tile_count() / 4);
    }
}

TEST(Rasterise, broken_triangles_are_not_drawn)
{
    const Camera camera = make_camera(3);
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<ScreenTriangle> parts;
    for (const double x : {infinity, nan})
    {
        project(camera, {Vec3{x, 0, 0}, Vec3{0, x, 0}, Vec3{0, 0, x}}, true, {}, parts);
        project(camera, {Vec3{-x, 5, -x}, Vec3{x, 5, -x}, Vec3{0, 5, x}}, true, {}, parts);
    }
    project(camera, {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{2, 0, 0}}, true, {}, parts);  // no area
    EXPECT_EQ(parts.size(), 0U);
}

TEST(Rasterise, huge_triangles_stay_behind_what_is_in_front_of_them)
{
    const Camera camera{.eye = {0, -3, 0}, .width = 160, .height = 120, .focal = 140};  // axes exact to the last bit
    std::vector<ScreenTriangle> huge, front;
    for (const double x : {1e6, 1e30, 1e300})
    {
        project(camera, {Vec3{x, 0, 0}, Vec3{0, x, 0}, Vec3{0, 0, x}}, true, {.id = 1}, huge);
        project(camera, {Vec3{-x, 5, -x}, Vec3{x, 5, -x}, Vec3{0, 5, x}}, true, {.id = 1}, huge);
    }
    ASSERT_GT(huge.size(), 0U);
    project(camera, {Vec3{-9, -2, -9}, Vec3{9, -2, -9}, Vec3{0, -2, 9}}, true, {.id = 2}, front);
    ASSERT_EQ(front.size(), 1U);

    // No corner of theirs is nearer than 3 m, however coarsely they are cut; the one in front is 1 m away.
    const auto tile = std::make_unique<Tile>();
    const auto expect = [&](std::uint32_t id, double nearest, double farthest)
    {
        for (std::size_t pixel = 0; pixel < tile->id.size(); ++pixel)
        {
            for (std::size_t i = 0; i < kSamples; ++i)
            {
                ASSERT_EQ(tile->id[pixel][i], id) << pixel;
                ASSERT_LE(tile->depth[pixel][i], nearest) << pixel;
                ASSERT_GE(tile->depth[pixel][i], farthest) << pixel;
            }
        }
    };
    const int left = camera.width / 2, top = camera.height / 2;
    tile->clear(left, top);
    for (const ScreenTriangle& part : huge) tile->draw(part);
    expect(1, 1 / 3.0 + 1e-6, 1 / 8.0 - 1e-6);  // the wall of 1e6 m at y = 5, or something nearer
    tile->draw(front[0]);
    expect(2, 1 + 1e-5, 1 - 1e-5);
    for (const ScreenTriangle& part : huge) tile->draw(part);
    expect(2, 1 + 1e-5, 1 - 1e-5);
}

}  // namespace

}  // namespace rattleback::lab
