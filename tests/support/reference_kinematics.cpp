// Poses of a Model as products of homogeneous transforms, followed in time by Taylor polynomials.
#include "support/reference_kinematics.h"
#include "base/index.h"

#include "support/reference_dynamics.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

template <class T>
Matrix3<T> skew(const Vector3<T>& a)
{
    return {{T(0), -a.z, a.y, a.z, T(0), -a.x, -a.y, a.x, T(0)}};
}

Vector3<Real> unit(const Vec3& a)
{
    const auto b = cast<Real>(a);
    return (1 / norm(b)) * b;
}

// Rodrigues: cos I + sin [n] + (1 - cos) n n^T.
Matrix3<Taylor> turn_about(const Vector3<Real>& axis, const Taylor& angle)
{
    const Taylor c = cos(angle), s = sin(angle);
    const Matrix3<Real> k = skew(axis);
    Matrix3<Taylor> r;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            r(i, j) = Taylor(i == j ? 1 : 0) * c + Taylor(k(i, j)) * s + Taylor(axis[i] * axis[j]) * (Taylor(1) - c);
        }
    }
    return r;
}

// exp([w] t) = I + [w] t + [w]^2 t^2 / 2.
Matrix3<Taylor> spin(const Vector3<Real>& w)
{
    const Matrix3<Real> k = skew(w), kk = k * k;
    Matrix3<Taylor> r;
    for (int i = 0; i < 9; ++i) r.m[i] = Taylor(i % 4 == 0 ? 1 : 0, k.m[i], kk.m[i] / 2);
    return r;
}

Vector3<Real> three(std::span<const double> a, int begin)
{
    if (a.empty()) return {};
    return {a[at(begin)], a[at(begin) + 1], a[at(begin) + 2]};
}
Real one(std::span<const double> a, int i) { return a.empty() ? Real(0) : Real(a[at(i)]); }

// T(anchor) * rotation * T(-anchor).
Transform<Taylor> about(const Vec3& anchor, const Matrix3<Taylor>& rotation)
{
    const auto p = cast<Taylor>(cast<Real>(anchor));
    return {rotation, p - rotation * p};
}

// How one joint moves the frame of its body, in that frame; a free joint places it in the world.
Transform<Taylor> joint_transform(const Model& model, int j, std::span<const double> q, std::span<const double> v)
{
    const Joints& joints = model.joints;
    const int a = joints.q_begin[at(j)], b = joints.v_begin[at(j)];
    switch (joints.type[at(j)])
    {
        case JointType::hinge:
        {
            const Taylor angle(static_cast<Real>(q[at(a)]) - static_cast<Real>(model.q0[at(a)]), one(v, b), 0);
            return about(joints.position[at(j)], turn_about(unit(joints.axis[at(j)]), angle));
        }
        case JointType::slide:
        {
            const Taylor distance(static_cast<Real>(q[at(a)]) - static_cast<Real>(model.q0[at(a)]), one(v, b), 0);
            Transform<Taylor> t;
            t.position = distance * cast<Taylor>(unit(joints.axis[at(j)]));
            return t;
        }
        case JointType::ball:
            return about(joints.position[at(j)], cast<Taylor>(rotation_at(q, a)) * spin(three(v, b)));
        case JointType::free:
        {
            const auto p = three(q, a), dp = three(v, b);
            const auto w = v.empty() ? Vector3<Real>{} : three(v, b + 3);
            return {cast<Taylor>(rotation_at(q, a + 3)) * spin(w),
                    {Taylor(p.x, dp.x, 0), Taylor(p.y, dp.y, 0), Taylor(p.z, dp.z, 0)}};
        }
        case JointType::fixed:
            break;
    }
    return {};
}

Transform<Real> at_start(const Transform<Taylor>& t) { return {value_of(t.rotation), value_of(t.position)}; }
Transform<Taylor> constant(const Transform<Real>& t) { return {cast<Taylor>(t.rotation), cast<Taylor>(t.position)}; }

// A body that keeps the velocity of its centre of mass and its angular velocity.
Transform<Taylor> coast(const Transform<Real>& start, const Vector3<Real>& local_centre, const Velocity& velocity)
{
    const Matrix3<Taylor> rotation = spin(cast<Real>(velocity.angular)) * cast<Taylor>(start.rotation);
    const Vector3<Real> c = apply(start, local_centre), u = cast<Real>(velocity.linear);
    const Vector3<Taylor> centre{Taylor(c.x, u.x, 0), Taylor(c.y, u.y, 0), Taylor(c.z, u.z, 0)};
    return {rotation, centre - rotation * cast<Taylor>(local_centre)};
}

