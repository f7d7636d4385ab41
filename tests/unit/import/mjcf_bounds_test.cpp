// What a few lines of MJCF stand for is bounded, and laws that cannot be are refused before anything runs.
#include "unit/import/mjcf_test_support.h"

namespace rattleback
{
namespace
{

TEST(MjcfBounds, copies_that_nest_deeper_than_a_file_may_are_refused)
{
    // Each chain ends in a copy of the one before: the depth adds up, though the text is flat.
    std::string text = "<mujoco><worldbody>";
    for (int chain = 0; chain < 4; ++chain)
    {
        const std::string name = "c" + std::to_string(chain);
        text += "<body name='" + name + "'>";
        for (int i = 0; i < 100; ++i) text += "<body>";
        if (chain > 0) text += "<attach body='c" + std::to_string(chain - 1) + "' prefix='" + name + "'/>";
        for (int i = 0; i < 101; ++i) text += "</body>";
    }
    const auto errors = parse_bad(text + "</worldbody></mujoco>");
    EXPECT_EQ(errors[0].code, ErrorCode::limit);
    EXPECT_NE(errors[0].text().find("nested too deeply"), std::string::npos) << errors[0].text();
}

TEST(MjcfBounds, names_of_replicas_count)
{
    const std::string sep(5'000, 'a');
    const auto errors = parse_bad("<mujoco><worldbody><replicate count='900000' sep='" + sep +
                                  "'><site name='a'/></replicate></worldbody></mujoco>");
    EXPECT_EQ(errors[0].code, ErrorCode::limit) << errors[0].text();
}

TEST(MjcfBounds, a_path_that_no_system_has_is_an_error)
{
    const auto result = load_mjcf(std::string(5'000, 'x') + ".xml");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors()[0].code, ErrorCode::io);
}

std::string with_actuator(const std::string& actuator)
{
    return "<mujoco><worldbody><body><joint name='h'/><geom size='.1'/><site name='s'/></body></worldbody><actuator>" +
           actuator + "</actuator></mujoco>";
}

TEST(MjcfBounds, a_law_without_the_states_it_needs_is_refused)
{
    const auto errors = parse_bad(with_actuator("<general joint='h' gaintype='pid'/>"));
    EXPECT_NE(errors[0].text().find("dynamics of the same kind"), std::string::npos) << errors[0].text();
    EXPECT_FALSE(parse_bad(with_actuator("<general joint='h' gaintype='dcmotor' biastype='dcmotor' "
                                         "gainprm='1 1 0 0 0 1' input='pos'/>"))
                     .empty());
    EXPECT_FALSE(parse_bad(with_actuator("<general site='s' gaintype='so3'/>")).empty());
}

}  // namespace
}  // namespace rattleback
