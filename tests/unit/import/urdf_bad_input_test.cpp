// URDF that is wrong: every mistake is found, named and placed, within bounded time and memory.
#include "urdf_test_support.h"

namespace rattleback
{
namespace
{

std::string find_robot_fault(const std::string& content) { return to_text(parse_robot(content).errors()); }

#define EXPECT_FAULT(content, words)                                                      \
    do                                                                                    \
    {                                                                                     \
        const std::string fault = find_robot_fault(content);                              \
        EXPECT_NE(fault.find(words), std::string::npos) << "found: " << fault;            \
        EXPECT_NE(fault.find("robot.urdf:"), std::string::npos) << "no place: " << fault; \
    } while (false)

TEST(UrdfBadInput, a_loop_of_links_is_named)
{
    const std::string links = make_link("root") + make_link("a") + make_link("b") + make_link("c");
    const std::string loop =
        make_joint("ab", "fixed", "a", "b") + make_joint("bc", "fixed", "b", "c") + make_joint("ca", "fixed", "c", "a");
    EXPECT_FAULT(links + loop, "form a loop: 'a' held by 'c' held by 'b' held by 'a'");
    EXPECT_FAULT(
        make_link("a") + make_link("b") + make_joint("x", "fixed", "a", "b") + make_joint("y", "fixed", "b", "a"),
        "no link is the root");
    EXPECT_FAULT(make_link("a") + make_joint("x", "fixed", "a", "a"), "at itself");
}

TEST(UrdfBadInput, roots_parents_and_names_are_checked)
{
    EXPECT_FAULT("", "has no links");
    EXPECT_FAULT(make_link("a") + make_link("b") + make_link("c"), "'a' and 'b' both have no parent, and 1 more");
    EXPECT_FAULT(make_link("a") + make_link("a"), "used twice");
    EXPECT_FAULT(make_link("a") + make_link("b") + make_link("c") + make_joint("x", "fixed", "a", "c") +
                     make_joint("y", "fixed", "b", "c"),
                 "is the child of joint 'y' and of joint 'x'");
    EXPECT_FAULT(make_link("arm") + make_link("b") + make_joint("x", "fixed", "amr", "b"), "did you mean 'arm'");
    EXPECT_FAULT(make_link("a") + make_link("b") + make_joint("x", "revolut", "a", "b"), "did you mean 'revolute'");
    // Both mistakes of one joint.
    const std::string both = make_link("arm") + make_link("b") + make_joint("x", "revolut", "amr", "b");
    EXPECT_FAULT(both, "did you mean 'arm'");
    EXPECT_FAULT(both, "did you mean 'revolute'");
    EXPECT_FAULT("<link/>", "needs the attribute 'name'");
}

TEST(UrdfBadInput, numbers_that_make_no_sense_are_refused)
{
    const auto link = [](const std::string& mass, const std::string& ixx)
    {
        return "<link name=\"root\"/>" + make_joint("j", "continuous", "root", "a") +
               "<link name=\"a\"><inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" + ixx +
               "\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>";
    };
    EXPECT_FAULT(link("-1", "1"), "must not be negative");
    EXPECT_FAULT(link("nan", "1"), "instead of a finite number");
    EXPECT_FAULT(link("1e999", "1"), "instead of a finite number");
    EXPECT_FAULT(link("1", "9"), "no solid has");
    EXPECT_FAULT(link("1", "-1"), "link 'a'");
    EXPECT_FAULT(link("1 2", "1"), "instead of a finite number");
    const auto shape = [](const std::string& geometry)
    { return make_link("a", "<collision><geometry>" + geometry + "</geometry></collision>"); };
    EXPECT_FAULT(shape("<sphere radius=\"0\"/>"), "must be positive");
    EXPECT_FAULT(shape("<sphere/>"), "needs the attribute 'radius'");
    EXPECT_FAULT(shape("<box size=\"1 -1 1\"/>"), "must be positive");
    EXPECT_FAULT(shape("<box size=\"1 1\"/>"), "instead of 3 finite numbers");
    EXPECT_FAULT(shape("<torus/>"), "no shape 'torus'");
    EXPECT_FAULT(shape(""), "needs one shape");
    EXPECT_FAULT(shape("<mesh filename=\"a.stl\" scale=\"1 0 1\"/>"), "has a zero");
    const auto joint = [](const std::string& more)
    { return make_link("a") + make_link("b") + make_joint("j", "revolute", "a", "b", more); };
    EXPECT_FAULT(joint("<axis xyz=\"0 0 0\"/>"), "is zero");
    EXPECT_FAULT(joint("<limit lower=\"1\" upper=\"-1\"/>"), "above 'upper'");
    EXPECT_FAULT(joint("<dynamics damping=\"-1\"/>"), "must not be negative");
    EXPECT_FAULT(joint("<mimic joint=\"k\"/>"), "no joint 'k'");
    EXPECT_FAULT(joint("<mimic joint=\"j\"/>"), "follows itself");
}

TEST(UrdfBadInput, all_mistakes_come_at_once_in_the_order_of_the_file)
{
    const auto errors =
        parse_robot(make_link("a", "<collision><geometry><sphere radius=\"-1\"/></geometry></collision>") +
                    make_link("b") +
                    make_joint("j", "revolute", "a", "b", "<limit lower=\"2\" upper=\"1\"/><dynamics friction=\"x\"/>"))
            .errors();
    ASSERT_EQ(errors.size(), 3U) << to_text(errors);
    EXPECT_EQ(errors[0].where.substr(0, 13), "robot.urdf:2:");
    EXPECT_EQ(errors[1].where.substr(0, 13), "robot.urdf:4:");
}

TEST(UrdfBadInput, a_moving_link_that_weighs_nothing_is_named)
{
    EXPECT_FAULT("<link name=\"a\"/><link name=\"b\"/>" + make_joint("j", "continuous", "a", "b"),
                 "link 'b': moves but has no mass");
}

TEST(UrdfBadInput, xacro_is_refused_with_the_command_that_expands_it)
{
    const std::string text = "<xacro:macro name=\"leg\"/>" + make_link("a");
    const auto errors =
        parse_urdf("<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\">" + text + "</robot>", "r.urdf", ".")
            .errors();
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].code, ErrorCode::unsupported);
    EXPECT_NE(errors[0].hint.find("xacro FILE > robot.urdf"), std::string::npos);
    EXPECT_TRUE(parse_urdf("<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\">" + make_link("a") + "</robot>",
                           "r.urdf", "."))
        << "what was expanded keeps the word";
}

