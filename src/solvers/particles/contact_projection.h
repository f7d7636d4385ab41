// ContactProjection: contacts of particles with shapes and with particles of other bodies, for `pbd` and `pbdr`.
#pragma once

#include "solvers/particles/contact_list.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/obstacles.h"
#include "solvers/particles/particle_passes.h"

namespace rattleback::particles
{

/// Finds contacts once per step (or iteration) and projects particles out of what they overlap, all from the same
/// positions (Jacobi).
template <class T>
class ContactProjection
{
public:
    /// Model, set and pool outlive it. `relaxation`: what part of an overlap an iteration takes away.
    ContactProjection(const Model& model, double relaxation, const ParticleSet& set, ThreadPool& pool);

    /// Contacts within the regions of the groups.
    void find(Obstacles& obstacles, std::span<const SearchRegion> regions, const Cloud<T>& cloud);
    /// The same of particles of other bodies alone.
    void find_neighbours(std::span<const SearchRegion> regions, const Cloud<T>& cloud);

    /// Lines 7 and 8 of [PBD-R] Algorithm 1: fills `corrections`. Pending corrections of momentum count as made.
    void project(std::span<const GroupState<T>> groups, T dt, const Cloud<T>& cloud);

    /// Of the last projection, sorted by particle.
    std::span<const ContactCorrection<T>> corrections() const { return corrections_; }
    int contact_count() const { return static_cast<int>(contacts_.size()); }
    /// Deepest overlap of the last projection [m].
    double deepest() const;
    /// Hands contacts and the forces of the whole step to the memory.
    void report(double dt, const Cloud<T>& cloud, Memory& memory);

private:
    /// A contact with a shape in the solver's precision.
    struct SurfaceContact
    {
        int particle;
        int pair;  ///< in ParticleSet::obstacle_pairs
        Vector3<T> normal, point, velocity;
        T friction;
        Vector3<T> total;  ///< sum of its corrections in this step [m]
    };
    /// A particle with all its contacts.
    struct TouchedParticle
    {
        // Merged from two lists that are sorted by particle: the corrections come out sorted as well.
        int particle;
        int group;
        int begin, end;  ///< in contacts_
        int neighbours;  ///< in neighbours_; -1: none
    };

    /// Where a particle is and how it moves once the pending correction of its group is made.
    struct MovingPoint
    {
        Vector3<T> x, v;
    };
    struct Iterate
    {
        std::span<const GroupState<T>> groups;
        const Cloud<T>& cloud;
        T dt;

        MovingPoint at(int particle, int group) const
        {
            const Vector3<T> x = cloud.position(particle);
            const Vector3<T> change = groups[static_cast<std::size_t>(group)].pending.at(x);
            return {x + dt * change, cloud.velocity(particle) + change};
        }
    };

    void list_touched();
    Vector3<T> project_from_shapes(const TouchedParticle& touched, const MovingPoint& own, T dt, T& deepest);
    Vector3<T> project_from_particles(const TouchedParticle& touched, const MovingPoint& own, const Iterate& iterate,
                                      T& deepest);
    void report_shape_contacts(double dt, const Cloud<T>& cloud);
    void report_particle_contacts(double dt, const Cloud<T>& cloud);

    const Model& model_;
    const double relaxation_;
    const ParticleSet& set_;
    ThreadPool& pool_;
    Neighbours neighbours_;
    const RunningSurfaces* surfaces_ = nullptr;  ///< of this step
    std::vector<int> group_of_;                  ///< [particle], only where there are several groups

    // of this step
    std::vector<SurfaceContact> contacts_;
    std::vector<TouchedParticle> touched_;
    std::vector<ContactCorrection<T>> corrections_;  ///< [touched particle]
    std::vector<T> deepest_;                         ///< [touched particle]
    std::vector<Vector3<T>> pair_total_;             ///< [pair of neighbours] sum of corrections [m]
    ContactList list_;
};

}  // namespace rattleback::particles
