// Bad MJCF ends in errors that say where and what, in bounded time and memory.
#include <clocale>
#include <locale>

#include "unit/import/mjcf_test_support.h"

namespace rattleback
{
namespace
{

TEST(MjcfBadInput, a_missing_file_is_named)
{
    const auto result = load_mjcf("/nonexistent/robot.xml");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors()[0].code, ErrorCode::io);
    EXPECT_NE(result.errors()[0].text().find("/nonexistent/robot.xml"), std::string::npos);
    EXPECT_FALSE(load_mjcf("/tmp").ok());
}

TEST(MjcfBadInput, an_empty_file_and_garbage_are_errors_with_a_place)
{
    EXPECT_TRUE(has_error(parse_bad(""), "test.xml:1:1", "empty"));
    EXPECT_TRUE(has_error(parse_bad(" \n\t "), "test.xml:1:1", "empty"));
    EXPECT_TRUE(has_error(parse_bad(std::string("<muj\0co>", 8)), "test.xml:1:5", "not a text file"));
    EXPECT_TRUE(has_error(parse_bad("\xff\xfe\x12 binary \x80 garbage"), "test.xml:1:21", "not XML"));
    EXPECT_TRUE(has_error(parse_bad("<mujoco>\n<worldbody>\n</mujoco>"), "test.xml:3:3", "not XML"));
    EXPECT_TRUE(has_error(parse_bad("<robot/>"), "test.xml:1:1", "'robot' instead of 'mujoco'"));
}

TEST(MjcfBadInput, a_million_nested_elements_are_refused)
{
    std::string text = "<mujoco><worldbody>";
    for (int i = 0; i < 1'000'000; ++i) text += "<body>";
    for (int i = 0; i < 1'000'000; ++i) text += "</body>";
    text += "</worldbody></mujoco>";
    const auto errors = parse_bad(text);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].code, ErrorCode::limit);
    EXPECT_NE(errors[0].text().find("at most 256 levels"), std::string::npos);
}

TEST(MjcfBadInput, limits_hold_for_elements_strings_and_replicas)
{
    ImportOptions options;
    options.limits.elements = 100;
    options.limits.string_length = 10;
    const std::string many =
        "<mujoco><worldbody><replicate count='1000000000'><site/></replicate></worldbody></mujoco>";
    EXPECT_EQ(parse_bad(many, options)[0].code, ErrorCode::limit);
    std::string sites;
    for (int i = 0; i < 200; ++i) sites += "<site/>";
    EXPECT_EQ(parse_bad("<mujoco><worldbody>" + sites + "</worldbody></mujoco>", options)[0].code, ErrorCode::limit);
    EXPECT_EQ(parse_bad("<mujoco><worldbody><site name='much too long'/></worldbody></mujoco>", options)[0].code,
              ErrorCode::limit);
}

TEST(MjcfBadInput, every_problem_is_reported_with_line_and_column)
{
    const auto errors = parse_bad(
        "<mujoco>\n"
        "  <worldbody>\n"
        "    <body naem='arm'>\n"
        "      <jiont/>\n"
        "      <geom size='0.1 x'/>\n"
        "      <geom type='boxx' size='1 1 1'/>\n"
        "      <geom size='1 2 3 4'/>\n"
        "      <inertial mass='1'/>\n"
        "      <joint limited='yes'/>\n"
        "      <geom condim='2.5'/>\n"
        "    </body>\n"
        "  </worldbody>\n"
        "</mujoco>\n");
    EXPECT_TRUE(has_error(errors, "test.xml:3:11", "unknown attribute 'naem' of 'body' (did you mean 'name'?)"));
    EXPECT_TRUE(has_error(errors, "test.xml:4:7", "unknown element 'jiont' in 'body' (did you mean 'joint'?)"));
    EXPECT_TRUE(has_error(errors, "test.xml:5:13", "finite numbers"));
    EXPECT_TRUE(has_error(errors, "test.xml:6:13", "did you mean 'box'?"));
    EXPECT_TRUE(has_error(errors, "test.xml:7:13", "has 4 numbers (it needs 1 to 3)"));
    EXPECT_TRUE(has_error(errors, "test.xml:8:7", "needs the attribute 'pos'"));
    EXPECT_TRUE(has_error(errors, "test.xml:9:14", "'yes'"));
    EXPECT_TRUE(has_error(errors, "test.xml:10:13", "whole number"));
    EXPECT_EQ(errors.size(), 8U) << to_text(errors);
}

