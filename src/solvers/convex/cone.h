// The elliptic friction cone in MuJoCo's soft form: three zones, force and Hessian of the middle one.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace rattleback::convex
{

inline constexpr int kMaxConeRows = 6;

/// Where the scaled residual u = (mu r_0, friction_j r_j) of a contact lies, N = u_0, T = |u_1..|.
enum class ConeZone : std::uint8_t
{
    apart,  ///< N >= mu T: no force
    stuck,  ///< mu N + T <= 0: every row is a spring
    conic,  ///< between: the force lies on the cone
};

inline ConeZone find_zone(double mu, double normal, double tangent)
{
    // u in the dual cone: the contact opens. u in the polar cone: every row pulls like a bilateral spring. Between them
    // the nearest point of the cone lies on its boundary.
    if (normal >= mu * tangent) return ConeZone::apart;
    return mu * normal + tangent <= 0 ? ConeZone::stuck : ConeZone::conic;
}

/// One contact of an island.
struct Cone
{
    int row = 0;        ///< first of its rows
    int dimension = 3;  ///< rows
    int block = 0;      ///< its block of J
    double mu = 0;
    double stiffness = 0;                      ///< D of the normal row
    std::array<double, kMaxConeRows> scale{};  ///< u_j = scale_j r_j: mu, then friction
    // D_m of the conic zone, from D of the normal row.
    double conic_stiffness() const { return stiffness / (mu * mu * (1 + mu * mu)); }
};

/// The scaled residual: normal part, length of the tangential part.
struct ConePoint
{
    std::array<double, kMaxConeRows> u{};
    double normal = 0;
    double tangent = 0;
};

inline ConePoint find_cone_point(const Cone& cone, const double* residual)
{
    ConePoint p;
    // u = (mu r_0, mu_1 r_1, ...): scaled like this the elliptic cone is round, and its slope is mu.
    double squares = 0;
    for (int j = 0; j < cone.dimension; ++j)
    {
        p.u[j] = cone.scale[j] * residual[j];
        if (j > 0) squares += p.u[j] * p.u[j];
    }
    p.normal = p.u[0];
    p.tangent = std::sqrt(squares);
    return p;
}

/// Force of the conic zone, -ds/dr for s = 1/2 D_m (N - mu T)^2; returns s.
inline double find_conic_force(const Cone& cone, const ConePoint& p, double* force)
{
    // s = D_m/2 (N - mu T)^2 with D_m = D_0 / (mu^2 (1 + mu^2)), the shadow that the cone casts ([MuJoCo], "Friction
    // cones"); f = - ds/dr by the chain rule through u.
    const double gap = p.normal - cone.mu * p.tangent, conic_force = -cone.conic_stiffness() * gap;
    // Friction rows divide by T, which is positive here: at T = 0 a contact is apart or stuck.
    force[0] = conic_force * cone.scale[0];
    for (int j = 1; j < cone.dimension; ++j)
    {
        force[j] = -conic_force * cone.mu * p.u[j] / p.tangent * cone.scale[j];
    }
    return -0.5 * conic_force * gap;
}

/// Hessian of the conic zone with respect to r, [dimension][kMaxConeRows]:
/// D_m (g gᵀ + (N - mu T) ddT) with g = (1, -mu t), t = u_tangent / T and -mu (I - t tᵀ) / T the second derivative.
inline void find_conic_hessian(const Cone& cone, const ConePoint& p, double* hessian)
{
    // Gauss-Newton part D_m g gᵀ, and the curvature of T = |u_1..|: the cone bends across the direction of slip alone.
    const double d = cone.conic_stiffness();
    const double bend = -d * (p.normal - cone.mu * p.tangent) * cone.mu / p.tangent;  // not negative
    std::array<double, kMaxConeRows> t{};
    for (int j = 1; j < cone.dimension; ++j) t[j] = p.u[j] / p.tangent;
    for (int i = 0; i < cone.dimension; ++i)
    {
        const double gi = i == 0 ? 1 : -cone.mu * t[i];
        for (int j = 0; j < cone.dimension; ++j)
        {
            const double gj = j == 0 ? 1 : -cone.mu * t[j];
            const double turn = i == 0 || j == 0 ? 0 : bend * ((i == j ? 1.0 : 0.0) - t[i] * t[j]);
            hessian[i * kMaxConeRows + j] = cone.scale[i] * cone.scale[j] * (d * gi * gj + turn);
        }
    }
}

}  // namespace rattleback::convex