TEST(UrdfBadInput, xml_that_would_grow_or_is_none_ends_quickly)
{
    std::string bomb = "<!DOCTYPE robot [<!ENTITY a \"aaaaaaaaaa\">";
    for (char c = 'b'; c <= 'z'; ++c)
    {
        bomb += std::string("<!ENTITY ") + c + " \"";
        for (int i = 0; i < 10; ++i) bomb += std::string("&") + static_cast<char>(c - 1) + ";";
        bomb += "\">";
    }
    const Result<Imported> robot = parse_urdf(bomb + "]><robot name=\"r\"><link name=\"&z;\"/></robot>", "r.urdf", ".");
    ASSERT_TRUE(robot) << to_text(robot.errors());
    EXPECT_EQ(robot->model.bodies.name[1], "&z;") << "nothing is expanded";
    for (const char* text : {"", "robot", "<robot", "<mujoco/>", "<robot name='r'><link name='a'></robot>"})
        EXPECT_FALSE(parse_urdf(text, "r.urdf", ".")) << text;
}

TEST(UrdfBadInput, limits_hold)
{
    std::string many;
    for (int i = 0; i < 100; ++i) many += "<link name=\"a" + std::to_string(i) + "\"/>";
    ImportOptions options;
    options.limits.elements = 50;
    EXPECT_EQ(parse_robot(many, options).errors().front().code, ErrorCode::limit);
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<a>";
    for (int i = 0; i < 100'000; ++i) deep += "</a>";
    EXPECT_EQ(parse_robot(deep).errors().front().code, ErrorCode::limit);
    options.limits.bytes = 10;
    EXPECT_EQ(parse_robot(many, options).errors().front().code, ErrorCode::limit);
}

TEST(UrdfBadInput, meshes_that_cannot_collide_are_refused_and_odd_ones_work)
{
    const TemporaryFolder folder;
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    const auto load = [&](const std::string& text)
    {
        folder.write("part.obj", text);
        return parse_robot(make_link("a", "<collision><geometry><mesh filename=\"part.obj\"/></geometry></collision>"),
                           {}, folder.path());
    };
    EXPECT_TRUE(has_words(load("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").errors(), "part.obj:1:3"));
    EXPECT_FALSE(load("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")) << "one triangle has no volume";
    EXPECT_FALSE(load("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\nf 1 2 3\n")) << "nor have three equal ones";
    EXPECT_FALSE(load("")) << "an empty file";
    EXPECT_TRUE(load(corners + "f 1 2 3\nf 1 4 2\n")) << "an open mesh collides as its hull";
    EXPECT_TRUE(load(corners + "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")) << "and one that is inside out";
}

}  // namespace
}  // namespace rattleback
