// Reads, writes and judges free joints, and adds up the forces on a group.
#include "solvers/particles/rigid_motion.h"

#include "base/index.h"
#include "solvers/shared/divergence.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

RigidMotion read_motion(const RigidGroup& group, const Vec3& center_B, const WorldView& world)
{
    // q holds the origin and the rotation of the root, v the velocity of the origin (world axes) and omega (body axes).
    const double* q = &world.q[at(group.q_begin)];
    const double* v = &world.v[at(group.v_begin)];
    RigidMotion motion;
    motion.rotation = normalized(Quat{q[3], q[4], q[5], q[6]});
    const Vec3 arm = rotate(motion.rotation, center_B);
    motion.center = Vec3{q[0], q[1], q[2]} + arm;
    motion.angular_velocity = rotate(motion.rotation, Vec3{v[3], v[4], v[5]});
    motion.velocity = Vec3{v[0], v[1], v[2]} + cross(motion.angular_velocity, arm);
    return motion;
}

void write_motion(const RigidGroup& group, const Vec3& center_B, const RigidMotion& motion, std::vector<double>& q,
                  std::vector<double>& v)
{
    // Back from the centre of mass to the origin of the root.
    const Vec3 arm = rotate(motion.rotation, center_B);
    const Vec3 position = motion.center - arm;
    const Vec3 velocity = motion.velocity - cross(motion.angular_velocity, arm);
    const Vec3 spin_B = rotate(conjugate(motion.rotation), motion.angular_velocity);
    const Quat& r = motion.rotation;
    const std::array coordinates{position.x, position.y, position.z, r.w, r.x, r.y, r.z};
    const std::array velocities{velocity.x, velocity.y, velocity.z, spin_B.x, spin_B.y, spin_B.z};
    std::copy(coordinates.begin(), coordinates.end(), q.begin() + group.q_begin);
    std::copy(velocities.begin(), velocities.end(), v.begin() + group.v_begin);
}

bool check_motion(const RigidGroup& group, const std::vector<double>& q, const std::vector<double>& v,
                  StepReport& report)
{
    const double* x = &q[at(group.q_begin)];
    const double* u = &v[at(group.v_begin)];
    const Vec3 position{x[0], x[1], x[2]};
    const Velocity velocity{{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};

    // Zero times a number is zero unless it is infinite or NaN: the sum tells of any of them.
    double sum = norm(Quat{x[3], x[4], x[5], x[6]}) - 1;
    for (int k = 0; k < 3; ++k) sum += 0 * x[k];
    for (int k = 0; k < 6; ++k) sum += 0 * u[k];
    const bool sound = std::abs(sum) < 1e-6 && is_sound_speed(norm(velocity.linear)) &&
                       is_sound_speed(norm(velocity.angular)) && is_sound_distance(norm(position));
    if (!sound) report_bad_body(group.body, position, velocity, report);
    return sound;
}

Wrench find_wrench(const ParticleSet& set, int group, const ControlView& control, const RigidMotion& motion)
{
    const RigidGroup& g = set.groups[at(group)];
    // Forces on bodies count as acting at the centre of the group, which is exact where the group is one body.
    Wrench sum;
    for (std::size_t b = at(g.body); b < set.group_of_body.size(); ++b)
    {
        if (set.group_of_body[b] != group) continue;
        sum.force += control.body_wrench[b].force;
        sum.torque += control.body_wrench[b].torque;
    }
    // Joint forces act at the root's origin: the force brings a torque about the centre along.
    const double* f = &control.joint_force[at(g.v_begin)];
    const Vec3 force{f[0], f[1], f[2]};
    sum.force += force;
    sum.torque += rotate(motion.rotation,
                         Vec3{f[3], f[4], f[5]} - cross(g.solid.center, rotate(conjugate(motion.rotation), force)));
    return sum;
}

Symmetric3<double> rotate_inertia(const Mat3& inertia, const Quat& rotation, double extra)
{
    // R I R^T, of which the upper half is kept.
    const Mat3 r = to_matrix(rotation);
    const Mat3 i = r * inertia * transpose(r);
    return {{i(0, 0) + extra, i(0, 1), i(1, 1) + extra, i(0, 2), i(1, 2), i(2, 2) + extra}};
}

}  // namespace rattleback::particles
