// The file that is written: what it cannot hold, how short it is, what in it is for MuJoCo or for us alone.
#include "unit/import/write_test_support.h"

#include "lab/scenes/scenes.h"

namespace rattleback
{
namespace
{

TEST(WriteMjcf, names_that_xml_cannot_hold_are_errors_that_name_the_element)
{
    for (const std::string& name :
         {std::string("\x01"), std::string("a\0b", 3), std::string("\xFF\xFE"), std::string("\xC0\x80"),
          std::string("\xED\xA0\x80"), std::string("\x7F"), std::string("cut \xE7\x90")})
    {
        ModelBuilder builder;
        builder.add_shape(builder.add_body(), Sphere{0.1}, {.name = name});
        const Result<std::string> text = write_mjcf(build_good(builder));
        ASSERT_FALSE(text.ok());
        EXPECT_EQ(text.errors()[0].where, "shape 0");
        EXPECT_EQ(text.errors()[0].code, ErrorCode::unsupported);
    }
}

TEST(WriteMjcf, a_cable_is_an_error_that_names_it)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body();
    builder.add_shape(body, Sphere{0.1});
    builder.add_cable(body, kWorld, {.name = "cord"});
    const Result<std::string> text = write_mjcf(build_good(builder));
    ASSERT_FALSE(text.ok());
    EXPECT_EQ(text.errors()[0].where, "equality 'cord'");
    EXPECT_EQ(text.errors()[0].code, ErrorCode::unsupported);
}

TEST(WriteMjcf, a_chain_deeper_than_files_may_be_is_an_error)
{
    ModelBuilder builder;
    BodyId parent = kWorld;
    for (int i = 0; i < 300; ++i)
    {
        parent = builder.add_body({.parent = parent});
        builder.add_shape(parent, Sphere{0.1});
        builder.add_joint(parent, {.type = JointType::hinge});
    }
    const Result<std::string> text = write_mjcf(build_good(builder));
    ASSERT_FALSE(text.ok());
    EXPECT_EQ(text.errors()[0].code, ErrorCode::limit);
}

TEST(WriteMjcf, numbers_are_as_short_as_they_can_be)
{
    ModelBuilder builder("short");
    builder.add_shape(builder.add_body({.name = "b", .position = {0.1, 1e-7, 123456789}}), Sphere{0.3});
    const std::string text = write_good(build_good(builder));
    EXPECT_NE(text.find("pos=\"0.1 1e-07 123456789\""), std::string::npos) << text;
    EXPECT_NE(text.find("size=\"0.3\""), std::string::npos) << text;
}

TEST(WriteMjcf, a_model_of_mjcf_words_alone_needs_nothing_custom)
{
    const char* plain = R"(<mujoco model="plain"><option integrator="implicitfast" cone="elliptic"/><worldbody>
        <geom type="plane" size="0 0 1"/>
        <body name="a" pos="0 0 1"><freejoint name="f"/><geom name="g" size=".1" density="500" friction="2"/>
            <body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" range="-10 20" damping="1"/>
                <geom type="box" size=".1 .2 .3" euler="10 20 30"/><site name="s"/></body></body>
        </worldbody><actuator><position joint="j" kp="10" dampratio="1"/></actuator></mujoco>)";
    const Result<Imported> imported = parse_mjcf(plain, "plain.xml", ".");
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    const std::string text = write_good(imported.value().model);
    EXPECT_EQ(text.find("<custom>"), std::string::npos) << text;
    expect_round_trip(imported.value().model);
}

/// The text with the data of the first custom text replaced.
std::string with_custom(std::string text, const std::string& data)
{
    const std::size_t begin = text.find("data='") + 6, end = text.find('\'', begin);
    return text.replace(begin, end - begin, data);
}

TEST(WriteMjcf, a_custom_part_that_does_not_fit_is_an_error_with_its_place)
{
    const std::string text = write_good(lab::find_scene("pendulum").value()->build().value());
    for (const char* data :
         {"{", "[]", "3", "{\"bodies\":3}", "{\"bodies\":{\"nobody\":{\"parent\":\"else\"}}}",
          "{\"settings\":{\"dt\":\"soon\"}}", "{\"settings\":{\"integrator\":\"rk5\"}}", "{\"settings\":{\"new\":1}}",
          "{\"settings\":{\"dt\":-1}}", "{\"joints\":{\"pivot\":{\"range\":[1,2]}}}", "{\"joints\":{\"pivot\":7}}",
          "{\"shapes\":{\"x\":{}}}", "{\"tracks\":[{\"body\":\"rod\"}]}",
          "{\"joints\":{\"pivot\":{\"start_q\":[1,2,3]}}}", "{\"meshes\":{\"m\":{\"vertices\":[1,2]}}}",
          "{\"a\":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}"})
    {
        const Result<Imported> imported = parse_mjcf(with_custom(text, data), "bad.xml", ".");
        ASSERT_FALSE(imported.ok()) << data;
        EXPECT_EQ(imported.errors()[0].where.substr(0, 8), "bad.xml:") << data;
        EXPECT_FALSE(imported.errors()[0].hint.empty()) << data;
    }
}

TEST(WriteMjcf, what_is_added_by_hand_to_a_written_file_is_read_with_the_rest)
{
    const Model model = lab::find_scene("pendulum").value()->build().value();
    std::string text = write_good(model);
    text.insert(text.find("</worldbody>"), "<geom name=\"new\" size=\"0.5\"/><site name=\"mark\"/>");
    const Result<Imported> imported = parse_mjcf(text, "edited.xml", ".");
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    const Model& edited = imported.value().model;
    EXPECT_EQ(edited.shape_count(), model.shape_count() + 1);
    EXPECT_TRUE(edited.find_shape("new") && edited.find_site("mark"));
    EXPECT_EQ(edited.initial_q, model.initial_q);
    EXPECT_EQ(edited.settings.integrator, model.settings.integrator);
}

TEST(WriteMjcf, what_is_only_for_mujoco_is_in_the_file_and_not_in_the_model)
{
    ModelBuilder builder("helpers");
    const BodyId body = builder.add_body({.name = "b", .linear_velocity = {1, 0, 0}});
    builder.add_shape(body, Sphere{0.1}, {.material = builder.add_material({.softness = Spring{4000, 20}})});
    builder.add_sensor(SensorType::gyro, body, "turning");
    const Model model = build_good(builder);
    const std::string text = write_good(model);
    EXPECT_NE(text.find("<gyro name=\"turning\" site=\"rattleback site 0\"/>"), std::string::npos) << text;
    EXPECT_NE(text.find("<key name=\"rattleback start\" qpos=\"0 0 0 1 0 0 0\" qvel=\"1 0 0 0 0 0\"/>"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("solref=\"-"), std::string::npos) << text;  // stiffness and damping per mass
    const Result<Imported> imported = parse_mjcf(text, "helpers.xml", ".");
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    EXPECT_EQ(imported.value().model.site_count(), 0);
    EXPECT_TRUE(imported.value().model.keyframes.empty());
}

}  // namespace
}  // namespace rattleback
