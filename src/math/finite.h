// Whether all numbers of a vector, a rotation or a pose are finite.
#pragma once

#include <rattleback/math.h>

namespace rattleback
{

inline bool is_finite(double x) { return std::isfinite(x); }
inline bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
inline bool is_finite(const Quat& q)
{
    return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
inline bool is_finite(const Pose& pose) { return is_finite(pose.position) && is_finite(pose.rotation); }
inline bool is_finite(const Velocity& v) { return is_finite(v.linear) && is_finite(v.angular); }
inline bool is_finite(const Wrench& w) { return is_finite(w.force) && is_finite(w.torque); }

}  // namespace rattleback
