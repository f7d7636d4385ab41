// Writes the moving parts of a Model as plain MJCF, so that MuJoCo can be asked about models that were built by code.
#pragma once

#include "external/oracle_match.h"

namespace rattleback
{

/// Bodies, joints, sites, tendons and actuators with all numbers in full; no shapes and no constraints. Bodies and
/// joints keep their names.
std::string write_plain_mjcf(const Model& model);

}  // namespace rattleback
