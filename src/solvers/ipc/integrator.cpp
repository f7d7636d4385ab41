// Targets and velocities of implicit Euler on matrices, BDF2 and Newmark's method.
#include "solvers/ipc/integrator.h"

#include "base/index.h"
#include "math/matrix3.h"
#include "math/rotation.h"
#include "math/symmetric3.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

Mat3 add_matrices(const Mat3& a, double s, const Mat3& b)
{
    Mat3 sum = a;
    for (int i = 0; i < 9; ++i) sum.m[i] += s * b.m[i];
    return sum;
}

/// With K = Q' J Rᵀ: its angular momentum. With K = R J Q̃ᵀ: the turn away from a target.
Vec3 find_axial(const Mat3& k) { return {k(2, 1) - k(1, 2), k(0, 2) - k(2, 0), k(1, 0) - k(0, 1)}; }

Vec3 solve_inertia(const Group& group, const Quat& rotation, const Vec3& momentum)
{
    const Vec3 own = rotate(conjugate(rotation), momentum);
    const Mat3& i = group.inertia;
    const Symmetric3<double> inertia{{i.m[0], i.m[3], i.m[4], i.m[6], i.m[7], i.m[8]}};
    return rotate(rotation, Cholesky3<double>(inertia).solve(own));
}

/// The rotation nearest to a matrix in the metric J: maximises tr(R J Q̃ᵀ), by Newton's method from `start`.
Quat find_nearest_rotation(const Group& group, const Mat3& goal, const Quat& start)
{
    constexpr int kMaxIterations = 50;
    Quat rotation = start;
    for (int i = 0; i < kMaxIterations; ++i)
    {
        const Mat3 k = to_matrix(rotation) * group.moment * transpose(goal);
        const double trace = k(0, 0) + k(1, 1) + k(2, 2);
        const auto mean = [&](int r, int c) { return -0.5 * (k(r, c) + k(c, r)); };
        const Symmetric3<double> curvature{
            {trace + mean(0, 0), mean(1, 0), trace + mean(1, 1), mean(2, 0), mean(2, 1), trace + mean(2, 2)}};
        const Vec3 turn = Cholesky3<double>(curvature).solve(-find_axial(k));
        if (!(norm(turn) < 1)) return start;  // a goal that is far from all rotations: no step was ever so long
        rotation = normalized(exponential(turn) * rotation);
        if (norm(turn) < 1e-15) break;
    }
    return rotation;
}

/// Q'' of a body that turns at w with torque on it: ([w'] + [w]^2) Q, I w' = torque - w x I w.
Mat3 find_turning_acceleration(const Group& group, const Body& body, const Vec3& torque)
{
    const Vec3& w = body.angular;
    const Vec3 momentum = turn_tensor(body.start.rotation, group.inertia) * w;
    const Vec3 rate = solve_inertia(group, body.start.rotation, torque - cross(w, momentum));
    return add_matrices(skew(rate), 1, skew(w) * skew(w)) * body.start.matrix;
}

bool fits(const History& history, double dt, const Layout& layout, std::span<const Body> bodies)
{
    if (history.past.size() != bodies.size() || history.dt != dt) return false;
    // To rounding: velocities are written at the bodies' own centres.
    const auto is_kicked = [](const Vec3& left, const Vec3& now)
    { return norm(now - left) > 1e-12 * (1 + norm(left)); };
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Velocity& left = history.past[g].left;
        if (layout.groups[g].dynamic &&
            (is_kicked(left.linear, bodies[g].velocity) || is_kicked(left.angular, bodies[g].angular)))
            return false;
    }
    return true;
}

