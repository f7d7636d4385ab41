// Poses of bodies over time, from a file of any program: CSV or NPZ as `rattleback export` writes them.
#pragma once

#include "lab/certify/trajectory.h"

namespace rattleback::cli
{

/// Reads .csv (a column `time`, seven for every body that moves: BODY.x, .y, .z, .qw, .qx, .qy, .qz, perhaps `step`) or
/// .npz (`time` [n], `body_pose` [n][body_count][7] in the model's order, perhaps `step` [n]). Quaternions within 1e-6
/// of unit length are made so. Without `step` every row is a step. Every mistake, with its place.
Result<lab::Trajectory> load_poses(const std::string& path, const Model& model);

}  // namespace rattleback::cli
