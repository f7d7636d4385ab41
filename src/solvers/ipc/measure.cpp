// Values and derivatives of measures. A group moves by x + dx and turns by exp(phi) R, world axes.
#include "solvers/ipc/measure.h"

#include "base/index.h"
#include "math/elementary.h"
#include "math/matrix3.h"

namespace rattleback::ipc
{

namespace
{

/// Adds a matrix to the quarter of a block that begins at (row, column).
void put(Block6& block, int row, int column, double scale, const Mat3& m)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) block[at(6 * (row + i) + column + j)] += scale * m(i, j);
    }
}

/// Second derivative of n . exp(phi) r by phi: (n rᵀ + r nᵀ) / 2 - (n . r) 1.
Mat3 find_turned(const Vec3& n, const Vec3& r)
{
    Mat3 m;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) m(i, j) = 0.5 * (n[i] * r[j] + r[i] * n[j]) - (i == j ? dot(n, r) : 0);
    }
    return m;
}

/// Second derivative of (exp(a) u) . (exp(b) v) by a (rows) and b (columns): (u . v) 1 - v uᵀ.
Mat3 find_crossed(const Vec3& u, const Vec3& v)
{
    Mat3 m;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) m(i, j) = (i == j ? dot(u, v) : 0) - v[i] * u[j];
    }
    return m;
}

PairVector make_turn_vector(const Vec3& first)
{
    PairVector v{};
    set_angular(v, first, -first);
    return v;
}

PairHessian find_dot_hessian(const Vec3& u, const Vec3& v)
{
    PairHessian hessian;
    const Mat3 own = find_turned(u, v);
    put(hessian.first, 3, 3, 1, own);
    put(hessian.second, 3, 3, 1, own);
    put(hessian.cross, 3, 3, 1, find_crossed(u, v));
    return hessian;
}

/// Sine and cosine of a hinge's angle as products of directions of both groups.
struct HingeParts
{
    Vec3 u, v, w;
    double sine = 0, cosine = 0, square = 1;
};
HingeParts find_hinge_parts(const Measure& measure, const Placement& first, const Placement& second)
{
    HingeParts p;
    p.u = first.matrix * measure.first_axis;
    p.v = second.matrix * measure.second_axis;
    p.w = second.matrix * measure.second_side;
    p.sine = dot(p.u, p.w);
    p.cosine = dot(p.u, p.v);
    // Zero only where the axis lies across: the angle is lost there, and so is its derivative.
    p.square = std::max(p.sine * p.sine + p.cosine * p.cosine, 1e-12);
    return p;
}

PairHessian find_along_hessian(const Measure& measure, const Placement& first, const Placement& second)
{
    const Vec3 n = second.matrix * measure.second_axis, arm = first.matrix * measure.on_first;
    const Vec3 way = first.center + arm - second.center;
    PairHessian hessian;
    put(hessian.first, 3, 3, 1, find_turned(n, arm));
    put(hessian.second, 3, 3, 1, find_turned(n, way));
    const Mat3 turned = skew(n);
    put(hessian.second, 0, 3, 1, turned);
    put(hessian.second, 3, 0, 1, transpose(turned));
    put(hessian.cross, 0, 3, -1, turned);
    put(hessian.cross, 3, 3, 1, find_crossed(arm, n));
    return hessian;
}

PairHessian find_hinge_hessian(const Measure& measure, const Placement& first, const Placement& second)
{
    const HingeParts p = find_hinge_parts(measure, first, second);
    // The angle is atan2(s, c) of two products: the chain rule.
    PairHessian hessian = find_dot_hessian(p.u, (1 / p.square) * (p.cosine * p.w - p.sine * p.v));
    const Vec3 ds = cross(p.u, p.w), dc = cross(p.u, p.v);
    const double quartic = p.square * p.square, ss = -2 * p.sine * p.cosine / quartic;
    const double sc = (p.sine * p.sine - p.cosine * p.cosine) / quartic;
    Mat3 bent;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
            bent(i, j) = ss * (ds[i] * ds[j] - dc[i] * dc[j]) + sc * (ds[i] * dc[j] + dc[i] * ds[j]);
    }
    put(hessian.first, 3, 3, 1, bent);
    put(hessian.second, 3, 3, 1, bent);
    put(hessian.cross, 3, 3, -1, bent);
    return hessian;
}

}  // namespace

