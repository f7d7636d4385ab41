// Evaluates our dynamics and MuJoCo's at one state and compares array by array.
#include "external/oracle_match.h"
#include "base/index.h"

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "support/random_model.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

/// Our dynamics at a state.
struct Ours
{
    Ours(const Model& model, MatchState& match) : tree(model), w(tree)
    {
        refresh_bodies(model, match.state.world());
        load_world(w, 0, match.state.world(), match.control.world());
        std::vector<KinematicMotion> motions;
        for (const int b : tree.kinematic_bodies)
        {
            const Pose& pose = match.state.body_pose[at(b)];
            motions.push_back({pose, pose, {}, {}});  // MuJoCo's mocap bodies have no velocity
        }
        place_kinematic_bodies<double>(w, 0, motions, 0, model.settings.dt);
        StageTimer timer(false);
        compute_position_stage(w, timer);
        compute_velocity_stage(w, model.settings.dt, timer);
        factor_mass_matrix(w);
        std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
        solve_in_place<double>(w, w.qacc);
    }

    Tree tree;
    Workspace<double> w;
};

std::vector<double> make_dense(const Model& model, std::span<const double> lower, const std::vector<int>& place)
{
    const std::size_t n = at(model.v_count());
    std::vector<double> dense(n * n);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (int k = model.dofs.row_begin[i]; k < model.dofs.row_begin[i + 1]; ++k)
        {
            const std::size_t row = at(place[i]), column = at(place[at(model.dofs.row_column[at(k)])]);
            dense[row * n + column] = dense[column * n + row] = lower[at(k)];
        }
    }
    return dense;
}

/// Positions and rotation matrices, so that the sign of a quaternion does not count.
void expect_same_poses(std::span<const Pose> ours, std::span<const Pose> theirs, const std::vector<int>& place)
{
    std::vector<double> our_positions, their_positions, our_axes, their_axes;
    for (std::size_t b = 0; b < ours.size(); ++b)
    {
        const Pose& other = theirs[at(place[b])];
        for (int k = 0; k < 3; ++k)
        {
            our_positions.push_back(ours[b].position[k]);
            their_positions.push_back(other.position[k]);
        }
        for (const double x : to_matrix(ours[b].rotation).m) our_axes.push_back(x);
        for (const double x : to_matrix(other.rotation).m) their_axes.push_back(x);
    }
    expect_near(our_positions, their_positions, "body positions");
    expect_near(our_axes, their_axes, "body axes");
}

/// MuJoCo counts the velocity products of tendon inertia as bias, we as passive force.
void expect_same_forces(const Model& model, const Ours& ours, const lab::OracleState& theirs, const Order& order,
                        double tolerance)
{
    std::vector<double> bias = lab::arrange(ours.w.bias, order.v);
    const std::vector<double> passive = lab::arrange(ours.w.passive, order.v);
    const std::vector<double>& armature = model.tendons.armature;
    if (std::any_of(armature.begin(), armature.end(), [](double x) { return x != 0; }))
    {
        std::vector<double> difference(theirs.bias);
        for (std::size_t d = 0; d < bias.size(); ++d)
        {
            bias[d] -= passive[d];
            difference[d] -= theirs.passive[d];
        }
        expect_near(bias, difference, "bias minus passive forces", tolerance);
    }
    else
    {
        expect_near(bias, theirs.bias, "bias (qfrc_bias)");
        expect_near(passive, theirs.passive, "passive forces (qfrc_passive)", tolerance);
    }
    expect_near(lab::arrange(ours.w.actuation, order.v), theirs.actuator, "actuator forces (qfrc_actuator)", tolerance);
}

}  // namespace

MatchState::MatchState(const Model& model, std::uint64_t seed)
    : state(model), control(make_random_control(model, seed + 1))
{
    const RandomState random = make_random_state(model, seed);
    state.q = random.q;
    state.v = random.v;
    state.act = random.act;
    Random numbers(seed + 2);
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const Range& range = model.joints.range[at(j)];
        const JointType type = model.joints.type[at(j)];
        if (!range.limited || (type != JointType::hinge && type != JointType::slide)) continue;
        state.q[at(model.joints.q_begin[at(j)])] = numbers.uniform(range.lower, range.upper);
    }
    for (int b = 0; b < model.body_count(); ++b)
    {
        if (model.bodies.kind[at(b)] == BodyKind::kinematic) state.body_pose[at(b)] = random.body_pose[at(b)];
    }
}

std::size_t count_activations(const Model& model)
{
    int count = model.act_count;
    for (const auto* list : {&model.actuators.history_begin, &model.joints.plastic_begin, &model.tendons.plastic_begin})
        for (const int begin : *list) count = begin >= 0 ? std::min(count, begin) : count;
    return at(count);
}

