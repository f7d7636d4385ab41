// Sphere and ellipsoid: the sphere's centre against the ellipsoid, by one root of the secular equation.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

/// The nearest point x to y on an ellipsoid with radii e satisfies x_i = e_i^2 y_i / (t + e_i^2), see Eberly, "Distance
/// from a point to an ellipse, an ellipsoid, or a hyperellipsoid" (2013). With the smallest radius e and u = t/e^2 + 1
/// no difference is left that could cancel: |z(u)| = 1, z_i = k_i / (u + m_i), k_i = e_i y_i / e^2,
/// m_i = (e_i^2 - e^2) / e^2 >= 0.
struct Secular
{
    Vec3 k, m;

    Vec3 find_z(double u) const
    {
        Vec3 z;
        for (int i = 0; i < 3; ++i) z[i] = k[i] > 0 ? k[i] / (u + m[i]) : 0;
        return z;
    }
};

/// The largest root. 1 / |z(u)| grows, is concave and nearly straight (Moré and Sorensen 1983): Newton's method climbs
/// to the root from the left without passing it, and comes back from the right in one step.
double find_root(const Secular& equation)
{
    constexpr int kMaxIterations = 60;  // 5 to 8 are usual
    const Vec3& k = equation.k;
    const Vec3& m = equation.m;
    // The pole of the largest term bounds the root from below.
    double lowest = 0;
    // With m = 0 the term alone must not exceed 1.
    for (int i = 0; i < 3; ++i) lowest = m[i] == 0 ? std::max(lowest, k[i]) : lowest;
    double u = std::max({k.x - m.x, k.y - m.y, k.z - m.z, lowest});  // one term alone is 1 here
    for (int iteration = 0; iteration < kMaxIterations; ++iteration)
    {
        double square = 0, slope = 0;  // of z, and of |z|^2 / -2
        for (int i = 0; i < 3; ++i)
        {
            // Terms of zero do not count: their denominator may be zero too.
            if (!(k[i] > 0)) continue;
            const double inverse = 1 / (u + m[i]), z = k[i] * inverse;
            square += z * z;
            slope += z * z * inverse;
        }
        // Newton on 1 / |z| - 1, which is nearly linear.
        const double length = std::sqrt(square);
        const double next = std::max(u + (length - 1) * length * length / slope, lowest);
        if (next == u || (next < u && iteration > 0)) break;  // a start past the root is a matter of rounding
        u = next;
    }
    return u;
}

/// The nearest point as z_i = x_i / e_i >= 0, on the unit sphere.
Vec3 find_nearest_on_ball(const Secular& equation, int thin)
{
    // In the plane across the thin axis and near the middle there is no root above zero: the nearest points are the two
    // above and below.
    bool is_flat = equation.k[thin] == 0;
    for (int i = 0; i < 3; ++i) is_flat = is_flat && (equation.k[i] == 0 || equation.m[i] > 0);
    if (is_flat)
    {
        // At u = 0 all terms but the thin one are known, and that one makes up the rest.
        Vec3 z = equation.find_z(0);
        const double square = dot(z, z);
        if (square < 1)
        {
            z[thin] = std::sqrt(1 - square);
            return z;
        }
    }
    const Vec3 z = equation.find_z(find_root(equation));
    return (1 / norm(z)) * z;
}

}  // namespace

SurfacePoint find_nearest_on_ellipsoid(const Vec3& size, const Vec3& p)
{
    // The thinnest axis scales the equation: all m are positive or zero.
    const int thin = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
    const double e = size[thin];
    Secular equation;
    for (int i = 0; i < 3; ++i)
    {
        // Products of quotients: radii may differ by many orders of magnitude without overflow.
        // The first octant stands for all eight.
        const double k = (std::abs(p[i]) / e) * (size[i] / e);
        equation.k[i] = k > kShortest ? k : 0;
        equation.m[i] = ((size[i] - e) / e) * ((size[i] + e) / e);
    }

    Vec3 z = find_nearest_on_ball(equation, thin);
    SurfacePoint surface;
    Vec3 gradient;
    for (int i = 0; i < 3; ++i)
    {
        // By symmetry in the first octant; signs come back here.
        z[i] = with_sign(z[i], p[i]);
        surface.point[i] = size[i] * z[i];
        gradient[i] = z[i] * (e / size[i]);
    }
    // The gradient of sum (x / e)^2, scaled by the smallest radius.
    surface.normal = (1 / norm(gradient)) * gradient;
    // Along the normal: the sign is that of the side.
    surface.distance = dot(surface.normal, p - surface.point);
    return surface;
}

ShapeDistance find_sphere_ellipsoid(const PlacedShape& sphere, const PlacedShape& ellipsoid, double reach)
{
    const Vec3 p = to_local(ellipsoid, sphere.position);
    const double length = norm(p);
    // A ball of the largest radius answers for those that are far.
    const double lower = length - std::max({ellipsoid.size.x, ellipsoid.size.y, ellipsoid.size.z}) - sphere.size.x;
    if (lower > reach) return make_beyond(length, lower);
    return make_from_center(sphere, ellipsoid, find_nearest_on_ellipsoid(ellipsoid.size, p));
}

}  // namespace rattleback
