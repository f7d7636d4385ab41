// A number that is not finite, in any array that a step begins with, ends the step with its place, in every solver.
#include <rattleback/batch.h>
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::bad_numbers
{
namespace
{

bool has(const SolverInfo& info, Feature feature)
{
    return std::find(info.supports.begin(), info.supports.end(), feature) != info.supports.end();
}

/// A free box, a lift that follows its target, and where the solver has them a hinge with a motor that remembers.
std::shared_ptr<const Model> make_model(const SolverInfo& info)
{
    ModelBuilder builder("mixed");
    const auto add_shape = [&](BodyId body)
    { builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 1, .category = 2, .mask = 0}); };
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 3}});
    add_shape(box);
    if (has(info, Feature::kinematic_body))
        add_shape(builder.add_body({.name = "lift", .position = {2, 0, 0}, .kind = BodyKind::kinematic}));
    if (has(info, Feature::hinge_joint))
    {
        const BodyId rod = builder.add_body({.name = "rod", .position = {0, 2, 0}});
        const JointId knee = builder.add_joint(rod, {.name = "knee", .axis = {0, 1, 0}});
        builder.add_shape(rod, Box{.half_extents = {0.1, 0.1, 0.3}},
                          {.position = {0, 0, -0.3}, .mass = 1, .category = 2, .mask = 0});
        if (has(info, Feature::actuator))
            builder.add_actuator(knee, {.name = "motor", .dynamics = ActuatorDynamics::integrator});
    }
    return std::make_shared<const Model>(builder.build().value());
}

/// An array of a world, number by number.
struct Place
{
    const char* array;
    std::size_t count;  ///< of numbers in a world
    std::function<double*(Batch&, int world, std::size_t item)> find;
};

template <class T>
double* find_number(std::vector<T>& items, int world, int worlds, std::size_t number)
{
    const std::size_t per_world = items.size() / static_cast<std::size_t>(worlds);
    return reinterpret_cast<double*>(items.data() + static_cast<std::size_t>(world) * per_world) + number;
}

template <class T>
Place make_place(const char* name, Batch& batch, std::vector<T>& (*list)(Batch&))
{
    const std::size_t count = list(batch).size() / static_cast<std::size_t>(batch.world_count());
    return {name, count * (sizeof(T) / sizeof(double)), [list](Batch& b, int world, std::size_t number)
            { return find_number(list(b), world, b.world_count(), number); }};
}

std::vector<Place> list_places(Batch& batch)
{
    return {
        make_place<double>("control.input", batch, [](Batch& b) -> auto& { return b.control().input; }),
        make_place<double>("control.joint_force", batch, [](Batch& b) -> auto& { return b.control().joint_force; }),
        make_place<Wrench>("control.body_wrench", batch, [](Batch& b) -> auto& { return b.control().body_wrench; }),
        make_place<Pose>("control.target", batch, [](Batch& b) -> auto& { return b.control().target; }),
        make_place<Velocity>("control.surface_velocity", batch,
                             [](Batch& b) -> auto& { return b.control().surface_velocity; }),
        make_place<double>("state.time", batch, [](Batch& b) -> auto& { return b.state().time; }),
        make_place<double>("state.q", batch, [](Batch& b) -> auto& { return b.state().q; }),
        make_place<double>("state.v", batch, [](Batch& b) -> auto& { return b.state().v; }),
        make_place<double>("state.act", batch, [](Batch& b) -> auto& { return b.state().act; }),
        make_place<Pose>("state.body_pose", batch, [](Batch& b) -> auto& { return b.state().body_pose; }),
        make_place<Velocity>("state.body_velocity", batch, [](Batch& b) -> auto& { return b.state().body_velocity; }),
    };
}

Batch make_worlds(const SolverInfo& info, const std::shared_ptr<const Model>& model, int worlds)
{
    return Batch::make(model, {.solver = std::string(info.name), .dt = 1e-3, .world_count = worlds, .thread_count = 1})
        .value();
}

constexpr int kWorlds = 3, kHurt = 1;  // with neighbours in the same pack
constexpr double kBad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()};