TEST(MjcfBadInput, numbers_that_are_not_finite_are_refused)
{
    for (const char* number : {"nan", "NaN", "inf", "-inf", "1e999", "1,5", "0x10", "1.5.2", "--1", "1e"})
    {
        const std::string text = std::string("<mujoco><worldbody><geom size='") + number + "'/></worldbody></mujoco>";
        EXPECT_EQ(parse_bad(text)[0].where, "test.xml:1:26") << number;
    }
    // An empty list counts as not written: the sphere has no radius, as in MuJoCo, and it is the geom that is wrong.
    const auto missing = parse_bad("<mujoco><worldbody><geom size=''/></worldbody></mujoco>");
    EXPECT_EQ(missing[0].where, "test.xml:1:20") << to_text(missing);
    const Model model = parse_world("<geom size='+1e-1'/><geom size=' .25 '/><site pos='1e-400 -0 5.'/>");
    EXPECT_EQ(model.shapes.size[0].x, 0.1);
    EXPECT_EQ(model.shapes.size[1].x, 0.25);
    EXPECT_EQ(model.sites.pose[0].position, (Vec3{0, 0, 5}));
}

TEST(MjcfBadInput, names_used_twice_and_names_of_nothing_are_found)
{
    const auto errors = parse_bad(
        "<mujoco><worldbody>\n"
        "<body name='a'><joint name='j'/><geom size='1'/></body>\n"
        "<body name='a'/>\n"
        "</worldbody><actuator>\n"
        "<motor joint='jj'/></actuator>\n"
        "<contact><exclude body1='a' body2='none'/></contact></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:3:1", "the name 'a' is used twice"));
    EXPECT_TRUE(has_error(errors, "test.xml:5:8", "there is no joint 'jj' (did you mean 'j'?)") ||
                has_error(errors, "test.xml:5:8", "there is no joint 'jj'"));
    EXPECT_TRUE(has_error(errors, "test.xml:6:29", "there is no body 'none'"));
}

TEST(MjcfBadInput, what_is_not_supported_is_named_with_its_line)
{
    const auto errors = parse_bad(
        "<mujoco>\n"
        "<worldbody>\n"
        "<flexcomp name='f'/>\n"
        "<composite/>\n"
        "<geom name='s' type='sdf' size='1'/>\n"
        "<geom size='1'/>\n"
        "</worldbody>\n"
        "<tendon/>\n"
        "<actuator>\n<muscle/>\n<plugin/>\n<position slidersite='x' cranksite='y'/></actuator>\n"
        "<extension><plugin/></extension></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:3:1", "'flexcomp' is not supported"));
    EXPECT_TRUE(has_error(errors, "test.xml:4:1", "'composite' is no part of MJCF since MuJoCo 4.0"));
    EXPECT_TRUE(has_error(errors, "test.xml:5:1", "'sdf' is not supported"));
    EXPECT_TRUE(has_error(errors, "test.xml:11:1", "'plugin' is not supported"));
    EXPECT_TRUE(has_error(errors, "test.xml:13:1", "'extension' is not supported"));
}

TEST(MjcfBadInput, an_include_that_includes_itself_or_comes_twice_is_refused)
{
    const TemporaryFolder folder;
    folder.write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
    folder.write("b.xml", "<mujoco>\n<include file='a.xml'/></mujoco>");
    const auto cycle = load_mjcf(folder.path() / "a.xml");
    ASSERT_FALSE(cycle.ok());
    EXPECT_TRUE(has_error(cycle.errors(), (folder.path() / "b.xml").generic_string() + ":2:1", "included twice"));

    folder.write("c.xml", "<mujoco><option timestep='0.001'/></mujoco>");
    folder.write("d.xml", "<mujoco><include file='c.xml'/>\n<include file='c.xml'/></mujoco>");
    const auto twice = load_mjcf(folder.path() / "d.xml");
    ASSERT_FALSE(twice.ok());
    EXPECT_TRUE(has_error(twice.errors(), (folder.path() / "d.xml").generic_string() + ":2:1", "included twice"));
    EXPECT_FALSE(parse_mjcf("<mujoco><include file='no.xml'/></mujoco>", "t", folder.path()).ok());
}

