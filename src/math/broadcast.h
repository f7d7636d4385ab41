// Constants of a model in the scalar of a formula: the same number in every lane.
#pragma once

#include <rattleback/math.h>

namespace rattleback
{

template <class T>
RB_HD constexpr Vector3<T> broadcast(const Vec3& a)
{
    // models are in doubles; packs of worlds share them
    return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
RB_HD constexpr Quaternion<T> broadcast(const Quat& q)
{
    // constants of the model are not differentiated: dual numbers get rate zero
    return {T(q.w), T(q.x), T(q.y), T(q.z)};
}
template <class T>
RB_HD constexpr Matrix3<T> broadcast(const Mat3& a)
{
    return {{T(a.m[0]), T(a.m[1]), T(a.m[2]), T(a.m[3]), T(a.m[4]), T(a.m[5]), T(a.m[6]), T(a.m[7]), T(a.m[8])}};
}

}  // namespace rattleback
