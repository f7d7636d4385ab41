// The rotation nearest to a 3x3 matrix: the heart of shape matching.
#pragma once

#include <rattleback/math.h>

namespace rattleback::particles
{

/// The rotation R that maximises trace(R^T A), to rounding: Newton's method on the rotation group from `guess`, or from
/// the eigenvector of Horn's matrix (1987) when that does not lead there. Same answer as U V^T of the singular value
/// decomposition with the sign of the smallest value flipped where the determinant is negative.
Quat find_rotation(const Mat3& a, const Quat& guess);

/// The same roughly and in single precision: four sweeps of approximate Givens turns on A^T A and a QR decomposition,
/// after McAdams et al. (2011), as graphics libraries do it.
Quat find_rotation_fast(const Mat3& a);

}  // namespace rattleback::particles
