// Worlds with parameters of their own: bit for bit what a Simulation of a Model with these parameters gives.
#include <rattleback/batch.h>
#include <rattleback/dynamics.h>
#include <rattleback/record.h>

#include "dynamics/constants.h"
#include "lab/scenes/quadruped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace rattleback
{
namespace
{

constexpr int kWorldCount = 6;  // a whole pack and a part of one
constexpr int kStepCount = 40;

/// Slides along the ground on its feet, held up by servos.
Model make_quadruped()
{
    Model model = lab::build_quadruped({}).value();
    model.initial_v[0] = 1.5;
    return model;
}

Model make_box()
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.12}, .linear_velocity = {1, 0, 0}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "box"});
    return builder.build().value();
}

/// A box with a lid that is fixed on it and weighs on its own, sliding into another box.
Model make_lidded_boxes()
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1}, .linear_velocity = {2, 0, 0}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "box"});
    const BodyId lid = builder.add_body({.name = "lid", .parent = box, .position = {0.03, 0, 0.15}});
    builder.add_shape(lid, Box{.half_extents = {0.05, 0.1, 0.05}}, {.name = "lid"});
    const BodyId other = builder.add_body({.name = "other", .position = {0.24, 0.02, 0.1}});
    builder.add_shape(other, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "other"});
    return builder.build().value();
}

/// A chain of four links, pinned at both ends, with everything else whose constraints are weighed by masses.
Model make_chain()
{
    ModelBuilder builder;
    std::vector<JointId> joints;
    BodyId body = kWorld;
    for (int link = 0; link < 4; ++link)
    {
        body = builder.add_body({.parent = body, .position = {0.2, 0, 0}, .gravity_compensation = 0.2 * link});
        joints.push_back(builder.add_joint(body, {.axis = {0, 1, 0.1 * link},
                                                  .initial_velocity = 3,
                                                  .range = {true, -0.05, 0.05},
                                                  .damping = 0.02,
                                                  .dry_friction = 0.01 * link}));
        builder.add_shape(body, Capsule{.radius = 0.02, .half_length = 0.05}, {});
    }
    builder.add_connect(kWorld, body, {0.1, 0, 0}, {.softness = Impedance{}});
    builder.add_joint_coupling(joints[0], joints[2], {0, 0.5, 0, 0, 0});
    builder.add_fixed_tendon({{joints[1], 1}, {joints[3], -0.5}}, {.range = {true, -0.02, 0.02}, .dry_friction = 0.02});
    builder.add_position_actuator(joints[3], {.stiffness = 2, .damping = 0.1});
    return builder.build().value();
}

Vec3 gravity_of(int world) { return {0.1 * world, 0.2, -9.81 + 0.5 * world}; }
double friction_of(int world, std::size_t shape)
{
    return world == 1 ? 0 : 0.1 * world + 0.01 * static_cast<double>(shape);
}
double mass_scale_of(int world, std::size_t body) { return 1 + 0.05 * world + 0.01 * static_cast<double>(body % 3); }
double gain_scale_of(int world) { return 1 + 0.1 * world; }

bool has(const SolverInfo& info, WorldParameter parameter)
{
    return std::find(info.world_parameters.begin(), info.world_parameters.end(), parameter) !=
           info.world_parameters.end();
}

/// Gives the worlds of a batch their own parameters, all that its solver reads.
void vary_all(Batch& batch)
{
    const Model& model = batch.model();
    const auto shapes = static_cast<std::size_t>(model.shape_count());
    const auto bodies = static_cast<std::size_t>(model.body_count());
    const auto gains = 6 * static_cast<std::size_t>(model.actuator_count());
    for (std::size_t world = 0; world < kWorldCount; ++world)
    {
        const int w = static_cast<int>(world);
        const std::span<double> gravity = batch.vary(WorldParameter::gravity).value();
        for (int k = 0; k < 3; ++k) gravity[3 * world + static_cast<std::size_t>(k)] = gravity_of(w)[k];
        if (has(batch.solver(), WorldParameter::friction))
        {
            const std::span<double> friction = batch.vary(WorldParameter::friction).value();
            for (std::size_t s = 0; s < shapes; ++s) friction[world * shapes + s] = friction_of(w, s);
        }
        if (has(batch.solver(), WorldParameter::mass))
        {
            const std::span<double> mass = batch.vary(WorldParameter::mass).value();
            for (std::size_t b = 0; b < bodies; ++b) mass[world * bodies + b] *= mass_scale_of(w, b);
        }
        if (has(batch.solver(), WorldParameter::gain))
        {
            const std::span<double> gain = batch.vary(WorldParameter::gain).value();
            for (std::size_t i = 0; i < gains; ++i) gain[world * gains + i] *= gain_scale_of(w);
        }
    }
    batch.apply_parameters().require();
}

