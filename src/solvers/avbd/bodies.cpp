// Loading, predicting and finishing the motion of parts.
#include "solvers/avbd/bodies.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

Mat3 skew(const Vec3& v) { return {{0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0}}; }

/// Solves a small general system by elimination with the largest pivot of each column.
Vec3 solve_general(Mat3 a, Vec3 b)
{
    for (int k = 0; k < 3; ++k)
    {
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
    for (int k = 2; k >= 0; --k)
    {
        for (int j = k + 1; j < 3; ++j) b[k] -= a(k, j) * b[j];
        b[k] /= a(k, k);
    }
    return b;
}

/// How much of its outer acceleration the body showed in its last step, 0..1, squared: falling bodies keep all of it,
/// and the trembling of a pile does not feed on itself (with the plain share 1,240 boxes shake for ever at four
/// sweeps).
double find_share(const Body& body, const Vec3& acceleration, double dt)
{
    const double squared = dot(acceleration, acceleration);
    if (!body.has_previous || squared == 0) return 1;
    const Vec3 change = body.velocity.linear - body.previous;
    const double share = std::clamp(dot(change, acceleration) / (dt * squared), 0.0, 1.0);
    return share * share;
}

}  // namespace

Vec3 spin_freely(const Mat3& inertia, const Vec3& angular, const Vec3& torque, double dt)
{
    // I w = exp(-h w) L, since a turn about w leaves w alone; the derivative of the residual by w is I - h [I w].
    constexpr double kRounding = 1e-31;  // square of the relative error
    const Vec3 momentum = inertia * angular + dt * torque;
    Vec3 w = angular;
    for (int iteration = 0; iteration < 4; ++iteration)
    {
        const Quat turned = exponential(dt * w);
        const Vec3 own = inertia * w;
        const Vec3 residual = rotate(conjugate(turned), momentum) - own;
        if (dot(residual, residual) <= kRounding * dot(momentum, momentum)) break;
        Mat3 slope = skew(-dt * own);
        for (int i = 0; i < 9; ++i) slope.m[i] += inertia.m[i];
        w += solve_general(slope, residual);
    }
    return w;
}

void load_bodies(const Layout& layout, const WorldView& world, Piece parts, std::vector<Body>& bodies)
{
    const Bodies& model = layout.model->bodies;
    for (std::size_t p = at(parts.begin); p < at(parts.end); ++p)
    {
        const Part& part = layout.parts[p];
        Body& body = bodies[p];
        const Pose& pose = world.body_pose[at(part.body)];
        const Velocity& velocity = world.body_velocity[at(part.body)];
        body.rotation = body.turned = normalized(pose.rotation);
        body.center = pose.position + rotate(body.rotation, part.center);
        const Vec3 shift = rotate(body.rotation, part.center - model.inertial_pose[at(part.body)].position);
        body.velocity = {velocity.linear + cross(velocity.angular, shift), velocity.angular};
        body.mass = part.mass;
        body.moved = body.target = {};
    }
}

void predict(const Layout& layout, const OuterForces& outer, double dt, bool full, Piece parts,
             std::vector<Body>& bodies)
{
    for (std::size_t p = at(parts.begin); p < at(parts.end); ++p)
    {
        const Part& part = layout.parts[p];
        if (!part.dynamic) continue;
        Body& body = bodies[p];
        const Mat3 axes = to_matrix(body.rotation);
        body.inertia = axes * part.inertia * transpose(axes);
        const Vec3 acceleration = (1 - part.lifted) * layout.model->settings.gravity + (1 / part.mass) * outer[p].force;
        const Vec3 spin = spin_freely(body.inertia, body.velocity.angular, outer[p].torque, dt);
        body.target = {dt * body.velocity.linear + (dt * dt) * acceleration, dt * spin};
        // what the torque adds is exact: its own target may lie beyond the series when others hold the body back
        const bool pushed = dot(outer[p].torque, outer[p].torque) > 0;
        const Vec3 coasting = pushed ? spin_freely(body.inertia, body.velocity.angular, {}, dt) : spin;
        body.momentum = spin_momentum(to_symmetric(body.inertia), dt * coasting) + (dt * dt) * outer[p].torque;
        const double share = full ? 1 : find_share(body, acceleration, dt);
        // a torque is left to the first sweep: it may be one that the joints hold, and turn a light body far
        const bool tied = layout.blocks[at(part.block)].tree;
        const Vec3& turn = full || (!body.has_previous && !tied) ? spin : coasting;
        body.moved = {dt * body.velocity.linear + (dt * dt * share) * acceleration, dt * turn};
        body.turned = exponential(body.moved.angular) * body.rotation;
    }
}

void finish_velocities(double dt, Piece parts, std::vector<Body>& bodies)
{
    for (std::size_t p = at(parts.begin); p < at(parts.end); ++p)
    {
        Body& body = bodies[p];
        body.previous = body.velocity.linear;
        body.has_previous = true;
        body.velocity = {(1 / dt) * body.moved.linear, (1 / dt) * body.moved.angular};
    }
}

void commit_poses(Piece parts, std::vector<Body>& bodies)
{
    for (std::size_t p = at(parts.begin); p < at(parts.end); ++p)
    {
        Body& body = bodies[p];
        body.center += body.moved.linear;
        body.rotation = normalized(exponential(body.moved.angular) * body.rotation);
        body.turned = body.rotation;
        body.moved = {};
    }
}

}  // namespace rattleback::avbd
