// The integrator `implicit` for the scalars in use.
#include "solvers/shared/implicit_code.h"

namespace rattleback
{

template void Stepper<double>::lay_out_trees(const Dofs&);
template void Stepper<Pack4>::lay_out_trees(const Dofs&);
template void Stepper<double>::add_bias_derivative(double, Workspace<double>&);
template void Stepper<double>::solve_dense(Workspace<double>&);
template void Stepper<Pack4>::add_bias_derivative(double, Workspace<Pack4>&);
template void Stepper<Pack4>::solve_dense(Workspace<Pack4>&);
template void Stepper<Pack8>::lay_out_trees(const Dofs&);
template void Stepper<Pack8>::add_bias_derivative(double, Workspace<Pack8>&);
template void Stepper<Pack8>::solve_dense(Workspace<Pack8>&);

}  // namespace rattleback