/// A Model with the parameters of a world.
Model make_variant(Model model, const SolverInfo& info, int world)
{
    model.settings.gravity = gravity_of(world);
    if (has(info, WorldParameter::friction))
    {
        // a material for each shape
        for (std::size_t s = 0; s < model.shapes.material.size(); ++s)
        {
            MaterialOptions material = model.materials[static_cast<std::size_t>(model.shapes.material[s])];
            material.name = "own " + std::to_string(s);
            material.friction = friction_of(world, s);
            model.shapes.material[s] = static_cast<int>(model.materials.size());
            model.materials.push_back(material);
        }
    }
    if (has(info, WorldParameter::mass))
    {
        for (std::size_t b = 0; b < model.bodies.mass.size(); ++b)
        {
            const double mass = model.bodies.mass[b], scaled = mass * mass_scale_of(world, b);
            model.bodies.mass[b] = scaled;
            if (mass > 0) model.bodies.inertia[b] = (scaled / mass) * model.bodies.inertia[b];
        }
        compute_constants(model);  // inverse weights and the like
    }
    if (has(info, WorldParameter::gain))
    {
        for (auto& gain : model.actuators.gain)
            for (double& x : gain) x *= gain_scale_of(world);
        for (auto& bias : model.actuators.bias)
            for (double& x : bias) x *= gain_scale_of(world);
    }
    return model;
}

void expect_worlds_as_models(const Model& model, const std::string& solver, const Parameters& parameters)
{
    SCOPED_TRACE(solver);
    Batch batch(model, {.solver = solver, .parameters = parameters, .world_count = kWorldCount, .thread_count = 2});
    vary_all(batch);
    batch.run_steps(kStepCount);
    for (int world = 0; world < kWorldCount; ++world)
    {
        SCOPED_TRACE(world);
        Simulation alone(make_variant(model, batch.solver(), world), {.solver = solver, .parameters = parameters});
        alone.run_steps(kStepCount);
        EXPECT_EQ(hash(batch.state(), world), hash(alone.state(), 0));
        EXPECT_EQ(batch.energy(world).total(), alone.energy().total());
        EXPECT_EQ(batch.momentum(world).linear, alone.momentum().linear);
        EXPECT_TRUE(std::equal(alone.sensors().begin(), alone.sensors().end(), batch.sensors(world).begin()));
        EXPECT_TRUE(world == 0 || hash(batch.state(), world) != hash(batch.state(), 0));
    }
    // and without a step
    batch.forward();
    Simulation alone(make_variant(model, batch.solver(), 3), {.solver = solver, .parameters = parameters});
    alone.run_steps(kStepCount);
    alone.forward();
    const std::span<const double> a = alone.acceleration();
    EXPECT_TRUE(
        std::equal(a.begin(), a.end(), batch.accelerations().begin() + 3 * static_cast<std::ptrdiff_t>(a.size())));
}

TEST(WorldParameters, give_each_world_the_bits_of_a_model_that_has_them)
{
    expect_worlds_as_models(make_quadruped(), "smooth", {{"ignore", std::string("contact, limits")}});
    expect_worlds_as_models(make_quadruped(), "convex", {});
    expect_worlds_as_models(make_quadruped(), "comfree", {});
    expect_worlds_as_models(make_quadruped(), "avbd", {});
    for (const char* solver : {"avbd", "pbd", "pbdr", "refined"})
    {
        expect_worlds_as_models(make_box(), solver, {});
        expect_worlds_as_models(make_lidded_boxes(), solver, {});
    }
    expect_worlds_as_models(make_lidded_boxes(), "pbdr", {{"precision", std::string("double")}});
}