TEST(MjcfBadInput, models_that_attach_each_other_in_a_circle_are_refused_at_once)
{
    // Twice in each: sixteen levels of that would be many readings.
    const TemporaryFolder folder;
    const auto make = [](const std::string& file)
    {
        return "<mujoco><asset><model name='m' file='" + file + "'/><model name='n' file='" + file +
               "'/></asset><worldbody><attach model='m' prefix='m'/><attach model='n' "
               "prefix='n'/></worldbody></mujoco>";
    };
    const auto path = folder.write("a.xml", make("b.xml"));
    folder.write("b.xml", make("a.xml"));
    const auto result = load_mjcf(path);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(to_text(result.errors()).find("the model 'a.xml' attaches itself"), std::string::npos);
    EXPECT_LE(result.errors().size(), 4U) << to_text(result.errors());
}

TEST(MjcfBadInput, replicas_without_end_are_refused_even_when_they_are_empty)
{
    for (const char* inside : {"", "<geom size='1'/>", "<replicate count='1000000000'/>"})
    {
        const auto errors = parse_bad("<mujoco><worldbody>\n<replicate count='1000000000'>" + std::string(inside) +
                                      "</replicate></worldbody></mujoco>");
        EXPECT_EQ(errors[0].code, ErrorCode::limit) << to_text(errors);
        EXPECT_TRUE(has_error(errors, errors[0].where, "too many elements"));
    }
    EXPECT_TRUE(has_error(parse_bad("<mujoco><worldbody>\n<replicate count='-1'/></worldbody></mujoco>"),
                          "test.xml:2:1", "'count' of 'replicate' is negative"));
}

TEST(MjcfBadInput, attachments_without_a_model_name_a_part_that_stands_before_them)
{
    const auto attach = [](const std::string& words)
    {
        return parse_bad("<mujoco><worldbody>\n<attach prefix='x' " + words +
                         "/><body name='b'><geom size='1'/></body></worldbody></mujoco>");
    };
    EXPECT_TRUE(has_error(attach(""), "test.xml:2:1", "needs 'body' or 'frame'"));
    EXPECT_TRUE(has_error(attach("body='b'"), "test.xml:2:1", "there is no body 'b' before this element"));
    EXPECT_TRUE(has_error(attach("frame='b'"), "test.xml:2:1", "there is no frame 'b' before this element"));
    // Every copy holds all that came before: doubling ends at the limit.
    std::string doubling = "<body name='b'><geom size='1'/>";
    for (int i = 0; i < 60; ++i)
        doubling += "<attach body='b' prefix='" + std::string(static_cast<std::size_t>(i + 1), 'p') + "'/>";
    ImportOptions options;
    options.limits.elements = 10'000;
    const auto errors = parse_bad("<mujoco><worldbody>" + doubling + "</body></worldbody></mujoco>", options);
    EXPECT_EQ(errors[0].code, ErrorCode::limit) << to_text(errors);
}

TEST(MjcfBadInput, numbers_of_built_in_meshes_are_checked)
{
    const auto make = [](const std::string& words)
    { return parse_bad("<mujoco><asset>\n<mesh name='m' builtin=" + words + "/></asset></mujoco>"); };
    EXPECT_TRUE(has_error(make("'sphere'"), "test.xml:2:16", "takes 1 numbers in 'params'"));
    EXPECT_TRUE(has_error(make("'sphere' params='5'"), "test.xml:2:16", "cannot have 5"));
    EXPECT_TRUE(has_error(make("'grid' params='1e9 1e9 1e9 1 1 1'"), "test.xml:2:16", "cannot have 1000000000"));
    EXPECT_TRUE(has_error(make("'cone' params='3.5 0'"), "test.xml:2:16", "cannot have 3.5"));
    EXPECT_TRUE(has_error(make("'cube' params='1'"), "test.xml:2:16", "there is no built-in mesh 'cube'"));
    EXPECT_TRUE(has_error(make("'disc' params='3 3 2 1 1 1'"), "test.xml:2:16", "cannot have 2"));
    EXPECT_TRUE(has_error(make("'box' params='3 3 3 1 1 1 1'"), "test.xml:2:16", "a surface (2) or a solid (3)"));
    EXPECT_TRUE(has_error(make("'grid' params='3 3 3 1 1 1 2'"), "test.xml:2:16", "one layer"));
    EXPECT_TRUE(has_error(make("'plate' params='1 6'"), "test.xml:2:16", "cannot have 1"));
}

