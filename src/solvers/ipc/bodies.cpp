// Targets, moves, inertia and velocities of groups.
#include "solvers/ipc/bodies.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "math/symmetric3.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

Symmetric3<double> to_symmetric(const Mat3& a) { return {{a.m[0], a.m[3], a.m[4], a.m[6], a.m[7], a.m[8]}}; }

/// w with R I Rᵀ w = momentum.
Vec3 find_spin(const Mat3& inertia, const Quat& rotation, const Vec3& momentum)
{
    const Vec3 own = rotate(conjugate(rotation), momentum);
    return rotate(rotation, Cholesky3<double>(to_symmetric(inertia)).solve(own));
}

Quat add_scaled(const Quat& a, double s, const Quat& b)
{
    return {a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/// The rotation of a free body after dt: R' = [I^-1 L] R by the classical method of Runge and Kutta, in substeps of a
/// twentieth of a radian, with L growing by the torque.
Quat turn_freely(const Mat3& inertia, const Quat& start, const Vec3& momentum, const Vec3& torque, double dt)
{
    // Substeps so short that the classical method is exact to 1e-9.
    const double angle = dt * norm(find_spin(inertia, start, momentum + dt * torque));
    constexpr int kMaxSubsteps = 1000;
    // Also where the angle is no number.
    const int count = angle < 0.05 * kMaxSubsteps ? static_cast<int>(angle / 0.05) + 1 : kMaxSubsteps;
    const double h = dt / count;
    Quat q = start;
    const auto find_rate = [&](const Quat& at_q, double time)
    {
        const Vec3 w = find_spin(inertia, at_q, momentum + time * torque);
        return Quat{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z} * at_q;
    };
    for (int i = 0; i < count; ++i)
    {
        const double time = i * h;
        const Quat a = find_rate(q, time), b = find_rate(add_scaled(q, 0.5 * h, a), time + 0.5 * h);
        const Quat c = find_rate(add_scaled(q, 0.5 * h, b), time + 0.5 * h);
        const Quat d = find_rate(add_scaled(q, h, c), time + h);
        q = add_scaled(add_scaled(add_scaled(add_scaled(q, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
        q = normalized(q);
    }
    return q;
}

/// Wrenches of the control on the bodies of the groups, and forces on free joints, about the groups' centres.
void load_wrenches(const Model& model, const Layout& layout, const StepInput& input, std::vector<Body>& bodies)
{
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Wrench& wrench = input.control.body_wrench[at(b)];
        if (wrench == Wrench{}) continue;
        const int g = layout.group_of_body[at(b)];
        Body& body = bodies[at(g)];
        // Wrenches act at the centre of the body; its arm from the centre of the group turns the force into a torque.
        const Vec3 center = (layout.in_group[at(b)] * model.bodies.inertial_pose[at(b)]).position;
        const Vec3 arm = body.start.matrix * (center - layout.groups[at(g)].center);
        body.external.force += wrench.force;
        body.external.torque += wrench.torque + cross(arm, wrench.force);
    }
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout.groups[g];
        if (!group.dynamic || group.q_begin < 0) continue;
        // Forces of a free joint act at the origin of the body's frame, torques in its own axes.
        const double* f = &input.control.joint_force[at(group.v_begin)];
        const Vec3 force{f[0], f[1], f[2]}, torque{f[3], f[4], f[5]};
        Body& body = bodies[g];
        body.external.force += force;
        body.external.torque += body.start.matrix * (torque)-cross(body.start.matrix * group.center, force);
    }
}

/// Torques of the control on ball joints: in the child's axes, on it and against its parent.
void load_ball_torques(const Layout& layout, const StepInput& input, std::vector<Body>& bodies)
{
    for (const BallLink& ball : layout.joints.balls)
    {
        if (ball.is_free) continue;
        const double* f = &input.control.joint_force[at(ball.v)];
        const Vec3 torque = bodies[at(ball.first)].start.matrix * Vec3{f[0], f[1], f[2]};
        bodies[at(ball.first)].external.torque += torque;
        bodies[at(ball.second)].external.torque -= torque;
    }
}

Vec3 axial(const Mat3& k) { return {k(2, 1) - k(1, 2), k(0, 2) - k(2, 0), k(1, 0) - k(0, 1)}; }

/// tr K - K, symmetric part: see add_inertia().
Mat3 find_turn_curvature(const Mat3& k)
{
    const double trace = k(0, 0) + k(1, 1) + k(2, 2);
    Mat3 curvature;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) curvature(i, j) = (i == j ? trace : 0) - 0.5 * (k(i, j) + k(j, i));
    }
    return curvature;
}

void add_angular(const Mat3& a, Block6& block)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) block[at(6 * (3 + i) + 3 + j)] += a(i, j);
    }
}

