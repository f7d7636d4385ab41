// Published robots through a builder: the same Model again, and one that is driven by torque.
#include "support/source_folder.h"

#include <rattleback/builder.h>
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace rattleback
{
namespace
{

TEST(FromModel, gives_published_robots_again_and_makes_motors_of_their_servos)
{
    const char* given = std::getenv("RATTLEBACK_DATA");
    const std::filesystem::path data = given ? given : source_folder() / "../shared/data";
    for (const char* name :
         {"mujoco/model/humanoid/humanoid.xml", "mujoco/model/car/car.xml", "menagerie/shadow_hand/right_hand.xml",
          "menagerie/unitree_g1/g1.xml", "menagerie/franka_emika_panda/panda.xml"})
    {
        SCOPED_TRACE(name);
        const auto path = data / "mjcf" / name;
        if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here: set RATTLEBACK_DATA";
        const Model model = std::move(load_mjcf(path)).value().model;
        ModelBuilder builder = ModelBuilder::from(model);
        EXPECT_EQ(fingerprint(builder.build().value()), fingerprint(model));

        builder.make_motors();
        const BodyId ball = builder.add_body({.name = "a ball beside it", .position = {3, 0, 1}});
        builder.add_shape(ball, Sphere{.radius = 0.1});
        const Result<Model> driven = builder.build();
        ASSERT_TRUE(driven.ok()) << to_text(driven.errors());
        EXPECT_EQ(driven->act_count, 0);
        for (std::size_t a = 0; a < model.actuators.target.size(); ++a)
        {
            EXPECT_EQ(driven->actuators.gain[a], (std::array<double, 3>{1, 0, 0}));
            EXPECT_EQ(driven->actuators.gear[a], model.actuators.gear[a]);
            const Range& limits = model.actuators.force_range[a];
            EXPECT_TRUE(!limits.limited || driven->actuators.input_range[a] == limits);
        }
        ASSERT_EQ(driven->keyframes.size(), model.keyframes.size());
        for (std::size_t k = 0; k < model.keyframes.size(); ++k)
        {
            const std::size_t count = model.keyframes[k].q.size();
            EXPECT_EQ(driven->keyframes[k].q.size(), count == 0 ? 0 : count + 7);
        }
    }
}

}  // namespace
}  // namespace rattleback
