// Derivatives of the medium's forces for the scalars in use.
#include "dynamics/fluid_derivative.h"

namespace rattleback
{

template void add_fluid_derivative(const WorkspaceView<double>&, double, std::span<double>);
template void add_fluid_derivative(const WorkspaceView<Pack4>&, double, std::span<Pack4>);
template void add_drag_derivative(const WorkspaceView<double>&, double, std::span<double>);
template void add_drag_derivative(const WorkspaceView<Pack4>&, double, std::span<Pack4>);
template void add_fluid_block(const WorkspaceView<double>&, int, double, std::span<double, 36>);
template void add_fluid_block(const WorkspaceView<Pack4>&, int, double, std::span<Pack4, 36>);

}  // namespace rattleback
