// Forward kinematics for the scalars in use.
#include "dynamics/kinematics.h"

namespace rattleback
{

template void compute_poses(WorkspaceView<double>&);
template void compute_poses(WorkspaceView<Pack4>&);
template void compute_poses(WorkspaceView<DualPack>&);
template void compute_dof_motions(WorkspaceView<double>&);
template void compute_dof_motions(WorkspaceView<Pack4>&);
template void compute_dof_motions(WorkspaceView<DualPack>&);

}  // namespace rattleback
