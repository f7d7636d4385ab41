// Cameras, lights, visual materials and textures of MJCF: read, written back, and forgiven where they are wrong.
#include <rattleback/export.h>
#include <rattleback/import.h>

#include "support/make_png.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace rattleback
{
namespace
{

Imported read(const std::string& inside, const std::filesystem::path& folder = ".")
{
    Result<Imported> imported = parse_mjcf("<mujoco>" + inside + "</mujoco>", "test.xml", folder);
    EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
    return imported.ok() ? std::move(imported).value() : Imported{};
}

/// A folder with a picture of two by two pixels: red, green, blue, white.
std::filesystem::path make_picture_folder()
{
    // One for each process: others may write theirs while this one is read.
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("rattleback_appearance_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string rows{"\xFF\x00\x00\x00\xFF\x00\x00\x00\xFF\xFF\xFF\xFF", 12};
    std::ofstream(folder / "four.png", std::ios::binary) << make_png(2, rows, 6, 2);
    std::ofstream(folder / "huge.png", std::ios::binary) << make_png(60000, std::string(12, '\0'), 6, 2, 8, 60000);
    return folder;
}

constexpr const char* kScene = R"(
    <visual><headlight ambient="0.2 0.3 0.4" diffuse="0.1 0.1 0.1" active="0"/></visual>
    <default>
      <camera fovy="30"/>
      <default class="lit"><light castshadow="false" diffuse="0.9 0.8 0.7"/></default>
      <material specular="0.1"/>
    </default>
    <asset>
      <texture name="floor" type="2d" builtin="checker" rgb1="0.1 0.2 0.3" rgb2="0.2 0.3 0.4" mark="edge"
               markrgb="0.8 0.8 0.8" width="300" height="200"/>
      <texture type="skybox" name="sky" builtin="gradient" rgb1="0.3 0.5 0.7" rgb2="0 0 0" width="64"/>
      <material name="floor" texture="floor" texrepeat="5 4" texuniform="true" reflectance="0.2"/>
      <material name="red" rgba="0.9 0.1 0.1 0.5" shininess="0.9" emission="0.25"/>
    </asset>
    <worldbody>
      <light name="lamp" class="lit" pos="0 0 3" dir="0 0 -2" type="directional"/>
      <light pos="1 1 1" mode="targetbodycom" target="arm" attenuation="1 0.5 0.25" cutoff="30" exponent="2"/>
      <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
      <geom name="ground" type="plane" size="2 3 1" material="floor"/>
      <body name="arm" pos="1 2 3" quat="0.8 0 0.6 0">
        <joint type="hinge" axis="0 1 0"/>
        <geom name="ball" type="sphere" size="0.1" pos="0.5 0 0" material="red"/>
        <camera name="wrist" mode="trackcom" pos="0.1 0 0" fovy="60"/>
        <camera name="lens" mode="targetbody" target="world" resolution="640 480" sensorsize="0.0064 0.0048"
                focalpixel="600 610" principal="0.0001 -0.0002"/>
        <camera name="flat" projection="orthographic" fovy="2.5"/>
      </body>
    </worldbody>)";

TEST(MjcfAppearance, is_read_with_defaults_and_classes)
{
    const Imported imported = read(kScene);
    EXPECT_TRUE(imported.warnings.empty()) << to_text(imported.warnings);
    const Appearance& looks = imported.model.appearance;
    ASSERT_EQ(looks.cameras.size(), 4U);
    EXPECT_EQ(imported.model.find_camera("wrist")->index, 1);
    EXPECT_FALSE(imported.model.find_camera("nobody").has_value());
    EXPECT_EQ(looks.cameras[0].field_of_view, 30);
    EXPECT_EQ(looks.cameras[1].field_of_view, 60);
    EXPECT_EQ(looks.cameras[1].mode, FollowMode::track_com);
    EXPECT_EQ(looks.cameras[1].body.index, 1);
    EXPECT_EQ(looks.cameras[2].target.index, 0);
    EXPECT_NEAR(looks.cameras[2].focal[0], 600 * 0.0064 / 640, 1e-15);
    // Half the sensor's height over the focal length, 240 pixels over 610.
    EXPECT_NEAR(looks.cameras[2].field_of_view, 2 * std::atan(240.0 / 610) * 180 / kPi, 1e-9);
    EXPECT_TRUE(looks.cameras[3].orthographic);
    ASSERT_EQ(looks.lights.size(), 2U);
    EXPECT_EQ(looks.lights[0].type, LightType::directional);
    EXPECT_EQ(looks.lights[0].direction, (Vec3{0, 0, -1}));
    EXPECT_FALSE(looks.lights[0].cast_shadow);
    EXPECT_EQ(looks.lights[0].diffuse[2], 0.7);
    EXPECT_EQ(looks.lights[1].target.index, 1);
    ASSERT_TRUE(looks.headlight.has_value());
    EXPECT_FALSE(looks.headlight->active);
    EXPECT_EQ(looks.headlight->specular[0], 0.5);
    ASSERT_EQ(looks.textures.size(), 2U);
    EXPECT_EQ(looks.textures[0].pattern, TexturePattern::checker);
    EXPECT_EQ(looks.textures[1].type, TextureType::skybox);
    ASSERT_EQ(looks.materials.size(), 2U);
    EXPECT_EQ(looks.materials[0].texture.index, 0);
    EXPECT_EQ(looks.materials[0].specular, 0.1);
    ASSERT_EQ(looks.shapes.size(), 2U);
    EXPECT_EQ(looks.shapes[0].material.index, 0);
    EXPECT_EQ(looks.shapes[0].plane_size, (std::array<double, 2>{2, 3}));
    EXPECT_EQ(imported.model.shapes.colour[1][3], 0.5F);
}

TEST(MjcfAppearance, tells_where_a_tracking_camera_is_from_the_centre_of_mass)
{
    // The ball is the only mass: half a metre along the turned x axis, the camera a tenth.
    const Appearance looks = read(kScene).model.appearance;
    const Vec3 along = rotate(Quat{0.8, 0, 0.6, 0}, Vec3{1, 0, 0});
    EXPECT_LT(norm(looks.camera_reference[1].position - (0.1 - 0.5) * along), 1e-12);
}

TEST(MjcfAppearance, comes_back_from_what_is_written)
{
    const std::filesystem::path folder = make_picture_folder();
    const std::string pictures = R"(<asset><texture name="four" type="2d" file="four.png" vflip="true"/>
        <texture name="cube" type="cube" fileup="four.png" rgb1="0 1 0"/><material name="m" texture="four"/>
        <mesh name="sheet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 2 0 3"
              texcoord="0 0 1 0 0 1 0.5 0.5"/></asset>
        <worldbody><geom type="mesh" mesh="sheet" material="m"/></worldbody>)";
    for (const std::string& inside : {std::string(kScene), pictures})
    {
        const Model model = read(inside, folder).model;
        const Result<std::string> text = write_mjcf(model);
        ASSERT_TRUE(text.ok()) << to_text(text.errors());
        const Result<Imported> again = parse_mjcf(text.value(), "written.xml", "/");
        ASSERT_TRUE(again.ok()) << to_text(again.errors());
        EXPECT_EQ(fingerprint(again->model), fingerprint(model)) << text.value();
    }
    const Model model = read(pictures, folder).model;
    EXPECT_EQ(model.appearance.textures[0].png[0].size(), std::filesystem::file_size(folder / "four.png"));
    ASSERT_EQ(model.meshes[0].texcoords.size(), 12U);
    EXPECT_EQ(model.meshes[0].texcoords[1], (std::array<float, 2>{0, 1}));  // the second corner is vertex 2
}

TEST(MjcfAppearance, does_not_change_the_fingerprint_of_a_model_that_has_none)
{
    const std::string bare = "<worldbody><geom type=\"sphere\" size=\"1\" rgba=\"1 0 0 1\"/></worldbody>";
    const Model plain = read(bare).model;
    EXPECT_TRUE(plain.appearance.empty());
    EXPECT_EQ(fingerprint(read("<visual><quality shadowsize=\"512\"/></visual>" + bare).model), fingerprint(plain));
    EXPECT_NE(fingerprint(read("<worldbody><camera/></worldbody>" + bare).model), fingerprint(plain));
}

TEST(MjcfAppearance, leaves_out_what_it_cannot_show_and_says_so)
{
    const std::filesystem::path folder = make_picture_folder();
    struct Case
    {
        const char *inside, *said;
    };
    const std::string geom = "<geom type=\"box\" size=\"1 1 1\" material=\"m\"/>";
    for (const auto& [inside, said] : {
             Case{"<asset><texture name=\"t\" type=\"2d\" file=\"none.png\"/><material name=\"m\" "
                  "texture=\"t\"/></asset>",
                  "there is no texture file 'none.png'"},
             Case{"<asset><texture name=\"t\" type=\"2d\" file=\"huge.png\"/><material name=\"m\" "
                  "texture=\"t\"/></asset>",
                  "60000 x 60000 pixels"},
             Case{"<asset><texture name=\"t\" type=\"2d\" builtin=\"flat\" width=\"100000\" height=\"1\"/>"
                  "<material name=\"m\" texture=\"t\"/></asset>",
                  "out of range"},
             Case{"<asset><material name=\"m\" texrepeat=\"-1 2\"/></asset>", "'texrepeat' is negative"},
             Case{"<asset><material name=\"m\"/></asset><worldbody><camera fovy=\"0\"/></worldbody>", "'fovy'"},
             Case{"<asset><material name=\"m\"/></asset><worldbody><camera fovy=\"180\"/></worldbody>", "'fovy'"},
             Case{"<asset><material name=\"m\"/></asset><worldbody><body name=\"b\"><camera mode=\"targetbody\" "
                  "target=\"b\"/></body></worldbody>",
                  "the place where it stands"},
             Case{"<asset><material name=\"m\"/></asset><worldbody><camera mode=\"targetbody\" "
                  "target=\"x\"/></worldbody>",
                  "a body that is not there"},
             Case{"<asset><material name=\"m\"/></asset><worldbody><light dir=\"0 0 0\"/></worldbody>", "'dir'"},
         })
    {
        const Imported imported = read(inside + ("<worldbody>" + geom + "</worldbody>"), folder);
        ASSERT_EQ(imported.warnings.size(), 1U) << inside;
        EXPECT_NE(imported.warnings[0].text().find(said), std::string::npos) << imported.warnings[0].text();
        EXPECT_EQ(imported.model.shape_count(), 1) << inside;
        EXPECT_TRUE(validate(imported.model).empty()) << to_text(validate(imported.model));
    }
}

TEST(MjcfAppearance, refuses_a_texture_that_nobody_made)
{
    const Result<Imported> imported = parse_mjcf(
        "<mujoco><asset><texture name=\"tile\" type=\"2d\" builtin=\"flat\" width=\"1\" height=\"1\"/>"
        "<material name=\"m\" texture=\"tiles\"/></asset></mujoco>",
        "test.xml", ".");
    ASSERT_FALSE(imported.ok());
    EXPECT_NE(to_text(imported.errors()).find("there is no texture 'tiles'"), std::string::npos);
}

TEST(MjcfAppearance, textures_of_an_included_file_may_stand_beside_it)
{
    const std::filesystem::path folder = make_picture_folder(), parts = folder / "parts";
    std::filesystem::create_directories(parts);
    std::filesystem::copy_file(folder / "four.png", parts / "beside.png",
                               std::filesystem::copy_options::overwrite_existing);
    std::ofstream(parts / "looks.xml")
        << "<mujoco><asset><texture name='t' type='2d' file='beside.png'/></asset></mujoco>";
    const Model model = read("<include file='parts/looks.xml'/>", folder).model;
    ASSERT_EQ(model.appearance.textures.size(), 1U);
    EXPECT_EQ(model.appearance.textures[0].png[0].size(), std::filesystem::file_size(folder / "four.png"));
}

}  // namespace
}  // namespace rattleback
