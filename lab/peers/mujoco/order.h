// Order: where the elements of a Model stand in MuJoCo's arrays of the same model.
#pragma once

#include "lab/peers/mujoco/mujoco.h"

namespace rattleback::lab
{

/// Our index -> MuJoCo's. It numbers bodies depth first, we in the order in which they were added.
struct Order
{
    std::vector<int> body, joint, q, v;

    /// The same on both sides, as an importer gives it.
    static Order same(const Model& model);
    /// Found by the names of bodies and joints; an error when one is missing there.
    static Result<Order> find(const Model& model, const Oracle& oracle);
};

/// Our values where MuJoCo has them, `width` values in a row.
std::vector<double> arrange(std::span<const double> ours, std::span<const int> places, std::size_t width = 1);

}  // namespace rattleback::lab
