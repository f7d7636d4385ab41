// Random but reproducible models, states and controls, for tests that compare a fast routine with a certain one.
#pragma once

#include "math/random.h"

#include <rattleback/control.h>
#include <rattleback/model.h>

#include <cstdint>
#include <vector>

namespace rattleback
{

/// What a random model may contain.
struct RandomModelOptions
{
    int max_trees = 4;
    int max_bodies_per_tree = 12;
    bool ball_joints = true;
    bool welded_bodies = true;     ///< bodies without joints in the middle of trees, and fixed bases
    bool kinematic_bodies = true;  ///< at most one per model, alone or at the root of a tree
    bool references = true;        ///< joint coordinates that are not zero at the authored pose
    bool armature = true;
    bool springs = true;
    bool damping = true;
    bool tendons = true;
    bool tendon_armature = true;             ///< of tendons that pull on one branch of one tree
    bool branching_tendon_armature = false;  ///< of other tendons too: M is then not sparse as the tree is
    bool actuators = true;
    bool clamps = true;  ///< ranges of inputs, activations and forces
    bool gravity_compensation = true;
    bool shapes = false;  ///< capsules and boxes that never touch (category and mask 0)
};

/// A forest that depends on seed and options alone. The test fails (check handler) if ModelBuilder refuses it.
Model make_random_model(std::uint64_t seed, const RandomModelOptions& options = {});

/// Coordinates and velocities of order one.
struct RandomState
{
    std::vector<double> q, v, act;
    std::vector<Pose> body_pose;          ///< [body_count], meaningful for kinematic bodies only
    std::vector<Velocity> body_velocity;  ///< [body_count], the same
};
RandomState make_random_state(const Model& model, std::uint64_t seed);

/// Inputs, joint forces and body wrenches of order one; kinematic targets stay at the authored poses.
Control make_random_control(const Model& model, std::uint64_t seed);

}  // namespace rattleback