Taylor spatial_length(const Model& model, const Motion& motion, int tendon)
{
    Taylor length(0);
    Real divisor = 1;
    int previous = -1;
    const auto point = [&](int site)
    {
        const Transform<Taylor>& body = motion.body[at(model.sites.body[at(site)])];
        return apply(body, cast<Taylor>(cast<Real>(model.sites.pose[at(site)].position)));
    };
    for (int i = model.tendons.item_begin[at(tendon)]; i < model.tendons.item_begin[at(tendon) + 1]; ++i)
    {
        const TendonItem& item = model.tendons.items[at(i)];
        if (item.site >= 0 && previous >= 0)
        {
            const Vector3<Taylor> d = point(item.site) - point(previous);
            length = length + Taylor(1 / divisor) * sqrt(dot(d, d));
        }
        if (item.site < 0) divisor = item.value;
        previous = item.site;  // a pulley starts a new branch
    }
    return length;
}

Taylor fixed_length(const Model& model, int tendon, std::span<const double> q, std::span<const double> v)
{
    Taylor length(0);
    for (int i = model.tendons.item_begin[at(tendon)]; i < model.tendons.item_begin[at(tendon) + 1]; ++i)
    {
        const TendonItem& item = model.tendons.items[at(i)];
        const Taylor angle(q[at(model.joints.q_begin[at(item.joint)])], one(v, model.joints.v_begin[at(item.joint)]),
                           0);
        length = length + Taylor(item.value) * angle;
    }
    return length;
}

// v of the three-vector (+) onto a quaternion stored at q[begin], in place.
void turn_quaternion(std::vector<double>& q, int begin, const Vector3<Real>& angle)
{
    const Real size = norm(angle);
    const Real s = size > 0 ? std::sin(size / 2) / size : Real(0.5), c = std::cos(size / 2);
    const Quaternion<Real> a{q[at(begin)], q[at(begin) + 1], q[at(begin) + 2], q[at(begin) + 3]};
    const Quaternion<Real> b = normalized(a * Quaternion<Real>{c, s * angle.x, s * angle.y, s * angle.z});
    const std::array<Real, 4> parts{b.w, b.x, b.y, b.z};
    for (std::size_t i = 0; i < 4; ++i) q[at(begin) + i] = static_cast<double>(parts[i]);
}

}  // namespace

Matrix3<Real> rotation_of(Real w, Real x, Real y, Real z)
{
    // (w^2 - u.u) I + 2 u u^T + 2 w [u], divided by the squared length.
    const Vector3<Real> u{x, y, z};
    const Real square = w * w + dot(u, u);
    const Matrix3<Real> k = skew(u);
    Matrix3<Real> r;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            r(i, j) = ((i == j ? w * w - dot(u, u) : Real(0)) + 2 * u[i] * u[j] + 2 * w * k(i, j)) / square;
        }
    }
    return r;
}
Matrix3<Real> rotation_at(std::span<const double> q, int begin)
{
    return rotation_of(q[at(begin)], q[at(begin) + 1], q[at(begin) + 2], q[at(begin) + 3]);
}

Vector3<Real> log_of(const Matrix3<Real>& r)
{
    const Vector3<Real> twice{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};  // 2 sin(angle) axis
    const Real sine = norm(twice) / 2, cosine = (r(0, 0) + r(1, 1) + r(2, 2) - 1) / 2;
    if (cosine > Real(-0.9))
    {
        const Real angle = std::atan2(sine, cosine);
        return (sine > 0 ? angle / (2 * sine) : Real(0.5)) * twice;
    }
    // Near a half turn the axis is better seen in the symmetric part, cos I + (1 - cos) n n^T.
    int k = 0;
    for (int i = 1; i < 3; ++i)
    {
        if (r(i, i) > r(k, k)) k = i;
    }
    Vector3<Real> axis;
    for (int i = 0; i < 3; ++i) axis[i] = (r(i, k) + r(k, i)) / 2 - (i == k ? cosine : Real(0));
    axis = ((dot(axis, twice) < 0 ? -1 : 1) / norm(axis)) * axis;
    return std::atan2(sine, cosine) * axis;
}

Transform<Real> transform_of(const Pose& pose)
{
    const Quat& r = pose.rotation;
    return {rotation_of(r.w, r.x, r.y, r.z), cast<Real>(pose.position)};
}

