// Loading, predicting and finishing the motion of rigid groups.
#include "solvers/avbd/bodies.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

/// Solves a small general system by elimination with the largest pivot of each column.
Vec3 solve_general(Mat3 a, Vec3 b)
{
    // forward, with row exchanges
    for (int k = 0; k < 3; ++k)
    {
        // The matrix I - h [I w] is not symmetric: the largest entry of the column is the pivot.
        int pivot = k;
        for (int i = k + 1; i < 3; ++i)
        {
            if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
        }
        for (int j = 0; j < 3; ++j) std::swap(a(k, j), a(pivot, j));
        std::swap(b[k], b[pivot]);
        for (int i = k + 1; i < 3; ++i)
        {
            const double factor = a(i, k) / a(k, k);
            for (int j = k; j < 3; ++j) a(i, j) -= factor * a(k, j);
            b[i] -= factor * b[k];
        }
    }
    // backward
    for (int k = 2; k >= 0; --k)
    {
        for (int j = k + 1; j < 3; ++j) b[k] -= a(k, j) * b[j];
        b[k] /= a(k, k);
    }
    return b;
}

/// How much of its external acceleration the body showed in its last step, 0..1, squared: falling bodies keep all of
/// it, and the trembling of a pile does not feed on itself (with the plain share 1,240 boxes shake for ever at four
/// sweeps).
double find_share(const Body& body, const Vec3& acceleration, double dt)
{
    // w = (dv . a) / (h a . a) of [VBD]
    const double squared = dot(acceleration, acceleration);
    if (!body.has_previous || squared == 0) return 1;
    // v_t - v_(t-1) along a, as a fraction of what a alone would have given; the clamp of [VBD] keeps it between none
    // and all
    const Vec3 change = body.velocity.linear - body.previous;
    const double share = std::clamp(dot(change, acceleration) / (dt * squared), 0.0, 1.0);
    return share * share;
}

}  // namespace

Vec3 spin_freely(const Mat3& inertia, const Vec3& angular, const Vec3& impulse, double dt, double pivot)
{
    // Newton's method on I w = exp(-p h w) L, since a turn about w leaves w alone; the derivative of the residual by w
    // is I - p h [I w].
    constexpr double kRounding = 1e-31;  // square of the relative error
    // L at the end of the step, world axes: without a torque it stays, whatever the shape of the body.
    const Vec3 momentum = inertia * angular + impulse;
    const double lead = pivot * dt;
    Vec3 w = angular;
    for (int iteration = 0; iteration < 4; ++iteration)
    {
        const Quat turned = exponential(lead * w);
        // L turned back by the turn itself, against I w in the axes of the start
        const Vec3 own = inertia * w;
        const Vec3 residual = rotate(conjugate(turned), momentum) - own;
        if (dot(residual, residual) <= kRounding * dot(momentum, momentum)) break;
        Mat3 slope = skew(-lead * own);
        for (int i = 0; i < 9; ++i) slope.m[i] += inertia.m[i];
        w += solve_general(slope, residual);
    }
    return w;
}

void load_bodies(const Layout& layout, const WorldView& world, Piece groups, std::vector<Body>& bodies)
{
    const Bodies& model = layout.model->bodies;
    for (std::size_t g = at(groups.begin); g < at(groups.end); ++g)
    {
        const RigidGroup& group = layout.groups[g];
        Body& body = bodies[g];
        const Pose& pose = world.body_pose[at(group.body)];
        const Velocity& velocity = world.body_velocity[at(group.body)];
        // x_t and v_t of the group's centre of mass, from those of its topmost body
        body.rotation = body.rotation_now = normalized(pose.rotation);
        body.center = pose.position + rotate(body.rotation, group.center);
        const Vec3 shift = rotate(body.rotation, group.center - model.inertial_pose[at(group.body)].position);
        body.velocity = {velocity.linear + cross(velocity.angular, shift), velocity.angular};
        body.mass = group.mass;
        body.delta = body.target = {};
    }
}

