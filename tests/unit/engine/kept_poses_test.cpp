// Bodies that a solver places after a step, and begins the next one with: those that follow from q, to the bit.
#include <rattleback/simulation.h>

#include "dynamics/kinematics.h"
#include "dynamics/workspace.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rattleback
{
namespace
{

constexpr double kKeptStep = 1e-3;

/// Trees on the ground, on static bodies and afloat, with bodies fixed in their middle.
Model make_trees(std::uint64_t seed)
{
    return make_random_model(seed, {.max_trees = 3,
                                    .max_bodies_per_tree = 6,
                                    .kinematic_bodies = false,
                                    .tendons = false,
                                    .actuators = false,
                                    .shapes = true});
}

Simulation make_kept(const Model& model, const std::string& solver)
{
    Parameters parameters;
    if (solver == "comfree") parameters["method"] = std::string("sweeps");
    return Simulation::make(model, {.solver = solver, .dt = kKeptStep, .parameters = parameters}).value();
}

bool hangs_on_static_body(const Model& model)
{
    for (int b = 1; b < model.body_count(); ++b)
    {
        const auto parent = static_cast<std::size_t>(model.bodies.parent[static_cast<std::size_t>(b)]);
        if (parent > 0 && model.bodies.last_dof[parent] < 0 && model.bodies.last_dof[static_cast<std::size_t>(b)] >= 0)
            return true;
    }
    return false;
}

/// Poses of the state are those of compute_poses() at its q.
void expect_poses_of_q(const Model& model, Simulation& simulation, const std::string& what)
{
    const Tree tree(model);
    Workspace<double> w(tree);
    const Control control(model);
    load_world(w, 0, simulation.state().world(), control.world());
    compute_poses<double>(w);
    for (std::size_t b = 0; b < simulation.state().body_pose.size(); ++b)
    {
        const Pose& pose = simulation.state().body_pose[b];
        EXPECT_EQ(std::memcmp(&pose.position, &w.position[static_cast<int>(b)], sizeof(Vec3)), 0) << what << ", " << b;
        EXPECT_EQ(std::memcmp(&pose.rotation, &w.rotation[static_cast<int>(b)], sizeof(Quat)), 0) << what << ", " << b;
    }
}

TEST(KeptPoses, are_those_of_the_coordinates_after_every_step)
{
    int on_static = 0;
    for (const std::string solver : {"smooth", "comfree"})
        for (std::uint64_t seed = 0; seed < 20; ++seed)
        {
            const Model model = make_trees(seed);
            on_static += hangs_on_static_body(model) ? 1 : 0;
            Simulation simulation = make_kept(model, solver);
            simulation.state().v = make_random_state(model, seed).v;
            for (int i = 0; i < 3; ++i)
            {
                ASSERT_EQ(simulation.step().status, StepStatus::ok);
                expect_poses_of_q(model, simulation, solver + " " + std::to_string(seed));
            }
        }
    EXPECT_GT(on_static, 4);
}

TEST(KeptPoses, are_left_where_coordinates_are_written_between_steps)
{
    for (const std::string solver : {"smooth", "comfree"})
        for (std::uint64_t seed = 0; seed < 20; ++seed)
        {
            // One has gone another way before; from the same state both take the same step.
            const Model model = make_trees(seed);
            Simulation used = make_kept(model, solver), fresh = make_kept(model, solver);
            used.state().v = make_random_state(model, seed).v;
            used.run_steps(2);
            const RandomState other = make_random_state(model, seed + 100);
            for (Simulation* simulation : {&used, &fresh})
            {
                simulation->state().q = other.q;
                simulation->state().v = other.v;
                simulation->step();
            }
            EXPECT_EQ(used.state().q, fresh.state().q) << solver << " " << seed;
            EXPECT_EQ(used.state().v, fresh.state().v) << solver << " " << seed;
            expect_poses_of_q(model, used, solver + " " + std::to_string(seed));
            used.state().q = model.initial_q;
            used.refresh();
            expect_poses_of_q(model, used, "refreshed");
        }
}

}  // namespace
}  // namespace rattleback
