// Comparing our dynamics of a Model with what MuJoCo computes for the same model in MJCF, at the same states.
#pragma once

#include "lab/peers/mujoco/order.h"

#include <rattleback/control.h>
#include <rattleback/state.h>

#include <gtest/gtest.h>

#include <functional>

namespace rattleback
{

/// Everything agrees to this fraction of an array's largest entry.
inline constexpr double kMatchTolerance = 1e-9;

using lab::Order;

/// A state and inputs of order one, the same for a seed on every machine; hinge and slide coordinates with limits stay
/// within them.
struct MatchState
{
    MatchState(const Model& model, std::uint64_t seed);

    State state;
    Control control;
};

/// How many numbers of State::act are activations: what delayed actuators remember, which MuJoCo keeps elsewhere,
/// stands behind them.
std::size_t count_activations(const Model& model);
/// Only those of our actuators that have a force: the others lend their input.
std::vector<double> take_outputs(const Model& model, std::span<const double> values);
/// MuJoCo has no control for a motor that has no input.
std::vector<double> take_inputs(const Model& model, std::span<const double> values);

/// What some build of MuJoCo computes at a state.
using Evaluate = std::function<lab::OracleState(const lab::OracleInput& input)>;

/// Fails unless both sides agree at this state on body poses, M, bias, passive and actuator forces, and smooth
/// acceleration.
/// `tolerance`: of forces and accelerations, which moments of tendons go into.
void expect_same_dynamics(const Model& model, const Evaluate& evaluate, const Order& order, MatchState at,
                          double tolerance = kMatchTolerance);
void expect_same_dynamics(const Model& model, lab::Oracle& oracle, const Order& order, const MatchState& at,
                          double tolerance = kMatchTolerance);

/// Fails unless the arrays agree to `tolerance` times the largest entry of `theirs`; names the worst entry.
void expect_near(std::span<const double> ours, std::span<const double> theirs, const std::string& what,
                 double tolerance = kMatchTolerance);

}  // namespace rattleback

/// Skips the test, saying why, where MuJoCo is not installed.
#define SKIP_WITHOUT_MUJOCO()                                                             \
    if (const auto mujoco = ::rattleback::lab::find_mujoco(); !mujoco.ok())               \
    {                                                                                     \
        GTEST_SKIP() << "MuJoCo is not here: " << ::rattleback::to_text(mujoco.errors()); \
    }
