// Whole steps of solver `smooth` against MuJoCo's, integrator by integrator, without constraints.
#include "external/model_file.h"
#include "external/plain_mjcf.h"
#include "support/random_model.h"

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

/// True when a free body carries nothing that moves on it: MuJoCo's implicitfast then adds the derivative of gyroscopic
/// forces, which ours leaves out for all bodies alike.
bool has_lonely_free_body(const Model& model)
{
    for (std::size_t j = 0; j < model.joints.type.size(); ++j)
    {
        if (model.joints.type[j] != JointType::free) continue;
        const auto on_it = [&](int body)
        { return model.bodies.root[static_cast<std::size_t>(body)] == model.joints.body[j]; };
        if (std::ranges::count_if(model.dofs.body, on_it) == 6) return true;
    }
    return false;
}

/// False when nothing could be compared: MuJoCo diverged, or means something else.
bool expect_same_steps(Integrator integrator, std::uint64_t seed)
{
    SCOPED_TRACE("random model " + std::to_string(seed));
    // Exact filters and early activations have no meaning between the stages of a Runge-Kutta step.
    Model model = make_random_model(seed, {.kinematic_bodies = false, .actuators = integrator != Integrator::lie_rk4});
    if (integrator == Integrator::implicitfast && has_lonely_free_body(model)) return false;
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

TEST(IntegratorMatch, lie_rk4_steps_as_mujocos_rk4)
{
    SKIP_WITHOUT_MUJOCO();
    expect_same_steps(Integrator::lie_rk4);
}

}  // namespace
}  // namespace rattleback
