// Extended precision, in which oracles compute.
#pragma once

#include <rattleback/math.h>

namespace rattleback
{

using Real = long double;

inline Vector3<Real> widen(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Matrix3<Real> widen(const Mat3& m)
{
    Matrix3<Real> wide;
    for (int i = 0; i < 9; ++i) wide.m[i] = m.m[i];
    return wide;
}

inline double narrow(Real x) { return static_cast<double>(x); }
inline Vec3 narrow(const Vector3<Real>& v) { return {narrow(v.x), narrow(v.y), narrow(v.z)}; }

}  // namespace rattleback