std::vector<double> take_outputs(const Model& model, std::span<const double> values)
{
    std::vector<double> outputs;
    for (std::size_t a = 0; a < values.size(); ++a)
    {
        if (model.actuators.gain_law[a] != ActuatorLaw::input) outputs.push_back(values[a]);
    }
    return outputs;
}

std::vector<double> take_inputs(const Model& model, std::span<const double> values)
{
    std::vector<double> inputs;
    for (std::size_t a = 0; a < values.size(); ++a)
    {
        const bool none = model.actuators.gain_law[a] == ActuatorLaw::dc_motor && model.actuators.inputs[a] == 0;
        if (!none) inputs.push_back(values[a]);
    }
    return inputs;
}

void expect_near(std::span<const double> ours, std::span<const double> theirs, const std::string& what,
                 double tolerance)
{
    ASSERT_EQ(ours.size(), theirs.size()) << what;
    double largest = 1e-3;  // below this the comparison is absolute
    for (const double value : theirs) largest = std::max(largest, std::abs(value));
    std::size_t worst = 0;
    double distance = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
    {
        const double apart = std::abs(ours[i] - theirs[i]);
        if (apart <= distance) continue;  // NaN goes on and is found
        worst = i;
        distance = apart;
        if (std::isnan(apart)) break;
    }
    if (distance <= tolerance * largest) return;
    ADD_FAILURE() << what << ": entry " << worst << " of " << ours.size() << " is " << ours[worst] << " here, "
                  << theirs[worst] << " in MuJoCo; they differ by " << distance / largest << " of the largest entry";
}

void expect_same_dynamics(const Model& model, lab::Oracle& oracle, const Order& order, const MatchState& match,
                          double tolerance)
{
    const auto evaluate = [&](const lab::OracleInput& input) { return oracle.evaluate(input); };
    expect_same_dynamics(model, evaluate, order, match, tolerance);
}

void expect_same_dynamics(const Model& model, const Evaluate& evaluate, const Order& order, MatchState match,
                          double tolerance)
{
    // Delayed actuators remember nothing: so MuJoCo starts.
    const std::size_t activations = count_activations(model);
    std::fill(match.state.act.begin() + static_cast<std::ptrdiff_t>(activations), match.state.act.end(), 0.0);
    const std::vector<double> input = take_inputs(model, match.control.input);
    const Ours ours(model, match);
    std::vector<Pose> kinematic;
    for (const int b : ours.tree.kinematic_bodies) kinematic.push_back(match.state.body_pose[at(b)]);
    const std::vector<double> q = lab::arrange(match.state.q, order.q);
    const std::vector<double> v = lab::arrange(match.state.v, order.v);
    const std::vector<double> joint_force = lab::arrange(match.control.joint_force, order.v);
    std::vector<Wrench> wrench(match.control.body_wrench);
    for (std::size_t b = 0; b < wrench.size(); ++b) wrench[at(order.body[b])] = match.control.body_wrench[b];
    const lab::OracleState theirs = evaluate({.q = q,
                                              .v = v,
                                              .act = std::span(match.state.act).first(activations),
                                              .input = input,
                                              .joint_force = joint_force,
                                              .body_wrench = wrench,
                                              .kinematic_poses = kinematic});
    expect_same_poses(match.state.body_pose, theirs.body_pose, order.body);
    expect_near(make_dense(model, ours.w.mass_matrix, order.v), theirs.mass_matrix, "M");
    expect_near(ours.w.tendon_length, theirs.tendon_length, "tendon lengths");
    expect_near(take_outputs(model, ours.w.actuator_length), theirs.actuator_length, "actuator lengths");
    expect_near(take_outputs(model, ours.w.actuator_force), theirs.actuator_force, "forces of single actuators");
    // Of an actuator that is off MuJoCo tells the rate and does not use it.
    std::vector<double> rates(ours.w.act_rate.begin(), ours.w.act_rate.end()), their_rates(theirs.act_rate);
    rates.resize(std::min(rates.size(), their_rates.size()));
    for (std::size_t a = 0; a < model.actuators.active.size(); ++a)
    {
        const int act = model.actuators.act_begin[a];
        if (act >= 0 && at(act) < rates.size() && model.actuators.active[a] == 0)
            rates[at(act)] = their_rates[at(act)] = 0;
    }
    expect_near(rates, their_rates, "rates of activations");
    expect_same_forces(model, ours, theirs, order, tolerance);
    expect_near(lab::arrange(ours.w.qacc, order.v), theirs.acceleration, "smooth acceleration (qacc_smooth)",
                tolerance);
}

}  // namespace rattleback
