// Tendons for the scalars in use.
#include "dynamics/tendons.h"

namespace rattleback
{

template void compute_tendons(WorkspaceView<double>&);
template void compute_tendons(WorkspaceView<Pack4>&);
template void compute_tendons(WorkspaceView<DualPack>&);
template void compute_tendon_velocities(WorkspaceView<double>&);
template void compute_tendon_velocities(WorkspaceView<Pack4>&);
template void add_tendon_forces(WorkspaceView<double>&);
template void add_tendon_forces(WorkspaceView<Pack4>&);
template double tendon_spring_force(const TendonsView&, int, const SpringBand<double>&, const double&);
template Pack4 tendon_spring_force(const TendonsView&, int, const SpringBand<Pack4>&, const Pack4&);

}  // namespace rattleback
