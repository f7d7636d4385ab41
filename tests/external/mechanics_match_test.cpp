// The public Dynamics beside MuJoCo's mj_inverse, mj_jac and mj_jacSubtreeCom, on published robots.
#include "external/data.h"
#include "external/oracle_match.h"

#include "base/index.h"

#include <rattleback/dynamics.h>
#include <rattleback/import.h>

namespace rattleback
{
namespace
{

class MechanicsMatch : public testing::TestWithParam<const char*>
{
};

TEST_P(MechanicsMatch, inverse_dynamics_and_jacobians_are_those_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const std::filesystem::path path = find_data() / "mjcf" / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    const auto model = std::make_shared<const Model>(load_mjcf(path).value().model);
    lab::Oracle oracle = lab::Oracle::load_file(path.string()).value();
    for (std::uint64_t seed = 0; seed < 3; ++seed)
    {
        SCOPED_TRACE(seed);
        MatchState match(*model, seed);
        refresh_bodies(*model, match.state.world());
        Dynamics dynamics(model);
        dynamics.update(match.state, match.control);
        std::vector<double> acceleration;
        for (int i = 0; i < model->v_count(); ++i) acceleration.push_back(std::sin(1.0 + i));
        const lab::OracleMechanics theirs = oracle.find_mechanics(
            {.q = match.state.q, .v = match.state.v, .act = match.state.act, .input = match.control.input},
            acceleration);

        std::vector<double> inverse = dynamics.inverse(acceleration);
        for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] -= dynamics.passive()[i];
        expect_near(inverse, theirs.inverse, "qfrc_inverse");
        for (int b = 1; b < model->body_count() && !HasFailure(); ++b)
        {
            const BodyId body{b};
            expect_near(dynamics.point_jacobian(body, theirs.center[at(b)]).values, theirs.linear[at(b)],
                        "mj_jac, linear");
            expect_near(dynamics.rotation_jacobian(body).values, theirs.angular[at(b)], "mj_jac, angular");
            expect_near(dynamics.center_of_mass_jacobian(body).values, theirs.subtree_linear[at(b)],
                        "mj_jacSubtreeCom");
            EXPECT_LE(norm(dynamics.center_of_mass(body) - theirs.subtree_center[at(b)]), 1e-9);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, MechanicsMatch,
                         testing::Values("menagerie/franka_emika_panda/scene.xml",
                                         "menagerie/leap_hand/scene_right.xml", "menagerie/shadow_hand/scene_right.xml",
                                         "menagerie/unitree_g1/scene.xml", "menagerie/wonik_allegro/scene_right.xml",
                                         "mujoco_warp/humanoid.xml"),
                         [](const auto& robot) { return make_title(robot.param); });

}  // namespace
}  // namespace rattleback
