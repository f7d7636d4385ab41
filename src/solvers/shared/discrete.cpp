// The integrator `discrete` for the scalars in use.
#include "solvers/shared/discrete_code.h"

namespace rattleback
{

template void Stepper<double>::lay_out_metric(const Tree&);
template void Stepper<double>::add_joint_metric(double, Workspace<double>&);
template void Stepper<double>::add_row_metric(double, const MetricRow<double>&, const double&, Workspace<double>&);
template void Stepper<double>::add_tendon_metric(double, Workspace<double>&);
template void Stepper<double>::add_actuator_metric(double, Workspace<double>&);
template void Stepper<double>::add_couplings(Workspace<double>&);
template void Stepper<double>::compute_discrete_acceleration(double, Workspace<double>&);
template void Stepper<double>::find_forward_acceleration(double, Workspace<double>&);
template void Stepper<double>::finish_discrete_acceleration(double, std::span<const double>, Workspace<double>&) const;
template void Stepper<Pack4>::lay_out_metric(const Tree&);
template void Stepper<Pack4>::add_joint_metric(double, Workspace<Pack4>&);
template void Stepper<Pack4>::add_row_metric(double, const MetricRow<Pack4>&, const Pack4&, Workspace<Pack4>&);
template void Stepper<Pack4>::add_tendon_metric(double, Workspace<Pack4>&);
template void Stepper<Pack4>::add_actuator_metric(double, Workspace<Pack4>&);
template void Stepper<Pack4>::add_couplings(Workspace<Pack4>&);
template void Stepper<Pack4>::compute_discrete_acceleration(double, Workspace<Pack4>&);
template void Stepper<Pack4>::find_forward_acceleration(double, Workspace<Pack4>&);
template void Stepper<Pack4>::finish_discrete_acceleration(double, std::span<const Pack4>, Workspace<Pack4>&) const;
template void Stepper<Pack8>::lay_out_metric(const Tree&);
template void Stepper<Pack8>::add_joint_metric(double, Workspace<Pack8>&);
template void Stepper<Pack8>::add_row_metric(double, const MetricRow<Pack8>&, const Pack8&, Workspace<Pack8>&);
template void Stepper<Pack8>::add_tendon_metric(double, Workspace<Pack8>&);
template void Stepper<Pack8>::add_actuator_metric(double, Workspace<Pack8>&);
template void Stepper<Pack8>::add_couplings(Workspace<Pack8>&);
template void Stepper<Pack8>::compute_discrete_acceleration(double, Workspace<Pack8>&);
template void Stepper<Pack8>::find_forward_acceleration(double, Workspace<Pack8>&);
template void Stepper<Pack8>::finish_discrete_acceleration(double, std::span<const Pack8>, Workspace<Pack8>&) const;

}  // namespace rattleback
