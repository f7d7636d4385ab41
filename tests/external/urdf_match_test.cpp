// Our URDF reader against Pinocchio and MuJoCo: generated robots, and published ones, must have the same M and bias.
#include <rattleback/dynamics.h>
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "external/data.h"
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "import/meshes/mesh_file.h"
#include "support/make_png.h"

namespace rattleback
{
namespace
{

constexpr std::uint64_t kUrdfStates = 20;

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

std::filesystem::path find_peer(const std::string& name)
{
    return std::filesystem::path(RATTLEBACK_SOURCE_DIR) / "build" / "peers" / name;
}

/// One state of a model as the oracle reads it.
std::string write_state(const Model& model, const State& state)
{
    std::ostringstream text;
    text.precision(17);
    for (std::size_t i = 0; i < model.joints.name.size(); ++i)
    {
        const bool free = model.joints.type[i] == JointType::free;
        const auto q = static_cast<std::size_t>(model.joints.q_begin[i]),
                   v = static_cast<std::size_t>(model.joints.v_begin[i]);
        text << model.joints.name[i];
        for (std::size_t k = 0; k < (free ? 7U : 1U); ++k) text << '\t' << state.q[q + k];
        for (std::size_t k = 0; k < (free ? 6U : 1U); ++k) text << '\t' << state.v[v + k];
        text << '\t';
    }
    return text.str() + "\n";
}

std::vector<double> read_numbers(const std::string& line)
{
    std::vector<double> numbers;
    const char* next = line.c_str();
    for (char* end = nullptr;; next = end)
    {
        const double value = std::strtod(next, &end);
        if (end == next) return numbers;
        numbers.push_back(value);
    }
}

/// Runs one of our scripts with Pinocchio's Python; what it prints.
std::vector<std::string> ask_python(const std::string& script, const std::string& arguments, const std::string& text)
{
    const ModelFile input(text), output("");
    const std::string command = "'" + (find_peer("pinocchio") / "bin" / "python").string() + "' -B '" +
                                RATTLEBACK_SOURCE_DIR + "/tests/external/" + script + "' " + arguments + " < '" +
                                input.path() + "' > '" + output.path() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::vector<std::string> lines;
    std::ifstream answers(output.path());
    for (std::string line; std::getline(answers, line);) lines.push_back(line);
    return lines;
}

/// The folder of example-robot-data.
std::filesystem::path find_robots()
{
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_peer("robots") / "lib"))
    {
        if (entry.path().filename() == "example-robot-data" && std::filesystem::exists(entry.path() / "robots"))
            return entry.path();
    }
    return {};
}

/// Asks Pinocchio about all states at once and compares.
void expect_same_as_pinocchio(const std::string& urdf, const Model& model, const char* base)
{
    std::vector<State> states;
    std::string lines;
    for (std::uint64_t seed = 0; seed < kUrdfStates; ++seed)
    {
        states.push_back(MatchState(model, seed).state);
        lines += write_state(model, states.back());
    }
    const std::vector<std::string> answers = ask_python("pinocchio_oracle.py", "'" + urdf + "' " + base, lines);
    ASSERT_EQ(answers.size(), 3 * states.size());
    Dynamics dynamics(model);
    for (std::size_t at = 0; at < states.size(); ++at)
    {
        const std::vector<double> theirs = read_numbers(answers[3 * at + 1]),
                                  their_bias = read_numbers(answers[3 * at + 2]);
        const auto count = static_cast<std::size_t>(model.v_count());
        ASSERT_EQ(theirs.size(), count * count);
        // Where our degrees of freedom stand in Pinocchio's order.
        std::vector<std::string> order;
        std::istringstream words(answers[3 * at]);
        for (std::string word; std::getline(words, word, '\t');) order.push_back(word);
        std::vector<std::size_t> place(count);
        for (std::size_t i = 0; i < model.joints.name.size(); ++i)
        {
            const auto first = static_cast<std::size_t>(std::ranges::find(order, model.joints.name[i]) - order.begin());
            const auto v = static_cast<std::size_t>(model.joints.v_begin[i]);
            for (std::size_t k = 0; k < (model.joints.type[i] == JointType::free ? 6U : 1U); ++k)
                place[v + k] = first + k;
        }
        std::vector<double> arranged(count * count), arranged_bias(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            for (std::size_t k = 0; k < count; ++k) arranged[i * count + k] = theirs[place[i] * count + place[k]];
            arranged_bias[i] = their_bias[place[i]];
        }
        dynamics.update(states[at]);
        expect_near(dynamics.mass_matrix().values, arranged, "mass matrix");
        expect_near(dynamics.bias(), arranged_bias, "bias");
    }
}

#define SKIP_WITHOUT_PEER(name)                                  \
    if (!std::filesystem::exists(find_peer(name) / "installed")) \
    GTEST_SKIP() << name << " is not here: tools/peers --pinocchio --robots"

