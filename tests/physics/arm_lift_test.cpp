// A servo-driven arm that comes down on a thing, closes its gripper and lifts: what it holds goes up with it.
#include "lab/scenes/arm_lift.h"

#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

struct Lift
{
    double rise = 0;    ///< of the thing [m]
    double aside = 0;   ///< how far it was moved across the floor before it left it [m]
    double turned = 0;  ///< [rad] at the end
};

Lift lift(const lab::LiftedThing& thing, const std::string& solver, double dt)
{
    const Model model = lab::build_arm_lift().value();
    Simulation simulation(model, {.solver = solver, .dt = dt});
    lab::place_arm_lift(thing, simulation.state().q);
    simulation.refresh();
    const auto& names = model.bodies.name;
    const BodyId body{static_cast<int>(std::find(names.begin(), names.end(), thing.name) - names.begin())};
    const Pose start = simulation.state().pose(body);
    Lift result;
    const auto steps = static_cast<int>(std::lround(lab::kLiftSeconds / dt));
    for (int i = 1; i <= steps; ++i)
    {
        lab::drive_arm_lift(thing, i * dt, simulation.control().input);
        const StepReport report = simulation.step();
        EXPECT_LT(report.status, StepStatus::diverged) << simulation.explain(report);
        const Vec3 moved = simulation.state().pose(body).position - start.position;
        if (i * dt <= 3) result.aside = std::max(result.aside, std::hypot(moved.x, moved.y));
        result.rise = moved.z;
    }
    const Quat turn = conjugate(start.rotation) * simulation.state().pose(body).rotation;
    result.turned = 2 * std::asin(std::min(1.0, norm(Vec3{turn.x, turn.y, turn.z})));
    return result;
}

void expect_lifted(const lab::LiftedThing& thing, const std::string& solver, double dt)
{
    const Lift found = lift(thing, solver, dt);
    const std::string what = std::string(thing.name) + ", " + solver + ", " + std::to_string(dt);
    // Servos sag under the thing's weight; the round bottle settles by a tenth of the lift between flat pads.
    EXPECT_GT(found.rise, 0.85 * lab::kLiftRise) << what;
    EXPECT_LT(found.rise, 1.1 * lab::kLiftRise) << what;
    // Pads close about a thing that stands in their middle.
    EXPECT_LT(found.aside, 0.005) << what;
    // Nothing holds a ball's turn about the line through its two contacts.
    if (std::string_view(thing.name) != "ball")
    {
        EXPECT_LT(found.turned, 0.1) << what;
    }
}

TEST(ArmLift, lifts_a_cube_in_steps_of_ten_and_two_milliseconds)
{
    for (const std::string solver : {"convex", "comfree", "avbd"})
        for (const double dt : {0.01, 0.002}) expect_lifted(lab::kLiftedThings[0], solver, dt);
}

TEST(ArmLift, lifts_a_ball_and_a_bottle_of_hulls_in_steps_of_ten_milliseconds)
{
    for (const std::string solver : {"convex", "comfree", "avbd"})
        for (const int thing : {1, 2}) expect_lifted(lab::kLiftedThings[static_cast<std::size_t>(thing)], solver, 0.01);
}

}  // namespace
}  // namespace rattleback
