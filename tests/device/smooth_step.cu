// Compiled by tests/device/compile with nvcc: the whole of math and dynamics in device code, one world per thread.
#include "device/step_worlds.cuh"

#include "math/symmetric3.h"

namespace rattleback
{

/// Jacobians of one point of a body, and products with M: what a step does not call.
template <class T>
__global__ void find_jacobian(TreeView tree, std::byte* slab, int body, std::span<T> linear, std::span<T> angular,
                              std::span<T> product)
{
    WorkspaceView<T> w;
    lay_out(tree, slab, w);
    compute_jacobian<T>(w, body, w.center[body], linear, angular);
    multiply_symmetric<T>(tree.arrays, w.mass_matrix, w.v, product);
    const Vector3<T> acceleration = body_point_acceleration(w, body, w.center[body]);
    const Vector3<T> spin = body_angular_velocity(w, body) + body_angular_acceleration(w, body);
    linear[0] += acceleration.x + spin.x;
}

/// Small maths that the dynamics do not call.
__global__ void evaluate_math(const double* x, double* y)
{
    const Mat3 m = to_matrix(exponential(Vec3{x[0], x[1], x[2]}));
    const Quat q = make_unit(to_quaternion(m));
    const Vec3 rate = logarithm_rate(logarithm(q), exponential_rate(Vec3{x[0], x[1], x[2]}, make_unit(m.column(1))));
    Symmetric3<double> s;
    add_outer(s, 2.0, rate);
    add_diagonal(s, 1.0);
    const Vec3 a = Cholesky3<double>(s).solve(rate) + solve_or_zero(s, rate) + s * rate;
    double block[9] = {4, 1, 0, 1, 4, 1, 0, 1, 4}, b[3] = {a.x, a.y, a.z};
    if (factor_symmetric<3>(block)) solve_factored<3>(block, b);
    Dual<double, 2> sine, cosine;
    sincos(Dual<double, 2>(x[3], 1) * Dual<double, 2>(2.0), sine, cosine);
    y[0] = b[0] + power(0.5, x[1]) + exponential(x[2]) + natural_logarithm(x[3]) + angle_of(b[1], b[2]);
    y[1] = sqrt(sine * sine + cosine).rate[1];
}

template __global__ void step_worlds<double>(TreeView, std::byte*, std::size_t, int, int, double);
template __global__ void step_worlds<float>(TreeView, std::byte*, std::size_t, int, int, double);
template __global__ void find_jacobian(TreeView, std::byte*, int, std::span<double>, std::span<double>,
                                       std::span<double>);

}  // namespace rattleback
