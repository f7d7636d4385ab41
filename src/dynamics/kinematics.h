// Forward kinematics: from q to poses, joint axes as motions, and inertias about each tree's reference point.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// q -> position, rotation, matrix, center, anchor, axis. Quaternions of q are normalised on use.
template <class T>
void compute_poses(Workspace<T>& w);

/// Poses -> dof, inertia.
template <class T>
void compute_dof_motions(Workspace<T>& w);

}  // namespace rattleback