struct Comma : std::numpunct<char>
{
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(MjcfBadInput, a_locale_with_a_decimal_comma_changes_nothing)
{
    const std::locale old_streams = std::locale::global(std::locale(std::locale(), new Comma));
    const std::string old = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"})
    {
        if (std::setlocale(LC_ALL, name)) break;  // where one is installed
    }
    const Model model = parse_world("<geom size='0.25'/><geom size='1234.5'/>");
    const auto errors = parse_bad("<mujoco><worldbody><geom size='0,25'/></worldbody></mujoco>");
    std::setlocale(LC_ALL, old.c_str());
    std::locale::global(old_streams);
    EXPECT_EQ(model.shapes.size[0].x, 0.25);
    EXPECT_EQ(model.shapes.size[1].x, 1234.5);
    EXPECT_TRUE(has_error(errors, "test.xml:1:26", "finite numbers"));
}

TEST(MjcfBadInput, mistakes_that_the_builder_finds_have_a_place_too)
{
    const auto errors = parse_bad(
        "<mujoco><worldbody>\n"
        "<body name='heavy'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/></body>\n"
        "</worldbody></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:2:59", "body 'heavy': diaginertia: no solid has the principal moments"))
        << to_text(errors);
}

TEST(MjcfBadInput, mistakes_of_every_stage_are_reported_at_once_in_the_order_of_the_file)
{
    const auto errors = parse_bad(
        "<mujoco>\n"
        "<option timestep='-1'/>\n"
        "<worldbody>\n"
        "<body name='arm' colour='red'>\n"                         // of the schema
        "<joint name='elbow' springyield='-2'/>\n"                 // of the builder
        "<inertial pos='0 0 0' mass='-3' diaginertia='1 1 1'/>\n"  // of the builder
        "<geom name='foot' size='0.1' condim='2'/>\n"              // of the builder, on a material
        "<geom size='0.1' mass='-1'/>\n"                           // of the assembly
        "</body>\n"
        "</worldbody>\n"
        "<actuator><motor joint='elbwo'/></actuator>\n"  // a reference
        "<tendon><fixed name='t' range='2 1' limited='true'><joint joint='elbow' coef='1'/></fixed></tendon>\n"
        "</mujoco>\n");
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"test.xml:2:9", "option: timestep: dt -1 is not positive"},
        {"test.xml:4:18", "unknown attribute 'colour' of 'body'"},
        {"test.xml:5:21", "joint 'elbow': springyield: spring yield -0.034"},
        {"test.xml:6:23", "body 'arm': mass -3 is not positive"},
        {"test.xml:7:30", "geom 'foot': condim: dimension 2 is not one of"},
        {"test.xml:8:18", "'mass' of 'geom' is negative"},
        {"test.xml:11:18", "there is no joint 'elbwo' (did you mean 'elbow'?)"},
        {"test.xml:12:25", "'range' is empty"}};
    ASSERT_EQ(errors.size(), expected.size()) << to_text(errors);
    for (std::size_t i = 0; i < errors.size(); ++i)
    {
        EXPECT_EQ(errors[i].where, expected[i].first) << errors[i].text();
        EXPECT_NE(errors[i].text().find(expected[i].second), std::string::npos) << errors[i].text();
    }
}

TEST(MjcfBadInput, a_number_from_a_default_class_is_located_in_the_class)
{
    const auto errors = parse_bad(
        "<mujoco><default>\n"
        "<geom condim='2'/><joint springyield='-1'/></default>\n"
        "<worldbody><body><joint/><geom size='1'/></body><body><joint/><geom size='2'/></body></worldbody></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:2:7", "geom: condim: dimension 2 is not one of")) << to_text(errors);
    EXPECT_TRUE(has_error(errors, "test.xml:2:26", "joint: springyield: spring yield -0.017")) << to_text(errors);
    EXPECT_EQ(errors.size(), 2U) << "once for all that inherit it: " << to_text(errors);
}

