// Masses that a world has of its own, put into the layout of the step.
#pragma once

#include "solvers/avbd/layout.h"

#include <rattleback/world_parameters.h>

#include <optional>

namespace rattleback::avbd
{

/// What follows from the masses of one world, in the form of a Layout; found once and kept in the world's memory.
struct WorldMasses
{
    std::vector<double> mass;      ///< [body] from which the layout was made [kg]
    std::optional<Layout> layout;  ///< its groups, links, loops, tendons and dof inertias count
};

/// Puts the masses of worlds into a layout. With masses of the Model's own it does nothing.
class MassSwitch
{
public:
    /// Makes `layout` what a Model with the world's masses would have, bit for bit. `tree_blocks` as the layout has it.
    /// Allocates where the world's masses have changed since its last step.
    void apply(const MassView& view, bool tree_blocks, WorldMasses& masses, Layout& layout);

private:
    std::optional<Model> variant_;  ///< scratch: the Model with the masses of a world
};

}  // namespace rattleback::avbd