bool is_positive(const Symmetric3<double>& a, double least)
{
    // Leading minors (Sylvester), each against what rounding could make of zero.
    const double minor = a.m[0] * a.m[2] - a.m[1] * a.m[1];
    return a.m[0] > least && minor > least * a.m[0] && Adjugate3<double>(a).determinant > least * minor;
}

}  // namespace

Placement make_placement(const Vec3& center, const Quat& rotation) { return {center, rotation, to_matrix(rotation)}; }

void load_bodies(const Model& model, const Layout& layout, const StepInput& input, const ConstWorldView& world,
                 std::span<const KinematicMotion> motions, std::vector<Body>& bodies)
{
    const double dt = input.dt;
    const Vec3 gravity = input.parameters.find_gravity(model);
    bodies.assign(layout.groups.size(), {});
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout.groups[g];
        if (group.is_middle) continue;
        Body& body = bodies[g];
        const Pose& pose = world.body_pose[at(group.body)];
        const Quat rotation = make_unit(pose.rotation);
        // x_t: where the centre of mass and the rotation are.
        body.start = make_placement(pose.position + rotate(rotation, group.center), rotation);
        body.target = body.start;
        if (group.row < 0) continue;
        // Velocities of the world are those of the body's centre; the group's may be elsewhere.
        const Velocity& velocity = world.body_velocity[at(group.body)];
        const Vec3 shift = body.start.matrix * (group.center - model.bodies.inertial_pose[at(group.body)].position);
        body.velocity = velocity.linear + cross(velocity.angular, shift);
        body.angular = velocity.angular;
        // Beyond half a turn a logarithm would count the other way round.
        const Vec3 turned = dt * body.angular;
        if (dot(turned, turned) > 1) body.turned = turned;
    }
    // What acts from outside, about the groups' centres.
    place_middles(layout, world, bodies);
    load_wrenches(model, layout, input, bodies);
    load_ball_torques(layout, input, bodies);
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout.groups[g];
        Body& body = bodies[g];
        if (group.kinematic)
        {
            // Tracks: the target is where they lead, whatever acts.
            const Pose& end = motions[at(group.kinematic_index)].end;
            const Quat rotation = make_unit(end.rotation);
            body.target = make_placement(end.position + rotate(rotation, group.center), rotation);
            body.center_hold = body.turn_hold = 1;
            body.pull = {};
        }
        body.goal = body.target.matrix;
        if (!group.dynamic) continue;
        // q̃ = q + h v + h² (g + f / m) (Eq. 11); the rotation as a free body has it after h.
        const Vec3 acceleration = (1 - group.gravity_compensation) * gravity + (1 / group.mass) * body.external.force;
        const Vec3 momentum = turn_tensor(body.start.rotation, group.inertia) * body.angular;
        body.momentum = momentum + dt * body.external.torque;
        body.target =
            make_placement(body.start.center + dt * body.velocity + (dt * dt) * acceleration,
                           turn_freely(group.inertia, body.start.rotation, momentum, body.external.torque, dt));
        body.goal = body.target.matrix;
        body.free = {(1 / dt) * (body.target.center - body.start.center),
                     find_spin(group.inertia, body.target.rotation, body.momentum)};
    }
}

