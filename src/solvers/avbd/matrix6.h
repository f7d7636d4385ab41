// 6x6 matrices and wrenches of two groups: forces first, then torques.
#pragma once

#include "math/dense.h"

#include <rattleback/math.h>

#include <array>
#include <cmath>

namespace rattleback::avbd
{

using Vector6 = std::array<double, 6>;

inline Vector6 make_vector6(const Vec3& linear, const Vec3& angular)
{
    return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}
inline Vec3 linear_of(const Vector6& a) { return {a[0], a[1], a[2]}; }
inline Vec3 angular_of(const Vector6& a) { return {a[3], a[4], a[5]}; }
inline double dot6(const Vector6& a, const Vector6& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}

/// A wrench at a point, seen at another point `arm` before it: the torque gains arm x force.
inline Vector6 shift_wrench(const Vector6& wrench, const Vec3& arm)
{
    return make_vector6(linear_of(wrench), angular_of(wrench) + cross(arm, linear_of(wrench)));
}

struct Matrix6
{
    std::array<double, 36> m{};

    double& operator()(std::size_t i, std::size_t j) { return m[6 * i + j]; }
    double operator()(std::size_t i, std::size_t j) const { return m[6 * i + j]; }

    void add_outer(double scale, const Vector6& a, const Vector6& b)
    {
        for (std::size_t i = 0; i < 6; ++i)
        {
            const double s = scale * a[i];
            for (std::size_t j = 0; j < 6; ++j) m[6 * i + j] += s * b[j];
        }
    }
};

inline void add(Matrix6& sum, const Matrix6& term, double scale = 1)
{
    for (std::size_t i = 0; i < 36; ++i) sum.m[i] += scale * term.m[i];
}
inline void add(Vector6& sum, const Vector6& term, double scale = 1)
{
    for (std::size_t i = 0; i < 6; ++i) sum[i] += scale * term[i];
}

inline Vector6 operator*(const Matrix6& a, const Vector6& v)
{
    Vector6 result{};
    for (std::size_t i = 0; i < 6; ++i)
    {
        for (std::size_t j = 0; j < 6; ++j) result[i] += a(i, j) * v[j];
    }
    return result;
}

/// X(left) Q X(right)ᵀ with X(r) = [I 0; [r] I]: a stiffness at a point becomes the block between two bodies.
inline Matrix6 shift_stiffness(const Matrix6& q, const Vec3& left, const Vec3& right)
{
    // forces at the end of an arm turn the body: wrenches from the left, motions from the right
    Matrix6 shifted;
    for (std::size_t j = 0; j < 6; ++j)  // columns: angular += left x linear
    {
        const Vec3 l{q(0, j), q(1, j), q(2, j)};
        const Vec3 a = Vec3{q(3, j), q(4, j), q(5, j)} + cross(left, l);
        for (int i = 0; i < 3; ++i)
        {
            shifted(static_cast<std::size_t>(i), j) = l[i];
            shifted(static_cast<std::size_t>(i) + 3, j) = a[i];
        }
    }
    for (std::size_t i = 0; i < 6; ++i)  // rows, by the right arm
    {
        const Vec3 l{shifted(i, 0), shifted(i, 1), shifted(i, 2)};
        const Vec3 a = Vec3{shifted(i, 3), shifted(i, 4), shifted(i, 5)} + cross(right, l);
        for (int j = 0; j < 3; ++j) shifted(i, static_cast<std::size_t>(j) + 3) = a[j];
    }
    return shifted;
}

/// Row `to` of b gains `scale` times row `from` of a.
inline void add_row(double scale, const Matrix6& a, std::size_t from, Matrix6& b, std::size_t to)
{
    for (std::size_t c = 0; c < 6; ++c) b(to, c) += scale * a(from, c);
}

inline bool factor(Matrix6& a) { return factor_symmetric<6>(a.m.data()); }
inline Vector6 solve_factored(const Matrix6& a, Vector6 b)
{
    rattleback::solve_factored<6>(a.m.data(), b.data());
    return b;
}
/// All columns of b at once.
inline void solve_factored(const Matrix6& a, Matrix6& b)
{
    // L y = b, then D Lᵀ x = y, on rows of six columns
    for (std::size_t i = 1; i < 6; ++i)
    {
        for (std::size_t k = 0; k < i; ++k) add_row(-a(i, k), b, k, b, i);
    }
    for (std::size_t i = 6; i-- > 0;)
    {
        for (std::size_t c = 0; c < 6; ++c) b(i, c) *= a(i, i);
        for (std::size_t k = i + 1; k < 6; ++k) add_row(-a(k, i), b, k, b, i);
    }
}

}  // namespace rattleback::avbd
