// Batch::rollout against writing inputs and stepping by hand.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{

namespace
{

constexpr int kWorlds = 6, kRolloutSteps = 11;

/// Two driven links over a floor, a free ball in reach, and sensors of place and acceleration.
std::shared_ptr<const Model> make_driven_arm()
{
    constexpr const char* kArm = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="upper" pos="0 0 0.15">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0"/>
        <site name="tip" pos="0.3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="0.45 0 0.24"><freejoint/><geom size="0.05"/></body>
  </worldbody>
  <actuator>
    <motor joint="shoulder"/>
    <general joint="elbow" dyntype="filter" dynprm="0.05"/>
  </actuator>
  <sensor><accelerometer site="tip"/><framepos objtype="body" objname="ball"/></sensor>
</mujoco>)";
    return std::make_shared<const Model>(parse_mjcf(kArm, "arm", ".").value().model);
}

/// Inputs [world][step][actuator]; all different.
std::vector<double> make_controls(const Model& model)
{
    std::vector<double> controls(static_cast<std::size_t>(kWorlds * kRolloutSteps * model.actuator_count()));
    for (std::size_t i = 0; i < controls.size(); ++i) controls[i] = 3 * std::sin(1 + 0.7 * static_cast<double>(i));
    return controls;
}

Batch make_batch(const std::shared_ptr<const Model>& model, const char* solver, int threads)
{
    return Batch::make(model, {.solver = solver, .world_count = kWorlds, .thread_count = threads}).value();
}

void append(std::span<const double> values, std::vector<double>& list)
{
    list.insert(list.end(), values.begin(), values.end());
}

/// The same run by hand, a world at a time, so that numbers come in the order of a Rollout.
Rollout step_by_hand(const std::shared_ptr<const Model>& model, const char* solver, int every)
{
    Rollout kept;
    kept.moment_count = kRolloutSteps / every;
    const std::vector<double> controls = make_controls(*model);
    const auto width = static_cast<std::size_t>(model->actuator_count());
    for (std::size_t world = 0; world < kWorlds; ++world)
    {
        Simulation simulation = Simulation::make(model, {.solver = solver}).value();
        for (std::size_t h = 0; h < kRolloutSteps; ++h)
        {
            for (std::size_t i = 0; i < width; ++i)
                simulation.control().input[i] = controls[(world * kRolloutSteps + h) * width + i];
            simulation.step();
            if ((h + 1) % static_cast<std::size_t>(every) != 0) continue;
            append(simulation.state().q, kept.q);
            append(simulation.state().v, kept.v);
            append(simulation.state().act, kept.act);
            append(simulation.sensors(), kept.sensors);
        }
    }
    return kept;
}

void expect_same(const Rollout& one, const Rollout& other)
{
    EXPECT_EQ(one.moment_count, other.moment_count);
    EXPECT_EQ(one.q, other.q);
    EXPECT_EQ(one.v, other.v);
    EXPECT_EQ(one.act, other.act);
    EXPECT_EQ(one.sensors, other.sensors);
}

}  // namespace

TEST(Rollout, is_bit_for_bit_what_stepping_by_hand_gives_for_any_solver_interval_and_number_of_threads)
{
    const auto model = make_driven_arm();
    const std::vector<double> controls = make_controls(*model);
    for (const char* solver : {"comfree", "convex", "avbd"})
    {
        for (const int every : {1, 3})
        {
            const Rollout by_hand = step_by_hand(model, solver, every);
            for (const int threads : {1, 3})
            {
                SCOPED_TRACE(std::string(solver) + ", every " + std::to_string(every));
                Batch batch = make_batch(model, solver, threads);
                Rollout kept;
                ASSERT_TRUE(batch.rollout(kRolloutSteps, controls, {.every = every, .sensors = true}, kept).ok());
                expect_same(kept, by_hand);
                // The world is left as after its last step.
                EXPECT_EQ(batch.state().step, std::vector<std::int64_t>(kWorlds, kRolloutSteps));
            }
        }
    }
}

TEST(Rollout, keeps_what_is_asked_for_and_goes_on_where_the_last_one_ended)
{
    const auto model = make_driven_arm();
    Batch batch = make_batch(model, "comfree", 1), whole = make_batch(model, "comfree", 1);
    Rollout first, second, both;
    ASSERT_TRUE(batch.rollout(4, {}, {}, first).ok());
    ASSERT_TRUE(batch.rollout(5, {}, {.every = 5}, second).ok());
    ASSERT_TRUE(whole.rollout(9, {}, {.every = 9, .states = false, .sensors = true}, both).ok());
    EXPECT_EQ(first.q.size(), static_cast<std::size_t>(kWorlds * 4 * model->q_count()));
    EXPECT_TRUE(first.sensors.empty());
    EXPECT_TRUE(both.q.empty());
    EXPECT_EQ(second.q, whole.state().q);
    EXPECT_EQ(both.sensors, std::vector<double>(whole.sensors().begin(), whole.sensors().end()));
}

TEST(Rollout, a_world_with_a_bad_input_repeats_its_last_moment_and_the_others_go_on)
{
    const auto model = make_driven_arm();
    std::vector<double> controls = make_controls(*model);
    const auto width = static_cast<std::size_t>(model->actuator_count());
    constexpr std::size_t kBad = 2, kAt = 4;
    controls[(kBad * kRolloutSteps + kAt) * width] = std::nan("");
    Batch batch = make_batch(model, "comfree", 1);
    Rollout kept;
    ASSERT_TRUE(batch.rollout(kRolloutSteps, controls, {}, kept).ok());
    const Rollout by_hand = step_by_hand(model, "comfree", 1);
    const auto size = static_cast<std::size_t>(model->q_count());
    for (std::size_t i = 0; i < kept.q.size(); ++i)
    {
        const std::size_t world = i / size / kRolloutSteps, moment = i / size % kRolloutSteps;
        const bool stopped = world == kBad && moment >= kAt;
        EXPECT_EQ(kept.q[i], by_hand.q[stopped ? i - (moment - kAt + 1) * size : i]) << world << ", " << moment;
    }
    EXPECT_EQ(batch.reports()[kBad].status, StepStatus::diverged);
}

TEST(Rollout, refuses_sizes_that_do_not_fit_and_names_them)
{
    Batch batch = make_batch(make_driven_arm(), "comfree", 1);
    Rollout kept;
    const Status status = batch.rollout(-1, std::vector<double>(7), {.every = 0}, kept);
    ASSERT_EQ(status.errors().size(), 3U);
    EXPECT_EQ(status.errors()[0].where, "steps");
    EXPECT_EQ(status.errors()[1].where, "every");
    EXPECT_EQ(status.errors()[2].where, "controls");
    EXPECT_EQ(batch.state().step[0], 0);
}

}  // namespace rattleback