Placement move(const Placement& from, const Vector6& d, double alpha)
{
    const Vec3 shift{d[0], d[1], d[2]}, turn{d[3], d[4], d[5]};
    return make_placement(from.center + alpha * shift, normalized(exponential(alpha * turn) * from.rotation));
}

Vector6 find_rest(const Placement& now, const Placement& target)
{
    const Vec3 shift = target.center - now.center, turn = logarithm(target.rotation * conjugate(now.rotation));
    return {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
}

double find_reach(const Group& group, const Vector6& d)
{
    return norm(Vec3{d[0], d[1], d[2]}) + norm(Vec3{d[3], d[4], d[5]}) * group.radius;
}

double find_surface_reach(const Group& group, const Vector6& d)
{
    return norm(Vec3{d[0], d[1], d[2]}) + norm(Vec3{d[3], d[4], d[5]}) * (group.radius + group.round);
}

double find_inertia_value(const Group& group, const Body& body, const Placement& now)
{
    const Vec3 away = now.center - (body.target.center + body.pull);
    Mat3 turned = now.matrix;
    for (int i = 0; i < 9; ++i) turned.m[i] -= body.goal.m[i];
    // tr(D J Dᵀ) with D = R - Q̃: no digits are lost near the target.
    const Mat3 weighted = turned * group.moment;
    double trace = 0;
    for (int i = 0; i < 9; ++i) trace += weighted.m[i] * turned.m[i];
    return 0.5 * body.center_hold * group.mass * dot(away, away) + 0.5 * body.turn_hold * trace;
}

void add_inertia(const Group& group, const Body& body, const Placement& now, Vector6& gradient, Block6& hessian)
{
    const Vec3 away = now.center - (body.target.center + body.pull);
    // With K = R J Q̃ᵀ: turning R by exp(e) changes -tr(K) by axial(K) . e + e . (tr K - K) e / 2.
    const Mat3 k = now.matrix * group.moment * transpose(body.goal);
    const Vec3 torque = axial(k);
    const double mass = body.center_hold * group.mass;
    for (int i = 0; i < 3; ++i)
    {
        gradient[at(i)] += mass * away[i];
        gradient[at(3 + i)] += body.turn_hold * torque[i];
        hessian[at(7 * i)] += mass;
    }
    Mat3 curvature = find_turn_curvature(k);
    const double size = group.inertia(0, 0) + group.inertia(1, 1) + group.inertia(2, 2);
    if (!is_positive(to_symmetric(curvature), 1e-10 * size)) curvature = turn_tensor(now.rotation, group.inertia);
    for (double& entry : curvature.m) entry *= body.turn_hold;
    add_angular(curvature, hessian);
}

void add_inertia_exact(const Group& group, const Body& body, const Placement& now, Block6& hessian)
{
    for (int i = 0; i < 3; ++i) hessian[at(7 * i)] += body.center_hold * group.mass;
    Mat3 curvature = find_turn_curvature(now.matrix * group.moment * transpose(body.goal));
    for (double& entry : curvature.m) entry *= body.turn_hold;
    add_angular(curvature, hessian);
}

Vec3 find_turn_beyond(const Body& body, const Placement& now)
{
    const Quat from = exponential(body.turned) * body.start.rotation;
    return logarithm(now.rotation * conjugate(from));
}

Vec3 find_step_turn(const Body& body, const Placement& now) { return body.turned + find_turn_beyond(body, now); }

Velocity find_velocity(const Group& group, const Body& body, const Placement& now, double dt)
{
    // The centre by its chord; angular momentum of the target, changed by the turn away from it.
    const Vec3 linear = (1 / dt) * (now.center - body.start.center);
    const Vec3 turn = logarithm(now.rotation * conjugate(body.target.rotation));
    const Vec3 momentum = body.momentum + (1 / dt) * (turn_tensor(body.target.rotation, group.inertia) * turn);
    return {linear, find_spin(group.inertia, now.rotation, momentum)};
}

}  // namespace rattleback::ipc
