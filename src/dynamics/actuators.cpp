// Actuators for the scalars in use.
#include "dynamics/actuators.h"

namespace rattleback
{

template void compute_transmissions(WorkspaceView<double>&);
template void compute_transmissions(WorkspaceView<Pack4>&);
template void compute_actuation(WorkspaceView<double>&, double);
template void compute_actuation(WorkspaceView<Pack4>&, double);
template void clamp_joint_actuation(WorkspaceView<double>&);
template void clamp_joint_actuation(WorkspaceView<Pack4>&);

}  // namespace rattleback
