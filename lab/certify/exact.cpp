// Signs of determinants by floating-point expansions: sums of doubles that do not overlap and hold every bit (Shewchuk,
// Adaptive Precision Floating-Point Arithmetic, 1997).
#include "lab/certify/exact.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rattleback::lab
{

namespace
{

/// A number as a sum of doubles, smallest first, that hold it exactly.
using Expansion = std::vector<double>;

/// Adds one double: each addition keeps what rounding took (Knuth's two-sum).
Expansion add(const Expansion& e, double b)
{
    Expansion sum;
    double carried = b;
    for (const double part : e)
    {
        const double total = carried + part;
        const double virtual_part = total - carried;
        const double lost = (carried - (total - virtual_part)) + (part - virtual_part);
        if (lost != 0) sum.push_back(lost);
        carried = total;
    }
    if (carried != 0) sum.push_back(carried);
    return sum;
}

Expansion add(Expansion e, const Expansion& f)
{
    for (const double part : f) e = add(e, part);
    return e;
}

Expansion negate(Expansion e)
{
    for (double& part : e) part = -part;
    return e;
}

/// Products of all parts, each with the error that fma reveals.
Expansion multiply(const Expansion& e, const Expansion& f)
{
    Expansion product;
    for (const double a : e)
    {
        for (const double b : f)
        {
            const double high = a * b;
            product = add(add(product, std::fma(a, b, -high)), high);
        }
    }
    return product;
}

Expansion subtract(double a, double b) { return add(add(Expansion{}, a), -b); }

int sign_of(const Expansion& e)
{
    if (e.empty()) return 0;
    return e.back() > 0 ? 1 : -1;  // the largest part is larger than all others together
}

/// (a - c) x (b - c) in the plane of two coordinates.
Expansion find_area(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j)
{
    return add(multiply(subtract(a[i], c[i]), subtract(b[j], c[j])),
               negate(multiply(subtract(a[j], c[j]), subtract(b[i], c[i]))));
}

int exact_turn(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j) { return sign_of(find_area(a, b, c, i, j)); }

/// Two coordinates in which a triangle has an area; none: (-1, -1).
std::pair<int, int> find_plane(const ExactTriangle& t)
{
    for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {2, 0}})
    {
        if (exact_turn(t[0], t[1], t[2], i, j) != 0) return {i, j};
    }
    return {-1, -1};
}

/// Whether r, on the line through p and q, lies between them.
bool is_between(const Vec3& p, const Vec3& q, const Vec3& r, int i, int j)
{
    const auto within = [&](int k) { return std::min(p[k], q[k]) <= r[k] && r[k] <= std::max(p[k], q[k]); };
    return within(i) && within(j);
}

bool segments_meet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, int i, int j)
{
    const int d1 = exact_turn(a, b, c, i, j), d2 = exact_turn(a, b, d, i, j);
    const int d3 = exact_turn(c, d, a, i, j), d4 = exact_turn(c, d, b, i, j);
    if (d1 * d2 < 0 && d3 * d4 < 0) return true;
    return (d1 == 0 && is_between(a, b, c, i, j)) || (d2 == 0 && is_between(a, b, d, i, j)) ||
           (d3 == 0 && is_between(c, d, a, i, j)) || (d4 == 0 && is_between(c, d, b, i, j));
}

/// All in one plane.
bool meets_in_plane(const Vec3& p, const Vec3& q, const ExactTriangle& t, int i, int j)
{
    const int s1 = exact_turn(t[0], t[1], p, i, j), s2 = exact_turn(t[1], t[2], p, i, j);
    const int s3 = exact_turn(t[2], t[0], p, i, j);
    if ((s1 >= 0 && s2 >= 0 && s3 >= 0) || (s1 <= 0 && s2 <= 0 && s3 <= 0)) return true;
    return segments_meet(p, q, t[0], t[1], i, j) || segments_meet(p, q, t[1], t[2], i, j) ||
           segments_meet(p, q, t[2], t[0], i, j);
}

}  // namespace

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    // In doubles first, with Shewchuk's bound on the error: most signs are certain at once.
    const Vec3 ad = a - d, bd = b - d, cd = c - d;
    const Vec3 n = cross(bd, cd);
    const double determinant = dot(ad, n);
    const double permanent = (std::abs(bd.y * cd.z) + std::abs(bd.z * cd.y)) * std::abs(ad.x) +
                             (std::abs(bd.z * cd.x) + std::abs(bd.x * cd.z)) * std::abs(ad.y) +
                             (std::abs(bd.x * cd.y) + std::abs(bd.y * cd.x)) * std::abs(ad.z);
    constexpr double kBound = 1e-15;  // (7 + 56 e) e with e = 2^-53 is 7.8e-16
    if (std::abs(determinant) > kBound * permanent) return determinant > 0 ? 1 : -1;

    const auto minor = [&](int i, int j) { return find_area(b, c, d, i, j); };
    const Expansion sum = add(add(multiply(subtract(a.x, d.x), minor(1, 2)), multiply(subtract(a.y, d.y), minor(2, 0))),
                              multiply(subtract(a.z, d.z), minor(0, 1)));
    return sign_of(sum);
}

bool exact_intersect(const Vec3& p, const Vec3& q, const ExactTriangle& t)
{
    const int at_p = exact_orientation(t[0], t[1], t[2], p), at_q = exact_orientation(t[0], t[1], t[2], q);
    if (at_p * at_q > 0) return false;
    if (at_p == 0 && at_q == 0)
    {
        const auto [i, j] = find_plane(t);
        return i >= 0 && meets_in_plane(p, q, t, i, j);
    }
    // The line pierces the plane: it passes all sides of the triangle in the same sense.
    const int s0 = exact_orientation(p, q, t[0], t[1]), s1 = exact_orientation(p, q, t[1], t[2]);
    const int s2 = exact_orientation(p, q, t[2], t[0]);
    return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

bool exact_intersect(const ExactTriangle& first, const ExactTriangle& second)
{
    for (std::size_t k = 0; k < 3; ++k)
    {
        if (exact_intersect(first[k], first[(k + 1) % 3], second)) return true;
        if (exact_intersect(second[k], second[(k + 1) % 3], first)) return true;
    }
    return false;
}

}  // namespace rattleback::lab
