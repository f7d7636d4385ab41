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
    EXPECT_EQ(outcome.report.substeps, 4);
    EXPECT_NEAR(outcome.report.removed_energy, 0.5 * 2 * 9, 1e-12) << "all that it had";
    EXPECT_EQ(outcome.v, 0);
    EXPECT_EQ(outcome.q, 0);
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
