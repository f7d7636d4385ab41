// Weights that give spheres the exact mass, centre and inertia of a solid.
#include "geometry/packing/packing.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

// Ten moments (mass, centre, inertia) are linear in the masses of the spheres. Of all masses that have them, those
// nearest to the given shares are shares times a quadratic polynomial of the position: ten coefficients, one linear
// system.

constexpr std::size_t kMoments = 10;  // 1, x, y, z, xx, yy, zz, xy, xz, yz
using Moments = std::array<double, kMoments>;

Moments monomials(const Vec3& p)
{
    return {1, p.x, p.y, p.z, p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
}

/// The moments that a solid has about its own centre, coordinates in units of `scale`.
Moments wanted_moments(const MassProperties& wanted, double scale)
{
    // Second moments of a solid from its inertia: sum of m x^2 = tr(I) / 2 - I_x, sum of m x y = - I_xy.
    const double half_trace = 0.5 * (wanted.inertia(0, 0) + wanted.inertia(1, 1) + wanted.inertia(2, 2));
    const double s = 1 / (scale * scale);
    Moments moments{wanted.mass, 0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k)
        // Mean squares and products: what the spheres as points must have.
        moments[4 + k] = s * (half_trace - wanted.inertia(static_cast<int>(k), static_cast<int>(k)));
    moments[7] = -s * wanted.inertia(0, 1);
    moments[8] = -s * wanted.inertia(0, 2);
    moments[9] = -s * wanted.inertia(1, 2);
    return moments;
}

/// Solves G x = b for a symmetric positive G by Cholesky; false when G is singular to rounding.
bool solve(std::array<Moments, kMoments> g, Moments& b)
{
    Moments diagonal{};
    // Cholesky, and the diagonal of before to judge pivots by.
    for (std::size_t i = 0; i < kMoments; ++i) diagonal[i] = g[i][i];
    for (std::size_t i = 0; i < kMoments; ++i)
    {
        for (std::size_t j = 0; j <= i; ++j)
        {
            double sum = g[i][j];
            // Row by row, lower triangle.
            for (std::size_t k = 0; k < j; ++k) sum -= g[i][k] * g[j][k];
            // Pivots near zero: on these points the monomials are dependent, and fewer than ten conditions can be met.
            if (j < i)
                g[i][j] = sum / g[j][j];
            else if (sum > 1e-10 * diagonal[i])
                g[i][i] = std::sqrt(sum);
            else
                return false;
        }
    }
    // L y = b, then Lᵀ x = y.
    for (std::size_t i = 0; i < kMoments; ++i)
    {
        for (std::size_t k = 0; k < i; ++k) b[i] -= g[i][k] * b[k];
        b[i] /= g[i][i];
    }
    for (std::size_t i = kMoments; i-- > 0;)
    {
        for (std::size_t k = i + 1; k < kMoments; ++k) b[i] -= g[k][i] * b[k];
        b[i] /= g[i][i];
    }
    return true;
}

/// One step towards the wanted moments: mass_i += share_i * (lambda . monomials_i), shares zero where the mass is held
/// at its floor. False when the moments of the free spheres cannot be set.
bool correct(const std::vector<Moments>& rows, const std::vector<double>& shares, const Moments& wanted,
             std::vector<double>& masses)
{
    // Least squares with ten linear conditions: lambda = G^-1 (wanted - present), G = sum of share row rowᵀ.
    std::array<Moments, kMoments> gram{};
    Moments rest = wanted;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        // Moments of the present masses are taken off what is wanted.
        for (std::size_t a = 0; a < kMoments; ++a)
        {
            rest[a] -= masses[i] * rows[i][a];
            for (std::size_t b = 0; b <= a; ++b) gram[a][b] += shares[i] * rows[i][a] * rows[i][b];
        }
    }
    if (!solve(gram, rest)) return false;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        double change = 0;
        // The polynomial at the sphere, times its share.
        for (std::size_t a = 0; a < kMoments; ++a) change += rest[a] * rows[i][a];
        masses[i] += shares[i] * change;
    }
    return true;
}

Error make_error()
{
    return {.code = ErrorCode::invalid_value,
            .where = "",
            .message = "no positive weights give these spheres the mass, centre and inertia of the solid",
            .hint = "use more spheres (at least 3 across), or packing = uniform"};
}

}  // namespace

Status weigh_exactly(const MassProperties& wanted, std::vector<PackedSphere>& spheres)
{
    // Coordinates in units of the size, so that the Gram matrix is well conditioned.
    double scale = 0, shares_sum = 0;
    for (const PackedSphere& s : spheres)
    {
        scale = std::max(scale, norm(s.center - wanted.center));
        shares_sum += s.mass;
    }
    // One point in the centre has no second moments.
    if (!(scale > 0) || !(shares_sum > 0)) return make_error();
    std::vector<Moments> rows;
    std::vector<double> shares, masses;
    // Rows of monomials about the wanted centre, shares that add up to the wanted mass.
    for (const PackedSphere& s : spheres)
    {
        rows.push_back(monomials((1 / scale) * (s.center - wanted.center)));
        shares.push_back(s.mass * wanted.mass / shares_sum);
    }
    masses = shares;
    const std::vector<double> even = shares;
    const Moments moments = wanted_moments(wanted, scale);
    constexpr int kRounds = 20;  // spheres that would get too little are held at a floor, the others set again
    constexpr double kFloor = 0.05;
    for (int round = 0; round < kRounds; ++round)
    {
        // A step that leaves a sphere with too little mass holds it at the floor and solves again for the others.
        if (!correct(rows, shares, moments, masses)) return make_error();
        bool light = false;
        // Too light: held at a floor, and out of the next round.
        for (std::size_t i = 0; i < masses.size(); ++i)
        {
            // Held ones are at the floor, well above this bar: they are not held twice.
            if (masses[i] >= 0.5 * kFloor * even[i]) continue;
            masses[i] = kFloor * even[i];
            shares[i] = 0;
            light = true;
        }
        if (light) continue;
        // One step of iterative refinement.
        correct(rows, shares, moments, masses);  // a second time: rounding
        for (std::size_t i = 0; i < masses.size(); ++i) spheres[i].mass = masses[i];
        return {};
    }
    return make_error();
}

}  // namespace rattleback
