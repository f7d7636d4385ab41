// Recursive Newton-Euler for the scalars in use.
#include "dynamics/bias.h"

namespace rattleback
{

template void compute_velocities(WorkspaceView<double>&);
template void compute_velocities(WorkspaceView<Pack4>&);
template void compute_velocities(WorkspaceView<DualPack>&);
template void compute_bias(WorkspaceView<double>&);
template void compute_bias(WorkspaceView<Pack4>&);
template void compute_bias(WorkspaceView<DualPack>&);

}  // namespace rattleback
