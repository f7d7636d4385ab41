// Implicit steps of lone free bodies and derivatives of the medium, against finite differences.
#include "dynamics/free_body.h"
#include "base/index.h"
#include "dynamics/fluid_derivative.h"
#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"
#include "support/random_model.h"
#include "unit/dynamics/evaluate.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

Model load(const std::string& medium, const std::string& bodies)
{
    return parse_mjcf("<mujoco><option integrator=\"implicitfast\" " + medium + "/><worldbody>" + bodies +
                          "</worldbody></mujoco>",
                      "scene.xml", ".")
        .value()
        .model;
}

constexpr const char* kLone = R"(<body quat="1 0.3 0.2 0"><freejoint/>
  <geom type="box" size="0.1 0.2 0.05" pos="0.3 0.2 0.1" quat="1 1 0 0.3" FLUID/>
  <geom type="ellipsoid" size="0.1 0.05 0.03" FLUID/><body pos="0.3 0 0.1"><geom size="0.1 0.05" type="cylinder" FLUID/></body></body>)";
constexpr const char* kChain = R"(<body quat="1 0.3 0.2 0"><joint type="ball"/>
  <geom type="box" size="0.1 0.2 0.05" pos="0.3 0.2 0.1" FLUID/>
  <body pos="0.3 0 0.1"><joint axis="1 1 0"/><geom type="capsule" size="0.1 0.2" pos="0.2 0.1 0" FLUID/></body></body>)";

std::string fill(std::string text, const std::string& fluid)
{
    for (std::size_t i = text.find("FLUID"); i != std::string::npos; i = text.find("FLUID")) text.replace(i, 5, fluid);
    return text;
}

/// A workspace at a random state, and the total force at any v.
struct At
{
    At(const Model& model, std::uint64_t seed) : tree(model), w(tree), state(model), control(model)
    {
        const RandomState random = make_random_state(model, seed);
        state.q = random.q;
        state.v = random.v;
        evaluate();
    }
    void evaluate()
    {
        load_world(w, 0, state.world(), control.world());
        StageTimer timer(false);
        compute_position_stage(w, timer);
        compute_velocity_stage(w, 0.01, timer);
    }
    /// d total / d v, dense, by central differences.
    std::vector<double> differentiate()
    {
        const std::size_t n = state.v.size();
        std::vector<double> derivative(n * n);
        for (std::size_t j = 0; j < n; ++j)
        {
            const double step = 1e-6, v = state.v[j];
            state.v[j] = v + step;
            evaluate();
            const std::vector<double> ahead = copy_of<double>(w.total);
            state.v[j] = v - step;
            evaluate();
            for (std::size_t i = 0; i < n; ++i) derivative[i * n + j] = (ahead[i] - w.total[i]) / (2 * step);
            state.v[j] = v;
        }
        evaluate();
        return derivative;
    }

    Tree tree;
    Workspace<double> w;
    State state;
    Control control;
};

const char* const kMedia[] = {"", "density=\"1.2\" viscosity=\"0.001\"",
                              "density=\"100\" viscosity=\"1\" wind=\"1 2 0.5\""};
const char* const kFluids[] = {"fluidshape=\"none\"", "fluidshape=\"ellipsoid\""};

TEST(FreeBody, lone_bodies_solve_with_the_whole_derivative_of_their_forces)
{
    constexpr double kDt = 0.05;
    for (const char* medium : kMedia)
    {
        for (const char* fluid : kFluids)
        {
            const Model model = load(medium, fill(kLone, fluid));
            for (std::uint64_t seed = 0; seed < 10; ++seed)
            {
                At here(model, seed);
                ASSERT_EQ(copy_of(here.tree.lone_bodies), std::vector<int>{1});
                const std::vector<double> derivative = here.differentiate();
                std::vector<double> a(6);
                solve_lone_bodies<double>(here.w, kDt, here.w.mass_matrix, here.w.total, a);
                std::vector<double> product(6);
                multiply_symmetric<double>(model, here.w.mass_matrix, a, product);
                for (std::size_t i = 0; i < 6; ++i)
                {
                    double residual = product[i] - here.w.total[i];
                    for (std::size_t j = 0; j < 6; ++j) residual -= kDt * derivative[6 * i + j] * a[j];
                    EXPECT_NEAR(residual, 0, 1e-6 * std::max(1.0, std::abs(here.w.total[i]))) << medium << fluid;
                }
            }
        }
    }
}

TEST(FreeBody, the_derivative_of_the_medium_is_the_symmetric_part_of_differences)
{
    for (const char* fluid : kFluids)
    {
        const Model model = load(kMedia[2], fill(kChain, fluid));
        const Model dry = load("", fill(kChain, fluid));
        for (std::uint64_t seed = 0; seed < 10; ++seed)
        {
            At wet(model, seed), still(dry, seed);
            EXPECT_TRUE(wet.tree.lone_bodies.empty());
            const std::vector<double> with = wet.differentiate(), without = still.differentiate();
            std::vector<double> matrix(wet.w.mass_matrix.size());
            add_fluid_derivative<double>(wet.w, 1, matrix);
            const std::size_t n = at(model.v_count());
            double largest = 0;
            for (const double x : with) largest = std::max(largest, std::abs(x));
            for (std::size_t i = 0; i < n; ++i)
            {
                for (int k = model.dofs.row_begin[i]; k < model.dofs.row_begin[i + 1]; ++k)
                {
                    const std::size_t j = at(model.dofs.row_column[at(k)]);
                    const double symmetric =
                        0.5 * (with[i * n + j] - without[i * n + j] + with[j * n + i] - without[j * n + i]);
                    EXPECT_NEAR(matrix[at(k)], symmetric, 1e-7 * largest) << fluid << i << j;
                }
            }
        }
    }
}

TEST(FreeBody, implicit_steps_of_a_spinning_body_never_gain_energy)
{
    const Model model = load("timestep=\"0.01\" gravity=\"0 0 0\"",
                             R"(<body><freejoint/><geom type="box" size="0.1 0.2 0.4"/></body>)");
    Simulation simulation(model, {.solver = "smooth"});
    std::copy_n(std::array{0.0, 0.0, 0.0, 0.3, 30.0, 0.2}.begin(), 6, simulation.state().v.begin());
    simulation.refresh();
    double last = compute_energy(model, simulation.state().world()).kinetic;
    const double first = last;
    for (int i = 0; i < 1000; ++i)
    {
        simulation.step();
        const double now = compute_energy(model, simulation.state().world()).kinetic;
        EXPECT_LE(now, last * (1 + 1e-12)) << i;
        last = now;
    }
    EXPECT_GT(last, 0.01 * first);
}

TEST(FreeBody, bodies_that_carry_joints_are_not_alone)
{
    const Model model = load("", R"(<body><freejoint/><geom size="0.1"/><body><joint/><geom size="0.1"/></body></body>
      <body><freejoint/><geom size="0.1"/></body><body><joint type="ball"/><geom size="0.1"/></body>)");
    const Tree tree(model);
    EXPECT_EQ(copy_of(tree.lone_bodies), std::vector<int>{3});
}

}  // namespace
}  // namespace rattleback
