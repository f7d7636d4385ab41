// States of a model in which something touches, from MuJoCo's own motion and from random poses near it.
#pragma once

#include "external/oracle_match.h"

#include <rattleback/state.h>

namespace rattleback
{

/// A state and inputs, in MuJoCo's order.
struct ContactState
{
    std::vector<double> q, v, act, input;
    std::vector<double> controls = input;  ///< MuJoCo's: a motor without input has none
    std::size_t activations = act.size();  ///< that MuJoCo has: the rest is what delayed actuators remember

    lab::OracleInput as_input() const
    {
        return {.q = q,
                .v = v,
                .act = std::span(act).first(activations),
                .input = controls,
                .joint_force = {},
                .body_wrench = {},
                .kinematic_poses = {}};
    }
};

/// `count` states with contacts that act, the same for a seed: half from a run of MuJoCo with random inputs, half by
/// moving such a state at random (free bodies down, other joints within their limits). Fails when too few are found.
std::vector<ContactState> find_contact_states(const Model& model, const std::string& path, lab::Oracle& oracle,
                                              int count, std::uint64_t seed = 1);

}  // namespace rattleback