TEST(WorldParameters, go_through_every_integrator)
{
    for (const char* integrator : {"euler", "implicitfast", "rk4", "midpoint"})
        expect_worlds_as_models(make_quadruped(), "smooth",
                                {{"ignore", std::string("contact, limits")}, {"integrator", std::string(integrator)}});
}

TEST(WorldParameters, weigh_limits_dry_friction_tendons_and_equalities)
{
    for (const char* integrator : {"euler", "midpoint"})
    {
        expect_worlds_as_models(make_chain(), "convex", {{"integrator", std::string(integrator)}});
        expect_worlds_as_models(make_chain(), "comfree", {{"integrator", std::string(integrator)}});
    }
    // armature, and trees that stand apart from the blocks
    Model chain = make_chain();
    for (double& armature : chain.dofs.armature) armature = 0.001;
    compute_constants(chain);
    for (const char* blocks : {"trees", "bodies"})
        expect_worlds_as_models(chain, "avbd", {{"blocks", std::string(blocks)}});
}

TEST(WorldParameters, change_one_world_and_leave_the_others_as_they_run)
{
    for (const char* solver : {"convex", "comfree", "avbd", "pbdr", "refined"})
    {
        SCOPED_TRACE(solver);
        Batch batch(make_lidded_boxes(), {.solver = solver, .world_count = 3, .thread_count = 2});
        const std::span<double> mass = batch.vary(WorldParameter::mass).value();
        Batch plain(make_lidded_boxes(), {.solver = solver, .world_count = 3, .thread_count = 2});
        batch.run_steps(20);
        plain.run_steps(20);
        mass[static_cast<std::size_t>(batch.model().body_count()) + 1] *= 5;  // the box of world 1
        batch.apply_parameters().require();
        batch.run_steps(20);
        plain.run_steps(20);
        EXPECT_EQ(hash(batch.state(), 0), hash(plain.state(), 0));
        EXPECT_EQ(hash(batch.state(), 2), hash(plain.state(), 2));
        EXPECT_NE(hash(batch.state(), 1), hash(plain.state(), 1));
    }
}

TEST(WorldParameters, reach_the_centre_of_mass_the_dynamics_and_the_recording)
{
    const Model model = make_chain();
    Batch batch(model, {.solver = "convex", .world_count = kWorldCount, .thread_count = 1});
    vary_all(batch);
    batch.run_steps(kStepCount);
    const int world = 4;
    const Model variant = make_variant(model, batch.solver(), world);
    const ParameterView own = batch.parameters(world);
    const ConstWorldView view = batch.state().world(world);
    EXPECT_EQ(compute_center_of_mass(model, view, own), compute_center_of_mass(variant, view));
    EXPECT_NE(compute_center_of_mass(model, view, own), compute_center_of_mass(model, view));

    Dynamics with(model), of(variant);
    with.update(batch.state(), batch.control(), world, own);
    of.update(batch.state(), batch.control(), world);
    const std::vector<double> force(static_cast<std::size_t>(model.v_count()), 0.1);
    EXPECT_EQ(with.forward(force), of.forward(force));
    EXPECT_EQ(with.center_of_mass(), of.center_of_mass());
    EXPECT_EQ(with.momentum().linear, of.momentum().linear);
    EXPECT_EQ(with.forward_derivatives(force).by_q.values, of.forward_derivatives(force).by_q.values);
    EXPECT_TRUE(std::equal(with.actuation().begin(), with.actuation().end(), of.actuation().begin()));
    // the next update without them is the Model's again
    Dynamics plain(model);
    plain.update(batch.state(), batch.control(), world);
    with.update(batch.state(), batch.control(), world);
    EXPECT_EQ(with.forward(force), plain.forward(force));

    const std::filesystem::path path = std::filesystem::temp_directory_path() / "rattleback_world_parameters.rbrec";
    {
        Recorder recorder =
            Recorder::open(path, std::make_shared<const Model>(model), {.solver = "convex", .world = own}).value();
        recorder.append({.world = view, .control = batch.control().world(world), .parameters = own}).require();
        recorder.close().require();
    }
    Recording recording = load_recording(path).value();
    EXPECT_EQ(recording.model().gravity, gravity_of(world));
    EXPECT_EQ(recording.model().bodies[2].mass, variant.bodies.mass[2]);
    EXPECT_EQ(recording.frame(0)->energy.total(), compute_energy(variant, view).total());
    EXPECT_EQ(recording.frame(0)->momentum.angular, compute_momentum(variant, view).angular);
    std::filesystem::remove(path);
}

