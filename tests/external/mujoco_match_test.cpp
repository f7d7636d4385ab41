// Our MJCF importer against MuJoCo: published models must compile to the same constants and move the same way.
#include "external/data.h"
#include "external/field_match.h"

#include <rattleback/import.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace rattleback
{
namespace
{

constexpr std::uint64_t kStates = 20;

/// A published file, below $RATTLEBACK_DATA/mjcf, and what of it may be refused.
struct PublishedFile
{
    const char* path;
    std::vector<std::string> refusable =
        {};  ///< elements or attributes that we may name as unsupported; none: must load
};

void PrintTo(const PublishedFile& file, std::ostream* out) { *out << file.path; }

const PublishedFile kFiles[] = {
    {"menagerie/franka_emika_panda/hand.xml"},
    {"menagerie/franka_emika_panda/mjx_hand.xml"},
    {"menagerie/franka_emika_panda/mjx_panda.xml"},
    {"menagerie/franka_emika_panda/mjx_panda_nohand.xml"},
    {"menagerie/franka_emika_panda/mjx_scene.xml"},
    {"menagerie/franka_emika_panda/mjx_single_cube.xml"},
    {"menagerie/franka_emika_panda/panda.xml"},
    {"menagerie/franka_emika_panda/panda_nohand.xml"},
    {"menagerie/franka_emika_panda/scene.xml"},
    {"menagerie/leap_hand/right_hand.xml"},
    {"menagerie/leap_hand/scene_right.xml"},
    {"menagerie/shadow_hand/left_hand.xml"},
    {"menagerie/shadow_hand/right_hand.xml"},
    {"menagerie/shadow_hand/scene_left.xml"},
    {"menagerie/shadow_hand/scene_right.xml"},
    {"menagerie/unitree_g1/g1.xml"},
    {"menagerie/unitree_g1/g1_mjx.xml"},
    {"menagerie/unitree_g1/g1_with_hands.xml"},
    {"menagerie/unitree_g1/scene.xml"},
    {"menagerie/unitree_g1/scene_mjx.xml"},
    {"menagerie/unitree_g1/scene_with_hands.xml"},
    {"menagerie/wonik_allegro/left_hand.xml"},
    {"menagerie/wonik_allegro/right_hand.xml"},
    {"menagerie/wonik_allegro/scene_left.xml"},
    {"menagerie/wonik_allegro/scene_right.xml"},
    {"mujoco/model/car/car.xml"},
    {"mujoco/model/cards/cards.xml"},
    {"mujoco/model/cube/cube_3x3x3.xml"},
    {"mujoco/model/humanoid/100_humanoids.xml"},
    {"mujoco/model/humanoid/22_humanoids.xml"},
    {"mujoco/model/humanoid/humanoid.xml"},
    {"mujoco/model/humanoid/humanoid100.xml"},
    {"mujoco/model/replicate/bowl.xml"},
    {"mujoco/model/replicate/bunnies.xml"},
    {"mujoco/model/replicate/container.xml"},
    {"mujoco/model/replicate/cylinder.xml"},
    {"mujoco/model/replicate/helix.xml"},
    {"mujoco/model/replicate/leaves.xml"},
    {"mujoco/model/replicate/newton_cradle.xml"},
    {"mujoco/model/replicate/particle.xml"},
    {"mujoco/model/replicate/particle_free.xml"},
    {"mujoco/model/replicate/particle_free2d.xml"},
    {"mujoco/model/replicate/scene.xml"},
    {"mujoco/model/replicate/stonehenge.xml"},
    {"mujoco/model/replicate/tendon.xml"},
    {"mujoco/model/sleep/100_humanoids.xml"},
    {"mujoco/model/sleep/dominos.xml"},
    {"mujoco/model/sleep/humanoid.xml"},
    {"mujoco/test/benchmark/testdata/2humanoid100.xml"},
    {"mujoco/test/benchmark/testdata/humanoid.xml"},
    {"mujoco/test/benchmark/testdata/humanoid200.xml"},
    {"mujoco/test/benchmark/testdata/humanoid_body.xml"},
    {"mujoco/test/testdata/model.xml", {"sdf"}},
    {"mujoco_warp/humanoid.xml"},
    {"mujoco_warp/primitives.xml"},
    {"mujoco_warp/three_humanoids.xml"},
    {"mujoco/model/adhesion/active_adhesion.xml", {"adhesion"}},
    {"mujoco/model/adhesion/fridge_door.xml", {"adhesion"}},
    {"mujoco/model/adhesion/sand_castle.xml", {"adhesion"}},
    {"mujoco/model/hammock/hammock.xml", {"flexcomp", "flex"}},
    {"mujoco/model/mug/mug.xml", {"skin"}},
    {"mujoco/model/slider_crank/slider_crank.xml", {"cranksite", "slidersite", "cranklength"}},
};

/// Files that MuJoCo 4.0 itself refuses: a mesh that is missing, a fragment that other files include, and muscles
/// whose length ranges do not settle (beyond half a turn about a cylinder their tendons take the other side).
const PublishedFile kBroken[] = {
    {"menagerie/leap_hand/left_hand.xml"},
    {"menagerie/leap_hand/scene_left.xml"},
    {"menagerie/shadow_hand/keyframes.xml"},
    {"mujoco/model/tendon_arm/arm26.xml"},
};

class PublishedModel : public testing::TestWithParam<PublishedFile>
{
protected:
    void SetUp() override
    {
        path_ = find_data() / "mjcf" / GetParam().path;
        if (!std::filesystem::exists(path_)) GTEST_SKIP() << path_ << " is not here: set RATTLEBACK_DATA";
        SKIP_WITHOUT_MUJOCO();
    }

    std::filesystem::path path_;
};

/// The refusal names an unsupported element that the table allows; every error says its place.
void expect_fair_refusal(const std::vector<Error>& errors, const PublishedFile& file)
{
    const auto is_fair = [&](const Error& error)
    {
        return error.code == ErrorCode::unsupported &&
               std::ranges::any_of(file.refusable, [&](const std::string& word)
                                   { return error.message.find(word) != std::string::npos; });
    };
    EXPECT_TRUE(std::ranges::any_of(errors, is_fair)) << to_text(errors);
    for (const Error& error : errors) EXPECT_NE(error.where.find(".xml:"), std::string::npos) << error.text();
}

TEST_P(PublishedModel, has_the_constants_and_the_motion_that_mujoco_gives_it)
{
    const Result<Imported> imported = load_mjcf(path_);
    if (!imported.ok())
    {
        expect_fair_refusal(imported.errors(), GetParam());
        return;
    }
    const Model& model = imported.value().model;
    Result<lab::Oracle> loaded = lab::Oracle::load_file(path_.string());
    if (!loaded.ok()) GTEST_SKIP() << "MuJoCo cannot read it: " << to_text(loaded.errors());
    lab::Oracle oracle = std::move(loaded).value();
    const Order order = Order::same(model);
    expect_same_sizes(model, oracle);
    ASSERT_FALSE(HasFailure()) << "other sizes: nothing else can be compared";
    expect_same_names(model, oracle);
    expect_same_keyframes(model, oracle);
    expect_same_fields(model, oracle, order);
    expect_same_surfaces(model, oracle);
    for (std::uint64_t seed = 0; seed < kStates && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("random state " + std::to_string(seed));
        expect_same_dynamics(model, oracle, order, MatchState(model, seed));
    }
}
INSTANTIATE_TEST_SUITE_P(Mjcf, PublishedModel, testing::ValuesIn(kFiles),
                         [](const auto& file) { return make_title(file.param.path); });

class BrokenModel : public PublishedModel
{
};

TEST_P(BrokenModel, is_refused_by_us_as_by_mujoco)
{
    EXPECT_FALSE(lab::Oracle::load_file(path_.string()).ok());
    const Result<Imported> imported = load_mjcf(path_);
    ASSERT_FALSE(imported.ok());
    for (const Error& error : imported.errors())
        EXPECT_NE(error.where.find(".xml:"), std::string::npos) << error.text();
}
INSTANTIATE_TEST_SUITE_P(Mjcf, BrokenModel, testing::ValuesIn(kBroken),
                         [](const auto& file) { return make_title(file.param.path); });

}  // namespace
}  // namespace rattleback
