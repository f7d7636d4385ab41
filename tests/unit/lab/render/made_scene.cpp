// Small models, cameras and recordings for tests of the renderer.
#include "made_scene.h"

#include "lab/render/rasterise.h"

#include <rattleback/builder.h>

#include <unistd.h>

namespace rattleback::lab
{

RecordedModel make_model(const std::vector<RecordedShape>& shapes)
{
    RecordedModel model;
    model.name = "made";
    model.gravity = {0, 0, -9.81};
    model.dt = 0.01;
    model.bodies.push_back({.name = "world"});
    for (const RecordedShape& shape : shapes)
    {
        model.shapes.push_back(shape);
        model.shapes.back().body = model.body_count();
        model.bodies.push_back({.name = "body " + std::to_string(model.body_count()), .parent = 0});
    }
    return model;
}

Moment make_moment(const RecordedModel& model)
{
    return {.pose = std::vector<Pose>(static_cast<std::size_t>(model.body_count()))};
}

RecordedModel make_parade()
{
    const Quat tilt = from_axis_angle({1, 2, 0.5}, 0.5);
    RecordedModel model =
        make_model({{.type = ShapeType::plane},
                    {.type = ShapeType::sphere, .pose = {{-2, 0, 0.5}, tilt}, .size = {0.4, 0, 0}},
                    {.type = ShapeType::capsule, .pose = {{-1, 0, 0.6}, tilt}, .size = {0.2, 0.3, 0}},
                    {.type = ShapeType::box, .pose = {{0, 0, 0.6}, tilt}, .size = {0.3, 0.2, 0.4}},
                    {.type = ShapeType::cylinder, .pose = {{1, 0, 0.6}, tilt}, .size = {0.3, 0.4, 0}},
                    {.type = ShapeType::ellipsoid, .pose = {{2, 0, 0.5}, tilt}, .size = {0.2, 0.3, 0.4}},
                    {.type = ShapeType::mesh, .pose = {{0, -1, 0.1}, tilt}, .asset = 0},
                    {.type = ShapeType::height_field, .pose = {{0, 2, 0.1}, {}}, .asset = 0}});
    model.meshes.push_back({.name = "tetrahedron",
                            .vertices = {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}},
                            .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
    model.height_fields.push_back(
        {.name = "hills", .rows = 3, .columns = 4, .heights = {0, 1, 0.5, 0, 1, 0, 0.25, 1, 0, 0.5, 0, 1}});
    model.shapes[3].colour = {0.9F, 0.6F, 0.2F, 1};
    model.shapes[4].colour = {0.2F, 0.5F, 0.8F, 0.5F};
    return model;
}

Camera make_camera(double distance, double pitch, int width, int height)
{
    const Framing framing({.yaw = -90,
                           .pitch = pitch,
                           .distance = distance,
                           .target = Vec3{},
                           .field_of_view = 60,
                           .width = width,
                           .height = height},
                          {0, 0, 1});
    return framing.make_camera();
}

void for_samples(const DrawnScene& scene, const Camera& camera,
                 const std::function<void(double x, double y, std::uint32_t id, double inverse_depth)>& visit)
{
    ThreadPool pool(1);
    const TileList tiles(scene, camera, pool);
    const auto tile = std::make_unique<Tile>();
    for (int number = 0; number < tiles.tile_count(); ++number)
    {
        tiles.fill(number, *tile);
        for (std::size_t pixel = 0; pixel < kTile * kTile; ++pixel)
        {
            const int x = tile->x0 + static_cast<int>(pixel % kTile), y = tile->y0 + static_cast<int>(pixel / kTile);
            if (x >= camera.width || y >= camera.height) continue;
            for (std::size_t i = 0; i < kSamples; ++i)
            {
                visit(x + static_cast<double>(kPattern[i][0]) / kSubpixels,
                      y + static_cast<double>(kPattern[i][1]) / kSubpixels, tile->id[pixel][i],
                      static_cast<double>(tile->depth[pixel][i]));
            }
        }
    }
}

std::filesystem::path make_folder(const std::string& name)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("rattleback_render_" + name + "_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    return folder;
}

std::filesystem::path record_ball(const std::filesystem::path& folder, int count,
                                  const std::function<void(int frame, State& state)>& spoil)
{
    ModelBuilder builder("ball");
    builder.add_ground();
    const BodyId ball = builder.add_body({.name = "ball", .position = {0, 0, 0.2}});
    builder.add_shape(ball, Sphere{0.2}, {.density = 1000});
    const auto model = std::make_shared<const Model>(builder.build().value());
    std::filesystem::path path = folder / "ball.rec";
    Recorder recorder = Recorder::open(path, model, {}).value();
    State state(*model);
    Control control(*model);
    for (int i = 0; i < count; ++i)
    {
        state.body_pose[1] = {{0.1 * i, 0, 0.2}, from_axis_angle({0, 0, 1}, 0.1 * i)};
        if (spoil) spoil(i, state);
        const Status added =
            recorder.append({.time = 0.1 * i, .step = i, .world = state.world(0), .control = control.world(0)});
        if (!added.ok()) return {};
    }
    if (!recorder.close().ok()) return {};
    return path;
}

}  // namespace rattleback::lab
