// Lone free bodies for the scalars in use.
#include "dynamics/free_body.h"

namespace rattleback
{

template void solve_lone_bodies(const WorkspaceView<double>&, double, std::span<const double>, std::span<const double>,
                                std::span<double>, bool);
template void solve_lone_bodies(const WorkspaceView<Pack4>&, double, std::span<const Pack4>, std::span<const Pack4>,
                                std::span<Pack4>, bool);

}  // namespace rattleback
