// Projected Gauss-Seidel on accumulated impulses (Catto 2005) for the contact problem of Stewart and Trinkle 1996.
#include "solvers/particles/contact_impulses.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{

// Unknowns are impulses p of contacts; bodies carry what the impulses have done to them so far. Each contact in turn is
// brought to its own law, (R5) along the normal and (R6) in the tangent plane, with all others held.

template <class T>
void ContactImpulses<T>::add(const ContactConstraint<T>& contact)
{
    // Masses along the three axes do not change in a step: poses are those of the prediction.
    ContactConstraint<T>& added = contacts_.emplace_back(contact);
    added.normal_mass = find_effective_mass(added, added.normal);
    added.tangent_mass = find_effective_mass(added, added.tangent);
    added.bitangent_mass = find_effective_mass(added, added.bitangent);
}

template <class T>
void ContactImpulses<T>::sort_by_key()
{
    // By key: a sweep visits contacts in an order that does not depend on how they were found.
    std::sort(contacts_.begin(), contacts_.end(),
              [](const ContactConstraint<T>& a, const ContactConstraint<T>& b) { return a.key < b.key; });
}

template <class T>
bool ContactImpulses<T>::warm_start(const RefinedMemory& memory)
{
    // Both lists are sorted by key: one walk finds all that stand in both.
    bool any = false;
    auto kept = memory.kept.begin();
    for (ContactConstraint<T>& contact : contacts_)
    {
        while (kept != memory.kept.end() && kept->key < contact.key) ++kept;
        if (kept == memory.kept.end() || kept->key != contact.key) continue;
        any = true;
        // In world axes, so that a normal that has turned takes its part and leaves the rest to friction.
        const Vector3<T> impulse = cast<T>(kept->impulse);
        // A kept impulse may point into the surface once the normal has turned: the pull is dropped.
        contact.normal_impulse = std::max(T(0), dot(impulse, contact.normal));
        contact.tangent_impulse = dot(impulse, contact.tangent);
        contact.bitangent_impulse = dot(impulse, contact.bitangent);
        apply_impulse(contact, contact.impulse());
    }
    return any;
}

template <class T>
T ContactImpulses<T>::sweep(double dt)
{
    // What the bodies have gained so far, to be compared with what they will have.
    for (ImpulseBody<T>& body : bodies)
    {
        body.last_delta_velocity = body.delta_velocity;
        body.last_delta_angular_velocity = body.delta_angular_velocity;
    }
    // Both ways, so that neither end of a row of contacts is preferred.
    const T rate = static_cast<T>(1 / dt);
    for (ContactConstraint<T>& contact : contacts_) solve_contact(rate, contact);
    for (auto contact = contacts_.rbegin(); contact != contacts_.rend(); ++contact) solve_contact(rate, *contact);

    // The fastest change of a point of a body.
    T largest = 0;
    for (const ImpulseBody<T>& body : bodies)
    {
        const T turned = norm(body.delta_angular_velocity - body.last_delta_angular_velocity);
        largest = std::max(largest, norm(body.delta_velocity - body.last_delta_velocity) + body.reach * turned);
    }
    return largest;
}

template <class T>
void ContactImpulses<T>::solve_contact(T rate, ContactConstraint<T>& contact)
{
    constexpr T kRecovery = T(0.2);        // of an overlap in a step (Baumgarte 1972)
    constexpr T kMaxRecoverySpeed = T(1);  // [m/s]

    // (R5): 0 <= p_n, u_n >= target, and one of them equal. A gap may close but not more: target = -gap / h. An overlap
    // opens by a fifth per step, and not faster than a metre per second, so that it adds little energy.
    const T target =
        contact.gap > 0 ? -contact.gap * rate : std::min(-contact.gap * rate * kRecovery, kMaxRecoverySpeed);
    // u_n as the impulses of this sweep have left it (Gauss-Seidel), and the change that would bring it to the target.
    const T normal_speed = dot(find_relative_velocity(contact), contact.normal);
    // The accumulated impulse is clamped, not its change: an impulse that was too large can be taken back.
    const T normal_impulse = std::max(T(0), contact.normal_impulse + contact.normal_mass * (target - normal_speed));
    const T normal_change = normal_impulse - contact.normal_impulse;
    contact.normal_impulse = normal_impulse;
    apply_impulse(contact, normal_change * contact.normal);
    if (contact.friction == T(0)) return;

    // (R6): friction takes the sliding away as far as the disc |p_t| <= mu p_n allows; beyond it p_t is drawn back
    // to the edge, along its own direction.
    const Vector3<T> u = find_relative_velocity(contact);
    T tangent = contact.tangent_impulse - contact.tangent_mass * dot(u, contact.tangent);
    T bitangent = contact.bitangent_impulse - contact.bitangent_mass * dot(u, contact.bitangent);
    // The two tangents are solved apart from each other and then clamped together: a disc and not a square.
    const T size = std::sqrt(tangent * tangent + bitangent * bitangent);
    const T limit = contact.friction * contact.normal_impulse;
    if (size > limit)
    {
        tangent *= limit / size;
        bitangent *= limit / size;
    }
    const T tangent_change = tangent - contact.tangent_impulse;
    const T bitangent_change = bitangent - contact.bitangent_impulse;
    contact.tangent_impulse = tangent;
    contact.bitangent_impulse = bitangent;
    apply_impulse(contact, tangent_change * contact.tangent + bitangent_change * contact.bitangent);
}

