// A cube in the gripper of an arm that swings to and fro: what is held stays where it is.
#include "lab/metrics/soak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

/// The cube as the palm sees it.
Pose find_grip(const Simulation& simulation)
{
    const std::vector<std::string>& names = simulation.model().bodies.name;
    const auto palm = std::find(names.begin(), names.end(), "palm") - names.begin();
    const auto poses = simulation.state().world().body_pose;
    return inverse(poses[static_cast<std::size_t>(palm)]) * poses.back();
}

/// How far the cube of the soak's arm has moved in the gripper, `seconds` after it had settled [m], and turned [rad].
std::pair<double, double> find_creep(double seconds, const Parameters& parameters = {})
{
    const lab::SoakScene& scene = *lab::find_soak_scene("arm").value();
    Simulation simulation(scene.build().value(), {.solver = "convex", .parameters = parameters});
    lab::SoakAccount account;
    lab::run_soak(scene, lab::kSoakSettled, {}, simulation, account);
    const Pose begin = find_grip(simulation);
    lab::run_soak(scene, lab::kSoakSettled + seconds, {}, simulation, account);
    EXPECT_FALSE(account.diverged);
    const Pose end = find_grip(simulation);
    const Quat turn = conjugate(begin.rotation) * end.rotation;  // small
    return {norm(end.position - begin.position), 2 * norm(Vec3{turn.x, turn.y, turn.z})};
}

// Corners of the pads come and go, and part by micrometres while the palm moves on its arc. May be: what makes 0.1 mm
// and 10 mrad in ten hours.
constexpr double kTenHours = 36'000;
void expect_held(double seconds, const Parameters& parameters)
{
    const auto [moved, turned] = find_creep(seconds, parameters);
    EXPECT_LT(moved, 1e-4 * seconds / kTenHours);
    EXPECT_LT(turned, 1e-2 * seconds / kTenHours);
}

TEST(GrippedCube, does_not_creep_in_convex)
{
    for (const std::string cone : {"pyramidal", "elliptic"}) expect_held(32, {{"cone", cone}});
    EXPECT_GT(find_creep(32, {{"stick", false}}).first, 1e-5) << "plain cones creep";
}

TEST(GrippedCube, long_stays_for_two_hours)
{
    // With anchors of which a pad lost its own now and then the cube was on the floor after 0.8 hours.
    expect_held(7200, {});
}

}  // namespace
}  // namespace rattleback
