// Mechanical energy body by body.
#pragma once

#include <rattleback/state.h>

namespace rattleback
{

/// Adds the terms of compute_energy(): armature and springs of a joint to its body, those of a tendon to a body that it
/// moves. `of_body`: [body_count] [J].
void add_body_energies(const Model& model, const ConstWorldView& world, const ParameterView& parameters,
                       std::span<Energy> of_body);

}  // namespace rattleback