TEST(MjcfBadInput, a_value_that_holds_the_name_of_the_next_attribute_is_not_taken_for_it)
{
    const auto errors = parse_bad(
        "<mujoco><worldbody><body>\n"
        "<joint name='springyield' springyield='-1'/><geom size='1'/></body></worldbody></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:2:27", "joint 'springyield': springyield: spring yield -0.017"))
        << to_text(errors);
}

TEST(MjcfBadInput, pairs_condim_and_keyframes_are_located_at_their_attributes)
{
    const auto errors = parse_bad(
        "<mujoco><worldbody>\n"
        "<body name='a'><freejoint/><geom name='ga' size='1' condim='2'/></body>\n"
        "<body name='b'><freejoint/><geom name='gb' size='1'/></body>\n"
        "</worldbody><contact>\n"
        "<pair geom1='ga' geom2='gb' condim='5'/>\n"
        "</contact><keyframe>\n"
        "<key name='k' qpos='1 2 3 1 0 0 0 1 2 3 1 0 0 0 5'/></keyframe></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:2:53", "geom 'ga': condim: dimension 2 is not one of"));
    EXPECT_TRUE(has_error(errors, "test.xml:5:29", "pair: condim: dimension 5 is not one of"));
    EXPECT_TRUE(has_error(errors, "test.xml:7:15", "key 'k': qpos: q has 15 numbers instead of 14"));
    EXPECT_EQ(errors.size(), 3U) << to_text(errors);
}

TEST(MjcfBadInput, what_only_follows_from_another_mistake_is_not_reported)
{
    // The body has no mass because of the geom, the tendon no joint, the key no place for its numbers, the motor no
    // joint because of 'jiont', and the mesh no vertices: one mistake each.
    const auto errors = parse_bad(
        "<mujoco><asset><mesh name='m' file='no_such_file.obj'/></asset><worldbody>\n"
        "<body><joint name='free'/><geom size='x'/></body>\n"
        "<body><jiont name='hip'/><geom type='mesh' mesh='m'/></body>\n"
        "</worldbody>\n"
        "<tendon><fixed><joint joint='hip' coef='1'/></fixed></tendon>\n"
        "<actuator><motor joint='hip'/></actuator>\n"
        "<keyframe><key qpos='0 0'/></keyframe></mujoco>");
    EXPECT_TRUE(has_error(errors, "test.xml:1:31", "no_such_file.obj")) << to_text(errors);
    EXPECT_TRUE(has_error(errors, "test.xml:2:33", "finite numbers"));
    EXPECT_TRUE(has_error(errors, "test.xml:3:7", "unknown element 'jiont'"));
    // The tendon is left without a joint: its one reference leads to what was lost.
    EXPECT_EQ(errors.size(), 3U) << to_text(errors);

    const auto lost = parse_bad(
        "<mujoco><include file='no_such_file.xml'/>\n"
        "<actuator><motor joint='hip'/></actuator></mujoco>");
    EXPECT_EQ(lost.size(), 1U) << "the joint may be in the file: " << to_text(lost);
}

TEST(MjcfBadInput, what_stands_before_an_error_of_syntax_is_checked_too)
{
    const auto errors = parse_bad(
        "<mujoco>\n"
        "<worldbody>\n"
        "<geom sise='1'/>\n"
        "<body><geom size='1'/>\n"
        "</worldbody>\n"
        "</mujoco>\n");
    EXPECT_TRUE(has_error(errors, "test.xml:3:7", "unknown attribute 'sise'")) << to_text(errors);
    EXPECT_TRUE(has_error(errors, "test.xml:5:3", "not XML")) << to_text(errors);
    EXPECT_EQ(errors.size(), 2U) << to_text(errors);
}

TEST(MjcfBadInput, errors_beyond_a_thousand_are_left_out_with_a_note_at_the_end)
{
    std::string text = "<mujoco><worldbody>\n";
    for (int i = 0; i < 1500; ++i) text += "<geom sise='1'/>\n";
    const auto errors = parse_bad(text + "</worldbody></mujoco>");
    ASSERT_EQ(errors.size(), 1001U);
    EXPECT_EQ(errors[999].where, "test.xml:1001:7");
    EXPECT_NE(errors[1000].message.find("more than 1000 errors"), std::string::npos);
}