/// (R3): u = u* + (dv + domega x r) of the first body less that of the second.
template <class T>
Vector3<T> ContactImpulses<T>::find_relative_velocity(const ContactConstraint<T>& contact) const
{
    // Changes alone are kept in T; the large common part u* was found in double.
    const ImpulseBody<T>& a = bodies[at(contact.first)];
    const Vector3<T> velocity = contact.free_velocity + a.delta_velocity + cross(a.delta_angular_velocity, contact.arm);
    if (contact.second < 0) return velocity;
    const ImpulseBody<T>& b = bodies[at(contact.second)];
    return velocity - b.delta_velocity - cross(b.delta_angular_velocity, contact.other_arm);
}

/// (R4): the mass that an impulse along d meets: 1 / m_eff = sum over both of 1 / m + (r x d) . I^-1 (r x d).
template <class T>
T ContactImpulses<T>::find_effective_mass(const ContactConstraint<T>& contact, const Vector3<T>& direction) const
{
    const ImpulseBody<T>& a = bodies[at(contact.first)];
    const Vector3<T> lever = cross(contact.arm, direction);
    T inverse = a.inverse_mass + dot(lever, a.inverse_inertia * lever);
    // A shape that no force moves has infinite mass: its part of the sum is zero.
    if (contact.second >= 0)
    {
        const ImpulseBody<T>& b = bodies[at(contact.second)];
        const Vector3<T> other = cross(contact.other_arm, direction);
        inverse += b.inverse_mass + dot(other, b.inverse_inertia * other);
    }
    return 1 / inverse;
}

/// dv += p / m, dL += r x p, domega += I^-1 (r x p); the opposite for the second body.
template <class T>
void ContactImpulses<T>::apply_impulse(const ContactConstraint<T>& contact, const Vector3<T>& impulse)
{
    ImpulseBody<T>& a = bodies[at(contact.first)];
    // Angular momentum is accumulated beside omega: (R8) integrates L and needs it exactly.
    const Vector3<T> moment = cross(contact.arm, impulse);
    a.delta_velocity += a.inverse_mass * impulse;
    a.delta_momentum += moment;
    a.delta_angular_velocity += a.inverse_inertia * moment;
    if (contact.second < 0) return;
    ImpulseBody<T>& b = bodies[at(contact.second)];
    const Vector3<T> other = cross(contact.other_arm, impulse);
    b.delta_velocity -= b.inverse_mass * impulse;
    b.delta_momentum -= other;
    b.delta_angular_velocity -= b.inverse_inertia * other;
}

template <class T>
void ContactImpulses<T>::find_impacts(double dt, double gravity)
{
    // What gravity moves in a step, g h^2, is no impact.
    const T h = static_cast<T>(dt);
    const T slack = static_cast<T>(dt * dt * std::max(1.0, gravity));
    for (const ContactConstraint<T>& contact : contacts_)
    {
        // The gap that a step with the mean of both normal speeds would leave, against the one before or zero.
        const T speed = dot(find_relative_velocity(contact), contact.normal);
        const T end_gap = contact.gap + T(0.5) * h * (contact.start_normal_speed + speed);
        if (end_gap >= std::min(contact.gap, T(0)) - slack) continue;
        // Both bodies take the velocity of the end for the whole step (R7).
        bodies[at(contact.first)].impact = true;
        if (contact.second >= 0) bodies[at(contact.second)].impact = true;
    }
    spread_impacts();
}

template <class T>
void ContactImpulses<T>::spread_impacts()
{
    // Two balls that fall as one on a floor: the lower one is struck, and lands by (R7) with the velocity of the end.
    // The upper one has the same change of velocity by the contact between them, and would go on with the mean: into
    // the lower one by h dv / 2, for the recovery of overlaps to throw it up again.
    for (bool spreads = true; spreads;)
    {
        // Each pass marks one body more at least; most impacts need one pass that marks none.
        spreads = false;
        for (const ContactConstraint<T>& contact : contacts_)
        {
            if (contact.second < 0 || contact.normal_impulse == T(0)) continue;
            bool &first = bodies[at(contact.first)].impact, &second = bodies[at(contact.second)].impact;
            if (first == second) continue;
            first = second = spreads = true;
        }
    }
}

template class ContactImpulses<float>;
template class ContactImpulses<double>;

}  // namespace rattleback::particles