/// Positions, velocities and accelerations that a target is made of, of a centre or of a matrix.
template <class T, class Add>
T find_target(Scheme scheme, double h, const T& x, const T& v, const T& before, const T& before_v, const T& push,
              const T& own, const Add& add)
{
    // `own`: what acts at the end whatever happens; `push`: what acts now.
    if (scheme == Scheme::newmark) return add(add(add(x, h, v), 0.25 * h * h, push), 0.25 * h * h, own);
    if (scheme == Scheme::bdf2)
    {
        const double e = 2 * h / 3;
        const T mean = add(add(x, 1.0 / 3, x), -1.0 / 3, before), rate = add(add(v, 1.0 / 3, v), -1.0 / 3, before_v);
        return add(add(mean, e, rate), e * e, own);
    }
    return add(add(x, h, v), h * h, own);
}

}  // namespace

double set_targets(Scheme scheme, const Layout& layout, double dt, const Vec3& gravity, const History& history,
                   std::span<Body> bodies)
{
    if (scheme == Scheme::euler) return dt;
    const bool is_known = fits(history, dt, layout, bodies);
    if (scheme == Scheme::bdf2 && !is_known) scheme = Scheme::printed;
    const auto add_vectors = [](const Vec3& a, double s, const Vec3& b) { return a + s * b; };
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const Group& group = layout.groups[g];
        if (!group.dynamic) continue;
        Body& body = bodies[g];
        const Past past = is_known ? history.past[g] : Past{};
        const Vec3 own = (1 - group.gravity_compensation) * gravity + (1 / group.mass) * body.external.force;
        const Vec3 center = find_target(scheme, dt, body.start.center, body.velocity, past.center, past.velocity, own,
                                        own, add_vectors);
        // The matrix of a torque: [w'] Q with I w' = torque (Eq. 11).
        const Vec3 turning = solve_inertia(group, body.start.rotation, body.external.torque);
        const Mat3 rate = is_known ? past.next_rate : skew(body.angular) * body.start.matrix;
        body.rate = rate;
        body.goal = find_target(scheme, dt, body.start.matrix, rate, past.matrix, past.rate,
                                find_turning_acceleration(group, body, body.external.torque),
                                skew(turning) * body.start.matrix, add_matrices);
        // Newton's method for the nearest rotation starts where the free body goes.
        body.target = make_placement(center, find_nearest_rotation(group, body.goal, body.target.rotation));
        body.before_center = past.center;
        body.before_matrix = past.matrix;
    }
    return scheme == Scheme::newmark ? std::sqrt(0.5) * dt : scheme == Scheme::bdf2 ? 2 * dt / 3 : dt;
}

Velocity find_scheme_velocity(Scheme scheme, const Group& group, const Body& body, const Placement& now, double dt,
                              double step, Past& past)
{
    const Vec3 way = now.center - body.start.center;
    const Mat3 turn = add_matrices(now.matrix, -1, body.start.matrix);
    Vec3 velocity = (1 / dt) * way;
    Mat3 rate = add_matrices({}, 1 / dt, turn);
    if (scheme == Scheme::newmark)
    {
        velocity = (2 / dt) * way - body.velocity;
        rate = add_matrices(add_matrices({}, 2 / dt, turn), -1, body.rate);
    }
    if (scheme == Scheme::bdf2 && step < dt)
    {
        // (x' - (4 x - x₋) / 3) 3 / (2 h) = (3 (x' - x) - (x - x₋)) / (2 h)
        velocity = (0.5 / dt) * (3.0 * way - (body.start.center - body.before_center));
        rate = add_matrices(add_matrices({}, 1.5 / dt, turn), -0.5 / dt,
                            add_matrices(body.start.matrix, -1, body.before_matrix));
    }
    const Vec3 spin = solve_inertia(group, now.rotation, find_axial(rate * group.moment * transpose(now.matrix)));
    past.center = body.start.center;
    past.velocity = body.velocity;
    past.matrix = body.start.matrix;
    past.rate = body.rate;
    // Newmark's method would keep what leaves the rotations for ever, with changing sign: its rate stays one of them.
    past.next_rate = scheme == Scheme::newmark ? skew(spin) * now.matrix : rate;
    past.left = {velocity, spin};
    return past.left;
}

}  // namespace rattleback::ipc