TEST(BadNumbers, in_any_array_of_any_world_diverge_in_the_same_step_with_their_place_and_hurt_no_other_world)
{
    for (const SolverInfo* info : all_solvers())
    {
        const auto model = make_model(*info);
        Batch plain = make_worlds(*info, model, kWorlds);
        plain.run_steps(3);
        Batch batch = make_worlds(*info, model, kWorlds);
        int places = 0;
        for (const Place& place : list_places(batch))
        {
            for (std::size_t number = 0; number < place.count; ++number)
            {
                for (const double bad : kBad)
                {
                    SCOPED_TRACE(testing::Message() << info->name << ' ' << place.array << ' ' << number << ' ' << bad);
                    batch.reset();
                    batch.run_steps(2);
                    double& target = *place.find(batch, kHurt, number);
                    const double before = target;
                    const std::int64_t step = batch.state().step[kHurt];
                    target = bad;
                    const std::vector<double> q(batch.state().world(kHurt).q.begin(),
                                                batch.state().world(kHurt).q.end());
                    batch.run_steps(1);
                    const StepReport report = batch.reports()[kHurt];
                    EXPECT_EQ(report.status, StepStatus::diverged);
                    EXPECT_EQ(report.culprit_array, place.array);
                    const std::string why = batch.explain(kHurt);
                    EXPECT_NE(why.find(std::string(place.array) + '[' + std::to_string(report.culprit_index) + ']'),
                              std::string::npos)
                        << why;
                    EXPECT_NE(why.find("is not a finite number"), std::string::npos) << why;
                    EXPECT_EQ(batch.state().step[kHurt], step);
                    for (std::size_t i = 0; i < q.size(); ++i)
                    {
                        const double now = batch.state().world(kHurt).q[i];
                        EXPECT_TRUE(now == q[i] || std::isnan(q[i])) << "committed";
                    }
                    for (const int other : {0, 2})
                    {
                        EXPECT_EQ(batch.reports()[static_cast<std::size_t>(other)].status, StepStatus::ok);
                        EXPECT_EQ(hash(batch.state(), other), hash(plain.state(), other));
                    }
                    // Put right again, it goes on as if nothing had been.
                    *place.find(batch, kHurt, number) = before;
                    batch.run_steps(1);
                    EXPECT_EQ(batch.reports()[kHurt].status, StepStatus::ok);
                    EXPECT_EQ(hash(batch.state(), kHurt), hash(plain.state(), kHurt));
                    ++places;
                }
            }
        }
        EXPECT_GT(places, 100) << info->name;
    }
}

TEST(BadNumbers, that_a_function_writes_during_a_run_end_it_at_that_step)
{
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        const auto model = make_model(*info);
        Simulation simulation = Simulation::make(model, {.solver = std::string(info->name), .dt = 1e-3}).value();
        int steps = 0;
        simulation.run_steps(5, [&] { simulation.control().joint_force[0] = ++steps == 3 ? std::nan("") : 0.0; });
        EXPECT_EQ(simulation.state().step[0], 2);
    }
}

TEST(BadNumbers, are_named_with_the_element_that_they_belong_to)
{
    const Result<const SolverInfo*> convex = find_solver("convex");
    Batch batch = make_worlds(*convex.value(), make_model(*convex.value()), 1);
    const auto explain = [&](double& number)
    {
        const double before = number;
        number = std::nan("");
        batch.run_steps(1);
        number = before;
        return batch.explain(0);
    };
    EXPECT_EQ(explain(batch.control().input[0]),
              "the input of actuator \"motor\" (control.input[0]) is not a finite number");
    EXPECT_EQ(explain(batch.control().joint_force[6]),
              "the force on joint \"knee\" (control.joint_force[6]) is not a finite number");
    EXPECT_EQ(explain(batch.control().body_wrench[3].torque.y),
              "the wrench on body \"rod\" (control.body_wrench[3]) is not a finite number");
    EXPECT_EQ(explain(batch.control().target[0].position.x),
              "the target of body \"lift\" (control.target[0]) is not a finite number");
    EXPECT_EQ(explain(batch.state().q[7]), "a coordinate of joint \"knee\" (state.q[7]) is not a finite number");
    EXPECT_EQ(explain(batch.state().v[6]), "the velocity of joint \"knee\" (state.v[6]) is not a finite number");
    EXPECT_EQ(explain(batch.state().act[0]),
              "an activation of actuator \"motor\" (state.act[0]) is not a finite number");
    EXPECT_EQ(explain(batch.state().body_pose[1].rotation.w),
              "the pose of body \"box\" (state.body_pose[1]) is not a finite number");
}

TEST(BadNumbers, of_a_worlds_own_parameters_are_refused_before_they_are_in_force)
{
    for (const SolverInfo* info : all_solvers())
    {
        if (info->world_parameters.empty()) continue;
        const auto model = make_model(*info);
        Batch batch = make_worlds(*info, model, 2);
        for (const WorldParameter parameter : info->world_parameters)
        {
            Result<std::span<double>> varied = batch.vary(parameter);
            if (!varied.ok() || varied.value().empty()) continue;
            const double before = varied.value().back();
            varied.value().back() = std::nan("");
            EXPECT_FALSE(batch.apply_parameters().ok()) << info->name << ' ' << to_string(parameter);
            varied.value().back() = before;
        }
        batch.run_steps(1);
        EXPECT_EQ(batch.reports()[1].status, StepStatus::ok) << info->name;
    }
}

}  // namespace
}  // namespace rattleback::bad_numbers
