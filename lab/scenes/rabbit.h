// A lopsided solid on a flat base: our stand-in for the bunny of [PBD-R], made by a formula.
#pragma once

#include <rattleback/error.h>
#include <rattleback/shapes.h>

namespace rattleback::lab
{

inline constexpr double kRabbitMass = 2.18;  ///< [kg], as the bunny of [PBD-R] Table II

/// Closed, 1,596 triangles, in a cube of 0.2 m, its centre of mass in the origin and 73 mm above its flat foot of 14 to
/// 18 cm across. Weighed to 2.18 kg its inertia [kg m^2] is xx 6.66e-3, yy 8.46e-3, zz 7.08e-3, xy 4.4e-4, xz 1.6e-3,
/// yz -9.1e-4: within 1 % of the bunny's moments and 8 % of its products. The tests feel nothing else of the shape but
/// the foot.
MeshOptions make_rabbit();

/// Welds a mesh, takes away loose triangles and closes its holes by fans over their rims; `notes` says what was done.
void close_mesh(MeshOptions& mesh, std::vector<std::string>& notes);

/// Any other mesh made fit: welded, without loose triangles, turned from y up to z up where it stands only so, scaled
/// so that its bounds are a cube of `size` [m] along each axis on its own, its centre of mass moved to the origin.
/// Holes are closed by fans over their rims. `notes` says what was done.
Result<MeshOptions> make_fit(MeshOptions mesh, double size, std::vector<std::string>& notes);

}  // namespace rattleback::lab
