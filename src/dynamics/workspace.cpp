// Workspaces for the scalars in use.
#include "dynamics/workspace_code.h"

namespace rattleback
{

template struct Workspace<double>;
template struct Workspace<Pack4>;
template struct Workspace<Pack8>;
template struct Workspace<DualPack>;
template void load_world(WorkspaceView<double>&, int, const ConstWorldView&, const ControlView&);
template void load_world(WorkspaceView<Pack4>&, int, const ConstWorldView&, const ControlView&);
template void load_world(WorkspaceView<float>&, int, const ConstWorldView&, const ControlView&);
template void load_world(WorkspaceView<Pack8>&, int, const ConstWorldView&, const ControlView&);
template void load_parameters(WorkspaceView<double>&, int, const ParameterView&);
template void load_parameters(WorkspaceView<Pack4>&, int, const ParameterView&);
template void load_parameters(WorkspaceView<float>&, int, const ParameterView&);
template void load_parameters(WorkspaceView<Pack8>&, int, const ParameterView&);

}  // namespace rattleback