double find_measure(const Measure& measure, const Placement& first, const Placement& second)
{
    switch (measure.kind)
    {
        case MeasureKind::along:
            return dot(first.place(measure.on_first) - second.place(measure.on_second),
                       second.matrix * measure.second_axis) -
                   measure.offset;
        case MeasureKind::dot:
            return dot(first.matrix * measure.first_axis, second.matrix * measure.second_axis) - measure.offset;
        case MeasureKind::hinge:
            break;
    }
    const HingeParts p = find_hinge_parts(measure, first, second);
    return angle_of(p.sine, p.cosine) - measure.offset;
}

MeasurePoint find_measure_point(const Measure& measure, const Placement& first, const Placement& second)
{
    MeasurePoint point;
    point.value = find_measure(measure, first, second);
    if (measure.kind == MeasureKind::along)
    {
        // d . n with n turning with the second group: as if its arm reached to the first's anchor.
        const Vec3 arm = first.matrix * measure.on_first;
        point.gradient = make_pair_vector(second.matrix * measure.second_axis, arm, first.center + arm - second.center);
    }
    else if (measure.kind == MeasureKind::dot)
        point.gradient =
            make_turn_vector(cross(first.matrix * measure.first_axis, second.matrix * measure.second_axis));
    else
    {
        const HingeParts p = find_hinge_parts(measure, first, second);
        point.gradient = make_turn_vector((1 / p.square) * cross(p.u, p.cosine * p.w - p.sine * p.v));
    }
    return point;
}

PairHessian find_measure_hessian(const Measure& measure, const Placement& first, const Placement& second)
{
    if (measure.kind == MeasureKind::along) return find_along_hessian(measure, first, second);
    if (measure.kind == MeasureKind::hinge) return find_hinge_hessian(measure, first, second);
    return find_dot_hessian(first.matrix * measure.first_axis, second.matrix * measure.second_axis);
}

PairVector find_turn_gradient(const Vec3& turn, double slope_ratio) { return make_turn_vector(slope_ratio * turn); }

PairHessian find_turn_hessian(const Vec3& turn, double slope_ratio, double curvature, bool is_exact)
{
    // The angle of exp(-b) exp(a) exp(turn), by Baker, Campbell and Hausdorff: a - b + (a x b) / 2 to second order;
    // along the axis the angle grows by as much, across it with (angle / 2) cot(angle / 2) / angle.
    const double angle = norm(turn);
    double sine = 0, cosine = 1;
    sincos(0.5 * angle, sine, cosine);
    const double across = slope_ratio * (angle > 1e-6 ? 0.5 * angle * cosine / sine : 1);
    const Vec3 axis = angle > 0 ? (1 / angle) * turn : Vec3{1, 0, 0};
    Mat3 own;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) own(i, j) = (curvature - across) * axis[i] * axis[j] + (i == j ? across : 0);
    }
    PairHessian hessian;
    put(hessian.first, 3, 3, 1, own);
    put(hessian.second, 3, 3, 1, own);
    put(hessian.cross, 3, 3, -1, own);
    // turn . (a x b) / 2 = a . (b x turn) / 2
    if (is_exact) put(hessian.cross, 3, 3, -0.5 * slope_ratio, skew(turn));
    return hessian;
}

void add_pair_hessian(const RowPair& rows, double scale, const PairHessian& blocks, BlockCholesky& hessian)
{
    const auto add = [&](Block6& sum, const Block6& block)
    {
        for (std::size_t i = 0; i < 36; ++i) sum[i] += scale * block[i];
    };
    if (rows.first >= 0) add(hessian.diagonal(rows.first), blocks.first);
    if (rows.second >= 0) add(hessian.diagonal(rows.second), blocks.second);
    if (rows.first < 0 || rows.second < 0) return;
    Block6 cross{};
    add(cross, blocks.cross);
    hessian.add(rows.first, rows.second, cross);
}

}  // namespace rattleback::ipc
