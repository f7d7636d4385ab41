// Our MJCF importer and dynamics against MuJoCo's npm build in Node, the oracle where the native library is missing.
#include "external/data.h"
#include "external/oracle_match.h"
#include "lab/peers/mujoco_node/node_oracle.h"

#include <rattleback/import.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rattleback
{
namespace
{

constexpr std::uint64_t kNodeStates = 5;

struct NodeFile
{
    const char* path;                ///< below $RATTLEBACK_DATA/mjcf
    bool has_damping_ratio = false;  ///< the actuators, all on joints, get their damping from `dampratio` 1
};

void PrintTo(const NodeFile& file, std::ostream* out) { *out << file.path; }

const NodeFile kNodeFiles[] = {
    {"mujoco/model/humanoid/humanoid.xml"},
    {"mujoco/model/cube/cube_3x3x3.xml"},
    {"menagerie/shadow_hand/right_hand.xml"},
    {"menagerie/unitree_g1/g1.xml", true},
};

/// Principal moments of all bodies, those of a body in falling order: the builds may name the axes differently.
std::vector<double> sort_moments(std::vector<double> moments)
{
    for (auto body = moments.begin(); body != moments.end(); body += 3) std::sort(body, body + 3, std::greater<>());
    return moments;
}

void expect_same_constants(const Model& model, const lab::NodeOracle& oracle)
{
    const std::pair<const char*, int> sizes[] = {
        {"nq", model.q_count()},
        {"nv", model.v_count()},
        {"nbody", model.body_count()},
        {"njnt", model.joint_count()},
        {"ntendon", model.tendon_count()},
        {"nu", model.actuator_count()},
        {"nkey", static_cast<int>(model.keyframes.size())},
    };
    for (const auto& [name, ours] : sizes) ASSERT_EQ(ours, oracle.size(name)) << name;
    std::vector<double> moments, centres;
    for (const Vec3& inertia : model.bodies.inertia) moments.insert(moments.end(), {inertia.x, inertia.y, inertia.z});
    for (const Pose& pose : model.bodies.inertial_pose)
        centres.insert(centres.end(), {pose.position.x, pose.position.y, pose.position.z});
    expect_near(model.bodies.mass, oracle.field("body_mass").value(), "body_mass");
    expect_near(sort_moments(moments), sort_moments(oracle.field("body_inertia").value()), "body_inertia");
    expect_near(centres, oracle.field("body_ipos").value(), "body_ipos");
    expect_near(model.q0, oracle.field("qpos0").value(), "qpos0");
    expect_near(model.dofs.armature, oracle.field("dof_armature").value(), "dof_armature");
    expect_near(model.dofs.damping, oracle.field("dof_damping").value(), "dof_damping");
}

bool is_older(const std::string& version, int major, int minor)
{
    int its_major = 0, its_minor = 0;
    EXPECT_EQ(std::sscanf(version.c_str(), "%d.%d", &its_major, &its_minor), 2) << version;
    return std::pair(its_major, its_minor) < std::pair(major, minor);
}

/// `dampratio` 1 is the critical damping of a mass. Since 3.15 that mass is what the actuator feels with all joints
/// free, as in our importer; before, it was the joint's diagonal entry of M at qpos0, 14 times as much at the waist of
/// the G1. So an older build must have the old damping; it then gets ours, and everything after it is compared in full.
void adopt_damping(const Model& model, lab::NodeOracle& oracle)
{
    const bool is_old = is_older(oracle.version(), 3, 15);
    std::vector<double> theirs = oracle.field("actuator_biasprm").value(), expected(theirs), adopted(theirs);
    const std::size_t count = model.actuators.bias.size(), width = theirs.size() / count;
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::array<double, 3>& bias = model.actuators.bias[i];
        const auto joint = static_cast<std::size_t>(model.actuators.target[i]);
        const double mass = model.dofs.inertia[static_cast<std::size_t>(model.joints.v_begin[joint])];
        std::ranges::copy(bias, adopted.begin() + static_cast<std::ptrdiff_t>(i * width));
        std::ranges::copy(bias, expected.begin() + static_cast<std::ptrdiff_t>(i * width));
        if (is_old) expected[i * width + 2] = -2 * std::sqrt(-bias[1] * mass);
    }
    expect_near(expected, theirs, "actuator_biasprm");
    ASSERT_TRUE(oracle.set_field("actuator_biasprm", adopted).ok());
}

std::vector<double> list_positions(const lab::OracleState& state)
{
    std::vector<double> numbers;
    for (const auto& [p, r] : state.body_pose) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    return numbers;
}

void expect_same_answers(const lab::OracleState& node, const lab::OracleState& native)
{
    SCOPED_TRACE("npm build (here) and native library");
    expect_near(list_positions(node), list_positions(native), "xpos");
    expect_near(node.mass_matrix, native.mass_matrix, "M");
    expect_near(node.bias, native.bias, "qfrc_bias");
    expect_near(node.passive, native.passive, "qfrc_passive");
    expect_near(node.actuator, native.actuator, "qfrc_actuator");
    expect_near(node.acceleration, native.acceleration, "qacc_smooth");
}

class NodeModel : public testing::TestWithParam<NodeFile>
{
protected:
    void SetUp() override
    {
        path_ = find_data() / "mjcf" / GetParam().path;
        if (!std::filesystem::exists(path_)) GTEST_SKIP() << path_ << " is not here: set RATTLEBACK_DATA";
        const std::optional<Error> absence = lab::find_node_absence();
        if (absence) GTEST_SKIP() << "MuJoCo's npm build is not here: " << absence->text();
    }

    std::filesystem::path path_;
};

TEST_P(NodeModel, has_the_constants_and_the_motion_that_the_npm_build_of_mujoco_gives_it)
{
    const Result<Imported> imported = load_mjcf(path_);
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    const Model& model = imported.value().model;
    Result<lab::NodeOracle> loaded = lab::NodeOracle::load_file(path_.string());
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    lab::NodeOracle node = std::move(loaded).value();
    ASSERT_NO_FATAL_FAILURE(expect_same_constants(model, node));
    if (GetParam().has_damping_ratio)
    {
        ASSERT_NO_FATAL_FAILURE(adopt_damping(model, node));
    }
    std::optional<lab::Oracle> native;
    if (lab::find_mujoco().ok()) native = lab::Oracle::load_file(path_.string()).value();

    const Evaluate evaluate = [&](const lab::OracleInput& input)
    {
        lab::OracleState state = node.evaluate(input).value();
        if (native) expect_same_answers(state, native->evaluate(input));
        return state;
    };
    for (std::uint64_t seed = 0; seed < kNodeStates && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("random state " + std::to_string(seed) + ", MuJoCo " + node.version());
        expect_same_dynamics(model, evaluate, Order::same(model), MatchState(model, seed));
    }
}
INSTANTIATE_TEST_SUITE_P(Mjcf, NodeModel, testing::ValuesIn(kNodeFiles),
                         [](const auto& file) { return make_title(file.param.path); });

TEST(NodeOracle, says_what_is_wrong_with_a_file_or_a_state)
{
    if (const std::optional<Error> absence = lab::find_node_absence())
        GTEST_SKIP() << "MuJoCo's npm build is not here: " << absence->text();
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("rattleback_node_match_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "ball.xml")
        << "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    const Result<lab::NodeOracle> missing = lab::NodeOracle::load_file((folder / "missing.xml").string());
    Result<lab::NodeOracle> ball = lab::NodeOracle::load_file((folder / "ball.xml").string());
    std::filesystem::remove_all(folder);
    ASSERT_FALSE(missing.ok());
    EXPECT_NE(to_text(missing.errors()).find("missing.xml"), std::string::npos) << to_text(missing.errors());

    ASSERT_TRUE(ball.ok()) << to_text(ball.errors());
    lab::NodeOracle oracle = std::move(ball).value();
    const double short_q[] = {1, 2, 3};
    const Result<lab::OracleState> refused = oracle.evaluate({.q = short_q});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(to_text(refused.errors()).find("q has 7 entries, not 3"), std::string::npos) << to_text(refused.errors());
    EXPECT_EQ(oracle.evaluate({}).value().acceleration[2], -9.81) << "it goes on after a refusal";
}

}  // namespace
}  // namespace rattleback
