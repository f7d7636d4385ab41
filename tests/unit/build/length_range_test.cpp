// Length ranges of muscles: what else is in the model changes neither the result nor the work.
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <chrono>

namespace rattleback
{

namespace
{

/// Two hinges with limits, a muscle on a tendon over both, one on a hinge, and `more` tendons that nothing pulls.
std::string make_arm(int more, const std::string& options)
{
    std::string text = "<mujoco><compiler><lengthrange " + options + R"(/></compiler><worldbody>
        <site name="a" pos="0 0 .5"/><site name="far" pos="3 0 0"/>
        <body><joint name="shoulder" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
          <body pos=".4 0 0"><joint name="elbow" axis="0 1 0" range="-90 10"/>
            <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="b" pos=".2 0 .05"/></body></body>
        </worldbody><tendon><spatial name="pulled"><site site="a"/><site site="b"/></spatial>
        <spatial name="stiff" limited="true" range="0 2.9"><site site="far"/><site site="b"/></spatial>)";
    for (int i = 0; i < more; ++i) text += "<spatial><site site='far'/><site site='b'/></spatial>";
    return text + "</tendon><actuator><muscle tendon='pulled'/><muscle joint='elbow'/></actuator></mujoco>";
}

std::vector<Range> find_ranges(int more)
{
    const Result<Imported> read = parse_mjcf(make_arm(more, ""), "arm.xml", ".");
    EXPECT_TRUE(read.ok()) << to_text(read.errors());
    return read.ok() ? read->model.actuators.length_range : std::vector<Range>();
}

}  // namespace

TEST(LengthRange, is_the_same_bits_among_other_tendons)
{
    const std::vector<Range> alone = find_ranges(0), among = find_ranges(50);
    ASSERT_EQ(alone.size(), 2U);
    ASSERT_EQ(among.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i)
    {
        EXPECT_LT(alone[i].lower, alone[i].upper);
        EXPECT_EQ(alone[i].lower, among[i].lower);
        EXPECT_EQ(alone[i].upper, among[i].upper);
    }
    // The elbow swings between its limits, which give way by a little.
    EXPECT_NEAR(alone[1].lower, -90 * kDegree, 0.02);
    EXPECT_NEAR(alone[1].upper, 10 * kDegree, 0.02);
}

TEST(LengthRange, takes_no_longer_because_of_tendons_that_the_muscle_does_not_pull)
{
    const auto find_seconds = [](int more)
    {
        const auto start = std::chrono::steady_clock::now();
        EXPECT_TRUE(parse_mjcf(make_arm(more, "inttotal='20' interval='1' timestep='0.001'"), "arm.xml", "."));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    // 80,000 steps; with 1000 tendons each they once took a hundred times as long.
    const double alone = find_seconds(0), among = find_seconds(1000);
    EXPECT_LT(among, 10 * alone + 0.5);
}

TEST(LengthRange, slow_is_refused_by_name_where_it_would_take_minutes)
{
    std::string text =
        "<mujoco><compiler><lengthrange inttotal='1000' interval='1' timestep='0.001'/></compiler>"
        "<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>";
    for (int i = 0; i < 200; ++i) text += "<muscle name='m" + std::to_string(i) + "' joint='j'/>";
    const Result<Imported> read = parse_mjcf(text + "</actuator></mujoco>", "many.xml", ".");
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.errors().front().text().find("takes too many steps"), std::string::npos)
        << read.errors().front().text();
}

}  // namespace rattleback
