// Scenes of rigid-IPC with bodies that turn about two axes of three: a universal joint, by its closed forms.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

#include "math/rotation.h"

namespace rattleback
{
namespace
{

constexpr double kTurnDegree = 3.14159265358979323846 / 180;

Vec3 make_turn_axis(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }

/// A cube of a metre and 6 kg, whose moments of inertia are 1 kg m^2 about all axes, with rotation `fixed` held. What
/// `fields` tells is in the axes of x, y, z.
Model make_turning_cube(int fixed, const std::string& fields, const std::string& slides = "false,false,false")
{
    std::string flags = slides;
    for (int i = 0; i < 3; ++i) flags += i == fixed ? ",true" : ",false";
    const std::string cube =
        R"("vertices": [[-0.5,-0.5,-0.5],[0.5,-0.5,-0.5],[0.5,0.5,-0.5],[-0.5,0.5,-0.5],
                        [-0.5,-0.5,0.5],[0.5,-0.5,0.5],[0.5,0.5,0.5],[-0.5,0.5,0.5]],
           "faces": [[0,2,1],[0,3,2],[4,5,6],[4,6,7],[0,1,5],[0,5,4],[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7]],
           "density": 6, "rotation": [20,-30,40], )";
    // Solved further than the reference's tolerance, so that only the step's length is in the way.
    Result<Imported> scene = parse_ripc(
        R"({"newton_solver": {"velocity_conv_tol": 1e-6, "is_velocity_conv_tol_abs": true}, "rigid_body_problem":
            {"rigid_bodies": [{)" +
            cube + fields + ", \"is_dof_fixed\": [" + flags + "]}]}}",
        "scene.json", ".");
    EXPECT_TRUE(scene.ok()) << to_text(scene.errors());
    return scene.ok() ? scene->model : Model{};
}

/// Angles about the first and the second free axis after `time`; on the way the joint holds in every step: the second
/// axis of the body stays across the first axis of the world.
std::array<double, 2> run_turning_cube(const Model& model, int fixed, double dt, double time)
{
    const int first = fixed == 0 ? 1 : 0, second = fixed == 2 ? 1 : 2;
    const Quat start = model.bodies.pose[1].rotation;
    Simulation simulation = Simulation::make(model, {.dt = dt}).value();
    const std::size_t q = simulation.state().q.size() - 2;
    for (int i = 0; i < static_cast<int>(std::lround(time / dt)); ++i)
    {
        EXPECT_EQ(simulation.step().status, StepStatus::ok) << i;
        const Quat turned = simulation.state().pose(BodyId{1}).rotation * conjugate(start);
        // joint_tolerance: a thousandth of d̂ = 1 mm, over the cube's gyration of 0.4 m
        EXPECT_NEAR(dot(make_turn_axis(first), rotate(turned, make_turn_axis(second))), 0, 1e-6 / 0.4) << i;
        const Quat told = turn(make_turn_axis(first), simulation.state().q[q]) *
                          turn(make_turn_axis(second), simulation.state().q[q + 1]);
        EXPECT_LT(norm(logarithm(conjugate(told) * turned)), 1e-5) << i;
    }
    return {simulation.state().q[q], simulation.state().q[q + 1]};
}

TEST(RipcTurns, a_cube_on_a_universal_joint_turns_evenly_about_both_axes)
{
    // The angular velocity a' e1 + b' e2(a) has the square a'^2 + b'^2, so that both angles grow evenly for ever.
    for (int fixed = 0; fixed < 3; ++fixed)
    {
        SCOPED_TRACE(fixed);
        const int first = fixed == 0 ? 1 : 0, second = fixed == 2 ? 1 : 2;
        std::array<int, 3> rates{33, 33, 33};  // the fixed one counts for nothing
        rates[static_cast<std::size_t>(first)] = 100;
        rates[static_cast<std::size_t>(second)] = -60;
        const Model model =
            make_turning_cube(fixed, "\"angular_velocity\": [" + std::to_string(rates[0]) + "," +
                                         std::to_string(rates[1]) + "," + std::to_string(rates[2]) + "]");
        std::array<double, 2> errors{};
        for (int k = 0; k < 2; ++k)
        {
            const auto [a, b] = run_turning_cube(model, fixed, k == 0 ? 4e-3 : 2e-3, 2);
            errors[static_cast<std::size_t>(k)] =
                std::max(std::abs(a - 200 * kTurnDegree), std::abs(b + 120 * kTurnDegree));
        }
        // Implicit Euler is of first order: of its speed w a body loses up to (w h)^2 in a step, of its angle w t up to
        // a part w^2 h t / 2.
        const double rate = 100 * kTurnDegree, angle = 200 * kTurnDegree;
        EXPECT_LT(errors[1], 0.5 * rate * rate * 2e-3 * 2 * angle);
        EXPECT_NEAR(errors[0] / errors[1], 2, 0.1);
    }
}

TEST(RipcTurns, a_torque_keeps_the_axes_of_the_world)
{
    // I a'' = 1.2 N m about x, and I b'' = 0.9 N m cos a about the y that has turned by a = 0.6 t^2.
    constexpr double kTime = 1;
    const std::string torque =
        "[" + std::to_string(1.2 / kTurnDegree) + "," + std::to_string(0.9 / kTurnDegree) + ",50]";
    const Model model = make_turning_cube(2, "\"torque\": " + torque);
    double b = 0;
    constexpr int kParts = 1000;  // the midpoint rule: 1e-6
    for (int i = 0; i < kParts; ++i)
    {
        const double t = kTime * (i + 0.5) / kParts;
        b += (kTime - t) * 0.9 * std::cos(0.6 * t * t) * kTime / kParts;
    }
    std::array<double, 2> errors{};
    for (int k = 0; k < 2; ++k)
    {
        const auto found = run_turning_cube(model, 2, k == 0 ? 4e-3 : 2e-3, kTime);
        errors[static_cast<std::size_t>(k)] = std::max(std::abs(found[0] - 0.6), std::abs(found[1] - b));
    }
    // Implicit Euler: an even push leads further by a'' h t / 2.
    EXPECT_NEAR(errors[1], 0.5 * 1.2 * 2e-3 * kTime, 1e-5);
    EXPECT_NEAR(errors[0] / errors[1], 2, 0.1);
}

TEST(RipcTurns, translations_are_free_or_fixed_beside_them)
{
    const Model model = make_turning_cube(
        1, R"("linear_velocity": [1,2,3], "force": [6,12,18], "angular_velocity": [90,0,45])", "true,false,true");
    const Vec3 start = model.bodies.pose[1].position;
    Simulation simulation = Simulation::make(model, {.dt = 1e-3}).value();
    simulation.run_for(0.5);
    const Vec3 way = simulation.state().pose(BodyId{1}).position - start;
    EXPECT_NEAR(way.x, 0, 1e-6);
    EXPECT_NEAR(way.z, 0, 1e-6);
    // 2 m/s and 2 m/s^2: implicit Euler goes further by a h t / 2
    EXPECT_NEAR(way.y, 2 * 0.5 + 0.5 * 2 * 0.25 + 0.5 * 2 * 1e-3 * 0.5, 1e-6);
}

TEST(RipcTurns, small_angles_leave_a_twist_of_half_their_product)
{
    // To first order nothing turns about the fixed axis: sin(a/2) sin(b/2) is the z of the quaternion.
    const Model model = make_turning_cube(2, R"("angular_velocity": [5,5,0])");
    Simulation simulation = Simulation::make(model, {.dt = 1e-3}).value();
    simulation.run_for(1);
    const Quat turned = simulation.state().pose(BodyId{1}).rotation * conjugate(model.bodies.pose[1].rotation);
    const double angle = 5 * kTurnDegree;
    EXPECT_NEAR(std::abs(turned.z), 0.25 * angle * angle, 0.02 * 0.25 * angle * angle);
    EXPECT_NEAR(std::abs(turned.x), 0.5 * angle, 0.01 * angle);
}

}  // namespace
}  // namespace rattleback