TEST(WorldParameters, leave_every_bit_where_they_are_the_models)
{
    for (const char* solver : {"convex", "avbd"})
    {
        SCOPED_TRACE(solver);
        Batch plain(make_quadruped(), {.solver = solver, .world_count = 2, .thread_count = 1});
        Batch varied(make_quadruped(), {.solver = solver, .world_count = 2, .thread_count = 1});
        for (const WorldParameter parameter : varied.solver().world_parameters)
            ASSERT_TRUE(varied.vary(parameter).ok());
        varied.apply_parameters().require();
        plain.run_steps(kStepCount);
        varied.run_steps(kStepCount);
        EXPECT_EQ(hash(varied.state()), hash(plain.state()));
    }
}

TEST(WorldParameters, outlive_a_reset_and_count_from_when_they_are_applied)
{
    Batch batch(make_box(), {.solver = "convex", .world_count = 2, .thread_count = 1});
    Batch plain(make_box(), {.solver = "convex", .world_count = 2, .thread_count = 1});
    const std::span<double> gravity = batch.vary(WorldParameter::gravity).value();
    gravity[5] = -1.6;
    batch.run_steps(5);
    plain.run_steps(5);
    EXPECT_EQ(hash(batch.state()), hash(plain.state()));
    batch.apply_parameters().require();
    batch.reset();
    plain.reset();
    batch.run_steps(5);
    plain.run_steps(5);
    EXPECT_EQ(hash(batch.state(), 0), hash(plain.state(), 0));
    EXPECT_GT(batch.state().position(BodyId{1}, 1).z, plain.state().position(BodyId{1}, 1).z);
    EXPECT_EQ(batch.vary(WorldParameter::gravity).value().data(), gravity.data());
}

TEST(WorldParameters, that_make_no_sense_are_named_and_change_nothing)
{
    Batch batch(make_quadruped(), {.solver = "convex", .world_count = 3, .thread_count = 1});
    Batch plain(make_quadruped(), {.solver = "convex", .world_count = 3, .thread_count = 1});
    const auto shapes = static_cast<std::size_t>(batch.model().shape_count());
    batch.vary(WorldParameter::gravity).value()[0] = 5;  // nothing wrong with this one
    batch.vary(WorldParameter::gravity).value()[4] = std::numeric_limits<double>::quiet_NaN();
    batch.vary(WorldParameter::friction).value()[2 * shapes] = -0.5;
    batch.vary(WorldParameter::gain).value()[2] = 1;
    batch.vary(WorldParameter::mass).value()[1] = -1;
    const Status status = batch.apply_parameters();
    ASSERT_EQ(status.errors().size(), 4U);
    EXPECT_EQ(status.errors()[0].text(), "gravity in world 1: is not finite");
    EXPECT_EQ(status.errors()[1].text(), "friction of shape 'floor' in world 2: is negative: -0.500000");
    EXPECT_EQ(status.errors()[2].text(), "mass of body 'trunk' in world 0: is negative: -1.000000");
    EXPECT_EQ(status.errors()[3].text(),
              "gain of actuator 'front_left_spread' in world 0: depends on velocity, and the model's does not");
    batch.run_steps(5);
    plain.run_steps(5);
    EXPECT_EQ(hash(batch.state()), hash(plain.state()));
}

TEST(WorldParameters, that_a_solver_does_not_read_are_refused_with_the_names_of_those_that_do)
{
    Batch batch(make_box(), {.solver = "pbdr", .world_count = 2, .thread_count = 1});
    const Result<std::span<double>> refused = batch.vary(WorldParameter::gain);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.errors()[0].text(),
              "solver 'pbdr': does not read gain world by world (solvers that do: smooth, convex, comfree, avbd, ipc)");
}

}  // namespace
}  // namespace rattleback