TEST(UrdfMatch, generated_robots_have_the_dynamics_that_pinocchio_gives_them)
{
    SKIP_WITHOUT_PEER("pinocchio");
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
        // The root is a body of ours and part of MuJoCo's world: M and bias are compared by the names of joints.
        const std::vector<std::string> names = loaded->names("joint");
        Dynamics dynamics(robot->model);
        for (std::uint64_t state_seed = 0; state_seed < kUrdfStates; ++state_seed)
        {
            const MatchState at(robot->model, state_seed);
            const std::size_t count = names.size();
            ASSERT_EQ(count, static_cast<std::size_t>(robot->model.v_count()));
            std::vector<std::size_t> ours(count);
            std::vector<double> q(count), v(count), mass(count * count), bias(count);
            for (std::size_t i = 0; i < count; ++i)
            {
                ours[i] = static_cast<std::size_t>(std::ranges::find(robot->model.joints.name, names[i]) -
                                                   robot->model.joints.name.begin());
                q[i] = at.state.q[ours[i]];
                v[i] = at.state.v[ours[i]];
            }
            const lab::OracleState theirs = loaded->evaluate({.q = q, .v = v});
            dynamics.update(at.state);
            const DenseMatrix own = dynamics.mass_matrix();
            for (std::size_t i = 0; i < count; ++i)
            {
                for (std::size_t k = 0; k < count; ++k)
                    mass[i * count + k] = own(static_cast<int>(ours[i]), static_cast<int>(ours[k]));
                bias[i] = dynamics.bias()[ours[i]];
            }
            expect_near(mass, theirs.mass_matrix, "mass matrix");
            expect_near(bias, theirs.bias, "bias");
        }
    }
}

/// Files of example-robot-data that are wrong.
const std::set<std::string> kWrongRobots = {
    "allegro_left_hand",
    "allegro_right_hand",
    "romeo_laas_small",
    "romeo_small",  // moments that no solid has
    "finger_edu",
    "icub",
    "icub_reduced",  // moments that are zero
    "human",         // links that move and have no mass
    "alex_psyonic_hands",
    "talos_left_arm",  // a mimic, a transmission of joints that are not there
    "ur3",             // no links
};

/// Robots to which we give other masses than Pinocchio, with a warning: bolt's feet have an inertia and no mass, which
/// we leave out; romeo has links that move and have no mass, which get that of their shapes.
const std::set<std::string> kOtherMasses = {"bolt", "romeo"};

TEST(UrdfMatch, long_published_robots_load_and_have_the_dynamics_that_pinocchio_gives_them)
{
    SKIP_WITHOUT_PEER("pinocchio");
    SKIP_WITHOUT_PEER("robots");
    const std::filesystem::path data = find_robots();
    ASSERT_FALSE(data.empty());
    int loaded = 0, matched = 0;
    std::set<std::string> refused;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data / "robots"))
    {
        if (entry.path().extension() != ".urdf") continue;
        SCOPED_TRACE(entry.path().string());
        const std::string name = entry.path().stem().string();
        const auto robot = load_model(entry.path(), {.package_path = {data.parent_path()}});
        for (const Error& error : robot.errors())
        {
            EXPECT_NE(error.where.find(".urdf:"), std::string::npos) << error.text();
            if (refused.insert(name).second) std::printf("refused: %s\n", error.text().c_str());
        }
        if (!robot) continue;
        ++loaded;
        const auto one = [](JointType type) { return type == JointType::hinge || type == JointType::slide; };
        if (robot->model.v_count() == 0 || !std::ranges::all_of(robot->model.joints.type, one) ||
            kOtherMasses.contains(name))
        {
            std::printf("not compared: %s\n", name.c_str());
            continue;
        }
        ++matched;
        expect_same_as_pinocchio(entry.path().string(), robot->model, "fixed");
    }
    std::printf("%d robots loaded, %d compared, %d refused\n", loaded, matched, static_cast<int>(refused.size()));
    EXPECT_EQ(refused, kWrongRobots);
    EXPECT_GE(matched, 50);
}

TEST(UrdfMatch, long_published_collada_meshes_have_the_bounds_that_assimp_gives_them)
{
    SKIP_WITHOUT_PEER("pinocchio");
    SKIP_WITHOUT_PEER("robots");
    std::string files;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_robots()))
    {
        if (entry.path().extension() != ".dae") continue;
        paths.push_back(entry.path());
        files += entry.path().string() + "\n";
    }
    const std::vector<std::string> answers = ask_python("coal_oracle.py", "", files);
    ASSERT_EQ(answers.size(), paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        SCOPED_TRACE(paths[i].string());
        const std::vector<double> theirs = read_numbers(answers[i]);
        const Result<MeshOptions> mesh = load_mesh_file(paths[i]);
        EXPECT_TRUE(mesh) << to_text(mesh.errors());
        if (!mesh || theirs.size() != 6) continue;
        std::vector<double> bounds(6);
        for (std::size_t k = 0; k < 3; ++k)
        {
            bounds[k] = std::numeric_limits<double>::max();
            bounds[k + 3] = -bounds[k];
            for (const auto& triangle : mesh->triangles)
            {
                for (const int corner : triangle)
                {
                    const double x = mesh->vertices[static_cast<std::size_t>(corner)][static_cast<int>(k)];
                    bounds[k] = std::min(bounds[k], x);
                    bounds[k + 3] = std::max(bounds[k + 3], x);
                }
            }
        }
        expect_near(bounds, theirs, "bounds", 1e-5);  // both round to 32 bits, at different places
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
