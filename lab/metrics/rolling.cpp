// Newton and Euler about the centre of mass, with the contact force eliminated: by v = - w x r where a body rolls, by
// the height of the ball where it slides.
#include "lab/metrics/rolling.h"

#include "math/symmetric3.h"

#include <cmath>
#include <limits>

namespace rattleback::lab
{

namespace
{

/// Rates of the two vectors that make up the state.
struct Rates
{
    Vec3 up, angular;
};

Symmetric3<double> inertia_of(const RollingEllipsoid& body)
{
    const Vec3 &d = body.diagonal, &p = body.products;
    return {{d.x, p.x, d.y, p.y, p.z, d.z}};
}

Vec3 scale(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

Rates find_rates(const RollingEllipsoid& body)
{
    const Vec3 squared = scale(body.radii, body.radii);
    const Vec3 &w = body.angular_velocity, &up = body.up;
    // A direction fixed in the world turns backwards in the body.
    const Vec3 up_rate = cross(up, w);
    // r = - D u / s with D = diag(radii^2), s = sqrt(u D u): the point whose outward normal is -u.
    const Vec3 weighted = scale(squared, up);
    const double s = std::sqrt(dot(weighted, up));
    const Vec3 r = (-1 / s) * weighted;
    const Vec3 r_rate = (-1 / s) * scale(squared, up_rate) + (dot(weighted, up_rate) / (s * s * s)) * weighted;
    // F = m (v' + w x v + g u) with v = - w x r, so v' = - w' x r - w x r'; I w' + w x I w = r x F. What has w' goes to
    // the left: (I + m (|r|^2 - r rT)) w' = - w x I w + m r x (- w x r' + w x v + g u).
    Symmetric3<double> matrix = inertia_of(body);
    const Vec3 moment = matrix * w;
    const Vec3 v = -cross(w, r);
    const Vec3 rest = cross(w, v) - cross(w, r_rate) + body.gravity * up;
    add_diagonal(matrix, body.mass * dot(r, r));
    add_outer(matrix, -body.mass, r);
    return {up_rate, Cholesky3<double>(matrix).solve(body.mass * cross(r, rest) - cross(w, moment))};
}

/// Rates of the three vectors of a sliding top.
struct TopRates
{
    Vec3 axis, moment, velocity;
};

TopRates find_rates(const SlidingTop& top)
{
    const double A = top.transverse, a = top.offset;
    const Vec3 up{0, 0, 1}, &e = top.axis, &L = top.moment;
    const Vec3 r = top.arm(), axis_rate = (1 / A) * cross(L, e);
    // Height of the centre of mass R - a e.z: its rate is the velocity's z.
    Vec3 slip = top.velocity + cross(top.angular_velocity(), r);
    slip.z = 0;
    const Vec3 pull = (-top.friction / std::sqrt(dot(slip, slip) + top.least_slip * top.least_slip)) * slip;
    // m z'' = N - m g and z'' = - a e''.z with e'' = (L' x e + L x e') / A, L' = N r x (up + pull): linear in N.
    const Vec3 direction = up + pull, torque = cross(r, direction);
    const double per_force = 1 + top.mass * a / A * cross(torque, e).z;
    const double normal = (top.mass * top.gravity - top.mass * a / A * cross(L, axis_rate).z) / per_force;
    return {axis_rate, normal * torque, (normal / top.mass) * pull};
}

}  // namespace

Vec3 RollingEllipsoid::arm() const
{
    const Vec3 weighted = scale(scale(radii, radii), up);
    return (-1 / std::sqrt(dot(weighted, up))) * weighted;
}

double RollingEllipsoid::energy() const
{
    const Vec3 r = arm(), v = cross(angular_velocity, r);
    const Vec3 moment = inertia_of(*this) * angular_velocity;
    return 0.5 * dot(angular_velocity, moment) + 0.5 * mass * dot(v, v) - mass * gravity * dot(r, up);
}

void RollingEllipsoid::advance(double duration, double dt)
{
    const int steps = static_cast<int>(std::ceil(duration / dt - 1e-9));
    const double h = duration / steps;
    for (int i = 0; i < steps; ++i)
    {
        // y' = y + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6
        constexpr double kNode[] = {0, 0.5, 0.5, 1}, kWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        Rates rate, sum;
        for (int k = 0; k < 4; ++k)
        {
            RollingEllipsoid stage = *this;
            stage.up += (h * kNode[k]) * rate.up;
            stage.angular_velocity += (h * kNode[k]) * rate.angular;
            rate = find_rates(stage);
            sum.up += kWeight[k] * rate.up;
            sum.angular += kWeight[k] * rate.angular;
        }
        up += h * sum.up;
        up = (1 / norm(up)) * up;
        angular_velocity += h * sum.angular;
    }
}

Vec3 SlidingTop::angular_velocity() const
{
    const double along = dot(moment, axis);
    return (1 / transverse) * (moment - along * axis) + (along / axial) * axis;
}

void SlidingTop::set_angular_velocity(const Vec3& angular)
{
    moment = transverse * angular + ((axial - transverse) * dot(angular, axis)) * axis;
}

double SlidingTop::energy() const
{
    // The centre of mass rises as the axis turns down.
    const double rise = -offset / transverse * cross(moment, axis).z;
    const double linear = velocity.x * velocity.x + velocity.y * velocity.y + rise * rise;
    return 0.5 * dot(moment, angular_velocity()) + 0.5 * mass * linear - mass * gravity * offset * axis.z;
}

void SlidingTop::advance(double duration, double dt)
{
    const int steps = static_cast<int>(std::ceil(duration / dt - 1e-9));
    const double h = duration / steps;
    for (int i = 0; i < steps; ++i)
    {
        constexpr double kNode[] = {0, 0.5, 0.5, 1}, kWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        TopRates rate, sum;
        for (int k = 0; k < 4; ++k)
        {
            SlidingTop stage = *this;
            stage.axis += (h * kNode[k]) * rate.axis;
            stage.moment += (h * kNode[k]) * rate.moment;
            stage.velocity += (h * kNode[k]) * rate.velocity;
            rate = find_rates(stage);
            sum.axis += kWeight[k] * rate.axis;
            sum.moment += kWeight[k] * rate.moment;
            sum.velocity += kWeight[k] * rate.velocity;
        }
        axis += h * sum.axis;
        axis = (1 / norm(axis)) * axis;
        moment += h * sum.moment;
        velocity += h * sum.velocity;
    }
}

TippeSpins find_tippe_spins(const SlidingTop& top)
{
    // n^2 > m g a (1 - s)^2 / C / (A/C - (1 - s)) upright, s = a/R; overhead n'^2 > m g a (1 + s)^2 / C / (1 + s - A/C)
    // with n' = n (1 - s) / (1 + s), by Jellett's integral.
    const double s = top.offset / top.radius, ratio = top.transverse / top.axial;
    const double fall = top.mass * top.gravity * top.offset / top.axial;
    const auto root = [](double above, double below)
    { return below > 0 ? std::sqrt(above / below) : std::numeric_limits<double>::infinity(); };
    const double leaves = root(fall * (1 - s) * (1 - s), ratio - (1 - s));
    const double overhead = root(fall * (1 + s) * (1 + s), 1 + s - ratio) * (1 + s) / (1 - s);
    return {leaves, std::max(leaves, overhead)};
}

}  // namespace rattleback::lab
