// Mass matrices and their products for the scalars in use.
#include "dynamics/mass_matrix.h"

namespace rattleback
{

template void compute_mass_matrix(WorkspaceView<double>&);
template void compute_mass_matrix(WorkspaceView<Pack4>&);
template void compute_mass_matrix(WorkspaceView<DualPack>&);
template void factor_matrix(WorkspaceView<double>&, std::span<const double>);
template void factor_matrix(WorkspaceView<Pack4>&, std::span<const Pack4>);
template void solve_in_place(const WorkspaceView<double>&, std::span<double>);
template void solve_in_place(const WorkspaceView<Pack4>&, std::span<Pack4>);
template void multiply_symmetric(const ModelView&, std::span<const double>, std::span<const double>, std::span<double>);
template void multiply_symmetric(const ModelView&, std::span<const Pack4>, std::span<const Pack4>, std::span<Pack4>);
template void multiply_symmetric(const ModelView&, std::span<const DualPack>, std::span<const DualPack>,
                                 std::span<DualPack>);
template void add_outer_product(const ModelView&, std::span<const int>, std::span<const double>, const double&,
                                std::span<double>);
template void add_outer_product(const ModelView&, std::span<const int>, std::span<const Pack4>, const Pack4&,
                                std::span<Pack4>);

}  // namespace rattleback