void predict(const Layout& layout, const Vec3& gravity, std::span<const Wrench> external, double dt, FirstGuess guess,
             Piece groups, std::vector<Body>& bodies)
{
    for (std::size_t g = at(groups.begin); g < at(groups.end); ++g)
    {
        const RigidGroup& group = layout.groups[g];
        if (!group.dynamic) continue;
        Body& body = bodies[g];
        // I_world = R I Rᵀ at x_t
        body.inertia = turn_tensor(body.rotation, group.inertia);
        // y = x_t + h v_t + h^2 a_ext ([AVBD] Eq. 2); for the rotation the step that keeps angular momentum
        const Vec3 acceleration = (1 - group.gravity_compensation) * gravity + (1 / group.mass) * external[g].force;
        // the part of external impulses that acts before the increments
        const double early = body.free || body.swings ? 0.5 * dt : dt;
        const Vec3 impulse = early * external[g].torque;
        const Vec3 spin = spin_freely(body.inertia, body.velocity.angular, impulse, dt, body.pivot);
        body.target = {dt * body.velocity.linear + (dt * early) * acceleration, dt * spin};
        body.late = {};
        if (body.free) body.late = {(0.5 * dt) * acceleration, impulse};
        // what the torque adds is exact: its own target may lie beyond the series when others hold the body back
        const bool pushed = dot(external[g].torque, external[g].torque) > 0;
        const Vec3 coasting = pushed ? spin_freely(body.inertia, body.velocity.angular, {}, dt, body.pivot) : spin;
        body.momentum =
            spin_momentum(to_symmetric(body.inertia), dt * coasting, body.pivot) + (dt * early) * external[g].torque;
        // x at first ([VBD], adaptive initialisation); a torque is left to the first sweep: it may be one that the
        // joints hold, and turn a light body far
        const bool tied = layout.blocks[at(group.block)].tree;
        const Vec3& turn = !body.has_previous && !tied ? spin : coasting;
        const double share = find_share(body, acceleration, dt);
        body.delta = {dt * body.velocity.linear + (dt * dt * share) * acceleration, dt * turn};
        if (guess == FirstGuess::target || body.free) body.delta = body.target;
        body.rotation_now = exponential(body.delta.angular) * body.rotation;
    }
}

Vec3 find_spin(const RigidGroup& group, const Body& body, const Vec3& momentum)
{
    const Quat end = exponential(body.delta.angular) * body.rotation;
    const Cholesky3<double> inertia(to_symmetric(group.inertia));
    return rotate(end, inertia.solve(rotate(conjugate(end), momentum)));
}

/// Of a body whose angular momentum was that of the increments at the pivot: no torque acts from there to the end but
/// what comes late.
Vec3 finish_spin(const RigidGroup& group, const Body& body, double dt)
{
    // L = exp(p u) I u / h in world axes; I w = L at the end
    const Vec3& u = body.delta.angular;
    const Vec3 momentum = rotate(exponential(body.pivot * u), (1 / dt) * (body.inertia * u)) + body.late.angular;
    return find_spin(group, body, momentum);
}

/// Of a body whose increments are those of the mean of two velocities: the forces of the first half of the step act
/// once more in its second half, v' = 2 (x - x_t) / h - v, and so for the angular momentum.
Velocity mirror_velocity(const RigidGroup& group, const Body& body, double dt)
{
    const Vec3& u = body.delta.angular;
    // L = exp(u / 2) I u / h in the middle: half way between those of the two ends
    const Vec3 middle = rotate(exponential(body.pivot * u), (1 / dt) * (body.inertia * u));
    const Vec3 momentum = 2.0 * middle - body.inertia * body.velocity.angular;
    return {(2 / dt) * body.delta.linear - body.velocity.linear, find_spin(group, body, momentum)};
}

void finish_velocities(const Layout& layout, double dt, Piece groups, std::vector<Body>& bodies)
{
    for (std::size_t g = at(groups.begin); g < at(groups.end); ++g)
    {
        Body& body = bodies[g];
        // Kept for the first guess of the next step, which looks at how much of gravity the body has felt.
        body.previous = body.velocity.linear;
        body.has_previous = true;
        if (body.swings)
        {
            body.velocity = mirror_velocity(layout.groups[g], body, dt);
            continue;
        }
        // v = (x - x_t) / h (BDF1; [VBD-R], "Pose Update and Velocity Recovery")
        body.velocity = {(1 / dt) * body.delta.linear, (1 / dt) * body.delta.angular};
        if (body.pivot == 1) continue;
        body.velocity.linear += body.late.linear;
        body.velocity.angular = finish_spin(layout.groups[g], body, dt);
    }
}

void commit_poses(Piece groups, std::vector<Body>& bodies)
{
    for (std::size_t g = at(groups.begin); g < at(groups.end); ++g)
    {
        Body& body = bodies[g];
        // R <- exp(delta) R ([VBD-R], "Pose Increments as DoFs")
        body.center += body.delta.linear;
        body.rotation = normalized(exponential(body.delta.angular) * body.rotation);
        body.rotation_now = body.rotation;
        body.delta = {};
    }
}

}  // namespace rattleback::avbd
