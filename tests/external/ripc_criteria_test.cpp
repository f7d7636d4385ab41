// The criteria for public scenes whose laws follow from their meshes and tracks pass the first steps of `ipc`, and no
// run in which one body is off by more than they allow.
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <functional>

#include "external/data.h"
#include "lab/bench/ipc_run.h"
#include "lab/scenes/ipc/public_criteria.h"
#include "math/rotation.h"

namespace rattleback
{
namespace
{

using lab::IpcFrame;

/// The first steps of a scene, and what its criterion says of them.
class PublicJudge
{
public:
    PublicJudge(const std::string& scene, std::int64_t steps)
    {
        const std::filesystem::path path = find_data() / "rigid-ipc" / "fixtures" / "3D" / (scene + ".json");
        if (!std::filesystem::exists(path)) return;
        name_ = path.stem().string();
        const Result<Imported> imported = load_model(path);
        EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
        if (!imported.ok()) return;
        Result<lab::IpcOutcome> outcome = lab::run_ipc(std::make_shared<const Model>(imported->model),
                                                       {.steps = steps, .budget = 60, .audit = false});
        EXPECT_TRUE(outcome.ok()) << to_text(outcome.errors());
        if (!outcome.ok()) return;
        outcome_ = std::move(outcome).value();
        EXPECT_EQ(outcome_.steps, steps);
    }