TEST(MjcfBadInput, a_sensor_that_cannot_be_says_why)
{
    const std::string tree =
        "<mujoco><worldbody><body name='arm'><joint name='j'/><geom name='g' size='1'/><site name='s'/>\n"
        "<camera name='c' mode='track'/></body></worldbody><sensor>\n";
    const std::pair<const char*, const char*> cases[] = {
        {"<framepos objtype='body' objname='leg'/>", "there is no body 'leg'"},
        {"<framepos objtype='joint' objname='j'/>", "objtype"},
        {"<framepos objtype='body' objname='arm' refname='arm'/>", "'reftype' and 'refname' belong together"},
        {"<ballquat joint='j'/>", "ball sensors need a ball joint"},
        {"<gyro site='s' cutoff='-1'/>", "cutoff -1 is negative"},
        {"<gyro site='s' delay='.1'/>", "delay and interval need samples"},
        {"<distance geom1='g'/>", "one of geom2, body2 must be given"},
        {"<distance geom1='g' body1='arm' geom2='g'/>", "only one of geom1, body1 must be given"},
        {"<contact geom1='g' site='s'/>", "only one of geom1, body1, subtree1, site must be given"},
        {"<contact data='force found'/>", "'found' comes too late in 'data'"},
        {"<contact data='heat'/>", "'data' has no 'heat'"},
        {"<contact num='0'/>", "count must be positive"},
        {"<contact reduce='netforce' data='linvel'/>", "the net contact has no velocity"},
        {"<rangefinder/>", "a rangefinder needs a site or a camera"},
        {"<user dim='1000000000'/>", "count must be positive, and at most"},
        {"<camprojection site='s' camera='lens'/>", "there is no camera 'lens'"},
        {"<insidesite site='s' objtype='camera' objname='c' enclosed='true'/>", "a camera has no volume"},
    };
    for (const auto& [sensor, message] : cases)
    {
        const auto errors = parse_bad(tree + sensor + "</sensor></mujoco>");
        EXPECT_EQ(errors.size(), 1U) << sensor << "\n" << to_text(errors);
        EXPECT_NE(to_text(errors).find(message), std::string::npos) << sensor << "\n" << to_text(errors);
    }
    EXPECT_TRUE(parse_mjcf(tree + "<rangefinder camera='c'/></sensor></mujoco>", "t.xml", ".").ok())
        << "a camera that follows its target";
    const auto tactile = parse_bad(tree + "<tactile geom='g' mesh='m'/></sensor></mujoco>");
    EXPECT_NE(to_text(tactile).find("there is no mesh 'm'"), std::string::npos) << to_text(tactile);
}

TEST(MjcfBadInput, load_model_goes_by_the_extension)
{
    const auto result = load_model("robot.step");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors()[0].code, ErrorCode::unsupported);
    EXPECT_NE(result.errors()[0].hint.find(".xml"), std::string::npos);
    const TemporaryFolder folder;
    EXPECT_TRUE(load_model(folder.write("a.XML", "<mujoco/>")).ok());
}

TEST(MjcfBadInput, what_mujocos_parser_forgives_is_a_warning)
{
    const auto warnings = [](const std::string& text)
    {
        const Result<Imported> imported = parse_mjcf(text, "test.xml", ".");
        EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
        return imported.ok() ? imported->warnings : std::vector<Error>{};
    };
    const std::string body = "<worldbody>\n<!-- a=\"1\"b -->\n<geom name=\"a\"size='1'rgba=\"1 0 0 1\"/></worldbody>";
    EXPECT_TRUE(has_error(warnings("<mujoco>" + body + "</mujoco>"), "test.xml:3:15", "no space"));
    EXPECT_TRUE(has_error(warnings("<mujoco><worldbody/>\n</mujoco>\n</mujoco>\n"), "test.xml:3:3", "closing tag"));
    // The places of mistakes stay right.
    EXPECT_TRUE(has_error(parse_bad("<mujoco>" + body + "\n<colour/></mujoco>"), "test.xml:4:1", "colour"));
    EXPECT_FALSE(parse_bad("<mujoco><worldbody></mujoco></worldbody>").empty());
}

}  // namespace
}  // namespace rattleback
