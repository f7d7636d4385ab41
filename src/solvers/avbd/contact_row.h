// One side of one contact: its force on a body and what it adds to the body's 6x6 block, for any scalar.
#pragma once

#include "math/pack.h"
#include "math/symmetric3.h"

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
    T gap{};                    ///< regularised distance at the start of the step [m]; negative: overlap
    Vector3<T> slip;            ///< tangential error at the start of the step, likewise [m]
    T normal_penalty{};         ///< k of the normal row [N/m]
    T tangent_penalty{};        ///< k of the tangential rows [N/m]
    T normal_lambda{};          ///< multiplier of the normal row [N]
    Vector3<T> tangent_lambda;  ///< multiplier of the tangential rows: force on this body [N]
    T friction{};               ///< coefficient
    T compliance{};             ///< 1 / K, stiffness of the material [m/N]; 0: rigid
    T active{};                 ///< not zero: counts in the block even while it does not push
};

/// Force of a contact on this body and the stiffnesses that the block sees.
template <class T>
struct ContactForce
{
    T normal{};          ///< not negative [N]
    Vector3<T> tangent;  ///< inside the cone [N]
    T normal_stiffness{}, tangent_stiffness{};
    T distance{};       ///< normal residual C_n [m]
    Vector3<T> offset;  ///< tangential residual C_t [m]
};

/// The force at given increments: f = s (lambda - k C), s = K / (K + k), bounded. Without `Soft` all rows are rigid.
template <bool Soft = true, class T>
[[gnu::always_inline]] inline ContactForce<T> evaluate(const HalfContact<T>& half, const Increment<T>& self,
                                                       const Increment<T>& other)
{
    using std::sqrt;
    // C(x) = C(x_t) + J (x - x_t), linear in the increments over the whole step ([AVBD] Eq. 15)
    const Vector3<T> motion =
        self.linear + cross(self.angular, half.arm) - (other.linear + cross(other.angular, half.other_arm));
    const T along = dot(half.normal, motion);
    ContactForce<T> force;
    force.distance = half.gap + along;
    force.offset = half.slip + motion - along * half.normal;
    // normal force: lambda+ bounded below by zero ([AVBD] Eq. 13), with a material's share of it
    T share(1.0);
    if constexpr (Soft) share = T(1.0) / (T(1.0) + half.normal_penalty * half.compliance);
    force.normal = maximum(T(0.0), share * (half.normal_lambda - half.normal_penalty * force.distance));
    // friction: lambda+ projected on the cone of the same evaluation's normal force ([AVBD] Sec. 3.2)
    const Vector3<T> trial = half.tangent_lambda - half.tangent_penalty * force.offset;
    const T squared = dot(trial, trial);
    const T bound = half.friction * force.normal;
    const auto slides = squared > bound * bound;
    T scale(1.0);
    // most points of a pile stick: where none slides, neither root nor division
    if (any(slides)) scale = select(slides, bound / sqrt(select(slides, squared, T(1.0))), T(1.0));
    force.tangent = scale * trial;
    // stiffness in the block: a sliding row has that of its secant ([AVBD] Eq. 14), a row far from touching none
    const auto counts = either(half.active > T(0.0), force.normal > T(0.0));
    force.normal_stiffness = select(counts, share * half.normal_penalty, T(0.0));
    force.tangent_stiffness = select(counts, scale * half.tangent_penalty, T(0.0));
    return force;
}

/// exp(p u) I u up to third order in u: h times the angular momentum of a body that turns by u in h, world axes, when
/// it has turned by p u (p: `pivot`). The inertia I is the one before the turn, and a turn by u leaves u alone.
template <class T>
Vector3<T> spin_momentum(const Symmetric3<T>& inertia, const Vector3<T>& u, const T& pivot)
{
    // exp(u) = 1 + [u] + [u]^2 / 2 + ...; the second term is the Coriolis torque of [VBD-R], "Rotational Residual"
    const Vector3<T> own = inertia * u;
    const Vector3<T> coriolis = cross(u, own);
    return own + pivot * coriolis + (T(0.5) * pivot * pivot) * cross(u, coriolis);
}

/// The Newton system H delta = f of one body ([AVBD] Eqs. 4 to 6; [VBD-R], "From Residual to the 6x6 Newton System"):
/// linear, coupling (rows angular, columns linear) and angular blocks of H, and the right-hand side.
template <class T>
struct BodySystem
{
    Symmetric3<T> linear;
    Matrix3<T> coupling;
    Symmetric3<T> angular;
    Vector3<T> force, torque;
};

/// The system of a body that only inertia moves: `mass` and `inertia` over h^2, `offset` from where it is to its
/// target, torque of inertia.
template <class T>
[[gnu::always_inline]] inline BodySystem<T> make_inertial_system(const T& mass, const Symmetric3<T>& inertia,
                                                                 const Vector3<T>& offset, const Vector3<T>& torque)
{
    // H = M / h^2, f = M / h^2 (y - x) ([AVBD] Eqs. 5, 6; [VBD-R], "Inertial Blocks")
    BodySystem<T> system;
    add_diagonal(system.linear, mass);
    system.angular = inertia;
    system.force = mass * offset;
    system.torque = torque;
    return system;
}

/// Adds force and block of one contact: K = k_t I + (k_n - k_t) n nᵀ at the arm r.
template <class T>
[[gnu::always_inline]] inline void add_contact(const HalfContact<T>& half, const ContactForce<T>& contact,
                                               BodySystem<T>& system)
{
    // f += Jᵀ lambda+ ([AVBD] Eq. 13)
    const Vector3<T>& n = half.normal;
    const Vector3<T>& r = half.arm;
    const Vector3<T> f = contact.normal * n + contact.tangent;
    system.force += f;
    system.torque += cross(r, f);

    // H += Jᵀ k J ([AVBD] Eq. 17 without its G, which is tiny here): linear += K, coupling += [r] K,
    // angular += [r] K [r]ᵀ ([VBD-R], "Contact and Constraint Blocks")
    const T shear = contact.tangent_stiffness, extra = contact.normal_stiffness - contact.tangent_stiffness;
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
    // [r] [r]ᵀ = |r|^2 I - r rᵀ
    add_diagonal(system.angular, shear * dot(r, r));
    add_outer(system.angular, -shear, r);
    add_outer(system.angular, extra, rn);
}

inline constexpr double kMaxPenalty = 1e4;  ///< in units of effective mass over h^2; float loses the inertia beyond

/// Multipliers and penalties of a contact after a sweep; `beta` is the penalty's growth per metre.
template <class T>
[[gnu::always_inline]] inline void update_dual(const ContactForce<T>& force, const T& beta, const T& max_penalty,
                                               HalfContact<T>& half)
{
    // lambda <- lambda+ ([AVBD] Eq. 11), the tangential one inside the cone that the normal one allows
    half.normal_lambda = force.normal;
    half.tangent_lambda = force.tangent;
    // k <- k + beta |C| while lambda is inside its bounds ([AVBD] Eq. 16); one k for all three rows
    const auto pushes = force.normal > T(0.0);
    half.normal_penalty = select(pushes, minimum(half.normal_penalty + beta * absolute(force.distance), max_penalty),
                                 half.normal_penalty);
    half.tangent_penalty = half.normal_penalty;
}

}  // namespace rattleback::avbd
