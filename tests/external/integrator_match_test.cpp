// Whole steps of solver `smooth` against MuJoCo's, integrator by integrator, without constraints.
#include "external/model_file.h"
#include "external/plain_mjcf.h"
#include "support/random_model.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

constexpr int kSteps = 10;

/// Ten steps of a tumbling tree enlarge rounding errors. MuJoCo's RK4 cuts off the series of the rotation's correction.
double tolerance_of(Integrator integrator) { return integrator == Integrator::lie_rk4 ? 1e-6 : 1e-8; }

/// False when nothing could be compared: MuJoCo diverged, or means something else.
bool expect_same_steps(Integrator integrator, std::uint64_t seed)
{
    SCOPED_TRACE("random model " + std::to_string(seed));
    // Exact filters and early activations have no meaning between the stages of a Runge-Kutta step.
    Model model = make_random_model(seed, {.kinematic_bodies = false, .actuators = integrator != Integrator::lie_rk4});
    for (std::size_t a = 0; a < model.actuators.bias.size(); ++a)
    {
        auto& bias = model.actuators.bias[a];
        bias[2] = -std::abs(bias[2]);  // a positive one may be read as a damping ratio
    }
    std::ranges::fill(model.joints.gravity_compensation_by_actuator, 0);
    const ModelFile file(write_plain_mjcf(model));
    const lab::Oracle oracle = lab::Oracle::load_file(file.path()).value();
    const Order order = Order::find(model, oracle).value();
    const MatchState start(model, seed);
    const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
    EXPECT_TRUE(theirs->load(file.path(), {.constraints = false, .integrator = integrator}).ok());
    std::ranges::copy(lab::arrange(start.state.q, order.q), theirs->q().begin());
    std::ranges::copy(lab::arrange(start.state.v, order.v), theirs->v().begin());
    std::ranges::copy(start.state.act, theirs->act().begin());
    std::ranges::copy(start.control.input, theirs->input().begin());
    Simulation ours(model, {.solver = "smooth", .parameters = {{"integrator", std::string(to_string(integrator))}}});
    ours.state().q = start.state.q;
    ours.state().v = start.state.v;
    ours.state().act = start.state.act;
    ours.control().input = start.control.input;
    theirs->step(kSteps);
    ours.run_steps(kSteps);
    if (!theirs->trouble().none()) return false;  // too stiff for this step: MuJoCo started again
    expect_near(lab::arrange(ours.state().q, order.q), theirs->q(), "q after some steps", tolerance_of(integrator));
    expect_near(lab::arrange(ours.state().v, order.v), theirs->v(), "v after some steps", tolerance_of(integrator));
    expect_near(ours.state().act, theirs->act(), "act after some steps", tolerance_of(integrator));
    return true;
}

void expect_same_steps(Integrator integrator)
{
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed)
    {
        compared += expect_same_steps(integrator, seed) ? 1 : 0;
    }
    EXPECT_GE(compared, testing::Test::HasFailure() ? 0 : 50);
}

TEST(IntegratorMatch, euler_steps_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    expect_same_steps(Integrator::euler);
}

TEST(IntegratorMatch, implicitfast_steps_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    expect_same_steps(Integrator::implicitfast);
}

/// Free bodies that tumble fast, with and without a centre of mass of their own, damped, pushed by thrusters, carrying
/// a weight; and a pendulum. In air, in honey, in wind; by inertia boxes and by ellipsoids.
std::string make_tumblers(const std::string& medium, const std::string& shape)
{
    return R"(<mujoco><option timestep="0.005" integrator="implicitfast" )" + medium + R"(/>
  <default><geom )" +
           shape + R"( contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.4"/></body>
    <body pos="1 0 1" quat="1 0.3 0.2 0"><freejoint/><geom type="box" size="0.1 0.2 0.05" pos="0.3 0.2 0.1" quat="1 1 0 0.3"/>
      <geom type="ellipsoid" size="0.1 0.05 0.03" pos="-0.1 0 0"/></body>
    <body pos="2 0 1"><joint type="free" damping="0.3" armature="0.1"/><geom type="capsule" size="0.1 0.3"/>
      <site name="nozzle" pos="0.1 0.2 0.3"/></body>
    <body pos="3 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3"/><body pos="0.3 0 0"><geom size="0.1"/></body></body>
    <body pos="4 0 1"><freejoint/><geom type="box" size="0.3 0.2 0.1"/>
      <body pos="0.3 0 0"><joint axis="0 1 0" damping="0.1"/><geom type="cylinder" size="0.1 0.2"/></body></body>
    <body pos="5 0 1"><joint type="ball"/><geom type="ellipsoid" size="0.1 0.05 0.3" pos="0 0.1 0.3"/></body>
  </worldbody>
  <actuator><general site="nozzle" gear="1 2 3 0.1 0 0.2" gainprm="5" biastype="affine" biasprm="0 0 -2"/></actuator>
</mujoco>)";
}

TEST(IntegratorMatch, tumbling_bodies_in_a_medium_step_implicitly_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const std::string medium :
         {"", "density=\"1.2\" viscosity=\"0.0001\"", "density=\"300\" viscosity=\"2\" wind=\"1 2 0.5\""})
    {
        for (const std::string shape : {"fluidshape=\"none\"", "fluidshape=\"ellipsoid\""})
        {
            SCOPED_TRACE(medium + ", " + shape);
            const ModelFile file(make_tumblers(medium, shape));
            const Model model = load_mjcf(file.path()).value().model;
            const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
            ASSERT_TRUE(theirs->load(file.path()).ok());
            Simulation ours(model, {.solver = "smooth"});
            Random random(3);
            for (double& v : ours.state().v) v = random.uniform(-8, 8);
            ours.refresh();
            std::ranges::copy(ours.state().v, theirs->v().begin());
            theirs->input()[0] = ours.control().input[0] = 1.5;
            theirs->step(40);
            ours.run_steps(40);
            ASSERT_TRUE(theirs->trouble().none());
            expect_near(ours.state().q, theirs->q(), "q", 1e-9);
            expect_near(ours.state().v, theirs->v(), "v", 1e-9);
        }
    }
}

TEST(IntegratorMatch, lie_rk4_steps_as_mujocos_rk4)
{
    SKIP_WITHOUT_MUJOCO();
    expect_same_steps(Integrator::lie_rk4);
}

}  // namespace
}  // namespace rattleback
