// The integrators for the scalars in use.
#include "solvers/shared/integrators_code.h"

namespace rattleback
{

template class Stepper<double>;
template class Stepper<Pack4>;
template class Stepper<Pack8>;

}  // namespace rattleback
