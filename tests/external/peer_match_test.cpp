// The MuJoCo peer: what it says about itself, and what it notices when a run goes wrong.
#include "lab/peers/mujoco/mujoco.h"

#include "external/model_file.h"
#include "external/oracle_match.h"

namespace rattleback
{
namespace
{

constexpr const char* kPendulum = R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1"><joint axis="0 1 0"/><geom type="sphere" size=".1" pos="1 0 0"/></body>
  </worldbody>
</mujoco>
)";

// A spring that no explicit step of 2 ms can follow.
constexpr const char* kExplosion = R"(
<mujoco>
  <worldbody>
    <body><joint stiffness="1e12" springref="1"/><geom type="sphere" size=".1" pos="1 0 0"/></body>
  </worldbody>
</mujoco>
)";

// Enough memory for the search, too little for all contacts.
constexpr const char* kCrowd = R"(
<mujoco>
  <size memory="160K"/>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <replicate count="30" offset=".1 0 0">
      <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </replicate>
  </worldbody>
</mujoco>
)";

TEST(MujocoPeer, names_its_version_and_keeps_time)
{
    SKIP_WITHOUT_MUJOCO();
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    const ModelFile file(kPendulum);
    EXPECT_EQ(peer->name(), "mujoco 4.0.0");
    EXPECT_EQ(peer->load(file.path()).value(), 2);
    peer->step(10);
    EXPECT_NEAR(peer->time(), 10 * peer->dt(), 1e-12);
    EXPECT_TRUE(peer->trouble().none());
    EXPECT_NE(peer->q()[0], 0);
    peer->reset();
    EXPECT_EQ(peer->time(), 0);
    EXPECT_EQ(peer->q()[0], 0);
}

TEST(MujocoPeer, reads_poses_of_the_state_after_the_step)
{
    SKIP_WITHOUT_MUJOCO();
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    const ModelFile file(kPendulum);
    ASSERT_TRUE(peer->load(file.path()).ok());
    peer->step(50);
    std::vector<Pose> poses;
    peer->read_poses(poses);
    ASSERT_EQ(poses.size(), 2U);
    EXPECT_NEAR(2 * std::atan2(poses[1].rotation.y, poses[1].rotation.w), peer->q()[0], 1e-12);
}

TEST(MujocoPeer, notices_that_mujoco_started_again)
{
    SKIP_WITHOUT_MUJOCO();
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    const ModelFile file(kExplosion);
    ASSERT_TRUE(peer->load(file.path(), {.integrator = Integrator::euler}).ok());
    peer->step(100);
    EXPECT_GT(peer->trouble().resets, 0) << peer->trouble().text();
    peer->reset();
    EXPECT_TRUE(peer->trouble().none());
}

TEST(MujocoPeer, notices_that_contacts_were_dropped)
{
    SKIP_WITHOUT_MUJOCO();
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    const ModelFile file(kCrowd);
    ASSERT_TRUE(peer->load(file.path()).ok());
    peer->step();
    EXPECT_GT(peer->trouble().overflows, 0) << peer->trouble().text();
}

TEST(MujocoPeer, leaves_no_log_in_the_working_directory)
{
    SKIP_WITHOUT_MUJOCO();
    std::filesystem::remove("MUJOCO_LOG.TXT");
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    const ModelFile file(kExplosion);
    ASSERT_TRUE(peer->load(file.path()).ok());
    peer->step(100);
    EXPECT_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST(MujocoPeer, says_why_a_file_cannot_be_loaded)
{
    SKIP_WITHOUT_MUJOCO();
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    EXPECT_FALSE(peer->load("/nowhere/at all.xml").ok());
    const ModelFile file("<mujoco><worldbody><nonsense/></worldbody></mujoco>");
    const Result<int> loaded = peer->load(file.path());
    ASSERT_FALSE(loaded.ok());
    EXPECT_NE(to_text(loaded.errors()).find("nonsense"), std::string::npos) << to_text(loaded.errors());
    const ModelFile pendulum(kPendulum);
    EXPECT_FALSE(peer->load(pendulum.path(), {.integrator = Integrator::midpoint}).ok());
}

TEST(MujocoPeer, moves_one_world_as_its_batch_moves_many)
{
    SKIP_WITHOUT_MUJOCO();
    const ModelFile file(kPendulum);
    const auto batch = lab::make_mujoco_batch(file.path(), {}, 3, 1);
    ASSERT_TRUE(batch.ok()) << to_text(batch.errors());
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    ASSERT_TRUE(peer->load(file.path()).ok());
    peer->step(40);
    batch.value()->reset();
    batch.value()->step(40);
    EXPECT_TRUE(batch.value()->trouble().none());
    for (int world = 0; world < 3; ++world) EXPECT_EQ(batch.value()->q(world)[0], peer->q()[0]);
    // Its rollout from a given state, too.
    peer->reset();
    peer->q()[0] = 0.3;
    peer->step(10);
    batch.value()->start(std::vector<double>{0.3}, {}, {});
    batch.value()->rollout(10, {});
    for (int world = 0; world < 3; ++world) EXPECT_EQ(batch.value()->q(world)[0], peer->q()[0]);
}

}  // namespace
}  // namespace rattleback
