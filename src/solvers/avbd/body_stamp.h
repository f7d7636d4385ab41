// Stiffnesses at points of a body as blocks of its 6x6 system.
#pragma once

#include "math/rotation.h"
#include "solvers/avbd/bodies.h"

namespace rattleback::avbd
{

/// A stiffness K at the arm r: linear += K, coupling += [r] K, angular += [r] K [r]ᵀ.
inline void add_stiffness(const Mat3& k, const Vec3& r, BodySystem<double>& system)
{
    // X K Xᵀ with X = [1; [r]]
    const Mat3 coupling = skew(r) * k;
    const Mat3 angular = coupling * transpose(skew(r));
    system.linear += to_symmetric(k);
    for (int i = 0; i < 9; ++i) system.coupling.m[i] += coupling.m[i];
    system.angular += to_symmetric(angular);
}

}  // namespace rattleback::avbd
