// One side of one contact: its force on a body and what it adds to the body's 6x6 block, for any scalar.
#pragma once

#include "math/pack.h"

#include <rattleback/math.h>

namespace rattleback::avbd
{

using rattleback::select;

/// Increments of position and rotation of a body within a step, world axes.
template <class T>
struct Increment
{
    Vector3<T> linear;   ///< of the centre of mass [m]
    Vector3<T> angular;  ///< rotation vector [rad]
};

/// A contact as one of its bodies sees it: the normal points from the other body to this one. Both sides hold the same
/// numbers with opposite signs and so stay equal bit for bit.
template <class T>
struct HalfContact
{
    Vector3<T> normal;
    Vector3<T> arm, other_arm;  ///< from the centres of mass to the contact point [m]
    T gap{};                    ///< what counts of the distance at the start of the step [m]; negative: overlap
    Vector3<T> slip;            ///< tangential error at the start of the step [m]
    T stiffness{};              ///< penalty of the normal row [N/m]
    T shear{};                  ///< penalty of the tangential rows [N/m]
    T pressure{};               ///< multiplier of the normal row [N]
    Vector3<T> drag;            ///< multiplier of the tangential rows: force on this body [N]
    T friction{};               ///< coefficient
    T compliance{};             ///< 1 / stiffness of the material [m/N]; 0: rigid
    T live{};                   ///< not zero: counts in the block even while it does not push
};

/// Force of a contact on this body and the stiffnesses that the block sees.
template <class T>
struct ContactForce
{
    T normal{};          ///< not negative [N]
    Vector3<T> tangent;  ///< inside the cone [N]
    T stiffness{}, shear{};
    T distance{};       ///< normal residual [m]
    Vector3<T> offset;  ///< tangential residual [m]
};

/// The force at given increments: f = s (lambda - k C), s = 1 / (1 + k / K), projected on the cone with the normal
/// force of the same evaluation. A sliding contact is as stiff sideways as its secant (Giles et al. 2025, Eq. 14).
/// Without `Soft` all rows are rigid.
template <bool Soft = true, class T>
[[gnu::always_inline]] inline ContactForce<T> evaluate(const HalfContact<T>& half, const Increment<T>& self,
                                                       const Increment<T>& other)
{
    using std::sqrt;
    const Vector3<T> moved =
        self.linear + cross(self.angular, half.arm) - (other.linear + cross(other.angular, half.other_arm));
    const T along = dot(half.normal, moved);
    ContactForce<T> force;
    force.distance = half.gap + along;
    force.offset = half.slip + moved - along * half.normal;
    T share(1.0);
    if constexpr (Soft) share = T(1.0) / (T(1.0) + half.stiffness * half.compliance);
    force.normal = maximum(T(0.0), share * (half.pressure - half.stiffness * force.distance));
    const Vector3<T> trial = half.drag - half.shear * force.offset;
    const T squared = dot(trial, trial);
    const T bound = half.friction * force.normal;
    const auto slides = squared > bound * bound;
    const T scale = select(slides, bound / sqrt(select(slides, squared, T(1.0))), T(1.0));
    force.tangent = scale * trial;
    const auto counts = either(half.live > T(0.0), force.normal > T(0.0));
    force.stiffness = select(counts, share * half.stiffness, T(0.0));
    force.shear = select(counts, scale * half.shear, T(0.0));
    return force;
}

/// Symmetric 3x3 matrix: xx, yx, yy, zx, zy, zz.
template <class T>
struct Symmetric3
{
    T m[6]{};
};
template <class T>
Symmetric3<T>& operator+=(Symmetric3<T>& a, const Symmetric3<T>& b)
{
    for (int i = 0; i < 6; ++i) a.m[i] += b.m[i];
    return a;
}
/// a + scale * v vᵀ.
template <class T>
void add_outer(Symmetric3<T>& a, const T& scale, const Vector3<T>& v)
{
    const Vector3<T> s = scale * v;
    a.m[0] += s.x * v.x;
    a.m[1] += s.y * v.x;
    a.m[2] += s.y * v.y;
    a.m[3] += s.z * v.x;
    a.m[4] += s.z * v.y;
    a.m[5] += s.z * v.z;
}
template <class T>
void add_diagonal(Symmetric3<T>& a, const T& value)
{
    a.m[0] += value;
    a.m[2] += value;
    a.m[5] += value;
}
template <class T>
Vector3<T> operator*(const Symmetric3<T>& a, const Vector3<T>& v)
{
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[3] * v.z, a.m[1] * v.x + a.m[2] * v.y + a.m[4] * v.z,
            a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z};
}

/// exp(u) I u up to third order in u: h times the angular momentum of a body that turned by u in h, world axes. The
/// inertia I is the one before the turn, and a turn by u leaves u alone.
template <class T>
Vector3<T> spin_momentum(const Symmetric3<T>& inertia, const Vector3<T>& u)
{
    const Vector3<T> own = inertia * u;
    const Vector3<T> turned = cross(u, own);
    return own + turned + T(0.5) * cross(u, turned);
}

/// The Newton system of one body: linear, coupling (rows angular, columns linear) and angular blocks, and the
/// right-hand side.
template <class T>
struct BodySystem
{
    Symmetric3<T> linear;
    Matrix3<T> coupling;
    Symmetric3<T> angular;
    Vector3<T> force, torque;
};

/// K = shear I + (stiffness - shear) n nᵀ at the arm r:
/// linear += K, coupling += [r] K, angular += [r] K [r]ᵀ ([VBD-R], "Contact and Constraint Blocks").
template <class T>
[[gnu::always_inline]] inline void add_contact(const HalfContact<T>& half, const ContactForce<T>& contact,
                                               BodySystem<T>& system)
{
    const Vector3<T>& n = half.normal;
    const Vector3<T>& r = half.arm;
    const Vector3<T> f = contact.normal * n + contact.tangent;
    system.force += f;
    system.torque += cross(r, f);

    const T shear = contact.shear, extra = contact.stiffness - contact.shear;
    const Vector3<T> rn = cross(r, n);
    add_diagonal(system.linear, shear);
    add_outer(system.linear, extra, n);
    const Vector3<T> ern = extra * rn;
    T* c = system.coupling.m;
    c[0] += ern.x * n.x;
    c[1] += ern.x * n.y - shear * r.z;
    c[2] += ern.x * n.z + shear * r.y;
    c[3] += ern.y * n.x + shear * r.z;
    c[4] += ern.y * n.y;
    c[5] += ern.y * n.z - shear * r.x;
    c[6] += ern.z * n.x - shear * r.y;
    c[7] += ern.z * n.y + shear * r.x;
    c[8] += ern.z * n.z;
    add_diagonal(system.angular, shear * dot(r, r));
    add_outer(system.angular, -shear, r);
    add_outer(system.angular, extra, rn);
}

inline constexpr double kMostPenalty = 1e4;  ///< in units of effective mass over h^2; float loses the inertia beyond

/// Multipliers after a sweep: the normal one first, then the tangential ones inside the cone that it allows.
template <class T>
[[gnu::always_inline]] inline void raise(const ContactForce<T>& force, const T& ramp, const T& most,
                                         HalfContact<T>& half)
{
    half.pressure = force.normal;
    half.drag = force.tangent;
    const auto pushes = force.normal > T(0.0);
    half.stiffness = select(pushes, minimum(half.stiffness + ramp * absolute(force.distance), most), half.stiffness);
    half.shear = half.stiffness;
}

}  // namespace rattleback::avbd
