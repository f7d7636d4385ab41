// Newton and Euler about the centre of mass, with the contact force eliminated by v = - w x r.
#include "lab/metrics/rolling.h"

#include "math/symmetric3.h"

#include <cmath>

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

}  // namespace rattleback::lab
