// What write_mjcf writes, read by MuJoCo: the model that MuJoCo makes of it moves as ours does.
#include "external/field_match.h"
#include "lab/scenes/scenes.h"
#include "support/random_model.h"
#include "support/source_folder.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <cstdlib>
#include <filesystem>

namespace rattleback
{
namespace
{

void expect_match(const Model& model, int states)
{
    const Result<std::string> text = write_mjcf(model);
    ASSERT_TRUE(text.ok()) << to_text(text.errors());
    Result<lab::Oracle> loaded = lab::Oracle::load_text(text.value());
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors()) << text.value();
    lab::Oracle oracle = std::move(loaded).value();
    const Result<Order> order = Order::find(model, oracle);
    ASSERT_TRUE(order.ok()) << to_text(order.errors());
    expect_same_fields(model, oracle, order.value());
    for (int i = 0; i < states; ++i)
    {
        expect_same_dynamics(model, oracle, order.value(), MatchState(model, static_cast<std::uint64_t>(i) + 77));
    }
}

TEST(WrittenMatch, every_scene_of_the_laboratory_is_the_same_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const lab::Scene& scene : lab::all_scenes())
    {
        SCOPED_TRACE(scene.name);
        expect_match(scene.build().value(), 20);
    }
}

TEST(WrittenMatch, random_models_are_the_same_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (std::uint64_t seed = 0; seed < 50 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        Model model = make_random_model(seed, {.shapes = seed % 2 == 0});
        // Where there is no actuator at all, MuJoCo 4.0 forgets the compensation that is to count as actuator force.
        if (model.actuator_count() == 0 && model.joint_count() > 0)
            std::fill(model.joints.gravity_compensation_by_actuator.begin(),
                      model.joints.gravity_compensation_by_actuator.end(), 0);
        expect_match(model, 2);
    }
}

TEST(WrittenMatch, published_models_written_again_are_the_same_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const char* given = std::getenv("RATTLEBACK_DATA");
    const std::filesystem::path data = given ? given : source_folder() / "../shared/data";
    for (const char* name :
         {"mujoco/model/humanoid/humanoid.xml", "mujoco/model/car/car.xml", "mujoco/model/cube/cube_3x3x3.xml",
          "menagerie/shadow_hand/right_hand.xml", "menagerie/unitree_g1/g1.xml"})
    {
        SCOPED_TRACE(name);
        const auto path = data / "mjcf" / name;
        if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here: set RATTLEBACK_DATA";
        const Result<Imported> imported = load_mjcf(path);
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        expect_match(imported.value().model, 5);
    }
}

}  // namespace
}  // namespace rattleback
