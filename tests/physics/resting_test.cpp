// Laws of things that lie on each other: stacks stand, energy only falls, forces explain the motion, bits repeat.
#include "lab/scenes/stacks.h"
#include "physics/contact_laws.h"

#include <rattleback/batch.h>

namespace rattleback
{
namespace
{

class Resting : public ContactLaw
{
};

double total_mass(const Model& model)
{
    double sum = 0;
    for (const double mass : model.bodies.mass) sum += mass;
    return sum;
}

/// Bodies that can move have the last indices in the scenes used here.
BodyId top_of(const Model& model) { return BodyId{model.body_count() - 1}; }

TEST_P(Resting, slow_a_stack_of_ten_boxes_stands_for_a_minute)
{
    const Model model = lab::build_box_stack().value();
    auto simulation = make(model);
    if (!simulation) return;
    const Vec3 start = simulation->state().position(top_of(model));
    simulation->run_for(60);
    EXPECT_LT(norm(simulation->state().position(top_of(model)) - start), bar("stack_drift"));
    EXPECT_LT(simulation->energy().kinetic / total_mass(model), bar("stack_energy"));
}

TEST_P(Resting, a_heavy_box_stands_on_one_a_thousand_times_lighter)
{
    const Model model = lab::build_mass_ratio().value();
    auto simulation = make(model);
    if (!simulation) return;
    const Vec3 start = simulation->state().position(top_of(model));
    simulation->run_for(10);
    EXPECT_LT(norm(simulation->state().position(top_of(model)) - start), bar("mass_ratio_drift"));
}

TEST_P(Resting, the_energy_of_a_passive_heap_never_grows)
{
    auto simulation = make(make_heap(12));
    if (!simulation) return;
    const double start = simulation->energy().total();
    double least = start, growth = 0;
    for (int i = 0; i < 4000; ++i)
    {
        ASSERT_NE(simulation->step().status, StepStatus::diverged);
        const double energy = simulation->energy().total();
        growth = std::max(growth, energy - least);
        least = std::min(least, energy);
    }
    EXPECT_LT(growth / start, bar("energy_growth"));
}

TEST_P(Resting, contact_forces_explain_the_change_of_momentum)
{
    const Model model = make_heap(12);
    auto simulation = make(model);
    if (!simulation) return;
    const double mass = total_mass(model);
    simulation->run_for(0.5);
    double worst = 0;
    for (int i = 0; i < 500; ++i)
    {
        const Vec3 before = simulation->momentum().linear;
        simulation->step();
        Vec3 force = mass * model.settings.gravity;
        const Contacts& contacts = simulation->contacts();
        for (int c = 0; c < contacts.count(); ++c)
        {
            const auto k = static_cast<std::size_t>(c);
            if (contacts.items[k].first_body == kWorld) force += simulation->contact_forces().items[k].force;
            if (contacts.items[k].second_body == kWorld) force -= simulation->contact_forces().items[k].force;
        }
        const Vec3 gap = simulation->momentum().linear - before - simulation->dt() * force;
        worst = std::max(worst, norm(gap));
    }
    EXPECT_LT(worst / (mass * kGravity * simulation->dt()), bar("momentum_balance"));
}

TEST_P(Resting, a_snapshot_continues_bit_for_bit)
{
    const Model model = make_heap(9);
    auto simulation = make(model), other = make(model);
    if (!simulation || !other) return;
    simulation->run_steps(700);
    const Snapshot snapshot = simulation->snapshot();
    simulation->run_steps(200);
    ASSERT_TRUE(other->restore(snapshot).ok());
    other->run_steps(200);
    EXPECT_EQ(hash(other->state()), hash(simulation->state()));
}

TEST_P(Resting, one_and_two_threads_give_the_same_bits)
{
    const Model model = make_heap(9);
    const auto run = [&](int threads)
    {
        Batch batch =
            Batch::make(
                model,
                {.solver = std::string(GetParam()->name), .dt = 0.002, .world_count = 3, .thread_count = threads})
                .value();
        for (int w = 0; w < 3; ++w) batch.state().world(w).v[0] += 0.1 * w;
        batch.run_steps(500);
        return hash(batch.state());
    };
    EXPECT_EQ(run(1), run(2));
}

/// A crank, a coupler and a rocker; the coupler's end is tied to the rocker's.
struct FourBar
{
    Model model;
    BodyId coupler, rocker;
    Vec3 coupler_end, rocker_end;  ///< in the bodies' frames [m]
};

FourBar make_four_bar()
{
    constexpr double kCrank = 0.2, kCoupler = 0.5, kRocker = 0.4, kGround = 0.5, kWidth = 0.01;
    // with the crank upright: where circles about its tip and about the rocker's pivot meet
    const double dx = kGround, dz = -kCrank, span = std::sqrt(dx * dx + dz * dz);
    const double along = (kCoupler * kCoupler - kRocker * kRocker + span * span) / (2 * span);
    const double across = std::sqrt(kCoupler * kCoupler - along * along);
    const double x = (along * dx - across * dz) / span, z = kCrank + (along * dz + across * dx) / span;

    ModelBuilder builder("four_bar");
    FourBar bar;
    const auto add = [&](BodyId parent, const Vec3& position, const Vec3& end)
    {
        const BodyId body = builder.add_body({.parent = parent, .position = position});
        builder.add_joint(body, {.axis = {0, 1, 0}});
        const double length = norm(end);
        builder.add_shape(body, Box{.half_extents = {0.5 * length, kWidth, kWidth}},
                          {.position = 0.5 * end,
                           .rotation = from_axis_angle({0, 1, 0}, -std::atan2(end.z, end.x)),
                           .category = 0,
                           .mask = 0});
        return body;
    };
    const BodyId crank = add(kWorld, {}, {0, 0, kCrank});
    bar.coupler_end = {x, 0, z - kCrank};
    bar.coupler = add(crank, {0, 0, kCrank}, bar.coupler_end);
    bar.rocker_end = {x - kGround, 0, z};
    bar.rocker = add(kWorld, {kGround, 0, 0}, bar.rocker_end);
    builder.add_connect_points(bar.coupler, bar.coupler_end, bar.rocker, bar.rocker_end);
    bar.model = builder.build().value();
    return bar;
}

TEST_P(Resting, slow_a_four_bar_loop_stays_closed_for_a_minute)
{
    if (!supports(*GetParam(), Feature::equality)) GTEST_SKIP() << GetParam()->name << " has no equality constraints";
    const FourBar bar = make_four_bar();
    auto simulation = make(bar.model);
    if (!simulation) return;
    double worst = 0, turned = 0;
    for (int i = 0; i < 30000; ++i)
    {
        ASSERT_NE(simulation->step().status, StepStatus::diverged);
        const State& state = simulation->state();
        const Vec3 gap = (state.pose(bar.coupler) * Pose{bar.coupler_end, {}}).position -
                         (state.pose(bar.rocker) * Pose{bar.rocker_end, {}}).position;
        worst = std::max(worst, norm(gap));
        turned = std::max(turned, std::abs(state.q[0]));
    }
    EXPECT_LT(worst, this->bar("loop_error"));
    EXPECT_GT(turned, 1) << "it moves";
}

INSTANTIATE_TEST_SUITE_P(solvers, Resting, testing::ValuesIn(contact_solvers()),
                         [](const auto& solver) { return std::string(solver.param->name); });

}  // namespace
}  // namespace rattleback
