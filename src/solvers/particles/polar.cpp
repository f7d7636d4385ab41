// Polar decomposition: Newton on the rotation group, Horn's quaternion, and the fast approximate way.
#include "solvers/particles/polar.h"

#include "math/matrix3.h"
#include "math/rotation.h"
#include "math/symmetric3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace rattleback::particles
{

namespace
{

// R maximises trace(Rᵀ A). Near the last rotation Newton's method on the group needs a few 3x3 solves; from far away,
// or where A is singular, Horn's symmetric 4x4 matrix has the answer as its dominant eigenvector, found by cyclic
// Jacobi.

/// The solution of a symmetric positive definite 3x3 system; nothing when it is not that.
std::optional<Vec3> solve_positive(const Symmetric3<double>& a, const Vec3& b)
{
    // The leading minors decide whether the matrix is positive definite.
    const Adjugate3<double> adjugate(a);
    const double trace = a.m[0] + a.m[2] + a.m[5];
    if (!(a.m[0] > 0) || !(adjugate.cofactor.m[5] > 0)) return std::nullopt;
    if (!(adjugate.determinant > 1e-15 * trace * trace * trace)) return std::nullopt;
    return adjugate.solve(b);
}

/// trace(exp(-[w]) B), B = A R^T, has gradient a and curvature -(trace(B) 1 - B): one Newton step is w.
std::optional<Vec3> find_newton_turn(const Mat3& a, const Quat& rotation)
{
    // B = A R^T is symmetric at the maximum: its antisymmetric part is the gradient of trace(R^T A) under a turn of R.
    const Mat3 b = a * transpose(to_matrix(rotation));
    const Vec3 gradient{b(2, 1) - b(1, 2), b(0, 2) - b(2, 0), b(1, 0) - b(0, 1)};
    const double trace = b(0, 0) + b(1, 1) + b(2, 2);
    // Of B its symmetric part.
    const auto mean = [&](int i, int j) { return 0.5 * (b(i, j) + b(j, i)); };
    const Symmetric3<double> curvature{{trace - mean(0, 0),                  //
                                        0 - mean(1, 0), trace - mean(1, 1),  //
                                        0 - mean(2, 0), 0 - mean(2, 1), trace - mean(2, 2)}};
    return solve_positive(curvature, gradient);
}

/// Horn's symmetric 4x4 matrix, whose largest eigenvalue belongs to the quaternion sought.
std::array<std::array<double, 4>, 4> make_horn_matrix(const Mat3& a)
{
    // Horn 1987 has S_xy = sum of x (rest) times y (moved); A here is moved times rest^T, hence the transposed reading.
    const double xx = a(0, 0), xy = a(1, 0), xz = a(2, 0);
    const double yx = a(0, 1), yy = a(1, 1), yz = a(2, 1);
    const double zx = a(0, 2), zy = a(1, 2), zz = a(2, 2);
    return {{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
             {yz - zy, xx - yy - zz, xy + yx, zx + xz},
             {zx - xz, xy + yx, -xx + yy - zz, yz + zy},
             {xy - yx, zx + xz, yz + zy, -xx - yy + zz}}};
}

/// Cyclic Jacobi: certain, and slow enough to be the exception.
Quat find_rotation_by_eigenvector(const Mat3& a)
{
    // Plane rotations that make one off-diagonal entry zero each, applied to n from both sides and collected in axes.
    auto n = make_horn_matrix(a);
    std::array<std::array<double, 4>, 4> axes{};
    for (std::size_t i = 0; i < 4; ++i) axes[i][i] = 1;
    for (int sweep = 0; sweep < 12; ++sweep)
    {
        for (std::size_t p = 0; p < 3; ++p)
        {
            for (std::size_t q = p + 1; q < 4; ++q)
            {
                // An entry that is zero already needs no turn, and would have no angle.
                if (n[p][q] == 0) continue;
                // The smaller of the two angles that zero n[p][q] (Jacobi's choice), so that the sweeps converge.
                const auto [t, c, s] = find_jacobi_turn(n[p][p], n[p][q], n[q][q]);
                for (std::size_t k = 0; k < 4; ++k)
                {
                    const double kp = n[k][p], kq = n[k][q];
                    n[k][p] = c * kp - s * kq;
                    n[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < 4; ++k)
                {
                    const double pk = n[p][k], qk = n[q][k];
                    n[p][k] = c * pk - s * qk;
                    n[q][k] = s * pk + c * qk;
                    const double ap = axes[k][p], aq = axes[k][q];
                    axes[k][p] = c * ap - s * aq;
                    axes[k][q] = s * ap + c * aq;
                }
            }
        }
    }
    // The quaternion is the eigenvector of the largest eigenvalue.
    std::size_t best = 0;
    for (std::size_t k = 1; k < 4; ++k)
    {
        if (n[k][k] > n[best][best]) best = k;
    }
    return normalized(Quat{axes[0][best], axes[1][best], axes[2][best], axes[3][best]});
}

}  // namespace

// Coherence in time: the rotation of the last fit is nearly that of this one, so that Newton needs few turns.
Quat find_rotation(const Mat3& a, const Quat& guess)
{
    constexpr int kMaxTurns = 12;
    Quat rotation = guess;
    // Newton is trusted while its turns shrink, from less than a radian on.
    double last = 1;
    for (int i = 0; i < kMaxTurns; ++i)
    {
        const std::optional<Vec3> turn = find_newton_turn(a, rotation);
        if (!turn) break;
        const double size = norm(*turn);
        if (!(size <= last)) break;
        // exp(w) to first order; normalising makes it a rotation again, and the error is of third order in w.
        rotation = normalized(Quat{1, 0.5 * turn->x, 0.5 * turn->y, 0.5 * turn->z} * rotation);
        // Quadratic convergence: the next turn would be the square of this one.
        if (size < 1e-7) return rotation;
        last = size;
    }
    return find_rotation_by_eigenvector(a);
}

namespace
{

/// Half-angle turn (c, s) that roughly removes the off-diagonal entry of a symmetric 2x2 matrix.
std::pair<float, float> rough_givens(float a11, float a12, float a22)
{
    constexpr float kGamma = 5.8284271247F;                          // 3 + 2 sqrt 2
    constexpr float kCosine = 0.9238795325F, kSine = 0.3826834324F;  // of pi / 8
    // tan of the full angle would be 2 a12 / (a11 - a22); half of it for half the angle, pi / 8 at most.
    const float c = 2 * (a11 - a22), s = a12;
    if (kGamma * s * s < c * c)
    {
        const float w = 1 / std::sqrt(c * c + s * s);
        return {w * c, w * s};
    }
    return {kCosine, kSine};
}

struct Quat4
{
    std::array<float, 4> q{1, 0, 0, 0};
};

using Matrix = Matrix3<float>;

/// Turns the symmetric matrix about axis k, which acts on the two others.
void turn_symmetric(Matrix& m, Quat4& total, int p, int q, int axis)
{
    const auto [c, s] = rough_givens(m(p, p), m(p, q), m(q, q));
    // Cosine and sine of the whole angle, applied to columns and then to rows.
    const float cc = c * c - s * s, ss = 2 * c * s;
    for (int k = 0; k < 3; ++k)
    {
        const float kp = m(k, p), kq = m(k, q);
        m(k, p) = cc * kp + ss * kq;
        m(k, q) = -ss * kp + cc * kq;
    }
    for (int k = 0; k < 3; ++k)
    {
        const float pk = m(p, k), qk = m(q, k);
        m(p, k) = cc * pk + ss * qk;
        m(q, k) = -ss * pk + cc * qk;
    }
    // The same turn as a quaternion; (p, q) runs with or against the axis.
    const float sign = (q - p + 3) % 3 == 1 ? 1.0F : -1.0F;
    Quaternion<float> turn{c, 0, 0, 0};
    (axis == 0 ? turn.x : axis == 1 ? turn.y : turn.z) = sign * s;
    const Quaternion<float> product = Quaternion<float>{total.q[0], total.q[1], total.q[2], total.q[3]} * turn;
    total.q = {product.w, product.x, product.y, product.z};
}

/// Turns rows p and q of b so that entry (q, p) vanishes, and columns p and q of u back.
void eliminate(Matrix& b, Matrix& u, int p, int q)
{
    // A Givens turn: (b(p,p), b(q,p)) goes to (length, 0).
    const float length = std::sqrt(b(p, p) * b(p, p) + b(q, p) * b(q, p));
    if (!(length > 0)) return;
    const float c = b(p, p) / length, s = b(q, p) / length;
    for (int k = 0; k < 3; ++k)
    {
        const float pk = b(p, k), qk = b(q, k);
        b(p, k) = c * pk + s * qk;
        b(q, k) = -s * pk + c * qk;
        const float kp = u(k, p), kq = u(k, q);
        u(k, p) = c * kp + s * kq;
        u(k, q) = -s * kp + c * kq;
    }
}

}  // namespace

Quat find_rotation_fast(const Mat3& a)
{
    // A = U S V^T: V from the eigenvectors of A^T A, four sweeps.
    // Single precision throughout: what matters here is how rough the libraries' rotation is.
    Matrix m;
    for (int k = 0; k < 9; ++k) m.m[k] = static_cast<float>(a.m[k]);
    Matrix square = transpose(m) * m;
    Quat4 total;
    for (int sweep = 0; sweep < 4; ++sweep)
    {
        // Cyclic Jacobi over the three pairs, with a fixed number of sweeps in the place of a test for convergence.
        turn_symmetric(square, total, 0, 1, 2);
        turn_symmetric(square, total, 1, 2, 0);
        turn_symmetric(square, total, 2, 0, 1);
    }
    const Quaternion<float> right = normalized(Quaternion<float>{total.q[0], total.q[1], total.q[2], total.q[3]});
    // V as a quaternion is orthogonal to rounding once it is normalised; products of matrices would drift.
    Matrix v = to_matrix(right);
    Matrix b = m * v;
    // Columns of A V by length, the shortest last, so that a reflection ends in it.
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}})
    {
        if (dot(b.column(p), b.column(p)) >= dot(b.column(q), b.column(q))) continue;
        for (int k = 0; k < 3; ++k)
        {
            // A swap with a sign keeps the determinant of V: it stays a rotation.
            std::swap(b(k, p), b(k, q));
            std::swap(v(k, p), v(k, q));
            b(k, q) = -b(k, q);
            v(k, q) = -v(k, q);
        }
    }
    // U by QR of A V; the rotation is U V^T.
    Matrix u{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    eliminate(b, u, 0, 1);
    eliminate(b, u, 0, 2);
    eliminate(b, u, 1, 2);
    const Matrix rotation = u * transpose(v);
    // U and V have determinant +1, so has the product: a reflection of A stays in the smallest singular value.
    Mat3 widened;
    for (int k = 0; k < 9; ++k) widened.m[k] = static_cast<double>(rotation.m[k]);
    return to_quaternion(widened);
}

}  // namespace rattleback::particles
