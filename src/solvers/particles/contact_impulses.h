// ContactImpulses: bodies and contacts of `refined` in a step, solved by projected Gauss-Seidel on impulses.
#pragma once

#include "solvers/particles/refined_memory.h"
#include "solvers/particles/rigid_motion.h"

namespace rattleback::particles
{

/// A body in a step. Poses and momenta are double; what contacts change is a small difference and in T.
template <class T>
struct ImpulseBody
{
    RigidMotion start;                ///< about the solid's centre
    Vec3 start_momentum;              ///< angular: L0
    Vec3 velocity, angular_velocity;  ///< at the end of the step without contacts: v*, omega*
    Vec3 momentum;                    ///< angular, likewise: L*
    Quat rotation;                    ///< predicted for the end of the step
    Vec3 center;                      ///< likewise
    Symmetric3<T> inverse_inertia;    ///< there
    T inverse_mass = 0;
    T reach = 0;                                                  ///< furthest surface from the centre [m]
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
    Vector3<T> free_velocity;   ///< relative, at the end of the step without contacts: u*
    T gap = 0, friction = 0;
    T start_normal_speed = 0;  ///< relative, at the start of the step

    // found by the solver
    T normal_impulse = 0, tangent_impulse = 0, bitangent_impulse = 0;  ///< accumulated [N s]
    T normal_mass = 0, tangent_mass = 0, bitangent_mass = 0;           ///< effective [kg]

    Vector3<T> impulse() const
    {
        return normal_impulse * normal + tangent_impulse * tangent + bitangent_impulse * bitangent;
    }
};

template <class T>
class ContactImpulses
{
public:
    // Bodies are filled by the caller's prediction (R1), contacts by add (R2), impulses by warm_start and sweep.
    explicit ContactImpulses(std::size_t body_count) : bodies(body_count) {}

    std::vector<ImpulseBody<T>> bodies;  ///< [group]

    void clear() { contacts_.clear(); }
    /// Without impulses and masses; the bodies are predicted.
    void add(const ContactConstraint<T>& contact);
    void sort_by_key();
    const std::vector<ContactConstraint<T>>& contacts() const { return contacts_; }

    /// Contacts that were there in the last step start with the impulse that they ended with; false when none was.
    bool warm_start(const RefinedMemory& memory);
    /// One sweep over the contacts, forwards and then backwards; how much it changed the motion of a body [m/s].
    /// Impulses may still move from one contact to another of the same body without any effect on it.
    T sweep(double dt);
    /// Marks the bodies that the mean of their velocities before and after would carry into something, and those that
    /// press them.
    void find_impacts(double dt, double gravity);

private:
    Vector3<T> find_relative_velocity(const ContactConstraint<T>& contact) const;
    T find_effective_mass(const ContactConstraint<T>& contact, const Vector3<T>& direction) const;
    void apply_impulse(const ContactConstraint<T>& contact, const Vector3<T>& impulse);
    void solve_contact(T rate, ContactConstraint<T>& contact);
    void spread_impacts();

    std::vector<ContactConstraint<T>> contacts_;
};

}  // namespace rattleback::particles
