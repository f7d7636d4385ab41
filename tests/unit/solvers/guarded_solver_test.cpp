// What a guarded solver does when nothing helps: solvers that fail as they are told.
#include "solvers/shared/guarded_solver.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kStep = 0.01;

/// Says what `judge` says of a step's length, and moves the world's one slide where that is no failure.
class ToldSolver final : public Solver
{
public:
    explicit ToldSolver(std::function<StepStatus(double)> judge) : judge_(std::move(judge)) {}
    StepReport step(const StepInput& input, WorldView world, Memory&) override
    {
        StepReport report;
        report.status = judge_(input.dt);
        if (report.status < StepStatus::diverged) world.q[0] += input.dt * world.v[0];
        return report;
    }

private:
    std::function<StepStatus(double)> judge_;
};

Model make_cart()
{
    ModelBuilder builder;
    const BodyId cart = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {1, 1, 1}}});
    builder.add_joint(cart, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = 3});
    return builder.build().value();
}

struct GuardedStep
{
    StepReport report;
    double q = 0, v = 0;
};

GuardedStep step_guarded(bool owns_bodies, const std::function<StepStatus(double)>& judge, double force = 0)
{
    const Model model = make_cart();
    State state(model);
    Control control(model);
    control.joint_force[0] = force;
    const auto make = [&] { return std::make_unique<ToldSolver>(judge); };
    const auto solver = make_guarded_solver(model, owns_bodies, make(), make);
    const auto memory = solver->make_memory();
    GuardedStep outcome;
    outcome.report = solver->step({.control = control.world(), .dt = kStep}, state.world(), *memory);
    outcome.q = state.q[0];
    outcome.v = state.v[0];
    return outcome;
}

TEST(GuardedSolver, rests_where_it_is_when_every_part_fails_and_says_what_that_took)
{
    const GuardedStep outcome = step_guarded(false, [](double) { return StepStatus::diverged; });
    EXPECT_EQ(outcome.report.status, StepStatus::not_converged);
    EXPECT_EQ(outcome.report.substeps, 16);
    EXPECT_NEAR(outcome.report.removed_energy, 0.5 * 2 * 9, 1e-12) << "all that it had";
    EXPECT_EQ(outcome.v, 0);
    EXPECT_EQ(outcome.q, 0);
}

/// Two pairs of balls adrift, each joined by a slide.
std::shared_ptr<const Model> make_pairs()
{
    ModelBuilder builder;
    builder.settings().gravity = {0, 0, 0};
    for (int pair = 0; pair < 2; ++pair)
    {
        const BodyId ball = builder.add_body(
            {.position = {0, 3.0 * pair, 0}, .linear_velocity = {1, 2, 3}, .angular_velocity = {0.5, -0.3, 0.2}});
        builder.add_shape(ball, Sphere{.radius = 0.1}, {.mass = 2});
        const BodyId other = builder.add_body({.parent = ball, .position = {1, 0, 0}});
        builder.add_joint(other, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = 4});
        builder.add_shape(other, Sphere{.radius = 0.1}, {.mass = 1});
    }
    return std::make_shared<const Model>(builder.build().value());
}

/// Multiplies the speed of the first pair's slide; nothing goes anywhere.
class GrowingSolver final : public Solver
{
public:
    explicit GrowingSolver(double growth) : growth_(growth) {}
    StepReport step(const StepInput& input, WorldView world, Memory&) override
    {
        if (input.judge)
        {
            const WorldView candidate = input.judge->candidate();
            copy_world(world, candidate);
            candidate.v[6] *= growth_;
            if (input.judge->looks({}) && !input.judge->accepts({})) return {};
        }
        world.v[6] *= growth_;
        return {};
    }

private:
    double growth_;
};

struct PairsStep
{
    std::shared_ptr<const Model> model;
    StepReport report;
    State start, end;
    Momentum before[2], after[2];
};

/// Momentum of bodies 2 i + 1 and 2 i + 2.
Momentum find_pair_momentum(const Model& model, const State& state, int pair)
{
    State alone = state;
    for (int b = 1; b < model.body_count(); ++b)
        if ((b - 1) / 2 != pair) alone.body_velocity[static_cast<std::size_t>(b)] = {};
    return compute_momentum(model, alone.world());
}

