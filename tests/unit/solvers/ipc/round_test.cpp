// Tests of round surfaces in solver `ipc`: a ball as a vertex, a capsule as an edge, each with a radius.
#include "math/random.h"
#include "solvers/ipc/grip_slip.h"
#include "solvers/ipc/newton.h"
#include "unit/solvers/ipc/value_difference.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// A capsule on the ground, a ball on the ground beside it that touches it, both 0.8 mm above.
Model make_touching_rounds()
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId capsule =
        builder.add_body({.position = {0, 0, 0.0508}, .rotation = exponential(Vec3{0.5 * kPi + 1e-3, 0, 0})});
    builder.add_shape(capsule, Capsule{.radius = 0.05, .half_length = 0.1}, {.density = 1000});
    const BodyId ball =
        builder.add_body({.position = {0.1425, 0.02, 0.1008}, .rotation = exponential(Vec3{0.4, 3e-3, 0.9})});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.density = 500});
    return builder.build().value();
}

struct TouchingRounds
{
    Model model = make_touching_rounds();
    Settings settings{make_parameters(*find_solver("ipc").value(), model, {{"dhat", 2e-3}}).value()};
    std::shared_ptr<const Layout> layout = build_layout(model, settings).value();
    Potential potential{model, *layout, settings};
    State state{model};
    Control control{model};
    std::vector<Body> bodies;
    std::vector<Placement> placements;

    explicit TouchingRounds(const Vec3& spin = {})
    {
        StepInput input;
        input.control = control.world();
        input.dt = 0.01;
        for (std::size_t b = 1; b < state.body_velocity.size(); ++b) state.body_velocity[b].angular = spin;
        load_bodies(model, *layout, input, state.world(), {}, bodies);
        for (const Body& body : bodies) placements.push_back(body.start);
        potential.begin(input.dt, input.dt, 9.81, 1);
        const std::vector<double> skins(bodies.size(), 1e-2);
        std::vector<Rest> rests(bodies.size(), Rest::none);
        rests[0] = Rest::fixed;
        potential.candidates().find(placements, {skins, {}, {}}, {}, rests);
    }
};

}  // namespace

TEST(IpcRound, a_ball_is_a_vertex_and_a_capsule_an_edge)
{
    const TouchingRounds rounds;
    const Piece &capsule = rounds.layout->pieces[0], &ball = rounds.layout->pieces[1];
    EXPECT_EQ(capsule.vertices.size(), 2U);
    EXPECT_EQ(capsule.edges.size(), 1U);
    EXPECT_EQ(capsule.round, 0.05);
    EXPECT_EQ(ball.vertices.size(), 1U);
    EXPECT_EQ(ball.round, 0.1);
    // turning a ball moves nothing that could meet something
    EXPECT_LT(rounds.layout->groups[2].radius, 1e-15);
    EXPECT_EQ(build_surface(rounds.model, 1, 24, 0).error, 0);
    EXPECT_EQ(build_surface(rounds.model, 2, 24, 0).error, 0);
}

TEST(IpcRound, touches_are_at_the_surfaces_and_as_far_apart_as_these)
{
    TouchingRounds rounds;
    rounds.potential.evaluate(rounds.bodies, rounds.placements);
    bool saw_pair = false, saw_ground = false;
    for (const Touch& touch : rounds.potential.touches())
    {
        EXPECT_NEAR(dot(touch.on_first - touch.on_second, touch.normal), touch.distance, 1e-14);
        EXPECT_NEAR(norm(touch.on_first - touch.on_second), touch.distance, 1e-14);
        EXPECT_LT(touch.distance, 2e-3);
        if (touch.second == 0)
        {
            EXPECT_NEAR(touch.on_second.z, 0, 1e-15);
            saw_ground = true;
            continue;
        }
        saw_pair = true;
        // closed form: the ball's centre from the capsule's axis, which leans by a milliradian
        EXPECT_NEAR(norm(touch.second_place() - rounds.placements[2].center), 0, 1e-14);
        EXPECT_NEAR(norm(touch.on_second - rounds.placements[2].center), 0.1, 1e-14);
        EXPECT_NEAR(norm(touch.on_first - touch.first_place()), 0.05, 1e-14);
    }
    EXPECT_TRUE(saw_pair);
    EXPECT_TRUE(saw_ground);
}

TEST(IpcRound, gradient_is_that_of_the_value_also_where_bodies_have_rolled_far)
{
    // also where they turn by more than half a turn in a step
    for (const Vec3& spin : {Vec3{0, 3, 0}, Vec3{20, 90, 0}, Vec3{30, 420, 10}})
    {
        TouchingRounds rounds(spin);
        rounds.potential.evaluate(rounds.bodies, rounds.placements);
        rounds.potential.lag_friction(rounds.placements);
        ASSERT_TRUE(rounds.potential.has_friction());
        Random random(4);
        std::vector<Placement> moved = rounds.placements;
        const Vec3 turn = 0.01 * spin;
        // the ball rolls over its whole turn; the capsule rolls about its axis alone, or it would touch no more
        for (const std::size_t g : {1U, 2U})
        {
            Vector6 d;
            for (double& x : d) x = random.uniform(-1e-4, 1e-4);
            const Vec3 whole = g == 2 ? turn : Vec3{0, turn.y, 0};
            for (int i = 0; i < 3; ++i) d[at(3 + i)] += 0.9 * whole[i];
            moved[g] = move(moved[g], d, 1);
        }
        const double value = rounds.potential.evaluate(rounds.bodies, moved);
        ASSERT_TRUE(std::isfinite(value));
        ASSERT_GE(rounds.potential.touches().size(), 4U);
        std::vector<Vector6> gradient(2);
        BlockCholesky hessian;
        rounds.potential.set_tangents(rounds.bodies, moved);
        rounds.potential.assemble(rounds.bodies, moved, gradient, hessian);
        double size = 0;
        for (const Vector6& g : gradient)
            for (const double x : g) size = std::max(size, std::abs(x));
        for (const std::size_t g : {1U, 2U})
        {
            for (std::size_t i = 0; i < 6; ++i)
            {
                const double h = 1e-7;
                const double difference = find_value_difference(rounds.potential, rounds.bodies, moved, g, i, h);
                // rounding of the value over h, and h^2 / (distance)^2 of the rest
                EXPECT_NEAR(gradient[g - 1][i], difference, 1e-14 * value / h + 2e-5 * size) << g << ' ' << i;
            }
        }
    }
}

TEST(IpcRound, a_ball_that_rolls_does_not_slip_however_far_it_turns_in_a_step)
{
    for (const double rate : {1.0, 30.0, 90.0, 250.0, 400.0, 1000.0})
    {
        TouchingRounds rounds({0, rate, 0});
        rounds.potential.evaluate(rounds.bodies, rounds.placements);
        rounds.potential.lag_friction(rounds.placements);
        std::vector<Placement> moved = rounds.placements;
        const double turn = 0.01 * rate;
        moved[2] = move(moved[2], {0.1 * turn, 0, 0, 0, turn, 0}, 1);
        int count = 0;
        for (const Grip& grip : rounds.potential.grips())
        {
            if (grip.first != 2 || grip.second != 0) continue;
            ++count;
            EXPECT_LT(find_grip_slip(grip, rounds.bodies, moved).length, 1e-14 * (1 + turn)) << rate;
        }
        EXPECT_EQ(count, 1);
    }
}

}  // namespace rattleback::ipc