Vector3<Real> value_of(const Vector3<Taylor>& a) { return {a.x.value, a.y.value, a.z.value}; }
Vector3<Real> first_derivative(const Vector3<Taylor>& a) { return {a.x.rate, a.y.rate, a.z.rate}; }
Vector3<Real> second_derivative(const Vector3<Taylor>& a)
{
    return {2 * a.x.half_second, 2 * a.y.half_second, 2 * a.z.half_second};
}
Matrix3<Real> value_of(const Matrix3<Taylor>& a)
{
    Matrix3<Real> b;
    for (int i = 0; i < 9; ++i) b.m[i] = a.m[i].value;
    return b;
}

Vector3<Real> angular_velocity(const Matrix3<Taylor>& rotation)
{
    Matrix3<Real> rate;
    for (int i = 0; i < 9; ++i) rate.m[i] = rotation.m[i].rate;
    const Matrix3<Real> k = rate * transpose(value_of(rotation));  // R' R^T = [w]
    return Real(0.5) * Vector3<Real>{k(2, 1) - k(1, 2), k(0, 2) - k(2, 0), k(1, 0) - k(0, 1)};
}

Vector3<Real> angular_acceleration(const Matrix3<Taylor>& rotation)
{
    Matrix3<Real> second;
    for (int i = 0; i < 9; ++i) second.m[i] = 2 * rotation.m[i].half_second;
    const Matrix3<Real> k = second * transpose(value_of(rotation));  // R'' R^T = [w'] + [w]^2, the last is symmetric
    return Real(0.5) * Vector3<Real>{k(2, 1) - k(1, 2), k(0, 2) - k(2, 0), k(1, 0) - k(0, 1)};
}

Motion compute_motion(const Model& model, std::span<const double> q, std::span<const double> v,
                      std::span<const Pose> body_pose, std::span<const Velocity> body_velocity)
{
    Motion motion;
    motion.body.resize(at(model.body_count()));
    motion.mass_centre.resize(at(model.body_count()));
    motion.before.resize(at(model.joint_count()));
    motion.after.resize(at(model.joint_count()));
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Vector3<Real> local_centre = cast<Real>(model.bodies.inertial_pose[at(b)].position);
        Transform<Taylor>& frame = motion.body[at(b)];
        frame = motion.body[at(model.bodies.parent[at(b)])] * constant(transform_of(model.bodies.pose[at(b)]));
        if (model.bodies.kind[at(b)] == BodyKind::kinematic)
        {
            const Transform<Real> start = body_pose.empty() ? at_start(frame) : transform_of(body_pose[at(b)]);
            frame = coast(start, local_centre, body_velocity.empty() ? Velocity{} : body_velocity[at(b)]);
        }
        for (int i = model.bodies.joint_begin[at(b)]; i < model.bodies.joint_begin[at(b) + 1]; ++i)
        {
            const int j = model.bodies.joints_of_body[at(i)];
            const Transform<Taylor> moved = joint_transform(model, j, q, v);
            motion.before[at(j)] = at_start(frame);
            frame = model.joints.type[at(j)] == JointType::free ? moved : frame * moved;
            motion.after[at(j)] = at_start(frame);
        }
        motion.mass_centre[at(b)] = apply(frame, cast<Taylor>(local_centre));
    }
    return motion;
}

std::vector<Taylor> compute_tendon_lengths(const Model& model, const Motion& motion, std::span<const double> q,
                                           std::span<const double> v)
{
    std::vector<Taylor> lengths;
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        lengths.push_back(model.tendons.type[at(t)] == TendonType::fixed ? fixed_length(model, t, q, v)
                                                                         : spatial_length(model, motion, t));
    }
    return lengths;
}

std::vector<double> move_along(const Model& model, std::span<const double> q, std::span<const double> v, double time)
{
    std::vector<double> moved(q.begin(), q.end());
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const int a = model.joints.q_begin[at(j)], b = model.joints.v_begin[at(j)];
        const JointType type = model.joints.type[at(j)];
        const int straight = type == JointType::free ? 3 : type == JointType::hinge || type == JointType::slide ? 1 : 0;
        for (int i = 0; i < straight; ++i) moved[at(a + i)] += v[at(b + i)] * time;
        const int turned = type == JointType::free ? 3 : 0;
        if (type == JointType::free || type == JointType::ball)
        {
            turn_quaternion(moved, a + turned, Real(time) * three(v, b + turned));
        }
    }
    return moved;
}

}  // namespace rattleback
