// What MJCF says about switches and surfaces, and what we keep in its custom text.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback
{

TEST(Surfaces, are_the_surfacevel_of_mjcf)
{
    const Result<Imported> read = parse_mjcf(R"(<mujoco><worldbody><geom name="belt" size="1" surfacevel="1 2 3 4 5 6"/>
        <geom size="1" surfacevel="7"/><geom size="1"/></worldbody></mujoco>)",
                                             "belts.xml", ".");
    ASSERT_TRUE(read.ok()) << to_text(read.errors());
    const Shapes& shapes = read->model.shapes;
    EXPECT_EQ(shapes.surface_velocity, (std::vector<Vec3>{{1, 2, 3}, {7, 0, 0}, {}}));
    EXPECT_EQ(shapes.surface_spin, (std::vector<Vec3>{{4, 5, 6}, {}, {}}));
    const std::string text = write_mjcf(read->model).value();
    EXPECT_NE(text.find("surfacevel=\"1 2 3 4 5 6\""), std::string::npos) << text;
}

TEST(Surfaces, are_kept_by_mjcf)
{
    ModelBuilder builder("belt");
    builder.add_ground({.name = "belt", .surface_velocity = {1, 2, 3}, .surface_spin = {4, 5, 6}});
    const BodyId arm = builder.add_body({});
    builder.add_shape(arm, Sphere{});
    builder.add_motor(builder.add_joint(arm, {}), {.name = "motor", .active = false});
    const Model model = builder.build().value();
    const Result<std::string> text = write_mjcf(model);
    ASSERT_TRUE(text.ok());
    const Result<Imported> read = parse_mjcf(*text, "belt.xml", ".");
    ASSERT_TRUE(read.ok()) << to_text(read.errors());
    EXPECT_EQ(fingerprint(read->model), fingerprint(model)) << *text;
    EXPECT_EQ(read->model.shapes.surface_spin[0], (Vec3{4, 5, 6}));
    EXPECT_EQ(read->model.actuators.active[0], 0);
}

TEST(Switches, of_actuator_groups_come_from_mjcf)
{
    const Result<Imported> read = parse_mjcf(R"(<mujoco><option actuatorgroupdisable="2 5"/><worldbody>
        <body><joint name="j"/><geom size="1"/></body></worldbody><actuator>
        <motor joint="j"/><motor joint="j" group="2"/><position joint="j" group="5"/><motor joint="j" group="3"/>
        </actuator></mujoco>)",
                                             "groups.xml", ".");
    ASSERT_TRUE(read.ok()) << to_text(read.errors());
    EXPECT_EQ(read->model.actuators.active, (std::vector<int>{1, 0, 0, 1}));
    EXPECT_EQ(Simulation(read->model).control().actuator_active, (std::vector<int>{1, 0, 0, 1}));
}

}  // namespace rattleback
