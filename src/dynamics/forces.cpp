// Forces and stages for the scalars in use.
#include "dynamics/forces.h"

namespace rattleback
{

template Vector3<double> rotation_spring(const Quaternion<double>&, const Quat&);
template Vector3<Pack4> rotation_spring(const Quaternion<Pack4>&, const Quat&);
template void compute_position_stage(WorkspaceView<double>&, StageTimer&);
template void compute_position_stage(WorkspaceView<Pack4>&, StageTimer&);
template void compute_velocity_stage(WorkspaceView<double>&, double, StageTimer&);
template void compute_velocity_stage(WorkspaceView<Pack4>&, double, StageTimer&);
template void add_force_derivative(const WorkspaceView<double>&, double, std::span<double>);
template void add_force_derivative(const WorkspaceView<Pack4>&, double, std::span<Pack4>);

}  // namespace rattleback
