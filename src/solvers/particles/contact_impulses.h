// Bodies and contacts of `refined` in a step, and the projected Gauss-Seidel step of one contact.
#pragma once

#include "base/index.h"
#include "solvers/particles/rigid_motion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace rattleback::particles
{

/// A symmetric matrix (xx, yy, zz, xy, xz, yz) times a vector.
template <class T>
Vector3<T> multiply_symmetric(const std::array<T, 6>& s, const Vector3<T>& a)
{
    return {s[0] * a.x + s[3] * a.y + s[4] * a.z, s[3] * a.x + s[1] * a.y + s[5] * a.z,
            s[4] * a.x + s[5] * a.y + s[2] * a.z};
}

/// A body in a step. Poses and momenta are double; what contacts change is a small difference and in T.
template <class T>
struct ImpulseBody
{
    RigidMotion start;                   ///< about the solid's centre
    Vec3 start_momentum;                 ///< angular, L0
    Vec3 velocity, angular_velocity;     ///< at the end, with outer forces and without contacts: v*, omega*
    Vec3 momentum;                       ///< angular, likewise: L*
    Quat rotation;                       ///< predicted for the end of the step
    Vec3 center;                         ///< likewise
    std::array<T, 6> inverse_inertia{};  ///< there
    T inverse_mass = 0;
    Vector3<T> delta_velocity, delta_angular_velocity;            ///< by contacts
    Vector3<T> delta_momentum;                                    ///< angular, by contacts
    Vector3<T> last_delta_velocity, last_delta_angular_velocity;  ///< before a sweep
    bool impact = false;                                          ///< it strikes something in this step
};

/// One contact: a unilateral constraint along the normal and friction along two tangents.
template <class T>
struct ContactConstraint
{
    std::uint64_t key = 0;          ///< the same from step to step
    int first = -1, second = -1;    ///< bodies; second -1: a shape
    int particle = -1, other = -1;  ///< other: particle, or obstacle pair
    Vector3<T> normal, tangent, bitangent;
    Vector3<T> arm, other_arm;  ///< from the centres of mass
    Vector3<T> free_velocity;   ///< relative, at the end of the step without contacts
    T gap = 0, friction = 0;
    T normal_impulse = 0, tangent_impulse = 0, bitangent_impulse = 0;  ///< accumulated [N s]
    T normal_mass = 0, tangent_mass = 0, bitangent_mass = 0;
    T start_normal_speed = 0;  ///< relative, at the start of the step

    Vector3<T> impulse() const
    {
        return normal_impulse * normal + tangent_impulse * tangent + bitangent_impulse * bitangent;
    }
};

/// (R3): relative velocity u of a contact with the impulses found so far.
template <class T>
Vector3<T> find_relative_velocity(const ContactConstraint<T>& contact, std::span<const ImpulseBody<T>> bodies)
{
    const ImpulseBody<T>& a = bodies[at(contact.first)];
    const Vector3<T> velocity = contact.free_velocity + a.delta_velocity + cross(a.delta_angular_velocity, contact.arm);
    if (contact.second < 0) return velocity;
    const ImpulseBody<T>& b = bodies[at(contact.second)];
    return velocity - b.delta_velocity - cross(b.delta_angular_velocity, contact.other_arm);
}

/// (R4): the mass that an impulse along `direction` meets: 1 / m_eff = sum of 1 / m + (r x d) . I^-1 (r x d).
template <class T>
T find_effective_mass(const ContactConstraint<T>& contact, const Vector3<T>& direction,
                      std::span<const ImpulseBody<T>> bodies)
{
    const ImpulseBody<T>& a = bodies[at(contact.first)];
    const Vector3<T> lever = cross(contact.arm, direction);
    T inverse = a.inverse_mass + dot(lever, multiply_symmetric(a.inverse_inertia, lever));
    if (contact.second >= 0)
    {
        const ImpulseBody<T>& b = bodies[at(contact.second)];
        const Vector3<T> other = cross(contact.other_arm, direction);
        inverse += b.inverse_mass + dot(other, multiply_symmetric(b.inverse_inertia, other));
    }
    return 1 / inverse;
}

/// Adds an impulse to the first body and takes it from the second.
template <class T>
void apply_impulse(const ContactConstraint<T>& contact, const Vector3<T>& impulse, std::span<ImpulseBody<T>> bodies)
{
    ImpulseBody<T>& a = bodies[at(contact.first)];
    const Vector3<T> moment = cross(contact.arm, impulse);
    a.delta_velocity += a.inverse_mass * impulse;
    a.delta_momentum += moment;
    a.delta_angular_velocity += multiply_symmetric(a.inverse_inertia, moment);
    if (contact.second < 0) return;
    ImpulseBody<T>& b = bodies[at(contact.second)];
    const Vector3<T> other = cross(contact.other_arm, impulse);
    b.delta_velocity -= b.inverse_mass * impulse;
    b.delta_momentum -= other;
    b.delta_angular_velocity -= multiply_symmetric(b.inverse_inertia, other);
}

/// One contact of a projected Gauss-Seidel sweep on accumulated impulses (Catto 2005). `rate`: 1 / dt.
template <class T>
void solve_contact(T rate, ContactConstraint<T>& contact, std::span<ImpulseBody<T>> bodies)
{
    constexpr T kRecovery = T(0.2);        // of an overlap in a step (Baumgarte 1972)
    constexpr T kMaxRecoverySpeed = T(1);  // [m/s]
    const std::span<const ImpulseBody<T>> moving = bodies;

    // (R5): 0 <= impulse, normal speed >= target, one of them equal: a gap may close, an overlap opens slowly.
    const T target =
        contact.gap > 0 ? -contact.gap * rate : std::min(-contact.gap * rate * kRecovery, kMaxRecoverySpeed);
    Vector3<T> u = find_relative_velocity(contact, moving);
    const T normal_impulse =
        std::max(T(0), contact.normal_impulse + contact.normal_mass * (target - dot(u, contact.normal)));
    const T normal_change = normal_impulse - contact.normal_impulse;
    contact.normal_impulse = normal_impulse;
    apply_impulse(contact, normal_change * contact.normal, bodies);
    if (contact.friction == T(0)) return;

    // (R6): friction takes the sliding away as far as the disc |impulse| <= mu normal impulse allows.
    u = find_relative_velocity(contact, moving);
    T tangent = contact.tangent_impulse - contact.tangent_mass * dot(u, contact.tangent);
    T bitangent = contact.bitangent_impulse - contact.bitangent_mass * dot(u, contact.bitangent);
    const T size = std::sqrt(tangent * tangent + bitangent * bitangent);
    const T limit = contact.friction * contact.normal_impulse;
    if (size > limit)
    {
        tangent *= limit / size;
        bitangent *= limit / size;
    }
    const T tangent_change = tangent - contact.tangent_impulse,
            bitangent_change = bitangent - contact.bitangent_impulse;
    contact.tangent_impulse = tangent;
    contact.bitangent_impulse = bitangent;
    apply_impulse(contact, tangent_change * contact.tangent + bitangent_change * contact.bitangent, bodies);
}

}  // namespace rattleback::particles
