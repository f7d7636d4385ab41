// Reads, writes and judges free joints, and adds up the forces on a group.
#include "solvers/particles/rigid_motion.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/free_joint.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

// The solvers move centres of mass; the State keeps origins of bodies, and angular velocity in body axes. All that lies
// between is here.

RigidMotion read_motion(const RigidGroup& group, const Vec3& center_B, const WorldView& world)
{
    // q holds the origin and the rotation of the root, v the velocity of the origin (world axes) and omega (body axes).
    const double* q = &world.q[at(group.q_begin)];
    const double* v = &world.v[at(group.v_begin)];
    RigidMotion motion;
    motion.rotation = normalized(Quat{q[3], q[4], q[5], q[6]});
    // Velocity of the centre of mass: that of the origin and omega x arm.
    const Vec3 arm = rotate(motion.rotation, center_B);
    motion.center = Vec3{q[0], q[1], q[2]} + arm;
    motion.angular_velocity = rotate(motion.rotation, Vec3{v[3], v[4], v[5]});
    motion.velocity = Vec3{v[0], v[1], v[2]} + cross(motion.angular_velocity, arm);
    return motion;
}

void EndCoordinates::start(const WorldView& world)
{
    // Coordinates of bodies that are not particles stay as they are.
    std::copy(world.q.begin(), world.q.end(), q_.begin());
    std::copy(world.v.begin(), world.v.end(), v_.begin());
}

bool EndCoordinates::set(const RigidGroup& group, const Vec3& center_B, const RigidMotion& motion, StepReport& report)
{
    // Back from the centre of mass to the origin of the root.
    const Vec3 arm = rotate(motion.rotation, center_B);
    const Pose pose{motion.center - arm, motion.rotation};
    const Velocity velocity{motion.velocity - cross(motion.angular_velocity, arm), motion.angular_velocity};
    write_free_joint(pose, velocity.linear, velocity.angular, &q_[at(group.q_begin)], &v_[at(group.v_begin)]);
    const bool sound = is_sound_body(pose, velocity);
    if (!sound) report_bad_body(group.body, pose.position, velocity, report);
    return sound;
}

void EndCoordinates::commit(const WorldView& world) const
{
    std::copy(q_.begin(), q_.end(), world.q.begin());
    std::copy(v_.begin(), v_.end(), world.v.begin());
}

Wrench find_wrench(const ParticleSet& set, int group, const ControlView& control, const RigidMotion& motion)
{
    const RigidGroup& g = set.groups[at(group)];
    Wrench sum;
    for (const int b : set.rigid.bodies_of(g.rigid))
    {
        // A force acts at the centre of mass of its own body, and turns the group by its arm from the group's centre.
        const Wrench& own = control.body_wrench[at(b)];
        sum.force += own.force;
        sum.torque += own.torque + cross(rotate(motion.rotation, set.arms[at(b)]), own.force);
    }
    // Joint forces act at the root's origin: the force brings a torque about the centre along.
    const double* f = &control.joint_force[at(g.v_begin)];
    const Vec3 force{f[0], f[1], f[2]};
    sum.force += force;
    // Torques of a free joint are in body axes; -center x force moves the force from the origin to the centre.
    sum.torque += rotate(motion.rotation,
                         Vec3{f[3], f[4], f[5]} - cross(g.solid.center, rotate(conjugate(motion.rotation), force)));
    return sum;
}

Symmetric3<double> rotate_inertia(const Mat3& inertia, const Quat& rotation, double extra)
{
    // R I R^T, of which the upper half is kept.
    const Mat3 i = turn_tensor(rotation, inertia);
    return {{i(0, 0) + extra, i(0, 1), i(1, 1) + extra, i(0, 2), i(1, 2), i(2, 2) + extra}};
}

}  // namespace rattleback::particles
