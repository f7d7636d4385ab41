// Export: writes a Model as a file that other engines read.
#pragma once

#include <rattleback/api.h>
#include <rattleback/error.h>
#include <rattleback/model.h>

#include <string>

namespace rattleback RATTLEBACK_API
{

/// The Model as plain MJCF (no includes, classes, attachments or replicas) that MuJoCo 4.0 accepts. Read back by
/// parse_mjcf it has the same fingerprint: what MJCF has no words for (restitution, springs of contacts, tracks,
/// initial velocities, ...) stands as JSON in <custom>, which MuJoCo passes over, and is given its nearest meaning
/// besides. An error, not a loss, where that cannot be.
Result<std::string> write_mjcf(const Model& model);

}  // namespace rattleback
