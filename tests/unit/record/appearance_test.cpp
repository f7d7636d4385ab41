// Appearances in recordings: all of it comes back, bad ones are refused, and files without one are as they were.
#include <rattleback/builder.h>

#include "made_frames.h"
#include "record/recording_format.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

std::shared_ptr<const Model> make_dressed_box()
{
    ModelBuilder builder("dressed");
    TextureOptions picture{.name = "photo", .type = TextureType::flat};
    picture.png = {{std::byte{1}, std::byte{2}, std::byte{255}}};  // recordings keep bytes, whatever they are
    const TextureId photo = builder.add_texture(picture);
    builder.add_texture({.type = TextureType::skybox, .pattern = TexturePattern::gradient, .width = 8});
    const VisualMaterialId paint = builder.add_visual_material({.name = "paint", .texture = photo, .uniform = true});
    const BodyId body = builder.add_body({.name = "box"});
    ShapeOptions options;
    options.visual = paint;
    builder.add_shape(body, Box{}, options);
    builder.add_ground();
    const MeshId sheet = builder.add_mesh({.name = "sheet",
                                           .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                           .triangles = {{0, 1, 2}},
                                           .texcoords = {{0, 0}, {1, 0}, {0, 0.5F}}});
    builder.add_shape(kWorld, Surface{sheet}, options);
    builder.add_camera({.name = "eye", .body = body, .position = {1, 2, 3}, .mode = FollowMode::track});
    builder.add_light({.name = "lamp", .direction = {0, 1, -1}, .type = LightType::point});
    builder.set_headlight({.active = false, .ambient = {0.1, 0.2, 0.3}});
    Result<Model> model = builder.build();
    EXPECT_TRUE(model.ok()) << to_text(model.errors());
    return std::make_shared<const Model>(std::move(model).value());
}

/// Bytes that say all of a recorded model.
std::vector<std::byte> to_bytes(const RecordedModel& model)
{
    std::vector<std::byte> bytes;
    append_model(bytes, model);
    return bytes;
}

TEST(RecordedAppearance, comes_back_with_every_number)
{
    const auto model = make_dressed_box();
    const std::filesystem::path path = temporary_path("dressed.rec");
    write_recording(path, model, 2, {});
    Result<Recording> loaded = load_recording(path);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    const Recording recording = std::move(loaded).value();
    const RecordedModel& read = recording.model();
    EXPECT_EQ(to_bytes(read), to_bytes(make_recorded_model(*model, {})));
    ASSERT_EQ(read.appearance.cameras.size(), 1U);
    EXPECT_EQ(read.appearance.cameras[0].name, "eye");
    EXPECT_EQ(read.appearance.cameras[0].mode, FollowMode::track);
    EXPECT_EQ(read.appearance.camera_reference[0].position, (Vec3{1, 2, 3}));
    EXPECT_EQ(read.appearance.textures[0].png, model->appearance.textures[0].png);
    EXPECT_EQ(read.appearance.shapes[0].material.index, 0);
    EXPECT_EQ(read.appearance.shapes[1].material.index, -1);
    EXPECT_FALSE(read.appearance.headlight->active);
    EXPECT_EQ(read.meshes[0].texcoords[2], (std::array<float, 2>{0, 0.5F}));
    std::filesystem::remove(path);
}

TEST(RecordedAppearance, is_written_in_an_older_format_where_there_is_none)
{
    EXPECT_EQ(find_version(make_recorded_model(*make_single_box(), {})), 4U);
    EXPECT_EQ(find_version(make_recorded_model(*make_dressed_box(), {})), 5U);
    // Version 4 of a dressed model is read as one without an appearance.
    std::vector<std::byte> old;
    append_model(old, make_recorded_model(*make_dressed_box(), {}), 4);
    const Result<RecordedModel> read = read_model(old, 4);
    ASSERT_TRUE(read.ok()) << to_text(read.errors());
    EXPECT_TRUE(read->appearance.empty());
}

TEST(RecordedAppearance, with_bad_indices_or_numbers_is_refused)
{
    const RecordedModel good = make_recorded_model(*make_dressed_box(), {});
    ASSERT_TRUE(read_model(to_bytes(good)).ok());
    const auto expect_refused = [&](const auto& spoil)
    {
        RecordedModel bad = good;
        spoil(bad.appearance);
        EXPECT_FALSE(read_model(to_bytes(bad)).ok());
    };
    expect_refused([](Appearance& x) { x.cameras[0].body.index = 7; });
    expect_refused([](Appearance& x) { x.cameras[0].field_of_view = 180; });
    expect_refused([](Appearance& x) { x.cameras[0].position.x = std::numeric_limits<double>::quiet_NaN(); });
    expect_refused([](Appearance& x) { x.lights[0].target.index = -2; });
    expect_refused([](Appearance& x) { x.lights[0].direction = {}; });
    expect_refused([](Appearance& x) { x.textures[1].width = 1 << 20; });
    expect_refused([](Appearance& x) { x.textures[0].png.clear(); });
    expect_refused([](Appearance& x) { x.materials[0].texture.index = 2; });
    expect_refused([](Appearance& x) { x.shapes.pop_back(); });
    expect_refused([](Appearance& x) { x.camera_reference.clear(); });
}

}  // namespace
}  // namespace rattleback
