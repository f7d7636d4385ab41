// Rows of the sweeps for the scalars in use.
#include "solvers/comfree/sweep_system_code.h"

namespace rattleback::comfree
{

template class SweepSystem<double>;
template class SweepSystem<Pack4>;
template class SweepSystem<Pack8>;

}  // namespace rattleback::comfree
