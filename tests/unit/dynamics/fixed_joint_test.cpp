// A fixed joint has no coordinates and moves nothing.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

TEST(FixedJoint, leaves_its_body_where_it_is_and_looks_at_no_coordinates)
{
    ModelBuilder builder;
    const BodyId turned = builder.add_body({.position = {0, 0, 1}, .rotation = {0, 1, 0, 0}});
    builder.add_shape(turned, Sphere{.radius = 0.1});
    const BodyId held = builder.add_body({.position = {1, 2, 3}});
    builder.add_joint(held, {.type = JointType::fixed});
    builder.add_shape(held, Sphere{.radius = 0.1});
    const Model model = builder.build().value();
    ASSERT_EQ(model.q_count(), 7);  // of the first body: a fixed joint that read some would begin behind them
    const State state(model);
    EXPECT_EQ(state.position(held), (Vec3{1, 2, 3}));
    EXPECT_EQ(state.body_pose[static_cast<std::size_t>(held.index)].rotation, Quat{});
}

}  // namespace
}  // namespace rattleback
