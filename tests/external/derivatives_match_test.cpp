// Derivatives of the public Dynamics beside Pinocchio's, on published robots and random trees.
#include "external/data.h"
#include "external/oracle_match.h"
#include "lab/peers/pinocchio/pinocchio.h"
#include "support/random_model.h"

#include <rattleback/import.h>

#include <cmath>

namespace rattleback
{
namespace
{

// Both sides are exact up to rounding: neither takes differences, and the numbers of the model travel without loss.
// Rounding (1e-16) grows with the condition of M, assumed to stay below 1e7 for these robots: a digit is left.
constexpr double kDerivativeTolerance = 1e-8;

#define SKIP_WITHOUT_PINOCCHIO()                                      \
    if (const auto absence = lab::find_pinocchio_absence())           \
    {                                                                 \
        GTEST_SKIP() << "Pinocchio is not here: " << absence->text(); \
    }

void expect_same(const std::vector<double>& value, const DynamicsDerivatives& ours, const lab::PinocchioAnswer& theirs,
                 const std::string& what)
{
    expect_near(value, theirs.value, what, kDerivativeTolerance);
    expect_near(ours.by_q.values, theirs.derivatives.by_q.values, what + " by q", kDerivativeTolerance);
    expect_near(ours.by_v.values, theirs.derivatives.by_v.values, what + " by v", kDerivativeTolerance);
    expect_near(ours.by_input.values, theirs.derivatives.by_input.values, what + " by input", kDerivativeTolerance);
}

void expect_same_derivatives(const std::shared_ptr<const Model>& model)
{
    auto loaded = lab::PinocchioOracle::load(*model);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    for (std::uint64_t seed = 0; seed < 3; ++seed)
    {
        SCOPED_TRACE(seed);
        const MatchState match(*model, seed);
        Dynamics dynamics(model);
        dynamics.update(match.state, match.control);
        std::vector<double> acceleration, force;
        for (int i = 0; i < model->v_count(); ++i)
        {
            acceleration.push_back(std::sin(1.0 + i));
            force.push_back(std::cos(2.0 + i));
        }
        // The force that gives an acceleration of order one, and a bit: forces of order one would hurl a finger.
        const std::vector<double> inverse = dynamics.inverse(acceleration);
        for (std::size_t i = 0; i < force.size(); ++i) force[i] = inverse[i] * (1 + 0.1 * force[i]);
        const auto theirs = loaded->find_derivatives(match.state.q, match.state.v, acceleration, force);
        ASSERT_TRUE(theirs.ok()) << to_text(theirs.errors());
        expect_same(inverse, dynamics.inverse_derivatives(acceleration), theirs->inverse, "force");
        expect_same(dynamics.forward(force), dynamics.forward_derivatives(force), theirs->forward, "acceleration");
    }
}

class DerivativesMatch : public testing::TestWithParam<const char*>
{
};

TEST_P(DerivativesMatch, of_a_robot_are_those_of_pinocchio)
{
    SKIP_WITHOUT_PINOCCHIO();
    const std::filesystem::path path = find_data() / "mjcf" / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    expect_same_derivatives(std::make_shared<const Model>(load_mjcf(path).value().model));
}

INSTANTIATE_TEST_SUITE_P(Robots, DerivativesMatch,
                         testing::Values("menagerie/franka_emika_panda/scene.xml",  // fixed base
                                         "menagerie/shadow_hand/scene_right.xml",   // fixed base, many branches
                                         "menagerie/unitree_g1/scene.xml",          // floating base
                                         "mujoco_warp/humanoid.xml"),  // floating base, several joints to a body
                         [](const auto& robot) { return make_title(robot.param); });

TEST(DerivativesMatch, of_random_trees_with_ball_joints_are_those_of_pinocchio)
{
    SKIP_WITHOUT_PINOCCHIO();
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
    {
        SCOPED_TRACE(seed);
        // What the oracle does not carry over is left out: `bias` has gravity compensation and Pinocchio does not.
        const RandomModelOptions options{.max_trees = 2,
                                         .max_bodies_per_tree = 8,
                                         .kinematic_bodies = false,
                                         .tendons = false,
                                         .actuators = false,
                                         .gravity_compensation = false};
        expect_same_derivatives(std::make_shared<const Model>(make_random_model(seed, options)));
    }
}

}  // namespace
}  // namespace rattleback