PairsStep step_pairs(double growth)
{
    const auto model = make_pairs();
    PairsStep outcome;
    outcome.model = model;
    outcome.start = outcome.end = State(*model);
    Control control(*model);
    const auto make = [&] { return std::make_unique<GrowingSolver>(growth); };
    const auto solver = make_guarded_solver(*model, false, make(), make);
    const auto memory = solver->make_memory();
    outcome.report = solver->step({.control = control.world(), .dt = kStep}, outcome.end.world(), *memory);
    refresh_bodies(*model, outcome.end.world());
    for (int pair = 0; pair < 2; ++pair)
    {
        outcome.before[pair] = find_pair_momentum(*model, outcome.start, pair);
        outcome.after[pair] = find_pair_momentum(*model, outcome.end, pair);
    }
    return outcome;
}

TEST(GuardedSolver, takes_energy_from_the_group_that_gained_and_leaves_all_momenta)
{
    // Each part multiplies the slide's speed by ten, at which no number of parts helps.
    const PairsStep outcome = step_pairs(10);
    EXPECT_EQ(outcome.report.status, StepStatus::not_converged);
    EXPECT_EQ(outcome.report.substeps, 16);
    EXPECT_GT(outcome.report.removed_energy, 0);
    for (int pair = 0; pair < 2; ++pair)
    {
        EXPECT_LT(norm(outcome.after[pair].linear - outcome.before[pair].linear), 1e-12) << pair;
        EXPECT_LT(norm(outcome.after[pair].angular - outcome.before[pair].angular), 1e-12) << pair;
    }
    const double start = compute_energy(*outcome.model, outcome.start.world()).total();
    EXPECT_LT(compute_energy(*outcome.model, outcome.end.world()).total(), 1.0051 * start);
    // The pair that gained nothing is not slowed down.
    for (std::size_t d = 7; d < 14; ++d) EXPECT_NEAR(outcome.end.v[d], outcome.start.v[d], 1e-13) << d;
    EXPECT_NE(outcome.end.v[6], outcome.start.v[6]);
}

TEST(GuardedSolver, trims_a_little_energy_from_parts_and_says_so)
{
    // Each step adds a little until the tolerance of 0.5 % is used up; from there on it is taken back.
    const auto model = make_pairs();
    State state(*model);
    Control control(*model);
    const auto make = [] { return std::make_unique<GrowingSolver>(1.0001); };
    const auto solver = make_guarded_solver(*model, false, make(), make);
    const auto memory = solver->make_memory();
    const double start = compute_energy(*model, state.world()).total();
    double removed = 0;
    for (int i = 0; i < 400; ++i)
    {
        const StepReport report = solver->step({.control = control.world(), .dt = kStep}, state.world(), *memory);
        refresh_bodies(*model, state.world());
        EXPECT_EQ(report.status, StepStatus::ok) << i;
        EXPECT_LE(report.substeps, 4) << i;
        removed += report.removed_energy;
        EXPECT_LT(compute_energy(*model, state.world()).total(), 1.0051 * start) << i;
    }
    EXPECT_GT(removed, 0);
}

TEST(GuardedSolver, is_diverged_when_every_part_fails_for_what_it_was_given)
{
    for (const double force : {std::nan(""), 1e13})  // 1e13 N on 2 kg: beyond the speed of light in a step
    {
        const GuardedStep outcome = step_guarded(false, [](double) { return StepStatus::diverged; }, force);
        EXPECT_EQ(outcome.report.status, StepStatus::diverged) << force;
        EXPECT_EQ(outcome.v, 3) << "as it was";
    }
}

TEST(GuardedSolver, takes_four_parts_that_left_a_joint_open_where_sixteen_fail)
{
    const auto judge = [](double dt)
    {
        if (dt > 0.3 * kStep) return StepStatus::diverged;
        return dt > 0.1 * kStep ? StepStatus::not_converged : StepStatus::diverged;
    };
    const GuardedStep outcome = step_guarded(true, judge);
    EXPECT_EQ(outcome.report.status, StepStatus::not_converged);
    EXPECT_EQ(outcome.report.substeps, 4);
    EXPECT_EQ(outcome.report.removed_energy, 0);
    EXPECT_NEAR(outcome.q, 3 * kStep, 1e-15) << "and goes on";
    EXPECT_EQ(outcome.v, 3);
}

}  // namespace
}  // namespace rattleback