    bool is_here() const { return !outcome_.run.frames.empty(); }
    lab::IpcVerdict judge() const { return lab::judge_public_scene(name_, outcome_.run); }
    /// The same run, with one frame changed.
    lab::IpcVerdict judge(std::size_t frame, const std::function<void(IpcFrame&)>& change) const
    {
        lab::IpcRun run = outcome_.run;
        change(run.frames.at(frame));
        return lab::judge_public_scene(name_, run);
    }
    lab::IpcVerdict judge_shifted(std::size_t frame, std::size_t body, const Vec3& by) const
    {
        return judge(frame, [&](IpcFrame& f) { f.pose[body].position += by; });
    }

private:
    std::string name_;
    lab::IpcOutcome outcome_;
};

/// Turns bodies about an axis along z.
void turn_about(const Vec3& axis, double angle, const std::vector<std::size_t>& bodies, IpcFrame& frame)
{
    const Quat turn = exponential(Vec3{0, 0, angle});
    for (const std::size_t body : bodies)
    {
        Pose& pose = frame.pose[body];
        pose = {axis + rotate(turn, pose.position - axis), turn * pose.rotation};
    }
}

TEST(RipcCriteria, piston_is_judged_by_its_crank_and_its_plays)
{
    const PublicJudge piston("mechanisms/507-movements/092-piston", 30);
    if (!piston.is_here()) GTEST_SKIP() << "no scenes in " << find_data();
    EXPECT_TRUE(piston.judge().passed) << piston.judge().text;
    // Clearances are 5.5 mm an eye and 6.6 mm of the head.
    for (const std::size_t frame : {5u, 30u})
    {
        EXPECT_FALSE(piston.judge_shifted(frame, 2, {0.012, 0, 0}).passed);  // rod
        EXPECT_FALSE(piston.judge_shifted(frame, 2, {0, -0.012, 0}).passed);
        EXPECT_FALSE(piston.judge_shifted(frame, 3, {0, 0.03, 0}).passed);  // head
        EXPECT_FALSE(piston.judge_shifted(frame, 3, {0, -0.03, 0}).passed);
    }
    EXPECT_FALSE(piston
                     .judge(10, [](IpcFrame& frame)
                            { frame.pose[1].rotation = exponential(Vec3{0, 0, 1e-6}) * frame.pose[1].rotation; })
                     .passed);
    // Rod and head turned about the crank's pin: no joint plays, but the head is out of its cylinder.
    EXPECT_FALSE(piston
                     .judge(5,
                            [](IpcFrame& frame)
                            {
                                const Vec3 center = frame.pose[1].position, pin{0, -0.7 - center.y, 0};
                                turn_about(center + rotate(exponential(Vec3{0, 0, -2 * kPi * frame.time}), pin), 0.15,
                                           {2, 3}, frame);
                            })
                     .passed);
}

TEST(RipcCriteria, slow_punching_press_is_judged_by_its_plays_its_knee_and_the_work_of_its_force)
{
    const PublicJudge press("mechanisms/507-movements/140-punching-press", 12);
    if (!press.is_here()) GTEST_SKIP() << "no scenes in " << find_data();
    EXPECT_TRUE(press.judge().passed) << press.judge().text;
    // Every body is in an eye or has one: at most 0.93 mm of clearance, so 1.9 mm from stop to stop.
    for (std::size_t body = 1; body <= 6; ++body)
        for (const Vec3& by : {Vec3{2e-3, 0, 0}, Vec3{0, 2e-3, 0}, Vec3{0, -2e-3, 0}})
            EXPECT_FALSE(press.judge_shifted(6, body, by).passed) << "body " << body;
    // Lower link and punch turned about the knee: no joint plays, but the punch is 40 mm out of its guide.
    EXPECT_FALSE(press
                     .judge(6,
                            [](IpcFrame& frame)
                            {
                                const Vec3 pivot{0.818444, 0.947738, 0}, to_knee{-0.000705, -0.270581, 0};
                                turn_about(pivot + rotate(frame.pose[4].rotation, to_knee), 0.15, {5, 6}, frame);
                            })
                     .passed);
    EXPECT_FALSE(press.judge(12, [](IpcFrame& frame) { frame.energy += 1; }).passed);
    // So little of a rise after half a second.
    EXPECT_FALSE(press.judge(12, [](IpcFrame& frame) { frame.time = 0.6; }).passed);
}

TEST(RipcCriteria, a_screw_is_judged_by_the_pitch_of_its_mesh)
{
    const PublicJudge bolt("mechanisms/bolt", 40);
    if (!bolt.is_here()) GTEST_SKIP() << "no scenes in " << find_data();
    EXPECT_TRUE(bolt.judge().passed) << bolt.judge().text;
    // The play of its thread is 1.35 mm, its pitch 2.1 mm a radian.
    EXPECT_FALSE(bolt.judge_shifted(20, 2, {0, 3e-3, 0}).passed);
    EXPECT_FALSE(bolt.judge_shifted(20, 2, {0, -3e-3, 0}).passed);
    const auto turn = [](IpcFrame& frame)
    { frame.pose[2].rotation = exponential(Vec3{0, 1.5, 0}) * frame.pose[2].rotation; };
    EXPECT_FALSE(bolt.judge(20, turn).passed);
    const auto lose = [](IpcFrame& frame) { frame.pose[2].position.x = NAN; };
    EXPECT_FALSE(bolt.judge(20, lose).passed);
}

TEST(RipcCriteria, tracks_are_followed_to_rounding_and_what_is_free_flies)
{
    const PublicJudge pusher("examples/kinematic", 100), script("examples/kinematically-scripted", 60);
    if (!pusher.is_here()) GTEST_SKIP() << "no scenes in " << find_data();
    EXPECT_TRUE(pusher.judge().passed) << pusher.judge().text;
    EXPECT_FALSE(pusher.judge_shifted(50, 3, {1e-6, 0, 0}).passed);  // off the track
    EXPECT_FALSE(pusher.judge_shifted(10, 2, {1e-6, 0, 0}).passed);  // off free flight
    EXPECT_FALSE(pusher.judge(10, [](IpcFrame& frame) { frame.speed[2].linear.x *= 1.001; }).passed);
    EXPECT_FALSE(pusher.judge(80, [](IpcFrame& frame) { frame.speed[2].linear.x = 0.9; }).passed);  // left behind
    EXPECT_FALSE(pusher.judge(80, [](IpcFrame& frame) { frame.converged = false; }).passed);
    EXPECT_TRUE(script.judge().passed) << script.judge().text;
    EXPECT_FALSE(script.judge_shifted(2, 4, {0, 1e-6, 0}).passed);
    EXPECT_FALSE(script
                     .judge(40, [](IpcFrame& frame)
                            { frame.pose[4].rotation = exponential(Vec3{1e-6, 0, 0}) * frame.pose[4].rotation; })
                     .passed);
    EXPECT_FALSE(script.judge_shifted(6, 3, {0, 1e-6, 0}).passed);
    EXPECT_FALSE(script.judge(9, [](IpcFrame& frame) { frame.speed[3].linear.y = 300; }).passed);
    EXPECT_FALSE(script.judge(40, [](IpcFrame& frame) { frame.energy += 1e3; }).passed);
}

TEST(RipcCriteria, what_stands_is_judged_by_where_it_stands)
{
    const PublicJudge corner("unit-tests/tet-corner", 250), cubes("unit-tests/5-cubes", 510);
    const PublicJudge apart("minimum-separation/cube-falling-on-edge", 100), meeting("unit-tests/edge-edge", 60);
    if (!corner.is_here()) GTEST_SKIP() << "no scenes in " << find_data();
    for (const PublicJudge* judge : {&corner, &cubes, &apart, &meeting})
        EXPECT_TRUE(judge->judge().passed) << judge->judge().text;
    EXPECT_FALSE(corner.judge_shifted(250, 5, {0, 2e-3, 0}).passed);  // stuck on the way
    EXPECT_FALSE(cubes.judge_shifted(510, 5, {0, 6e-3, 0}).passed);
    EXPECT_FALSE(cubes.judge_shifted(300, 3, {2e-3, 0, 0}).passed);
    EXPECT_FALSE(apart.judge(50, [](IpcFrame& frame) { frame.least_distance = 0.0499; }).passed);
    EXPECT_FALSE(meeting.judge(30, [](IpcFrame& frame) { frame.least_distance = 0; }).passed);
}

TEST(RipcCriteria, chains_and_nets_are_judged_by_linking_numbers_in_every_frame)
{
    struct Linked
    {
        const char* scene;
        const char* pairs;  ///< that are linked
        std::size_t loose;  ///< one that is taken out
    };
    for (const Linked& linked :
         {Linked{"chain/3-links", "linked pairs 2", 3}, Linked{"chain/5-links", "linked pairs 4", 2},
          Linked{"codimensional/edges/3-link-chain", "linked pairs 2", 2},
          Linked{"chain/chain-net/chain-net-4x4", "linked pairs 24", 7},
          Linked{"codimensional/edges/chain-net-4x4", "linked pairs 24", 7},
          Linked{"chain/wrecking-ball", "linked pairs 13", 14}})
    {
        SCOPED_TRACE(linked.scene);
        const PublicJudge chain(linked.scene, 3);
        if (!chain.is_here()) GTEST_SKIP() << "no scenes in " << find_data();
        EXPECT_TRUE(chain.judge().passed) << chain.judge().text;
        EXPECT_NE(chain.judge().text.find(linked.pairs), std::string::npos) << chain.judge().text;
        // Out of the chain, and back at the end.
        EXPECT_FALSE(chain.judge_shifted(2, linked.loose, {0, 1.5, 0}).passed);
        EXPECT_FALSE(chain.judge_shifted(2, linked.loose, {0, 0, 3}).passed);
    }
}

}  // namespace
}  // namespace rattleback
