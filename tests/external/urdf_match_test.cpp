// Our URDF reader against Pinocchio and MuJoCo: generated robots must have the same M and bias.
#include <rattleback/dynamics.h>
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "external/model_file.h"
#include "external/urdf_match.h"
#include "support/make_png.h"

namespace rattleback
{
namespace
{

/// Random numbers that are the same on every machine.
struct Dice
{
    explicit Dice(std::uint64_t seed) : engine(seed) {}
    double draw(double low, double high)
    {
        return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53);
    }
    int choose(int count) { return static_cast<int>(engine() % static_cast<std::uint64_t>(count)); }
    std::string list(int count, double low, double high)
    {
        std::ostringstream text;
        text.precision(17);
        for (int i = 0; i < count; ++i) text << (i > 0 ? " " : "") << draw(low, high);
        return text.str();
    }
    std::mt19937_64 engine;
};

/// A tree of links with inertias of solids, joints of the kinds in `types`.
std::string make_robot(std::uint64_t seed, const std::vector<std::string>& types)
{
    Dice dice(seed);
    const int count = 3 + dice.choose(12);
    std::ostringstream text;
    text.precision(17);
    text << "<robot name=\"random\">\n";
    for (int i = 0; i < count; ++i)
    {
        // Moments of a box: every triple of squared sides gives a solid.
        const double mass = dice.draw(0.1, 5), a = dice.draw(0.01, 0.2), b = dice.draw(0.01, 0.2),
                     c = dice.draw(0.01, 0.2);
        text << "<link name=\"l" << i << "\"><inertial><origin xyz=\"" << dice.list(3, -0.3, 0.3) << "\" rpy=\""
             << dice.list(3, -3, 3) << "\"/><mass value=\"" << mass << "\"/><inertia ixx=\"" << mass * (b + c)
             << "\" iyy=\"" << mass * (c + a) << "\" izz=\"" << mass * (a + b) << "\" ixy=\""
             << 0.1 * mass * std::min(a, b) << "\" ixz=\"0\" iyz=\"" << 0.1 * mass * std::min(b, c)
             << "\"/></inertial></link>\n";
    }
    for (int i = 1; i < count; ++i)
    {
        const std::string& type = types[static_cast<std::size_t>(dice.choose(static_cast<int>(types.size())))];
        text << "<joint name=\"j" << i << "\" type=\"" << type << "\"><parent link=\"l" << dice.choose(i)
             << "\"/><child link=\"l" << i << "\"/><origin xyz=\"" << dice.list(3, -0.5, 0.5) << "\" rpy=\""
             << dice.list(3, -3, 3) << "\"/><axis xyz=\"" << dice.list(3, 0.1, 1)
             << "\"/><limit lower=\"-2\" upper=\"2\" effort=\"10\" velocity=\"5\"/></joint>\n";
    }
    return text.str() + "</robot>\n";
}

TEST(UrdfMatch, generated_robots_have_the_dynamics_that_pinocchio_gives_them)
{
    SKIP_WITHOUT_PEER("pinocchio", "--pinocchio");
    for (std::uint64_t seed = 0; seed < 6 && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE("robot " + std::to_string(seed));
        const ModelFile file(make_robot(seed, {"revolute", "continuous", "prismatic", "fixed"}));
        const bool free = seed % 2 == 1;
        const auto robot = load_urdf(file.path(), {.base = free ? RobotBase::free : RobotBase::fixed});
        ASSERT_TRUE(robot) << to_text(robot.errors());
        expect_same_as_pinocchio(file.path(), robot->model, free ? "free" : "fixed");
    }
}

TEST(UrdfMatch, generated_robots_have_the_dynamics_that_mujoco_gives_them)
{
    SKIP_WITHOUT_MUJOCO();
    for (std::uint64_t seed = 100; seed < 110 && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE("robot " + std::to_string(seed));
        // MuJoCo fuses fixed links, so that there would be other bodies to compare.
        const ModelFile file(make_robot(seed, {"revolute", "continuous", "prismatic"}));
        const auto robot = load_model(file.path());
        ASSERT_TRUE(robot) << to_text(robot.errors());
        Result<lab::Oracle> loaded = lab::Oracle::load_file(file.path());
        ASSERT_TRUE(loaded) << to_text(loaded.errors());
        expect_same_as_mujoco(robot->model, loaded.value());
    }
}

TEST(UrdfMatch, a_height_field_from_png_is_mujocos)
{
    SKIP_WITHOUT_MUJOCO();
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("rattleback_png_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::string grey, colours;
    for (int i = 0; i < 5 * 7; ++i) grey += static_cast<char>((i * 37) % 251 + 3);
    for (int i = 0; i < 4 * 3 * 3; ++i) colours += static_cast<char>((i * 53) % 241 + 7);
    const std::string pngs[] = {make_png(7, grey, 7), make_png(3, colours, 9, 2)};
    for (std::size_t i = 0; i < std::size(pngs); ++i)
    {
        // MuJoCo keeps files that it has read, by their names.
        const std::string name = "hills" + std::to_string(i) + ".png";
        std::ofstream(folder / name, std::ios::binary) << pngs[i];
        std::ofstream(folder / "model.xml") << "<mujoco><asset><hfield name=\"h\" file=\"" << name
                                            << "\" size=\"1 2 5 0.1\"/></asset><worldbody><geom "
                                               "type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>";
        const auto imported = load_model(folder / "model.xml");
        ASSERT_TRUE(imported) << to_text(imported.errors());
        Result<lab::Oracle> oracle = lab::Oracle::load_file((folder / "model.xml").string());
        ASSERT_TRUE(oracle) << to_text(oracle.errors());
        std::vector<double> theirs = oracle->field("hfield_data").value_or(std::vector<double>());
        for (double& height : theirs) height *= 5;  // MuJoCo keeps them between 0 and 1
        expect_near(imported->model.height_fields.at(0).heights, theirs, "heights");
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rattleback
