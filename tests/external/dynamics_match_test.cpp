// Our smooth dynamics against MuJoCo's, on random forests.
#include "external/field_match.h"
#include "external/plain_mjcf.h"
#include "support/random_model.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr std::uint64_t kModels = 300;

/// A random model that MJCF can say.
Model make_expressible_model(std::uint64_t seed, const RandomModelOptions& options = {})
{
    Model model = make_random_model(seed, options);
    for (std::size_t a = 0; a < model.actuators.bias.size(); ++a)
    {
        // Where gain and stiffness cancel, MuJoCo reads a positive coefficient of velocity as a damping ratio.
        auto& bias = model.actuators.bias[a];
        if (model.actuators.gain[a][0] == -bias[1] && bias[2] > 0) bias[2] = -bias[2];
    }
    // Where there is no actuator at all, MuJoCo 4.0 forgets the compensation that is to count as actuator force.
    if (model.actuator_count() == 0) std::ranges::fill(model.joints.gravity_compensation_by_actuator, 0);
    return model;
}

/// MuJoCo's reading of a model; ends the test where it has none.
lab::Oracle ask(const Model& model)
{
    Result<lab::Oracle> oracle = lab::Oracle::load_text(write_plain_mjcf(model));
    EXPECT_TRUE(oracle.ok()) << to_text(oracle.errors());
    return std::move(oracle).value();
}

TEST(DynamicsMatch, random_forests_move_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (std::uint64_t seed = 0; seed < kModels && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("random model " + std::to_string(seed));
        const Model model = make_expressible_model(seed);
        lab::Oracle oracle = ask(model);
        expect_same_dynamics(model, oracle, Order::find(model, oracle).value(), MatchState(model, seed + 5000));
    }
}

TEST(DynamicsMatch, tendon_inertia_across_branches_enters_the_mass_matrix_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (std::uint64_t seed = 0; seed < kModels && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("random model " + std::to_string(seed));
        const Model model = make_expressible_model(seed, {.branching_tendon_armature = true});
        lab::Oracle oracle = ask(model);
        expect_same_dynamics(model, oracle, Order::find(model, oracle).value(), MatchState(model, seed + 5000));
    }
}

TEST(DynamicsMatch, constants_at_the_reference_pose_are_those_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (std::uint64_t seed = 0; seed < kModels && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("random model " + std::to_string(seed));
        const Model model = make_expressible_model(seed);
        const lab::Oracle oracle = ask(model);
        expect_same_fields(model, oracle, Order::find(model, oracle).value());
    }
}

}  // namespace
}  // namespace rattleback
