// Sweeps for the scalars in use.
#include "solvers/comfree/sweep_law_code.h"

namespace rattleback::comfree
{

template class SweepLaw<double>;
template class SweepLaw<Pack4>;
template class SweepLaw<Pack8>;

}  // namespace rattleback::comfree
