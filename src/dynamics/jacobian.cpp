// Point velocities and Jacobians for the scalars in use.
#include "dynamics/jacobian.h"

namespace rattleback
{

template Vector3<double> base_point_velocity(const WorkspaceView<double>&, int, const Vector3<double>&);
template Vector3<Pack4> base_point_velocity(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&);
template Vector3<double> base_angular_velocity(const WorkspaceView<double>&, int);
template Vector3<Pack4> base_angular_velocity(const WorkspaceView<Pack4>&, int);
template Vector3<double> body_point_acceleration(const WorkspaceView<double>&, int, const Vector3<double>&);
template Vector3<Pack4> body_point_acceleration(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&);
template Vector3<double> base_point_acceleration(const WorkspaceView<double>&, int, const Vector3<double>&);
template Vector3<Pack4> base_point_acceleration(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&);
template Vector3<double> body_angular_acceleration(const WorkspaceView<double>&, int);
template Vector3<Pack4> body_angular_acceleration(const WorkspaceView<Pack4>&, int);
template void compute_jacobian(const WorkspaceView<double>&, int, const Vector3<double>&, std::span<double>,
                               std::span<double>);
template void compute_jacobian(const WorkspaceView<Pack4>&, int, const Vector3<Pack4>&, std::span<Pack4>,
                               std::span<Pack4>);

}  // namespace rattleback
