// Many exact meshes at once: none leaves its bowl, and thin cups stay in one another.
#include "lab/scenes/eared.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kFrame = 1.0 / 60;

/// Runs eared solids in their bowl; how many are outside of it at the end.
int count_escaped(int count, double seconds)
{
    const lab::EaredBowlOptions options{.count = count};
    Simulation simulation =
        Simulation::make(lab::build_eared_bowl(options).value(), {.solver = "avbd", .dt = kFrame}).value();
    EXPECT_EQ(simulation.run_for(seconds).status, StepStatus::ok);
    const double radius = lab::find_bowl_radius(options);
    int escaped = 0;
    for (int i = 1; i <= count; ++i)
    {
        const Vec3 p = simulation.state().position(BodyId{i});
        const bool is_below = p.z < 0 && norm(p) > radius;
        escaped += is_below || std::hypot(p.x, p.y) > radius ? 1 : 0;
    }
    return escaped;
}

TEST(MeshCrowds, six_eared_solids_stay_in_a_bowl) { EXPECT_EQ(count_escaped(6, 1.5), 0); }

TEST(MeshCrowds, long_a_hundred_eared_solids_stay_in_a_bowl_for_20_s) { EXPECT_EQ(count_escaped(100, 20), 0); }

TEST(MeshCrowds, long_a_thousand_eared_solids_stay_in_a_bowl_for_20_s) { EXPECT_EQ(count_escaped(1000, 20), 0); }

/// Half balls of 10 cm with walls of 8 mm, dropped into each other: the outer side of one, a ball of 10.8 cm, comes to
/// rest on the rim of the one below, sqrt(10.8^2 - 10^2) = 4.1 cm higher. A cup that went through the wall would sink
/// to the bottom of the other, 0.8 cm higher.
TEST(MeshCrowds, thin_cups_that_fall_into_each_other_do_not_go_through)
{
    constexpr int kCups = 5;
    ModelBuilder builder("cups");
    const MeshId mesh = builder.add_mesh(lab::make_bowl(0.1, 0.008, 24, 6));
    builder.add_shape(kWorld, Mesh{.mesh = mesh, .collide = MeshCollide::exact});
    for (int i = 1; i < kCups; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.002 * i, 0, 0.12 * i}});
        builder.add_shape(body, Mesh{.mesh = mesh, .collide = MeshCollide::exact});
    }
    Simulation simulation = Simulation::make(builder.build().value(), {.solver = "avbd", .dt = kFrame}).value();
    EXPECT_EQ(simulation.run_for(2).status, StepStatus::ok);
    double below = 0;
    for (int i = 1; i < kCups; ++i)
    {
        const double height = simulation.state().position(BodyId{i}).z;
        // Half way between the two: 24 x 6 flat faces stand for the ball, and cups may lean.
        EXPECT_GT(height - below, 0.025) << i;
        below = height;
    }
}

}  // namespace
}  // namespace rattleback
