// Free joints: the coordinates of a body that floats, from its pose and velocity.
#pragma once

#include <rattleback/math.h>

namespace rattleback
{

/// q[7]: position and rotation of the body's frame; v[6]: velocity of its origin in world axes (`velocity`), angular
/// velocity in body axes (`angular_velocity` is in world axes).
inline void write_free_joint(const Pose& pose, const Vec3& velocity, const Vec3& angular_velocity, double* q, double* v)
{
    // MuJoCo's convention for free joints: translation in the world, rotation in the body.
    const Vec3 spin = rotate(conjugate(pose.rotation), angular_velocity);
    for (int i = 0; i < 3; ++i)
    {
        q[i] = pose.position[i];
        v[i] = velocity[i];
        v[3 + i] = spin[i];
    }
    q[3] = pose.rotation.w;
    q[4] = pose.rotation.x;
    q[5] = pose.rotation.y;
    q[6] = pose.rotation.z;
}

}  // namespace rattleback
